/* SPDX-License-Identifier: MIT
   Loop program generator: statements of a loop body.  */

#include "generate.h"

static const char *const int_updates[] = { "+=", "-=", "*=", "&=", "|=", "^=", "+=", "+=" };

/* array[index] = value, or an update of it.  */
void
fz_store (struct fz_kernel *k)
{
  bool is_float = fz_chance (50);
  struct fz_array *array = fz_data_array (k, is_float);
  const char *element;

  if (!array)
    array = fz_data_array (k, is_float = !is_float);
  if (!array)
    return;
  element = fz_element (k, array, fz_chance (80));
  if (!is_float && fz_chance (25))
    fz_line (k, "%s = (%s) ((unsigned long) %s %.1s %s);", element, fz_type_name[array->type], element,
	     int_updates[fz_pick (8)], fz_int (k, 2, true));
  else if (is_float && k->accumulates && fz_chance (40))
    fz_line (k, "%s %s %s;", element, fz_chance (75) ? "+=" : "-=", fz_float_within (k, 2, FZ_FP_TOP));
  else if (is_float && fz_chance (15))
    fz_line (k, "%s = %s * 0.5 + %s;", element, element, fz_float_within (k, 2, FZ_FP_TOP / 2));
  else
    fz_line (k, "%s = %s;", element, fz_value (k, array->type));
}

/* Accumulate into one of the kernel's results: s += e, s = s < e ? s : e, if (c) s ^= e.  */
void
fz_accumulate (struct fz_kernel *k)
{
  struct fz_result *result = fz_result (k, fz_chance (20));
  const char *value, *name, *guard = "";

  if (!result)
    return;
  name = result->name;
  if (fz_chance (30))
    guard = fz_text ("if (%s) ", fz_condition (k));
  if (result->is_float)
    {
      value = fz_float_within (k, 2, FZ_FP_TOP);
      if (result->op < 6)
	fz_line (k, "%s%s += %s;", guard, name, value);
      else if (result->op < 8)
	fz_line (k, "%s%s = %s * 0.25 + %s;", guard, name, name, value);
      else
	fz_line (k, "%s{ %s t = %s; if (t %c %s) %s = t; }", guard, result->type, value, result->op & 1 ? '<' : '>',
		 name, name);
      return;
    }
  value = fz_int (k, 2, fz_chance (40));
  if (result->op < 8)
    fz_line (k, "%s%s = (%s) ((unsigned long) %s %.1s %s);", guard, name, result->type, name, int_updates[result->op],
	     value);
  else
    fz_line (k, "%s%s = (%s) %s %c %s ? (%s) %s : %s;", guard, name, result->type, value, result->op & 1 ? '<' : '>',
	     name, result->type, value, name);
}

/* A scalar of the body, used by later statements.  */
static void
temporary (struct fz_kernel *k)
{
  const char *name = fz_fresh (k, "t");

  if (fz_chance (50) && k->n_fp_temps < FZ_MAX_TEMPS)
    {
      fz_line (k, "double %s = %s;", name, fz_float_within (k, 2, FZ_FP_TOP));
      k->fp_temps[k->n_fp_temps++] = name;
    }
  else if (k->n_temps < FZ_MAX_TEMPS)
    {
      fz_line (k, "unsigned long %s = %s;", name, fz_int (k, 2, true));
      k->temps[k->n_temps++] = name;
    }
  fz_store (k);
}

/* The last value of something, used after the loop.  */
static void
live_out (struct fz_kernel *k)
{
  const char *name = fz_fresh (k, "last");

  fprintf (k->before, "  unsigned %s = %d;\n", name, fz_range (0, 9));
  fprintf (k->after, "  int_out = int_out * 7 + %s;\n", name);
  if (fz_chance (50))
    fz_line (k, "if (%s)", fz_condition (k));
  fz_line (k, "  %s = %s;", name, fz_int (k, 1, false));
  if (fz_chance (20))
    fz_line (k, "int_out += %s;", name);
}

