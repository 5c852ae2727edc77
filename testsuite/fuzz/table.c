/* SPDX-License-Identifier: MIT
   Loop program generator: tables that each iteration fills, goes to loaded places in, and reads.

       for (i = 0; i < n; i++)
	 {
	   for (j = 0; j < 64; j++)
	     t[j] = i;
	   for (j = 0; j < m; j++)
	     t[key[j] & 63] += j;
	   y[key[i] & 255] = t[key[i] & 63];
	 }

   Now and then not all of the table is filled, or not always, or what it holds in the end is seen.  */

#include "generate.h"

enum
{
  MOST_PLACES = 128,
  KEYS = 600
};

struct table
{
  struct fz_kernel *k;
  enum fz_type type;
  const char *name, *y, *x; /* the table, an array that is written, and one of the table's type */
  const char *words, *bytes;
  int len;
};

/* A place in the table, in a loop over j if HAS_INNER.  */
static const char *
place (const struct table *t, bool has_inner)
{
  const char *i = has_inner && fz_chance (70) ? "j" : "i";
  int below = fz_chance (85) ? t->len : 1 + (int) fz_pick (t->len);

  switch (fz_pick (has_inner ? 6 : 5))
    {
    case 0:
    case 1:
      return fz_text ("%s[%s] %% %du", t->bytes, i, below);
    case 2:
      return fz_text ("%s[%s] >> %u & %d", t->words, i, fz_pick (20), (t->len >= 64 ? 63 : t->len >= 16 ? 15 : 3));
    case 3:
      return fz_text ("(int) (%s[%s] %% %du)", t->words, i, below);
    case 4:
      return fz_text ("%u", fz_pick (t->len));
    default:
      return fz_text ("(%s[j] + i) %% %du", t->bytes, below);
    }
}

static const char *
value (const struct table *t, bool has_inner)
{
  switch (fz_pick (has_inner ? 4 : 3))
    {
    case 0:
      return fz_text ("(unsigned) i * %u", 1 + fz_pick (9));
    case 1:
      return fz_text ("%s[i]", t->words);
    case 2:
      return fz_text ("%s[i] + %u", t->bytes, fz_pick (100));
    default:
      return fz_text ("(unsigned) j + %s[i]", t->bytes);
    }
}

static void
fill (const struct table *t)
{
  struct fz_kernel *k = t->k;
  const char *type = fz_type_name[t->type];

  if (fz_chance (12))
    fz_line (k, "if (%s[i] & %u)", t->words, 1 + fz_pick (15));
  k->indent++;
  switch (fz_pick (8))
    {
    case 0:
      fz_line (k, "__builtin_memset (%s, (int) i & 3, %d * sizeof *%s);", t->name, t->len - fz_chance (15), t->name);
      break;
    case 1:
      fz_line (k, "__builtin_memcpy (%s, %s + i, %d * sizeof *%s);", t->name, t->x, t->len - fz_chance (15), t->name);
      break;
    case 2:
      fz_line (k, "__builtin_memset (%s, 0, %s * sizeof *%s);", t->name,
	       fz_scalar (k, "len", "unsigned", t->len, t->len), t->name);
      break;
    case 3:
      fz_line (k, "for (int j = %d; j >= 0; j--)", t->len - 1);
      fz_line (k, "  %s[j] = (%s) (%s);", t->name, type, value (t, true));
      break;
    default:
      fz_line (k, "for (int j = %u; j < %d; j++)", fz_chance (6), t->len - fz_chance (8));
      fz_line (k, "  %s[j] = (%s) (%s);", t->name, type, value (t, true));
    }
  k->indent--;
}

static void
use (const struct table *t, bool has_inner)
{
  struct fz_kernel *k = t->k;
  const char *type = fz_type_name[t->type], *at = place (t, has_inner);

  if (fz_chance (20))
    fz_line (k, "if (%s[i] & %u)", t->words, 1 + fz_pick (15));
  k->indent++;
  if (fz_chance (75))
    fz_line (k, "%s[%s] %s= (%s) (%s);", t->name, at,
	     fz_chance (70)   ? "+"
	     : fz_chance (50) ? "^"
			      : "",
	     type, value (t, has_inner));
  else if (fz_chance (50))
    fz_line (k, "%s[%s] = %s[%s];", t->name, at, t->name, place (t, has_inner));
  else
    fz_line (k, "%s[i] += (unsigned) %s[%s];", t->y, t->name, at);
  k->indent--;
}

void
fz_tables (struct fz_kernel *k)
{
  static const enum fz_type types[] = { FZ_U32, FZ_U32, FZ_U16, FZ_U64 };
  struct table t
    = { .k = k, .type = types[fz_pick (4)], .name = fz_fresh (k, "table"), .len = fz_range (4, MOST_PLACES) };
  unsigned home = fz_pick (3);

  t.y = fz_with_room (fz_typed_array (k, FZ_U32), KEYS);
  t.x = fz_with_room (fz_typed_array (k, t.type), KEYS + MOST_PLACES);
  t.words = fz_with_room (fz_typed_array (k, FZ_U32), KEYS);
  t.bytes = fz_with_room (fz_typed_array (k, FZ_U8), KEYS);
  fprintf (k->own, "  %s%s %s[%d] = { 0 };\n", home == 0 ? "static " : "", fz_type_name[t.type], t.name, t.len);
  if (fz_chance (50))
    fprintf (k->after, "  mix (%s, sizeof %s);\n", t.name, t.name);
  fz_line (k, "for (int i = 0; i < %s; i++)", fz_scalar (k, "n", "int", -1, KEYS));
  fz_line (k, "  {");
  k->indent += 2;
  fill (&t);
  for (int n = fz_range (0, 2); n > 0; n--)
    {
      fz_line (k, "for (int j = 0; j < %s; j++)", fz_scalar (k, "m", "int", -1, 60));
      fz_line (k, "  {");
      k->indent += 2;
      use (&t, true);
      k->indent -= 2;
      fz_line (k, "  }");
    }
  for (int n = fz_range (0, 2); n > 0; n--)
    use (&t, false);
  if (fz_chance (30))
    fz_line (k, "%s[%s[i] & 255] = (unsigned) %s[%s];", t.y, t.words, t.name, place (&t, false));
  else
    fz_line (k, "%s[i] = (unsigned) %s[%s];", t.y, t.name, place (&t, false));
  k->indent -= 2;
  fz_line (k, "  }");
}
