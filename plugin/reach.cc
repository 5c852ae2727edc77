/* SPDX-License-Identifier: GPL-3.0-or-later
   Whether the stores of one reference reach all that another one touches, where numbers known on entry tell:

       for (j = 0; j < m; j++)
	 line[j] = a[j];
       for (j = from; j < to; j++)	from - 1 >= 0 and m - 1 - to >= 0
	 b[j] = line[j + 1] - line[j - 1];

   What is touched, in turn J of its loop, is among what is stored in turn J + SHIFT of the other one, in each
   dimension.  So each SHIFT must be 0 or more, and the turns of the first plus SHIFT no more than those of the second.
   The stores of several references may do so together: those turns of one dimension of what is touched in which each
   of them does are intervals, and follow each other.

       line[0] = 0;			turns [0, 1) of the last loop
       for (j = 1; j < m - 1; j++)	[1, m - 1)
	 line[j] = a[j];
       line[m - 1] = 0;			[m - 1, m)
       for (j = 0; j < n; j++)		m - n >= 0
	 b[j] = line[j];

   These are polynomials in what entry expressions are made of, exact ones: the runtime computes with 64 bits, and
   rejects what has no room there.  Where they are numbers, they are decided here; others become checks, which are made
   at each entry (struct pg_wrap_check), and without which nothing of the region is known by numbers.  */

#include "reach.h"

/* A direction in which addresses go on, by BYTES from turn to turn, 0 if that is no constant: the dimensions of what is
   stored and of what is touched that do so, -1 if there is none.  */
struct step
{
  int stored, touched;
  HOST_WIDE_INT bytes;
};

/* Sort from wide steps to narrow ones.  */
static int
compare_steps (const void *a, const void *b)
{
  const struct step *left = (const struct step *) a, *right = (const struct step *) b;
  unsigned HOST_WIDE_INT left_bytes = absu_hwi (left->bytes), right_bytes = absu_hwi (right->bytes);
  return left_bytes == right_bytes ? left->stored - right->stored : left_bytes < right_bytes ? 1 : -1;
}

/* The node of PLAN that stands for VALUE as the entry finds it, or -1.  */
static int
node_of (const struct pg_plan *plan, tree value)
{
  for (unsigned i = 0; i < plan->nodes.length (); i++)
    if (plan->nodes[i].op == PG_NODE_ARG && plan->nodes[i].leaf == value)
      return i;
  return -1;
}

/* Set *PART and *NUMBER if VALUE is their sum, another value and a number, that cannot have wrapped around.  */
static bool
sum_with_number_p (tree value, tree *part, HOST_WIDE_INT *number)
{
  gassign *def = TREE_CODE (value) == SSA_NAME ? dyn_cast<gassign *> (SSA_NAME_DEF_STMT (value)) : NULL;
  enum tree_code code = def ? gimple_assign_rhs_code (def) : TREE_CODE (value);
  if (code != PLUS_EXPR || !INTEGRAL_TYPE_P (TREE_TYPE (value)) || !TYPE_OVERFLOW_UNDEFINED (TREE_TYPE (value)))
    return false;
  *part = def ? gimple_assign_rhs1 (def) : TREE_OPERAND (value, 0);
  tree other = def ? gimple_assign_rhs2 (def) : TREE_OPERAND (value, 1);
  *number = tree_fits_shwi_p (other) ? tree_to_shwi (other) : 0;
  return tree_fits_shwi_p (other);
}

/* Add to SUM NUMBER times node LEAF of PLAN, as what it was made of, if that is another such node and a number.  */
static bool
add_made_of (const struct pg_plan *plan, int leaf, HOST_WIDE_INT number, struct pg_polynomial *sum)
{
  tree part;
  HOST_WIDE_INT more;
  int node = sum_with_number_p (plan->nodes[leaf].leaf, &part, &more) ? node_of (plan, part) : -1;
  struct pg_polynomial rest = { 1, { { number, 1, { (int) num_ssa_names + (node < 0 ? leaf : node) } } } };
  return (node < 0 || (!__builtin_mul_overflow (number, more, &more) && pg_add_number (sum, more)))
	 && pg_add (sum, rest, 1);
}

