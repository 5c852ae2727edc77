/* SPDX-License-Identifier: MIT
   The kernels of programs, by each method, as CUDA C and as figures.  See report.h.

   A kernel "pointer/jacobi2d.c:12 jacobi_2d.paragon.12" becomes jacobi2d_jacobi_2d_12_METHOD_PART in CUDA C, and a line
   with tabs, where what is extra is what the plain loop does not do:

       kernel	method	mapping	  extra bytes an iteration   an inner one   a granule   bits of logs a granule

   Parts are those of a method's kernels that note and judge.  Where addresses come first, the loop itself, which runs
   last, is the plain one.  */
#include "report.h"

#include "cuda/print.h"
#include "kernels.h"
#include "kir/arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  N_THREADS = 256,
  N_GRANULES = 64, /* an iteration of no scan goes through more, and no log has less than a bit for each */
  NAME_LEN = 128,
  TEXT_LEN = 1 << 22
};

static const struct pg_method_facts methods[] = {
#define PG_METHOD(id, name, log, first, second) { name, PG_KIR_LOG_##log, first, second },
#include "method.def"
#undef PG_METHOD
};

static FILE *cuda_file, *table_file;

_Noreturn static void
die (const char *what, const char *why)
{
  fprintf (stderr, "kernels-report: %s: %s\n", what, why);
  exit (1);
}

static bool
copy_loop (struct pg_kir_kernel *to, const struct pg_kir_kernel *loop, struct pg_kir_error *error)
{
  static char text[TEXT_LEN];
  size_t len = pg_kir_write (loop, text, sizeof text);
  return pg_kir_read (to, text, len, error);
}

/* Make of LOOP, whose arrays are ARRAYS, the kernel of METHOD that does WHAT.  */
static struct pg_kir_kernel
make_part (const struct pg_kir_kernel *loop, const struct pg_kir_arrays *arrays, const struct pg_method_facts *method,
	   unsigned what)
{
  uint8_t logs[PG_KIR_MOST_ARRAYS];
  const struct pg_kir_logging logging = {
    .what = what, .n_arrays = arrays->n, .array_of = arrays->array_of, .shift_of = arrays->shift_of, .log_of = logs
  };
  struct pg_kir_kernel part;
  struct pg_kir_error error;
  memset (logs, method->log, sizeof logs);
  pg_kir_begin (&part, NULL);
  bool is_made = what == PG_METHOD_SCAN ? pg_kir_scan (&part, method->log, &error)
		 : what == 0		? copy_loop (&part, loop, &error)
					: pg_kir_instrument (&part, loop, &logging, &error);
  if (!is_made || !pg_kir_verify (&part, &error))
    die (loop->name, error.text);
  return part;
}

static enum pg_kir_mapping
mapping_of (const struct pg_kir_kernel *loop)
{
  return loop->n_carries > 0 ? PG_KIR_CHUNKED : PG_KIR_STRIDED_I32;
}

/* Print PART, a loop, as the kernel NAME that MAPPING makes of it.  */
static void
print_part (const struct pg_kir_kernel *part, enum pg_kir_mapping mapping, const char *name)
{
  static char text[TEXT_LEN];
  struct pg_kir_kernel spmd;
  struct pg_kir_error error;
  pg_kir_begin (&spmd, NULL);
  if (!pg_kir_map (&spmd, part, mapping, N_THREADS, &error) || !pg_kir_verify (&spmd, &error))
    die (part->name, error.text);
  if (pg_cuda_print (&spmd, name, text, sizeof text) >= sizeof text)
    die (part->name, "too long a text");
  fprintf (cuda_file, "\n%s", text);
  pg_kir_end (&spmd);
}

/* How many bytes the scan PART of logs of kind LOG reads and writes for a granule that was written.  */
static double
scanned_bytes (const struct pg_kir_kernel *part, enum pg_kir_log log)
{
  uint64_t n_iters = pg_kir_scan_iterations (log, N_GRANULES);
  struct traffic traffic = traffic_of (part, 0, offsetof (struct pg_kir_scan_args, verdict));
  return (double) (traffic.per_iteration * n_iters) / N_GRANULES;
}

/* The bits that METHOD's logs have for a granule.  */
static double
log_bits (const struct pg_method_facts *method)
{
  uint64_t len = method->first & PG_KIR_NOTE_WRITES ? pg_kir_log_len (method->log, N_GRANULES, false) : 0;
  len += method->first & PG_KIR_NOTE_READS ? pg_kir_log_len (method->log, N_GRANULES, true) : 0;
  return (double) (8 * len) / N_GRANULES;
}

