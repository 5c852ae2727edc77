/* SPDX-License-Identifier: GPL-3.0-or-later
   Whether what was compiled from a loop rounds where the original does.

   Which products are fused with sums depends on what the compiler knows of pointers and counts, and on what surrounds
   the loop.  So F, and whatever else is made of a loop, is looked at when it is compiled, after the function that it
   comes from.

       original	    s = fma (a, b, t)		in all copies of it
       F	    s = fma (a, b, t)		in all copies of it: the region stays
       no-alias F   p = a * b; s = p + t	the region does without it

   What this finds is, for example, that vectors leave iterations over, of which two sums are then put into one vector,
   with products that were made apart.  Where F differs, the loop is not handed over: its threshold is never reached.

   The forms of sums are those of forms.h; those of the original are what they are where nothing is handed over
   (rehearse.h).  */

#include "rounding.h"
#include "describe.h"
#include "kernels.h"
#include "products.h"
#include "rehearse.h"
#include "report.h"

/* What a child is to its region.  */
enum role
{
  CHILD_MAIN, /* it cannot do without */
  CHILD_PART, /* nor without this, which computes only some of what the loop does */
  CHILD_NOALIAS,
  CHILD_DOACROSS
};

struct child
{
  unsigned region;
  enum role role;
  bool is_told; /* what to fuse, and to fuse nothing else */
};

/* A sum of a region.  */
struct sum
{
  struct pg_rounded rounded;
  int loop, depth;   /* the number of its loop, and how deep it is; the region's is 1 */
  bool is_versioned; /* another version of it may run in F */
};

struct region
{
  tree decl;
  tree alone_in;         /* the original, which has nothing but this loop and was not tried out; or null */
  struct pg_sight plain; /* what else is to be seen in the original */
  bool is_tellable;      /* what is made of it may be told what the original does */
  auto_vec<struct sum> sums;
  auto_vec<int> products; /* their marks */
};

static auto_vec<struct region *> regions;

/* Functions that come from regions.  */
static hash_map<tree, struct child> children;

/* Note that DECL, if there is one, comes from REGION.  */
static void
add_child (tree decl, unsigned region, enum role role)
{
  struct child child = { region, role, false };
  if (decl)
    children.put (decl, child);
}

/* The mark of the product that VALUE is, with whatever sign; 0 if it is none.  */
static int
product_in (tree value)
{
  tree product = pg_strip_negation (value);
  return pg_target_fuses_p (product) ? pg_forms_mark_of (SSA_NAME_DEF_STMT (product)) : 0;
}

/* A function in which a region's sums are seen: the original as it stands, or the one that was looked at.  */
struct side
{
  bool is_plain;
  struct pg_sight sight; /* what there is beside marks */
};

static const struct pg_shape &
shape_of (int mark, const struct side *side)
{
  return side->is_plain ? pg_forms_at (mark)->plain : pg_forms_at (mark)->seen;
}

/* The product that SUM, of FORM, took in, 1 or 2; 0 if that is not known.  */
static unsigned
taken_in (const struct pg_rounded *sum, int form)
{
  int other = (form - PG_SUM_FUSED) / PG_N_SUM_FORMS;
  bool first = sum->products[0] && sum->products[0] != other, second = sum->products[1] && sum->products[1] != other;
  return first == second ? 0 : first ? 1 : 2;
}

/* What SUM became on SIDE.  Where it took in a product which is seen all the same, there is a copy of it that did not:
   as a lane of a vector, it has the mark of another one.  */
static int
form_of (const struct pg_rounded *sum, const struct side *side)
{
  int form = shape_of (sum->mark, side).form;
  if (form < PG_SUM_FUSED || form == PG_SUM_MIXED)
    return form;
  if (!sum->products[0] && !sum->products[1])
    return form;
  unsigned taken = taken_in (sum, form);
  return taken && shape_of (sum->products[taken - 1], side).form == PG_SUM_UNSEEN ? form : (int) PG_SUM_MIXED;
}