/* Set SUM to node INDEX of PLAN, such that nodes which are a number apart look so.  */
static bool
expand (const struct pg_plan *plan, int index, struct pg_polynomial *sum)
{
  struct pg_polynomial all;
  sum->n_terms = 0;
  if (!pg_expand (plan, index, false, &all))
    return false;
  for (const struct pg_term &term : all)
    {
      struct pg_polynomial same = { 1, { term } };
      if (term.n_leaves == 1 ? !add_made_of (plan, term.leaves[0] - (int) num_ssa_names, term.number, sum)
			     : !pg_add (sum, same, 1))
	return false;
    }
  return true;
}

/* Set DISTANCE to node A of PLAN minus node B.  */
static bool
subtract (const struct pg_plan *plan, int a, int b, struct pg_polynomial *distance)
{
  struct pg_polynomial subtrahend;
  return expand (plan, a, distance) && expand (plan, b, &subtrahend) && pg_add (distance, subtrahend, -1);
}

/* The steps of STEP bytes that there nearly are in NUMBER bytes.  */
static HOST_WIDE_INT
nearest_steps (HOST_WIDE_INT number, HOST_WIDE_INT step)
{
  HOST_WIDE_INT half = (number < 0) == (step < 0) ? step / 2 : -(step / 2);
  return (number + half) / step;
}

/* The steps of STEP bytes in NUMBER bytes that leave FIRST or more, and less than one step more.  */
static HOST_WIDE_INT
whole_steps (HOST_WIDE_INT number, HOST_WIDE_INT step, HOST_WIDE_INT first)
{
  HOST_WIDE_INT width = absu_hwi (step), rest = (number - first) % width;
  return (number - first - (rest < 0 ? rest + width : rest)) / step;
}

/* Move the steps of STEP bytes out of DISTANCE, to SHIFT.  If no shift of narrower steps may be below 0, IS_WHOLE,
   FIRST bytes or more are to be left, unless the entry knows of more that is left.  */
static bool
take_steps (HOST_WIDE_INT step, bool is_whole, HOST_WIDE_INT first, struct pg_polynomial *distance,
	    struct pg_polynomial *shift)
{
  const HOST_WIDE_INT max = HOST_WIDE_INT_1 << 60;
  *shift = *distance;
  if (step > max || step < -max)
    return false;
  for (const struct pg_term &term : *distance)
    if (term.number > max || term.number < -max)
      return false;
    else if (term.n_leaves > 0)
      is_whole &= term.number % step == 0;
  for (int i = 0; i < distance->n_terms; i++)
    {
      HOST_WIDE_INT number = distance->terms[i].number;
      bool is_number = distance->terms[i].n_leaves == 0;
      HOST_WIDE_INT n = is_whole && is_number ? whole_steps (number, step, first) : nearest_steps (number, step);
      shift->terms[i].number = n;
      distance->terms[i].number = number - n * step;
    }
  return true;
}

/* Add to NEEDS that VALUE is 0 or more.  False: it is not.  */
static bool
need (struct pg_needs *needs, const struct pg_polynomial &value)
{
  HOST_WIDE_INT number;
  if (pg_number_p (value, &number))
    return number >= 0;
  needs->values.safe_push (value);
  return true;
}

bool
pg_needs_leave_little_p (const struct pg_needs *needs, unsigned from)
{
  HOST_WIDE_INT number;
  for (unsigned i = from; i < needs->values.length (); i++)
    for (unsigned j = from; j < i; j++)
      {
	struct pg_polynomial sum = needs->values[i];
	if (pg_add (&sum, needs->values[j], 1) && pg_number_p (sum, &number))
	  return true;
      }
  return false;
}

static const HOST_WIDE_INT large = HOST_WIDE_INT_1 << 20;

