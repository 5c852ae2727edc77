/* SPDX-License-Identifier: MIT
   KIR packed: the form in which objects carry kernels, three to four bytes an instruction.

       kernel	    VERSION NAME-LEN NAME ARGS-LEN N-DIMS N-REFS N-THREADS [SHARED-LEN] N-CARRIES CARRY...
		    N-BLOCKS BLOCK...
       carry	    TYPE COMBINE OFFSET
       block	    INSTRUCTION..., the first that ends a block being its last
       instruction  OP [LINE] [N] OPERAND... TARGET... [TYPE] [NUMBER]

   VERSION is 1.  There is SHARED-LEN in SPMD form, where N-THREADS is not 0.  OP, TYPE and COMBINE are the codes of
   kir-codes.def, a byte each.  All else are numbers: seven bits a byte, the lower ones first, the eighth set if more
   bytes follow; those that may be negative as 2n, or as -2n - 1.

     OPERAND  values have numbers in the order of the form, from 1 on; how many before this one it is, or 0 and how
	      many behind
     TARGET   how many blocks behind this one it is; of phis, the blocks they come from
     N	      of operands and of targets, where an operation may have any number
     TYPE     unless the operation or an operand that stands before tells it: see pg_kir_told_type
     NUMBER   of operations that have one; of constants, an integer, or the bits of a float, the first as the lowest,
	      so that most are short
     LINE     if OP has its eighth bit set, since the line is another than that of the instruction before: 0, unknown,
	      or 1 more than how far it is from the last known one

   Whoever reads knows where it ends from what it holds, and all of it must be there.  There is no checksum: what stands
   in an object is as sound as the code beside it, and anything at all may be read without harm.

       kernel "x" args 8 dims 1 refs 1		01  01 78  08 01 01 00 00  01
       b0:
	 v1 = iter i64 0			03  00
	 v2 = arg ptr 0				02  07 00
	 v3 = address ptr v2 v1			06  01 02
	 v4 = load i8 v3 ref 0 line 4		87  09 01 01 00
	 store void v3 v4 ref 0 line 4		08  02 01 00
	 return void				8d  00
       end  */
#ifndef PG_KIR_PACK_H
#define PG_KIR_PACK_H

#include "kir.h"

enum
{
  PG_KIR_PACK_VERSION = 1,
  PG_KIR_OTHER_LINE = 0x80
};

/* N as a number without a sign, small if N is near 0.  */
static inline uint64_t
pg_kir_folded (int64_t n)
{
  return n < 0 ? ~(uint64_t) n << 1 | 1 : (uint64_t) n << 1;
}

/* The number that FOLDED was.  */
static inline int64_t
pg_kir_unfolded (uint64_t folded)
{
  return (int64_t) (folded & 1 ? ~(folded >> 1) : folded >> 1);
}

/* The BITS of a value of TYPE, the first as the last.  */
static inline uint64_t
pg_kir_turned (enum pg_kir_type type, uint64_t bits)
{
  uint64_t turned = 0;
  for (unsigned i = 0; i < pg_kir_types[type].len * 8; i++)
    turned |= (bits >> i & 1) << (pg_kir_types[type].len * 8 - 1 - i);
  return turned;
}

/* The type of an instruction of SHAPE, as far as its first operands' types A and B tell it, PG_KIR_N_TYPES being not
   known.  */
static inline enum pg_kir_type
pg_kir_told_type (enum pg_kir_shape shape, enum pg_kir_type a, enum pg_kir_type b)
{
  switch (shape)
    {
    case PG_KIR_NEXT:
    case PG_KIR_STORE:
    case PG_KIR_BARRIER:
    case PG_KIR_FACT:
    case PG_KIR_JUMP:
    case PG_KIR_BRANCH:
    case PG_KIR_SWITCH:
    case PG_KIR_RETURN:
      return PG_KIR_VOID;
    case PG_KIR_CMP_INT:
    case PG_KIR_CMP_FLOAT:
      return PG_KIR_I8;
    case PG_KIR_INDEX:
      return PG_KIR_I64;
    case PG_KIR_ADDRESS:
    case PG_KIR_SHARED:
      return PG_KIR_PTR;
    case PG_KIR_INT2:
    case PG_KIR_FLOAT1:
    case PG_KIR_FLOAT2:
    case PG_KIR_FLOAT3:
    case PG_KIR_PHI:
      return a;
    case PG_KIR_SELECT:
    case PG_KIR_ATOMIC:
    case PG_KIR_SWAP:
      return b;
    default:
      return PG_KIR_N_TYPES;
    }
}

#endif
