/* SPDX-License-Identifier: MIT
   Loop program generator: the parts of a kernel.

   A kernel grows in streams: its arrays, what stands before its loop, the loop, what stands after.  Arrays and scalars
   are added when an expression first asks for one, or taken from those that are there; so a kernel's parameters are
   what its body uses, and two references often meet in one array.  */

#include "generate.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Print one line of the loop, indented.  */
void
fz_line (struct fz_kernel *k, const char *format, ...)
{
  va_list args;

  fprintf (k->body, "%*s", 2 * k->indent, "");
  va_start (args, format);
  vfprintf (k->body, format, args);
  va_end (args);
  fputc ('\n', k->body);
}

const char *
fz_fresh (struct fz_kernel *k, const char *stem)
{
  return fz_text ("%s%d", stem, k->n_names++);
}

/* Return a scalar parameter of TYPE whose values are within MIN .. MAX; an equal one may serve again.  */
const char *
fz_scalar (struct fz_kernel *k, const char *stem, const char *type, int min, int max)
{
  struct fz_scalar *scalar;

  for (int i = 0; i < k->n_scalars; i++)
    {
      scalar = &k->scalars[i];
      if (scalar->min == min && scalar->max == max && !strcmp (scalar->type, type)
	  && (k->n_scalars == FZ_MAX_SCALARS || fz_chance (60)))
	return scalar->name;
    }
  if (k->n_scalars == FZ_MAX_SCALARS)
    return fz_text ("((%s) %d)", type, fz_range (min > 0 ? min : 0, max));
  scalar = &k->scalars[k->n_scalars++];
  *scalar = (struct fz_scalar) { fz_fresh (k, stem), type, min, max };
  return scalar->name;
}

static struct fz_array *
add_array (struct fz_kernel *k, enum fz_type type, enum fz_role role, enum fz_home home)
{
  struct fz_array *array = &k->arrays[k->n_arrays++];

  *array = (struct fz_array) { .type = type, .role = role, .home = home, .limit = FZ_REACH };
  array->name = home == FZ_GLOBAL ? fz_text ("d_%s", fz_type_tag[type]) : fz_fresh (k, "p");
  return array;
}

/* Give ARRAY, of type TYPE, a home other than a pointer parameter.  */
static void
settle_elsewhere (struct fz_kernel *k, struct fz_array *array)
{
  static const struct
  {
    const char *name;
    enum fz_type type;
  } members[] = { { "e", FZ_F64 }, { "x", FZ_F32 }, { "a", FZ_I32 }, { "b", FZ_U8 }, { "c", FZ_I8 },
		  { "d", FZ_I16 }, { "f", FZ_U32 }, { "g", FZ_U32 }, { "h", FZ_U32 } };
  static const struct
  {
    const char *name;
    enum fz_type type;
  } columns[] = { { "e", FZ_F64 }, { "a", FZ_I32 }, { "u", FZ_U16 }, { "b", FZ_U8 }, { "x", FZ_F32 }, { "l", FZ_U64 } };
  bool is_float = fz_is_float (array->type);
  unsigned n;

  switch (fz_pick (7))
    {
    case 0:
      array->home = FZ_GLOBAL;
      array->name = fz_text ("d_%s", fz_type_tag[array->type]);
      break;
    case 1:
      array->home = FZ_GRID;
      array->name = fz_text ("g%d_%s", fz_range (0, 1), fz_type_tag[array->type]);
      array->limit = FZ_ROWS * FZ_COLS;
      break;
    case 2:
      do
	n = fz_pick (sizeof members / sizeof *members);
      while (fz_is_float (members[n].type) != is_float);
      array->home = FZ_RECORD;
      array->member = members[n].name;
      array->type = members[n].type;
      array->limit = FZ_RECORDS;
      break;
    case 3:
      do
	n = fz_pick (sizeof columns / sizeof *columns);
      while (fz_is_float (columns[n].type) != is_float);
      array->home = FZ_COLUMN;
      array->member = columns[n].name;
      array->type = columns[n].type;
      array->limit = FZ_RECORDS;
      break;
    case 4:
    case 5:
      array->home = FZ_HELD;
      break;
    default:
      array->home = FZ_STACK;
      array->name = fz_fresh (k, "own");
      array->limit = 1 << fz_range (4, 9);
      break;
    }
}

/* Find among K's arrays one that holds data, floating-point or integer.  */
static struct fz_array *
find_data_array (struct fz_kernel *k, bool is_float)
{
  int first = (int) fz_pick (FZ_MAX_ARRAYS);

  for (int n = 0; n < FZ_MAX_ARRAYS; n++)
    {
      int i = (first + n) % FZ_MAX_ARRAYS;

      if (i < k->n_arrays && k->arrays[i].role == FZ_DATA && fz_is_float (k->arrays[i].type) == is_float)
	return &k->arrays[i];
    }
  return NULL;
}