/* How many products SUM adds.  */
static int
count_products (const struct pg_rounded *sum)
{
  return (sum->products[0] != 0) + (sum->products[1] != 0);
}

/* True if SUM may be something else in vectors with masks on SIDE.  */
static bool
differs_masked_p (const struct pg_rounded *sum, const struct side *side)
{
  int kind = pg_sum_kind (form_of (sum, side)), n = count_products (sum);
  return side->sight.masked != PG_SUM_UNSEEN && n > 0
	 && (n == 2 || (kind != PG_SUM_UNSEEN && kind != side->sight.masked));
}

/* True if VALUE may be a product in the end, of which the statement that computes it does not tell.  */
static bool
passes_on_p (tree value)
{
  gimple *def = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : NULL;
  return def && (is_a<gphi *> (def) || (is_gimple_assign (def) && gimple_num_ops (def) == 2 && !gimple_vuse (def)));
}

struct pg_rounded
pg_rounding_of (gimple *sum)
{
  tree a = gimple_assign_rhs1 (sum), b = gimple_assign_rhs2 (sum);
  struct pg_rounded rounded = {};
  rounded.mark = pg_forms_mark_of (sum);
  rounded.products[0] = product_in (a);
  rounded.products[1] = product_in (b);
  rounded.is_certain = !pg_fusable_p (pg_strip_negation (a)) && !pg_fusable_p (pg_strip_negation (b));
  rounded.is_indirect = passes_on_p (a) || passes_on_p (b);
  return rounded;
}

/* Which operand of SUM is a product that it is fused with on SIDE, as pg_rounding_taken_in.  */
static int
taken_on (const struct pg_rounded *sum, const struct side *side)
{
  int form = form_of (sum, side);
  if (differs_masked_p (sum, side))
    return -1;
  if (form == PG_SUM_APART || (form == PG_SUM_UNSEEN && sum->is_certain && !sum->is_indirect))
    return 0;
  bool is_fused = form != PG_SUM_UNSEEN && form != PG_SUM_MIXED;
  return is_fused && taken_in (sum, form) ? taken_in (sum, form) : -1;
}

int
pg_rounding_taken_in (const struct pg_rounded *sum)
{
  struct side plain = { true, pg_rehearsal_plain () };
  return sum->mark == 0 ? sum->is_certain - 1 : taken_on (sum, &plain);
}

bool
pg_rounding_compared_p (tree decl)
{
  return children.get (decl);
}

void
pg_rounding_told (tree decl)
{
  children.get (decl)->is_told = true;
}

int
pg_rounding_wanted (tree decl, gimple *sum)
{
  const struct region *region = regions[children.get (decl)->region];
  struct pg_rounded rounded = pg_rounding_of (sum);
  if (!region->is_tellable || rounded.mark == 0)
    return -1;
  struct side plain = { true, region->plain };
  return taken_on (&rounded, &plain);
}

/* Add STMT, if it has a mark, to REGION of PLAN.  */
static void
add_statement (struct region *region, gimple *stmt, const struct pg_plan *plan)
{
  int mark = pg_forms_mark_of (stmt);
  if (mark && pg_forms_at (mark)->is_sum)
    {
      class loop *loop = gimple_bb (stmt)->loop_father;
      struct sum sum = { pg_rounding_of (stmt), loop->num, (int) loop_depth (loop), plan->versioned.contains (mark) };
      region->sums.safe_push (sum);
    }
  else if (mark)
    region->products.safe_push (mark);
}