/* What VALUE lacks to be 0 or more, where all that it is made of is one large number.  */
static HOST_WIDE_INT
lack_of (const struct pg_polynomial &value)
{
  HOST_WIDE_INT sum = 0, number = 0;
  for (const struct pg_term &term : value)
    if (term.n_leaves == 0)
      number = MAX (term.number, -large);
    else
      sum += MAX (MIN (term.number, large), -large);
  return sum > 0 ? 0 : sum < 0 ? large : MAX (-number, 0);
}

HOST_WIDE_INT
pg_needs_lack (const struct pg_needs *needs, unsigned from)
{
  HOST_WIDE_INT lack = pg_needs_leave_little_p (needs, from) ? HOST_WIDE_INT_1 << 30 : 0;
  for (unsigned i = from; i < needs->values.length (); i++)
    lack += lack_of (needs->values[i]);
  return lack;
}

bool
pg_needs_hopeless_p (const struct pg_needs *needs)
{
  for (const struct pg_polynomial &value : needs->values)
    if (lack_of (value) >= large)
      return true;
  return false;
}

bool
pg_at_least_p (const struct pg_plan *plan, const struct pg_polynomial &value, int index)
{
  struct pg_polynomial node, distance = value;
  HOST_WIDE_INT number;
  return expand (plan, index, &node) && pg_add (&distance, node, -1) && pg_number_p (distance, &number) && number >= 0;
}

bool
pg_need_node (struct pg_needs *needs, int index)
{
  struct pg_polynomial value;
  return expand (needs->plan, index, &value) && need (needs, value);
}

/* The operand of VALUE, a conversion of an integer to one of BITS, with a sign or IS_UNSIGNED; or NULL_TREE: it is
   none.  */
static tree
converted_from (tree value, unsigned bits, bool is_unsigned)
{
  if (!CONVERT_EXPR_P (value) || !INTEGRAL_TYPE_P (TREE_TYPE (value)) || TYPE_PRECISION (TREE_TYPE (value)) != bits
      || TYPE_UNSIGNED (TREE_TYPE (value)) != is_unsigned)
    return NULL_TREE;
  return INTEGRAL_TYPE_P (TREE_TYPE (TREE_OPERAND (value, 0))) ? TREE_OPERAND (value, 0) : NULL_TREE;
}

/* Set SUM to VALUE, as GCC computes a count of less than 64 bits that it knows to be 0 or more, with NEEDS: (long)
   (int) ((unsigned) N + K), with K no more than 0.  That is N + K if this is 0 or more.  */
static bool
expand_count_of (struct pg_needs *needs, tree value, struct pg_polynomial *sum)
{
  tree narrow = converted_from (value, 64, false);
  unsigned bits = narrow ? TYPE_PRECISION (TREE_TYPE (narrow)) : 64;
  tree total = bits < 64 ? converted_from (narrow, bits, false) : NULL_TREE;
  if (!total || TREE_CODE (total) != PLUS_EXPR || TYPE_PRECISION (TREE_TYPE (total)) != bits
      || TREE_CODE (TREE_OPERAND (total, 1)) != INTEGER_CST)
    return false;
  HOST_WIDE_INT more = wi::sext (wi::to_widest (TREE_OPERAND (total, 1)), bits).to_shwi ();
  tree n = converted_from (TREE_OPERAND (total, 0), bits, true);
  return n && more <= 0 && TYPE_PRECISION (TREE_TYPE (n)) == bits && !TYPE_UNSIGNED (TREE_TYPE (n))
	 && expand (needs->plan, pg_node_of_invariant (needs->plan, n), sum) && pg_add_number (sum, more)
	 && need (needs, *sum);
}

