/* SPDX-License-Identifier: MIT
   Loop program generator: what stands around the kernels, buffers before them and calls after.

   The calls decide what a kernel's pointers mean: one buffer at one place, one element apart, overlapping, apart; a
   view of another type's buffer; index data without repetition, with one planted at a distance, all equal.
   Several calls in a row with the same data let a verdict be reused, a small change between them must undo it.  */

#include "generate.h"

#include <string.h>

static const int type_len[FZ_N_TYPES] = { 1, 1, 2, 2, 4, 4, 8, 8, 4, 8 };

/* Where each buffer's next piece begins when the pieces are to be apart, in bytes: [second buffer][type], the last
   column for the pool that types share.  */
struct layout
{
  enum
  {
    LAYOUT_SAME,
    LAYOUT_NEAR,
    LAYOUT_FAR,
    LAYOUT_RANDOM,
    LAYOUT_APART
  } pattern;
  int next[2][FZ_N_TYPES + 1];
  int place; /* in 8-byte units: where pieces that share a place are */
};

static bool
has_home (const struct fz_kernel *kernels, int n_kernels, enum fz_home home, int type)
{
  for (int i = 0; i < n_kernels; i++)
    for (int j = 0; j < kernels[i].n_arrays; j++)
      if (kernels[i].arrays[j].home == home && (type < 0 || (int) kernels[i].arrays[j].type == type))
	return true;
  return false;
}

/* Print the program's head: types, helpers, file-scope buffers.  */
void
fz_print_support (FILE *out, const struct fz_kernel *kernels, int n_kernels)
{
  fputs ("#include \"support.h\"\n\n", out);
  if (fz_program.puns)
    fprintf (out, "static unsigned long pool[%d];\n", FZ_LEN);
  for (int type = 0; type < FZ_N_TYPES; type++)
    {
      const char *name = fz_type_name[type], *tag = fz_type_tag[type];

      if (fz_program.used[type])
	fprintf (out, "static %s d_%s[%d];\n", name, tag, FZ_LEN);
      if (fz_program.used_const[type])
	fprintf (out, "static %s c_%s[%d];\n", name, tag, FZ_LEN);
      if (has_home (kernels, n_kernels, FZ_HELD, type))
	fprintf (out, "struct held_%s\n{\n  %s *data;\n};\n", tag, name);
      if (has_home (kernels, n_kernels, FZ_GRID, type))
	fprintf (out, "static %s g0_%s[%d][%d], g1_%s[%d][%d];\n", name, tag, FZ_ROWS, FZ_COLS, tag, FZ_ROWS, FZ_COLS);
    }
  if (has_home (kernels, n_kernels, FZ_RECORD, -1))
    fprintf (out, "static struct record records[%d];\n", 2 * FZ_RECORDS);
  if (has_home (kernels, n_kernels, FZ_COLUMN, -1))
    fprintf (out, "static struct columns columns[2];\n");
  for (int i = 0; i < n_kernels; i++)
    for (int j = 0; j < kernels[i].n_arrays; j++)
      {
	const struct fz_array *array = &kernels[i].arrays[j];

	if (array->role == FZ_INDEX || array->role == FZ_ROW)
	  fprintf (out, "static %s x%d_%s[%d];\n", fz_type_name[array->type], i, array->name,
		   array->extent > 0 ? array->extent : 1);
      }
}

static const char *
kind_of (int type)
{
  return type == FZ_F64 ? "DOUBLES" : type == FZ_F32 ? "FLOATS" : "INTS";
}

/* Print main's declarations and the filling of all buffers.  */
static void
print_buffers (FILE *out, const struct fz_kernel *kernels, int n_kernels)
{
  for (int type = 0; type < FZ_N_TYPES; type++)
    if (fz_program.used[type] && fz_chance (50))
      fprintf (out, "  %s e_%s[%d];\n", fz_type_name[type], fz_type_tag[type], FZ_LEN);
    else if (fz_program.used[type])
      fprintf (out, "  %s *e_%s = malloc (%d * sizeof *e_%s);\n", fz_type_name[type], fz_type_tag[type], FZ_LEN,
	       fz_type_tag[type]);
  fputc ('\n', out);
  if (fz_program.puns)
    fputs ("  buffer (pool, sizeof pool, INTS);\n", out);
  for (int type = 0; type < FZ_N_TYPES; type++)
    {
      const char *tag = fz_type_tag[type], *kind = kind_of (type);

      if (fz_program.used[type])
	fprintf (out, "  buffer (d_%s, sizeof d_%s, %s);\n  buffer (e_%s, %d * sizeof *e_%s, %s);\n", tag, tag, kind,
		 tag, FZ_LEN, tag, kind);
      if (fz_program.used_const[type])
	fprintf (out, "  buffer (c_%s, sizeof c_%s, CONST_%s);\n", tag, tag, kind);
      if (has_home (kernels, n_kernels, FZ_GRID, type))
	fprintf (out, "  buffer (g0_%s, sizeof g0_%s, %s);\n  buffer (g1_%s, sizeof g1_%s, %s);\n", tag, tag, kind, tag,
		 tag, kind);
    }
  if (has_home (kernels, n_kernels, FZ_RECORD, -1))
    fprintf (out, "  buffer_records (records, %d);\n", 2 * FZ_RECORDS);
  if (has_home (kernels, n_kernels, FZ_COLUMN, -1))
    fputs ("  buffer_columns (&columns[0]);\n  buffer_columns (&columns[1]);\n", out);
  fputs ("  buffer (odd_left, sizeof odd_left, INTS);\n  buffer (odd_right, sizeof odd_right, INTS);\n"
	 "  buffer (odd_copy, sizeof odd_copy, INTS);\n",
	 out);
}

