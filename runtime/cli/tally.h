/* SPDX-License-Identifier: MIT
   What a build made: its units, and what became of their loops.  */
#ifndef PARAGON_CLI_TALLY_H
#define PARAGON_CLI_TALLY_H

#include "names.h"
#include "notes.h"
#include "verdicts.h"

struct pg_tally
{
  struct pg_names units, plain,
    others;                /* sources: compiled with the plugin, of these without optimisation; without it */
  struct pg_names outputs; /* what is there of what was made of them */
  size_t n_gone;           /* and of how many sources it is not */
  size_t n_tests;          /* calls whose source is gone, which are left out */
  const char *why_other;   /* of the first; part of the notes' memory */
  struct pg_verdicts verdicts;
};

/* Make TALLY of NOTES.  Requires: the build has ended.  False: no memory.  */
bool pg_tally_make (struct pg_tally *tally, const struct pg_notes *notes);

/* Tell the user of TALLY, on stderr.  */
void pg_tally_show (const struct pg_tally *tally);

/* Write TALLY's verdicts to the file PATH, one a line.  False: it cannot be written, which was said.  */
bool pg_tally_write (const struct pg_tally *tally, const char *path);

void pg_tally_free (struct pg_tally *tally);

#endif
