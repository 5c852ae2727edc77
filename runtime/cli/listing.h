/* SPDX-License-Identifier: MIT
   The loops that the programs of a run have entered, as PARAGON_LIST has them.  */
#ifndef PARAGON_CLI_LISTING_H
#define PARAGON_CLI_LISTING_H

#include <stdbool.h>
#include <stddef.h>

/* What is at one place: loops of one line are handed over together, or not.  */
struct pg_listed
{
  char *name;                   /* FILE:LINE */
  const char *function, *klass; /* of the first loop there; part of NAME's memory */
  bool has_others;              /* in other functions: it was inlined, or is a template's */
};

struct pg_listing
{
  struct pg_listed *all; /* in order of their first entry */
  size_t n;
};

/* Read LISTING from the file PATH; one that is not there is empty.  */
void pg_listing_read (struct pg_listing *listing, const char *path);

/* Write names FROM .. TO - 1 of LISTING to the file PATH.  False: it cannot be written, which was said.  */
bool pg_listing_write (const struct pg_listing *listing, size_t from, size_t to, const char *path);

/* The next one of LISTING from AT on that the name of number LOOP stands for, itself left out; LISTING->n: none.  */
size_t pg_listing_also (const struct pg_listing *listing, size_t loop, size_t at);

void pg_listing_free (struct pg_listing *listing);

#endif
