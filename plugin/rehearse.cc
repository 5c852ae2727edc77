/* SPDX-License-Identifier: GPL-3.0-or-later
   How a function rounds, tried out beforehand.

   Where the target has fused multiply-add, what surrounds a product may decide whether it is rounded by itself; and a
   guard is in the way of much that the compiler does with what surrounds it: moving a product out of a loop, making
   one of two, unrolling.  To know is better than to guess:

       cc1 --+-- fork: the function goes on as it stands, up to pground;	tells what each sum became
	     +-- fork: with its sums set apart from each other (parted.cc);	tells what became something else
	     +-- fork: with its loops handed over, up to pground;		tells what became something else
	     +-- ...   with fewer of them, until all sums are what they are as it stands
	     |
	     goes on with those

   A process that tries a function out writes to its pipe only, and ends without a trace.  It does exactly what this one
   would do.  What the first one tells is also what F and whatever else is made of a loop are compared with
   (rounding.cc).

   Where the second one becomes what the first one did, each sum is what its copies show.  Otherwise some copy is
   another sum's, which the compiler found to be the same and which rounds otherwise, or is nothing at all: loops with
   sums that differ are not handed over, and nothing is told.

   A guard has nothing to be in the way of if the loop is all that there is in the function, and no sum adds two
   products, of which the first is fused: copies of it have them in any order.  Then there is nothing to try out: once
   the function is compiled, that shows what each sum is, soon enough for F, which comes after it.  Where processes
   cannot be had, or fail, nothing of the function is handed over.  */

#include "rehearse.h"
#include "judge.h"
#include "products.h"

/* What is not handed over.  */
enum caution
{
  CAUTION_NONE,
  CAUTION_SINGLE, /* loops inside one that is handed over */
  CAUTION_LOOPS,  /* and those in which something differed */
  CAUTION_ALL
};

/* With CAUTION_LOOPS, more loops may differ once others are not handed over: this often.  */
static const unsigned max_tries = 4;

/* What is said of a mark; of number 0, the last one, of the function.  */
struct line
{
  int number;
  struct pg_shape shape;
  struct pg_sight sight;
};

/* The current function: its first mark, what there is beside marks, and what was found out.  */
static int first_mark;
static struct pg_sight plain;
static enum caution caution;
static bool is_needed;   /* it is still to be tried out */
static bool may_fuse;    /* it was to be */
static bool is_tried;    /* it could be, as far as is known */
static tree open_decl;   /* it, if it need not be, until it is compiled */
static bool is_tellable; /* its sums are what their copies show, and what is made of it may be told that */
static hash_set<int_hash<int, -1, -2>> *differing;

/* In a process that tries something out: where to tell of it, and what it is.  */
static int to_parent = -1;
static enum trial { TRIAL_PLAIN, TRIAL_PARTED, TRIAL_GUARDED } trial;

/* True if the current function has a product that may be fused with a sum.  One that is exact may be made in another
   type, where it is not.  What flags forbid is done all the same in vectors in which sums and differences take turns
   (x86's vfmaddsub).  */
static bool
products_p ()
{
  bool sums = flag_fp_contract_mode == FP_CONTRACT_FAST, differences = sums, products = false;
  unsigned i;
  tree name;
  FOR_EACH_SSA_NAME (i, name, cfun)
  {
    gimple *def = SSA_NAME_DEF_STMT (name);
    if (!is_gimple_assign (def) || !FLOAT_TYPE_P (TREE_TYPE (name)))
      continue;
    tree_code code = gimple_assign_rhs_code (def);
    sums |= code == PLUS_EXPR;
    differences |= code == MINUS_EXPR || code == NEGATE_EXPR;
    products |= !products && pg_target_fuses_p (name) && pg_may_be_summed_p (name);
  }
  return sums && differences && products;
}

void
pg_rehearsal_begin (void)
{
  delete differing;
  differing = new hash_set<int_hash<int, -1, -2>>;
  caution = CAUTION_NONE;
  is_tried = true;
  open_decl = NULL_TREE;
  is_tellable = false;
  plain = {};
  first_mark = pg_forms_end ();
  bool open = flag_associative_math || flag_unsafe_math_optimizations || flag_reciprocal_math;
  may_fuse = is_needed = !open && products_p ();
}

