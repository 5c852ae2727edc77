/* SPDX-License-Identifier: GPL-3.0-or-later
   Summaries of the functions of the C library that set memory and copy it:

       memset (p, 0, n)		p: writes 1 byte, further on by 1 in turns up to n - 1, whole
       memcpy (p, q, n)		q: reads as much, p: writes it

   They return where they wrote, which is one more name of that place: calls whose value is used have none.  */

#include "summary.h"

/* Instructions that a call takes, whose length is not known.  */
static const HOST_WIDE_INT usual_work = 40;

/* Where bytes are whose number is parameter number 2.  */
static const struct pg_effect_form as_many = {
  { 0, {} },
  1,
  { { { 1, { { 1, 0, {} } } }, { 2, { { 1, 1, { 2 } }, { -1, 0, {} } } } } },
};

/* Make SUMMARY that of a function that writes where its first argument points, and reads where its second one does if
   that IS_COPY.  */
static void
fill_in (struct pg_summary *summary, bool is_copy)
{
  struct pg_effect effect = { 1, NULL_TREE, 0, 1, &as_many, false, true };
  if (is_copy)
    summary->effects.safe_push (effect);
  effect.param = 0;
  effect.is_write = true;
  summary->effects.safe_push (effect);
  summary->why = PG_N_REASONS;
  summary->work = usual_work;
  summary->bits.safe_push (0);
  summary->bits.safe_push (is_copy ? 0 : -TYPE_PRECISION (integer_type_node));
  summary->bits.safe_push (TYPE_PRECISION (size_type_node));
  for (int i = 0; i < 3; i++)
    summary->keeps.safe_push (false);
}

const struct pg_summary *
pg_memory_summary (const gcall *call)
{
  static struct pg_summary setting, copying;
  if (setting.effects.is_empty ())
    {
      fill_in (&setting, false);
      fill_in (&copying, true);
    }
  if (gimple_call_lhs (call) || TYPE_PRECISION (size_type_node) != 64)
    return NULL;
  if (gimple_call_builtin_p (call, BUILT_IN_MEMSET))
    return &setting;
  return gimple_call_builtin_p (call, BUILT_IN_MEMCPY) || gimple_call_builtin_p (call, BUILT_IN_MEMMOVE) ? &copying
													 : NULL;
}
