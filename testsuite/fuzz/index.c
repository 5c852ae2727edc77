/* SPDX-License-Identifier: MIT
   Loop program generator: index expressions.

   Each carries the range of its values, found by interval arithmetic over the induction variables in scope:

     i in 1 .. 99   ->   "i * m + j - 1", 0 .. 99 * 20 + 18

   A form whose range does not fit is given up for another; a remainder at last always fits.  Injective forms give
   different iterations different elements (when the index data do); the others are where conflicts come from.  */

#include "generate.h"

static struct fz_index
plain (const char *text, int min, int max)
{
  return (struct fz_index) { text, min, max };
}

static const struct fz_iv *
some_iv (const struct fz_kernel *k)
{
  return &k->ivs[fz_chance (65) ? k->n_ivs - 1 : (int) fz_pick ((unsigned) k->n_ivs)];
}

/* The number of values of IV as text, and in *COUNT at most.  */
static const char *
iv_count (const struct fz_iv *iv, int *count)
{
  if (iv->bound && fz_chance (75))
    {
      *count = iv->bound_max;
      return iv->bound;
    }
  *count = iv->max + 1;
  return fz_text ("%d", *count);
}

/* i + c, i - c, n - 1 - i, c * i + d, with a type now and then.  */
static struct fz_index
affine (const struct fz_iv *iv)
{
  static const int shifts[] = { 0, 0, 0, 0, 1, 1, 2, 3, 7, 31, 64, 1000 };
  static const char *const casts[] = { "", "", "", "(long) ", "(unsigned) ", "(unsigned long) " };
  int c = shifts[fz_pick (sizeof shifts / sizeof *shifts)];
  const char *cast = casts[fz_pick (sizeof casts / sizeof *casts)];
  int step;

  switch (fz_pick (8))
    {
    case 0:
      if (iv->bound)
	return plain (fz_text ("%s - 1 - %s", iv->bound, iv->name), 0, iv->bound_max - 1 - iv->min);
      return plain (fz_text ("%d - %s", iv->max, iv->name), 0, iv->max - iv->min);
    case 1:
      step = fz_range (2, 4);
      return plain (fz_text ("%d * %s%s + %d", step, cast, iv->name, c), step * iv->min + c, step * iv->max + c);
    case 2:
      if (iv->min > 0)
	return plain (fz_text ("%s%s - %d", cast, iv->name, iv->min), 0, iv->max - iv->min);
      return plain (iv->name, iv->min, iv->max);
    case 3:
      return plain (fz_text ("%u + (unsigned) %s - 5u", (unsigned) c + 5u, iv->name), iv->min + c, iv->max + c);
    default:
      if (c == 0)
	return plain (fz_text ("%s%s", cast, iv->name), iv->min, iv->max);
      return plain (fz_text ("%s%s + %d", cast, iv->name, c), iv->min + c, iv->max + c);
    }
}

/* i * m + j, or its transpose, or over three variables.  */
static struct fz_index
linearised (const struct fz_kernel *k)
{
  const struct fz_iv *inner = &k->ivs[k->n_ivs - 1], *outer = inner - 1, *swap;
  const char *pitch;
  struct fz_index index;
  int count, c;

  if (fz_chance (20))
    swap = inner, inner = outer, outer = swap;
  pitch = iv_count (inner, &count);
  index
    = plain (fz_text ("%s * %s + %s", outer->name, pitch, inner->name), inner->min, outer->max * count + inner->max);
  if (fz_chance (20))
    {
      c = fz_range (1, 3);
      index = plain (fz_text ("%s + %d", index.text, c), index.min + c, index.max + c);
    }
  if (k->n_ivs >= 3 && fz_chance (60))
    {
      const struct fz_iv *first = &k->ivs[k->n_ivs - 3];
      int rows, cols;
      const char *n_rows, *n_cols;

      inner = &k->ivs[k->n_ivs - 1];
      outer = inner - 1;
      n_rows = iv_count (outer, &rows);
      n_cols = iv_count (inner, &cols);
      return plain (fz_text ("(%s * %s + %s) * %s + %s", first->name, n_rows, outer->name, n_cols, inner->name),
		    inner->min, (first->max * rows + outer->max) * cols + inner->max);
    }
  return index;
}