bool
pg_rehearsal_may_fuse_p (void)
{
  return may_fuse;
}

bool
pg_rehearsing_p (void)
{
  return to_parent >= 0;
}

bool
pg_rehearsal_parted_p (void)
{
  return pg_rehearsing_p () && trial == TRIAL_PARTED;
}

bool
pg_rehearsal_tellable_p (void)
{
  return is_tellable;
}

bool
pg_rehearsed_p (void)
{
  return pg_forms_end () > first_mark;
}

bool
pg_rehearsal_single_p (void)
{
  return caution >= CAUTION_SINGLE;
}

struct pg_sight
pg_rehearsal_plain (void)
{
  return plain;
}

/* The function cannot be tried out.  */
static void
give_up ()
{
  is_tried = false;
  caution = CAUTION_ALL;
}

bool
pg_rehearsal_tried_p (void)
{
  return is_tried;
}

gimple *
pg_rehearsal_differs (const struct pg_plan *plan)
{
  if (caution == CAUTION_ALL)
    return last_stmt (plan->exit->src);
  if (caution != CAUTION_LOOPS)
    return NULL;
  gimple *found = NULL;
  basic_block *body = get_loop_body (plan->loop);
  for (unsigned i = 0; i < plan->loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi) && !found; gsi_next (&gsi))
      if (differing->contains (pg_forms_mark_of (gsi_stmt (gsi))))
	found = gsi_stmt (gsi);
  free (body);
  return found;
}

/* Say nothing to anybody but the parent.  */
static void
fall_silent ()
{
  int nowhere = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2 (nowhere, STDOUT_FILENO);
  dup2 (nowhere, STDERR_FILENO);
  for (int phase = TDI_none + 1; dump_file_info *info = g->get_dumps ()->get_dump_file_info (phase); phase++)
    info->pstate = info->alt_state = 0;
}

/* Start a process that tries the function out.  Return its number, 0 in itself, -1 if there is none; *FROM_CHILD is
   where it will tell of it.  */
static pid_t
start (int *from_child)
{
  int ends[2];
  if (pipe2 (ends, O_CLOEXEC))
    return -1;
  fflush (NULL); /* it has nothing to write, even if it fails */
  pid_t pid = fork ();
  close (ends[pid != 0]);
  if (pid == 0)
    {
      to_parent = ends[1];
      fall_silent ();
    }
  else if (pid < 0)
    close (ends[0]);
  else
    *from_child = ends[0];
  return pid;
}

/* Read LEN bytes to AT from FD; false if there are not so many.  */
static bool
read_all (int fd, void *at, size_t len)
{
  for (char *to = (char *) at; len > 0;)
    {
      ssize_t n = read (fd, to, len);
      if (n == 0 || (n < 0 && errno != EINTR))
	return false;
      to += MAX (n, 0);
      len -= MAX (n, 0);
    }
  return true;
}

static void
write_all (int fd, const void *at, size_t len)
{
  for (const char *from = (const char *) at; len > 0;)
    {
      ssize_t n = write (fd, from, len);
      if (n < 0 && errno != EINTR)
	_exit (FATAL_EXIT_CODE);
      from += MAX (n, 0);
      len -= MAX (n, 0);
    }
}

/* Hear the process PID, which is at the other end of FD, out; false if it failed.  LINES is what it told, the last one
   of number 0.  */
