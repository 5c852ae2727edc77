/* SPDX-License-Identifier: MIT
   Loop program generator: functions that kernels call, which write to an array and read another one; what they do is
   mostly known before the program runs.  */

#include "generate.h"

/* A function being made: LEN elements of TO are written, of FROM read.  */
struct called
{
  const char *name;
  struct fz_array *to, *from;
  int len;
};

/* Where a call has a function begin in ARRAY, so that LEN elements follow.  */
static const char *
first_element (struct fz_kernel *k, struct fz_array *array, int len, bool may_repeat)
{
  const struct fz_iv *iv = &k->ivs[fz_pick (k->n_ivs)];
  int step = fz_chance (80) ? len : fz_range (1, len);
  struct fz_index index = { "0", 0, 0 };
  const char *first;

  if (may_repeat && fz_chance (30))
    ;
  else if (iv->min >= 0 && iv->max < (array->limit - len) / step && fz_chance (80))
    index = (struct fz_index) { fz_text ("%s * %d", iv->name, step), iv->min * step, iv->max * step };
  else
    index = fz_index (k, array->limit - len, true);
  first = fz_element_at (array, index);
  fz_element_at (array, (struct fz_index) { "", index.min + len - 1, index.max + len - 1 });
  return first;
}

/* The value that FUNCTION stores in element INDEX.  */
static const char *
stored (const struct called *function, const char *index)
{
  const char *type = fz_type_name[function->to->type];
  const char *from = fz_text (fz_chance (15) ? "to[%s]" : "from[%s]", fz_chance (80) ? index : "0");

  if (fz_is_float (function->to->type))
    return fz_text ("(%s) (%s * 0.25 + x %% 7)", type, from);
  return fz_text ("(%s) (%s * 3u + (unsigned) x)", type, fz_text ("((unsigned) %s & 1023)", from));
}

/* Print what FUNCTION does with element INDEX.  */
static void
print_store (struct fz_kernel *k, const struct called *function, const char *index)
{
  if (fz_chance (10))
    fprintf (k->functions, "  if (from[%s] > %d)\n", index, fz_range (-3, 30));
  fprintf (k->functions, "  to[%s] = %s;\n", index, stored (function, index));
}

static void
print_body (struct fz_kernel *k, const struct called *function)
{
  if (fz_chance (4))
    fputs ("  static int n_calls;\n  x += n_calls++;\n", k->functions);
  if (fz_chance (50))
    {
      fprintf (k->functions, "  for (int j = %d; j < %d; j++)\n  {\n", fz_chance (10), function->len);
      print_store (k, function, "j");
      fputs ("  }\n", k->functions);
    }
  else
    for (int j = 0; j < function->len; j++)
      print_store (k, function, fz_text ("%d", j));
  if (fz_chance (20))
    fprintf (k->functions, "  to[0] = %s;\n", stored (function, "0"));
}

/* Print FUNCTION, and maybe another one that calls it.  Return the name of what is to be called.  */
static const char *
print_function (struct fz_kernel *k, const struct called *function)
{
  const char *types
    = fz_text ("%s *to, const %s *from, int x", fz_type_name[function->to->type], fz_type_name[function->from->type]);
  const char *outer = fz_text ("%s_by", function->name);

  fprintf (k->functions, "\nstatic __attribute__ ((noinline)) void\n%s (%s)\n{\n", function->name, types);
  print_body (k, function);
  fputs ("}\n", k->functions);
  if (fz_chance (75))
    return function->name;
  fprintf (k->functions, "\nstatic __attribute__ ((noinline)) void\n%s (%s)\n{\n  %s (to, from, x + 1);\n", outer,
	   types, function->name);
  print_store (k, function, "0");
  fputs ("}\n", k->functions);
  return outer;
}

/* Whether elements of ARRAY lie side by side from any of them on.  */
static bool
is_row (const struct fz_array *array, int len)
{
  return array && array->home != FZ_GRID && array->home != FZ_RECORD && array->limit > 2 * len;
}

/* Print a call, and statements that use what it wrote.  */
void
fz_called (struct fz_kernel *k)
{
  bool is_float = fz_chance (60);
  struct called function = { .to = fz_data_array (k, is_float), .from = fz_data_array (k, is_float) };
  struct fz_array *other = fz_data_array (k, is_float);
  const char *first;

  function.len = fz_range (1, 6);
  if (!is_row (function.to, function.len) || !is_row (function.from, function.len) || !other || !k->n_ivs)
    return;
  function.name = fz_text ("k%d_%s", k->number, fz_fresh (k, "c"));
  first = first_element (k, function.to, function.len, true);
  fz_line (k, "%s (&%s, &%s, %d);", print_function (k, &function), first,
	   first_element (k, function.from, function.len, true), fz_range (0, 99));
  if (fz_chance (60))
    fz_line (k, "%s = (%s) (%s * %s);", fz_element (k, other, true), fz_type_name[other->type], first,
	     is_float ? "0.5" : "1u");
}