static void
branch (struct fz_kernel *k)
{
  bool has_else = fz_chance (40);

  fz_line (k, "if (%s)", fz_condition (k));
  fz_line (k, "  {");
  k->indent += 2;
  fz_store (k);
  if (fz_chance (30))
    fz_accumulate (k);
  k->indent -= 2;
  fz_line (k, "  }");
  if (has_else)
    {
      fz_line (k, "else");
      fz_line (k, "  {");
      k->indent += 2;
      fz_store (k);
      k->indent -= 2;
      fz_line (k, "  }");
    }
}

static void
switch_statement (struct fz_kernel *k)
{
  int n = fz_range (2, 4);

  fz_line (k, "switch (%s & 7)", fz_int (k, 1, false));
  fz_line (k, "  {");
  k->indent += 1;
  for (int i = 0; i < n; i++)
    {
      fz_line (k, i == n - 1 ? "default:" : "case %d:", i * 2);
      k->indent += 1;
      fz_store (k);
      if (fz_chance (75))
	fz_line (k, "break;");
      k->indent -= 1;
    }
  k->indent -= 1;
  fz_line (k, "  }");
}

/* An array that lives for one iteration, or, declared outside, in fact only for one.  */
static void
local_array (struct fz_kernel *k)
{
  const char *name = fz_fresh (k, "tmp"), *x = fz_fresh (k, "x");
  struct fz_array *array = fz_data_array (k, false);
  int len = fz_range (3, 12);
  const char *declaration = fz_text ("unsigned %s[%d];", name, len);

  if (!array)
    return;
  if (fz_chance (70))
    fz_line (k, "%s", declaration);
  else
    fprintf (k->before, "  %s\n", declaration);
  fz_line (k, "for (int %s = 0; %s < %d; %s++)", x, x, len, x);
  fz_line (k, "  %s[%s] = %s * (unsigned) %s;", name, x, fz_int (k, 1, false), x);
  fz_line (k, "%s = (%s) (%s[%s & 1] + %s[%d]);", fz_element (k, array, true), fz_type_name[array->type], name,
	   fz_int (k, 1, false), name, len - 1);
}

/* Bytes of one buffer moved under another type's eyes.  */
static void
byte_view (struct fz_kernel *k)
{
  static const struct
  {
    const char *type;
    int len;
  } units[] = { { "unsigned", 4 }, { "short", 2 }, { "unsigned long", 8 }, { "int", 4 } };
  struct fz_array *from = fz_typed_array (k, FZ_U8), *to = fz_typed_array (k, FZ_U8);
  struct fz_index read, write;
  unsigned n = fz_pick (4);
  const char *name;

  if (!from || !to)
    return;
  name = fz_fresh (k, "word");
  read = fz_index (k, FZ_REACH - 8, true);
  write = fz_index (k, FZ_REACH - 8, true);
  fz_line (k, "%s %s;", units[n].type, name);
  fz_line (k, "memcpy (&%s, %s + %s, %d);", name, from->name, read.text, units[n].len);
  fz_line (k, "%s = (%s) (%s + %s);", name, units[n].type, fz_int (k, 1, true), name);
  fz_line (k, "memcpy (%s + %s, &%s, %d);", to->name, write.text, name, units[n].len);
  if (from->extent < read.max + 8)
    from->extent = read.max + 8;
  if (to->extent < write.max + 8)
    to->extent = write.max + 8;
}

/* A second induction variable, stepped by hand, used as an index.  */
static void
induction (struct fz_kernel *k)
{
  struct fz_array *array = fz_data_array (k, false);
  const char *name;
  int step = fz_range (1, 4), trips = 1;

  for (int i = 0; i < k->n_ivs; i++)
    trips *= k->ivs[i].max + 1;
  if (!array || trips * step >= array->limit || array->home == FZ_GRID)
    return;
  name = fz_fresh (k, "q");
  fprintf (k->before, "  int %s = 0;\n", name);
  if (fz_chance (30))
    fprintf (k->after, "  int_out += (unsigned long) %s;\n", name);
  fz_line (k, "%s = (%s) %s;", fz_element_at (array, (struct fz_index) { name, 0, trips * step }),
	   fz_type_name[array->type], fz_int (k, 2, false));
  if (fz_chance (15))
    fz_line (k, "if (%s)", fz_condition (k));
  fz_line (k, "%s += %d;", name, step);
}