void
pg_rounding_expect (const struct pg_plan *plan, const struct pg_outlined *out)
{
  if (!plan->fuses)
    return;
  struct region *region = new struct region ();
  region->decl = out->region_decl;
  region->alone_in = pg_rehearsal_open_p () ? current_function_decl : NULL_TREE;
  region->plain = pg_rehearsal_plain ();
  region->is_tellable = pg_rehearsal_tellable_p ();
  unsigned number = regions.length ();
  regions.safe_push (region);

  push_cfun (DECL_STRUCT_FUNCTION (out->body));
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      add_statement (region, gsi_stmt (gsi), plan);
  pop_cfun ();

  add_child (out->body, number, CHILD_MAIN);
  add_child (out->monitor, number, CHILD_PART);
  add_child (out->tally, number, CHILD_PART);
  add_child (out->free_part, number, CHILD_PART);
  add_child (out->ordered_part, number, CHILD_PART);
  add_child (out->body_noalias, number, CHILD_NOALIAS);
  add_child (out->doacross, number, CHILD_DOACROSS);
}

/* The kind that all of REGION's sums are of that are seen on SIDE: one that is not seen was made one with another one,
   or is a lane of a vector which has that one's mark.  */
static int
common_kind (const struct region *region, const struct side *side)
{
  int kind = PG_SUM_UNSEEN;
  for (const struct sum &sum : region->sums)
    {
      int one = pg_sum_kind (form_of (&sum.rounded, side));
      if (one == PG_SUM_UNSEEN || one == kind)
	continue;
      kind = kind == PG_SUM_UNSEEN ? one : (int) PG_SUM_MIXED;
    }
  return kind;
}

/* True if one of REGION's sums that has FORM on one side may be there on SIDE, where it is not seen.  */
static bool
may_be_hidden_p (const struct region *region, int form, const struct side *side)
{
  int kind = pg_sum_kind (form);
  return kind != PG_SUM_MIXED && (kind == side->sight.unmarked || kind == common_kind (region, side));
}

/* True if those of REGION's sums that are seen on one of both sides only are the same ones, by each other's marks.  */
static bool
renamed_p (const struct region *region, const struct side *plain, const struct side *seen)
{
  uint64_t balance = 0;
  for (const struct sum &sum : region->sums)
    {
      const struct pg_shape &a = shape_of (sum.rounded.mark, plain), &b = shape_of (sum.rounded.mark, seen);
      if ((a.form == PG_SUM_UNSEEN) != (b.form == PG_SUM_UNSEEN))
	balance += pg_shape_worth (a) - pg_shape_worth (b);
    }
  return balance == 0;
}

/* True if there are as many copies of what has MARK, of each form and width, on both sides.  */
static bool
same_mix_p (int mark, const struct side *plain, const struct side *seen)
{
  return mark == 0 || shape_of (mark, plain).mix == shape_of (mark, seen).mix;
}

/* True if SUM, which is mixed on both sides, is mixed in the same way: made in order by an inner loop, all of it in
   each iteration, its products are vectors', but those of iterations that are left over are not.  Where the region's
   own iterations are in vectors, it is not: F's begin somewhere else.  */
static bool
mixed_alike_p (const struct sum *sum, const struct side *plain, const struct side *seen)
{
  const struct pg_rounded *rounded = &sum->rounded;
  const struct pg_shape &a = shape_of (rounded->mark, plain), &b = shape_of (rounded->mark, seen);
  return !sum->is_versioned && a.form == PG_SUM_MIXED && b.form == PG_SUM_MIXED && !a.in_vector && !b.in_vector
	 && same_mix_p (rounded->mark, plain, seen) && same_mix_p (rounded->products[0], plain, seen)
	 && same_mix_p (rounded->products[1], plain, seen);
}

/* True if a child of that ROLE has the loop of SUM, an inner one, as it is: a doacross stops at turns of the loops
   directly in the region's.  */
static bool
whole_loop_p (const struct sum *sum, enum role role)
{
  return role == CHILD_MAIN || role == CHILD_PART || (role == CHILD_DOACROSS && sum->depth > 2);
}

