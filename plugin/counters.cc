/* SPDX-License-Identifier: GPL-3.0-or-later
   Counters: carried scalars to which constants are added, none below zero, and places that are addressed by them.

       n1 = PHI <n0, n2>;
       if (b[i] > 0)			n1 in the iteration: 0 or more was added since it began, 1 or more will be
	 out[n1] = b[i];		before it ends, where out[n1] is reached
       n2 = PHI <n1, n1 + 1>;

   Where the entry begins with START and ends with END, out[n1] lies in [START + 0, END - 1].  So it is linear, of a
   dimension of its own whose last number is END - START - 1; END is known when the tally has run.  And an iteration
   that begins with n and ends with n' has [n, n') for itself: if the places of two references lie in there, shifted
   alike, no two iterations meet in them.

   For that, a counter must be one variable: at any point, it is one of its PHIs, and each PHI makes of it, on each of
   its edges, that PHI plus a constant.  Then what is added between two points is a sum over the edges on the way, and
   bounds of it are shortest ways.  An inner loop may go round more often; nothing is below zero.  */

#include "judge.h"

/* More than this is not looked at: sums stay far from overflow.  */
static const HOST_WIDE_INT most_added = HOST_WIDE_INT_1 << 40;

/* A way that there is not.  */
static const HOST_WIDE_INT no_way = HOST_WIDE_INT_MAX / 8;

/* A counter, by the blocks of the loop; members are indexed like BODY.  */
struct counter
{
  const struct pg_plan *plan;
  int reduction;
  auto_vec<basic_block> body; /* the header first, dominators first */
  auto_vec<tree> root;        /* the PHI's result that it is in a block */
  auto_vec<int> number;       /* of a block in BODY, by the block's index; -1: it is not there */
};

int
pg_carried_of (const struct pg_plan *plan, const_tree name)
{
  for (const struct pg_plan_carried &carried : plan->carried)
    if (carried.name == name)
      return carried.reduction;
  return -1;
}

static int
index_of (const struct counter *c, basic_block bb)
{
  return c->number[bb->index];
}

/* The PHI's result that NAME, one of C's, goes back to, and in *ADDED what was added.  NULL_TREE: something else was
   done.  */
static tree
root_of (const struct counter *c, tree name, HOST_WIDE_INT *added)
{
  *added = 0;
  while (TREE_CODE (name) == SSA_NAME && pg_carried_of (c->plan, name) == c->reduction)
    {
      gassign *stmt = dyn_cast<gassign *> (SSA_NAME_DEF_STMT (name));
      if (!stmt)
	return name;
      enum tree_code code = gimple_assign_rhs_code (stmt);
      tree second = gimple_assign_rhs2 (stmt);
      if (code == PLUS_EXPR || code == POINTER_PLUS_EXPR)
	{
	  if (TREE_CODE (second) != INTEGER_CST)
	    return NULL_TREE;
	  widest_int value = wi::sext (wi::to_widest (second), TYPE_PRECISION (TREE_TYPE (second)));
	  if (wi::neg_p (value) || !wi::ltu_p (value + *added, most_added))
	    return NULL_TREE;
	  *added += value.to_shwi ();
	}
      else if (!CONVERT_EXPR_CODE_P (code) && code != SSA_NAME)
	return NULL_TREE;
      name = gimple_assign_rhs1 (stmt);
    }
  return NULL_TREE;
}

/* C's PHI in BB, or NULL; *IS_ONE turns false if there are more.  */
static gphi *
phi_in (const struct counter *c, basic_block bb, bool *is_one)
{
  gphi *found = NULL;
  for (gphi_iterator psi = gsi_start_phis (bb); !gsi_end_p (psi); gsi_next (&psi))
    if (pg_carried_of (c->plan, gimple_phi_result (psi.phi ())) == c->reduction)
      {
	*is_one &= !found;
	found = psi.phi ();
      }
  return found;
}

/* What is added to C on E, an edge of the loop; -1: that cannot be said.  */
static HOST_WIDE_INT
added_on (const struct counter *c, edge e)
{
  int from = index_of (c, e->src), to = index_of (c, e->dest);
  HOST_WIDE_INT added;
  gphi *phi = dyn_cast<gphi *> (SSA_NAME_DEF_STMT (c->root[to]));
  if (!phi || gimple_bb (phi) != e->dest)
    return c->root[from] == c->root[to] ? 0 : -1;
  return root_of (c, PHI_ARG_DEF_FROM_EDGE (phi, e), &added) == c->root[from] ? added : -1;
}

/* Fill in C, but for its plan and reduction.  False if it is no counter.  */
static bool
fill_in (struct counter *c)
{
  class loop *loop = c->plan->loop;
  basic_block *body = get_loop_body_in_dom_order (loop);
  bool ok = true;
  for (int i = 0; i < last_basic_block_for_fn (cfun); i++)
    c->number.safe_push (-1);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    {
      gphi *phi = phi_in (c, body[i], &ok);
      c->number[body[i]->index] = i;
      c->body.safe_push (body[i]);
      c->root.safe_push (phi ? gimple_phi_result (phi)
			     : c->root[index_of (c, get_immediate_dominator (CDI_DOMINATORS, body[i]))]);
    }
  free (body);
  for (unsigned i = 0; ok && i < c->body.length (); i++)
    {
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, c->body[i]->succs)
	ok = ok && (index_of (c, e->dest) < 0 || added_on (c, e) >= 0);
    }
  return ok;
}

