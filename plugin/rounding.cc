/* SPDX-License-Identifier: GPL-3.0-or-later
   Whether what was compiled from a loop rounds where the original does.

   The judge hands a loop over where nothing but the loop itself can decide which of its products are fused with sums
   (fate.h, contract.cc), for all that is known of the compiler.  Here that is looked at when it is done: F, and
   whatever else is made of the loop, is compiled after the function that it comes from.

       original	    s = fma (a, b, t)		in all copies of it
       F	    s = fma (a, b, t)		in all copies of it: the region stays
       no-alias F   p = a * b; s = p + t	the region does without it

   What this finds is, for example, that vectors leave iterations over, of which two sums are then put into one vector,
   with products that were made apart.  Where F differs, the loop is not handed over: its threshold is never reached.

   Each sum and product has a mark before the loop is copied: a location whose range is none of the source.  What
   vectorises, unrolls, or copies statements keeps locations, and a fused sum has that of the sum.  So the form of a sum
   is what became of all that has its mark.  A sum that is nowhere to be seen was made one with another one, or has lost
   its mark; of those, only what they all are is known.

   It is no proof that the judge may do without: the original that F is compared with is behind a guard, and GCC may
   order its operands otherwise than in a function without one.  */

#include "rounding.h"
#include "describe.h"
#include "fate.h"
#include "report.h"

/* What became of a sum.  */
enum form
{
  FORM_UNSEEN,
  FORM_APART, /* it takes in no product */
  FORM_FUSED, /* and one of four kinds of fused sums; then, the number of the product that it does not take in */
  FORM_MIXED = INT_MAX
};

enum
{
  N_FORMS = FORM_FUSED + 4
};

/* A sum or a product.  */
struct mark
{
  bool is_sum;
  int form; /* of the sum in the original: enum form, or FORM_FUSED + kind + N_FORMS * (mark of the other product) */
  int seen; /* the same in the function that is looked at */
  bool in_vector;
};

/* The marks of the unit; a mark is its index here and one.  And those that were seen in the function looked at.  */
static auto_vec<struct mark> marks;
static auto_vec<int> seen_marks;

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
};

/* What else is to be seen in a function.  */
struct sight
{
  int unmarked; /* what became of sums that have no mark: enum form, or FORM_FUSED */
  bool crosses; /* sums and differences, fused, are lanes of one vector */
};

/* A sum of a region.  One of an inner loop is made by all of that loop in each iteration.  */
struct sum
{
  int mark;
  bool is_inner;
  bool has_product; /* it is one of a product, as it stands */
};

struct region
{
  tree decl, original;
  auto_vec<struct sum> sums;
  auto_vec<int> products; /* their marks */
  bool is_alone;          /* no two of its sums can be in one vector */
};

static auto_vec<struct region *> regions;

/* Functions that come from regions, and what is seen in those that regions come from.  */
static hash_map<tree, struct child> children;
static hash_map<tree, struct sight> originals;

/* The mark of what is at WHERE; 0 if there is none.  */
static int
mark_at (location_t where)
{
  if (!IS_ADHOC_LOC (where))
    return 0;
  source_range range = get_range_from_loc (line_table, where);
  bool marked = range.m_start == BUILTINS_LOCATION && range.m_finish >= RESERVED_LOCATION_COUNT;
  return marked ? range.m_finish - RESERVED_LOCATION_COUNT + 1 : 0;
}

/* True if there can be another mark: locations are those of some place in a file.  */
static bool
marks_left_p ()
{
  return marks.length () + RESERVED_LOCATION_COUNT < line_table->highest_location;
}

bool
pg_rounding_can_compare_p (void)
{
  return flag_toplevel_reorder && marks_left_p ();
}

static bool
product_p (gimple *stmt)
{
  return is_gimple_assign (stmt) && gimple_assign_rhs_code (stmt) == MULT_EXPR;
}

static bool
float_p (gimple *stmt)
{
  tree lhs = is_gimple_assign (stmt) || is_gimple_call (stmt) ? gimple_get_lhs (stmt) : NULL_TREE;
  return lhs && TREE_CODE (lhs) == SSA_NAME && FLOAT_TYPE_P (TREE_TYPE (lhs));
}