/* Report what METHOD makes of LOOP, called NAME.  */
static void
report_method (const struct pg_kir_kernel *loop, const struct pg_kir_arrays *arrays, const char *name,
	       const struct pg_method_facts *method)
{
  const unsigned parts[] = { method->first, method->second };
  char part_name[NAME_LEN + 32];
  int64_t verdict = pg_kir_logs_offset (loop) + offsetof (struct pg_kir_logs, verdict);
  struct traffic plain = traffic_of (loop, -1, -1);
  int64_t iteration = 0, inner = 0;
  double granule = 0.0;
  bool runs_loop = !(method->first & PG_KIR_ADDRESSES_ONLY);
  for (unsigned p = 0; p < (method->second == 0 ? 1 : 2); p++)
    {
      snprintf (part_name, sizeof part_name, "%s_%s_%u", name, method->name, p + 1);
      struct pg_kir_kernel part = make_part (loop, arrays, method, parts[p]);
      bool is_scan = parts[p] == PG_METHOD_SCAN;
      struct traffic traffic = { 0, 0 };
      if (is_scan)
	granule = scanned_bytes (&part, method->log);
      else
	traffic = traffic_of (&part, loop->n_refs, verdict);
      iteration += (int64_t) traffic.per_iteration;
      inner += (int64_t) traffic.per_inner;
      print_part (&part, is_scan ? PG_KIR_STRIDED : mapping_of (&part), part_name);
      pg_kir_end (&part);
    }
  fprintf (table_file, "%s\t%s\t%s\t%lld\t%lld\t%g\t%g\n", name, method->name,
	   loop->n_carries > 0 ? "chunked" : "strided",
	   (long long) (iteration - (runs_loop ? (int64_t) plain.per_iteration : 0)),
	   (long long) (inner - (runs_loop ? (int64_t) plain.per_inner : 0)), granule, log_bits (method));
}

/* Set NAME, of NAME_LEN bytes, to what KERNEL is called.  */
static void
make_name (const char *kernel, char *name)
{
  const char *colon = strrchr (kernel, ':'), *function = colon == NULL ? NULL : strchr (colon, ' '), *file = colon;
  const char *child = function == NULL ? NULL : strstr (function, ".paragon");
  if (child == NULL)
    die (kernel, "no name of a kernel");
  while (file > kernel && file[-1] != '/')
    file--;
  snprintf (name, NAME_LEN, "%.*s_%.*s%s", (int) (strchr (file, '.') - file), file, (int) (child - function - 1),
	    function + 1, child + sizeof ".paragon" - 1);
  for (char *c = name; *c != '\0'; c++)
    *c = *c == '-' || *c == '.' ? '_' : *c;
}

static void
report_kernel (const char *text, size_t len)
{
  static struct pg_kir_arrays arrays;
  struct pg_kir_kernel loop;
  struct pg_kir_error error;
  char name[NAME_LEN];
  pg_kir_begin (&loop, NULL);
  if (!pg_kir_read (&loop, text, len, &error) || !pg_kir_verify (&loop, &error))
    die ("a kernel", error.text);
  make_name (loop.name, name);
  if (!pg_kir_find_arrays (&loop, &arrays))
    die (loop.name, "too many arrays");
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    report_method (&loop, &arrays, name, &methods[m]);
  pg_kir_end (&loop);
}

/* Report the kernels of the file PATH, one after the other.  */
static void
report_file (const char *path)
{
  static char text[TEXT_LEN];
  FILE *file = fopen (path, "r");
  size_t len = file == NULL ? 0 : fread (text, 1, sizeof text - 1, file);
  if (file == NULL || ferror (file) || !feof (file))
    die (path, "cannot be read");
  fclose (file);
  text[len] = '\0';
  for (char *start = text, *end = strstr (start, "\nend\n"); end != NULL; end = strstr (start, "\nend\n"))
    {
      report_kernel (start, (size_t) (end + 5 - start));
      start = end + 5;
    }
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], "count") == 0)
    {
      if (!count_instructions (argv[2]))
	die (argv[2], "no cubin");
      return 0;
    }
  if (argc < 4 || strcmp (argv[1], "print") != 0)
    die ("usage", "kernels-report print OUT.cu OUT.tsv FILE.kir... | kernels-report count FILE.cubin");
  cuda_file = fopen (argv[2], "w");
  table_file = fopen (argv[3], "w");
  if (cuda_file == NULL || table_file == NULL)
    die (argv[2], "cannot be written");
  fputs ("#include \"prelude.cuh\"\n", cuda_file);
  for (int i = 4; i < argc; i++)
    report_file (argv[i]);
  return fclose (cuda_file) != 0 || fclose (table_file) != 0;
}