static bool
hear (pid_t pid, int fd, vec<struct line> *lines)
{
  struct line line;
  bool is_complete = false;
  while (!is_complete && read_all (fd, &line, sizeof line))
    {
      lines->safe_push (line);
      is_complete = line.number == 0;
    }
  close (fd);
  int status;
  while (waitpid (pid, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  return is_complete && WIFEXITED (status) && WEXITSTATUS (status) == SUCCESS_EXIT_CODE;
}

/* Learn what the function's sums are as it stands, from LINES.  */
static void
learn (vec<struct line> &lines)
{
  for (const struct line &line : lines)
    if (line.number)
      pg_forms_at (line.number)->plain = line.shape;
  plain = lines.last ().sight;
}

/* Tell the dump what differs.  */
static void
dump_lines (vec<struct line> &lines)
{
  for (const struct line &line : lines)
    if (line.number)
      fprintf (dump_file, "%s %d is %d as it stands, %d handed over; shapes are %s\n",
	       pg_forms_at (line.number)->is_sum ? "sum" : "product", line.number,
	       pg_forms_at (line.number)->plain.form, line.shape.form,
	       pg_forms_at (line.number)->plain.mix == line.shape.mix ? "alike" : "not alike");
    else
      fprintf (dump_file, "unmarked sums are %d as it stands, %d handed over\n", plain.unmarked, line.sight.unmarked);
}

/* True if LINE is of a sum that takes in no product, in however many copies.  */
static bool
harmless_p (const struct line &line)
{
  const struct pg_mark *mark = pg_forms_at (line.number);
  return mark->takes_none && mark->plain.form == PG_SUM_APART && line.shape.form == PG_SUM_APART;
}

/* True if LINE is of a mark that is seen only as the function stands, or only otherwise.  */
static bool
seen_once_p (const struct line &line)
{
  return (pg_forms_at (line.number)->plain.form == PG_SUM_UNSEEN) != (line.shape.form == PG_SUM_UNSEEN);
}

/* True if those LINES whose marks are seen once tell of the same statements: of two that become one, one mark is
   left.  */
static bool
renamed_p (vec<struct line> &lines)
{
  uint64_t balance = 0;
  for (const struct line &line : lines)
    if (line.number && seen_once_p (line))
      balance += pg_forms_at (line.number)->plain.mix - line.shape.mix;
  return balance == 0;
}

/* True if SIGHT is what there is beside marks as the function stands.  */
static bool
same_sight_p (const struct pg_sight &sight)
{
  return sight.unmarked == plain.unmarked && sight.masked == plain.masked && sight.crosses == plain.crosses;
}

/* Learn what differs, from LINES.  True if something does; *IS_NEW is set if that was not known.  */
static bool
learn_differing (vec<struct line> &lines, bool *is_new)
{
  const struct pg_sight &sight = lines.last ().sight;
  if (dump_file)
    dump_lines (lines);
  bool all = !same_sight_p (sight);
  bool renamed = renamed_p (lines), found = all;
  for (const struct line &line : lines)
    if (line.number && !harmless_p (line) && !(renamed && seen_once_p (line)))
      {
	*is_new |= !differing->add (line.number);
	found = true;
      }
  for (int number = first_mark; all && number < pg_forms_end (); number++)
    *is_new |= !differing->add (number);
  return found;
}

/* True if all sums that are seen in the function as it stands are of one kind: whichever of their copies are found to
   be the same, they round alike.  */
static bool
uniform_p ()
{
  int kind = plain.unmarked;
  for (int number = first_mark; number < pg_forms_end (); number++)
    {
      const struct pg_mark *mark = pg_forms_at (number);
      int one = mark->is_sum ? pg_sum_kind (mark->plain.form) : (int) PG_SUM_UNSEEN;
      if (one != PG_SUM_UNSEEN && one != kind)
	kind = kind == PG_SUM_UNSEEN ? one : (int) PG_SUM_MIXED;
    }
  return kind != PG_SUM_MIXED;
}

/* True if some sum is fused in all of its copies.  */
static bool
any_fused_p ()
{
  for (int number = first_mark; number < pg_forms_end (); number++)
    if (pg_forms_at (number)->is_sum && pg_sum_kind (pg_forms_at (number)->plain.form) == PG_SUM_FUSED)
      return true;
  return false;
}

/* True if no flag lets sums or products of constants be left out that are not exact.  */
static bool
exact_flags_p ()
{
  return flag_signed_zeros && !flag_finite_math_only;
}

/* Try one thing out: FOUND is what is told of it.  False if this is the process for that.  *HAS_TOLD:
   whether it could be.  */
static bool
rehearse_one (enum trial one, vec<struct line> *found, bool *has_told)
{
  int from_child;
  pid_t pid = start (&from_child);
  trial = one;
  *has_told = pid > 0 && hear (pid, from_child, found);
  return pid != 0;
}

/* Try the function out as it stands.  False if this is the process for that.  */
static bool
rehearse_plain ()
{
  auto_vec<struct line> lines;
  bool has_told;
  if (!rehearse_one (TRIAL_PLAIN, &lines, &has_told))
    return false;
  if (has_told)
    learn (lines);
  else
    give_up ();
  return true;
}

/* See whether each sum is what its copies show.  False if this is the process for that.  */
static bool
rehearse_parted ()
{
  is_tellable = exact_flags_p () && uniform_p ();
  if (uniform_p () || !any_fused_p ())
    return true;
  auto_vec<struct line> lines;
  bool has_told;
  if (!rehearse_one (TRIAL_PARTED, &lines, &has_told))
    return false;
  bool is_new = false, is_same = has_told && !learn_differing (lines, &is_new);
  if (dump_file)
    fprintf (dump_file, "set apart: %s\n", is_same ? "the same" : "something else");
  is_tellable = is_same && exact_flags_p ();
  if (!has_told)
    give_up ();
  else if (!is_same)
    caution = CAUTION_LOOPS;
  return true;
}

/* Try the function out with what is handed over now.  True if something may be, and that is to be tried out, too.  */
static bool
rehearse_again (unsigned n_tries)
{
  auto_vec<struct line> lines;
  bool has_told, is_new = false;
  if (!rehearse_one (TRIAL_GUARDED, &lines, &has_told))
    return false;
  if (!has_told)
    give_up ();
  else if (!learn_differing (lines, &is_new))
    return false;
  else if (caution < CAUTION_LOOPS)
    caution = (enum caution) (caution + 1);
  else if (!is_new || n_tries == max_tries)
    caution = CAUTION_ALL;
  return caution != CAUTION_ALL;
}

bool
pg_rehearse (const struct pg_plan *plan, bool is_alone)
{
  if (!is_needed)
    return true;
  is_needed = false;
  /* Where functions are compiled in the order of the source, data are written before F is compared.  */
  if (!flag_toplevel_reorder || !pg_forms_mark (&first_mark))
    {
      give_up ();
      return true;
    }
  /* As long as it is open, what is asked of copies is answered with care.  */
  open_decl = is_alone ? current_function_decl : NULL_TREE;
  if (open_decl && !pg_judge_copies (plan))
    return true;
  open_decl = NULL_TREE;
  if (!rehearse_plain () || (caution != CAUTION_ALL && !rehearse_parted ()))
    return false;
  for (unsigned n_tries = 1; caution != CAUTION_ALL && !is_alone && rehearse_again (n_tries); n_tries++)
    continue;
  return true;
}

bool
pg_rehearsal_open_p (void)
{
  return open_decl != NULL_TREE;
}

bool
pg_rehearsal_settle (function *fun)
{
  if (fun->decl != open_decl)
    return false;
  open_decl = NULL_TREE;
  plain = pg_forms_look (fun);
  for (int number = first_mark; number < pg_forms_end (); number++)
    pg_forms_at (number)->plain = pg_forms_at (number)->seen;
  is_tellable = exact_flags_p () && uniform_p ();
  return true;
}

static bool
same_p (const struct pg_shape &a, const struct pg_shape &b)
{
  return a.form == b.form && a.mix == b.mix;
}

void
pg_rehearsal_end (function *fun)
{
  struct line last = { 0, {}, pg_forms_look (fun) };
  for (int number = first_mark; number < pg_forms_end (); number++)
    {
      const struct pg_mark *mark = pg_forms_at (number);
      struct line line = { number, mark->seen, {} };
      if (trial == TRIAL_PLAIN ? mark->seen.form != PG_SUM_UNSEEN : !same_p (mark->plain, mark->seen))
	write_all (to_parent, &line, sizeof line);
    }
  write_all (to_parent, &last, sizeof last);
  _exit (SUCCESS_EXIT_CODE);
}
