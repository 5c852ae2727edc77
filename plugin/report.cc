/* SPDX-License-Identifier: GPL-3.0-or-later
   One verdict per loop, told three ways.

       -fopt-info-loop              a.c:7:3: missed: paragon: loop not handed over: sequential (fp-order: ...)
       -fplugin-arg-paragon-report  {"file":"a.c","line":7,...} appended to the file, one line a loop
       .paragon.verdicts            the same lines, in a section of the object that is never loaded

   The section is what survives a compiler cache.  The file gets all lines of a unit in one write, so that units
   compiled side by side do not mix.  A loop that was inlined into several functions, or cloned, has a line for
   each.  */

#include "report.h"
#include "json-text.h"
#include "judge.h"
#include "plugin-options.h"
#include "where.h"

static const char *const class_names[] = { "parallel", "possibly parallel", "sequential" };

/* The lines of this unit.  */
static struct pg_json lines;

/* What a line may be.  */
enum line_text
{
  LINE_AS_IT_IS,
  LINE_SHUT,
  LINE_LIFTED
};

/* A line that may still change: LEN bytes from START on are of REGION.  */
struct open_line
{
  const_tree region;
  location_t where;
  unsigned start, len;
  struct pg_json *shut, *lifted; /* what else it would be; owned */
  enum line_text text;
};
static auto_vec<struct open_line> open_lines;

/* What pg_report_begin took from the loop: members of the current line.  */
static struct pg_json begun;

/* Add the line of LOOP and of each loop in it that is in FILE's file, outer before inner.  */
static void
put_nest (struct pg_json *json, class loop *loop, location_t file)
{
  location_t where = find_loop_location (loop).get_location_t ();
  if (pg_same_file_p (where, file))
    pg_json_number (json, NULL, pg_line (where));
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    put_nest (json, inner, file);
}

/* Add the line of WHERE as LINE, and its file as FILE if that is not the file of LOOP: it was inlined from there.  */
static void
put_place (struct pg_json *json, const char *line, const char *file, location_t where, location_t loop)
{
  pg_json_number (json, line, pg_line (where));
  if (pg_line (where) && !pg_same_file_p (where, loop))
    pg_json_string (json, file, pg_file_name (where));
}

/* Return the name of the variable that memory OPERAND starts from, or NULL_TREE: x for *(x + i * 8), if x says anything
   to the user.  */
static tree
base_name (tree operand)
{
  tree base = get_base_address (operand);
  if (base && (TREE_CODE (base) == MEM_REF || TREE_CODE (base) == TARGET_MEM_REF))
    base = TREE_OPERAND (base, 0);

  while (base && TREE_CODE (base) == SSA_NAME && !SSA_NAME_IDENTIFIER (base))
    {
      gimple *def = SSA_NAME_DEF_STMT (base);
      if (!is_gimple_assign (def) || gimple_assign_load_p (def))
	return NULL_TREE;
      base = gimple_assign_rhs1 (def);
    }
  if (base && TREE_CODE (base) == SSA_NAME)
    return SSA_NAME_IDENTIFIER (base);
  if (base && TREE_CODE (base) == ADDR_EXPR)
    base = get_base_address (TREE_OPERAND (base, 0));
  return base && DECL_P (base) ? DECL_NAME (base) : NULL_TREE;
}

static const char *
access_name (unsigned flags)
{
  if (!(flags & PG_REF_WRITE))
    return "read";
  return flags & PG_REF_READ ? "update" : "write";
}

