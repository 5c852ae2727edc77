/* SPDX-License-Identifier: MIT
   Records of costs.  See costs.h.

   A record is a row of 64-bit numbers:

       sizes that are known | key | key | alone | pool | inspect | size | alone | pool | size | alone | pool | ...

   Records stand in the order in which they were put.  What is not a record ends them.  */
#include "costs.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum
{
  HEAD = 6, /* numbers of a record without sizes */
  SIZE = 3, /* and of a size */
  MOST_NUMBERS = HEAD + SIZE * PG_PLAN_SIZES,
  MOST_LEN = 256 << 10
};

/* The numbers of the record at the beginning of RECORDS, LEN bytes; 0: there is none.  */
static size_t
record_numbers (const char *records, size_t len)
{
  int64_t n_sizes;
  if (len < HEAD * sizeof n_sizes)
    return 0;
  memcpy (&n_sizes, records, sizeof n_sizes);
  if (n_sizes < 0 || n_sizes > PG_PLAN_SIZES)
    return 0;
  size_t n = HEAD + SIZE * (size_t) n_sizes;
  return len < n * sizeof n_sizes ? 0 : n;
}

struct pg_costs_key
pg_costs_key (const struct pg_state *state)
{
  XXH128_hash_t hash = XXH3_128bits_withSeed (state->packed, state->packed_len,
					      XXH3_64bits (state->region.file, strlen (state->region.file)));
  return (struct pg_costs_key) { hash.low64, hash.high64 };
}

/* Read RECORD into COSTS.  False: it is not KEY's.  */
static bool
read_record (const char *record, size_t n, struct pg_costs_key key, struct pg_plan_costs *costs)
{
  int64_t numbers[MOST_NUMBERS];
  memcpy (numbers, record, n * sizeof *numbers);
  if ((uint64_t) numbers[1] != key.low || (uint64_t) numbers[2] != key.high)
    return false;
  *costs = (struct pg_plan_costs) { .alone_ps = numbers[3], .pool_ps = numbers[4], .inspect_ps = numbers[5] };
  for (const int64_t *size = numbers + HEAD; size < numbers + n; size += SIZE)
    if (size[0] >= 0 && size[0] < PG_PLAN_SIZES)
      {
	costs->sizes[size[0]].alone_ps = size[1];
	costs->sizes[size[0]].pool_ps = size[2];
      }
  return true;
}

bool
pg_costs_find (const char *records, size_t len, struct pg_costs_key key, struct pg_plan_costs *costs)
{
  size_t n;
  for (size_t at = 0; (n = record_numbers (records + at, len - at)) > 0; at += n * sizeof (int64_t))
    if (read_record (records + at, n, key, costs))
      return true;
  return false;
}

/* Make NUMBERS the record of KEY with COSTS; how many there are.  */
static size_t
write_record (int64_t *numbers, struct pg_costs_key key, const struct pg_plan_costs *costs)
{
  size_t n = HEAD;
  for (int s = 0; s < PG_PLAN_SIZES; s++)
    if (costs->sizes[s].alone_ps != 0 || costs->sizes[s].pool_ps != 0)
      {
	numbers[n++] = s;
	numbers[n++] = costs->sizes[s].alone_ps;
	numbers[n++] = costs->sizes[s].pool_ps;
      }
  numbers[0] = (int64_t) (n - HEAD) / SIZE;
  numbers[1] = (int64_t) key.low;
  numbers[2] = (int64_t) key.high;
  numbers[3] = costs->alone_ps;
  numbers[4] = costs->pool_ps;
  numbers[5] = costs->inspect_ps;
  return n;
}

bool
pg_costs_put (char **records, size_t *len, struct pg_costs_key key, const struct pg_plan_costs *costs)
{
  int64_t numbers[MOST_NUMBERS];
  struct pg_plan_costs ignored;
  size_t record_len = write_record (numbers, key, costs) * sizeof *numbers, kept_len = 0, n;
  char *merged = malloc (*len + record_len);
  if (merged == NULL)
    return false;
  for (size_t at = 0; (n = record_numbers (*records + at, *len - at)) > 0; at += n * sizeof *numbers)
    if (!read_record (*records + at, n, key, &ignored))
      {
	memcpy (merged + kept_len, *records + at, n * sizeof *numbers);
	kept_len += n * sizeof *numbers;
      }
  size_t dropped_len = 0;
  while (kept_len - dropped_len + record_len > MOST_LEN)
    dropped_len += record_numbers (merged + dropped_len, kept_len - dropped_len) * sizeof *numbers;
  memmove (merged, merged + dropped_len, kept_len - dropped_len);
  memcpy (merged + kept_len - dropped_len, numbers, record_len);
  free (*records);
  *records = merged;
  *len = kept_len - dropped_len + record_len;
  return true;
}
