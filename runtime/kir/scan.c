/* SPDX-License-Identifier: MIT
   The loops over logs, and how these are laid out.  See instrument.h.  */
#include "instrument.h"

#include <string.h>

/* Iteration g is granule g: was it written, and read by anybody but who wrote it?  v6 is who wrote, v13 the lowest who
   read, v16 the highest, counted from the epoch's end, as v20 is who wrote.  */
static const char iterations[] = "kernel \"scan\" args 40 dims 1 refs 1\n"
				 "b0:\n"
				 "  v1 = iter i64 0\n"
				 "  v2 = const i64 2\n"
				 "  v3 = shl i64 v1 v2\n"
				 "  v4 = arg ptr 8\n"
				 "  v5 = address ptr v4 v3\n"
				 "  v6 = load i32 v5 ref 0\n"
				 "  v7 = arg i32 28\n"
				 "  v8 = ult i8 v6 v7\n"
				 "  branch void v8 b1 b3\n"
				 "b1:\n"
				 "  v9 = const i64 3\n"
				 "  v10 = shl i64 v1 v9\n"
				 "  v11 = arg ptr 16\n"
				 "  v12 = address ptr v11 v10\n"
				 "  v13 = load i32 v12 ref 0\n"
				 "  v14 = const i64 4\n"
				 "  v15 = address ptr v12 v14\n"
				 "  v16 = load i32 v15 ref 0\n"
				 "  v17 = arg i32 24\n"
				 "  v18 = add i32 v17 v7\n"
				 "  v19 = const i32 -1\n"
				 "  v20 = add i32 v18 v19\n"
				 "  v21 = sub i32 v20 v6\n"
				 "  v22 = ne i8 v13 v6\n"
				 "  v23 = ne i8 v16 v21\n"
				 "  v24 = or i8 v22 v23\n"
				 "  v25 = ult i8 v13 v7\n"
				 "  v26 = and i8 v24 v25\n"
				 "  branch void v26 b2 b3\n"
				 "b2:\n"
				 "  v28 = arg ptr 0\n"
				 "  v29 = const i32 2\n"
				 "  v30 = atomic-or i32 v28 v29 ref 0\n"
				 "  jump void b3\n"
				 "b3:\n"
				 "  return void\n"
				 "end\n";

/* Iteration w is the granules from 8 w on: v6 has their marks for writers, v10 the sum of these bytes, v15 those for
   readers.  */
static const char marks[] = "kernel \"scan\" args 40 dims 1 refs 1\n"
			    "carry i64 add 32\n"
			    "b0:\n"
			    "  v1 = iter i64 0\n"
			    "  v2 = const i64 3\n"
			    "  v3 = shl i64 v1 v2\n"
			    "  v4 = arg ptr 8\n"
			    "  v5 = address ptr v4 v3\n"
			    "  v6 = load i64 v5 ref 0\n"
			    "  v7 = const i64 0x101010101010101\n"
			    "  v8 = mul i64 v6 v7\n"
			    "  v9 = const i64 56\n"
			    "  v10 = lshr i64 v8 v9\n"
			    "  v11 = carry i64 0\n"
			    "  v12 = add i64 v11 v10\n"
			    "  next void v12 carry 0\n"
			    "  v13 = arg ptr 16\n"
			    "  v14 = const ptr 0\n"
			    "  v15 = ne i8 v13 v14\n"
			    "  branch void v15 b1 b3\n"
			    "b1:\n"
			    "  v16 = address ptr v13 v3\n"
			    "  v17 = load i64 v16 ref 0\n"
			    "  v18 = and i64 v17 v6\n"
			    "  v19 = const i64 0\n"
			    "  v20 = ne i8 v18 v19\n"
			    "  branch void v20 b2 b3\n"
			    "b2:\n"
			    "  v21 = arg ptr 0\n"
			    "  v22 = const i32 2\n"
			    "  v23 = atomic-or i32 v21 v22 ref 0\n"
			    "  jump void b3\n"
			    "b3:\n"
			    "  return void\n"
			    "end\n";

/* Iteration w is the granules from 64 w on.  */
static const char bits[] = "kernel \"scan\" args 40 dims 1 refs 1\n"
			   "b0:\n"
			   "  v1 = iter i64 0\n"
			   "  v2 = const i64 3\n"
			   "  v3 = shl i64 v1 v2\n"
			   "  v4 = arg ptr 8\n"
			   "  v5 = address ptr v4 v3\n"
			   "  v6 = load i64 v5 ref 0\n"
			   "  v7 = arg ptr 16\n"
			   "  v8 = address ptr v7 v3\n"
			   "  v9 = load i64 v8 ref 0\n"
			   "  v10 = and i64 v6 v9\n"
			   "  v11 = const i64 0\n"
			   "  v12 = ne i8 v10 v11\n"
			   "  branch void v12 b1 b2\n"
			   "b1:\n"
			   "  v13 = arg ptr 0\n"
			   "  v14 = const i32 2\n"
			   "  v15 = atomic-or i32 v13 v14 ref 0\n"
			   "  jump void b2\n"
			   "b2:\n"
			   "  return void\n"
			   "end\n";

static const struct
{
  const char *scan;
  unsigned writer_bits, reader_bits; /* of the log, for a granule */
  unsigned n_granules;               /* that an iteration of the scan looks at */
  unsigned char cleared;
} facts[PG_KIR_N_LOGS] = {
  [PG_KIR_LOG_ITERATIONS] = { iterations, 32, 64, 1, 0xff },
  [PG_KIR_LOG_MARKS] = { marks, 8, 8, 8, 0 },
  [PG_KIR_LOG_BITS] = { bits, 1, 1, 64, 0 },
};

uint64_t
pg_kir_log_len (enum pg_kir_log log, uint64_t n_granules, bool is_of_readers)
{
  uint64_t n_in_8 = 64 / (is_of_readers ? facts[log].reader_bits : facts[log].writer_bits);
  return (n_granules / n_in_8 + (n_granules % n_in_8 != 0)) * 8;
}

unsigned char
pg_kir_cleared (enum pg_kir_log log)
{
  return facts[log].cleared;
}

uint64_t
pg_kir_scan_iterations (enum pg_kir_log log, uint64_t n_granules)
{
  return n_granules / facts[log].n_granules + (n_granules % facts[log].n_granules != 0);
}

bool
pg_kir_scan (struct pg_kir_kernel *to, enum pg_kir_log log, struct pg_kir_error *error)
{
  return pg_kir_read (to, facts[log].scan, strlen (facts[log].scan), error);
}
