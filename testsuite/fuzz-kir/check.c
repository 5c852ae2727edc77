/* SPDX-License-Identifier: MIT
   KIR fuzzer: what must hold for each kernel.

   The checks are the table at the end.  Those that compile nothing are done for each kernel and, as far as they apply,
   for its mutants; those with a compiler for the kernels whose result is known: the interpreter came to their end.  A
   division by 0 is a trap for the interpreter and undefined in C, so that kernels that trap are not compared.  */
#include "fuzz-kir.h"

#include "cuda/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What two runs left.  */
static struct fk_result expected, found;

static bool
fail (struct fk_report *report, const char *what, const char *why)
{
  snprintf (report->why, sizeof report->why, "%.60s%.180s", what, why);
  return false;
}

static bool
is_accepted (struct fk_case *made, fk_loop *loop, struct fk_report *report)
{
  struct pg_kir_error error = { .at = 0 };
  (void) loop;
  return pg_kir_verify (&made->kernel, &error) || fail (report, "", error.text);
}

/* Read TEXT into KERNEL, and verify it.  */
static bool
read_text (struct pg_kir_kernel *kernel, const char *text, struct fk_report *report)
{
  struct pg_kir_error error = { .at = 0 };
  pg_kir_begin (kernel, NULL);
  if (!pg_kir_read (kernel, text, strlen (text), &error))
    return fail (report, "is not read back: ", error.text);
  return pg_kir_verify (kernel, &error) || fail (report, "what is read back is refused: ", error.text);
}

/* What is written and read back is written as the same text.  As numbers in a text are in its order, and need not be in
   a kernel, the first text is not compared: what is read of it must compute the same.  */
static bool
is_read_back (struct fk_case *made, fk_loop *loop, struct fk_report *report)
{
  struct pg_kir_kernel once, twice;
  char why[FK_WHY_LEN] = "", *text = fk_text (&made->kernel);
  (void) loop;
  if (!read_text (&once, text, report))
    return false;
  char *text_once = fk_text (&once);
  if (!read_text (&twice, text_once, report))
    return false;
  char *text_twice = fk_text (&twice);
  bool is_same = strcmp (text_once, text_twice) == 0;
  fk_interpret (made, &made->kernel, &expected);
  fk_interpret (made, &once, &found);
  bool computes_same = fk_same (&expected, &found, why);
  pg_kir_end (&once);
  pg_kir_end (&twice);
  free (text);
  free (text_once);
  free (text_twice);
  return is_same ? computes_same || fail (report, "what is read back computes another ", why)
		 : fail (report, "what is read back is written in another way", "");
}

/* What is packed and unpacked is written as what is read back.  */
static bool
is_unpacked (struct fk_case *made, fk_loop *loop, struct fk_report *report)
{
  struct pg_kir_kernel unpacked, once;
  struct pg_kir_error error = { .at = 0 };
  size_t len = pg_kir_pack (&made->kernel, NULL, 0);
  unsigned char *bytes = malloc (len);
  (void) loop;
  pg_kir_begin (&unpacked, NULL);
  if (pg_kir_pack (&made->kernel, bytes, len) != len)
    return fail (report, "is packed in another length", "");
  if (!pg_kir_unpack (&unpacked, bytes, len, &error) || !pg_kir_verify (&unpacked, &error))
    return fail (report, "is not unpacked: ", error.text);
  char *text = fk_text (&made->kernel), *after = fk_text (&unpacked);
  if (!read_text (&once, text, report))
    return false;
  char *before = fk_text (&once);
  bool is_same = strcmp (before, after) == 0;
  pg_kir_end (&unpacked);
  pg_kir_end (&once);
  free (bytes);
  free (text);
  free (after);
  free (before);
  return is_same || fail (report, "is unpacked as another kernel", "");
}

static bool
is_printed (struct fk_case *made, fk_loop *loop, struct fk_report *report)
{
  char little[16];
  size_t len = pg_cuda_print (&made->kernel, "name", NULL, 0);
  char *text = malloc (len + 1);
  (void) loop;
  size_t len_again = pg_cuda_print (&made->kernel, "name", text, len + 1);
  bool is_good = len == len_again && strlen (text) == len
		 && pg_cuda_print (&made->kernel, "name", little, sizeof little) == len
		 && strlen (little) == sizeof little - 1;
  free (text);
  return is_good || fail (report, "the text's length is not what it says", "");
}

/* A kernel of the generator ends and accesses its buffers only.  */
static bool
ends_well (struct fk_case *made, fk_loop *loop, struct fk_report *report)
{
  (void) loop;
  fk_interpret (made, &made->kernel, &expected);
  report->outcome = expected.outcome;
  report->is_comparable = expected.outcome == PG_KIR_DONE && fk_is_defined (&made->kernel);
  if (expected.outcome == PG_KIR_OUTSIDE)
    return fail (report, "accesses other memory", "");
  if (expected.outcome == PG_KIR_MISALIGNED)
    return fail (report, "accesses what is misaligned", "");
  if (expected.outcome == PG_KIR_TOO_LONG)
    return fail (report, "runs too long", "");
  return fk_is_defined (&made->kernel) || fail (report, "shows the bits of a NaN", "");
}

