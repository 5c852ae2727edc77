/* SPDX-License-Identifier: GPL-3.0-or-later
   The kernels of a unit.  See kernels.h.

       -fplugin-arg-paragon-kir		each, packed, in the object: struct pg_region's kir
       -fplugin-arg-paragon-cuda=DIR	DIR/NAME.kir, DIR/NAME.cu: all of a unit's, NAME being its file's

   CUDA C has each loop as a function, and as grids: one that runs it, one that notes writes, and one that tests reads.
   */

#include "kernels.h"
#include "assemble.h"
#include "plugin-options.h"
#include "report.h"
#include "where.h"

extern "C"
{
#include "../cuda/prelude-text.h"
#include "../cuda/print.h"
#include "../runtime/kir/arrays.h"
#include "../runtime/kir/map.h"
}

enum
{
  N_THREADS = 256 /* of a block, in text for a person */
};

/* What a person is shown of a loop: itself, and what device memory would be checked by.  */
static const struct
{
  const char *suffix;
  unsigned what; /* 0: the loop */
} shown_kernels[] = {
  { "_kernel", 0 },
  { "_execution", PG_KIR_NOTE_WRITES },
  { "_checking", PG_KIR_TEST_READS | PG_KIR_ADDRESSES_ONLY },
};

static const char *const reason_names[PG_N_LIFT_REASONS] = {
#define PG_LIFT_REASON(id, name, text) name,
#include "../include/lift-reasons.def"
#undef PG_LIFT_REASON
};

/* What the files of this unit will have.  */
static auto_vec<char> kir_text, cuda_text;

bool
pg_kernels_wanted ()
{
  return pg_options.kir || pg_options.cuda;
}

static void
append (vec<char> *text, const char *more, size_t len)
{
  unsigned start = text->length ();
  text->safe_grow (start + len);
  memcpy (text->address () + start, more, len);
}

/* Append KERNEL, packed, to BYTES.  It has no name yet: the runtime names it as its region.  */
static void
append_packed (auto_vec<char> *bytes, const struct pg_kir_kernel *kernel)
{
  size_t len = pg_kir_pack (kernel, NULL, 0);
  unsigned char *packed = XNEWVEC (unsigned char, len);
  pg_kir_pack (kernel, packed, len);
  append (bytes, (const char *) packed, len);
  free (packed);
}

/* Append KERNEL as text to TEXT.  */
static void
append_kir (auto_vec<char> *text, const struct pg_kir_kernel *kernel)
{
  size_t len = pg_kir_write (kernel, NULL, 0);
  char *written = XNEWVEC (char, len + 1);
  pg_kir_write (kernel, written, len + 1);
  append (text, written, len);
  free (written);
}

/* Append KERNEL, called NAME, as CUDA C to TEXT.  */
static void
append_printed (auto_vec<char> *text, const struct pg_kir_kernel *kernel, const char *name)
{
  size_t len = pg_cuda_print (kernel, name, NULL, 0);
  char *printed = XNEWVEC (char, len + 1);
  pg_cuda_print (kernel, name, printed, len + 1);
  append (text, "\n", 1);
  append (text, printed, len);
  free (printed);
}

/* Append LOOP as a grid, called NAME, if it can be one.  */
static void
append_grid (auto_vec<char> *text, const struct pg_kir_kernel *loop, const char *name)
{
  struct pg_kir_kernel grid;
  struct pg_kir_error error;
  pg_kir_begin (&grid, NULL);
  if (pg_kir_map (&grid, loop, loop->n_carries > 0 ? PG_KIR_CHUNKED : PG_KIR_STRIDED_I32, N_THREADS, &error))
    append_printed (text, &grid, name);
  pg_kir_end (&grid);
}

/* Append LOOP, called NAME, as the kernel that does WHAT to the references to ARRAYS.  */
static void
append_noting (auto_vec<char> *text, const struct pg_kir_kernel *loop, const struct pg_kir_arrays *arrays,
	       unsigned what, const char *name)
{
  const struct pg_kir_logging logging = { what, arrays->n, arrays->array_of, arrays->shift_of, NULL, NULL };
  struct pg_kir_kernel noting;
  struct pg_kir_error error;
  pg_kir_begin (&noting, NULL);
  if (pg_kir_instrument (&noting, loop, &logging, &error))
    append_grid (text, &noting, name);
  pg_kir_end (&noting);
}

