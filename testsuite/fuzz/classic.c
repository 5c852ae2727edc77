/* SPDX-License-Identifier: MIT
   Loop program generator: set pieces, kernels with the shape of real code.

   Random statements rarely add up to a sparse matrix product or a stencil.  Each piece here is one such kernel with
   its sizes, types and index data left to chance.  Floating-point ones scale what they store, so that values stay
   within FZ_FP_TOP, or only add terms of such size.  */

#include "generate.h"

static const char *
float_data (struct fz_kernel *k, int len)
{
  return fz_with_room (fz_typed_array (k, fz_program.palette[0]), len);
}

static const char *
int_data (struct fz_kernel *k, int len)
{
  return fz_with_room (fz_typed_array (k, fz_program.palette[1]), len);
}

static const char *
const_data (struct fz_kernel *k, int len)
{
  return fz_with_room (fz_const_array (k), len);
}

static const char *
index_data (struct fz_kernel *k, enum fz_role role, int len, int top)
{
  return fz_with_room (fz_index_array (k, role, top), len);
}

static const char *
float_type (void)
{
  return fz_type_name[fz_program.palette[0]];
}

static const char *
count (struct fz_kernel *k, int max)
{
  static const char *const types[] = { "int", "int", "long", "unsigned" };
  const char *type = types[fz_pick (4)];

  return fz_scalar (k, "n", type, type[0] == 'u' ? 0 : -2, max);
}

static void
saxpy_indirect (struct fz_kernel *k)
{
  const char *y = float_data (k, 2001), *x = const_data (k, 3000);
  const char *ix = index_data (k, FZ_INDEX, 3000, 2000), *n = count (k, 3000);

  fz_line (k, "for (int i = 0; i < (int) %s; i++)", n);
  if (fz_chance (50))
    fz_line (k, "  %s[%s[i]] += 0.75f * %s[i];", y, ix, x);
  else
    fz_line (k, "  %s[%s[i]] = %s[i] * 0.5f + %s[%s[i]] * 0.25f;", y, ix, x, y, ix);
}

static void
csr_product (struct fz_kernel *k)
{
  const char *row = index_data (k, FZ_ROW, 301, 2000), *col = index_data (k, FZ_INDEX, 2000, 700);
  const char *a = const_data (k, 2000), *x = const_data (k, 701), *y = float_data (k, 300);
  const char *n = count (k, 300);

  fz_line (k, "for (int i = 0; i < (int) %s; i++)", n);
  fz_line (k, "  {");
  fz_line (k, "    double sum = 0;");
  fz_line (k, "    for (int j = %s[i]; j < %s[i + 1]; j++)", row, row);
  fz_line (k, "      sum += %s[j] * %s[%s[j]];", a, x, col);
  fz_line (k, "    %s[i] = sum * 0x1p-24;", y);
  fz_line (k, "  }");
}

static void
csc_scatter (struct fz_kernel *k)
{
  const char *start = index_data (k, FZ_ROW, 201, 2000), *row = index_data (k, FZ_INDEX, 2000, 700);
  const char *a = const_data (k, 2000), *y = float_data (k, 701), *n = count (k, 200);

  fz_line (k, "for (int j = 0; j < (int) %s; j++)", n);
  fz_line (k, "  for (int q = %s[j]; q < (int) %s[j + 1]; q++)", start, start);
  fz_line (k, "    %s[%s[q]] += %s[q] * 0.5f;", y, row, a);
}

static void
forward_elimination (struct fz_kernel *k)
{
  const char *row = index_data (k, FZ_ROW, 301, 2000), *col = index_data (k, FZ_INDEX, 2000, 299);
  const char *a = int_data (k, 2000), *x = fz_with_room (fz_typed_array (k, FZ_U32), 300);
  bool by_level = fz_chance (50);
  const char *order = by_level ? index_data (k, FZ_INDEX, 300, 299) : "", *n = count (k, 300);

  fz_line (k, "for (int r = 0; r < (int) %s; r++)", n);
  fz_line (k, "  {");
  fz_line (k, by_level ? "    int i = %s[r];" : "    int i = r;%s", order);
  fz_line (k, "    for (int j = %s[i]; j < %s[i + 1]; j++)", row, row);
  fz_line (k, "      %s[i] -= (unsigned) %s[j] * %s[%s[j]];", x, a, x, col);
  fz_line (k, "  }");
}

