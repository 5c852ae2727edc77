/* SPDX-License-Identifier: MIT
   Loop program generator: values and conditions.

   Integer expressions are of type unsigned or unsigned long, their operands converted first, so nothing overflows.
   Floating-point expressions carry a bound on their magnitude; a product that grows is scaled back before it is
   stored.  So no infinity and no NaN ever appears, whose bits a compiler may choose.  */

#include "generate.h"

static const char *
signed_leaf (struct fz_kernel *k)
{
  struct fz_array *array = fz_data_array (k, false);

  if (!array)
    return "7";
  return fz_text ("((int) (%s %% 997) * %d - %d)", fz_element (k, array, false), fz_range (1, 9), fz_range (0, 99));
}

static const char *
int_leaf (struct fz_kernel *k, bool is_long)
{
  const char *type = is_long ? "unsigned long" : "unsigned";
  struct fz_array *array;
  unsigned die = fz_pick (100);

  if (die < 50 && (array = fz_data_array (k, false)))
    return fz_text ("(%s) %s", type, fz_element (k, array, fz_chance (60)));
  if (die < 68 && k->n_ivs)
    return fz_text ("(%s) %s", type, k->ivs[fz_pick ((unsigned) k->n_ivs)].name);
  if (die < 74)
    return fz_text ("(%s) %s", type, fz_scalar (k, "c", fz_chance (50) ? "int" : "unsigned short", 0, 30000));
  if (die < 80 && k->n_temps)
    return fz_text ("(%s) %s", type, k->temps[fz_pick ((unsigned) k->n_temps)]);
  if (die < 86)
    return fz_text ("(%s) (int) (%s)", type, fz_float_within (k, 1, FZ_FP_TOP));
  if (die < 92)
    return fz_text ("(%s) %s", type, signed_leaf (k));
  return fz_text ("%u%s", fz_pick (10) ? fz_pick (300) : 2654435761u, is_long ? "ul" : "u");
}

/* Return an expression of type unsigned, or unsigned long.  */
const char *
fz_int (struct fz_kernel *k, int depth, bool is_long)
{
  static const char *const operators[] = { "+", "+", "-", "*", "&", "|", "^", "+" };
  const char *a, *b;

  if (depth <= 0 || fz_chance (20))
    return int_leaf (k, is_long);
  a = fz_int (k, depth - 1, is_long);
  switch (fz_pick (16))
    {
    case 0:
      return fz_text ("((%s) %s %d)", a, fz_chance (50) ? "<<" : ">>", fz_range (1, 13));
    case 1:
      return fz_text ("(~%s)", a);
    case 2:
      b = fz_int (k, depth - 1, is_long);
      return fz_text ("(%s %c ((%s & 7) + 1))", a, fz_chance (50) ? '/' : '%', b);
    case 3:
      b = fz_int (k, depth - 1, is_long);
      return fz_text ("(%s ? %s : %s)", fz_condition (k), a, b);
    case 4:
      return fz_text ("(-%s)", a);
    case 5:
      return fz_text ("h_int ((unsigned) %s)", a);
    default:
      b = fz_int (k, depth - 1, is_long);
      return fz_text ("(%s %s %s)", a, operators[fz_pick (8)], b);
    }
}

static const char *
float_leaf (struct fz_kernel *k, double *bound)
{
  struct fz_array *array;
  const char *element;
  unsigned die = fz_pick (100);

  *bound = FZ_FP_TOP;
  if (die < 25 && (array = fz_const_array (k)))
    return fz_element (k, array, false);
  if (die < 72 && (array = fz_data_array (k, true)))
    {
      element = fz_element (k, array, fz_chance (60));
      if (!k->accumulates)
	return element;
      *bound = 64;
      return fz_text ("clamp_%s (%s)", fz_type_tag[array->type], element);
    }
  if (die < 78 && k->n_fp_temps)
    return k->fp_temps[fz_pick ((unsigned) k->n_fp_temps)];
  if (die < 86)
    {
      *bound = 255;
      return fz_text ("(%s) (%s & 255)", fz_chance (70) ? "double" : "float", fz_int (k, 1, false));
    }
  if (die < 89)
    {
      *bound = 100;
      return fz_scalar (k, "f", fz_chance (60) ? "double" : "float", -100, 100);
    }
  if (die < 95 && k->n_ivs)
    {
      *bound = 3100;
      return fz_text ("(%s) %s", fz_chance (70) ? "double" : "float", k->ivs[fz_pick ((unsigned) k->n_ivs)].name);
    }
  *bound = 4;
  return fz_text ("%d.%d%s", fz_range (0, 3), fz_range (0, 99), fz_chance (30) ? "f" : "");
}

