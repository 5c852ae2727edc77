/* SPDX-License-Identifier: MIT
   What instrumented kernels cost: counted, as the table in instrument.h says it, and nothing is done twice.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "noted-loops.h"

/* What an iteration does besides what the loop does, by kind of instruction.  */
struct cost
{
  unsigned atomics, stores, loads;
};

/* The costs of an iteration of LOOP, with ARGS.  */
static struct cost
cost_of (const struct pg_kir_kernel *loop, void *args, int64_t iteration)
{
  const struct pg_kir_space everything = { NULL, SIZE_MAX, true };
  struct cost cost = { 0, 0, 0 };
  struct pg_kir_machine machine;
  enum pg_kir_outcome outcome;
  assert_true (pg_kir_machine_begin (&machine, loop));
  machine.args = args;
  machine.spaces = &everything;
  machine.n_spaces = 1;
  machine.most_steps = 1000;
  machine.iters = &iteration;
  pg_kir_start (&machine);
  enum pg_kir_progress progress;
  while ((progress = pg_kir_go_on (&machine, 1, &outcome)) == PG_KIR_PAUSED)
    {
      const struct pg_kir_instr *instr = &loop->instrs[machine.at];
      cost.atomics += pg_kir_ops[instr->op].shape == PG_KIR_ATOMIC;
      cost.stores += pg_kir_is_store (instr);
      cost.loads += pg_kir_is_load (instr);
    }
  assert_int_equal (progress, PG_KIR_ENDED);
  pg_kir_machine_end (&machine);
  return cost;
}

static struct nl_args
args_of (uint8_t log)
{
  memset (nl_logs.writers, 0, sizeof nl_logs.writers);
  memset (nl_logs.readers, 0, sizeof nl_logs.readers);
  return (struct nl_args) {
    .x = (uint64_t) (uintptr_t) nl_logs.memory,
    .to = (uint64_t) (uintptr_t) nl_case.to,
    .from = (uint64_t) (uintptr_t) nl_case.from,
    .logs = { (uint64_t) (uintptr_t) &nl_logs.verdict, (uint64_t) (uintptr_t) &nl_logs.n_marked, NL_LOW, { 0, 1 }, 0 },
    .array = { (uint64_t) (uintptr_t) nl_logs.memory, NL_LEN, (uint64_t) (uintptr_t) nl_logs.writers[log],
	       (uint64_t) (uintptr_t) nl_logs.readers[log] },
  };
}

/* x[to[i]] = x[from[i]]: a read and a write of a granule each, in the kernels of each method.  */
static void
methods_cost_what_the_table_says (void **state)
{
  static const struct
  {
    struct cost kernels[NL_N_PHASES];
    uint64_t log_len; /* for 64 granules */
  } table[NL_N_METHODS] = {
    { { { 3, 0, 0 }, { 0, 0, 0 } }, 64 * 12 }, /* full */
    { { { 1, 0, 0 }, { 0, 0, 1 } }, 64 * 4 },  /* selective */
    { { { 1, 0, 0 }, { 0, 0, 1 } }, 64 * 4 },  /* inspector */
    { { { 1, 0, 0 }, { 0, 0, 0 } }, 64 * 4 },  /* none */
    { { { 1, 0, 0 }, { 0, 0, 0 } }, 64 / 8 },  /* none, of bits */
    { { { 2, 0, 0 }, { 0, 0, 0 } }, 64 / 4 },  /* atomic */
    { { { 1, 2, 0 }, { 0, 0, 0 } }, 64 * 2 },  /* reduction */
  };
  struct pg_kir_kernel loop = read_kernel (nl_views[0].text);
  (void) state;
  nl_case.to[0] = NL_SLOT;
  for (int m = 0; m < NL_N_METHODS; m++)
    {
      const struct nl_method *method = &nl_methods[m];
      bool has_readers = false;
      for (int phase = 0; phase < NL_N_PHASES && method->what[phase] != 0; phase++)
	{
	  unsigned what = method->what[phase];
	  struct pg_kir_kernel kernel = nl_instrument (&loop, what, method->log, 2);
	  struct nl_args args = args_of (method->log);
	  struct cost cost = cost_of (&kernel, &args, NL_LOW), expected = table[m].kernels[phase];
	  bool is_loop = !(what & PG_KIR_ADDRESSES_ONLY), is_read = is_loop || what & PG_KIR_TEST_READS;
	  assert_int_equal (cost.atomics, expected.atomics);
	  assert_int_equal (cost.stores, expected.stores + is_loop);
	  /* The loop's own: of to[i] or from[i], or both, and of x.  */
	  assert_int_equal (cost.loads, expected.loads + (is_loop ? 3 : 1));
	  has_readers |= is_read && what & PG_KIR_NOTE_READS;
	  pg_kir_end (&kernel);
	}
      assert_int_equal (pg_kir_log_len (method->log, 64, false)
			  + (has_readers ? pg_kir_log_len (method->log, 64, true) : 0),
			table[m].log_len);
    }
  pg_kir_end (&loop);
}

