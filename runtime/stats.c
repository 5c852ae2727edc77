/* SPDX-License-Identifier: MIT
   Statistics.  See stats.h.  */
#include "stats.h"
#include "report.h"

#include "paragon_region.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* All rows, newest first: only ever pushed.  Release when pushed, acquire when read.  */
static _Atomic (struct pg_row *) rows;

/* Entries whose descriptors cannot be read, by what is wrong with them.  */
static _Atomic int64_t n_foreign[PG_N_STATUSES];

static int64_t
read_count (const _Atomic int64_t *counter)
{
  return atomic_load_explicit (counter, memory_order_relaxed);
}

void
pg_stats_add (struct pg_row *row)
{
  row->next = atomic_load (&rows);
  while (!atomic_compare_exchange_weak (&rows, &row->next, row))
    continue;
}

struct pg_row *
pg_stats_rows (void)
{
  return atomic_load (&rows);
}

void
pg_stats_foreign (enum pg_status status)
{
  pg_count (&n_foreign[status], 1);
}

void
pg_stats_clear (void)
{
  for (int s = 0; s < PG_N_STATUSES; s++)
    atomic_store (&n_foreign[s], 0);
  for (struct pg_row *row = pg_stats_rows (); row != NULL; row = row->next)
    {
      _Atomic int64_t *const counters[]
	= { &row->n_entries,   &row->n_device,     &row->n_pool,        &row->n_sequential, &row->n_original,
	    &row->n_conflicts, &row->n_redone,     &row->n_iters,       &row->ns,           &row->saved_ns,
	    &row->n_compared,  &row->n_uncompared, &row->n_differences, &row->n_copied_in,  &row->n_copied_out,
	    &row->n_doacross };
      for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
	atomic_store_explicit (counters[i], 0, memory_order_relaxed);
      for (int s = 0; s < PG_N_STATUSES; s++)
	atomic_store_explicit (&row->n_statuses[s], 0, memory_order_relaxed);
      for (int r = 0; r < PG_N_RUNGS; r++)
	atomic_store_explicit (&row->n_rungs[r], 0, memory_order_relaxed);
      for (int o = 0; o < PG_N_OFFLOADED; o++)
	atomic_store_explicit (&row->n_offloaded[o], 0, memory_order_relaxed);
      for (int m = 0; m < PG_N_MAPPED; m++)
	atomic_store_explicit (&row->n_mapped[m], 0, memory_order_relaxed);
      for (int p = 0; p < PG_N_DEVICE_PLANS; p++)
	atomic_store_explicit (&row->n_device_plans[p], 0, memory_order_relaxed);
    }
}

/* The rung that let most entries run, or "-".  */
static const char *
usual_rung (const struct pg_row *row)
{
  int best = 0;
  for (int r = 1; r < PG_N_RUNGS; r++)
    if (read_count (&row->n_rungs[r]) > read_count (&row->n_rungs[best]))
      best = r;
  return read_count (&row->n_rungs[best]) == 0 ? "-" : pg_rung_names[best];
}

const char *
pg_class_name (const struct pg_row *row)
{
  return row->klass == PG_CLASS_PARALLEL ? "parallel" : "possibly";
}

static double
milliseconds (const _Atomic int64_t *ns)
{
  return (double) read_count (ns) / 1e6;
}

/* What most entries were run by.  */
static const char *
what_ran (const struct pg_row *row)
{
  int64_t pool = read_count (&row->n_pool), sequential = read_count (&row->n_sequential);
  int64_t original = read_count (&row->n_original), device = read_count (&row->n_device);
  if (device > 0 && device >= pool && device >= sequential && device >= original)
    return "device";
  return pool >= sequential && pool >= original ? "pool" : sequential >= original ? "sequential" : "original";
}

enum
{
  NAME_LEN = 256,
  NAME_WIDTH = 40 /* in a table; more if a loop that was entered has a longer one */
};

/* Put what ROW's loop is called into NAME.  Its length, as far as there is room.  */
static int
put_name (const struct pg_row *row, char (*name)[NAME_LEN])
{
  int len = snprintf (*name, sizeof *name, "%s:%u %s", row->file, (unsigned) row->line, row->function);
  return len < NAME_LEN ? len : NAME_LEN - 1;
}