/* A mutant is refused, with a reason, or does what a kernel does.  */
static bool
are_refused_or_good (struct fk_case *made, fk_loop *loop, struct fk_report *report)
{
  for (unsigned m = 1; m <= FK_MOST_MUTANTS; m++)
    {
      struct fk_case mutant;
      struct pg_kir_error error = { .at = 0 };
      char which[64];
      snprintf (which, sizeof which, "mutant %u: ", m);
      snprintf (report->why, sizeof report->why, "%s", which); /* if it crashes */
      fk_make (&mutant, made->seed, m);
      bool is_good = true;
      if (pg_kir_verify (&mutant.kernel, &error))
	{
	  report->n_accepted++;
	  is_good = is_read_back (&mutant, loop, report) && is_unpacked (&mutant, loop, report)
		    && is_printed (&mutant, loop, report);
	  if (is_good && expected.outcome == PG_KIR_DONE && fk_is_defined (&mutant.kernel))
	    report->mutant = m;
	}
      else
	{
	  report->n_refused++;
	  is_good = error.text[0] != '\0' || fail (report, "is refused without a word", "");
	}
      pg_kir_end (&mutant.kernel);
      if (!is_good)
	{
	  char why[FK_WHY_LEN];
	  memcpy (why, report->why, sizeof why);
	  return fail (report, which, why);
	}
    }
  report->why[0] = '\0';
  return true;
}

/* The printed kernel leaves what the interpreter leaves.  */
static bool
computes_same (struct fk_case *made, fk_loop *loop, struct fk_report *report)
{
  char why[FK_WHY_LEN] = "";
  fk_interpret (made, &made->kernel, &expected);
  fk_call (made, loop, &found);
  return fk_same (&expected, &found, why) || fail (report, "", why);
}

static bool
is_same_as_grid (struct fk_case *made, fk_loop *loop, struct fk_report *report)
{
  char why[FK_WHY_LEN] = "";
  (void) loop;
  return made->kernel.n_dims > 1 || fk_grids_same (made, why) || fail (report, "", why);
}

/* A loop whose iterations are independent leaves the same as a grid of several threads.  */
static bool
threads_leave_the_same (struct fk_case *made, fk_loop *loop, struct fk_report *report)
{
  char why[FK_WHY_LEN] = "";
  bool is_free;
  (void) loop;
  fk_interpret (made, &made->kernel, &expected);
  if (!made->is_independent || expected.outcome != PG_KIR_DONE || !fk_is_independent (made, &is_free))
    return true;
  report->n_grids++;
  return (fk_threads_same (made, why) && fk_teams_same (made, is_free, &report->n_teams, why))
	 || fail (report, "", why);
}

static bool
grid_mutants_run (struct fk_case *made, fk_loop *loop, struct fk_report *report)
{
  (void) loop;
  return made->kernel.n_dims > 1 || fk_grid_mutants_run (made, &report->n_refused, &report->n_accepted, report->why);
}

static bool
is_noted_right (struct fk_case *made, fk_loop *loop, struct fk_report *report)
{
  char why[FK_WHY_LEN] = "";
  (void) loop;
  return made->kernel.n_dims > 1 || fk_notes_right (made, why) || fail (report, "", why);
}

static bool
methods_are_right (struct fk_case *made, fk_loop *loop, struct fk_report *report)
{
  char why[FK_WHY_LEN] = "";
  (void) loop;
  return made->kernel.n_dims > 1 || fk_clean_is_clean (made, &report->n_clean, why) || fail (report, "", why);
}

const struct fk_check fk_checks[] = {
  { "verifier", is_accepted, NULL, NULL, 0, false },
  { "text", is_read_back, NULL, NULL, 0, true },
  { "packed", is_unpacked, NULL, NULL, 0, true },
  { "interpreter", ends_well, NULL, NULL, 0, true },
  { "printer", is_printed, NULL, NULL, 0, true },
  { "grid", is_same_as_grid, NULL, NULL, 0, true },
  { "threads", threads_leave_the_same, NULL, NULL, 0, true },
  { "notes", is_noted_right, NULL, NULL, 0, true },
  { "methods", methods_are_right, NULL, NULL, 0, true },
  { "mutants", are_refused_or_good, NULL, NULL, 0, false },
  { "grids' mutants", grid_mutants_run, NULL, NULL, 0, false },

  /* With a compiler, for kernels that end well.  */
  { "C++ -O1", computes_same, "c++ -O1", NULL, 1, true },
  { "C++ -O2", computes_same, "c++ -O2", NULL, 1, true },
  { "C -O2", computes_same, "c -O2", NULL, 6, true },
  { "clang -O2", computes_same, "c++ -O2", "clang", 6, true },
  { "grid on emu", NULL, FK_ON_EMU, NULL, 6, true },
};
const int fk_n_checks = sizeof fk_checks / sizeof *fk_checks;

/* ---- checking in a process of its own */

struct job
{
  struct fk_case *made;
  int first, last; /* rows */
  fk_loop *loop;
  struct fk_report *report;
};

static void
check_rows (void *context)
{
  struct job *job = context;
  for (int c = job->first; c <= job->last; c++)
    if (job->loop != NULL || fk_checks[c].compiler == NULL)
      {
	job->report->check = c;
	if (!fk_checks[c].holds (job->made, job->loop, job->report))
	  return;
      }
}

static bool
check (struct job job)
{
  char why[FK_WHY_LEN] = "", what[64];
  struct fk_report *report = job.report;
  *report = (struct fk_report) { .check = job.first };
  if (!fk_guard (check_rows, &job, why))
    {
      snprintf (what, sizeof what, "%.60s", report->why); /* which mutant it was */
      fail (report, what, why);
    }
  return report->why[0] == '\0';
}

bool
fk_check_alone (struct fk_case *made, struct fk_report *report)
{
  return check ((struct job) { made, 0, fk_n_checks - 1, NULL, report });
}

bool
fk_check_one (struct fk_case *made, int row, fk_loop *loop, struct fk_report *report)
{
  return check ((struct job) { made, row, row, loop, report });
}
