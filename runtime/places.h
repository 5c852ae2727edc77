/* SPDX-License-Identifier: MIT
   Lists of loops by where they are: what a user gives in PARAGON_ONLY and PARAGON_SKIP, and what PARAGON_LIST makes.

       FILE:LINE,FILE:LINE			    in a variable
       FILE:LINE <tab> anything else <newline>	    each, in a file

   A FILE of a list stands for every path that ends in it, whole components only.  */
#ifndef PARAGON_PLACES_H
#define PARAGON_PLACES_H

#include <stdbool.h>
#include <stdint.h>

/* What is in the file PATH, as a list; NULL, with errno set: it cannot be read.  It stays for good.  */
const char *pg_places_load (const char *path);

/* Is every member of LIST, from a variable, what it must be?  */
bool pg_places_right (const char *list);

/* Whether LIST names line LINE of FILE.  */
bool pg_places_have (const char *list, const char *file, uint32_t line);

/* Append line LINE of FILE, in FUNCTION, with CLASS, to the file PATH, in one write.  False, with errno set: it cannot
   be written.  */
bool pg_places_append (const char *path, const char *file, uint32_t line, const char *function, const char *klass);

#endif
