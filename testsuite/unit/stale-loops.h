/* SPDX-License-Identifier: MIT
   What tests of stale values share: loops that find addresses, or bounds of inner loops, where the iteration before put
   them, and memory in which wild ones stand until then.  */
#ifndef STALE_LOOPS_H
#define STALE_LOOPS_H

#include <stdint.h>
#include <string.h>

enum
{
  STALE_ITERS = 64,
  STALE_LEN = 4 * STALE_ITERS, /* of the memory, words */
  STALE_BUDGET = 8,
  N_STALE = 2
};

static const struct stale_loop
{
  const char *name, *text;
  int range;  /* of what is not wild */
  int second; /* where the second argument points, words into the memory, where the first one points to */
} stale_loops[N_STALE] = {
  /* y[p[i]] = i; p[i + 1] = i + 1; where y is p.  */
  { "chase",
    "kernel \"chase\" args 24 dims 1 refs 4\nb0:\n"
    "v1 = iter i64 0\nv2 = const i64 2\nv3 = shl i64 v1 v2\nv4 = arg ptr 0\nv5 = address ptr v4 v3\n"
    "v6 = load i32 v5 ref 0\nv7 = sext i64 v6\nv8 = shl i64 v7 v2\nv9 = arg ptr 8\n"
    "v10 = address ptr v9 v8\nv11 = trunc i32 v1\nstore void v10 v11 ref 1\n"
    "v12 = const i64 4\nv13 = address ptr v5 v12\nv14 = const i32 1\nv15 = add i32 v11 v14\n"
    "store void v13 v15 ref 2\nreturn void\nend\n",
    STALE_ITERS, 0 },
  /* for (j = 0; j < m[i]; j++) s[i]++; m[i + 1] = 1.  */
  { "bound",
    "kernel \"bound\" args 24 dims 1 refs 4\nb0:\n"
    "v1 = iter i64 0\nv2 = const i64 2\nv3 = shl i64 v1 v2\nv4 = arg ptr 0\nv5 = address ptr v4 v3\n"
    "v6 = arg ptr 8\nv7 = address ptr v6 v3\nv8 = const i32 0\nv9 = const i32 1\n"
    "v16 = const i64 4\nv17 = address ptr v5 v16\njump void b1\n"
    "b1:\nv10 = phi i32 [b0 v8] [b1 v14]\nv11 = load i32 v7 ref 1\nv12 = add i32 v11 v9\n"
    "store void v7 v12 ref 2\nv13 = load i32 v5 ref 0\nv14 = add i32 v10 v9\n"
    "v15 = slt i8 v14 v13\nbranch void v15 b1 b2\nb2:\nstore void v17 v9 ref 3\nreturn void\nend\n",
    STALE_BUDGET / 2, STALE_ITERS * 2 },
};

/* All references are in one array.  */
static const uint8_t stale_array_of[] = { 0, 0, 0, 0 };

/* Fill the MEMORY of LOOP: half of it wild, which are far addresses and long loops.  */
static inline void
stale_fill (const struct stale_loop *loop, int32_t *memory, uint64_t seed)
{
  memset (memory, 0x77, STALE_LEN * sizeof *memory);
  memory[0] = 1;
  for (int i = 1; i <= STALE_ITERS; i++)
    {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      if (seed >> 60 < 8)
	memory[i] = (int32_t) (seed >> 33) % loop->range;
    }
}

#endif