static void
write_table (FILE *out)
{
  char loop[NAME_LEN];
  int width = NAME_WIDTH;
  for (const struct pg_row *row = pg_stats_rows (); row != NULL; row = row->next)
    {
      int len = read_count (&row->n_entries) != 0 ? put_name (row, &loop) : 0;
      width = len > width ? len : width;
    }
  fprintf (out, "paragon: %-*s %-9s %9s %8s %8s %10s %8s %4s %-10s %9s %9s %11s %11s\n", width, "loop", "class",
	   "entries", "device", "pool", "sequential", "original", "rung", "ran", "conflicts", "redone", "time ms",
	   "saved ms");
  for (const struct pg_row *row = pg_stats_rows (); row != NULL; row = row->next)
    {
      if (read_count (&row->n_entries) == 0)
	continue;
      put_name (row, &loop);
      fprintf (out, "paragon: %-*s %-9s %9lld %8lld %8lld %10lld %8lld %4s %-10s %9lld %9lld %11.3f %11.3f\n", width,
	       loop, pg_class_name (row), (long long) read_count (&row->n_entries),
	       (long long) read_count (&row->n_device), (long long) read_count (&row->n_pool),
	       (long long) read_count (&row->n_sequential), (long long) read_count (&row->n_original), usual_rung (row),
	       what_ran (row), (long long) read_count (&row->n_conflicts), (long long) read_count (&row->n_redone),
	       milliseconds (&row->ns), milliseconds (&row->saved_ns));
      if (read_count (&row->n_doacross) != 0)
	fprintf (out, "paragon:   pool: one iteration behind the other, %lld\n",
		 (long long) read_count (&row->n_doacross));
      for (int s = PG_OK + 1; s < PG_N_STATUSES; s++)
	if (read_count (&row->n_statuses[s]) != 0)
	  fprintf (out, "paragon:   original: %s, %lld\n", pg_status_names[s],
		   (long long) read_count (&row->n_statuses[s]));
      for (int p = 0; p < PG_N_DEVICE_PLANS; p++)
	if (read_count (&row->n_device_plans[p]) != 0)
	  fprintf (out, "paragon:   plan with a device: %s, %lld\n", pg_device_plan_names[p],
		   (long long) read_count (&row->n_device_plans[p]));
      for (int o = 0; o < PG_N_OFFLOADED; o++)
	if (read_count (&row->n_offloaded[o]) != 0)
	  fprintf (out, "paragon:   device: %s, %lld\n", pg_offloaded_names[o],
		   (long long) read_count (&row->n_offloaded[o]));
      for (int m = 0; m < PG_N_MAPPED; m++)
	if (read_count (&row->n_mapped[m]) != 0)
	  fprintf (out, "paragon:   device by %s, %lld\n", pg_mapped_names[m],
		   (long long) read_count (&row->n_mapped[m]));
      if (read_count (&row->n_copied_in) != 0 || read_count (&row->n_copied_out) != 0)
	fprintf (out, "paragon:   device copies: %lld bytes in, %lld out\n", (long long) read_count (&row->n_copied_in),
		 (long long) read_count (&row->n_copied_out));
      int64_t compared = read_count (&row->n_compared), uncompared = read_count (&row->n_uncompared);
      if (compared + uncompared != 0)
	fprintf (out, "paragon:   compared %lld entries, %lld not, %lld differ\n", (long long) compared,
		 (long long) uncompared, (long long) read_count (&row->n_differences));
    }
  for (int s = 0; s < PG_N_STATUSES; s++)
    if (read_count (&n_foreign[s]) != 0)
      fprintf (out, "paragon: %lld entries refused: %s, %s\n", (long long) read_count (&n_foreign[s]),
	       pg_status_names[s], pg_status_texts[s]);
}

static void
write_member (FILE *out, const char *name, int64_t value)
{
  fprintf (out, ",\"%s\":%lld", name, (long long) value);
}

