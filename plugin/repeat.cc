/* SPDX-License-Identifier: GPL-3.0-or-later
   Passes that an outlined loop need not go through once more.  See repeat.h.  */

#include "repeat.h"
#include "loops.h"

/* The last of the passes before those over loops.  */
static const char last_pass[] = "fix_loops";

/* What takes time and finds nothing that it did not find in the function that the loop comes from.  Others make use of
   what F starts with, clean up behind outlining, or may find more where references are said to be apart.  */
static const char *const repeated_passes[]
  = { "copyprop", "cunrolli", "forwprop", "fre", "pre", "reassoc", "waccess", "walloca" };

/* What takes time, before those passes and behind them, and finds next to nothing there: much of it reasons about
   aggregates and strings, or about what calls of F do, of which there are none.  */
static const char *const vain_passes[] = { "backprop", "ccp", "cse_local", "dse1",    "dse2",     "isolate-paths",
					   "modref",   "sra", "strlen",    "uncprop", "wrestrict" };

/* What reasons about branches, and finds next to nothing where there are none but loops', whose bounds may be any
   numbers.  Before loops, it has found what there is in the function that the loop comes from.  */
static const char *const branch_passes[] = { "dom", "thread", "threadfull", "vrp" };

/* The function that is past the last pass, only compared with, and whether it has other branches than loops'.  */
static const_tree past_decl;
static bool past_branches;

template <size_t n>
static bool
listed_p (const char *const (&list)[n], const char *name)
{
  for (const char *listed : list)
    if (!strcmp (name, listed))
      return true;
  return false;
}

/* True if BB, a branch, may end its loop, or chooses whether another one begins.  */
static bool
loop_branch_p (basic_block bb)
{
  edge e;
  edge_iterator it;
  FOR_EACH_EDGE (e, it, bb->succs)
    {
      basic_block next = single_succ_p (e->dest) ? single_succ (e->dest) : e->dest;
      bool begins = bb_loop_header_p (next) && !flow_bb_inside_loop_p (next->loop_father, bb);
      if (begins || loop_exit_edge_p (bb->loop_father, e))
	return true;
    }
  return false;
}

/* True if the current function has other branches than those of its loops.  */
static bool
branches_p ()
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    if (EDGE_COUNT (bb->succs) > 1 && !loop_branch_p (bb))
      return true;
  return false;
}

void
pg_repeat_gate (void *gate, void *)
{
  bool *is_on = (bool *) gate;
  const_tree decl = current_function_decl;
  if (!*is_on || !decl || !lookup_attribute (PG_OUTLINED_ATTRIBUTE, DECL_ATTRIBUTES (decl)))
    return;
  const char *name = current_pass->name;
  bool is_past = decl == past_decl;
  if (!strcmp (name, last_pass))
    {
      past_decl = decl;
      past_branches = branches_p ();
    }
  else if (listed_p (vain_passes, name) || (!is_past && listed_p (repeated_passes, name))
	   || (!(is_past && past_branches) && listed_p (branch_passes, name)))
    *is_on = false;
}