static void
mark_statement (const struct pg_plan *plan, gimple *stmt, bool is_sum)
{
  if (mark_at (gimple_location (stmt)) || !marks_left_p ())
    return;
  location_t where = gimple_location (stmt) == UNKNOWN_LOCATION ? plan->where : gimple_location (stmt);
  source_range range = { BUILTINS_LOCATION, RESERVED_LOCATION_COUNT + marks.length () };
  location_t caret = get_pure_location (LOCATION_LOCUS (where));
  gimple_set_location (stmt, COMBINE_LOCATION_DATA (line_table, caret, range, gimple_block (stmt)));
  struct mark mark = {};
  mark.is_sum = is_sum;
  marks.safe_push (mark);
}

void
pg_rounding_mark (const struct pg_plan *plan)
{
  if (!plan->fuses)
    return;
  basic_block *body = get_loop_body (plan->loop);
  for (unsigned i = 0; i < plan->loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      if (float_p (gsi_stmt (gsi)) && (pg_sum_p (gsi_stmt (gsi)) || product_p (gsi_stmt (gsi))))
	mark_statement (plan, gsi_stmt (gsi), pg_sum_p (gsi_stmt (gsi)));
  free (body);
}

/* Note that DECL, if there is one, comes from REGION.  */
static void
add_child (tree decl, unsigned region, enum role role)
{
  struct child child = { region, role };
  if (decl)
    children.put (decl, child);
}

/* True if SUM has a product, with whatever sign, for an operand.  */
static bool
sum_of_product_p (gimple *sum)
{
  return pg_target_fuses_p (pg_strip_negation (gimple_assign_rhs1 (sum)))
	 || pg_target_fuses_p (pg_strip_negation (gimple_assign_rhs2 (sum)));
}

void
pg_rounding_expect (const struct pg_plan *plan, const struct pg_outlined *out)
{
  if (!plan->fuses)
    return;
  struct region *region = new struct region ();
  region->decl = out->region_decl;
  region->original = current_function_decl;
  region->is_alone = plan->sums_alone;
  unsigned number = regions.length ();
  regions.safe_push (region);

  struct function *fun = DECL_STRUCT_FUNCTION (out->body);
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	struct sum sum = { float_p (stmt) && pg_sum_p (stmt) ? mark_at (gimple_location (stmt)) : 0,
			   loop_depth (bb->loop_father) > 1, pg_sum_p (stmt) && sum_of_product_p (stmt) };
	if (sum.mark)
	  region->sums.safe_push (sum);
	if (float_p (stmt) && product_p (stmt) && mark_at (gimple_location (stmt)))
	  region->products.safe_push (mark_at (gimple_location (stmt)));
      }

  add_child (out->body, number, CHILD_MAIN);
  add_child (out->monitor, number, CHILD_PART);
  add_child (out->tally, number, CHILD_PART);
  add_child (out->body_noalias, number, CHILD_NOALIAS);
  add_child (out->doacross, number, CHILD_DOACROSS);
  struct sight nothing = {};
  originals.put (current_function_decl, nothing);
}

/* The mark of the product that VALUE is, or has a lane of, with whatever sign; 0 if it has none.  */
static int
product_in (tree value)
{
  while (TREE_CODE (value) == SSA_NAME && is_gimple_assign (SSA_NAME_DEF_STMT (value)))
    {
      gimple *def = SSA_NAME_DEF_STMT (value);
      tree_code code = gimple_assign_rhs_code (def);
      if (code == MULT_EXPR)
	return mark_at (gimple_location (def));
      if (code != NEGATE_EXPR && code != SSA_NAME && code != BIT_FIELD_REF && code != VIEW_CONVERT_EXPR)
	return 0;
      value = gimple_assign_rhs1 (def);
      if (TREE_CODE (value) != SSA_NAME && !is_gimple_min_invariant (value))
	value = TREE_OPERAND (value, 0);
    }
  return 0;
}

