/* SPDX-License-Identifier: MIT
   KIR fuzzer: makes a kernel small for which a check does not hold.

   Tries all small changes, one after the other (but many are compiled together), and keeps those after which the
   kernel is right and the check still fails, until none is left: a block goes one way only; a store or "next" is gone;
   a value is a constant; a value is replaced by one that it is computed of; a block is joined to the one before; a way
   leads elsewhere; a dimension has one iteration.  Blocks that are not reached any more and values that nothing uses go
   at once.  */
#include "fuzz-kir.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
  MOST_SECONDS = 60,
  MOST_TRIALS = 64 /* that are compiled together */
};

struct reducer
{
  struct fk_case *made; /* the smallest so far */
  struct fk_case *at_hand;
  int check;
  bool is_hang;
  const char *folder;
  struct fk_report *report;
  int most; /* trials at once */
};

char *
fk_text (const struct pg_kir_kernel *kernel)
{
  size_t len = pg_kir_write (kernel, NULL, 0) + 1;
  char *text = malloc (len);
  pg_kir_write (kernel, text, len);
  return text;
}

/* Make TO what FROM is.  */
static void
copy (struct pg_kir_kernel *to, const struct pg_kir_kernel *from)
{
  pg_kir_begin (to, NULL);
  memcpy (to->name, from->name, sizeof to->name);
  to->args_len = from->args_len;
  to->n_dims = from->n_dims;
  to->n_refs = from->n_refs;
  for (uint32_t c = 0; c < from->n_carries; c++)
    pg_kir_add_carry (to, from->carries[c].type, from->carries[c].combine, from->carries[c].offset);
  /* instructions by number, so that operands stay right, and then where they are */
  for (uint32_t b = 0; b < from->n_blocks; b++)
    pg_kir_add_block (to);
  for (uint32_t v = 1; v < from->n_instrs; v++)
    {
      const struct pg_kir_instr *instr = &from->instrs[v];
      pg_kir_value added = pg_kir_add (to, 0, instr->op, instr->type, instr->number, pg_kir_operands (from, instr),
				       instr->n_operands, pg_kir_targets (from, instr), instr->n_targets);
      to->instrs[added].line = instr->line;
    }
  if (from->n_blocks > 0)
    to->blocks[0].n = 0;
  for (uint32_t b = 0; b < from->n_blocks; b++)
    {
      struct pg_kir_block *block = &to->blocks[b];
      block->code = realloc (block->code, (from->blocks[b].n + 1) * sizeof *block->code);
      block->room = from->blocks[b].n + 1;
      block->n = from->blocks[b].n;
      memcpy (block->code, from->blocks[b].code, block->n * sizeof *block->code);
    }
}

static struct pg_kir_instr *
end_of (struct pg_kir_kernel *kernel, pg_kir_block_number block)
{
  return &kernel->instrs[kernel->blocks[block].code[kernel->blocks[block].n - 1]];
}

static bool
leads_to (struct pg_kir_kernel *kernel, pg_kir_block_number from, pg_kir_block_number to)
{
  const struct pg_kir_instr *end = end_of (kernel, from);
  for (unsigned t = 0; t < end->n_targets; t++)
    if (pg_kir_targets (kernel, end)[t] == to)
      return true;
  return false;
}

/* ---- tidying up */

/* Mark what is reached from BLOCK.  */
static void
reach (struct pg_kir_kernel *kernel, pg_kir_block_number block, bool *is_reached)
{
  if (is_reached[block])
    return;
  is_reached[block] = true;
  for (unsigned t = 0; t < end_of (kernel, block)->n_targets; t++)
    reach (kernel, pg_kir_targets (kernel, end_of (kernel, block))[t], is_reached);
}

/* Drop the values that PHI, in BLOCK, gets from blocks that are not before it.  */
static void
trim_phi (struct pg_kir_kernel *kernel, struct pg_kir_instr *phi, pg_kir_block_number block, const bool *is_reached)
{
  unsigned n = phi->n_operands, n_left = 0;
  uint32_t *pool = kernel->pool + phi->first;
  uint32_t operands[PG_KIR_MOST_OPERANDS], targets[PG_KIR_MOST_OPERANDS];
  for (unsigned i = 0; i < n; i++)
    if (is_reached[pool[n + i]] && leads_to (kernel, pool[n + i], block))
      {
	operands[n_left] = pool[i];
	targets[n_left++] = pool[n + i];
      }
  phi->n_operands = phi->n_targets = (uint16_t) n_left;
  memcpy (pool, operands, n_left * sizeof *pool);
  memcpy (pool + n_left, targets, n_left * sizeof *pool);
}