/* One product, stored and in a sum with another one; now and then of one element in all iterations.  */
static void
products (struct fz_kernel *k)
{
  struct fz_array *array = fz_data_array (k, true);
  const char *factor = fz_chance (50) ? "0.3" : "0.3f", *element;

  if (!array)
    return;
  if (fz_chance (20) && array->home != FZ_GRID && array->limit > 3)
    element = fz_element_at (array, (struct fz_index) { "3", 0, 3 });
  else
    element = fz_element (k, array, true);
  if (fz_chance (60))
    fz_line (k, "%s = %s * %s;", fz_element (k, fz_data_array (k, true), true), element, factor);
  fz_line (k, "%s = %s * %s %c %s%s;", fz_element (k, fz_data_array (k, true), true), element, factor,
	   fz_chance (50) ? '+' : '-', fz_element (k, fz_data_array (k, true), true), fz_chance (60) ? " * 0.6f" : "");
}

/* An element that is the same in all iterations and set before them: what a loop loads anew where it may be
   written.  */
static void
kept (struct fz_kernel *k)
{
  bool is_float = fz_chance (50);
  struct fz_array *array = fz_data_array (k, is_float), *to = fz_data_array (k, is_float);
  const char *element;

  if (!array || !to || array->home == FZ_GRID || array->home == FZ_STACK || array->limit <= 3)
    return;
  element = fz_element_at (array, (struct fz_index) { "3", 0, 3 });
  fprintf (k->before, "  %s = 7;\n", element);
  fz_line (k, "%s = (%s) ((%s & 15) + %s%s);", fz_element (k, to, true), fz_type_name[to->type], fz_int (k, 1, false),
	   is_float ? "0.125 * " : "(unsigned long) ", element);
}

/* What goes to NAME for the next iteration: what the loop reads, mostly.  */
static const char *
to_carry (struct fz_kernel *k, bool is_float)
{
  struct fz_array *array = fz_data_array (k, is_float);
  const char *factor = is_float ? "0.25 * " : "(unsigned) ";

  if (array && fz_chance (70))
    return fz_text ("%s%s", factor, fz_element (k, array, fz_chance (80)));
  return is_float ? fz_float_within (k, 2, FZ_FP_TOP / 4) : fz_int (k, 2, false);
}

/* A value carried to the next iteration, maybe to the one after it, too; now and then from all of them.  */
static void
carried (struct fz_kernel *k)
{
  bool is_float = fz_chance (50), is_sum = !is_float && fz_chance (20), has_older = fz_chance (40);
  struct fz_array *array = fz_data_array (k, is_float);
  const char *name, *older = "1", *type = is_float ? "double" : "unsigned";

  if (!array)
    return;
  name = fz_fresh (k, "prev");
  fprintf (k->before, "  %s %s = 1;\n", type, name);
  if (has_older)
    fprintf (k->before, "  %s %s = 5;\n", type, older = fz_fresh (k, "older"));
  fz_line (k, "%s = (%s) (%s - %s);", fz_element (k, array, true), fz_type_name[array->type], name, older);
  if (has_older)
    fz_line (k, "%s = %s;", older, name);
  if (fz_chance (10))
    fz_line (k, "if (%s)", fz_condition (k));
  fz_line (k, "%s = %s%s;", name, to_carry (k, is_float), is_sum ? fz_text (" + %s", name) : "");
  if (fz_chance (25))
    fprintf (k->after, "  int_out = int_out * 7 + (%s > 3);\n", name);
}

/* Where the current iteration is told from others: the innermost loop's variable, or a sum with an outer one's.  */
static const char *
place (const struct fz_kernel *k)
{
  const char *inner = k->ivs[k->n_ivs - 1].name;
  return k->n_ivs > 1 && fz_chance (40) ? fz_text ("%s + 3 * %s", inner, k->ivs[k->n_ivs - 2].name) : inner;
}

/* A value kept or replaced in each iteration: the largest or smallest so far, maybe with where it was found and from
   which side, or the last one that a condition held for; now and then in ways that depend on each other.  */
