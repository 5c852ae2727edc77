/* SPDX-License-Identifier: MIT
   Loop program generator: loop heads.

   One loop in many spellings: up, down, strided, inclusive, wrapping, while, do-while, triangular, over the rows of a
   compressed matrix; with induction variables of several types, declared in the head or before the kernel's loops.
   Each spelling knows the range of its variable, which is all that the index expressions need.  */

#include "generate.h"

#include <string.h>

struct head
{
  const char *type;
  const char *name;
  int cap; /* the variable stays below this */
  struct fz_iv iv;
  const char *open, *close; /* the loop's text around "{ body }" */
};

/* Choose how far the loop at DEPTH of MAX_DEPTH may go, so that the whole nest stays small.  */
static int
choose_cap (const struct fz_kernel *k, int depth, int max_depth)
{
  static const int singles[] = { 12, 100, 700, 3000, 3000, 1500 };
  static const int doubles[] = { 5, 20, 40, 60, 60, 300 };
  int budget = 4000;

  for (int i = 0; i < k->n_ivs; i++)
    budget /= k->ivs[i].max + 1;
  if (budget < 2)
    return 2;
  if (depth == max_depth)
    return k->n_ivs ? budget < 64 ? budget : 64 : singles[fz_pick (6)];
  return max_depth == 2 ? doubles[fz_pick (6)] : fz_range (4, 15);
}

static const char *
bound_scalar (struct fz_kernel *k, const char *type, int max)
{
  bool is_signed = type[0] != 'u';

  return fz_scalar (k, "n", type, is_signed ? -4 : 0, max);
}

static void
set_range (struct head *head, int min, int max, const char *bound)
{
  head->iv = (struct fz_iv) { head->name, min, max, bound, bound ? head->cap : 0 };
}

static void
close_with (struct head *head, const char *open, const char *close)
{
  head->open = open;
  head->close = close;
}

/* Loops from an outer variable to a parameter, which may be less, or the other way round.  */
static bool
triangular_head (struct fz_kernel *k, struct head *head)
{
  static const char *const types[] = { "int", "int", "int", "long", "unsigned", "unsigned long" };
  const struct fz_iv *outer = &k->ivs[k->n_ivs - 1];
  const char *name = head->name, *type = types[fz_pick (6)], *from, *n;
  bool is_signed = type[0] != 'u';
  int more = fz_range (0, 1);

  if (outer->min < 0 || outer->min + more >= head->cap - 1)
    return false;
  head->type = type;
  from = fz_text (more ? "(%s) %s + 1" : "(%s) %s", type, outer->name);
  n = bound_scalar (k, type, head->cap - 1);
  set_range (head, outer->min + more, head->cap - 2, n);
  switch (fz_pick (is_signed ? 6 : 4))
    {
    case 0:
      close_with (head, fz_text ("for (%s = %s; %s < %s; %s++)", name, from, name, n, name), "");
      return true;
    case 1:
      set_range (head, outer->min + more, head->cap - 1, NULL);
      close_with (head, fz_text ("for (%s = %s; %s <= %s; %s++)", name, from, name, n, name), "");
      return true;
    case 2:
      close_with (head, fz_text ("if (%s < %s)\nfor (%s = %s; %s != %s; %s++)", from, n, name, from, name, n, name),
		  "");
      return true;
    case 3:
      set_range (head, outer->min + more, outer->max + more < head->cap ? head->cap - 1 : outer->max + more, NULL);
      close_with (head, fz_text ("%s = %s;\ndo", name, from), fz_text ("\nwhile (++%s < %s);", name, n));
      return true;
    case 4:
      close_with (head, fz_text ("for (%s = %s - 1; %s >= %s; %s--)", name, n, name, from, name), "");
      return true;
    default:
      set_range (head, 0, head->cap - 2, n);
      close_with (head, fz_text ("for (%s = 0; %s < %s - (%s); %s++)", name, name, n, from, name), "");
      return true;
    }
}