/* An object with the nonzero counts of COUNTERS, N of them, by NAMES, from FIRST on.  */
static void
write_counts (FILE *out, const _Atomic int64_t *counters, const char *const *names, int first, int n)
{
  const char *comma = "";
  putc ('{', out);
  for (int i = first; i < n; i++)
    if (read_count (&counters[i]) != 0)
      {
	fprintf (out, "%s\"%s\":%lld", comma, names[i], (long long) read_count (&counters[i]));
	comma = ",";
      }
  putc ('}', out);
}

static void
write_json_row (FILE *out, const struct pg_row *row)
{
  fputs ("{\"file\":", out);
  pg_report_string (out, row->file);
  write_member (out, "line", row->line);
  fputs (",\"function\":", out);
  pg_report_string (out, row->function);
  fprintf (out, ",\"class\":\"%s\",\"reason\":", pg_class_name (row));
  pg_report_string (out, row->reason);
  write_member (out, "entries", read_count (&row->n_entries));
  write_member (out, "device", read_count (&row->n_device));
  write_member (out, "pool", read_count (&row->n_pool));
  write_member (out, "sequential", read_count (&row->n_sequential));
  write_member (out, "original", read_count (&row->n_original));
  fprintf (out, ",\"rung\":\"%s\",\"rungs\":", usual_rung (row));
  write_counts (out, row->n_rungs, pg_rung_names, 0, PG_N_RUNGS);
  write_member (out, "doacross", read_count (&row->n_doacross));
  write_member (out, "conflicts", read_count (&row->n_conflicts));
  write_member (out, "redone", read_count (&row->n_redone));
  write_member (out, "iterations", read_count (&row->n_iters));
  write_member (out, "ns", read_count (&row->ns));
  write_member (out, "saved_ns", read_count (&row->saved_ns));
  write_member (out, "compared", read_count (&row->n_compared));
  write_member (out, "uncompared", read_count (&row->n_uncompared));
  write_member (out, "differences", read_count (&row->n_differences));
  fputs (",\"refused\":", out);
  write_counts (out, row->n_statuses, pg_status_names, PG_OK + 1, PG_N_STATUSES);
  fputs (",\"device_plans\":", out);
  write_counts (out, row->n_device_plans, pg_device_plan_names, 0, PG_N_DEVICE_PLANS);
  fputs (",\"offloaded\":", out);
  write_counts (out, row->n_offloaded, pg_offloaded_names, 0, PG_N_OFFLOADED);
  fputs (",\"mapped\":", out);
  write_counts (out, row->n_mapped, pg_mapped_names, 0, PG_N_MAPPED);
  write_member (out, "copied_in", read_count (&row->n_copied_in));
  write_member (out, "copied_out", read_count (&row->n_copied_out));
  putc ('}', out);
}

static void
write_json (FILE *out)
{
  const char *comma = "";
  fprintf (out, "{\"pid\":%ld,\"foreign\":%lld,\"malformed\":%lld,\"regions\":[", (long) getpid (),
	   (long long) read_count (&n_foreign[PG_ABI]), (long long) read_count (&n_foreign[PG_MALFORMED]));
  for (const struct pg_row *row = pg_stats_rows (); row != NULL; row = row->next)
    if (read_count (&row->n_entries) != 0)
      {
	fprintf (out, "%s\n", comma);
	write_json_row (out, row);
	comma = ",";
      }
  fputs ("\n]}\n", out);
}

static bool
any_entries (void)
{
  for (const struct pg_row *row = pg_stats_rows (); row != NULL; row = row->next)
    if (read_count (&row->n_entries) != 0)
      return true;
  return read_count (&n_foreign[PG_ABI]) + read_count (&n_foreign[PG_MALFORMED]) != 0;
}

void
pg_stats_write (const char *where)
{
  struct pg_report report;
  if (!any_entries () || !pg_report_begin (&report, "statistics", where))
    return;
  size_t len = strlen (where);
  if (len >= 5 && strcmp (where + len - 5, ".json") == 0)
    write_json (report.out);
  else
    write_table (report.out);
  pg_report_end (&report);
}