/* An affine index within reach.  */
static struct fz_index
simple_index (const struct fz_kernel *k)
{
  struct fz_index index;

  for (int attempt = 0; attempt < 5; attempt++)
    {
      index = k->n_ivs >= 2 && fz_chance (50) ? linearised (k) : affine (some_iv (k));
      if (index.min >= 0 && index.max < FZ_REACH)
	return index;
    }
  return plain (fz_text ("(unsigned) %s %% %du", some_iv (k)->name, FZ_REACH), 0, FZ_REACH - 1);
}

/* An element of an index array: of its own values, or of another index array's (two levels).  */
static struct fz_index
indirect (struct fz_kernel *k, int limit, bool two_levels)
{
  static const int tops[] = { 99, 700, 3000, 5000, 5000, 6000 };
  struct fz_array *array;
  struct fz_index at;
  int top = tops[fz_pick (sizeof tops / sizeof *tops)];

  array = fz_index_array (k, FZ_INDEX, top < limit ? top : limit - 1);
  if (!array)
    return plain ("0", 0, 0);
  at = two_levels ? indirect (k, FZ_REACH, false) : simple_index (k);
  return plain (fz_element_at (array, at), 0, array->top);
}

/* Some data masked into an index: whatever the loop writes there, the access stays within bounds.  */
static struct fz_index
masked_data (struct fz_kernel *k)
{
  struct fz_array *array = fz_data_array (k, false);
  int mask = (16 << fz_range (0, 6)) - 1;

  if (!array)
    return plain ("0", 0, 0);
  return plain (fz_text ("((unsigned) %s & %du)", fz_element (k, array, true), mask), 0, mask);
}

static struct fz_index
nonlinear_injective (const struct fz_iv *iv)
{
  int p = fz_range (2, 9), q = p + fz_range (0, 3), all = 1;

  while (all <= iv->max)
    all *= 2;
  if (fz_chance (50))
    return plain (fz_text ("(%s ^ %d)", iv->name, fz_range (1, all - 1 > 1 ? all - 1 : 1)), 0, all > 2 ? all - 1 : 1);
  return plain (fz_text ("%s / %d * %d + %s %% %d", iv->name, p, q, iv->name, p), 0, iv->max / p * q + p - 1);
}

static struct fz_index
nonlinear_folding (struct fz_kernel *k, const struct fz_iv *iv)
{
  int m = fz_range (2, 999), mask = (8 << fz_range (0, 7)) - 1;
  const char *scalar;

  switch (fz_pick (8))
    {
    case 0:
      return plain (fz_text ("(unsigned) (%s * %s) %% %du", iv->name, iv->name, m), 0, m - 1);
    case 1:
      return plain (fz_text ("((unsigned) %s * %du & %du)", iv->name, fz_range (3, 4001) | 1, mask), 0, mask);
    case 2:
      return plain (fz_text ("(unsigned char) (%s * %d + %d)", iv->name, fz_range (1, 11), fz_range (0, 255)), 0, 255);
    case 3:
      return plain (fz_text ("((unsigned) %s * 2654435761u >> %d)", iv->name, 22), 0, 1023);
    case 4:
      return plain (fz_text ("%s / %d", iv->name, m % 60 + 2), 0, iv->max / (m % 60 + 2));
    case 5:
      return plain (fz_text ("%s %% %d", iv->name, m), 0, m - 1);
    case 6:
      return plain (fz_text ("(%s >> %d)", iv->name, m % 4 + 1), 0, iv->max >> (m % 4 + 1));
    default:
      scalar = fz_scalar (k, "w", "unsigned", 1, 3000);
      return plain (fz_text ("((unsigned) %s * %s & %du)", iv->name, scalar, mask), 0, mask);
    }
}