/* Drop blocks that are not reached.  */
static void
drop_blocks (struct pg_kir_kernel *kernel)
{
  bool *is_reached = calloc (kernel->n_blocks, sizeof *is_reached);
  uint32_t *number = calloc (kernel->n_blocks, sizeof *number), n = 0;
  reach (kernel, 0, is_reached);
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; is_reached[b] && i < kernel->blocks[b].n; i++)
      if (kernel->instrs[kernel->blocks[b].code[i]].op == PG_KIR_OP_PHI)
	trim_phi (kernel, &kernel->instrs[kernel->blocks[b].code[i]], b, is_reached);
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    if (is_reached[b])
      {
	number[b] = n;
	kernel->blocks[n++] = kernel->blocks[b];
      }
    else
      free (kernel->blocks[b].code);
  kernel->n_blocks = n;
  for (uint32_t b = 0; b < n; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      {
	struct pg_kir_instr *instr = &kernel->instrs[kernel->blocks[b].code[i]];
	for (unsigned t = 0; t < instr->n_targets; t++)
	  pg_kir_targets (kernel, instr)[t] = number[pg_kir_targets (kernel, instr)[t]];
      }
  free (is_reached);
  free (number);
}

/* Drop instructions with a value that nothing uses; false: there are none.  */
static bool
drop_unused (struct pg_kir_kernel *kernel)
{
  bool *is_used = calloc (kernel->n_instrs, sizeof *is_used), changes = false;
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      {
	const struct pg_kir_instr *instr = &kernel->instrs[kernel->blocks[b].code[i]];
	for (unsigned o = 0; o < instr->n_operands; o++)
	  is_used[pg_kir_operands (kernel, instr)[o]]
	    |= pg_kir_operands (kernel, instr)[o] != kernel->blocks[b].code[i];
      }
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    {
      struct pg_kir_block *block = &kernel->blocks[b];
      uint32_t n = 0;
      for (uint32_t i = 0; i < block->n; i++)
	if (is_used[block->code[i]] || kernel->instrs[block->code[i]].type == PG_KIR_VOID)
	  block->code[n++] = block->code[i];
      changes |= n != block->n;
      block->n = n;
    }
  free (is_used);
  return changes;
}

/* ---- changes: each tries number AT of its kind; false: there is none */

/* The end of block AT / 16 goes its way AT % 16 only.  */
static bool
go_one_way (struct pg_kir_kernel *kernel, uint32_t at)
{
  if (at / 16 >= kernel->n_blocks)
    return false;
  struct pg_kir_instr *end = end_of (kernel, at / 16);
  if (end->n_targets > 1 && at % 16 < end->n_targets)
    {
      uint32_t target = pg_kir_targets (kernel, end)[at % 16];
      end->op = PG_KIR_OP_JUMP;
      end->n_operands = 0;
      end->n_targets = 1;
      kernel->pool[end->first] = target;
    }
  return true;
}

/* Drop instruction AT if it has no value and is no end.  */
static bool
drop_effect (struct pg_kir_kernel *kernel, uint32_t at)
{
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i + 1 < kernel->blocks[b].n; i++)
      if (kernel->blocks[b].code[i] == at && kernel->instrs[at].type == PG_KIR_VOID)
	{
	  struct pg_kir_block *block = &kernel->blocks[b];
	  memmove (block->code + i, block->code + i + 1, (block->n - i - 1) * sizeof *block->code);
	  block->n--;
	}
  return at < kernel->n_instrs;
}

/* Make a value the constant AT % 2, the last value first: what it was computed of may go then.  */
static bool
make_constant (struct pg_kir_kernel *kernel, uint32_t at)
{
  if (at / 2 >= kernel->n_instrs - 1)
    return false;
  struct pg_kir_instr *instr = &kernel->instrs[kernel->n_instrs - 1 - at / 2];
  if (instr->type != PG_KIR_VOID && instr->op != PG_KIR_OP_PHI && instr->op != PG_KIR_OP_CONST)
    {
      instr->op = PG_KIR_OP_CONST;
      instr->n_operands = 0;
      instr->number = at % 2;
    }
  return true;
}

/* Use operand AT % 4 of a value instead of it, the last value first.  */
static bool
use_operand (struct pg_kir_kernel *kernel, uint32_t at)
{
  if (at / 4 >= kernel->n_instrs - 1)
    return false;
  pg_kir_value value = kernel->n_instrs - 1 - at / 4;
  const struct pg_kir_instr *instr = &kernel->instrs[value];
  if (at % 4 >= instr->n_operands)
    return true;
  pg_kir_value operand = pg_kir_operands (kernel, instr)[at % 4];
  if (instr->type != kernel->instrs[operand].type)
    return true;
  for (uint32_t v = 1; v < kernel->n_instrs; v++)
    for (unsigned o = 0; o < kernel->instrs[v].n_operands; o++)
      if (pg_kir_operands (kernel, &kernel->instrs[v])[o] == value)
	pg_kir_operands (kernel, &kernel->instrs[v])[o] = operand;
  return true;
}

