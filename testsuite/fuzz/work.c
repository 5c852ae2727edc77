/* SPDX-License-Identifier: MIT
   Loop program generator: work arrays, which an iteration writes before it reads them; now and then not quite.  */

#include "generate.h"

/* The loops over a work array: from FIRST to below BOUND, which is at most LEN.  */
struct work
{
  struct fz_array *array;
  const char *bound;
  int first, len;
};

/* Print a loop's head over values FIRST, LEAST or more, and more, below BOUND, which is at most WORK's length; its
   variable comes into scope.  */
static const char *
open_loop (struct fz_kernel *k, const struct work *work, const char *first, int least, const char *bound)
{
  const char *name = fz_fresh (k, "w");

  fz_line (k, "for (int %s = %s; %s < %s; %s++)", name, first, name, bound, name);
  fz_line (k, "  {");
  k->indent += 2;
  k->ivs[k->n_ivs++] = (struct fz_iv) { name, least, work->len - 1, NULL, 0 };
  return name;
}

static void
close_loop (struct fz_kernel *k)
{
  k->n_ivs--;
  k->indent -= 2;
  fz_line (k, "  }");
}

/* The element of WORK's array SHIFT from where variable NAME is.  */
static const char *
element (const struct work *work, const char *name, int shift)
{
  return fz_element_at (work->array,
			(struct fz_index) { shift ? fz_text ("%s + %d", name, shift) : name, 0, work->len });
}

static void
write_all (struct fz_kernel *k, const struct work *work)
{
  const char *first = fz_chance (80) ? fz_text ("%d", work->first) : fz_scalar (k, "first", "int", 0, work->first);
  const char *name = open_loop (k, work, first, 0, work->bound);
  unsigned form = fz_pick (10);

  if (form == 0)
    fz_line (k, "if (%s)", fz_condition (k));
  fz_line (k, "%s = %s;", element (work, name, 0), fz_value (k, work->array->type));
  if (form < 3)
    {
      if (form == 1)
	fz_line (k, "if (%s)", fz_condition (k));
      fz_line (k, "%s = %s;", element (work, name, 0), fz_value (k, work->array->type));
    }
  close_loop (k);
}

static void
read_some (struct fz_kernel *k, const struct work *work)
{
  int shift = fz_chance (60) ? 0 : fz_chance (50) ? 1 : -1;
  int first = work->first + (fz_chance (60) ? shift < 0 : fz_range (0, 1));
  int less = fz_chance (80) ? shift > 0 : fz_range (0, 1);
  struct fz_array *to;
  const char *name;

  if (first + shift < 0)
    first = 1;
  if (fz_chance (30))
    name = open_loop (k, work, fz_scalar (k, "from", "int", 1, 3), 1, fz_scalar (k, "to", "int", -2, work->len - 1));
  else
    name
      = open_loop (k, work, fz_text ("%d", first), first, less ? fz_text ("%s - %d", work->bound, less) : work->bound);
  to = fz_data_array (k, fz_is_float (work->array->type));
  if (to)
    fz_line (k, "%s = (%s) (%s * 0.25 + %d);", fz_element (k, to, true), fz_type_name[to->type],
	     fz_is_float (work->array->type) ? element (work, name, shift)
					     : fz_text ("(%s & 1023)", element (work, name, shift)),
	     fz_range (0, 9));
  close_loop (k);
}

/* Print statements that write an array and read it.  */
void
fz_work (struct fz_kernel *k)
{
  struct work work = { .array = fz_data_array (k, fz_chance (60)), .first = fz_range (0, 2), .len = fz_range (4, 20) };

  if (!work.array || work.array->home == FZ_GRID || work.array->limit <= work.len + 1 || k->n_ivs + 1 >= FZ_MAX_IVS)
    return;
  work.bound = fz_chance (50) ? fz_text ("%d", work.len) : fz_scalar (k, "n", "int", -2, work.len);
  write_all (k, &work);
  if (fz_chance (30))
    fz_statement (k);
  read_some (k, &work);
  if (fz_chance (30))
    read_some (k, &work);
}
