/* SPDX-License-Identifier: MIT
   What lasts, kept from one run of a program to the next: what was compiled, what loops cost.

   It is one SQLite file, in a folder that is its owner's alone; SQLite is opened when it is needed, and what is used of
   it is declared here.  A cache is never needed: what cannot be read is missing, and what cannot be written is not
   kept.  No call waits longer than 100 ms for another process.

   Threads: one at a time for each cache.  A process that was forked off finds nothing in its parent's.  */
#ifndef PARAGON_CACHE_H
#define PARAGON_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
  PG_CACHE_TEXT_LEN = 512, /* of a message, with its 0 */
  PG_CACHE_PATH_LEN = 4096,
  PG_CACHE_WAIT_MS = 100
};

/* The file in the cache's folder.  */
#define PG_CACHE_FILE "compiled-1.db"

struct pg_cache_setup
{
  const char *folder;  /* made where it is missing; its parent too */
  const char *library; /* name or path of SQLite */
  uint64_t most_len;   /* bytes of all that is kept; what was not used for longest goes */
};

struct pg_cache_key
{
  uint64_t low, high;
};

struct pg_cache;

/* Make SETUP what the user says (PARAGON_CACHE), or else what is usual: ${XDG_CACHE_HOME:-~/.cache}/paragon, 256 MiB.
   False: there is to be none, or no such folder, or the process is a set-user-id program, which its user's files must
   not lead astray.  PATH of PG_CACHE_PATH_LEN bytes becomes the folder.  */
bool pg_cache_defaults (struct pg_cache_setup *setup, char *path);

/* Make the folder PATH where it is missing.  Whether it is its owner's alone and on a disk of this machine; else TEXT
   of PG_CACHE_TEXT_LEN bytes says what it is.  */
bool pg_cache_folder (const char *path, char *text);

/* Open the cache that SETUP says; NULL: there is none, and TEXT of PG_CACHE_TEXT_LEN bytes says why.  The program's own
   SQLite is not touched: then there is none.  */
struct pg_cache *pg_cache_open (const struct pg_cache_setup *setup, char *text);

/* Close CACHE; NULL is allowed.  */
void pg_cache_close (struct pg_cache *cache);

/* The key of what BEFORE, 0 at first, is the key of, and then N_PARTS texts, in this order.  */
struct pg_cache_key pg_cache_key (struct pg_cache_key before, const char *const *parts, size_t n_parts);

/* Find what is kept for KEY.  Ownership: *BYTES, *LEN of them, is the caller's, from malloc.  False: nothing.  */
bool pg_cache_find (struct pg_cache *cache, struct pg_cache_key key, char **bytes, size_t *len);

/* Keep BYTES, LEN of them, for KEY.  */
void pg_cache_keep (struct pg_cache *cache, struct pg_cache_key key, const char *bytes, size_t len);

/* What CACHE has, for a person: how many entries and, summed, their bytes.  False: it cannot be read.  */
struct pg_cache_count
{
  uint64_t n, len;
};
bool pg_cache_count (struct pg_cache *cache, struct pg_cache_count *count);

#endif
