/* SPDX-License-Identifier: GPL-3.0-or-later
   The numbers of SSA names, which a loop keeps when its copy takes its place.  */
#ifndef PARAGON_NUMBERS_H
#define PARAGON_NUMBERS_H

#include "gcc-includes.h"

/* The number of a name in a loop, and the name in the loop's copy that stands for it.  */
struct pg_numbered
{
  unsigned version;
  tree copy;
};

/* Note the numbers of LOOP's names, and their copies.  Requires: the tables of copies of blocks.  */
extern void pg_numbers_note (const class loop *loop, vec<struct pg_numbered> *noted);

/* Give copies the numbers that were NOTED, and whatever has these by now theirs.  Nothing that is kept by numbers may
   be used any more.  */
extern void pg_numbers_exchange (const vec<struct pg_numbered> &noted);

#endif