/* Set SUM to node INDEX of NEEDS' plan, a count.  */
static bool
expand_count (struct pg_needs *needs, int index, struct pg_polynomial *sum)
{
  tree leaf = needs->all_run && index >= 0 && needs->plan->nodes[index].op == PG_NODE_ARG
		? needs->plan->nodes[index].leaf
		: NULL_TREE;
  if (!leaf || TREE_CODE (leaf) != COND_EXPR || !integer_zerop (TREE_OPERAND (leaf, 2)))
    return expand (needs->plan, index, sum);
  tree test = TREE_OPERAND (leaf, 0);
  return COMPARISON_CLASS_P (test)
	 && pg_need_condition (needs, TREE_CODE (test), TREE_OPERAND (test, 0), TREE_OPERAND (test, 1), true)
	 && expand_count_of (needs, TREE_OPERAND (leaf, 1), sum);
}

/* Set LAST to the last turn of dimension DIM of NEEDS' plan, of one if that is -1.  False: it is not the same each
   time.  */
static bool
expand_last (struct pg_needs *needs, int dim, struct pg_polynomial *last)
{
  last->n_terms = 0;
  for (int i = 0; dim >= 0 && i < PG_MAX_DIMS; i++)
    if (needs->plan->dims[dim].last.coef[i] >= 0)
      return false;
  return dim < 0 || expand_count (needs, needs->plan->dims[dim].last.base, last);
}

/* Add to NEEDS that the first dimension of STEP has the turns of the second, which begin SHIFT turns later, or turn
   SHIFT if there is no second one.  */
static bool
need_turns (struct pg_needs *needs, const struct step *step, const struct pg_polynomial &shift)
{
  struct pg_polynomial more, turns;
  const struct pg_plan *plan = needs->plan;
  const struct pg_plan_linear none = pg_linear_zero ();
  const struct pg_plan_linear *last = &plan->dims[step->stored].last;
  const struct pg_plan_linear *touched_last = step->touched < 0 ? &none : &plan->dims[step->touched].last;
  for (int i = 0; i < PG_MAX_DIMS; i++)
    if (last->coef[i] != touched_last->coef[i])
      return false;
  return expand_count (needs, last->base, &more) && expand_count (needs, touched_last->base, &turns)
	 && pg_add (&more, turns, -1) && pg_add (&more, shift, -1) && need (needs, shift) && need (needs, more);
}

/* Turns [FIRST, END) of a dimension.  */
struct interval
{
  struct pg_polynomial first, end;
};

/* Set INTERVAL to the turns of the second dimension of STEP in which what is touched was stored in one of the first,
   which begin SHIFT turns earlier, if NEEDS hold.  */
static bool
find_interval (struct pg_needs *needs, const struct step *step, const struct pg_polynomial &shift,
	       struct interval *interval)
{
  interval->first.n_terms = 0;
  return expand_last (needs, step->stored, &interval->end) && pg_add_number (&interval->end, 1)
	 && pg_add (&interval->end, shift, -1) && pg_add (&interval->first, shift, -1);
}

/* Bytes from FROM up to TO, relative to an address.  */
struct span
{
  HOST_WIDE_INT from, to;
};

/* Make SPAN what TOUCHED touches at most in all turns of dimension D, if constants tell.  */
static bool
widen (const struct pg_plan *plan, const struct pg_plan_ref *touched, int d, struct span *span)
{
  const HOST_WIDE_INT max = HOST_WIDE_INT_1 << 40;
  HOST_WIDE_INT bytes, last, reach;
  if (!pg_node_value (plan, touched->address.coef[d], &bytes) || !pg_linear_constant (plan, &plan->dims[d].last, &last))
    return false;
  last -= last > 0 && pg_misses_last_p (touched, d);
  if (__builtin_mul_overflow (bytes, MAX (last, 0), &reach) || reach > max || reach < -max)
    return false;
  *(reach < 0 ? &span->from : &span->to) += reach;
  return true;
}

/* By how many bytes REF goes on in dimension D, 0 if that is no constant; *IS_BACK is set where it goes back in turns
   that the entry knows the number of, with NEEDS: they are taken for turns on from the last one.  */