static void
stencil_1d (struct fz_kernel *k)
{
  const char *a = float_data (k, 3001), *b = float_data (k, 3001), *n = count (k, 3000);
  int step = fz_chance (30) ? 2 : 1;

  fz_line (k, "for (int i = 1; i < (int) %s; i += %d)", n, step);
  if (fz_chance (50))
    fz_line (k, "  %s[i] = (%s[i - 1] + %s[i] + %s[i + 1]) * 0.25f;", b, a, a, a);
  else
    fz_line (k, "  %s[i] = (%s[i - 1] + %s[i + 1]) * 0.5f;", a, a, a);
}

static void
stencil_2d (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", -2, 60), *m = fz_scalar (k, "m", "int", 0, 60);
  const char *a = float_data (k, 3600), *b = float_data (k, 3600);

  fz_line (k, "for (int i = 1; i < %s - 1; i++)", n);
  fz_line (k, "  for (int j = 1; j < %s - 1; j++)", m);
  fz_line (k, "    %s[i * %s + j] = (%s[i * %s + j] + %s[i * %s + j - 1]", b, m, a, m, a, m);
  fz_line (k, "      + %s[(i - 1) * %s + j] + %s[(i + 1) * %s + j]) * 0.2f;", a, m, a, m);
}

static void
stencil_rows (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "long", 0, 40), *m = fz_scalar (k, "m", "long", 2, 60);
  const char *a = float_data (k, 2400), *b = float_data (k, 2400), *type = float_type ();

  fz_line (k, "for (long i = 1; i < %s; i++)", n);
  fz_line (k, "  {");
  fz_line (k, "    const %s *up = %s + (i - 1) * %s;", type, a, m);
  fz_line (k, "    %s *here = %s + i * %s;", type, b, m);
  fz_line (k, "    for (long j = 0; j < %s; j++)", m);
  fz_line (k, "      here[j] = up[j] * 0.5f + here[j] * 0.25f;");
  fz_line (k, "  }");
}

static void
matrix_product (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", -1, 16), *c = float_data (k, 256);
  const char *a = const_data (k, 256), *b = const_data (k, 256);
  bool in_place = fz_chance (50);

  fz_line (k, "for (int i = 0; i < %s; i++)", n);
  fz_line (k, "  for (int j = 0; j < %s; j++)", n);
  fz_line (k, "    {");
  if (!in_place)
    fz_line (k, "      %s[i * %s + j] *= 0.5f;", c, n);
  fz_line (k, "      for (int q = 0; q < %s; q++)", n);
  fz_line (k, "        %s[i * %s + j] += %s[i * %s + q] * %s[q * %s + j] * 0x1p-12f;", c, n, a, n, b, n);
  fz_line (k, "    }");
}

static void
pointer_walk (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 1500), *type = fz_type_name[fz_program.palette[1]];
  const char *to = int_data (k, 1500), *from = int_data (k, 3000);
  int stride = fz_range (1, 2);

  fz_line (k, "%s *w = %s, *end = %s + %s;", type, to, to, n);
  fz_line (k, "const %s *r = %s;", type, from);
  switch (fz_pick (3))
    {
    case 0:
      fz_line (k, "for (; w != end; w++, r += %d)", stride);
      fz_line (k, "  *w = (%s) (*r ^ 21);", type);
      break;
    case 1:
      fz_line (k, "while (w < end)");
      fz_line (k, "  {\n      *w++ = (%s) ((unsigned long) *r * 3 + 1);", type);
      fz_line (k, "    r += %d;\n    }", stride);
      break;
    default:
      fz_line (k, "while (end > w)");
      fz_line (k, "  *--end = *r++;");
      break;
    }
}

static void
histogram (struct fz_kernel *k)
{
  const char *h = fz_with_room (fz_typed_array (k, FZ_U32), 256), *n = count (k, 2500);
  const char *key = fz_with_room (fz_typed_array (k, FZ_U8), 2500);

  fz_line (k, "for (int i = 0; i < (int) %s; i++)", n);
  fz_line (k, fz_chance (50) ? "  %s[%s[i]]++;" : "  %s[%s[i]] = (unsigned) i;", h, key);
}

