/* SPDX-License-Identifier: GPL-3.0-or-later
   Products that are the same, some iterations later.  What one iteration loads, the next ones may have kept, and what
   they make of it with it:

       for (i = 0; i < n; i++)			c[2 * i] = kept;  d[i] = kept_product;
	 {					kept_product = b[i] * 0.3;  kept = kept_product + a[i];
	   d[i] = b[i] * 0.3;			c[2 * i + 1] = kept;
	   c[2 * i] = b[i - 1] * 0.3 + a[i - 1];
	   c[2 * i + 1] = d[i] + a[i];
	 }

   GCC does that in some copies of an iteration, of which it takes several together, and not in those that are left
   over.  If one of the products is fused and the other is not, iterations that begin elsewhere are rounded otherwise;
   and of a sum that is kept nothing is seen any more.  */

#include "forms.h"
#include "judge.h"
#include "products.h"
#include "rehearse.h"

/* Steps of a walk over expressions, after which they are the same.  */
static const unsigned max_steps = 200;

/* True if A and B are linear and keep a distance of *SHIFT bytes.  */
static bool
distance_of (const struct pg_plan *plan, const struct pg_plan_ref *a, const struct pg_plan_ref *b, HOST_WIDE_INT *shift)
{
  HOST_WIDE_INT from, to;
  struct pg_plan_linear moved = b->address;
  moved.base = a->address.base;
  if (!(a->flags & b->flags & PG_REF_AFFINE) || a->group != b->group || !pg_linear_equal (&a->address, &moved)
      || pg_node_split (plan, a->address.base, &from) != pg_node_split (plan, b->address.base, &to))
    return false;
  *shift = to - from;
  return true;
}

/* The number of the dimension of LOOP; -1 if it has none.  */
static int
dim_of_loop (const struct pg_plan *plan, class loop *loop)
{
  int dim = pg_dim_of (plan, loop);
  return dim >= 0 && plan->dims[dim].loop == loop ? dim : -1;
}

/* Loads that are further apart than this are not kept from one iteration to the other.  */
static const HOST_WIDE_INT max_shift = 16;

/* A walk over two expressions side by side: is one of them, SHIFT iterations of dimension DIM later, the other?  */
struct twin_walk
{
  const struct pg_plan *plan;
  class loop *loop; /* of the products */
  int dim;          /* -1: unknown, any shift will do */
  bool shifted;     /* the shift is known */
  HOST_WIDE_INT shift;
  unsigned n_steps;
};

static bool
shift_by (struct twin_walk *w, HOST_WIDE_INT shift)
{
  bool same = !w->shifted || w->shift == shift || w->dim < 0;
  w->shifted = true;
  w->shift = w->dim < 0 ? MAX (w->shift, shift) : shift;
  return same;
}

/* The reference of the load STMT; null if it has none.  */
static const struct pg_plan_ref *
reference_of (const struct pg_plan *plan, gimple *stmt)
{
  for (const struct pg_plan_access &access : plan->accesses)
    if (access.stmt == stmt && !access.is_store)
      return &plan->refs[access.ref];
  return NULL;
}

static bool
same_loads_p (struct twin_walk *w, gimple *a, gimple *b)
{
  const struct pg_plan_ref *first = reference_of (w->plan, a), *second = reference_of (w->plan, b);
  HOST_WIDE_INT bytes, step;
  if (!first || !second)
    return true;
  if (first == second)
    return shift_by (w, 0);
  if (first->len != second->len || !distance_of (w->plan, first, second, &bytes))
    return false;
  if (w->dim < 0)
    return shift_by (w, 1);
  return pg_node_value (w->plan, first->address.coef[w->dim], &step) && step != 0 && bytes % step == 0
	 && absu_hwi (bytes / step) <= max_shift && shift_by (w, bytes / step);
}

static bool same_values_p (struct twin_walk *w, tree a, tree b);

/* True if statements A and B of the loop compute the same from operands that may be the same.  */
static bool
same_operations_p (struct twin_walk *w, gimple *a, gimple *b)
{
  unsigned n = gimple_num_ops (a);
  if (gimple_code (a) != gimple_code (b) || n != gimple_num_ops (b))
    return false;
  if (gimple_assign_load_p (a) && gimple_assign_load_p (b))
    return same_loads_p (w, a, b);
  unsigned first = 1;
  if (is_gimple_call (a))
    {
      if (!gimple_call_same_target_p (a, b))
	return false;
      first = 3;
    }
  else if (!is_gimple_assign (a) || gimple_assign_rhs_code (a) != gimple_assign_rhs_code (b))
    return false;

  struct twin_walk before = *w;
  bool same = true;
  for (unsigned i = first; same && i < n; i++)
    same = same_values_p (w, gimple_op (a, i), gimple_op (b, i));
  if (same || n != 3 || !is_gimple_assign (a) || !commutative_tree_code (gimple_assign_rhs_code (a)))
    return same;
  before.n_steps = w->n_steps;
  *w = before;
  return same_values_p (w, gimple_op (a, 1), gimple_op (b, 2)) && same_values_p (w, gimple_op (a, 2), gimple_op (b, 1));
}