static HOST_WIDE_INT
bytes_of (struct pg_needs *needs, const struct pg_plan_ref *ref, int d, bool *is_back)
{
  HOST_WIDE_INT bytes;
  struct pg_polynomial last;
  *is_back = false;
  if (!pg_node_value (needs->plan, ref->address.coef[d], &bytes) || bytes == HOST_WIDE_INT_MIN)
    return 0;
  *is_back = bytes < 0 && expand_last (needs, d, &last);
  return *is_back ? -bytes : bytes;
}

/* Add to SUM NUMBER times VALUE.  */
static bool
add_multiple (struct pg_polynomial *sum, const struct pg_polynomial &value, HOST_WIDE_INT number)
{
  struct pg_polynomial factor = { 1, { { number, 0, {} } } };
  return pg_add_product (sum, value, factor, 1);
}

/* Add to DISTANCE SIGN times how far from where REF of NEEDS' plan begins the last turn of dimension D is.  */
static bool
add_last_turn (struct pg_needs *needs, const struct pg_plan_ref *ref, int d, int sign, struct pg_polynomial *distance)
{
  struct pg_polynomial last, bytes;
  return expand_last (needs, d, &last) && expand (needs->plan, ref->address.coef[d], &bytes)
	 && pg_add_product (distance, last, bytes, sign);
}

/* Put into STEPS one for each of PART's dimensions, with that in which TOUCHED makes the same steps, and one of CHAIN
   bytes, unless that is 0, if none of them has those; SPAN is what is touched in one turn of all these.  What goes back
   is turned round, and DISTANCE, from what is stored to what is touched, goes with it.  False: that is not known.  */
static bool
pair_dims (struct pg_needs *needs, const struct pg_part *part, const struct pg_plan_ref *touched, HOST_WIDE_INT chain,
	   vec<struct step> *steps, struct span *span, struct pg_polynomial *distance)
{
  const struct pg_plan *plan = needs->plan;
  const struct pg_plan_ref *written = part->written;
  bool is_back, has_chain = chain == 0;
  for (int w : part->dims)
    {
      struct step step = { w, -1, bytes_of (needs, written, w, &is_back) };
      if (is_back && !add_last_turn (needs, written, w, -1, distance))
	return false;
      has_chain |= step.bytes == chain;
      steps->safe_push (step);
    }
  if (!has_chain)
    {
      struct step step = { -1, -1, chain };
      steps->safe_push (step);
    }
  span->from = 0;
  span->to = touched->len;
  for (int d : part->touched_dims)
    {
      HOST_WIDE_INT bytes = bytes_of (needs, touched, d, &is_back);
      int coef = touched->address.coef[d];
      unsigned i = 0;
      while (i < steps->length ()
	     && ((*steps)[i].touched >= 0 || coef < 0
		 || (bytes != 0 ? (*steps)[i].bytes != bytes
				: (*steps)[i].stored < 0 || written->address.coef[(*steps)[i].stored] != coef)))
	i++;
      if (i < steps->length ())
	(*steps)[i].touched = d;
      if (i < steps->length () ? is_back && !add_last_turn (needs, touched, d, 1, distance)
			       : coef >= 0 && !widen (plan, touched, d, span))
	return false;
    }
  return true;
}

/* True if PART is what TOUCHED touches, if all holds that is added to NEEDS, in the turns that INTERVAL is set to of
   what goes on by CHAIN bytes, or if that is 0, in all.  */