/* Return an array of data, floating-point or integer.  Two places are kept free for index arrays.  */
struct fz_array *
fz_data_array (struct fz_kernel *k, bool is_float)
{
  struct fz_array *array = find_data_array (k, is_float);
  enum fz_type type;

  if (array && (k->n_arrays >= FZ_MAX_ARRAYS - 2 || fz_chance (60)))
    return array;
  if (k->n_arrays == FZ_MAX_ARRAYS)
    return NULL;
  type = is_float ? FZ_F64 : FZ_I32;
  for (int i = 0; i < 6; i++)
    {
      enum fz_type some = fz_program.palette[fz_pick ((unsigned) fz_program.n_palette)];

      if (fz_is_float (some) == is_float)
	type = some;
    }
  array = add_array (k, type, FZ_DATA, FZ_PARAM);
  if (fz_chance (25))
    settle_elsewhere (k, array);
  fz_program.used[array->type] = true;
  return array;
}

/* Return a pointer parameter to data of TYPE, or NULL.  */
struct fz_array *
fz_typed_array (struct fz_kernel *k, enum fz_type type)
{
  for (int i = 0; i < k->n_arrays; i++)
    if (k->arrays[i].role == FZ_DATA && k->arrays[i].home == FZ_PARAM && k->arrays[i].type == type && fz_chance (60))
      return &k->arrays[i];
  if (k->n_arrays == FZ_MAX_ARRAYS)
    return NULL;
  fz_program.used[type] = true;
  return add_array (k, type, FZ_DATA, FZ_PARAM);
}

/* Return a pointer parameter to floating-point data that no kernel writes, or NULL.  */
struct fz_array *
fz_const_array (struct fz_kernel *k)
{
  enum fz_type type = fz_program.palette[0];

  for (int i = 0; i < k->n_arrays; i++)
    if (k->arrays[i].role == FZ_CONST && (k->n_arrays >= FZ_MAX_ARRAYS - 2 || fz_chance (60)))
      return &k->arrays[i];
  if (k->n_arrays >= FZ_MAX_ARRAYS - 1)
    return NULL;
  fz_program.used_const[type] = true;
  return add_array (k, type, FZ_CONST, FZ_PARAM);
}

/* Return an index array with values within 0 .. TOP (0: any), or NULL.  */
struct fz_array *
fz_index_array (struct fz_kernel *k, enum fz_role role, int top)
{
  static const enum fz_type types[] = { FZ_I32, FZ_I32, FZ_I32, FZ_I64, FZ_U32, FZ_U16, FZ_I16, FZ_U64 };
  static const int tops[] = { 99, 700, 3000, 5000, 5000, 6000 };
  struct fz_array *array;

  for (int i = 0; i < k->n_arrays; i++)
    {
      array = &k->arrays[i];
      if (array->role == role && (!top || array->top <= top) && (k->n_arrays == FZ_MAX_ARRAYS || fz_chance (60)))
	return array;
    }
  if (k->n_arrays == FZ_MAX_ARRAYS)
    return NULL;
  array = add_array (k, types[fz_pick (sizeof types / sizeof *types)], role, FZ_PARAM);
  array->top = top ? top : tops[fz_pick (sizeof tops / sizeof *tops)];
  return array;
}

/* Return ARRAY's name after making sure that it has LEN elements.  A kernel has room for all arrays of one piece.  */
const char *
fz_with_room (struct fz_array *array, int len)
{
  if (array->extent < len)
    array->extent = len;
  return array->name;
}

/* Return a scalar that the kernel accumulates, always with one operator, and reports at its end; or NULL.  */
struct fz_result *
fz_result (struct fz_kernel *k, bool is_float)
{
  static const char *const int_types[] = { "int", "unsigned", "unsigned long", "long", "unsigned short" };
  static const char *const starts[] = { "0", "1", "3", "~0u >> 1", "12345" };
  struct fz_result *result;
  int i;

  for (i = 0; i < k->n_results; i++)
    if (k->results[i].is_float == is_float && fz_chance (50))
      return &k->results[i];
  if (k->n_results == FZ_MAX_RESULTS)
    return NULL;
  result = &k->results[k->n_results++];
  result->name = fz_fresh (k, "s");
  result->is_float = is_float;
  result->op = (int) fz_pick (12);
  result->type = is_float ? fz_chance (70) ? "double" : "float" : int_types[fz_pick (5)];
  result->start = is_float ? fz_chance (50) ? "0" : "-0.5" : starts[fz_pick (5)];
  fprintf (k->before, "  %s %s = %s;\n", result->type, result->name, result->start);
  if (is_float)
    fprintf (k->after, "  fp_out += %s;\n", result->name);
  else
    fprintf (k->after, "  int_out = int_out * 31 + (unsigned long) %s;\n", result->name);
  return result;
}

/* Declare and fill K's own arrays, and fold them into its results.  */
static void
print_stack_arrays (const struct fz_kernel *k)
{
  for (int i = 0; i < k->n_arrays; i++)
    {
      const struct fz_array *array = &k->arrays[i];
      const char *format = fz_is_float (array->type) ? "(%s) (x * 7 %% 33) * 0.25f" : "(%s) (x * 2654435761u >> 9)";

      if (array->home != FZ_STACK)
	continue;
      fprintf (k->own, "  %s %s[%d];\n", fz_type_name[array->type], array->name, array->limit);
      fprintf (k->own, "  for (unsigned x = 0; x < %du; x++)\n    %s[x] = ", array->limit, array->name);
      fprintf (k->own, format, fz_type_name[array->type]);
      fputs (";\n", k->own);
      fprintf (k->after, "  mix (%s, sizeof %s);\n", array->name, array->name);
    }
}