/* Choose where within LEN bytes a piece of NEED bytes of units of UNIT bytes begins; *NEXT is where the next one
   that is to be apart may begin.  */
static int
choose_place (const struct layout *layout, int *next, int len, int need, int unit)
{
  static const int far[] = { 0, 1, 2, 31, 64, 200, 1000 };
  int room = (len - need) / unit, place = 0;

  switch (layout->pattern)
    {
    case LAYOUT_SAME:
      place = layout->place * 8 / unit;
      break;
    case LAYOUT_NEAR:
      place = layout->place * 8 / unit + fz_range (0, 2);
      break;
    case LAYOUT_FAR:
      place = layout->place * 8 / unit + far[fz_pick (sizeof far / sizeof *far)];
      break;
    case LAYOUT_RANDOM:
      place = fz_range (0, room);
      break;
    case LAYOUT_APART:
      place = (*next + unit - 1) / unit;
      if (place > room)
	place = fz_range (0, room);
      *next = place * unit + need;
      break;
    }
  return place < room ? place : room;
}

/* Return the argument for a data parameter.  */
static const char *
data_argument (const struct fz_array *array, struct layout *layout)
{
  enum fz_type type = array->type;
  int unit = type_len[type], len = FZ_LEN * unit, need = array->extent * unit, column = (int) type, place;
  bool second = layout->pattern == LAYOUT_APART ? fz_chance (40) : fz_chance (15);
  const char *base = fz_text ("%c_%s", second ? 'e' : 'd', fz_type_tag[type]);
  enum fz_type other = fz_program.palette[1];

  if (fz_program.puns && !fz_is_float (type) && !second && fz_chance (75))
    {
      column = FZ_N_TYPES;
      len = FZ_LEN * 8;
      base = fz_text ("(%s *) pool", fz_type_name[type]);
    }
  else if (unit == 1 && !fz_is_float (other) && fz_program.used[other] && fz_chance (50))
    {
      column = (int) other;
      len = FZ_LEN * type_len[other];
      base = fz_text ("(%s *) %c_%s", fz_type_name[type], second ? 'e' : 'd', fz_type_tag[other]);
    }
  place = choose_place (layout, &layout->next[second][column], len, need, unit);
  return fz_text ("%s + %d", base, place);
}

/* Return the argument for the array parameter J of kernel NUMBER.  */
static const char *
array_argument (const struct fz_kernel *k, int j, struct layout *layout)
{
  const struct fz_array *array = &k->arrays[j];
  int place;

  switch (array->home)
    {
    case FZ_RECORD:
      place = layout->pattern == LAYOUT_APART ? fz_range (0, 1) * FZ_RECORDS : fz_range (0, 2);
      return fz_text ("records + %d", place);
    case FZ_COLUMN:
      return fz_text ("&columns[%d]", fz_range (0, 1));
    case FZ_HELD:
      return fz_text ("&(struct held_%s) { %s }", fz_type_tag[array->type], data_argument (array, layout));
    default:
      break;
    }
  if (array->role == FZ_CONST)
    return fz_text ("c_%s + %d", fz_type_tag[array->type], fz_range (0, FZ_LEN - array->extent));
  if (array->role == FZ_DATA)
    return data_argument (array, layout);
  for (int i = 0; i < j; i++)
    if (k->arrays[i].role == array->role && k->arrays[i].type == array->type && k->arrays[i].top == array->top
	&& k->arrays[i].extent >= array->extent && fz_chance (30))
      return fz_text ("x%d_%s", k->number, k->arrays[i].name);
  return fz_text ("x%d_%s", k->number, array->name);
}

