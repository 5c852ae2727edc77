/* SPDX-License-Identifier: MIT
   Loop program generator: what a judge refuses by name.

   One such statement in an otherwise ordinary loop: wrong code here means that a refusal has a hole.  Each leaves
   the program's output fixed.  */

#include "generate.h"

/* An inner loop that some iterations enter in its middle: by goto, or from the switch of an unrolled loop.  */
static void
jump_inside (struct fz_kernel *k, const char *element, const char *type)
{
  const char *left = fz_fresh (k, "left"), *middle = fz_fresh (k, "middle");
  bool has_switch = fz_chance (50);

  fz_line (k, "unsigned %s = %s & 7;", left, fz_int (k, 1, false));
  if (has_switch)
    fz_line (k, "switch (%s & 3) case 0:", left);
  else
    fz_line (k, "if (%s)\n      goto %s;", fz_condition (k), middle);
  fz_line (k, "do");
  fz_line (k, "  {");
  fz_line (k, "    int_out += 5;");
  fz_line (k, has_switch ? "  default:" : "  %s:", middle);
  fz_line (k, "    %s = (%s) (%s * 3u);", element, type, left);
  fz_line (k, "  }");
  fz_line (k, "while (%s-- > 0);", left);
}

/* An array that each iteration fills in part; by this program's flags the compiler fills it before.  */
static void
partly_filled (struct fz_kernel *k, const char *element, const char *type)
{
  const char *digits = fz_fresh (k, "digits"), *top = fz_fresh (k, "top"), *x = fz_fresh (k, "x");

  fz_program.wants_filling = true;
  fz_line (k, "unsigned %s[8], %s = %s & 7;", digits, top, fz_int (k, 1, false));
  fz_line (k, "for (unsigned %s = 0; %s <= %s; %s++)", x, x, top, x);
  fz_line (k, "  %s[%s] = %s >> %s;", digits, x, fz_int (k, 1, false), x);
  fz_line (k, "%s = (%s) %s[%s];", element, type, digits, top);
}

/* Print one statement of a kind that no loop handed over may contain.  */
void
fz_odd_statement (struct fz_kernel *k)
{
  const char *value = fz_int (k, 1, false), *x = fz_fresh (k, "x");
  struct fz_array *ints = fz_data_array (k, false), *floats = fz_data_array (k, true);
  const char *element, *type;

  if (!ints || !floats)
    return;
  element = fz_element (k, ints, true);
  type = fz_type_name[ints->type];
  switch (fz_pick (22))
    {
    case 0:
      fz_line (k, "odd_volatile = %s;", value);
      break;
    case 1:
      fz_line (k, "__asm__ volatile (\"\" : : \"r\" (%s) : \"memory\");", value);
      break;
    case 2:
      fz_line (k, "__atomic_fetch_add (&odd_atomic, %s, __ATOMIC_RELAXED);", value);
      break;
    case 3:
      fz_line (k, "long double %s = %s;", x, fz_float_within (k, 1, FZ_FP_TOP));
      fz_line (k, "%s = (%s) (int) (%s * 0.3L);", element, type, x);
      break;
    case 4:
      fz_line (k, "%s = (%s) odd_count (%s);", element, type, value);
      break;
    case 5:
      fz_line (k, "odd_thread_local += %s;", value);
      fz_line (k, "%s = (%s) odd_thread_local;", element, type);
      break;
    case 6:
      fz_line (k, "%s = (%s) odd_thread_table[%s & 15];", element, type, value);
      break;
    case 7:
      fz_line (k, "if (!__builtin_frame_address (0))\n      int_out++;");
      break;
    case 8:
      fz_line (k, "unsigned *%s = __builtin_alloca (8);", x);
      fz_line (k, "%s[0] = %s;", x, value);
      fz_line (k, "%s[1] = 5;", x);
      fz_line (k, "%s = (%s) %s[%s & 1];", element, type, x, value);
      break;
    case 9:
      fz_line (k, "if (setjmp (odd_jump))\n      return;");
      break;
    case 10:
      fz_line (k, "lanes %s = { %s, 1, 2, 3 };", x, value);
      fz_line (k, "%s *= %s;", x, x);
      fz_line (k, "%s = (%s) (%s[0] + %s[3]);", element, type, x, x);
      break;
    case 11:
      fz_line (k, "%s = (%s) (((unsigned __int128) %s * 0x9e3779b97f4a7c15u) >> 64);", element, type, value);
      break;
    case 12:
      fz_line (k, "if ((%s & 4095) == 77)\n      return;", value);
      break;
    case 13:
      fz_line (k, "if ((%s & 1023) == 3)\n      break;", value);
      break;
    case 14:
      fz_line (k, "odd_copy[%s & 31] = odd_copy[%s & 31];", value, fz_int (k, 1, false));
      break;
    case 15:
      fz_line (k, "%s = (%s) odd_function[%s & 1] (%s);", element, type, value, value);
      break;
    case 17:
      fz_line (k, "if (pow (%s, 400.0) > 1.0)\n      int_out++;", fz_float_within (k, 1, FZ_FP_TOP));
      fprintf (k->after, "  int_out += (unsigned long) errno;\n  errno = 0;\n");
      break;
    case 16:
      fz_line (k, "%s = (%s) odd_table_sum (%s);", element, type, value);
      break;
    case 18:
      fz_line (k, "odd_handler (%s & 31);", value);
      break;
    case 19:
      jump_inside (k, element, type);
      break;
    case 20:
      partly_filled (k, element, type);
      break;
    default:
      fz_line (k, "errno = (int) (%s & 31);", value);
      fprintf (k->after, "  int_out += (unsigned long) errno;\n  errno = 0;\n");
      break;
    }
}