/* Set LEAST to the least that is added to C on a way from the start of block FROM to that of each other block, within
   one iteration.  */
static void
shortest (const struct counter *c, int from, vec<HOST_WIDE_INT> *least)
{
  bool has_changed = true;
  for (unsigned i = 0; i < c->body.length (); i++)
    least->safe_push ((int) i == from ? 0 : no_way);
  while (has_changed)
    {
      has_changed = false;
      for (unsigned i = 0; i < c->body.length (); i++)
	{
	  edge e;
	  edge_iterator ei;
	  FOR_EACH_EDGE (e, ei, c->body[i]->succs)
	    {
	      int to = index_of (c, e->dest);
	      if (to <= 0 || (*least)[i] == no_way || (*least)[i] + added_on (c, e) >= (*least)[to])
		continue;
	      (*least)[to] = (*least)[i] + added_on (c, e);
	      has_changed = true;
	    }
	}
    }
}

/* The most that may be added to C in an iteration; -1: unknown.  */
static HOST_WIDE_INT
most_of (const struct counter *c)
{
  HOST_WIDE_INT most = 0;
  for (basic_block bb : c->body)
    {
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, bb->succs)
	if (index_of (c, e->dest) >= 0 && added_on (c, e) > 0)
	  {
	    if (e->dest->loop_father != c->plan->loop)
	      return -1;
	    most += added_on (c, e);
	  }
    }
  return most < most_added ? most : -1;
}

/* True if an addition to C that leaves its type is no error of the program.  */
static bool
may_wrap_p (const struct counter *c)
{
  for (const struct pg_plan_carried &carried : c->plan->carried)
    {
      gassign *stmt = dyn_cast<gassign *> (SSA_NAME_DEF_STMT (carried.name));
      if (carried.reduction == c->reduction && stmt && gimple_assign_rhs_code (stmt) == PLUS_EXPR
	  && !TYPE_OVERFLOW_UNDEFINED (TREE_TYPE (carried.name)))
	return true;
    }
  return false;
}

bool
pg_find_counted (const struct pg_plan *plan, tree name, basic_block at, struct pg_counted_value *out)
{
  struct counter c = {};
  HOST_WIDE_INT added;
  c.plan = plan;
  c.reduction = pg_carried_of (plan, name);
  if (c.reduction < 0 || plan->reductions[c.reduction].op != PG_REDUCE_ADD || !fill_in (&c))
    return false;
  tree root = root_of (&c, name, &added);
  if (!root)
    return false;

  /* From the start of the iteration to ROOT, from there to AT, and to the iteration's end.  */
  int made = index_of (&c, gimple_bb (SSA_NAME_DEF_STMT (root))), here = index_of (&c, at);
  int latch = index_of (&c, plan->loop->latch);
  auto_vec<HOST_WIDE_INT> from_start, from_root, from_here;
  shortest (&c, 0, &from_start);
  shortest (&c, made, &from_root);
  shortest (&c, here, &from_here);
  if (from_start[made] == no_way || from_root[here] == no_way || from_here[latch] == no_way)
    return false;
  out->reduction = c.reduction;
  out->least = from_start[made] + added;
  out->left = from_root[here] + from_here[latch] + added_on (&c, loop_latch_edge (plan->loop)) - added;
  out->most = most_of (&c);
  out->may_wrap = may_wrap_p (&c);
  return true;
}

bool
pg_counted_apart_p (const struct pg_plan *plan, const struct pg_plan_ref *a, const struct pg_plan_ref *b)
{
  HOST_WIDE_INT low = -no_way, high = no_way, first, second;
  if (plan->dims[a->dim].counter < 0 || plan->dims[a->dim].counter != plan->dims[b->dim].counter
      || pg_node_split (plan, a->address.base, &first) != pg_node_split (plan, b->address.base, &second)
      || a->address.coef[a->dim] != b->address.coef[b->dim])
    return false;
  for (const struct pg_plan_ref *ref : { a, b })
    {
      HOST_WIDE_INT start, step, width;
      pg_node_split (plan, ref->address.base, &start);
      if (ref->address.coef[0] >= 0 || !pg_node_value (plan, ref->address.coef[ref->dim], &step) || step <= 0
	  || __builtin_mul_overflow (plan->dims[ref->dim].beyond, step, &width) || absu_hwi (start) > most_added
	  || absu_hwi (width) > most_added)
	return false;
      /* Of an iteration from n to n', it is at START + step * n at first, and at START - WIDTH + step * n' at last.  */
      low = MAX (low, start + ref->len - width);
      high = MIN (high, start);
    }
  return low <= high;
}