/* What the internal function FN, of floating-point numbers, is of sums: enum form, or FORM_FUSED and its kind.  */
static int
form_of_function (internal_fn fn)
{
  switch (fn)
    {
    case IFN_FMA:
    case IFN_COND_FMA:
      return FORM_FUSED;
    case IFN_FMS:
    case IFN_COND_FMS:
      return FORM_FUSED + 1;
    case IFN_FNMA:
    case IFN_COND_FNMA:
      return FORM_FUSED + 2;
    case IFN_FNMS:
    case IFN_COND_FNMS:
      return FORM_FUSED + 3;
    case IFN_COND_ADD:
    case IFN_COND_SUB:
    case IFN_VEC_ADDSUB:
    case IFN_FOLD_LEFT_PLUS:
    case IFN_MASK_FOLD_LEFT_PLUS:
      return FORM_APART;
    case IFN_REDUC_PLUS:
      return FORM_MIXED;
    default:
      return FORM_UNSEEN;
    }
}

/* What STMT, a sum or what may have become of one, is; FORM_UNSEEN if it is nothing of the kind.  */
static int
form_of (gimple *stmt)
{
  if (pg_sum_p (stmt))
    return FORM_APART;
  if (!is_gimple_call (stmt) || !gimple_call_internal_p (stmt))
    return FORM_UNSEEN;
  int form = form_of_function (gimple_call_internal_fn (stmt));
  if (form < FORM_FUSED || form == FORM_MIXED)
    return form;
  /* Where lanes are masked, the mask comes first, and what masked lanes are comes last.  */
  bool is_masked = gimple_call_num_args (stmt) == 5;
  return form + N_FORMS * product_in (gimple_call_arg (stmt, 2 + is_masked));
}

/* True if STMT crosses sums and differences of products, fused, in the lanes of one vector: GCC makes that of stores
   side by side, whatever -ffp-contract says, and does not tell which they were.  */
static bool
crossing_p (gimple *stmt)
{
  return gimple_call_internal_p (stmt, IFN_VEC_FMADDSUB) || gimple_call_internal_p (stmt, IFN_VEC_FMSUBADD);
}

/* True if STMT computes floating-point numbers, or vectors of them.  */
static bool
computing_p (gimple *stmt)
{
  tree lhs = is_gimple_assign (stmt) || is_gimple_call (stmt) ? gimple_get_lhs (stmt) : NULL_TREE;
  return lhs && TREE_CODE (lhs) == SSA_NAME
	 && (FLOAT_TYPE_P (TREE_TYPE (lhs)) || VECTOR_FLOAT_TYPE_P (TREE_TYPE (lhs)));
}

/* FORM, without which of the fused ones it is.  */
static int
kind_of (int form)
{
  return form == FORM_MIXED ? form : MIN (form, (int) FORM_FUSED);
}

/* FORM, joined by what is seen of another one.  */
static int
join (int form, int seen)
{
  return form == FORM_UNSEEN || form == seen ? seen : (int) FORM_MIXED;
}

/* Note in its mark, or in SIGHT, what became of STMT.  */
static void
look_at_statement (gimple *stmt, struct sight *sight)
{
  int number = mark_at (gimple_location (stmt)), form = form_of (stmt);
  struct mark *mark = number > 0 && number <= (int) marks.length () ? &marks[number - 1] : NULL;
  bool is_marked = mark && mark->is_sum;
  sight->crosses |= crossing_p (stmt);
  if (mark && product_p (stmt))
    form = is_marked ? FORM_MIXED : FORM_APART; /* x + x, for example; a product by itself */
  is_marked |= mark && product_p (stmt);
  if (form == FORM_UNSEEN)
    return;
  if (!is_marked)
    {
      sight->unmarked = join (sight->unmarked, kind_of (form));
      return;
    }
  if (mark->seen == FORM_UNSEEN)
    seen_marks.safe_push (number);
  mark->seen = join (mark->seen, form);
  mark->in_vector |= VECTOR_TYPE_P (TREE_TYPE (gimple_get_lhs (stmt)));
}

/* Note in each mark what became of it in FUN.  Return what else there is.  */
static struct sight
look_at (function *fun)
{
  for (int number : seen_marks)
    marks[number - 1].seen = FORM_UNSEEN;
  seen_marks.truncate (0);
  struct sight sight = {};
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (computing_p (gsi_stmt (gsi)))
	look_at_statement (gsi_stmt (gsi), &sight);
  return sight;
}

/* What was seen is what the original has.  */
static void
keep_forms ()
{
  for (int number : seen_marks)
    marks[number - 1].form = marks[number - 1].seen;
}