/* True if SUM of REGION has the same form on both sides, for all that is seen in a child of that ROLE.  */
static bool
same_form_p (const struct region *region, const struct sum *sum, const struct side *plain, const struct side *seen,
	     enum role role)
{
  int a = form_of (&sum->rounded, plain), b = form_of (&sum->rounded, seen);
  if (b == PG_SUM_UNSEEN && role == CHILD_PART)
    return true;
  if (a == PG_SUM_MIXED && b == PG_SUM_MIXED)
    return whole_loop_p (sum, role) && mixed_alike_p (sum, plain, seen);
  if (a == PG_SUM_UNSEEN && b == PG_SUM_UNSEEN)
    return common_kind (region, plain) != PG_SUM_MIXED && common_kind (region, seen) != PG_SUM_MIXED;
  if (a == b || a == PG_SUM_UNSEEN || b == PG_SUM_UNSEEN)
    return a == b || renamed_p (region, plain, seen)
	   || may_be_hidden_p (region, MAX (a, b), a == PG_SUM_UNSEEN ? plain : seen);
  return false;
}

/* True if A and B, sums of one loop, may be lanes of one vector in some copies, with the mark of one of them, and not
   be what they are in others.  */
static bool
hidden_pair_p (const struct sum *a, const struct sum *b, const struct side *side)
{
  int n_a = count_products (&a->rounded), n_b = count_products (&b->rounded);
  int kind_a = pg_sum_kind (form_of (&a->rounded, side)), kind_b = pg_sum_kind (form_of (&b->rounded, side));
  bool same = kind_a == kind_b || kind_a == PG_SUM_UNSEEN || kind_b == PG_SUM_UNSEEN;
  const struct pg_shape &shape_a = shape_of (a->rounded.mark, side), &shape_b = shape_of (b->rounded.mark, side);
  return a->loop == b->loop && n_a > 0 && n_b > 0 && (!same || n_a + n_b > 2)
	 && (shape_a.in_vector || shape_b.in_vector) && shape_a.widths != shape_b.widths;
}

/* True if A or B is mixed in the same way on both sides, and all else that is seen of them is the same: a copy that is
   hidden on one side only would be missing there.  */
static bool
both_alike_p (const struct sum *a, const struct sum *b, const struct side *plain, const struct side *seen)
{
  return (mixed_alike_p (a, plain, seen) || mixed_alike_p (b, plain, seen)) && same_mix_p (a->rounded.mark, plain, seen)
	 && same_mix_p (b->rounded.mark, plain, seen);
}

/* True if some of REGION's sums may be hidden so on one of both sides.  */
static bool
hides_p (const struct region *region, const struct side *plain, const struct side *seen)
{
  for (unsigned i = 0; i < region->sums.length (); i++)
    for (unsigned j = 0; j < i; j++)
      {
	const struct sum *a = &region->sums[i], *b = &region->sums[j];
	if ((hidden_pair_p (a, b, plain) || hidden_pair_p (a, b, seen)) && !both_alike_p (a, b, plain, seen))
	  return true;
      }
  return false;
}

/* True if PRODUCT is seen on both sides, or on none; there may be less of it in a child of that ROLE.  */
static bool
same_sight_p (int product, const struct side *plain, const struct side *seen, enum role role)
{
  int a = shape_of (product, plain).form, b = shape_of (product, seen).form;
  return a == b || (role == CHILD_PART && b == PG_SUM_UNSEEN);
}

/* True if sums that have no mark may be others in CHILD of REGION, whose SIGHT that is, than in the original.  Where
   all that is fused was fused by name, those that are apart are sums that are, which vectors are made of.  */
static bool
unmarked_differ_p (const struct region *region, const struct child *child, const struct pg_sight *sight)
{
  if (child->is_told && sight->unmarked == PG_SUM_APART)
    return false;
  /* What the original has that is not this loop's is not known to be missing.  */
  return sight->unmarked == PG_SUM_MIXED
	 || (sight->unmarked != region->plain.unmarked && (region->alone_in || sight->unmarked != PG_SUM_UNSEEN));
}