/* Add what PLAN knows of its reference number I.  */
static void
put_reference (struct pg_json *json, const struct pg_plan *plan, unsigned i)
{
  const struct pg_plan_ref &ref = plan->refs[i];
  pg_json_open (json, NULL, '{');
  put_place (json, "line", "file", ref.where, plan->where);
  for (const auto &access : plan->accesses)
    if (access.ref == (int) i)
      {
	tree name = base_name (access.operand);
	if (name)
	  pg_json_string (json, "base", IDENTIFIER_POINTER (name));
	break;
      }
  pg_json_string (json, "access", access_name (ref.flags));
  const struct pg_plan_work_array *array = pg_work_array_of (plan, ref.group);
  pg_json_string (json, "form",
		  array && array->store       ? "cursors"
		  : array                     ? (array->is_reduction ? "array-reduction" : "work-array")
		  : ref.flags & PG_REF_AFFINE ? "affine"
					      : "opaque");
  pg_json_number (json, "group", ref.group);
  pg_json_number (json, "len", ref.len);
  pg_json_close (json, '}');
}

void
pg_report_begin (function *fun, const struct pg_plan *plan)
{
  expanded_location where = expand_location (plan->where);
  begun.text.truncate (0);
  pg_json_open (&begun, NULL, '{');
  pg_json_string (&begun, "file", pg_file_name (plan->where));
  pg_json_number (&begun, "line", where.line);
  pg_json_number (&begun, "column", where.column);
  pg_json_string (&begun, "function", pg_function_name (fun->decl));
  pg_json_number (&begun, "depth", loop_depth (plan->loop));
  pg_json_open (&begun, "nest", '[');
  put_nest (&begun, plan->loop, plan->where);
  pg_json_close (&begun, ']');

  pg_json_open (&begun, "references", '[');
  for (unsigned i = 0; i < plan->refs.length (); i++)
    put_reference (&begun, plan, i);
  pg_json_close (&begun, ']');
}

/* Put the current line into JSON: what was begun, PLAN's verdict, and what became of the kernel.  */
static void
put_line (struct pg_json *json, const struct pg_plan *plan, const char *kernel)
{
  const struct pg_reason_text *reason = &pg_reasons[plan->reason];
  pg_json_raw (json, begun.text.address (), begun.text.length ());
  pg_json_string (json, "class", class_names[plan->klass]);
  pg_json_string (json, "reason", reason->name);
  pg_json_string (json, "text", reason->text);
  pg_json_string (json, "remedy", reason->remedy);
  if (plan->detail)
    pg_json_string (json, "detail", plan->detail);
  if (plan->reason_where != UNKNOWN_LOCATION)
    put_place (json, "detail_line", "detail_file", plan->reason_where, plan->where);
  if (plan->without)
    {
      pg_json_string (json, "without", plan->without);
      put_place (json, "switch_line", "switch_file", plan->switch_where, plan->where);
    }
  pg_json_bool (json, "outlined", plan->outline);
  if (plan->outline)
    pg_json_number (json, "threshold", plan->threshold);
  if (kernel)
    pg_json_string (json, "kernel", kernel);
  pg_json_close (json, '}');
  pg_json_raw (json, "\n", 1);
}

/* Note what the line of PLAN's loop, from START on, would be if its region were shut, and once its kernel is no longer
   open.  */
static void
note_other_lines (const struct pg_plan *plan, unsigned start)
{
  struct pg_plan shut = {};
  shut.where = plan->where;
  shut.klass = pg_reasons[PG_WHY_FP_CONTRACT].klass;
  shut.reason = PG_WHY_FP_CONTRACT;
  shut.reason_where = UNKNOWN_LOCATION;
  unsigned len = lines.text.length () - start;
  struct open_line line
    = { plan->region, plan->where, start, len, new struct pg_json, new struct pg_json, LINE_AS_IT_IS };
  put_line (line.shut, &shut, NULL);
  put_line (line.lifted, plan, plan->kernel_then);
  open_lines.safe_push (line);
}

