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
static const char *const vain_passes[] = { "backprop",      "ccp",    "cprop", "cse_local", "dse1",    "dse2",
					   "isolate-paths", "modref", "sra",   "strlen",    "uncprop", "wrestrict" };

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

/* True if a sum of values of TYPE may be computed in another order.  */
static bool
reordered_p (const_tree type)
{
  return FLOAT_TYPE_P (type) ? flag_associative_math : INTEGRAL_TYPE_P (type);
}

/* True if BB may do at once what it does several times: store, load what is summed, or put a vector together.  */
static bool
groups_in_p (basic_block bb)
{
  unsigned stores = 0, loads = 0;
  bool builds = false;
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      stores += gimple_store_p (stmt);
      loads += gimple_assign_load_p (stmt) && reordered_p (TREE_TYPE (gimple_assign_lhs (stmt)));
      builds |= is_gimple_assign (stmt) && gimple_assign_rhs_code (stmt) == CONSTRUCTOR;
    }
  return stores > 1 || loads > 1 || builds;
}

/* True if there is anything for "slp", which vectorises blocks, in a loop of the current function.  */
static bool
groups_p ()
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    if (loop_depth (bb->loop_father) > 0 && groups_in_p (bb))
      return true;
  return false;
}

/* True if the current function has variables in memory.  If not, what points-to analysis finds is that pointers may
   point anywhere else.  */
static bool
memory_p ()
{
  unsigned i;
  tree decl;
  FOR_EACH_LOCAL_DECL (cfun, i, decl)
    if (!is_gimple_reg (decl))
      return true;
  return false;
}

/* True if pass NAME would find next to nothing in the current function, which IS_PAST the passes before those over
   loops or not.  */
static bool
finds_nothing_p (const char *name, bool is_past)
{
  if (listed_p (branch_passes, name))
    return !is_past || !past_branches;
  if (!strcmp (name, "slp"))
    return !groups_p ();
  if (!strcmp (name, "alias"))
    return !memory_p ();
  if (!strcmp (name, "ivcanon")) /* a range may have any number of iterations */
    return number_of_loops (cfun) <= 2;
  return listed_p (vain_passes, name) || (!is_past && listed_p (repeated_passes, name));
}

void
pg_repeat_gate (void *gate, void *)
{
  bool *is_on = (bool *) gate;
  const_tree decl = current_function_decl;
  if (!*is_on || !decl || !lookup_attribute (PG_OUTLINED_ATTRIBUTE, DECL_ATTRIBUTES (decl)))
    return;
  if (!strcmp (current_pass->name, last_pass))
    {
      past_decl = decl;
      past_branches = branches_p ();
    }
  else if (finds_nothing_p (current_pass->name, decl == past_decl))
    *is_on = false;
}