static void
chosen (struct fz_kernel *k)
{
  static const char *const comparisons[] = { ">", "<", ">", "<", ">=", "<=" };
  bool is_float = fz_chance (60), is_last = fz_chance (35), has_place = fz_chance (60);
  const char *name = fz_fresh (k, "best"), *at = fz_fresh (k, "at"), *value = fz_fresh (k, "v");
  const char *type = is_float ? "double" : fz_chance (50) ? "int" : "unsigned short";

  fprintf (k->before, "  %s %s = %d;\n  unsigned long %s = 77;\n", type, name, fz_range (0, 9), at);
  fz_line (k, "%s %s = %s;", type, value, to_carry (k, is_float));
  if (is_last)
    fz_line (k, "if (%s)", fz_condition (k));
  else if (fz_chance (70))
    fz_line (k, "if (%s %s %s)", value, comparisons[fz_pick (6)], name);
  else
    fz_line (k, "if (!(%s %s %s))", name, comparisons[fz_pick (6)], value);
  fz_line (k, "  {");
  fz_line (k, "    %s = %s;", name, fz_chance (95) ? value : "4");
  if (has_place)
    fz_line (k, "    %s = %s;", at, fz_chance (95) ? place (k) : fz_text ("%s + 1", at));
  fz_line (k, "  }");
  const char *scaled = fz_text (is_float ? "(unsigned long) (long) (%s * 8)" : "(unsigned long) %s * 8", name);
  fprintf (k->after, "  int_out = int_out * 7 + (%s > 3) + %s * 5 + %s;\n", name, scaled, at);
}

/* An index array rewritten in place, within its values.  */
static void
index_store (struct fz_kernel *k)
{
  struct fz_array *array = fz_index_array (k, FZ_INDEX, 0);
  const char *to;

  if (!array)
    return;
  to = fz_element (k, array, true);
  if (fz_chance (50))
    fz_line (k, "%s = %s;", to, fz_element (k, array, true));
  else
    fz_line (k, "%s = %s %% %du;", to, fz_int (k, 1, false), array->top + 1);
}

/* Print one statement that is not a loop over the kernel's data.  */
void
fz_statement (struct fz_kernel *k)
{
  unsigned die = fz_pick (k->is_simple && fz_chance (60) ? 72 : 100);

  if (k->n_odd && fz_chance (50))
    {
      k->n_odd--;
      fz_odd_statement (k);
    }
  if (die < 46)
    fz_store (k);
  else if (die < 50)
    products (k);
  else if (die < 60)
    fz_accumulate (k);
  else if (die < 62)
    chosen (k);
  else if (die < 64)
    fz_packed (k);
  else if (die < 65)
    fz_scanned (k);
  else if (die < 72)
    temporary (k);
  else if (die < 81)
    branch (k);
  else if (die < 84)
    switch_statement (k);
  else if (die < 88)
    live_out (k);
  else if (die < 90)
    local_array (k);
  else if (die < 92)
    byte_view (k);
  else if (die < 93)
    induction (k);
  else if (die < 94)
    kept (k);
  else if (die < 96)
    carried (k);
  else if (die < 97)
    chosen (k);
  else if (die < 98)
    index_store (k);
  else
    {
      fz_store (k);
      fz_store (k);
    }
}

/* Print a loop inside the loop at DEPTH; often it sums up what one statement after it stores.  */
void
fz_statement_nest (struct fz_kernel *k, int depth, int max_depth)
{
  struct fz_array *array;
  const char *name, *outer_sum = k->inner_sum;
  bool is_float;

  if (fz_chance (55))
    {
      fz_loop (k, depth + 1, max_depth);
      return;
    }
  is_float = fz_chance (50);
  array = fz_data_array (k, is_float);
  if (!array)
    return;
  name = fz_fresh (k, "sum");
  fz_line (k, "%s %s = 0;", is_float ? "double" : "unsigned", name);
  k->inner_sum = name;
  k->inner_sum_is_float = is_float;
  fz_loop (k, depth + 1, max_depth);
  k->inner_sum = outer_sum;
  if (is_float)
    fz_line (k, "%s = %s * 0x1p-13;", fz_element (k, array, true), name);
  else
    fz_line (k, "%s = (%s) %s;", fz_element (k, array, true), fz_type_name[array->type], name);
}
