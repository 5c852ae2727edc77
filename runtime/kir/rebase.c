/* SPDX-License-Identifier: MIT
   Other memory.  See rebase.h.

   Each pointer that comes from a base has a twin, which comes from the second one in the same way: an address by the
   same number of bytes, a phi or a selection of twins.  Accesses go by twins; what then nobody needs is taken out.  */
#include "rebase.h"
#include "copy.h"
#include "prune.h"

#include <string.h>

enum
{
  POINTER_LEN = 8
};

/* What a pointer comes from.  */
struct origin
{
  uint64_t bases;
  bool is_other; /* something else, too */
};

/* The origins of LOOP's values.  */
struct origins
{
  const struct pg_kir_kernel *loop;
  struct pg_kir_bases *bases;
  struct origin *of;
  size_t len;
};

/* The first and the last but one of INSTR's operands that its own value may be, if it is a pointer.  */
static void
sources (const struct pg_kir_instr *instr, unsigned *first, unsigned *end)
{
  *first = instr->op == PG_KIR_OP_SELECT ? 1 : 0;
  *end = instr->op == PG_KIR_OP_ADDRESS                                ? 1
	 : instr->op == PG_KIR_OP_PHI || instr->op == PG_KIR_OP_SELECT ? instr->n_operands
								       : 0;
}

/* The number of the base at OFFSET, a new one if there is room; PG_KIR_MOST_BASES: there is not.  */
static uint32_t
base_at (struct pg_kir_bases *bases, int64_t offset)
{
  uint32_t b = 0;
  while (b < bases->n && bases->offsets[b] != offset)
    b++;
  if (b == bases->n && b < PG_KIR_MOST_BASES)
    bases->offsets[bases->n++] = (uint32_t) offset;
  return b;
}

/* What pointer VALUE itself comes from, as far as that is known of its operands.  */
static struct origin
origin_of (struct origins *origins, pg_kir_value value)
{
  const struct pg_kir_kernel *loop = origins->loop;
  const struct pg_kir_instr *instr = &loop->instrs[value];
  struct origin origin = { 0, false };
  unsigned first, end;
  sources (instr, &first, &end);
  for (unsigned i = first; i < end; i++)
    {
      const struct origin *from = &origins->of[pg_kir_operands (loop, instr)[i]];
      origin.bases |= from->bases;
      origin.is_other |= from->is_other;
    }
  if (end > 0)
    return origin;
  uint32_t b = instr->op == PG_KIR_OP_ARG ? base_at (origins->bases, instr->number) : PG_KIR_MOST_BASES;
  return b < PG_KIR_MOST_BASES ? (struct origin) { (uint64_t) 1 << b, false } : (struct origin) { 0, true };
}

/* Find what each pointer comes from: nothing at first, and more with each round.  */
static void
find_origins (struct origins *origins)
{
  const struct pg_kir_kernel *loop = origins->loop;
  bool is_changed = true;
  while (is_changed)
    {
      is_changed = false;
      for (uint32_t b = 0; b < loop->n_blocks; b++)
	for (uint32_t i = 0; i < loop->blocks[b].n; i++)
	  {
	    pg_kir_value value = loop->blocks[b].code[i];
	    struct origin *known = &origins->of[value];
	    if (loop->instrs[value].type != PG_KIR_PTR)
	      continue;
	    struct origin origin = origin_of (origins, value);
	    is_changed |= origin.bases != known->bases || origin.is_other != known->is_other;
	    *known = origin;
	  }
    }
}

static bool
begin (struct origins *origins, const struct pg_kir_kernel *loop, struct pg_kir_bases *bases)
{
  *origins = (struct origins) { .loop = loop, .bases = bases, .len = loop->n_instrs * sizeof *origins->of };
  origins->of = loop->resize (NULL, 0, origins->len);
  if (origins->of == NULL)
    return false;
  memset (origins->of, 0, origins->len);
  find_origins (origins);
  return true;
}

static void
end (struct origins *origins)
{
  origins->loop->resize (origins->of, origins->len, 0);
}

/* The grain of what INSTR, a store of TYPE or another access, changes; 0: nothing.  */
static uint8_t
grain_of (const struct pg_kir_instr *instr, enum pg_kir_type type)
{
  if (pg_kir_ops[instr->op].shape == PG_KIR_LOAD)
    return 0;
  return instr->op == PG_KIR_OP_STORE && pg_kir_types[type].kind == PG_KIR_KIND_FLOAT ? (uint8_t) pg_kir_types[type].len
										      : 1;
}