/* Give the remark, for -fopt-info-loop and the pass's dump.  */
static void
remark (const struct pg_plan *plan)
{
  const struct pg_reason_text *reason = &pg_reasons[plan->reason];
  dump_user_location_t where = dump_user_location_t::from_location_t (plan->where);
  if (plan->outline && plan->klass == PG_CLASS_PARALLEL)
    dump_printf_loc (MSG_OPTIMIZED_LOCATIONS, where, "paragon: loop is parallel (%s)%s%s\n", reason->name,
		     plan->without ? " without " : "", plan->without ? plan->without : "");
  else if (plan->outline)
    dump_printf_loc (MSG_OPTIMIZED_LOCATIONS, where, "paragon: loop is %s (%s: %s)%s%s\n", class_names[plan->klass],
		     reason->name, reason->text, plan->without ? " without " : "", plan->without ? plan->without : "");
  else
    dump_printf_loc (MSG_MISSED_OPTIMIZATION, where, "paragon: loop not handed over: %s (%s: %s%s%s%s%s)\n",
		     class_names[plan->klass], reason->name, reason->text, plan->detail ? ": " : "",
		     plan->detail ? plan->detail : "", *reason->remedy ? "; " : "", reason->remedy);
}

void
pg_report_lifted (const_tree region)
{
  for (struct open_line &line : open_lines)
    if (line.region == region)
      line.text = LINE_LIFTED;
}

void
pg_report_shut (const_tree region)
{
  for (struct open_line &line : open_lines)
    if (line.region == region && line.text != LINE_SHUT)
      {
	line.text = LINE_SHUT;
	if (dump_enabled_p ())
	  dump_printf_loc (MSG_MISSED_OPTIMIZATION, dump_user_location_t::from_location_t (line.where),
			   "paragon: loop not handed over after all (%s: %s)\n", pg_reasons[PG_WHY_FP_CONTRACT].name,
			   pg_reasons[PG_WHY_FP_CONTRACT].text);
      }
}

void
pg_report_loop (const struct pg_plan *plan)
{
  unsigned start = lines.text.length ();
  put_line (&lines, plan, plan->kernel);
  if (plan->outline && plan->fuses)
    note_other_lines (plan, start);
  if (dump_enabled_p ())
    remark (plan);
}

/* Write the lines into a section of their own, which as a debugging section is not loaded.  */
static void
write_section ()
{
  switch_to_section (get_section (".paragon.verdicts", SECTION_DEBUG, NULL));
  assemble_string (lines.text.address (), lines.text.length ());
}

/* Append the lines to the file that was asked for.  */
static void
append_to_file (const char *name)
{
  int fd = open (name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  const char *text = lines.text.address ();
  size_t left = lines.text.length ();
  bool failed = fd < 0;
  while (!failed && left)
    {
      ssize_t n = write (fd, text, left);
      if (n < 0 && errno == EINTR)
	continue;
      failed = n < 0;
      text += n;
      left -= n;
    }
  if (failed)
    error_at (UNKNOWN_LOCATION, "paragon: cannot write the report %qs: %m", name);
  if (fd >= 0)
    close (fd);
}

/* Put what each open line is in the end in its place.  */
static void
settle_lines ()
{
  struct pg_json settled;
  unsigned at = 0;
  for (struct open_line &line : open_lines)
    {
      if (line.text != LINE_AS_IT_IS)
	{
	  const struct pg_json *text = line.text == LINE_SHUT ? line.shut : line.lifted;
	  pg_json_raw (&settled, lines.text.address () + at, line.start - at);
	  pg_json_raw (&settled, text->text.address (), text->text.length ());
	  at = line.start + line.len;
	}
      delete line.shut;
      delete line.lifted;
    }
  if (at == 0)
    return;
  pg_json_raw (&settled, lines.text.address () + at, lines.text.length () - at);
  lines.text.truncate (0);
  pg_json_raw (&lines, settled.text.address (), settled.text.length ());
}

void
pg_report_write ()
{
  settle_lines ();
  if (!lines.text.is_empty ())
    write_section ();
  if (pg_options.report)
    append_to_file (pg_options.report);
}