/* Join block AT to the only one before it.  */
static bool
join_blocks (struct pg_kir_kernel *kernel, uint32_t at)
{
  uint32_t n_before = 0, before = 0;
  if (at >= kernel->n_blocks)
    return false;
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    if (leads_to (kernel, b, at))
      n_before++, before = b;
  if (n_before != 1 || before == at || end_of (kernel, before)->op != PG_KIR_OP_JUMP
      || kernel->instrs[kernel->blocks[at].code[0]].op == PG_KIR_OP_PHI)
    return true;
  struct pg_kir_block *to = &kernel->blocks[before], *from = &kernel->blocks[at];
  uint32_t n = to->n - 1 + from->n;
  to->code = realloc (to->code, n * sizeof *to->code);
  memcpy (to->code + to->n - 1, from->code, from->n * sizeof *to->code);
  to->n = to->room = n;
  for (uint32_t v = 1; v < kernel->n_instrs; v++)
    for (unsigned t = 0; kernel->instrs[v].op == PG_KIR_OP_PHI && t < kernel->instrs[v].n_targets; t++)
      if (pg_kir_targets (kernel, &kernel->instrs[v])[t] == at)
	pg_kir_targets (kernel, &kernel->instrs[v])[t] = before;
  from->code[0] = from->code[from->n - 1]; /* it is not reached any more */
  from->n = 1;
  return true;
}

/* Let a way of a block lead to another block that has no phis.  */
static bool
go_elsewhere (struct pg_kir_kernel *kernel, uint32_t at)
{
  uint32_t to = at % kernel->n_blocks, way = at / kernel->n_blocks, block = way / 2;
  if (block >= kernel->n_blocks)
    return false;
  struct pg_kir_instr *end = end_of (kernel, block);
  if (to > 0 && way % 2 < end->n_targets && kernel->instrs[kernel->blocks[to].code[0]].op != PG_KIR_OP_PHI)
    pg_kir_targets (kernel, end)[way % 2] = to;
  return true;
}

/* Drop the last of the carried values, if nothing names it.  */
static bool
drop_carry (struct pg_kir_kernel *kernel, uint32_t at)
{
  if (at >= kernel->n_carries)
    return false;
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      {
	const struct pg_kir_instr *instr = &kernel->instrs[kernel->blocks[b].code[i]];
	if (pg_kir_ops[instr->op].number == PG_KIR_NUMBER_CARRY && instr->number == kernel->n_carries - 1)
	  return true;
      }
  kernel->n_carries--;
  return true;
}

static bool (*const changes[]) (struct pg_kir_kernel *kernel, uint32_t at)
  = { go_one_way, drop_effect, make_constant, use_operand, join_blocks, go_elsewhere, drop_carry };

#define N_CHANGES (sizeof changes / sizeof *changes)

/* The case has one iteration in dimension AT.  */
static bool
try_one_iteration (struct fk_case *trial, uint32_t at)
{
  if (at >= PG_KIR_MOST_DIMS)
    return false;
  trial->n_iters[at] = 1;
  return true;
}

/* ---- trying */

/* Make of the smallest case so far TRIAL, with change AT of kind KIND.  False: there is no such change.  */
static bool
make_trial (const struct reducer *reducer, struct fk_case *trial, size_t kind, uint32_t at)
{
  bool is_there;
  *trial = *reducer->made;
  copy (&trial->kernel, &reducer->made->kernel);
  if (kind == N_CHANGES)
    return try_one_iteration (trial, at);
  is_there = changes[kind](&trial->kernel, at);
  drop_blocks (&trial->kernel);
  while (drop_unused (&trial->kernel))
    ;
  return is_there;
}

/* Is TRIAL another case than the smallest so far?  */
static bool
differs (const struct reducer *reducer, const struct fk_case *trial)
{
  char *before = fk_text (&reducer->made->kernel), *after = fk_text (&trial->kernel);
  bool is_same
    = strcmp (before, after) == 0 && memcmp (reducer->made->n_iters, trial->n_iters, sizeof trial->n_iters) == 0;
  free (before);
  free (after);
  return !is_same;
}

/* May the trial at hand be compared?  In a process of its own.  */
static void
interpret (void *context)
{
  struct reducer *reducer = context;
  struct pg_kir_error error;
  static struct fk_result result;
  struct fk_case *trial = reducer->at_hand;
  if (!pg_kir_verify (&trial->kernel, &error))
    return;
  fk_interpret (trial, &trial->kernel, &result);
  reducer->report->is_comparable = result.outcome == PG_KIR_DONE && fk_is_defined (&trial->kernel);
}