/* Add access INSTR, through a pointer from ORIGIN, to the uses of its reference.  */
static void
add_use (const struct pg_kir_kernel *loop, const struct pg_kir_instr *instr, const struct origin *origin,
	 struct pg_kir_use *use)
{
  enum pg_kir_shape shape = pg_kir_ops[instr->op].shape;
  enum pg_kir_type type = instr->type;
  if (shape == PG_KIR_STORE)
    type = loop->instrs[pg_kir_operands (loop, instr)[1]].type;
  uint8_t len = (uint8_t) pg_kir_types[type].len, grain = grain_of (instr, type);
  use->bases |= origin->bases;
  use->is_read |= shape != PG_KIR_STORE;
  use->is_written |= shape != PG_KIR_LOAD;
  if (use->least_len == 0 || len < use->least_len)
    use->least_len = len;
  if (grain > 0)
    use->grain = use->grain == 0 || use->grain == grain ? grain : 1;
}

/* MASK with the bits that stand where USED has some.  */
static uint64_t
squeeze (uint64_t mask, uint64_t used)
{
  uint64_t squeezed = 0;
  for (int from = 0, to = 0; from < PG_KIR_MOST_BASES; from++)
    if (used >> from & 1)
      squeezed |= (mask >> from & 1) << to++;
  return squeezed;
}

/* Take out of BASES those that no access goes by.  */
static void
drop_unused (struct pg_kir_bases *bases, struct pg_kir_use *uses, uint32_t n_refs)
{
  uint64_t used = 0;
  uint32_t n = 0;
  for (uint32_t r = 0; r < n_refs; r++)
    used |= uses[r].bases;
  for (uint32_t r = 0; r < n_refs; r++)
    uses[r].bases = squeeze (uses[r].bases, used);
  for (uint32_t b = 0; b < bases->n; b++)
    if (used >> b & 1)
      bases->offsets[n++] = bases->offsets[b];
  bases->n = n;
}

bool
pg_kir_find_bases (const struct pg_kir_kernel *loop, struct pg_kir_bases *bases, struct pg_kir_use *uses,
		   struct pg_kir_error *error)
{
  struct origins origins;
  bool is_good = true;
  if (loop->n_threads > 0)
    return pg_kir_fail (error, "not a loop");
  memset (uses, 0, loop->n_refs * sizeof *uses);
  bases->n = 0;
  if (!begin (&origins, loop, bases))
    return pg_kir_fail (error, "no memory");
  for (uint32_t b = 0; b < loop->n_blocks && is_good; b++)
    for (uint32_t i = 0; i < loop->blocks[b].n && is_good; i++)
      {
	const struct pg_kir_instr *instr = &loop->instrs[loop->blocks[b].code[i]];
	if (!pg_kir_accesses_memory (instr->op))
	  continue;
	const struct origin *origin = &origins.of[pg_kir_operands (loop, instr)[0]];
	add_use (loop, instr, origin, &uses[instr->number]);
	is_good = !origin->is_other && origin->bases != 0;
      }
  end (&origins);
  drop_unused (bases, uses, loop->n_refs);
  return is_good || pg_kir_fail (error, "an address does not come from the loop's pointers, or there are too many");
}

uint32_t
pg_kir_bases_offset (const struct pg_kir_kernel *loop)
{
  return (loop->args_len + 7) / 8 * 8;
}

struct rebaser
{
  struct pg_kir_copy copy;
  const struct pg_kir_bases *bases;
  uint32_t offset;     /* of the second pointers */
  pg_kir_value *twins; /* by the loop's values; 0: none */
};

/* Append the twin of VALUE, if it has one.  Its operands are set later.  */
static bool
replace (struct pg_kir_copy *copy, pg_kir_value value)
{
  struct rebaser *rebaser = copy->context;
  const struct pg_kir_instr *instr = &copy->from->instrs[value];
  static const uint32_t unknown[PG_KIR_MOST_OPERANDS];
  int64_t number = 0;
  if (instr->type != PG_KIR_PTR)
    return false;
  if (instr->op == PG_KIR_OP_ARG)
    {
      uint32_t b = 0;
      while (b < rebaser->bases->n && rebaser->bases->offsets[b] != instr->number)
	b++;
      if (b == rebaser->bases->n)
	return false;
      number = rebaser->offset + (int64_t) b * POINTER_LEN;
    }
  else if (instr->op != PG_KIR_OP_ADDRESS && instr->op != PG_KIR_OP_PHI && instr->op != PG_KIR_OP_SELECT)
    return false;
  pg_kir_value twin = pg_kir_add (copy->to, copy->block, instr->op, PG_KIR_PTR, number, unknown, instr->n_operands,
				  unknown, instr->n_targets);
  if (twin != 0)
    copy->to->instrs[twin].line = instr->line;
  rebaser->twins[value] = twin;
  return false;
}

