/* SPDX-License-Identifier: MIT
   What wrappers note of each call of a compiler, in one file for all that run at the same time.

       KIND TEXT\0 FOLDER\0 OUTPUT\0 SOURCE\0	source and output as the compiler was given them, in FOLDER  */
#ifndef PARAGON_CLI_NOTES_H
#define PARAGON_CLI_NOTES_H

#include <stdbool.h>
#include <stddef.h>

enum pg_note_kind
{
  PG_NOTE_COMPILED = 'c', /* with the plugin */
  PG_NOTE_PLAIN = 'p',    /* with the plugin, but without optimisation, for which it does nothing */
  PG_NOTE_LINKED = 'l',   /* there was no source */
  PG_NOTE_OTHER = 'o'     /* without the plugin, for the reason in TEXT */
};

struct pg_note
{
  enum pg_note_kind kind;
  const char *text, *folder, *output, *source;
};

struct pg_notes
{
  struct pg_note *all;
  size_t n;
  char *block; /* what they point into */
};

/* Append NOTE to the file PATH, as a whole.  False, with errno set: it cannot be.  */
bool pg_note_write (const struct pg_note *note, const char *path);

/* Read NOTES from the file PATH; one that is not there has none.  False: no memory.  */
bool pg_notes_read (struct pg_notes *notes, const char *path);

void pg_notes_free (struct pg_notes *notes);

#endif