/* True if CHILD of REGION, which was looked at, and is SIGHT beside its marks, rounds as the original.  */
static bool
same_p (const struct region *region, const struct child *child, const struct pg_sight *sight)
{
  struct side plain = { true, region->plain }, seen = { false, *sight };
  enum role role = child->role;
  if (sight->crosses || region->plain.crosses || unmarked_differ_p (region, child, sight))
    return false;
  for (const struct sum &sum : region->sums)
    if (!same_form_p (region, &sum, &plain, &seen, role) || differs_masked_p (&sum.rounded, &plain)
	|| differs_masked_p (&sum.rounded, &seen))
      return false;
  for (int product : region->products)
    if (!same_sight_p (product, &plain, &seen, role))
      return false;
  return !hides_p (region, &plain, &seen);
}

/* Tell the dump what the sums of REGION became, and those that have no marks in CHILD, SIGHT.  */
static void
dump_forms (const struct region *region, const struct child *child, const struct pg_sight *sight)
{
  fprintf (dump_file, "role %d of %s: unmarked %d, original %d\n", child->role,
	   IDENTIFIER_POINTER (DECL_NAME (region->decl)), sight->unmarked, region->plain.unmarked);
  for (const struct sum &sum : region->sums)
    {
      const struct pg_mark *mark = pg_forms_at (sum.rounded.mark);
      fprintf (dump_file, "  sum %d: original %d%s, here %d%s, %s mix\n", sum.rounded.mark, mark->plain.form,
	       mark->plain.in_vector ? " in vectors" : "", mark->seen.form, mark->seen.in_vector ? " in vectors" : "",
	       mark->plain.mix == mark->seen.mix ? "same" : "another");
    }
}

/* CHILD does not round as the original.  */
static void
do_without (const struct child *child)
{
  struct region *region = regions[child->region];
  switch (child->role)
    {
    case CHILD_NOALIAS:
      pg_region_drop_noalias (region->decl);
      break;
    case CHILD_DOACROSS:
      pg_region_drop_doacross (region->decl);
      break;
    case CHILD_MAIN:
    case CHILD_PART:
      pg_region_shut (region->decl);
      pg_report_shut (region->decl);
    }
}

/* FUN, an original that was open, is compiled: let its region and its kernel go by that.  */
static void
settle (const function *fun)
{
  if (!regions.is_empty () && regions.last ()->alone_in == fun->decl)
    {
      regions.last ()->plain = pg_rehearsal_plain ();
      regions.last ()->is_tellable = pg_rehearsal_tellable_p ();
    }
  pg_kernel_settle ();
}

/* Compare CHILD, FUN, with the original.  */
static void
compare (function *fun, const struct child *child)
{
  const struct region *region = regions[child->region];
  struct pg_sight sight = pg_forms_look (fun);
  if (dump_file)
    dump_forms (region, child, &sight);
  if (!same_p (region, child, &sight))
    do_without (child);
}

namespace
{

const pass_data pass_data_rounding = {
  GIMPLE_PASS, "pground", OPTGROUP_LOOP, TV_PLUGIN_RUN, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class pass_rounding : public gimple_opt_pass
{
public:
  pass_rounding (gcc::context *context) : gimple_opt_pass (pass_data_rounding, context)
  {
  }

  bool gate (function *) final override
  {
    return pg_rehearsing_p () || pg_forms_end () > 1;
  }

  unsigned execute (function *fun) final override
  {
    if (pg_rehearsing_p ())
      pg_rehearsal_end (fun);
    if (const struct child *child = children.get (fun->decl))
      compare (fun, child);
    else if (pg_rehearsal_settle (fun))
      settle (fun);
    pg_forms_unmark (fun);
    return 0;
  }
};

}

gimple_opt_pass *
pg_make_pass_rounding (gcc::context *context)
{
  return new pass_rounding (context);
}
