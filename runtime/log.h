/* SPDX-License-Identifier: MIT
   The log on stderr, by category: one predictable branch when off, one write(2) a line when on.

     PG_LOG (CHECK, "region %s:%u: ...", file, line);   ->   paragon: check: region foo.c:12: ...  */
#ifndef PARAGON_LOG_H
#define PARAGON_LOG_H

enum pg_log_category
{
#define PG_LOG_CATEGORY(id, name) PG_LOG_##id,
#include "log.def"
#undef PG_LOG_CATEGORY
  PG_N_LOG_CATEGORIES
};

/* Bit C: category C is on.  Written only while the library is loaded.  */
extern unsigned pg_log_mask;

#define PG_LOG(category, ...)                                                \
  do                                                                         \
    {                                                                        \
      if (__builtin_expect ((pg_log_mask >> PG_LOG_##category & 1) != 0, 0)) \
	pg_log_write (PG_LOG_##category, __VA_ARGS__);                       \
    }                                                                        \
  while (0)

/* Write one line of CATEGORY.  Keeps errno.  Longer lines than a screen are cut.  */
void pg_log_write (enum pg_log_category category, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* Write one line to the user, "paragon: ", whatever the categories.  Keeps errno.  */
void pg_log_say (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* The categories named in the comma-separated TEXT as a mask; "all" is all of them.  *BAD, of *BAD_LEN characters, is
   the first unknown name, or NULL.  */
unsigned pg_log_parse (const char *text, const char **bad, int *bad_len);

#endif
