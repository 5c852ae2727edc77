/* SPDX-License-Identifier: MIT
   PARAGON=compare: run an entry both ways and tell where they differ.

     save what the entry may write  ->  run the plan  ->  keep its results, put the saved bytes back
     ->  run F in order (the oracle)  ->  compare

   The oracle's result stands.  Entries whose written bytes are not known beforehand are not compared.  What is between
   written bytes is left alone: other threads may write it meanwhile.  */
#ifndef PARAGON_COMPARE_H
#define PARAGON_COMPARE_H

#include "entry.h"
#include "stats.h"

struct pg_comparison
{
  struct pg_span spans[64];
  int n_spans;
  char *saved, *result; /* the spans one after the other, then ARGS; NULL: this entry is not compared */
  char *is_written;     /* for each byte of the spans */
  size_t len;           /* of each */
};

/* Before the plan runs: save what ENTRY may write.  Counts in ROW if that cannot be done.  */
void pg_compare_save (struct pg_comparison *comparison, const struct pg_entry *entry, struct pg_row *row);

/* After the plan ran ENTRY to its end (HAS_RUN) or changed nothing: do the rest, and free what was saved.  */
void pg_compare_check (struct pg_comparison *comparison, struct pg_entry *entry, struct pg_row *row, bool has_run);

#endif