/* What a scan loads for a granule, or several at once: nobody wrote it, one wrote it, there are no readers.  */
static void
scans_cost_what_the_table_says (void **state)
{
  static const unsigned n_loads[PG_KIR_N_LOGS][3] = { { 1, 3, 0 }, { 2, 2, 1 }, { 2, 2, 0 } };
  (void) state;
  for (int log = 0; log < PG_KIR_N_LOGS; log++)
    {
      struct pg_kir_kernel scan = nl_scan ((uint8_t) log);
      for (int is_written = 0; is_written < 2; is_written++)
	for (int has_readers = log != PG_KIR_LOG_MARKS; has_readers < 2; has_readers++)
	  {
	    uint64_t cleared = log == PG_KIR_LOG_ITERATIONS ? UINT64_MAX : 0;
	    uint64_t writers = is_written ? 1 : cleared, readers[] = { cleared };
	    uint32_t verdict = 0;
	    struct pg_kir_scan_args args = { (uint64_t) (uintptr_t) &verdict,
					     (uint64_t) (uintptr_t) &writers,
					     has_readers ? (uint64_t) (uintptr_t) readers : 0,
					     { 0, 10 },
					     0 };
	    struct cost cost = cost_of (&scan, &args, 0);
	    assert_int_equal (cost.loads, n_loads[log][has_readers ? is_written : 2]);
	    assert_int_equal (cost.stores + cost.atomics, 0);
	    assert_int_equal (verdict, PG_KIR_CLEAN);
	  }
      pg_kir_end (&scan);
    }
}

/* Logs have room for the last granule, in whole words of 8 bytes, which the scans take at once.  */
static void
logs_are_of_whole_words (void **state)
{
  static const unsigned per_8[PG_KIR_N_LOGS][2] = { { 2, 1 }, { 8, 8 }, { 64, 64 } };
  (void) state;
  for (int log = 0; log < PG_KIR_N_LOGS; log++)
    for (uint64_t n = 1; n < 200; n++)
      {
	for (int of_readers = 0; of_readers < 2; of_readers++)
	  assert_int_equal (pg_kir_log_len ((enum pg_kir_log) log, n, of_readers),
			    (n + per_8[log][of_readers] - 1) / per_8[log][of_readers] * 8);
	uint64_t per_iteration = log == PG_KIR_LOG_ITERATIONS ? 1 : per_8[log][0];
	assert_int_equal (pg_kir_scan_iterations ((enum pg_kir_log) log, n), (n + per_iteration - 1) / per_iteration);
      }
}

/* Each access: "r" or "w" and its bytes, at the same address as those before in the iteration, and what it costs more:
   atomics and looks at bounds.  "(" and ")" stand around what may not happen.  */
static void
nothing_is_noted_twice (void **state)
{
  static const struct
  {
    const char *accesses;
    unsigned atomics, looks;
  } rows[] = {
    { "r4", 2, 1 },     { "w4", 1, 1 },     { "r4r4", 2, 1 },     { "r4r2", 2, 1 },     { "r2r4", 4, 2 },
    { "w4r4", 1, 1 },   { "w4w4", 1, 1 },   { "r4w4", 3, 1 },     { "r4w4r4w4", 3, 1 }, { "w2r4", 3, 2 },
    { "w2w4", 2, 2 },   { "w4r1w2", 1, 1 }, { "(w4)r4", 3, 2 },   { "(w4)w4", 2, 2 },   { "(r4)r4", 4, 2 },
    { "w4(r4)", 1, 1 }, { "r4(w4)", 3, 1 }, { "(w4)(w4)", 2, 2 }, { "(w4r4)", 1, 1 },   { "(w4)r4w4r4", 4, 2 },
  };
  (void) state;
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
    {
      char text[4000];
      size_t at = (size_t) snprintf (text, sizeof text, NL_LOOP ("i32", "v22 = const i32 1\nv23 = const i16 1\n"));
      int block = 0, value = 30;
      at -= strlen ("return void\nend\n");
      for (const char *p = rows[row].accesses; *p != '\0'; p++)
	{
	  char *to = text + at;
	  size_t room = sizeof text - at;
	  int bits = 8 * (p[1] - '0');
	  if (*p == '(')
	    at += (size_t) snprintf (to, room, "v%d = eq i8 v8 v12\nbranch void v%d b%d b%d\nb%d:\n", value, value,
				     block + 1, block + 2, block + 1);
	  else if (*p == ')')
	    at += (size_t) snprintf (to, room, "jump void b%d\nb%d:\n", block + 2, block + 2);
	  else if (*p == 'r')
	    at += (size_t) snprintf (to, room, "v%d = load i%d v20 ref 3\n", value, bits);
	  else if (*p == 'w')
	    at += (size_t) snprintf (to, room, "store void v20 v%d ref 3\n", bits == 32 ? 22 : 23);
	  block += *p == ')' ? 2 : 0;
	  value++;
	}
      snprintf (text + at, sizeof text - at, "return void\nend\n");
      struct pg_kir_kernel loop = read_kernel (text), kernel = nl_instrument (&loop, NL_ALL, PG_KIR_LOG_ITERATIONS, 2);
      unsigned n_atomics = 0, n_returns = 0;
      for (uint32_t v = 1; v < kernel.n_instrs; v++)
	{
	  n_atomics
	    += pg_kir_ops[kernel.instrs[v].op].shape == PG_KIR_ATOMIC && kernel.instrs[v].op != PG_KIR_OP_ATOMIC_OR;
	  n_returns += kernel.instrs[v].op == PG_KIR_OP_RETURN;
	}
      /* The read of x[from[i]] costs two and a look, and the last return is the loop's own.  */
      if (n_atomics != 2 + rows[row].atomics || n_returns != 2 + rows[row].looks)
	fail_msg ("%s: %u atomics, %u looks", rows[row].accesses, n_atomics - 2, n_returns - 2);
      pg_kir_end (&loop);
      pg_kir_end (&kernel);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (methods_cost_what_the_table_says),
    cmocka_unit_test (scans_cost_what_the_table_says),
    cmocka_unit_test (logs_are_of_whole_words),
    cmocka_unit_test (nothing_is_noted_twice),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