static bool
reaches_p (struct pg_needs *needs, const struct pg_part *part, const struct pg_plan_ref *touched, HOST_WIDE_INT chain,
	   struct interval *interval)
{
  const struct pg_plan *plan = needs->plan;
  auto_vec<struct step> steps;
  struct pg_polynomial distance, shift;
  struct span span;
  HOST_WIDE_INT rest;
  if (!subtract (plan, touched->address.base, part->written->address.base, &distance)
      || !pair_dims (needs, part, touched, chain, &steps, &span, &distance) || !pg_add_number (&distance, 0))
    return false;
  steps.qsort (compare_steps);
  for (unsigned i = 0; i < steps.length (); i++)
    {
      bool is_chain = chain != 0 && steps[i].bytes == chain;
      if (is_chain)
	chain = 0;
      shift.n_terms = 0;
      if (steps[i].bytes != 0 && !take_steps (steps[i].bytes, chain == 0, -span.from, &distance, &shift))
	return false;
      if (is_chain ? !find_interval (needs, &steps[i], shift, interval) : !need_turns (needs, &steps[i], shift))
	return false;
    }
  return pg_number_p (distance, &rest) && rest + span.from >= 0 && rest + span.to <= part->len;
}

/* True if PART, one piece of memory, holds all that TOUCHED touches, from end to end, if all holds that is added to
   NEEDS.  */
static bool
holds_span_p (struct pg_needs *needs, const struct pg_part *part, const struct pg_plan_ref *touched)
{
  const struct pg_plan *plan = needs->plan;
  const struct pg_plan_ref *written = part->written;
  HOST_WIDE_INT bytes;
  struct pg_polynomial from, to, end = {}, last;
  if (part->dims.length () != 1 || !pg_node_value (plan, written->address.coef[part->dims[0]], &bytes)
      || bytes != written->len || !subtract (plan, touched->address.base, written->address.base, &from)
      || !expand_last (needs, part->dims[0], &last) || !pg_add_number (&last, 1))
    return false;
  to = from;
  for (int d : part->touched_dims)
    {
      struct pg_polynomial turns;
      if (touched->address.coef[d] < 0)
	continue;
      if (!pg_node_value (plan, touched->address.coef[d], &bytes) || !expand_last (needs, d, &turns)
	  || !add_multiple (bytes < 0 ? &from : &to, turns, bytes))
	return false;
    }
  return add_multiple (&end, last, written->len) && pg_add (&end, to, -1) && pg_add_number (&end, -touched->len)
	 && need (needs, from) && need (needs, end);
}

bool
pg_reaches (struct pg_needs *needs, const struct pg_part *part, const struct pg_plan_ref *touched)
{
  unsigned n = needs->values.length ();
  if (reaches_p (needs, part, touched, 0, NULL))
    return true;
  needs->values.truncate (n);
  return holds_span_p (needs, part, touched);
}

/* A part, and the turns in which it is what is touched, if NEEDS hold.  */
struct link
{
  struct interval interval;
  struct pg_needs needs;
};

/* True if A - B is a number, *NUMBER.  */
static bool
number_between_p (const struct pg_polynomial &a, const struct pg_polynomial &b, HOST_WIDE_INT *number)
{
  struct pg_polynomial distance = a;
  return pg_add (&distance, b, -1) && pg_number_p (distance, number);
}

/* One of LINKS that is not in CHAIN, begins where turns up to END are those of others, or before, and leads further;
   NULL: there is none.  Where several do, one whose end is a number apart.  */
static struct link *
next_link (const vec<struct link *> &links, const vec<struct link *> &chain, const struct pg_polynomial &end)
{
  struct link *found = NULL;
  for (struct link *link : links)
    {
      HOST_WIDE_INT overlap, gain;
      if (chain.contains (link) || !number_between_p (link->interval.first, end, &overlap) || overlap > 0)
	continue;
      bool is_number = number_between_p (link->interval.end, end, &gain);
      if (is_number && gain > 0)
	return link;
      if (!is_number && !found)
	found = link;
    }
  return found;
}

/* What turns up to LAST, of which there are those up to END, lack, by what is likely.  */
static HOST_WIDE_INT
lack_behind (const struct pg_polynomial &end, const struct pg_polynomial &last)
{
  struct pg_polynomial more = end;
  return pg_add (&more, last, -1) && pg_add_number (&more, -1) ? lack_of (more) : HOST_WIDE_INT_MAX;
}

