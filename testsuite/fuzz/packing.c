/* SPDX-License-Identifier: MIT
   Loop program generator: counters that say where a value goes, or comes from.

       if (...)			to pack, most often; sometimes each time, before or behind the step, in two places,
	 a[q++] = ...;		by a pointer; now and then with what makes it another loop  */

#include "generate.h"

/* A kernel in the making that packs.  */
struct packing
{
  struct fz_kernel *k;
  const char *from[2], *to[3]; /* arrays */
  const char *type;            /* of their elements */
};

/* Print what is done where Q, TOP at most, leads to in ARRAY.  */
static void
touch_place (struct fz_kernel *k, struct fz_array *array, const char *q, int top)
{
  const char *place = fz_element_at (array, (struct fz_index) { q, 0, top });

  if (fz_chance (15))
    fz_line (k, "    int_out = int_out * 3 + (unsigned long) %s;", place);
  else if (fz_chance (15))
    fz_line (k, "    %s = (%s) (%s %s 3);", place, fz_type_name[array->type], place,
	     fz_is_float (array->type) ? "* 0.25 +" : "^");
  else
    fz_line (k, "    %s = %s;", place, fz_value (k, array->type));
}

/* The most that a statement here is executed in a call of K.  */
static long
most_trips (const struct fz_kernel *k)
{
  long trips = 1;

  for (int i = 0; i < k->n_ivs; i++)
    trips *= k->ivs[i].max + 1;
  return trips;
}

/* A counter that says where in an array a value goes.  */
void
fz_packed (struct fz_kernel *k)
{
  static const char *const types[] = { "int", "int", "unsigned", "long", "short", "unsigned long" };
  struct fz_array *array = fz_data_array (k, fz_chance (50));
  int step = fz_chance (70) ? 1 : fz_range (1, 3), from = fz_range (0, 5);
  bool is_before = fz_chance (30), is_pointer = !is_before && fz_chance (20), is_guarded = fz_chance (85);
  long top = from + (most_trips (k) + 1) * step;
  const char *q = fz_fresh (k, "q");

  if (!array || top >= array->limit || top >= 30000 || array->home == FZ_GRID)
    return;
  is_pointer = is_pointer && array->home != FZ_RECORD; /* there, something else follows */
  if (is_pointer)
    {
      const char *first = fz_element_at (array, (struct fz_index) { fz_text ("%d", from), 0, (int) top });
      fprintf (k->before, "  %s *%s = &%s;\n", fz_type_name[array->type], q, first);
    }
  else
    fprintf (k->before, "  %s %s = %d;\n", types[fz_pick (6)], q, from);
  if (is_guarded)
    fz_line (k, "if (%s)", fz_condition (k));
  fz_line (k, "  {");
  if (is_pointer)
    fz_line (k, "    *%s = %s;", q, fz_value (k, array->type));
  if (is_before)
    fz_line (k, "    %s += %d;", q, step);
  if (!is_pointer)
    touch_place (k, array, q, (int) top);
  if (!is_pointer && fz_chance (20))
    touch_place (k, array, fz_text ("%s + 1", q), (int) top);
  if (!is_before && fz_chance (8))
    fz_line (k, "    if (%s)", fz_condition (k));
  if (!is_before)
    fz_line (k, "    %s += %d;", q, step);
  fz_line (k, "  }");
  if (!is_pointer && fz_chance (20))
    fz_line (k, "int_out += (unsigned long) %s;", q);
  if (is_pointer)
    fprintf (k->after, "  int_out = int_out * 7 + (unsigned long) (%s - &%s);\n", q,
	     fz_element_at (array, (struct fz_index) { "0", 0, 0 }));
  else
    fprintf (k->after, "  int_out = int_out * 7 + (unsigned long) %s;\n", q);
}

/* What there was before, of what is added up.  */
void
fz_scanned (struct fz_kernel *k)
{
  static const char *const types[] = { "unsigned", "unsigned long", "unsigned short", "unsigned char" };
  static const char *const updates[] = { "+=", "+=", "+=", "^=", "-=", "|=", "&=", "*=" };
  struct fz_array *array = fz_data_array (k, false);
  const char *sum = fz_fresh (k, "sum"), *type = types[fz_pick (4)], *to;
  bool is_before = fz_chance (50);

  if (!array)
    return;
  fprintf (k->before, "  %s %s = %d;\n", type, sum, fz_range (0, 9));
  to = fz_text ("%s = (%s) %s;", fz_element (k, array, true), fz_type_name[array->type], sum);
  if (is_before)
    fz_line (k, "%s", to);
  if (fz_chance (30))
    fz_line (k, "if (%s)", fz_condition (k));
  fz_line (k, "%s %s (%s) (%s);", sum, updates[fz_pick (8)], type, fz_int (k, 2, false));
  if (!is_before)
    fz_line (k, "%s", to);
  fprintf (k->after, "  int_out = int_out * 7 + (unsigned long) %s;\n", sum);
}

