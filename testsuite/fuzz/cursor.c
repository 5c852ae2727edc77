/* SPDX-License-Identifier: MIT
   Loop program generator: arrays of cursors, elements that count and say where values go.

       for (b = 0; b < 16; b++)
	 next[b] = 200 * b;
       for (i = 0; i < n; i++)
	 to[next[key[i] & 15]++] = i;

   Now and then cursors come into each other's way, begin in any order, go down, or by more than one; or something else
   is made of them.  */

#include "generate.h"

enum
{
  KEYS = 600,
  TURNS = 4,
  MOST_CURSORS = 16,
  MOST_ROOM = 200,
  MOST_STEP = 3,
  PLACES = MOST_CURSORS * MOST_ROOM + (KEYS + 2) * TURNS * MOST_STEP /* with some beside */
};

struct cursors
{
  struct fz_kernel *k;
  enum fz_type type;
  const char *name, *to, *y;        /* the cursors, where values go by them, and by the iteration's number */
  const char *words, *bytes, *keys; /* keys are below LEN */
  int len, step;
  bool is_up;
};

/* Which cursor, in a loop over j if HAS_INNER.  */
static const char *
which (const struct cursors *c, bool has_inner)
{
  const char *i = has_inner ? "i + j" : "i";
  return fz_chance (80)   ? fz_text ("%s[%s]", c->keys, i)
	 : fz_chance (60) ? fz_text ("%s[%s] %% %du", c->bytes, i, c->len)
	 : c->len < 4     ? "i & 1"
	 : fz_chance (80) ? fz_text ("%s[%s] >> %u & 3", c->words, i, fz_pick (20))
			  : fz_text ("%u", fz_pick (c->len));
}

/* Print the cursors' beginnings, before the loop.  */
static void
print_beginnings (const struct cursors *c)
{
  FILE *before = c->k->before;
  int room = fz_chance (60) ? MOST_ROOM : fz_range (0, MOST_ROOM);
  const char *rank = fz_chance (70) ? "b" : fz_text ("(b * %u) %% %d", 1 + 2 * fz_pick (9), c->len);
  const char *at = fz_text ("%s * %d", rank, room);

  fprintf (before, "  for (int b = 0; b < %d; b++)\n", c->len);
  if (c->is_up)
    fprintf (before, "    %s[b] = %s + 2;\n", c->name, at);
  else
    fprintf (before, "    %s[b] = %d - %s;\n", c->name, PLACES - 1, at);
}

/* Print a step of a cursor, and what is done by it.  */
static void
print_step (const struct cursors *c, bool has_inner)
{
  struct fz_kernel *k = c->k;
  const char *element = fz_text ("%s[%s]", c->name, which (c, has_inner));
  const char *value = fz_chance (60) ? fz_text ("%s[i]", c->words) : "(unsigned) i * 3";
  const char *sign = c->is_up ? "+" : "-", *t = fz_fresh (k, "t");
  bool is_after = fz_chance (c->is_up ? 20 : 80);

  fz_line (k, "%s %s = %s;", fz_type_name[c->type], t, element);
  fz_line (k, "%s = %s %s %d;", element, t, sign, c->step);
  if (is_after)
    fz_line (k, "%s = %s %s %d;", t, t, sign, c->is_up || fz_chance (80) ? c->step : 1);
  if (is_after && c->is_up)
    fz_line (k, "%s = %s - 1;", t, t);
  if (!is_after && !c->is_up && fz_chance (80))
    fz_line (k, "%s = %s - 1;", t, t);
  if (fz_chance (8))
    fz_line (k, "if (%s & 1)", t);
  fz_line (k, "%s[%s] %s (unsigned) (%s);", c->to, t, fz_chance (85) ? "=" : "+=", value);
  if (c->step > 1 && fz_chance (40))
    fz_line (k, "%s[%s %s 1] = (unsigned) i;", c->to, t, fz_chance (50) ? "+" : "-");
  if (!has_inner && fz_chance (30))
    fz_line (k, "%s[i] = (unsigned) %s;", c->y, t);
}

void
fz_cursors (struct fz_kernel *k)
{
  static const enum fz_type types[] = { FZ_I32, FZ_I32, FZ_U32, FZ_I64, FZ_U64, FZ_U16 };
  bool has_inner = fz_chance (25), is_guarded = fz_chance (30);
  struct cursors c = { .k = k,
		       .type = types[fz_pick (6)],
		       .name = fz_fresh (k, "next"),
		       .to = fz_fresh (k, "to"),
		       .keys = fz_fresh (k, "key"),
		       .len = fz_range (2, MOST_CURSORS),
		       .step = fz_chance (70) ? 1 : fz_range (2, MOST_STEP),
		       .is_up = fz_chance (65) };

  c.y = fz_with_room (fz_typed_array (k, FZ_U32), KEYS);
  c.words = fz_with_room (fz_typed_array (k, FZ_U32), KEYS + TURNS);
  c.bytes = fz_with_room (fz_typed_array (k, FZ_U8), KEYS + TURNS);
  fprintf (k->own, "  static %s %s[%d];\n", fz_type_name[c.type], c.name, c.len);
  fprintf (k->own, "  static unsigned %s[%d + 1];\n", c.to, PLACES);
  fprintf (k->own, "  static int %s[%d];\n", c.keys, KEYS + TURNS);
  /* Handed over, the loop would have the keys' address taken, so that any store might reach them.  */
  fprintf (k->before, "  for (int b = 0; b < %d; b++)\n    {\n      __asm__ (\"\");\n", KEYS + TURNS);
  fprintf (k->before, "      %s[b] = (int) (%s[b] %% %du);\n    }\n", c.keys, c.bytes, c.len);
  print_beginnings (&c);
  fprintf (k->after, "  mix (%s, sizeof %s);\n  mix (%s, sizeof %s);\n", c.name, c.name, c.to, c.to);
  fz_line (k, "for (int i = 0; i < %s; i++)", fz_scalar (k, "n", "int", -1, KEYS));
  if (has_inner)
    fz_line (k, "  for (int j = 0; j < %s; j++)", fz_scalar (k, "m", "int", -1, TURNS));
  if (is_guarded)
    fz_line (k, "    if (%s[i] & %u)", c.words, 1 + fz_pick (15));
  fz_line (k, "    {");
  k->indent += 4;
  print_step (&c, has_inner);
  k->indent -= 4;
  fz_line (k, "    }");
}