static void
scan_or_pack (struct fz_kernel *k)
{
  const char *n = count (k, 2500), *a = int_data (k, 2501), *b = int_data (k, 2501);
  const char *type = fz_type_name[fz_program.palette[1]];

  switch (fz_pick (4))
    {
    case 0:
      fz_line (k, "for (int i = 1; i < (int) %s; i++)", n);
      fz_line (k, "  %s[i] = (%s) ((unsigned long) %s[i - 1] + (unsigned long) %s[i]);", a, type, a, b);
      break;
    case 1:
      fz_line (k, "int filled = 0;");
      fz_line (k, "for (int i = 0; i < (int) %s; i++)", n);
      fz_line (k, "  if (%s[i] & 1)\n      %s[filled++] = %s[i];", a, b, a);
      fz_line (k, "int_out += (unsigned long) filled;");
      break;
    case 2:
      fz_line (k, "int found = -1;");
      fz_line (k, "for (int i = 0; i < (int) %s; i++)", n);
      fz_line (k, "  if ((%s[i] & 63) == 5)\n      {\n        found = i;\n        break;\n      }", a);
      fz_line (k, "int_out += (unsigned long) found;");
      break;
    default:
      fz_line (k, "for (int i = 0; i < (int) %s && (%s[i] & 127) != 9; i++)", n, a);
      fz_line (k, "  %s[i] = (%s) ((unsigned long) %s[i] + 1);", b, type, b);
      break;
    }
}

static void
runtime_distance (struct fz_kernel *k)
{
  const char *n = count (k, 2500), *d = fz_scalar (k, "d", fz_chance (50) ? "int" : "long", -64, 64);
  const char *a = int_data (k, 2500 + 129), *b = fz_chance (50) ? a : int_data (k, 2500 + 129);
  const char *type = fz_type_name[fz_program.palette[1]];

  fz_line (k, "for (int i = 64; i < (int) %s; i++)", n);
  fz_line (k, "  %s[i + %s] = (%s) ((unsigned long) %s[i] * 5 + (unsigned long) i);", a, d, type, b);
}

static void
transpose (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 60), *m = fz_scalar (k, "m", "int", 0, 60);
  const char *a = int_data (k, 3600), *b = int_data (k, 3600);

  fz_line (k, "for (int i = 0; i < %s; i++)", n);
  fz_line (k, "  for (int j = 0; j < %s; j++)", m);
  fz_line (k, "    %s[j * %s + i] = %s[i * %s + j];", b, n, a, m);
}

static void
time_steps (struct fz_kernel *k)
{
  const char *steps = fz_scalar (k, "steps", "int", 0, 6), *n = count (k, 700);
  const char *a = float_data (k, 701), *b = float_data (k, 701);

  fz_line (k, "for (int t = 0; t < %s; t++)", steps);
  fz_line (k, "  {");
  fz_line (k, "    for (int i = 1; i < (int) %s; i++)", n);
  fz_line (k, "      %s[i] = (%s[i - 1] + %s[i + 1]) * 0.5f;", b, a, a);
  fz_line (k, "    for (int i = 1; i < (int) %s; i++)", n);
  fz_line (k, "      %s[i] = %s[i];", a, b);
  fz_line (k, "  }");
}

static void
bytes (struct fz_kernel *k)
{
  const char *n = count (k, 3000), *s = fz_with_room (fz_typed_array (k, FZ_U8), 3000);
  const char *t = fz_with_room (fz_typed_array (k, FZ_U8), 3000);

  fz_line (k, "for (int i = 0; i < (int) %s; i++)", n);
  fz_line (k, "  {");
  fz_line (k, "    unsigned char c = %s[i];", s);
  fz_line (k, "    if (c >= 'a' && c <= 'z')\n      c -= 'a' - 'A';");
  fz_line (k, "    %s[i] = c;", t);
  fz_line (k, "  }");
}