/* Begin a loop of N turns.  */
static void
count_to (struct fz_kernel *k, const char *n)
{
  fz_line (k, "for (int i = 0; i < %s; i++)", n);
}

static void
linked_list (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 200);

  fz_line (k, "struct link *chain = 0, links[200];");
  count_to (k, n);
  fz_line (k, "  {\n    links[i].value = (unsigned) i * 7u;\n    links[i].next = chain;\n    chain = &links[i];\n  }");
  fz_line (k, "for (struct link *at = chain; at; at = at->next)");
  fz_line (k, "  {\n    at->value ^= 5;\n    int_out += at->value;\n  }");
}

static void
computed_goto (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 500);

  fz_line (k, "static void *const places[] = { &&even, &&odd };");
  count_to (k, n);
  fz_line (k,
	   "  {\n    goto *places[i & 1];\n  even:\n    int_out += 3;\n    continue;\n  odd:\n    int_out ^= 5;\n  }");
}

/* Inlined, it has no chain to its parent's variables.  */
static void
nested_function (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 500), *a = fz_fresh (k, "own");
  const char *noinline = fz_pick (2) ? "__attribute__ ((noinline)) " : "";

  fz_line (k, "unsigned %s[500], total = 0;", a);
  fz_line (k, "%svoid add (int from)\n  {\n    for (int i = from; i < %s; i++)\n      {", noinline, n);
  fz_line (k, "      %s[i] = (unsigned) i * 3u;\n        total += %s[i] >> 1;\n      }\n  }", a, a);
  fz_line (k, "for (int r = 0; r < 2; r++)\n    add (r * 7);");
  fz_line (k, "int_out += total;");
}

static void
jump_into_loop (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 1, 500), *at = fz_scalar (k, "at", "int", 0, 7);

  fz_line (k, "int i = 0;");
  fz_line (k, "if (%s & 1)\n    goto middle;", at);
  fz_line (k, "do\n    {\n      int_out += 5;\n    middle:\n      int_out ^= (unsigned long) i;\n      i++;\n    }");
  fz_line (k, "while (i < %s);", n);
}

static void
simd_pragma (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 500);

  fz_program.wants_simd = true;
  fz_line (k, "#pragma omp simd");
  count_to (k, n);
  fz_line (k, "  odd_left[i] = odd_right[i] * 3u + (unsigned) i;");
}

static void
openmp_pragma (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 500);

  fz_program.wants_openmp = true;
  fz_line (k, "#pragma omp parallel for num_threads (2)");
  count_to (k, n);
  fz_line (k, "  odd_left[i] = odd_right[i] * 5u + (unsigned) i;");
  count_to (k, n);
  fz_line (k, "  odd_right[i] ^= odd_left[i];");
}

/* A function with a vector variant.  */
static void
vector_variant (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 500);

  fz_program.wants_simd = true;
  fz_line (k, "static double waves[500];");
  count_to (k, n);
  fz_line (k, "  waves[i] = cosh (odd_left[i] %% 97 * 0.05);");
  count_to (k, n);
  fz_line (k, "  int_out += (unsigned long) (waves[i] * 1000);");
}

/* Values that are narrowed and converted again, side by side.  */
static void
narrowed_pairs (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 250), *factor = fz_pick (2) ? "1.7" : "0.3";

  fz_line (k, "static double wide[500];");
  count_to (k, n);
  fz_line (k, "  {");
  fz_line (k, "    float even = odd_left[2 * i] %% 97 * %s, odd = odd_left[2 * i + 1] %% 97 * %s;", factor, factor);
  fz_line (k, "    wide[2 * i] = even * 3.1;");
  fz_line (k, "    wide[2 * i + 1] = odd * 3.1;");
  fz_line (k, "  }");
  count_to (k, n);
  fz_line (k, "  int_out += (unsigned long) (wide[2 * i] * 1e12);");
}

/* A nest that is too much to be handed over at each of its levels.  */
static void
deep_nest (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 5), *const names[] = { "i", "j", "l", "m" };
  int n_statements = 60;

  for (int d = 0; d < 4; d++)
    fz_line (k, "%*sfor (int %s = 0; %s < %s; %s++)", 2 * d, "", names[d], names[d], n, names[d]);
  fz_line (k, "      {");
  for (int s = 0; s < n_statements; s++)
    fz_line (k, "  odd_left[odd_right[(i * 5 + j * %d + l + %d) %% 500] %% 500] += odd_right[(m * 7 + j + %d) %% 500];",
	     s % 7, s, s * 3);
  fz_line (k, "      }");
}

static void
record_copies (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 15);

  count_to (k, n);
  fz_line (k, "  odd_copy[i] = odd_copy[i + 16];");
}

static void
long_body (struct fz_kernel *k)
{
  const char *n = fz_scalar (k, "n", "int", 0, 400);
  int n_statements = 150;

  count_to (k, n);
  fz_line (k, "  {");
  for (int i = 0; i < n_statements; i++)
    fz_line (k, "    if (odd_right[i] & %du)\n      odd_left[(i * %d + %d) %% 500] += odd_right[(i + %d) %% 500];",
	     1 << (i % 20), i + 1, i, i * 3);
  fz_line (k, "  }");
}

/* Print a kernel that is odd as a whole.  */
void
fz_odd_kernel (struct fz_kernel *k)
{
  static void (*const pieces[]) (struct fz_kernel *)
    = { linked_list,   computed_goto, nested_function, jump_into_loop, simd_pragma, openmp_pragma,
	record_copies, long_body,     vector_variant,  narrowed_pairs, deep_nest };

  pieces[fz_pick (sizeof pieces / sizeof *pieces)](k);
}
