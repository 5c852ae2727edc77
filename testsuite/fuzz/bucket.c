/* SPDX-License-Identifier: MIT
   Loop program generator: arrays that a loop adds to, or does the like to.

       for (i = 0; i < n; i++)
	 if (key[i] & 1)
	   h[key[i] & 63] ^= (unsigned) i * 7;

   Where an element is, is of a known range, or goes with an inner loop, or is anybody's guess.  In most loops that is
   all that happens to the array; in others something is in the way: another operation, a use of what was read.  */

#include "generate.h"

enum
{
  BUCKETS = 256,
  KEYS = 1500
};

struct buckets
{
  struct fz_kernel *k;
  enum fz_type type;         /* of what is added to */
  const char *h, *g, *x;     /* the arrays that are added to, and one that is read */
  const char *bytes, *words; /* where to */
  const char *operation;     /* as in an assignment */
  bool has_inner;
};

static const char *
place (const struct buckets *b)
{
  switch (fz_pick (b->has_inner ? 9 : 7))
    {
    case 0:
    case 1:
      return fz_text ("%s[i]", b->bytes);
    case 2:
      return fz_text ("%s[i] & %d", b->words, (2 << fz_pick (7)) - 1);
    case 3:
      return fz_text ("%s[i] %% %uu", b->words, 1 + fz_pick (BUCKETS));
    case 4:
      return fz_text ("(%s[i] >> %u & 31) + %u", b->words, fz_pick (9), fz_pick (200));
    case 5:
      return fz_text ("%u + (signed char) %s[i] / 2", 64 + fz_pick (128), b->bytes);
    case 6:
      return fz_chance (50) ? "i & 127" : fz_text ("%u", fz_pick (BUCKETS));
    default:
      return fz_chance (70) ? "j" : fz_text ("2 * j + %u", fz_pick (2));
    }
}

static const char *
value (const struct buckets *b)
{
  switch (fz_pick (b->has_inner ? 5 : 4))
    {
    case 0:
      return fz_text ("%u", 1 + fz_pick (200));
    case 1:
      return fz_text ("%s[i]", b->words);
    case 2:
      return fz_text ("(unsigned) i * %u", 1 + fz_pick (9));
    case 3:
      return fz_text ("%s[i] + %s[i]", b->x, b->bytes);
    default:
      return fz_text ("%s[i] * (unsigned) j", b->x);
    }
}

/* An update of ARRAY; of one of its elements, or what looks like it.  */
static void
update (const struct buckets *b, const char *array)
{
  struct fz_kernel *k = b->k;
  const char *at = place (b), *type = fz_type_name[b->type], *operation = fz_chance (95) ? b->operation : "+";

  if (fz_chance (25))
    fz_line (k, "if (%s[i] %s %u)", b->words, fz_chance (50) ? "&" : ">", fz_pick (600));
  k->indent++;
  if (*operation == '<' || *operation == '>')
    fz_line (k, "%s[%s] = %s[%s] %s (%s) %s[i] ? %s[%s] : (%s) %s[i];", array, at, array, at, operation, type, b->x,
	     array, at, type, b->x);
  else if (fz_chance (6))
    fz_line (k, "%s[%s] = (%s) (%s %s %s[%s]);", array, at, type, value (b), operation, array, at);
  else if (fz_chance (4))
    fz_line (k, "%s[%s] %s= %s[%s];", array, at, operation, array, place (b));
  else
    fz_line (k, "%s[%s] %s= (%s) (%s);", array, at, operation, type, value (b));
  k->indent--;
}

/* What the loop does beside.  */
static void
something_else (const struct buckets *b)
{
  switch (fz_pick (4))
    {
    case 0:
      fz_line (b->k, "int_out += %s[i];", b->words);
      break;
    case 1:
      fz_line (b->k, "int_out += (unsigned long) %s[%s];", b->h, place (b));
      break;
    case 2:
      fz_line (b->k, "%s[i] = (unsigned) (%s);", b->x, value (b));
      break;
    default:
      fz_line (b->k, "%s[%s] = 3;", b->h, place (b));
    }
}

void
fz_buckets (struct fz_kernel *k)
{
  static const enum fz_type types[] = { FZ_U32, FZ_U16, FZ_U16, FZ_U64, FZ_U64 };
  static const char *const operations[] = { "+", "+", "-", "*", "^", "&", "|", "<", ">" };
  struct buckets b = { .k = k, .type = types[fz_pick (5)], .has_inner = fz_chance (30) };

  b.operation = operations[fz_pick (9)];
  b.h = fz_with_room (fz_typed_array (k, b.type), 2 * BUCKETS + 2);
  b.g = fz_with_room (fz_typed_array (k, b.type), 2 * BUCKETS + 2);
  b.x = fz_with_room (fz_typed_array (k, FZ_U32), KEYS);
  b.words = fz_with_room (fz_typed_array (k, FZ_U32), KEYS);
  b.bytes = fz_with_room (fz_typed_array (k, FZ_U8), KEYS);
  fz_line (k, "for (int i = 0; i < %s; i++)", fz_scalar (k, "n", "int", -1, b.has_inner ? 60 : KEYS));
  fz_line (k, "  {");
  k->indent += 2;
  if (b.has_inner)
    {
      fz_line (k, "for (int j = 0; j < %s; j++)", fz_scalar (k, "m", "int", -1, BUCKETS));
      fz_line (k, "  {");
      k->indent += 2;
    }
  update (&b, b.h);
  if (fz_chance (40))
    update (&b, fz_chance (50) ? b.h : b.g);
  if (b.has_inner)
    {
      k->indent -= 2;
      fz_line (k, "  }");
    }
  if (fz_chance (20))
    {
      b.has_inner = false;
      something_else (&b);
    }
  k->indent -= 2;
  fz_line (k, "  }");
}