static void
dot_and_sum (struct fz_kernel *k)
{
  const char *n = count (k, 3000), *a = const_data (k, 3000), *b = const_data (k, 3000), *c = int_data (k, 3000);

  fz_line (k, "%s dot = 0;\n  unsigned long sum = 0;\n  int top = -9;", fz_chance (60) ? "double" : "float");
  fz_line (k, "for (int i = 0; i < (int) %s; i++)", n);
  fz_line (k, "  dot += %s[i] * %s[i];", a, b);
  fz_line (k, "for (int i = 0; i < (int) %s; i++)", n);
  fz_line (k, "  {");
  fz_line (k, "    sum += (unsigned long) %s[i];", c);
  fz_line (k, "    if ((int) %s[i] > top)\n      top = (int) %s[i];", c, c);
  fz_line (k, "  }");
  fz_line (k, "fp_out += dot;\n  int_out += sum * 3 + (unsigned long) top;");
}

static void
ellpack (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 400), *width = fz_scalar (k, "width", "int", 0, 5);
  const char *y = float_data (k, 400), *a = const_data (k, 2000), *x = fz_chance (50) ? y : float_data (k, 400);
  const char *col = index_data (k, FZ_INDEX, 2000, 399);

  fz_line (k, "for (int i = 0; i < %s; i++)", n);
  fz_line (k, "  {");
  fz_line (k, "    double sum = %s[i];", y);
  fz_line (k, "    for (int q = 0; q < %s; q++)", width);
  fz_line (k, "      sum += %s[q * %s + i] * 0x1p-4 + %s[%s[q * %s + i]] * 0.125;", a, n, x, col, n);
  fz_line (k, "    %s[i] = sum * 0.25;", y);
  fz_line (k, "  }");
}

static void
row_pointers (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 60), *m = fz_scalar (k, "m", "int", 1, 50);
  const char *a = int_data (k, 3600), *type = fz_type_name[fz_program.palette[1]];
  int mix = fz_range (1, 3);

  fz_line (k, "%s *rows[60];", type);
  fz_line (k, "for (int i = 0; i < %s; i++)", n);
  fz_line (k, "  rows[i] = %s + i * %d %% %s * %s;", a, mix, n, m);
  fz_line (k, "for (int i = 0; i < %s; i++)", n);
  fz_line (k, "  for (int j = 0; j < %s; j++)", m);
  fz_line (k, "    rows[i][j] = (%s) ((unsigned long) rows[i][j] * 3 + (unsigned long) (i ^ j));", type);
}

static void
lattice (struct fz_kernel *k)
{
  const char *n = count (k, 2048), *a = int_data (k, 2048), *b = int_data (k, 2048);
  int p = 1 << fz_range (1, 6);

  fz_line (k, "for (int i = 0; i < (int) %s; i++)", n);
  fz_line (k, "  {");
  fz_line (k, "    int x = i %% %d, y = i / %d;", p, p);
  fz_line (k, "    %s[y * %d + (x ^ 1)] = %s[i];", a, p, b);
  fz_line (k, "  }");
}

/* Wave equation: three arrays, each step reads the other two.  */
static void
fdtd (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 40), *m = fz_scalar (k, "m", "int", 0, 40);
  const char *ex = float_data (k, 1600), *ey = float_data (k, 1600), *hz = float_data (k, 1681);

  fz_line (k, "for (int i = 1; i < %s; i++)", n);
  fz_line (k, "  for (int j = 0; j < %s; j++)", m);
  fz_line (k, "    %s[i * 40 + j] = %s[i * 40 + j] * 0.5f - 0.25f * (%s[i * 40 + j] - %s[(i - 1) * 40 + j]);", ey, ey,
	   hz, hz);
  fz_line (k, "for (int i = 0; i < %s; i++)", n);
  fz_line (k, "  for (int j = 1; j < %s; j++)", m);
  fz_line (k, "    %s[i * 40 + j] = %s[i * 40 + j] * 0.5f - 0.25f * (%s[i * 40 + j] - %s[i * 40 + j - 1]);", ex, ex, hz,
	   hz);
}

/* Rows, or columns, that all take something from one of them.  */
static void
pivot_rows (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 40), *m = fz_scalar (k, "m", "int", 0, 60);
  const char *p = fz_scalar (k, "pivot", fz_chance (50) ? "int" : "long", 0, 40);
  const char *a = int_data (k, 2501), *type = fz_type_name[fz_program.palette[1]];
  bool by_rows = fz_chance (60), spares_pivot = fz_chance (40);

  fz_line (k, by_rows ? "for (int i = 0; i < %s; i++)" : "for (int j = 0; j < %s; j++)", by_rows ? n : m);
  if (spares_pivot)
    fz_line (k, "  if (%s != %s)", by_rows ? "i" : "j", p);
  fz_line (k, by_rows ? "    for (int j = 0; j < %s; j++)" : "    for (int i = 0; i < %s; i++)", by_rows ? m : n);
  fz_line (k, "      %s[i * %s + j] = (%s) ((unsigned long) %s[i * %s + j] * 3", a, m, type, a, m);
  fz_line (k, "        + (unsigned long) %s[i * %s + %s] * (unsigned long) %s[%s * %s + j]);", a, m, p, a, p, m);
}