static bool
is_comparable (struct reducer *reducer, struct fk_case *trial)
{
  char why[FK_WHY_LEN];
  reducer->at_hand = trial;
  *reducer->report = (struct fk_report) { .is_comparable = false };
  return fk_guard (interpret, reducer, why) && reducer->report->is_comparable;
}

/* Does the check fail for TRIAL, which is compiled as LOOP, and nothing before it?  */
static bool
fails (struct reducer *reducer, struct fk_case *trial, fk_loop *loop)
{
  struct fk_report *report = reducer->report;
  bool holds = loop == NULL ? fk_check_alone (trial, report) : fk_check_one (trial, reducer->check, loop, report);
  return !holds && report->check == reducer->check && (strstr (report->why, FK_HANG) != NULL) == reducer->is_hang;
}

/* The first of the N trials for which the check fails, which runs them on emu; N: none.  */
static int
first_that_fails_on_emu (struct reducer *reducer, struct fk_case *const *trials, int n)
{
  char whys[MOST_TRIALS][FK_WHY_LEN], why[FK_WHY_LEN];
  unsigned n_run = 0;
  int i = 0;
  if (!fk_run_on_emu (trials, n, whys, &n_run, why))
    {
      reducer->most = 1;
      return n == 1 ? 0 : n;
    }
  while (i < n && whys[i][0] == '\0')
    i++;
  return i;
}

/* The first of the N trials for which the check fails; N: none.  */
static int
first_that_fails (struct reducer *reducer, struct fk_case *const *trials, int n)
{
  const struct fk_check *check = &fk_checks[reducer->check];
  struct fk_library library = { .handle = NULL };
  char why[FK_WHY_LEN];
  int i = 0;
  if (n == 0)
    return 0;
  if (check->compiler != NULL && strcmp (check->compiler, FK_ON_EMU) == 0)
    return first_that_fails_on_emu (reducer, trials, n);
  if (check->compiler != NULL && !fk_compile (&library, check, trials, n, reducer->folder, why))
    {
      reducer->most = 1; /* what is wrong is found one by one */
      return n == 1 ? 0 : n;
    }
  while (i < n && !fails (reducer, trials[i], library.loops[i]))
    i++;
  if (check->compiler != NULL)
    fk_unload (&library);
  return i;
}

/* Try up to N_TRIALS changes from *KIND and *AT on, all of them on the smallest case so far; keep the first after which
   the check fails.  True: there is one, and *KIND and *AT say which; else they are those of the next to be tried.  */
static bool
try_some (struct reducer *reducer, size_t *kind, uint32_t *at, int n_trials)
{
  static struct fk_case trials[MOST_TRIALS];
  struct fk_case *all[MOST_TRIALS];
  size_t kinds[MOST_TRIALS];
  uint32_t ats[MOST_TRIALS];
  const size_t first_kind = *kind;
  const uint32_t first_at = *at;
  int n = 0;
  while (n < n_trials && *kind <= N_CHANGES)
    {
      struct fk_case *trial = all[n] = &trials[n];
      bool is_there = make_trial (reducer, trial, *kind, *at);
      kinds[n] = *kind;
      ats[n] = *at;
      if (is_there && differs (reducer, trial) && is_comparable (reducer, trial))
	n++;
      else
	pg_kir_end (&trial->kernel);
      *kind += !is_there;
      *at = is_there ? *at + 1 : 0;
    }
  int kept = first_that_fails (reducer, all, n);
  for (int i = 0; i < n; i++)
    if (i != kept)
      pg_kir_end (&trials[i].kernel);
  if (kept == n && n > reducer->most)
    {
      *kind = first_kind;
      *at = first_at;
    }
  if (kept == n)
    return false;
  pg_kir_end (&reducer->made->kernel);
  *reducer->made = trials[kept];
  *kind = kinds[kept];
  *at = ats[kept];
  return true;
}

void
fk_reduce (struct fk_case *made, int check, bool is_hang, const char *folder, struct fk_report *report)
{
  struct reducer reducer
    = { .made = made, .check = check, .is_hang = is_hang, .folder = folder, .report = report, .most = MOST_TRIALS };
  time_t end = time (NULL) + MOST_SECONDS;
  bool goes_on = true;
  while (goes_on)
    {
      size_t kind = 0;
      uint32_t at = 0;
      int n_trials = 1;
      goes_on = false;
      while (kind <= N_CHANGES && time (NULL) < end)
	{
	  bool is_kept = try_some (&reducer, &kind, &at, n_trials);
	  n_trials = is_kept ? 1 : 2 * n_trials;
	  if (n_trials > reducer.most)
	    n_trials = reducer.most;
	  goes_on |= is_kept;
	}
      goes_on &= time (NULL) < end;
    }
}