/* A loop that the compiler may make vanish, replaced by a call of memset or unrolled, between a product and sums.  */
static void
add_vanishing (struct fz_kernel *k)
{
  struct fz_array *factor = fz_data_array (k, true), *array = fz_data_array (k, fz_chance (80));
  const char *variable = fz_fresh (k, "i"), *product = fz_fresh (k, "t");
  bool is_short = fz_chance (50);
  int n = is_short ? fz_range (2, 16) : fz_range (20, 1500);

  if (!factor || !array)
    return;
  n = n < array->limit ? n : array->limit;
  const char *element = fz_element_at (array, (struct fz_index) { variable, 0, n - 1 });
  const char *old = is_short && fz_is_float (array->type) ? fz_text ("%s * 0.3", element) : "0";
  fz_line (k, "double %s = %s * 1.1;", product, fz_element_at (factor, (struct fz_index) { "1", 1, 1 }));
  fz_line (k, "for (int %s = 0; %s < %d; %s++)", variable, variable, n, variable);
  fz_line (k, "  %s = %s%s%s;", element, old, is_short ? " - " : "", is_short ? product : "");
  fz_line (k, "fp_out += 0.3 - %s;", product);
}

/* Make kernel NUMBER: one or two nests over shared arrays, or one of the set pieces.  */
void
fz_make_kernel (struct fz_kernel *k, int number)
{
  *k = (struct fz_kernel) { .number = number, .indent = 1 };
  k->functions = tmpfile ();
  k->own = tmpfile ();
  k->before = tmpfile ();
  k->body = tmpfile ();
  k->after = tmpfile ();
  if (!k->functions || !k->own || !k->before || !k->body || !k->after)
    {
      perror ("generate");
      exit (2);
    }
  k->accumulates = fz_chance (45);
  k->is_simple = fz_chance (40);
  k->is_cold = fz_chance (2);
  k->n_odd = fz_chance (15);
  if (fz_chance (10))
    add_vanishing (k);
  if (fz_chance (35))
    fz_classic (k);
  else if (fz_chance (8))
    fz_packing (k);
  else if (fz_chance (4))
    fz_odd_kernel (k);
  else if (fz_chance (12))
    fz_nest (k);
  else if (fz_chance (15))
    fz_columns (k);
  else if (fz_chance (10))
    fz_buckets (k);
  else if (fz_chance (10))
    fz_tables (k);
  else if (fz_chance (8))
    fz_cursors (k);
  else if (fz_chance (10))
    fz_folds (k);
  else if (fz_chance (12))
    fz_rows (k);
  else if (fz_chance (10))
    fz_places (k);
  else if (fz_chance (10))
    fz_group (k);
  else if (fz_chance (20))
    fz_sequence (k);
  else
    fz_loop (k, 1, fz_range (1, 3));
  if (fz_chance (20))
    fz_loop (k, 1, fz_range (1, 2));
  print_stack_arrays (k);
}

static void
copy_stream (FILE *from, FILE *to)
{
  char text[4096];
  size_t len;

  rewind (from);
  while ((len = fread (text, 1, sizeof text, from)) > 0)
    fwrite (text, 1, len, to);
  fclose (from);
}

void
fz_print_kernel (struct fz_kernel *k, FILE *out)
{
  const char *comma = "";

  copy_stream (k->functions, out);
  fprintf (out, "\nstatic __attribute__ ((noinline%s)) void\nk%d (", k->is_cold ? ", cold" : "", k->number);
  for (int i = 0; i < k->n_arrays; i++)
    {
      const struct fz_array *array = &k->arrays[i];
      const char *type = fz_type_name[array->type];

      if (array->home == FZ_GLOBAL || array->home == FZ_GRID || array->home == FZ_STACK)
	continue;
      if (array->home == FZ_RECORD)
	type = "struct record";
      if (array->home == FZ_COLUMN)
	type = "struct columns";
      if (array->home == FZ_HELD)
	type = fz_text ("struct held_%s", fz_type_tag[array->type]);
      fprintf (out, "%s%s%s *%s%s", comma, array->role == FZ_CONST ? "const " : "", type,
	       array->role == FZ_CONST && (i & 1) ? "restrict " : "", array->name);
      comma = ", ";
    }
  for (int i = 0; i < k->n_scalars; i++, comma = ", ")
    fprintf (out, "%s%s %s", comma, k->scalars[i].type, k->scalars[i].name);
  fprintf (out, "%s)\n{\n", *comma ? "" : "void");
  copy_stream (k->own, out);
  copy_stream (k->before, out);
  copy_stream (k->body, out);
  copy_stream (k->after, out);
  fputs ("}\n", out);
}
