/* SPDX-License-Identifier: MIT
   A region's kernels: from what its object has of it, packed, to what a device runs.

       packed -> loop -> the same on other memory (kir/rebase.h)			once a region
			   |
			   +-> that notes accesses (kir/instrument.h) -> SPMD (kir/map.h) -> compiled	once a wish
			   |						  |
			   +-> that notes none -> collapsed (kir/collapse.h) -----+

   Entries mostly wish for the same; a few compiled variants are kept.  */
#ifndef PARAGON_KERNELS_H
#define PARAGON_KERNELS_H

#include "device.h"
#include "nests.h"
#include "paragon_region.h"

#include "kir/instrument.h"
#include "kir/map.h"
#include "kir/rebase.h"

enum
{
  PG_METHOD_SCAN = 1 << 16
};

enum pg_method
{
#define PG_METHOD(id, name, log, first, second) PG_METHOD_##id,
#include "method.def"
#undef PG_METHOD
  PG_N_METHODS
};

struct pg_method_facts
{
  const char *name;
  enum pg_kir_log log;
  unsigned first, second;
};

extern const struct pg_method_facts pg_methods[PG_N_METHODS];

/* What an entry wishes for.  All of it is compared byte by byte: to be set to 0 first.  */
struct pg_wish
{
  enum pg_method method;
  enum pg_kir_mapping mapping; /* of the kernel that runs the loop */
  enum pg_mapped mapped;       /* of that, too: other than threads only if nothing is noted */
  bool is_short;               /* iterations and threads can be counted in 32 bits */
  bool is_free;                /* the turns that a team shares may run at once */
  uint32_t n_members;          /* of a team; else 1 */
  pg_kir_block_number header;  /* of the inner loop that a team shares; else 0 */
  uint32_t n_threads;          /* of a block */
  uint32_t n_arrays;
  unsigned more; /* what the kernel that runs the loop does besides: PG_KIR_COUNT_ROUNDS, PG_KIR_FIND_NANS */
  uint8_t array_of[PG_KIR_MOST_REFS], shift_of[PG_KIR_MOST_ARRAYS];
  bool bounds_only[PG_KIR_MOST_REFS];
};

/* The kernels of a variant.  */
enum pg_role
{
  PG_ROLE_FIRST,
  PG_ROLE_SECOND, /* over the loop's iterations, or the logs */
  PG_ROLE_LAST,
  PG_N_ROLES
};

struct pg_variant
{
  struct pg_wish wish;
  struct pg_module *module;
  struct pg_kir_kernel loops[PG_N_ROLES]; /* in loop form; without blocks: not of this variant */
  enum pg_kir_mapping mappings[PG_N_ROLES];
};

struct pg_kernels
{
  struct pg_kir_kernel loop; /* on other memory */
  struct pg_kir_bases bases;
  struct pg_kir_use *uses; /* n_refs */
  uint32_t loop_args_len;
  bool has_floats; /* it computes with floating-point numbers */
  bool has_nests;  /* NESTS, of the loop as it runs where nothing is noted, are found */
  struct pg_nests nests;
  struct pg_variant **variants; /* as they were made */
  size_t n_variants;
};

enum pg_kernels_status
{
  PG_KERNELS_OK,
  PG_KERNELS_NONE,    /* there is no kernel, or it is not a good one */
  PG_KERNELS_ADDRESS, /* an address comes from memory */
  PG_KERNELS_LARGE,   /* too many arguments, or it cannot be mapped */
  PG_KERNELS_MANY,    /* variants */
  PG_KERNELS_METHOD,  /* the loop's addresses cannot be computed by themselves, as the method wants */
  PG_KERNELS_FAILED,  /* not compiled */
  PG_KERNELS_NO_MEMORY
};

/* Make KERNELS those of REGION.  If not PG_KERNELS_OK, it is empty.  */
enum pg_kernels_status pg_kernels_begin (struct pg_kernels *kernels, const struct pg_region *region);

/* The nests of KERNELS; NULL: no memory.  */
struct pg_nests *pg_kernels_nests (struct pg_kernels *kernels);

/* Set *VARIANT to what WISH says, compiled for DEVICE.  Ownership: KERNELS keeps it, for good.  */
enum pg_kernels_status pg_kernels_get (struct pg_kernels *kernels, const struct pg_wish *wish, struct pg_device *device,
				       struct pg_variant **variant);

/* The name that the kernel of ROLE has in its module.  */
const char *pg_role_name (enum pg_role role);

#endif