/* One of LINKS that is not in CHAIN, begins where turns up to END are those of others, or before, if what is added to
   NEEDS holds, and is likely to lead as far as LAST.  NULL: there is none, or NEEDS, which may be null, has values
   already.  */
static struct link *
next_link_if (const vec<struct link *> &links, const vec<struct link *> &chain, const struct pg_polynomial &end,
	      const struct pg_polynomial &last, struct pg_needs *needs)
{
  HOST_WIDE_INT number;
  struct link *found = NULL;
  if (!needs || !needs->values.is_empty ())
    return NULL;
  for (struct link *link : links)
    if (!chain.contains (link) && !number_between_p (link->interval.first, end, &number)
	&& lack_behind (link->interval.end, last) == 0)
      found = link;
  struct pg_polynomial overlap = end;
  return found && pg_add (&overlap, found->interval.first, -1) && need (needs, overlap) ? found : NULL;
}

/* Append to CHAIN those of LINKS that follow each other, from turn START on, as far as LAST or as there are any; once
   by what is added to NEEDS, unless that is null.  What is among others is left out.  */
static void
follow (const vec<struct link *> &links, const struct pg_polynomial &start, const struct pg_polynomial &last,
	struct pg_needs *needs, vec<struct link *> *chain)
{
  HOST_WIDE_INT number;
  struct pg_polynomial end = start;
  for (;;)
    {
      struct link *link = next_link (links, *chain, end);
      bool is_sure = link != NULL;
      if (!link)
	link = next_link_if (links, *chain, end, last, needs);
      if (!link)
	break;
      while (is_sure && !chain->is_empty ())
	{
	  unsigned n = chain->length ();
	  if (!number_between_p (link->interval.first, n > 1 ? (*chain)[n - 2]->interval.end : start, &number)
	      || number > 0)
	    break;
	  chain->pop ();
	}
      chain->safe_push (link);
      end = link->interval.end;
      if (number_between_p (end, last, &number) && number > 0)
	break;
    }
}

/* True if LINKS are, one behind the other, turns from 0 up to LAST, if all holds that is added to NEEDS.  Where they
   begin at 0 only if something holds, the most are taken that follow each other.

   An integer X from where the first one begins up to where the last one ends is in the first of them that ends behind
   it: this one begins where the one before ends, which is not behind X, or before.  So it does not matter that some may
   have no turns.  */
static bool
link_up (struct pg_needs *needs, const vec<struct link *> &links, const struct pg_polynomial &last)
{
  auto_vec<struct link *> chain, best;
  struct pg_polynomial start = {}, none = {}, more;
  struct pg_needs joint = {};
  joint.plan = needs->plan;
  follow (links, start, last, needs->by_equality ? &joint : NULL, &best);
  bool is_open = best.is_empty ();
  for (unsigned i = 0; is_open && i < links.length (); i++)
    {
      chain.truncate (0);
      follow (links, links[i]->interval.first, last, NULL, &chain);
      if (chain.length () > best.length ())
	{
	  best.truncate (0);
	  best.safe_splice (chain);
	  start = links[i]->interval.first;
	}
    }
  if (best.length () < 2)
    return false;
  for (const struct link *link : best)
    needs->values.safe_splice (link->needs.values);
  needs->values.safe_splice (joint.values);
  more = best.last ()->interval.end;
  return pg_add (&none, start, -1) && pg_add_number (&none, 0) && need (needs, none) && pg_add (&more, last, -1)
	 && pg_add_number (&more, -1) && need (needs, more);
}

/* The dimension in which TOUCHED goes on by BYTES, on or back; -1: none; -2: several.  */
static int
dim_by_bytes (struct pg_needs *needs, const struct pg_plan_ref *touched, HOST_WIDE_INT bytes)
{
  int found = -1;
  bool is_back;
  for (int d = touched->dim; d > 0; d = needs->plan->dims[d].parent)
    if (touched->address.coef[d] >= 0 && bytes_of (needs, touched, d, &is_back) == bytes)
      found = found == -1 ? d : -2;
  return found;
}