/* Loops over an inner range that depends on an outer variable or on data.  */
static bool
dependent_head (struct fz_kernel *k, struct head *head)
{
  const struct fz_iv *outer;
  struct fz_array *array;
  const char *name = head->name, *n;
  int top;

  if (!k->n_ivs)
    return false;
  outer = &k->ivs[k->n_ivs - 1];
  switch (fz_pick (8))
    {
    case 0:
      if (outer->max > 80 || outer->max < 1)
	return false;
      set_range (head, 0, outer->max - 1, NULL);
      close_with (head, fz_text ("for (%s = 0; %s < %s; %s++)", name, name, outer->name, name), "");
      return true;
    case 1:
      if (outer->max > 80)
	return false;
      set_range (head, 0, outer->max, NULL);
      close_with (head, fz_text ("for (%s = 0; %s <= %s; %s++)", name, name, outer->name, name), "");
      return true;
    case 2:
      if (outer->min >= head->cap || (outer->max > 255 && !strcmp (head->type, "unsigned char")))
	return false;
      n = bound_scalar (k, "int", head->cap);
      set_range (head, outer->min, head->cap - 1, n);
      close_with (head, fz_text ("for (%s = %s; (int) %s < %s; %s++)", name, outer->name, name, n, name), "");
      return true;
    case 3:
      top = k->n_ivs == 1 && outer->max > 60 ? 2000 : 200;
      array = outer->max + 2 < FZ_REACH ? fz_index_array (k, FZ_ROW, top) : NULL;
      if (!array)
	return false;
      if (array->extent < outer->max + 2)
	array->extent = outer->max + 2;
      set_range (head, 0, array->top - 1, NULL);
      head->type = fz_chance (70) ? "int" : "long";
      close_with (head,
		  fz_text ("for (%s = %s[%s]; %s < %s[%s + 1]; %s++)", name, array->name, outer->name, name,
			   array->name, outer->name, name),
		  "");
      return true;
    case 4:
    case 5:
    case 6:
      return triangular_head (k, head);
    default:
      array = fz_data_array (k, false);
      if (!array)
	return false;
      set_range (head, 0, 6, NULL);
      close_with (
	head, fz_text ("for (%s = 0; %s < (int) (%s & 7); %s++)", name, name, fz_element (k, array, true), name), "");
      return true;
    }
}

/* Loops to what a variable of the program is each time, some bits of it: their stores may change it.  */
static bool
loaded_head (struct fz_kernel *k, struct head *head)
{
  struct fz_array *array = fz_data_array (k, false);
  const char *name = head->name, *bound;
  int mask = 1, at = fz_range (0, fz_chance (50) ? 8 : head->cap), step = fz_chance (70) ? 1 : fz_range (2, 4);

  if (!array || at >= array->limit)
    return false;
  while (2 * mask + 1 < head->cap)
    mask = 2 * mask + 1;
  bound = fz_element_at (array, (struct fz_index) { fz_text ("%d", at), at, at });
  set_range (head, 0, mask - 1, NULL);
  switch (fz_pick (3))
    {
    case 0:
      close_with (head, fz_text ("for (%s = 0; %s < (int) (%s & %d); %s++)", name, name, bound, mask, name), "");
      return true;
    case 1:
      set_range (head, 0, mask, NULL);
      close_with (head, fz_text ("for (%s = 0; %s <= (int) (%s & %d); %s += %d)", name, name, bound, mask, name, step),
		  "");
      return true;
    default:
      head->type = "int";
      set_range (head, 1, mask, NULL);
      close_with (
	head, fz_text ("for (%s = %d; %s > (int) (%s & %d); %s -= %d)", name, mask, name, bound, mask, name, step), "");
      return true;
    }
}

/* Choose the spelling of a loop from 0 or so to a parameter or a constant.  */
static void
plain_head (struct fz_kernel *k, struct head *head)
{
  const char *name = head->name, *n;
  bool is_signed = head->type[0] != 'u';
  int lo = fz_range (1, 4), step = fz_range (2, 5);
  unsigned form = fz_pick (22);
  struct fz_array *limit;

  if (head->cap <= lo)
    form = 0;
  if (form == 12)
    {
      head->cap = fz_chance (50) && head->cap > 16 ? fz_range (2, 16) : head->cap;
      set_range (head, 0, head->cap - 1, NULL);
      close_with (head, fz_text ("for (%s = 0; %s < %d; %s++)", name, name, head->cap, name), "");
      return;
    }
  if (form == 13)
    {
      head->type = "unsigned";
      n = fz_scalar (k, "n", "unsigned", 0, head->cap);
      close_with (head, fz_text ("for (%s = 4294967290u; %s != %s - 6u; %s++)", name, name, n, name), "");
      head->name = fz_text ("(%s + 6u)", name);
      set_range (head, 0, head->cap - 1, n);
      return;
    }
  if (form > 19 && loaded_head (k, head))
    return;
  limit = form == 14 ? fz_index_array (k, FZ_INDEX, head->cap) : NULL;
  if (limit)
    {
      set_range (head, 0, limit->top - 1, NULL);
      close_with (
	head, fz_text ("for (%s = 0; %s < (%s) %s[%d]; %s++)", name, name, head->type, limit->name, step, name), "");
      if (limit->extent <= step)
	limit->extent = step + 1;
      return;
    }
  n = bound_scalar (k, head->type, form == 7 ? head->cap - 1 : head->cap);
  set_range (head, 0, head->cap - 1, n);
  switch (form)
    {
    case 1:
    case 2:
    case 3:
      set_range (head, lo, head->cap - 1, n);
      close_with (head, fz_text ("for (%s = %d; %s < %s; %s++)", name, lo, name, n, name), "");
      break;
    case 4:
      close_with (head, fz_text ("for (%s = 0; %s < %s; %s += %d)", name, name, n, name, step), "");
      break;
    case 5:
      close_with (
	head, fz_text ("for (%s = 0; %s < %s; %s += %s)", name, name, n, name, fz_scalar (k, "step", "int", 1, 5)), "");
      break;
    case 6:
      if (is_signed)
	close_with (head, fz_text ("for (%s = %s - 1; %s >= 0; %s--)", name, n, name, name), "");
      else
	close_with (head, fz_text ("for (%s = %s; %s-- > 0;)", name, n, name), "");
      break;
    case 7:
      head->iv.bound = NULL;
      close_with (head, fz_text ("for (%s = 0; %s <= %s; %s++)", name, name, n, name), "");
      break;
    case 8:
      set_range (head, 1, head->cap, NULL);
      close_with (head,
		  fz_text (is_signed ? "for (%s = %s; %s > 0; %s -= %d)" : "for (%s = %s; %s > 0; %s--)", name, n, name,
			   name, step),
		  "");
      break;
    case 9:
      close_with (head, fz_text ("if (%s > 0)\nfor (%s = 0; %s != %s; %s++)", n, name, name, n, name), "");
      break;
    case 10:
      close_with (head, fz_text ("%s = 0;\nwhile (%s < %s)", name, name, n), fz_text ("%s++;", name));
      break;
    case 11:
      close_with (head, fz_text ("%s = 0;\nif (%s > 0)\ndo", name, n), fz_text ("\nwhile (++%s < %s);", name, n));
      break;
    default:
      close_with (head, fz_text ("for (%s = 0; %s < %s; %s++)", name, name, n, name), "");
      break;
    }
}