/* A loop of which an iteration, or a few, meet the others.  */
static void
pivot_element (struct fz_kernel *k)
{
  const char *n = count (k, 1200), *at = fz_scalar (k, "at", fz_chance (50) ? "int" : "long", 0, 1210);
  const char *a = int_data (k, 2501), *b = int_data (k, 1200), *type = fz_type_name[fz_program.palette[1]];
  const char *from = at;

  fz_line (k, "unsigned long total = 0;");
  fz_line (k, "for (int i = 0; i < (int) %s; i++)", n);
  fz_line (k, "  {");
  switch (fz_pick (4))
    {
    case 0:
      from = fz_text ("(int) %s - 1 - i", n);
      break;
    case 1:
      fz_line (k, "    %s[2 * i] = (%s) ((unsigned long) %s[i] + (unsigned long) %s[%s]);", a, type, a, a, at);
      break;
    case 2:
      fz_line (k, "    if (%s[i] & 3)", b);
      break;
    }
  fz_line (k, "    %s[i] = (%s) ((unsigned long) %s[%s] * 5 + (unsigned long) %s[i]);", a, type, a, from, b);
  fz_line (k, "    total += (unsigned long) %s[i];", b);
  fz_line (k, "  }");
  fz_line (k, "int_out += total;");
}

/* A dense matrix, or its transposed, times a vector: each sum of products, none of which is exact, is kept by the inner
   loop, in memory or in a register.  Where bounds are constant, more may become of the loops.  */
static void
dense_product (struct fz_kernel *k)
{
  const char *a = const_data (k, 3600), *x = const_data (k, 60), *y = float_data (k, 120), *type = float_type ();
  const char *n = fz_chance (40) ? fz_text ("%d", 8 + (int) fz_pick (53)) : fz_scalar (k, "n", "int", -1, 60);
  const char *m = fz_chance (40) ? fz_text ("%d", 8 + (int) fz_pick (53)) : fz_scalar (k, "m", "int", 0, 60);
  const char *at = fz_chance (50) ? fz_text ("%s[i * %s + j]", a, n) : fz_text ("%s[j * %s + i]", a, m);
  const char *sum = fz_chance (50) ? "sum" : fz_text ("%s[%d * j]", y, 1 + (int) fz_pick (2));
  bool in_register = *sum == 's', starts_anew = fz_chance (60);

  fz_line (k, "for (int j = 0; j < %s; j++)", n);
  fz_line (k, "  {");
  if (in_register)
    fz_line (k, "    %s sum = %s;", type, starts_anew ? "0" : fz_text ("%s[j] * 0.5f", y));
  else if (starts_anew)
    fz_line (k, "    %s = 0;", sum);
  fz_line (k, "    for (int i = 0; i < %s; i++)", m);
  fz_line (k, "      %s %c= (%s) (%s * 0.1f) * (%s) (%s[i] * 0x1.8p-30f);", sum, "+-"[fz_pick (2)], type, at, type, x);
  if (in_register)
    fz_line (k, "    %s[j] = sum;", y);
  fz_line (k, "  }");
}

/* Print the loop of one of the pieces.  */
void
fz_classic (struct fz_kernel *k)
{
  static void (*const pieces[]) (struct fz_kernel *)
    = { saxpy_indirect, csr_product,    csc_scatter,  forward_elimination, stencil_1d,   stencil_2d,
	stencil_rows,   matrix_product, pointer_walk, histogram,           scan_or_pack, runtime_distance,
	transpose,      time_steps,     bytes,        dot_and_sum,         ellpack,      row_pointers,
	lattice,        fdtd,           pivot_rows,   pivot_element,       dense_product };

  pieces[fz_pick (sizeof pieces / sizeof *pieces)](k);
}
