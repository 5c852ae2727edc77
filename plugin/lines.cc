/* SPDX-License-Identifier: GPL-3.0-or-later
   Short loops beside guards, kept in one cache line.

   Processors fetch instructions by lines, and keep them decoded by lines: a loop of 30 bytes that lies in two is slower
   than in one.  A guard moves the loop behind it, which may so become slower than without us where it does not run in
   parallel.  GCC aligns loops to less than a line (16 bytes for x86-64); aligned to lines, nearly all of them would be
   filled up before, which costs instructions each time.  Here the assembler fills up only where the loop would lie in
   two lines:

		.p2align 4,,10		as GCC aligns the loop
		.p2align 3
		.p2align 6,,29		ours, for 30 bytes: if fewer are left in the line
	.L3:	...

   That is for innermost loops that are in the same loop as a guard, or in none if a guard is.  They are entered about
   as often as a guard is passed, and pay three instructions at most.  An inner loop of what a guard is for is entered
   more often, by few iterations at a time maybe: it stays where it is.  So does a loop that is longer than a line.

   Requires: what the pass "alignments" found.  Changes: nothing but what is written before labels.

   Measured on a Zen 3 (PolyBench, -O3 -march=native): durbin, where the guards leave all to the original loops, 0.93 of
   its speed without the plugin, 0.99 with this.  */

#include "lines.h"
#include "bases.h"

namespace
{

#ifdef ASM_OUTPUT_MAX_SKIP_ALIGN
const bool can_fill_up = HAVE_ATTR_length;
#else
const bool can_fill_up = false;
#define ASM_OUTPUT_MAX_SKIP_ALIGN(file, log, filling) gcc_unreachable ()
#endif

/* Three instructions, as x86-64's assembler fills up.  A loop that needs more stays in two lines.  */
const int longest_filling = 32; /* bytes */

/* By the numbers of labels that are to be written: how much may be filled up before them.  */
hash_map<int_hash<int, -1, -2>, int> fillings;

/* What wrote labels before us.  */
void (*write_label) (FILE *, const char *, unsigned long);

int
line_log ()
{
  return floor_log2 (param_l1_cache_line_size);
}

void
write_label_filled_up (FILE *file, const char *prefix, unsigned long number)
{
  int *filling = strcmp (prefix, "L") == 0 ? fillings.get (number) : NULL;
  if (filling)
    ASM_OUTPUT_MAX_SKIP_ALIGN (file, line_log (), *filling);
  write_label (file, prefix, number);
}

/* True if INSN refers to a region, as guards do.  */
bool
of_guard_p (rtx_insn *insn)
{
  subrtx_iterator::array_type array;
  FOR_EACH_SUBRTX (it, array, PATTERN (insn), ALL)
    if (SYMBOL_REF_P (*it) && startswith (XSTR (*it, 0), "paragon.region."))
      return true;
  return false;
}

/* Set the bits of GUARDED for the innermost loops that guards are in; 0 is that of what is in no loop.  */
void
find_guarded (function *fun, bitmap guarded)
{
  basic_block bb;
  rtx_insn *insn;
  FOR_EACH_BB_FN (bb, fun)
    FOR_BB_INSNS (bb, insn)
      if (NONDEBUG_INSN_P (insn) && of_guard_p (insn))
	bitmap_set_bit (guarded, bb->loop_father->num);
}

/* Return the block of LOOP that comes first, or null if others stand between its blocks.  */
basic_block
first_block (const class loop *loop)
{
  basic_block first = loop->header;
  while (flow_bb_inside_loop_p (loop, first->prev_bb))
    first = first->prev_bb;
  basic_block bb = first;
  for (unsigned i = 0; i < loop->num_nodes; i++, bb = bb->next_bb)
    if (!flow_bb_inside_loop_p (loop, bb) || BB_PARTITION (bb) != BB_PARTITION (first))
      return NULL;
  return first;
}

/* Return about how many bytes the code of LOOP has, whose blocks follow each other from FIRST on, or more than LIMIT
   if it has more, or calls.  Branches are short ones here.  */
int
code_len (const class loop *loop, basic_block first, int limit)
{
  int len = 0;
  basic_block bb = first;
  for (unsigned i = 0; i < loop->num_nodes; i++, bb = bb->next_bb)
    {
      rtx_insn *insn;
      if (bb != first && LABEL_P (BB_HEAD (bb)))
	len += label_to_alignment (BB_HEAD (bb)).levels[0].maxskip;
      FOR_BB_INSNS (bb, insn)
	{
	  if (CALL_P (insn) || len > limit)
	    return limit + 1;
	  if (NONDEBUG_INSN_P (insn))
	    len += JUMP_P (insn) ? get_attr_min_length (insn) : get_attr_length (insn);
	}
    }
  return len;
}

void
keep_in_line (const class loop *loop)
{
  basic_block first = first_block (loop);
  if (!first || !LABEL_P (BB_HEAD (first)) || !label_to_alignment (BB_HEAD (first)).levels[0].log)
    return;
  int line = 1 << line_log (), len = code_len (loop, first, line);
  if (len < 2 || len > line)
    return;
  int label = CODE_LABEL_NUMBER (BB_HEAD (first));
  fillings.put (label, MIN (len - 1, longest_filling));
  if (dump_file)
    fprintf (dump_file, "loop at label %d: %d bytes, kept in a line\n", label, len);
}

const pass_data pass_data_lines = {
  RTL_PASS, "pglines", OPTGROUP_NONE, TV_PLUGIN_RUN, 0, 0, 0, 0, 0,
};

class pass_lines : public rtl_opt_pass
{
public:
  pass_lines (gcc::context *context) : rtl_opt_pass (pass_data_lines, context)
  {
  }

  /* What the user said of loops holds.  */
  bool gate (function *fun) final override
  {
    int log = align_loops.levels[0].log;
    return can_fill_up && pg_guarded_p (fun->decl) && optimize_function_for_speed_p (fun)
	   && !global_options_set.x_str_align_loops && log && log < line_log () && line_log () <= MAX_CODE_ALIGN;
  }

  unsigned execute (function *fun) final override
  {
    auto_bitmap guarded;
    loop_optimizer_init (AVOID_CFG_MODIFICATIONS);
    find_guarded (fun, guarded);
    for (class loop *loop : loops_list (fun, LI_ONLY_INNERMOST))
      if (bitmap_bit_p (guarded, loop_outer (loop)->num) && optimize_loop_for_speed_p (loop))
	keep_in_line (loop);
    loop_optimizer_finalize ();
    free_dominance_info (CDI_DOMINATORS);
    if (!write_label && !fillings.is_empty ())
      {
	write_label = targetm.asm_out.internal_label;
	targetm.asm_out.internal_label = write_label_filled_up;
      }
    return 0;
  }
};

}

rtl_opt_pass *
pg_make_pass_lines (gcc::context *context)
{
  return new pass_lines (context);
}