/* The same as pg_reach_jointly, of those of PARTS that are turns of CHAIN bytes.  */
static bool
reach_in_chain_p (struct pg_needs *needs, const vec<struct pg_part *> &parts, const struct pg_plan_ref *touched,
		  HOST_WIDE_INT chain)
{
  auto_delete_vec<struct link> links;
  struct pg_polynomial last;
  int dim = dim_by_bytes (needs, touched, chain);
  if (dim < -1 || !expand_last (needs, dim, &last))
    return false;
  for (struct pg_part *part : parts)
    {
      struct link *link = new struct link ();
      link->needs.plan = needs->plan;
      link->needs.all_run = needs->all_run;
      link->needs.values.safe_splice (part->needs.values);
      if ((dim < 0 || part->touched_dims.contains (dim))
	  && reaches_p (&link->needs, part, touched, chain, &link->interval)
	  && !pg_needs_leave_little_p (&link->needs, 0))
	links.safe_push (link);
      else
	delete link;
    }
  return link_up (needs, links, last);
}

bool
pg_reach_jointly (struct pg_needs *needs, const vec<struct pg_part *> &parts, const struct pg_plan_ref *touched)
{
  auto_vec<HOST_WIDE_INT> chains;
  unsigned n = needs->values.length ();
  bool is_back;
  for (const struct pg_part *part : parts)
    for (int w : part->dims)
      {
	HOST_WIDE_INT bytes = bytes_of (needs, part->written, w, &is_back);
	if (bytes != 0 && !chains.contains (bytes))
	  chains.safe_push (bytes);
      }
  for (HOST_WIDE_INT chain : chains)
    {
      if (reach_in_chain_p (needs, parts, touched, chain))
	return true;
      needs->values.truncate (n);
    }
  return false;
}

/* Set SUM to VALUE, an invariant integer.  False: it has no room in 64 bits with a sign.  */
static bool
expand_invariant (struct pg_plan *plan, tree value, struct pg_polynomial *sum)
{
  tree type = TREE_TYPE (value);
  sum->n_terms = 0;
  if (!INTEGRAL_TYPE_P (type) || !type_has_mode_precision_p (type) || TYPE_PRECISION (type) > 64
      || (TYPE_PRECISION (type) == 64 && TYPE_UNSIGNED (type)))
    return false;
  return TREE_CODE (value) == INTEGER_CST ? pg_add_number (sum, tree_to_shwi (value))
					  : expand (plan, pg_node_of_invariant (plan, value), sum);
}

/* Add to NEEDS that A - B is LEAST or more.  */
static bool
need_distance (struct pg_needs *needs, const struct pg_polynomial &a, const struct pg_polynomial &b,
	       HOST_WIDE_INT least)
{
  struct pg_polynomial distance = a;
  return pg_add (&distance, b, -1) && pg_add_number (&distance, -least) && need (needs, distance);
}

bool
pg_need_condition (struct pg_needs *needs, enum tree_code code, tree lhs, tree rhs, bool is_true)
{
  struct pg_polynomial a, b;
  if (!expand_invariant (needs->plan, lhs, &a) || !expand_invariant (needs->plan, rhs, &b))
    return false;
  switch (is_true ? code : invert_tree_comparison (code, false))
    {
    case GT_EXPR:
      return need_distance (needs, a, b, 1);
    case GE_EXPR:
      return need_distance (needs, a, b, 0);
    case LT_EXPR:
      return need_distance (needs, b, a, 1);
    case LE_EXPR:
      return need_distance (needs, b, a, 0);
    case EQ_EXPR:
      return need_distance (needs, a, b, 0) && need_distance (needs, b, a, 0);
    case NE_EXPR:
      return TYPE_UNSIGNED (TREE_TYPE (lhs)) && integer_zerop (rhs) && need_distance (needs, a, b, 1);
    default:
      return false;
    }
}