/* Append KERNEL, of FUNCTION, as CUDA C to TEXT: as a function, and as what a device runs.  */
static void
append_cuda (auto_vec<char> *text, const struct pg_kir_kernel *kernel, const char *function)
{
  static const char begin[] = "\n#ifdef __CUDACC__\n", end[] = "\n#endif\n";
  struct pg_kir_arrays *arrays = XNEW (struct pg_kir_arrays);
  char *name = xstrdup (function);
  for (char *c = name; *c; c++)
    if (!ISALNUM (*c))
      *c = '_';
  append_printed (text, kernel, name);
  bool is_known = pg_kir_find_arrays (kernel, arrays);
  append (text, begin, sizeof begin - 1);
  for (const auto &shown : shown_kernels)
    {
      char *shown_name = concat (name, shown.suffix, NULL);
      if (shown.what == 0)
	append_grid (text, kernel, shown_name);
      else if (is_known)
	append_noting (text, kernel, arrays, shown.what, shown_name);
      free (shown_name);
    }
  append (text, end, sizeof end - 1);
  free (name);
  free (arrays);
}

/* Write KERNEL, of the loop at WHERE and FUNCTION, to where the options say; packed, to BYTES.  */
static void
give (struct pg_kir_kernel *kernel, location_t where, tree function, auto_vec<char> *bytes)
{
  if (pg_options.kir)
    append_packed (bytes, kernel);
  if (pg_options.cuda)
    {
      const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (function));
      pg_kir_name (kernel, pg_file_name (where), pg_line (where), name);
      append_kir (&kir_text, kernel);
      append_cuda (&cuda_text, kernel, name);
    }
}

/* The kernel that waits: it has sums, of which it is not known what they take in.  */
static struct
{
  struct pg_kir_kernel kernel;
  auto_vec<struct pg_open_sum> sums;
  location_t where;
  tree function, region;
} waiting;

/* Note what became of the kernel of the loop at WHERE.  */
static const char *
note (location_t where, enum pg_lift_reason reason)
{
  if (dump_file)
    fprintf (dump_file, "kernel of line %d: %s\n", (int) LOCATION_LINE (where), reason_names[reason]);
  return reason_names[reason];
}

void
pg_kernel_make (const struct pg_lift_source *source, struct pg_plan *plan, struct pg_outlined *out)
{
  if (!pg_kernels_wanted ())
    return;
  auto_vec<struct pg_open_sum> open;
  struct pg_kir_kernel kernel;
  pg_kir_begin (&kernel, NULL);
  enum pg_lift_reason reason = pg_lift (source, &kernel, &open);
  if (reason == PG_LIFT_LIFTED && !open.is_empty ())
    {
      if (!waiting.sums.is_empty ())
	pg_kir_end (&waiting.kernel);
      waiting.kernel = kernel;
      waiting.where = plan->where;
      waiting.function = source->child->decl;
      waiting.region = out->region_decl;
      waiting.sums.truncate (0);
      waiting.sums.safe_splice (open);
      plan->kernel = reason_names[PG_LIFT_CONTRACTION];
      plan->kernel_then = reason_names[PG_LIFT_LIFTED];
      return;
    }
  if (reason == PG_LIFT_LIFTED)
    {
      reason = pg_lift_settle (&kernel, open);
      give (&kernel, plan->where, source->child->decl, &out->kernel);
    }
  plan->kernel = note (plan->where, reason);
  pg_kir_end (&kernel);
}

void
pg_kernel_settle (void)
{
  if (waiting.sums.is_empty ())
    return;
  auto_vec<char> bytes;
  enum pg_lift_reason reason = pg_lift_settle (&waiting.kernel, waiting.sums);
  if (reason == PG_LIFT_LIFTED)
    {
      give (&waiting.kernel, waiting.where, waiting.function, &bytes);
      pg_region_add_kernel (waiting.region, bytes);
      pg_report_lifted (waiting.region);
    }
  note (waiting.where, reason);
  pg_kir_end (&waiting.kernel);
  waiting.sums.truncate (0);
}

/* The name of the unit without folders and suffix.  Allocated.  */
static char *
unit_name ()
{
  char *name = xstrdup (lbasename (in_lto_p ? aux_base_name : main_input_filename));
  char *suffix = strrchr (name, '.');
  if (suffix && suffix != name)
    *suffix = 0;
  return name;
}

/* Write START and TEXT to the file NAME.SUFFIX of the folder that was asked for.  */
static void
write_file (const char *name, const char *suffix, const char *start, const vec<char> &text)
{
  char *path = xasprintf ("%s/%s.%s", pg_options.cuda, name, suffix);
  FILE *file = fopen (path, "w");
  bool is_written
    = file && fputs (start, file) >= 0 && fwrite (text.address (), 1, text.length (), file) == text.length ();
  if (!file || fclose (file) != 0 || !is_written)
    error_at (UNKNOWN_LOCATION, "paragon: cannot write the kernels %qs: %m", path);
  free (path);
}

void
pg_kernels_write ()
{
  if (!pg_options.cuda)
    return;
  char *name = unit_name ();
  write_file (name, "kir", "", kir_text);
  write_file (name, "cu", pg_cuda_prelude, cuda_text);
  if (pg_options.ptx && cuda_text.length () > 0)
    pg_assemble (pg_options.cuda, name, pg_options.ptx);
  free (name);
}