/* True if sums of REGION are sure to be what their marks say: of those of products, none that is fused shares a vector
   with one that is not, which has no mark there.  Sums and differences that share one are two statements, with a mark
   each.  */
static bool
forms_certain_p (const struct region *region)
{
  bool in_vector = false, same = true;
  int kind = FORM_UNSEEN;
  for (const struct sum &sum : region->sums)
    {
      const struct mark &mark = marks[sum.mark - 1];
      if (mark.form == FORM_UNSEEN || !sum.has_product)
	continue;
      in_vector |= mark.in_vector;
      same &= kind == FORM_UNSEEN || kind == kind_of (mark.form);
      kind = kind_of (mark.form);
    }
  return !in_vector || same || region->is_alone;
}

/* True if a sum of one function that is of FORM may be one that is of what UNMARKED ones are in the other function, if
   there are any.  */
static bool
may_be_unmarked_p (int form, int unmarked)
{
  return form == FORM_UNSEEN || unmarked == FORM_UNSEEN || unmarked == MIN (form, (int) FORM_FUSED);
}

/* True if SUM has the same form in the function that was looked at, for all that is seen: SIGHT beside the marks, and
   ORIGINAL beside those of the original.  What is mixed in both may be mixed in the same way: a sum that an inner loop
   makes in order begins in vectors, and ends without.  Where iterations of the region's own loop are cut, it is
   not, nor in a no-alias F, whose loops are others: ROLE.  */
static bool
same_form_p (const struct sum *sum, const struct sight *sight, const struct sight *original, enum role role)
{
  const struct mark &mark = marks[sum->mark - 1];
  if (mark.form == FORM_UNSEEN)
    return may_be_unmarked_p (mark.seen, original->unmarked);
  if (mark.seen == FORM_UNSEEN)
    return may_be_unmarked_p (mark.form, sight->unmarked);
  return mark.form == mark.seen && (mark.form != FORM_MIXED || (sum->is_inner && role != CHILD_NOALIAS));
}

/* True if PRODUCT is seen in both the original and the child of that ROLE, or in none.  */
static bool
same_sight_p (const struct mark &product, enum role role)
{
  return product.form == product.seen || (role == CHILD_PART && product.seen == FORM_UNSEEN);
}

/* True if the child of REGION that was looked at, of that ROLE, and is SIGHT beside its marks, rounds as the
   original.  */
static bool
same_p (const struct region *region, const struct sight *sight, enum role role)
{
  const struct sight *original = originals.get (region->original);
  if (sight->crosses || original->crosses)
    return false;
  if (sight->unmarked != FORM_UNSEEN && (sight->unmarked != original->unmarked || sight->unmarked == FORM_MIXED))
    return false;
  for (const struct sum &sum : region->sums)
    if (!same_form_p (&sum, sight, original, role))
      return false;
  for (int product : region->products)
    if (!same_sight_p (marks[product - 1], role))
      return false;
  return forms_certain_p (region);
}

/* Tell the dump what the sums of REGION became, and those that have no marks in CHILD, SIGHT.  */
static void
dump_forms (const struct region *region, const struct child *child, const struct sight *sight)
{
  fprintf (dump_file, "role %d of %s: unmarked %d, original %d\n", child->role,
	   IDENTIFIER_POINTER (DECL_NAME (region->decl)), sight->unmarked, originals.get (region->original)->unmarked);
  for (const struct sum &sum : region->sums)
    {
      const struct mark &mark = marks[sum.mark - 1];
      fprintf (dump_file, "  sum %d: original %d, here %d%s\n", sum.mark, mark.form, mark.seen,
	       mark.in_vector ? ", vectors" : "");
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

  bool gate (function *fun) final override
  {
    return originals.get (fun->decl) || children.get (fun->decl);
  }

  unsigned execute (function *fun) final override
  {
    struct sight sight = look_at (fun);
    const struct child *child = children.get (fun->decl);
    if (!child)
      {
	keep_forms ();
	originals.put (fun->decl, sight);
	return 0;
      }
    const struct region *region = regions[child->region];
    if (dump_file)
      dump_forms (region, child, &sight);
    if (!same_p (region, &sight, child->role))
      do_without (child);
    return 0;
  }
};

}

gimple_opt_pass *
pg_make_pass_rounding (gcc::context *context)
{
  return new pass_rounding (context);
}