static int
scalar_argument (const struct fz_scalar *scalar)
{
  unsigned die = fz_pick (100);

  if (strchr ("nm", scalar->name[0]))
    {
      if (die < 55)
	return scalar->max;
      if (die < 62)
	return scalar->min;
      if (die < 68)
	return scalar->min > 0 ? scalar->min : 0;
      if (die < 78)
	return scalar->max < 5 ? scalar->max : fz_range (scalar->min > 1 ? scalar->min : 1, 5);
    }
  return fz_range (scalar->min, scalar->max);
}

/* Print the filling of kernel K's index arrays.  */
static void
print_index_data (FILE *out, const struct fz_kernel *k)
{
  static const int distances[] = { 1, 1, 31, 100, 1000 };
  static const int patterns[] = { 0, 1, 2, 2, 2, 2, 3, 4, 5, 5, 5, 6 };

  for (int j = 0; j < k->n_arrays; j++)
    {
      const struct fz_array *array = &k->arrays[j];
      int extent = array->extent > 0 ? array->extent : 1;
      int distance = fz_chance (20) ? extent : distances[fz_pick (sizeof distances / sizeof *distances)];

      if (array->role == FZ_INDEX)
	fprintf (out, "  fill_index (x%d_%s, sizeof *x%d_%s, %d, %d, %d, %d);\n", k->number, array->name, k->number,
		 array->name, extent, array->top, patterns[fz_pick (sizeof patterns / sizeof *patterns)], distance);
      if (array->role == FZ_ROW)
	fprintf (out, "  fill_rows (x%d_%s, sizeof *x%d_%s, %d, %d, %d);\n", k->number, array->name, k->number,
		 array->name, extent, array->top, fz_range (0, 1));
    }
}

/* Print one assignment within some index array of K, so that what was known of it no longer holds.  */
static void
print_poke (FILE *out, const struct fz_kernel *k)
{
  for (int j = 0; j < k->n_arrays; j++)
    if (k->arrays[j].role == FZ_INDEX && k->arrays[j].extent > 1)
      fprintf (out, "  x%d_%s[%d] = x%d_%s[%d];\n", k->number, k->arrays[j].name, fz_range (0, k->arrays[j].extent - 1),
	       k->number, k->arrays[j].name, fz_range (0, k->arrays[j].extent - 1));
}

/* Return the text of a call of K.  */
static const char *
some_call (const struct fz_kernel *k)
{
  static const int patterns[] = { LAYOUT_SAME,  LAYOUT_NEAR,  LAYOUT_NEAR,  LAYOUT_FAR,   LAYOUT_RANDOM,
				  LAYOUT_APART, LAYOUT_APART, LAYOUT_APART, LAYOUT_APART, LAYOUT_APART };
  struct layout layout = { .pattern = patterns[fz_pick (sizeof patterns / sizeof *patterns)] };
  const char *text = "", *comma = "";

  layout.place = fz_range (0, 128);
  for (int j = 0; j < k->n_arrays; j++)
    {
      enum fz_home home = k->arrays[j].home;

      if (home == FZ_GLOBAL || home == FZ_GRID || home == FZ_STACK)
	continue;
      text = fz_text ("%s%s%s", text, comma, array_argument (k, j, &layout));
      comma = ", ";
    }
  for (int j = 0; j < k->n_scalars; j++, comma = ", ")
    text = fz_text ("%s%s%d", text, comma, scalar_argument (&k->scalars[j]));
  return fz_text ("k%d (%s)", k->number, text);
}

/* Print main.  */
void
fz_print_main (FILE *out, const struct fz_kernel *kernels, int n_kernels)
{
  fputs ("\nint\nmain (void)\n{\n", out);
  print_buffers (out, kernels, n_kernels);
  for (int i = 0; i < n_kernels; i++)
    {
      const struct fz_kernel *k = &kernels[i];
      int n_calls = fz_range (3, 5);

      fputc ('\n', out);
      print_index_data (out, k);
      for (int c = 0; c < n_calls; c++)
	{
	  if (c && fz_chance (30))
	    print_index_data (out, k);
	  if (fz_chance (35))
	    fprintf (out, "  for (int r = 0; r < %d; r++)\n    %s;\n", fz_range (2, 4), some_call (k));
	  else
	    fprintf (out, "  %s;\n", some_call (k));
	  fprintf (out, "  report (\"k%d\");\n", i);
	  if (fz_chance (15))
	    print_poke (out, k);
	}
    }
  if (fz_program.is_crowded)
    fz_print_crowd_calls (out);
  fputs ("  return (int) (int_out & 63);\n}\n", out);
}