/* Return a floating-point expression, with a bound on its magnitude.  */
const char *
fz_float (struct fz_kernel *k, int depth, double *bound)
{
  static const struct
  {
    const char *before, *after;
    double top;
  } functions[] = { { "sqrt (fabs (", "))", 0 },
		    { "fabs (", ")", 0 },
		    { "sin (", ")", 1 },
		    { "floor (", ")", 0 },
		    { "exp (-fabs (", "))", 1 },
		    { "h_float (", ")", 0 },
		    { "sqrtf (fabsf ((float) (", ")))", 0 } };
  const char *a, *b;
  double other;
  unsigned n;

  if (depth <= 0 || fz_chance (20))
    return float_leaf (k, bound);
  a = fz_float (k, depth - 1, bound);
  switch (fz_pick (12))
    {
    case 0:
    case 1:
      n = fz_pick (sizeof functions / sizeof *functions);
      *bound = functions[n].top > 0 ? functions[n].top : *bound + 1;
      return fz_text ("%s%s%s", functions[n].before, a, functions[n].after);
    case 2:
      b = fz_float (k, depth - 1, &other);
      return fz_text ("(%s) / (2.0 + fabs (%s))", a, b);
    case 3:
      b = fz_float (k, depth - 1, &other);
      *bound = other > *bound ? other : *bound;
      return fz_text ("(%s ? %s : %s)", fz_condition (k), a, b);
    case 4:
    case 5:
    case 6:
      b = fz_float (k, depth - 1, &other);
      *bound *= other;
      return fz_text ("(%s) * (%s)", a, b);
    default:
      b = fz_float (k, depth - 1, &other);
      *bound += other;
      return fz_text ("(%s %c %s)", a, fz_chance (70) ? '+' : '-', b);
    }
}

/* Return a floating-point expression with a magnitude of TOP at most.  */
const char *
fz_float_within (struct fz_kernel *k, int depth, double top)
{
  double bound;
  const char *text = fz_float (k, depth, &bound);
  int shift = 0;

  for (; bound > top; bound /= 2)
    shift++;
  if (!shift)
    return text;
  return shift <= 8 ? fz_text ("(%s) * %.9g", text, 1.0 / (1 << shift)) : fz_text ("(%s) * 0x1p-%d", text, shift);
}

/* Return a value to store in a variable of TYPE.  */
const char *
fz_value (struct fz_kernel *k, enum fz_type type)
{
  if (fz_is_float (type))
    return fz_float_within (k, fz_range (1, 3), FZ_FP_TOP / 2);
  return fz_int (k, fz_range (1, 3), type == FZ_I64 || type == FZ_U64 || fz_chance (15));
}

const char *
fz_condition (struct fz_kernel *k)
{
  static const char *const relations[] = { "<", ">", "<=", ">=", "==", "!=" };
  const char *relation = relations[fz_pick (6)];
  struct fz_array *array;
  double bound;

  switch (fz_pick (8))
    {
    case 0:
      if (k->n_ivs)
	return fz_text ("%s %% %d == %d", k->ivs[k->n_ivs - 1].name, fz_range (2, 7), fz_range (0, 1));
      break;
    case 1:
      if (k->n_ivs)
	return fz_text ("%s %s %d", k->ivs[fz_pick ((unsigned) k->n_ivs)].name, relation, fz_range (0, 60));
      break;
    case 2:
    case 3:
      return fz_text ("%s %s %g", float_leaf (k, &bound), relations[fz_pick (4)], fz_range (-20, 20) / 4.0);
    case 4:
      return fz_text ("(%s & %d) != 0", int_leaf (k, false), 1 << fz_range (0, 5));
    case 5:
      if ((array = fz_data_array (k, false)))
	return fz_text ("%s %s %d", fz_element (k, array, true), relation, fz_range (0, 90));
      break;
    default:
      break;
    }
  return fz_text ("%s %s %s", int_leaf (k, false), relation, int_leaf (k, false));
}