/* Print TEXT, of one line or several.  */
static void
print_lines (struct fz_kernel *k, const char *text)
{
  const char *end;

  for (; (end = strchr (text, '\n')); text = end + 1)
    fz_line (k, "%.*s", (int) (end - text), text);
  fz_line (k, "%s", text);
}

/* Enter the body of a loop over IV, and return what is in scope around it.  */
struct fz_scope
fz_enter (struct fz_kernel *k, struct fz_iv iv)
{
  struct fz_scope outer = { k->n_ivs, k->n_temps, k->n_fp_temps };
  k->ivs[k->n_ivs++] = iv;
  return outer;
}

void
fz_leave (struct fz_kernel *k, struct fz_scope outer)
{
  k->n_ivs = outer.n_ivs;
  k->n_temps = outer.n_temps;
  k->n_fp_temps = outer.n_fp_temps;
}

/* Print a loop at DEPTH, and in it a nest down to MAX_DEPTH.  */
void
fz_loop (struct fz_kernel *k, int depth, int max_depth)
{
  static const char *const types[] = { "int",          "int",  "int",  "int",           "int",   "int",
				       "unsigned",     "long", "long", "unsigned long", "short", "unsigned short",
				       "unsigned char" };
  struct head head = { .type = types[fz_pick (13)], .cap = choose_cap (k, depth, max_depth) };
  const char *variable = fz_fresh (k, "i");
  int n_statements = fz_range (1, 3), nest_at;
  struct fz_scope outer;
  bool is_while;

  head.name = variable;
  if (head.cap > 250 && !strcmp (head.type, "unsigned char"))
    head.cap = 250;
  if (!fz_chance (35) || !dependent_head (k, &head))
    plain_head (k, &head);
  fprintf (k->before, "  %s %s = 0;\n", head.type, variable);
  if (depth == 1 && fz_chance (15))
    fprintf (k->after, "  int_out += (unsigned long) %s;\n", variable);

  print_lines (k, head.open);
  fz_line (k, "  {");
  k->indent += 2;
  outer = fz_enter (k, head.iv);
  is_while = head.close[0] && head.close[0] != '\n';
  if (!is_while && fz_chance (6))
    fz_line (k, "if (%s)\n      continue;", fz_condition (k));
  if (depth == max_depth && fz_chance (k->is_simple ? 25 : 4))
    fz_work (k);
  if (fz_chance (k->is_simple ? 20 : 5))
    fz_called (k);
  nest_at = depth < max_depth ? fz_range (0, n_statements - 1) : -1;
  for (int i = 0; i < n_statements; i++)
    {
      if (i == nest_at)
	fz_statement_nest (k, depth, max_depth);
      if (i != nest_at || fz_chance (40))
	fz_statement (k);
    }
  if (k->inner_sum && depth == max_depth)
    fz_line (k, "%s += %s;", k->inner_sum,
	     k->inner_sum_is_float ? fz_float_within (k, 2, FZ_FP_TOP / 2) : fz_int (k, 2, false));
  fz_leave (k, outer);
  if (is_while)
    fz_line (k, "%s", head.close);
  k->indent -= 2;
  fz_line (k, "  }");
  if (head.close[0] == '\n')
    fz_line (k, "%s", head.close + 1);
}