/* True if VALUE is one of PLAN's trails.  */
static bool
trail_p (const struct pg_plan *plan, tree value)
{
  for (const struct pg_plan_trail &trail : plan->trails)
    if (gimple_phi_result (trail.phi) == value)
      return true;
  return false;
}

/* True if A may be B, of the same iteration or another one.  Integers may.  */
static bool
same_values_p (struct twin_walk *w, tree a, tree b)
{
  if (w->n_steps == 0)
    return true;
  w->n_steps--;
  if (TREE_CODE (a) != SSA_NAME || TREE_CODE (b) != SSA_NAME)
    return operand_equal_p (a, b, 0);
  if (!types_compatible_p (TREE_TYPE (a), TREE_TYPE (b)))
    return false;
  basic_block in_a = gimple_bb (SSA_NAME_DEF_STMT (a)), in_b = gimple_bb (SSA_NAME_DEF_STMT (b));
  bool varies = in_a && flow_bb_inside_loop_p (w->loop, in_a);
  if (a == b)
    return !varies || shift_by (w, 0);
  if (INTEGRAL_TYPE_P (TREE_TYPE (a)))
    return true;
  if (trail_p (w->plan, a) || trail_p (w->plan, b))
    return shift_by (w, 1);
  return varies && in_b && flow_bb_inside_loop_p (w->plan->loop, in_b)
	 && same_operations_p (w, SSA_NAME_DEF_STMT (a), SSA_NAME_DEF_STMT (b));
}

/* True if A is B of another iteration, of those that may be kept.  */
static bool
shifted_p (const struct pg_plan *plan, gimple *a, gimple *b)
{
  class loop *loop = gimple_bb (a)->loop_father;
  bool jams = flag_unroll_jam && loop_depth (loop) > 1;
  bool any = jams || !plan->trails.is_empty ();
  struct twin_walk w = { plan, loop, any ? -1 : dim_of_loop (plan, loop), false, 0, max_steps };
  return same_operations_p (&w, a, b) && !(w.shifted && w.shift == 0);
}

/* True if a sum of VALUE, a product or its negation, has another product.  */
static bool
ordered_p (tree value)
{
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    {
      gimple *stmt = USE_STMT (use);
      if (pg_negation_p (stmt) ? ordered_p (gimple_assign_lhs (stmt)) : pg_two_products_p (stmt))
	return true;
    }
  return false;
}

/* True if PRODUCT is somewhere apart, as the function stands.  */
static bool
seen_p (gimple *product)
{
  int mark = pg_forms_mark_of (product);
  return mark && pg_forms_at (mark)->plain.form != PG_SUM_UNSEEN;
}

/* True if one of A and B, products, may be apart and the other one not.  */
static bool
one_apart_p (gimple *a, gimple *b)
{
  return pg_rehearsal_open_p () || seen_p (a) != seen_p (b);
}

/* More products than this are not compared.  */
static const unsigned max_products = 64;

gimple *
pg_shifted_twin (const struct pg_plan *plan)
{
  auto_vec<gimple *> products;
  basic_block *body = get_loop_body (plan->loop);
  for (unsigned i = 0; i < plan->loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	tree lhs = is_gimple_assign (gsi_stmt (gsi)) ? gimple_assign_lhs (gsi_stmt (gsi)) : NULL_TREE;
	if (lhs && pg_fusable_p (lhs) && pg_summed_p (lhs) && !ordered_p (lhs))
	  products.safe_push (gsi_stmt (gsi));
      }
  free (body);
  if (products.length () > max_products)
    return products[max_products];
  for (unsigned i = 0; i < products.length (); i++)
    for (unsigned j = 0; j < i; j++)
      if (gimple_bb (products[i])->loop_father == gimple_bb (products[j])->loop_father
	  && one_apart_p (products[i], products[j]) && shifted_p (plan, products[i], products[j]))
	return products[i];
  return NULL;
}