/* What stands for operand I of the twin of INSTR: the twin of what is one of its sources, if that has one.  A pointer
   from nowhere else leads to no access.  */
static pg_kir_value
twin_operand (const struct rebaser *rebaser, const struct pg_kir_instr *instr, unsigned i)
{
  pg_kir_value operand = pg_kir_operands (rebaser->copy.from, instr)[i];
  unsigned first, end_of_them;
  sources (instr, &first, &end_of_them);
  bool is_source = i >= first && i < end_of_them;
  return is_source && rebaser->twins[operand] != 0 ? rebaser->twins[operand] : rebaser->copy.value_of[operand];
}

/* Give twins their operands, and accesses their twins.  */
static void
connect (struct rebaser *rebaser)
{
  struct pg_kir_kernel *to = rebaser->copy.to;
  const struct pg_kir_kernel *loop = rebaser->copy.from;
  for (pg_kir_value value = 1; value < loop->n_instrs && !to->is_broken; value++)
    {
      const struct pg_kir_instr *instr = &loop->instrs[value];
      pg_kir_value twin = rebaser->twins[value], copied = rebaser->copy.value_of[value];
      if (twin != 0)
	for (unsigned i = 0; i < instr->n_operands; i++)
	  pg_kir_set_operand (to, twin, i, twin_operand (rebaser, instr, i));
      if (twin != 0)
	for (unsigned t = 0; t < instr->n_targets; t++)
	  pg_kir_targets (to, &to->instrs[twin])[t] = pg_kir_targets (to, &to->instrs[copied])[t];
      if (copied != 0 && pg_kir_accesses_memory (instr->op) && rebaser->twins[pg_kir_operands (loop, instr)[0]] != 0)
	pg_kir_set_operand (to, copied, 0, rebaser->twins[pg_kir_operands (loop, instr)[0]]);
    }
}

/* Copy the loop with twins.  */
static bool
put_all (struct rebaser *rebaser)
{
  const struct pg_kir_kernel *loop = rebaser->copy.from;
  size_t len = loop->n_instrs * sizeof *rebaser->twins;
  rebaser->twins = loop->resize (NULL, 0, len);
  bool is_good = rebaser->twins != NULL && pg_kir_copy_begin (&rebaser->copy);
  if (is_good)
    {
      memset (rebaser->twins, 0, len);
      pg_kir_copy_all (&rebaser->copy);
      connect (rebaser);
    }
  pg_kir_copy_end (&rebaser->copy);
  if (rebaser->twins != NULL)
    loop->resize (rebaser->twins, len, 0);
  return is_good && !rebaser->copy.to->is_broken && pg_kir_prune (rebaser->copy.to);
}

bool
pg_kir_rebase (struct pg_kir_kernel *to, const struct pg_kir_kernel *loop, const struct pg_kir_bases *bases,
	       struct pg_kir_error *error)
{
  struct rebaser rebaser = {
    .copy = { .to = to, .from = loop, .context = &rebaser, .replace = replace },
    .bases = bases,
    .offset = pg_kir_bases_offset (loop),
  };
  if (rebaser.offset + bases->n * POINTER_LEN > PG_KIR_MOST_ARGS_LEN)
    return pg_kir_fail (error, "too many arguments");
  memcpy (to->name, loop->name, sizeof to->name);
  to->args_len = rebaser.offset + bases->n * POINTER_LEN;
  to->n_dims = loop->n_dims;
  to->n_refs = loop->n_refs;
  for (uint32_t c = 0; c < loop->n_carries; c++)
    pg_kir_add_carry (to, loop->carries[c].type, loop->carries[c].combine, loop->carries[c].offset);
  bool is_good = put_all (&rebaser) || pg_kir_fail (error, "too large, or no memory");
  if (!is_good)
    pg_kir_end (to);
  return is_good;
}