static struct fz_index
invariant (struct fz_kernel *k)
{
  static const int tops[] = { 7, 100, 1500 };
  int top = tops[fz_pick (3)];

  if (fz_chance (50))
    return plain (fz_text ("%d", top), top, top);
  return plain (fz_scalar (k, "at", fz_chance (50) ? "int" : "long", 0, top), 0, top);
}

static struct fz_index
some_index (struct fz_kernel *k, int limit, bool injective)
{
  const struct fz_iv *iv = some_iv (k);
  unsigned die = fz_pick (100);

  if (k->is_simple && fz_chance (85))
    return k->n_ivs >= 2 && fz_chance (70) ? linearised (k) : affine (iv);
  if (k->n_ivs >= 2 && injective && fz_chance (55))
    return linearised (k);
  if (!injective && die < 25)
    switch (fz_pick (6))
      {
      case 0:
	return invariant (k);
      case 1:
	return indirect (k, limit, true);
      case 2:
	return masked_data (k);
      default:
	return nonlinear_folding (k, iv);
      }
  if (die < 45)
    return indirect (k, limit, false);
  if (die < 52)
    return nonlinear_injective (iv);
  if (k->n_ivs >= 2 && die < 70)
    return linearised (k);
  return affine (iv);
}

/* Return an index expression with values within 0 .. LIMIT - 1.  INJECTIVE: different iterations are meant to get
   different values.  */
struct fz_index
fz_index (struct fz_kernel *k, int limit, bool injective)
{
  struct fz_index index;

  if (!k->n_ivs)
    return plain (fz_text ("%d", fz_range (0, limit < 9 ? limit - 1 : 9)), 0, 9);
  for (int attempt = 0; attempt < 5; attempt++)
    {
      index = some_index (k, limit, injective);
      if (index.min >= 0 && index.max < limit)
	return index;
    }
  return plain (fz_text ("(unsigned) %s %% %du", some_iv (k)->name, limit), 0, limit - 1);
}

/* Return the text of ARRAY's element at INDEX, and widen the array's extent to it.  */
const char *
fz_element_at (struct fz_array *array, struct fz_index index)
{
  if (index.max >= array->extent)
    array->extent = index.max + 1;
  switch (array->home)
    {
    case FZ_RECORD:
      return fz_text ("%s[%s].%s", array->name, index.text, array->member);
    case FZ_COLUMN:
      return fz_text ("%s->%s[%s]", array->name, array->member, index.text);
    case FZ_HELD:
      return fz_text ("%s->data[%s]", array->name, index.text);
    case FZ_GRID:
      return fz_text ("%s[(%s) / %d][(%s) %% %d]", array->name, index.text, FZ_COLS, index.text, FZ_COLS);
    default:
      return fz_text ("%s[%s]", array->name, index.text);
    }
}

/* An affine index over IV with values below LIMIT.  */
static struct fz_index
affine_below (const struct fz_iv *iv, int limit)
{
  struct fz_index index = affine (iv);

  if (index.min >= 0 && index.max < limit)
    return index;
  if (iv->max < limit)
    return plain (iv->name, iv->min, iv->max);
  return plain (fz_text ("(unsigned) %s %% %du", iv->name, limit), 0, limit - 1);
}

/* Return the text of some element of ARRAY.  */
const char *
fz_element (struct fz_kernel *k, struct fz_array *array, bool injective)
{
  struct fz_index row, col;

  if (array->home == FZ_GRID && k->n_ivs >= 2 && fz_chance (75))
    {
      const struct fz_iv *i = &k->ivs[k->n_ivs - 2], *j = &k->ivs[k->n_ivs - 1];

      row = affine_below (i, FZ_ROWS);
      col = affine_below (j, FZ_COLS);
      return fz_text ("%s[%s][%s]", array->name, row.text, col.text);
    }
  if (array->home == FZ_GRID && fz_chance (75))
    return fz_text ("%s[%s][%s]", array->name, fz_index (k, FZ_ROWS, injective).text,
		    fz_index (k, FZ_COLS, injective).text);
  return fz_element_at (array, fz_index (k, array->limit, injective));
}
