/* SPDX-License-Identifier: MIT
   PARAGON=compare.  See compare.h.

   Putting bytes back writes only those that the loop writes and that changed: a span may hold bytes between the written
   ones that belong to somebody else, or that are read-only.  */
#include "compare.h"
#include "arena.h"
#include "log.h"
#include "reduce.h"

#include <string.h>
#include <sys/sysinfo.h>

/* Copy what the spans and ARGS hold now to COPY.  */
static void
take_copy (const struct pg_comparison *comparison, const struct pg_entry *entry, char *copy)
{
  for (int s = 0; s < comparison->n_spans; s++)
    {
      memcpy (copy, comparison->spans[s].start, comparison->spans[s].len);
      copy += comparison->spans[s].len;
    }
  memcpy (copy, entry->args, entry->region->args_len);
}

/* Note that bytes [LOW, LOW + LEN), which are in one span of COMPARISON, are written.  */
static void
note_written (void *comparison, int64_t low, int64_t len)
{
  const struct pg_comparison *its = comparison;
  const char *start = (const char *) (intptr_t) low;
  char *is_written = its->is_written;
  const struct pg_span *span = its->spans;
  for (; (size_t) (start - span->start) >= span->len; span++)
    is_written += span->len;
  memset (is_written + (start - span->start), 1, (size_t) len);
}

static void
put_back (const struct pg_comparison *comparison, struct pg_entry *entry)
{
  const char *copy = comparison->saved, *is_written = comparison->is_written;
  for (int s = 0; s < comparison->n_spans; s++)
    {
      const struct pg_span *span = &comparison->spans[s];
      for (size_t i = 0; i < span->len; i++)
	if (is_written[i] && span->start[i] != copy[i])
	  span->start[i] = copy[i];
      copy += span->len;
      is_written += span->len;
    }
  memcpy (entry->args, copy, entry->region->args_len);
}

/* Whether LEN bytes can be spared, three times.  */
static bool
is_affordable (size_t len)
{
  struct sysinfo info;
  return sysinfo (&info) == 0 && len / info.mem_unit < info.freeram / 4;
}

/* Whether the entry of COMPARISON is compared.  */
static bool
is_on (const struct pg_comparison *comparison)
{
  return comparison->saved != NULL && comparison->result != NULL && comparison->is_written != NULL;
}

void
pg_compare_save (struct pg_comparison *comparison, const struct pg_entry *entry, struct pg_row *row)
{
  int most = (int) (sizeof comparison->spans / sizeof *comparison->spans);
  comparison->saved = comparison->result = comparison->is_written = NULL;
  comparison->len = entry->region->args_len;
  if (pg_view_write_spans (entry->view, comparison->spans, most, &comparison->n_spans))
    {
      for (int s = 0; s < comparison->n_spans; s++)
	comparison->len += comparison->spans[s].len;
      if (is_affordable (comparison->len))
	{
	  comparison->saved = pg_arena_get (comparison->len);
	  comparison->result = pg_arena_get (comparison->len);
	  comparison->is_written = pg_arena_get (comparison->len);
	}
    }
  if (is_on (comparison))
    {
      take_copy (comparison, entry, comparison->saved);
      pg_view_each_write (entry->view, note_written, comparison);
    }
  else
    pg_count (&row->n_uncompared, 1);
}

/* Tell of the first byte in which the spans differ from RESULT.  */
static bool
spans_differ (const struct pg_comparison *comparison, const struct pg_row *row, const char *result)
{
  const char *is_written = comparison->is_written;
  for (int s = 0; s < comparison->n_spans; s++)
    {
      const struct pg_span *span = &comparison->spans[s];
      size_t i = 0;
      while (i < span->len && (span->start[i] == result[i] || !is_written[i]))
	i++;
      if (i < span->len)
	{
	  pg_log_say ("compare: %s:%u entry %lld: first difference at %p (byte %zu of the %zu written from %p)",
		      row->file, (unsigned) row->line, (long long) row->n_entries, (void *) (span->start + i), i,
		      span->len, (void *) span->start);
	  return true;
	}
      result += span->len;
      is_written += span->len;
    }
  return false;
}

/* Tell of a field of LEN bytes at OFFSET of ARGS that differs from RESULT.  */
static bool
field_differs (const struct pg_entry *entry, const struct pg_row *row, const char *result, uint32_t offset, size_t len,
	       const char *what)
{
  if (memcmp ((const char *) entry->args + offset, result + offset, len) == 0)
    return false;
  pg_log_say ("compare: %s:%u entry %lld: first difference in a %s (offset %u of the arguments)", row->file,
	      (unsigned) row->line, (long long) row->n_entries, what, (unsigned) offset);
  return true;
}

static bool
scalars_differ (const struct pg_entry *entry, const struct pg_row *row, const char *result)
{
  const struct pg_region *region = entry->region;
  for (uint32_t r = 0; r < region->n_reductions; r++)
    if (field_differs (entry, row, result, region->reductions[r].offset, pg_reduce_len (region->reductions[r].type),
		       "reduction"))
      return true;
  for (uint32_t f = 0; f < region->n_live_outs; f++)
    if (field_differs (entry, row, result, region->live_outs[f].offset, region->live_outs[f].len, "live-out"))
      return true;
  return false;
}

void
pg_compare_check (struct pg_comparison *comparison, struct pg_entry *entry, struct pg_row *row, bool has_run)
{
  if (is_on (comparison) && has_run)
    {
      take_copy (comparison, entry, comparison->result);
      put_back (comparison, entry);
      entry->done = 0;
      entry->body = entry->region->body;
      pg_entry_run_alone (entry, entry->n_iters);
      size_t spans_len = comparison->len - entry->region->args_len;
      pg_count (&row->n_compared, 1);
      if (spans_differ (comparison, row, comparison->result)
	  || scalars_differ (entry, row, comparison->result + spans_len))
	pg_count (&row->n_differences, 1);
    }
  pg_arena_put (comparison->saved, comparison->len);
  pg_arena_put (comparison->result, comparison->len);
  pg_arena_put (comparison->is_written, comparison->len);
}