/* Some condition on what P's loop reads at I; or none.  */
static const char *
test_of (const struct packing *p)
{
  switch (fz_pick (6))
    {
    case 0:
      return fz_text ("((int) %s[i] & %d)", p->from[0], fz_range (1, 7));
    case 1:
      return fz_text ("(%s[i] > %s[i])", p->from[0], p->from[1]);
    case 2:
      return fz_text ("(i %% %d == 1)", fz_range (2, 9));
    case 3:
      return fz_text ("(%s[i] != %s[i + 1])", p->from[0], p->from[0]);
    case 4:
      return fz_text ("(i < %d)", fz_range (0, 2000));
    default:
      return "(1)";
    }
}

/* Some value for P's loop to store.  */
static const char *
value_of (const struct packing *p, const char *q)
{
  switch (fz_pick (4))
    {
    case 0:
      return fz_text ("(%s) (i & 1023)", p->type);
    case 1:
      return fz_text ("(%s) ((%s + 1) & 1023)", p->type, q);
    case 2:
      return fz_text ("%s[i + 1]", p->from[1]);
    default:
      return fz_text ("%s[i]", p->from[0]);
    }
}

/* Print a counter's part of P's loop, which packs into array number WHICH.  */
static void
pack (struct packing *p, int which)
{
  static const char *const types[] = { "int", "int", "int", "unsigned", "long", "short", "unsigned long" };
  struct fz_kernel *k = p->k;
  const char *q = fz_fresh (k, "q"), *to = p->to[which], *type = types[fz_pick (7)];
  int step = fz_chance (75) ? 1 : 2;
  bool is_before = fz_chance (30), is_pointer = fz_chance (15), has_two = fz_chance (15), has_way = fz_chance (6);

  if (is_pointer)
    fprintf (k->before, "  %s *%s = %s + %d;\n", p->type, q, to, fz_range (0, 3));
  else
    fprintf (k->before, "  %s %s = %d;\n", type, q, fz_range (0, 3));
  fz_line (k, "    if %s\n      {", test_of (p));
  if (is_pointer)
    fz_line (k, "        *%s++ = %s;", q, value_of (p, "i"));
  else
    {
      if (is_before)
	fz_line (k, "        %s += %d;", q, step);
      fz_line (k, "        %s[%s] = %s;", to, q, value_of (p, q));
      if (has_two)
	fz_line (k, "        %s[%s + 1] = %s;", to, q, value_of (p, q));
      if (!is_before)
	fz_line (k, "        %s%s += %d;", has_way ? fz_text ("if %s ", test_of (p)) : "", q, step);
    }
  fz_line (k, "      }");
  if (is_pointer)
    fprintf (k->after, "  int_out = int_out * 7 + (unsigned long) (%s - %s);\n", q, to);
  else
    fprintf (k->after, "  int_out = int_out * 7 + (unsigned long) %s;\n", q);
  if (!is_pointer && fz_chance (30))
    fz_line (k, "    %s[i] = (%s) (%s & 1023);", p->to[2], p->type, q);
}

/* Print the loop of a kernel that packs, and does little else.  */
void
fz_packing (struct fz_kernel *k)
{
  enum
  {
    MOST = 2000,
    ROOM = 2 * MOST + 16
  };
  enum fz_type type = fz_program.palette[fz_chance (50)];
  const char *n = fz_scalar (k, "n", fz_chance (70) ? "int" : "long", -2, MOST);
  struct packing p = { .k = k, .type = fz_type_name[type] };

  for (int i = 0; i < 5; i++)
    {
      struct fz_array *array = fz_typed_array (k, type);
      array->extent = array->extent < ROOM ? ROOM : array->extent;
      *(i < 2 ? &p.from[i] : &p.to[i - 2]) = array->name;
    }
  fz_line (k, "for (%s i = 0; i < %s; i++)\n  {", fz_chance (60) ? "int" : "long", n);
  if (fz_chance (25))
    fz_line (k, "    %s[i] = %s;", p.to[2], value_of (&p, "i"));
  pack (&p, 0);
  if (fz_chance (40))
    pack (&p, fz_chance (70));
  fz_line (k, "  }");
}
