/* SPDX-License-Identifier: MIT
   Teams of threads that run an iteration together: whatever the team, the grid and the order of its threads, they leave
   what the loop leaves.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kir-run.h"
#include "kir/nest.h"

#include <math.h>

enum
{
  N = 37,            /* iterations */
  MOST_THREADS = 64, /* of a grid */
  N_TURNS = 6 * N    /* at least, of all iterations together */
};

/* What the kernels work on: rows of VALUE, some of them empty, from START[I] to START[I + 1].  */
static struct
{
  int64_t start[N + 1], value[N_TURNS], y[2 * N_TURNS];
} data;

static struct
{
  int64_t *start, *value, *y, carried;
} args;

static void
fill (void)
{
  int64_t at = 0;
  for (int i = 0; i < N; i++)
    {
      data.start[i] = at;
      at += i % 5 == 3 ? 0 : i % 11;
    }
  data.start[N] = at;
  assert_true (at <= N_TURNS);
  for (int k = 0; k < N_TURNS; k++)
    data.value[k] = (k * 7919) % 1000 - 400;
  memset (data.y, 0x55, sizeof data.y);
  args.start = data.start;
  args.value = data.value;
  args.y = data.y;
  args.carried = 1000;
}

/* The beginning of all kernels: v10 and v13 are where row v1 begins and ends, v14 is the address of y[v1], v15 says
   that the row is not empty, v5 ... v7 and v11 are 3, 1, 0 and 8.  */
#define BEGIN(carry)                                                                                            \
  "kernel \"x\" args 32 dims 1 refs 3\n" carry                                                                  \
  "b0:\nv1 = iter i64 0\nv2 = arg ptr 0\nv3 = arg ptr 8\nv4 = arg ptr 16\nv5 = const i64 3\nv6 = const i64 1\n" \
  "v7 = const i64 0\nv8 = shl i64 v1 v5\nv9 = address ptr v2 v8\nv10 = load i64 v9 ref 0\nv11 = const i64 8\n"  \
  "v12 = address ptr v9 v11\nv13 = load i64 v12 ref 0\nv14 = address ptr v4 v8\nv15 = slt i8 v10 v13\n"
#define CARRY "carry i64 add 24\n"

/* The element v24 of a row whose number in all is v20.  */
#define ELEMENT "v22 = shl i64 v20 v5\nv23 = address ptr v3 v22\nv24 = load i64 v23 ref 1\n"

#define USUALLY "branch void v15 b1 b2\n"
#define SUMMED "v26 = add i64 v21 v24\n"

/* To the next one, in block HERE, or to BEHIND.  */
#define NEXT(here, behind) "v27 = add i64 v20 v6\nv28 = slt i8 v27 v13\nbranch void v28 " here " " behind "\n"

static const struct
{
  const char *name, *text;
  bool needs_leave; /* it stores in the inner loop, or before it */
} kernels[] = {
  { "a sum by row",
    BEGIN ("") "branch void v15 b1 b4\nb1:\njump void b2\n"
	       "b2:\nv20 = phi i64 [b1 v10] [b5 v27]\nv21 = phi i64 [b1 v7] [b5 v26]\n" ELEMENT
	       "v26 = add i64 v21 v24\n" NEXT (
		 "b5", "b3") "b5:\njump void b2\n"
			     "b3:\nv30 = phi i64 [b2 v26]\njump void b4\n"
			     "b4:\nv31 = phi i64 [b0 v7] [b3 v30]\nstore void v14 v31 ref 2\nreturn void\nend\n",
    false },
  { "a store before, and one on one of the ways",
    BEGIN ("") "store void v14 v7 ref 2\nbranch void v15 b1 b3\n"
	       "b1:\nv20 = phi i64 [b0 v10] [b1 v27]\nv21 = phi i64 [b0 v6] [b1 v26]\n" ELEMENT
	       "v26 = xor i64 v21 v24\n" NEXT ("b1", "b2") "b2:\nstore void v14 v26 ref 2\njump void b3\n"
							   "b3:\nreturn void\nend\n",
    true },
  { "many ways past it",
    BEGIN (CARRY) "v16 = carry i64 0\nv17 = and i64 v1 v5\nv18 = eq i8 v17 v7\nv19 = add i64 v16 v1\n"
		  "branch void v18 b5 b1\nb1:\nbranch void v15 b2 b4\n"
		  "b2:\nv20 = phi i64 [b1 v10] [b2 v27]\nv21 = phi i64 [b1 v7] [b2 v26]\n" ELEMENT
		  "v26 = add i64 v21 v24\n" NEXT (
		    "b2",
		    "b3") "b3:\nv30 = add i64 v26 v1\nv31 = add i64 v30 v19\nnext void v31 carry 0\njump void b4\n"
			  "b4:\nv33 = phi i64 [b1 v6] [b3 v26] [b6 v8]\nv34 = phi i64 [b1 v13] [b3 v30] [b6 v17]\n"
			  "v35 = mul i64 v33 v34\nstore void v14 v35 ref 2\nreturn void\n"
			  "b5:\nv50 = urem i64 v1 v11\nv51 = eq i8 v50 v7\nbranch void v51 b6 b7\n"
			  "b6:\nnext void v19 carry 0\njump void b4\nb7:\nreturn void\nend\n",
    false },
  { "a test at the top, and several things from turn to turn",
    BEGIN ("") "jump void b1\n"
	       "b1:\nv20 = phi i64 [b0 v10] [b2 v27]\nv21 = phi i64 [b0 v7] [b2 v26]\nv41 = phi i64 [b0 v6] [b2 v42]\n"
	       "v43 = phi i64 [b0 v13] [b2 v44]\nv45 = phi i64 [b0 v1] [b2 v45]\nv48 = phi ptr [b0 v14] [b2 v49]\n"
	       "v28 = slt i8 v20 v13\nbranch void v28 b2 b3\n"
	       "b2:\n" ELEMENT "v26 = add i64 v24 v21\nv42 = smax i64 v41 v24\nv44 = sub i64 v43 v11\n"
	       "v27 = add i64 v20 v6\nv49 = address ptr v48 v11\njump void b1\n"
	       "b3:\nv50 = mul i64 v21 v11\nv51 = xor i64 v50 v41\nv52 = add i64 v51 v43\nv53 = add i64 v52 v45\n"
	       "v54 = bits i64 v48\nv55 = bits i64 v14\nv56 = sub i64 v54 v55\nv57 = add i64 v56 v53\nv58 = add i64 "
	       "v57 v20\n"
	       "store void v14 v58 ref 2\nreturn void\nend\n",
    false },
  { "turns that store",
    BEGIN ("") "branch void v15 b1 b2\n"
	       "b1:\nv20 = phi i64 [b0 v10] [b1 v27]\n" ELEMENT "v26 = mul i64 v24 v1\nv29 = address ptr v4 v22\n"
	       "store void v29 v26 ref 2\n" NEXT ("b1", "b2") "b2:\nreturn void\nend\n",
    true },
  { "a sum over all rows",
    BEGIN (CARRY) "v16 = carry i64 0\nbranch void v15 b1 b3\n"
		  "b1:\nv20 = phi i64 [b0 v10] [b1 v27]\nv21 = phi i64 [b0 v16] [b1 v26]\n" ELEMENT
		  "v26 = add i64 v24 v21\n" NEXT (
		    "b1", "b2") "b2:\nv30 = phi i64 [b1 v26]\njump void b3\n"
				"b3:\nv31 = phi i64 [b0 v16] [b2 v30]\nnext void v31 carry 0\nreturn void\nend\n",
    false },
  { "an atomic operation before turns that store",
    BEGIN ("") "v16 = const i64 1776\nv17 = address ptr v14 v16\nv18 = atomic-add i64 v17 v6 ref 2\n"
	       "branch void v15 b1 b2\n"
	       "b1:\nv20 = phi i64 [b0 v10] [b1 v27]\n" ELEMENT "v26 = mul i64 v24 v1\nv29 = address ptr v4 v22\n"
	       "store void v29 v26 ref 2\n" NEXT ("b1", "b2") "b2:\nreturn void\nend\n",
    true },
  { "a loop that is never run, and never ends behind",
    BEGIN ("") "v16 = slt i8 v1 v7\nbranch void v16 b1 b3\n"
	       "b1:\nv20 = phi i64 [b0 v10] [b1 v27]\nv21 = phi i64 [b0 v7] [b1 v26]\n" ELEMENT
	       "v26 = add i64 v21 v24\n" NEXT ("b1", "b2") "b2:\njump void b2\n"
							   "b3:\nreturn void\nend\n",
    false },
  { "turns on conditions, counted down in an i8",
    BEGIN ("") "v16 = sub i64 v13 v10\nv17 = trunc i8 v16\nv18 = const i8 0\nv19 = const i8 1\njump void b1\n"
	       "b1:\nv60 = phi i8 [b0 v17] [b4 v61]\nv21 = phi i64 [b0 v7] [b4 v26]\nv62 = eq i8 v60 v18\n"
	       "branch void v62 b5 b2\n"
	       "b2:\nv61 = sub i8 v60 v19\nv63 = sext i64 v61\nv20 = add i64 v63 v10\n" ELEMENT
	       "v64 = slt i8 v24 v7\nbranch void v64 b4 b3\nb3:\nv65 = add i64 v21 v24\njump void b4\n"
	       "b4:\nv26 = phi i64 [b2 v21] [b3 v65]\njump void b1\n"
	       "b5:\nstore void v14 v21 ref 2\nreturn void\nend\n",
    false },
};

enum
{
  N_KERNELS = sizeof kernels / sizeof *kernels
};

/* LOOP for teams.  */
static struct pg_kir_kernel
map (const struct pg_kir_kernel *loop, const struct pg_kir_team *team, uint32_t n_threads)
{
  struct pg_kir_kernel spmd;
  struct pg_kir_error error = { .at = 0 };
  pg_kir_begin (&spmd, NULL);
  if (!pg_kir_map_team (&spmd, loop, team, n_threads, &error))
    fail_msg ("%s", error.text);
  verify_kernel (&spmd);
  return spmd;
}

/* Run [LO, HI) of LOOP by TEAM.  */
static void
run_team (const struct pg_kir_kernel *loop, const struct pg_kir_team *team, int64_t lo, int64_t hi, int64_t n_blocks,
	  int64_t n_threads, uint64_t seed)
{
  static uint64_t partials[MOST_THREADS];
  struct pg_kir_kernel spmd = map (loop, team, (uint32_t) n_threads);
  int64_t n_teams = n_blocks * n_threads / team->n_members;
  struct pg_kir_launch launch = { .lo = lo, .hi = hi, .stride = n_teams, .partials = (uint64_t) (uintptr_t) partials };
  const struct pg_kir_space spaces[]
    = { { (char *) partials, sizeof partials, true }, { (char *) &data, sizeof data, true } };
  char own[sizeof args + sizeof launch];
  memcpy (own, &args, sizeof args);
  memcpy (own + pg_kir_launch_offset (loop), &launch, sizeof launch);
  memset (partials, 0x77, sizeof partials);
  assert_int_equal (run_grid (&spmd, own, spaces, 2, n_blocks, n_threads, seed), PG_KIR_DONE);
  pg_kir_collect (loop, PG_KIR_STRIDED, &launch, n_blocks, n_threads / team->n_members, partials, (char *) &args);
  pg_kir_end (&spmd);
}

/* Run [LO, HI) of LOOP one after the other.  */
static void
run_loop (const struct pg_kir_kernel *loop, int64_t lo, int64_t hi)
{
  const struct pg_kir_space space = { (char *) &data, sizeof data, true };
  run_in_order (loop, &args, &space, 1, lo, hi);
}

static void
teams_leave_what_loops_leave (void **state)
{
  static const struct
  {
    uint32_t n_members;
    int64_t n_blocks, n_threads;
  } all[] = { { 2, 1, 2 }, { 2, 3, 8 }, { 4, 2, 4 }, { 4, 2, 12 }, { 8, 1, 32 }, { 16, 3, 16 }, { 32, 1, 64 } };
  (void) state;
  for (int k = 0; k < N_KERNELS; k++)
    for (size_t t = 0; t < sizeof all / sizeof *all; t++)
      for (uint64_t seed = 0; seed < 3; seed++)
	{
	  static int64_t expected[2 * N_TURNS];
	  struct pg_kir_kernel loop = read_kernel (kernels[k].text);
	  const struct pg_kir_team team = { .n_members = all[t].n_members, .is_free = kernels[k].needs_leave };
	  int64_t lo = seed == 2 ? 5 : 0, hi = seed == 1 ? 4 : N;
	  fill ();
	  run_loop (&loop, lo, hi);
	  memcpy (expected, data.y, sizeof expected);
	  int64_t carried = args.carried;
	  fill ();
	  run_team (&loop, &team, lo, hi, all[t].n_blocks, all[t].n_threads, seed);
	  for (int i = 0; i < 2 * N_TURNS; i++)
	    if (data.y[i] != expected[i])
	      fail_msg ("%s: teams of %u, %d blocks of %d: y[%d] is %lld, not %lld", kernels[k].name, all[t].n_members,
			(int) all[t].n_blocks, (int) all[t].n_threads, i, (long long) data.y[i],
			(long long) expected[i]);
	  assert_int_equal (args.carried, carried);
	  pg_kir_end (&loop);
	}
}

/* Sums of floats are the same in each run, whatever the order of the threads.  */
static void
sums_of_floats_do_not_depend_on_order (void **state)
{
  static const char text[]
    = BEGIN ("") "v16 = const f64 0x8000000000000000\nv17 = const f64 0x4008000000000000\nbranch void v15 b1 b2\n"
		 "b1:\nv20 = phi i64 [b0 v10] [b1 v27]\nv21 = phi f64 [b0 v16] [b1 v26]\n" ELEMENT
		 "v25 = stof f64 v24\nv29 = fdiv f64 v25 v17\nv26 = fadd f64 v21 v29\n" NEXT (
		   "b1", "b2") "b2:\nv31 = phi f64 [b0 v16] [b1 v26]\nstore void v14 v31 ref 2\nreturn void\nend\n";
  struct pg_kir_kernel loop = read_kernel (text), spmd;
  struct pg_kir_team team = { .n_members = 4, .may_reorder = true };
  struct pg_kir_error error;
  int64_t expected[N];
  double sum, reordered;
  (void) state;
  fill ();
  run_team (&loop, &team, 0, N, 2, 8, 0);
  memcpy (expected, data.y, sizeof expected);
  for (uint64_t seed = 1; seed < 10; seed++)
    {
      fill ();
      run_team (&loop, &team, 0, N, 1 + (int64_t) seed % 3, 8, seed);
      assert_memory_equal (data.y, expected, sizeof expected);
    }
  fill ();
  run_loop (&loop, 0, N);
  for (int i = 0; i < N; i++)
    {
      memcpy (&sum, &data.y[i], sizeof sum);
      memcpy (&reordered, &expected[i], sizeof reordered);
      assert_true (fabs (sum - reordered) <= 1e-12 * fabs (sum) && signbit (sum) == signbit (reordered));
    }
  team.may_reorder = false;
  pg_kir_begin (&spmd, NULL);
  assert_false (pg_kir_map_team (&spmd, &loop, &team, 8, &error));
  assert_non_null (strstr (error.text, "no inner loop"));
  pg_kir_end (&loop);
}

/* What TEAM would make of the loop TEXT is not to be had, and WHY.  */
static void
assert_refused (const char *text, struct pg_kir_team team, uint32_t n_threads, const char *why)
{
  struct pg_kir_kernel loop = read_kernel (text), spmd;
  struct pg_kir_error error = { .at = 0 };
  pg_kir_begin (&spmd, NULL);
  if (pg_kir_map_team (&spmd, &loop, &team, n_threads, &error) || strstr (error.text, why) == NULL)
    fail_msg ("%s: \"%s\"", text, error.text);
  assert_int_equal (spmd.n_blocks, 0);
  pg_kir_end (&loop);
}

/* A loop of a row's turns, a turn of which is TURN, of a kernel that carries v16; the first block ends with BEFORE.  */
#define CARRIED(before, turn)                                                                                      \
  BEGIN (CARRY)                                                                                                    \
  "v16 = carry i64 0\nv17 = slt i8 v7 v16\n" before "b1:\nv20 = phi i64 [b0 v10] [b1 v27]\nv21 = phi i64 [b0 v7] " \
  "[b1 v26]\n" ELEMENT turn NEXT ("b1", "b2") "b2:\nv31 = phi i64 [b0 v7] [b1 v26]\nstore void v14 v31 ref 2\n"    \
					      "next void v31 carry 0\nreturn void\nend\n"
static void
what_teams_cannot_do_is_said (void **state)
{
  const struct pg_kir_team four = { .n_members = 4 }, free = { .n_members = 4, .is_free = true };
  const char *summing = kernels[0].text, *storing = kernels[4].text;
  (void) state;
  assert_refused (summing, (struct pg_kir_team) { .n_members = 1 }, 8, "such teams");
  assert_refused (summing, (struct pg_kir_team) { .n_members = 6 }, 12, "such teams");
  assert_refused (summing, four, 6, "such teams");
  assert_refused (golden ("axpy"), four, 8, "no inner loop");
  assert_refused (golden ("kinds"), four, 8, "one dimension");
  assert_refused (storing, four, 8, "no inner loop");
  assert_refused (kernels[1].text, four, 8, "before the inner loop");
  assert_refused (CARRIED ("v18 = atomic-add i64 v14 v6 ref 2\nv19 = add i64 v18 v1\n" USUALLY,
			   "v29 = mul i64 v19 v24\nv26 = add i64 v21 v29\n"),
		  free, 8, "before the inner loop");

  assert_refused (CARRIED ("branch void v17 b1 b2\n", SUMMED), four, 8, "a carried value decides");
  assert_refused (CARRIED ("v18 = sdiv i64 v11 v16\n" USUALLY, SUMMED), four, 8, "a carried value decides");
  assert_refused (CARRIED ("v18 = add i64 v1 v16\nv19 = bits ptr v18\nv29 = load i8 v19 ref 0\n" USUALLY, SUMMED), four,
		  8, "a carried value decides");
  assert_refused (CARRIED (USUALLY, "v29 = mul i64 v16 v24\nv26 = add i64 v21 v29\n"), four, 8,
		  "a carried value decides");
  assert_refused (CARRIED (USUALLY, SUMMED "next void v24 carry 0\n"), free, 8, "no inner loop");
}

/* An inner loop within another one: the outer one's turns are dealt out, if it is countable.  */
static void
loops_in_inner_loops_stay_whole (void **state)
{
  static const char format[]
    = BEGIN ("") "branch void v15 b1 b5\n"
		 "b1:\nv20 = phi i64 [b0 v10] [b4 v27]\nv41 = phi i64 [b0 v7] [b4 v46]\n" ELEMENT "jump void b2\n"
		 "b2:\nv43 = phi i64 [b1 v7] [b2 v44]\nv45 = phi i64 [b1 v41] [b2 v46]\nv46 = add i64 v45 v24\n"
		 "v44 = add i64 v43 v6\nv47 = slt i8 v44 v1\nbranch void v47 b2 b4\n"
		 "b4:\n%s" NEXT ("b1", "b5") "b5:\nv50 = phi i64 [b0 v7] [b4 v46]\nstore void v14 v50 ref 2\n"
					     "return void\nend\n";
  int64_t expected[N];
  char text[2000];
  (void) state;
  snprintf (text, sizeof text, format, "");
  struct pg_kir_kernel loop = read_kernel (text);
  const struct pg_kir_team team = { .n_members = 4 };
  fill ();
  run_loop (&loop, 0, N);
  memcpy (expected, data.y, sizeof expected);
  fill ();
  run_team (&loop, &team, 0, N, 2, 8, 5);
  assert_memory_equal (data.y, expected, sizeof expected);
  pg_kir_end (&loop);
  /* What the outer one leaves is used in it.  */
  snprintf (text, sizeof text, format, "store void v14 v46 ref 2\n");
  assert_refused (text, team, 8, "no inner loop");
}

/* Of several inner loops, the one that was asked for; else the first.  */
static void
the_loop_asked_for_is_dealt_out (void **state)
{
  static const char text[]
    = BEGIN ("") "branch void v15 b1 b5\n"
		 "b1:\nv20 = phi i64 [b0 v10] [b1 v27]\nv21 = phi i64 [b0 v7] [b1 v26]\n" ELEMENT SUMMED NEXT (
		   "b1", "b2") "b2:\njump void b3\n"
			       "b3:\nv40 = phi i64 [b2 v10] [b3 v43]\nv41 = phi i64 [b2 v26] [b3 v42]\n"
			       "v42 = xor i64 v41 v40\nv43 = add i64 v40 v6\nv44 = slt i8 v43 v13\n"
			       "branch void v44 b3 b4\nb4:\nstore void v14 v42 ref 2\njump void b5\n"
			       "b5:\nreturn void\nend\n";
  static const pg_kir_block_number headers[] = { 0, 1, 3 };
  static char texts[3][TEXT_LEN];
  struct pg_kir_kernel loop = read_kernel (text);
  int64_t expected[N];
  (void) state;
  fill ();
  run_loop (&loop, 0, N);
  memcpy (expected, data.y, sizeof expected);
  for (int h = 0; h < 3; h++)
    {
      const struct pg_kir_team team = { .n_members = 4, .header = headers[h] };
      struct pg_kir_kernel spmd = map (&loop, &team, 8);
      pg_kir_write (&spmd, texts[h], TEXT_LEN);
      pg_kir_end (&spmd);
      fill ();
      run_team (&loop, &team, 0, N, 2, 8, 5);
      assert_memory_equal (data.y, expected, sizeof expected);
    }
  assert_string_equal (texts[0], texts[1]);
  assert_string_not_equal (texts[0], texts[2]);
  pg_kir_end (&loop);
  assert_refused (text, (struct pg_kir_team) { .n_members = 4, .header = 4 }, 8, "no inner loop");
  assert_refused (text, (struct pg_kir_team) { .n_members = 4, .header = 1000 }, 8, "no inner loop");
}

/* y[t] = 3 * value[t] for a row, and then, for k < 5, y[t] += value[t] ^ k ^ (what the last row's loop left).  */
#define SPREAD_OF(phi, of, before, behind)                                                                            \
  BEGIN ("")                                                                                                          \
  "v16 = const i64 5\nbranch void v15 b1 b7\n"                                                                        \
  "b1:\nv20 = phi i64 [b0 v10] [b1 v27]\n" ELEMENT "v29 = address ptr v4 v22\nv30 = mul i64 v24 v5\n"                 \
  "store void v29 v30 ref 2\n" NEXT (                                                                                 \
    "b1",                                                                                                             \
    "b2") "b2:\nv40 = phi i64 [b1 v7] [b5 v41]\n" phi before "jump void b3\n"                                         \
	  "b3:\nv50 = phi i64 [b2 v10] [b4 v51]\nv52 = slt i8 v50 v13\nbranch void v52 b4 b5\n"                       \
	  "b4:\nv53 = shl i64 v50 v5\nv54 = address ptr v4 v53\nv55 = load i64 v54 ref 2\nv56 = address ptr v3 v53\n" \
	  "v57 = load i64 v56 ref 1\nv58 = xor i64 v57 v40\nv60 = xor i64 v58 " of "\nv59 = add i64 v55 v60\n"        \
	  "store void v54 v59 ref 2\nv51 = add i64 v50 v6\njump void b3\n"                                            \
	  "b5:\nv41 = add i64 v40 v6\nv43 = slt i8 v41 v16\nbranch void v43 b2 b6\n"                                  \
	  "b6:\n" behind "return void\nb7:\nreturn void\nend\n"
#define SPREAD(before, behind) SPREAD_OF ("v46 = phi i64 [b1 v7] [b5 v50]\n", "v46", before, behind)
static void
loops_in_others_are_spread (void **state)
{
  /* The loop around that could be dealt out, too, if it held none.  */
  static const char *const texts[] = { SPREAD ("", ""), SPREAD_OF ("", "v40", "", "") };
  static int64_t expected[2 * N_TURNS];
  (void) state;
  for (int t = 0; t < 2; t++)
    {
      struct pg_kir_kernel loop = read_kernel (texts[t]);
      struct pg_kir_team team = { .header = PG_KIR_ALL_INNER, .is_free = true };
      fill ();
      run_loop (&loop, 0, N);
      memcpy (expected, data.y, sizeof expected);
      for (team.n_members = 2; team.n_members <= 32; team.n_members *= 2)
	for (uint64_t seed = 0; seed < 3; seed++)
	  {
	    fill ();
	    run_team (&loop, &team, 0, N, 1 + (int64_t) seed, 32, seed);
	    assert_memory_equal (data.y, expected, sizeof expected);
	  }
      pg_kir_end (&loop);
    }
}

static void
what_cannot_be_spread_is_said (void **state)
{
  const struct pg_kir_team free = { .n_members = 4, .header = PG_KIR_ALL_INNER, .is_free = true };
  const char *spread = SPREAD ("", "");
  (void) state;
  assert_refused (spread, (struct pg_kir_team) { .n_members = 4, .header = PG_KIR_ALL_INNER }, 8, "turns may meet");
  assert_refused (SPREAD ("store void v14 v40 ref 2\n", ""), free, 8, "outside of what can be dealt out");
  assert_refused (SPREAD ("", "store void v14 v41 ref 2\n"), free, 8, "outside of what can be dealt out");
  assert_refused (kernels[0].text, free, 8, "no inner loop");
  assert_refused (kernels[5].text, free, 8, "carried");
  assert_refused (golden ("axpy"), free, 8, "no inner loop");
}

/* Where accesses are, seen from what is spread, and in how many loops; what is but one inner loop is not spread.  */
static void
what_is_spread_is_described (void **state)
{
  struct pg_kir_nest nest;
  uint8_t stands[3], depths[3];
  (void) state;
  struct pg_kir_kernel loop = read_kernel (SPREAD ("", ""));
  assert_true (pg_kir_find_spread (&nest, stands, depths, &loop));
  assert_true (nest.header == PG_KIR_ALL_INNER && nest.n_reduced == 0 && nest.has_stores);
  assert_int_equal (stands[0], PG_KIR_READ_BEFORE);
  assert_int_equal (stands[1], PG_KIR_IN_TURN);
  assert_int_equal (depths[1], 0); /* in one loop, and in two */
  assert_int_equal (stands[2], PG_KIR_IN_TURN);
  assert_int_equal (depths[2], 0);
  pg_kir_end (&loop);
  loop = read_kernel (kernels[4].text);
  assert_false (pg_kir_find_spread (&nest, stands, depths, &loop));
  pg_kir_end (&loop);
}

/* As many sums as there is no shared memory for, and as many ways past the inner loop as are too many: both once more
   than is possible.  */
static void
there_are_limits (void **state)
{
  const struct pg_kir_team four = { .n_members = 4 };
  char text[8000];
  (void) state;
  for (int n = 6; n <= 7; n++)
    {
      int at = snprintf (text, sizeof text, BEGIN ("") "branch void v15 b1 b2\nb1:\nv20 = phi i64 [b0 v10] [b1 v27]\n");
      for (int r = 0; r < n; r++)
	at += snprintf (text + at, sizeof text - (size_t) at, "v%d = phi i64 [b0 v7] [b1 v%d]\n", 100 + r, 200 + r);
      at += snprintf (text + at, sizeof text - (size_t) at, ELEMENT);
      for (int r = 0; r < n; r++)
	at += snprintf (text + at, sizeof text - (size_t) at, "v%d = add i64 v%d v24\n", 200 + r, 100 + r);
      snprintf (text + at, sizeof text - (size_t) at, NEXT ("b1", "b2") "b2:\nreturn void\nend\n");
      struct pg_kir_kernel loop = read_kernel (text), spmd;
      if (n == 7)
	assert_refused (text, four, PG_KIR_MOST_THREADS, "too much shared memory");
      else
	{
	  spmd = map (&loop, &four, PG_KIR_MOST_THREADS);
	  pg_kir_end (&spmd);
	}
      pg_kir_end (&loop);
    }
  for (int n = 16; n <= 17; n++)
    {
      char cases[600] = "", constants[600] = "";
      for (int c = 0; c < n; c++)
	snprintf (cases + strlen (cases), sizeof cases - strlen (cases), " b%d", 10 + c);
      for (int c = 0; c < n; c++)
	snprintf (constants + strlen (constants), sizeof constants - strlen (constants), " v%d", 100 + c);
      int at = snprintf (text, sizeof text, BEGIN (""));
      for (int c = 0; c < n; c++)
	at += snprintf (text + at, sizeof text - (size_t) at, "v%d = const i64 %d\n", 100 + c, c);
      at
	+= snprintf (text + at, sizeof text - (size_t) at,
		     "switch void v10 b1%s%s\nb1:\nv20 = phi i64 [b0 v10] [b1 v27]\n"
		     "v21 = phi i64 [b0 v7] [b1 v26]\n" ELEMENT SUMMED NEXT ("b1", "b2") "b2:\nswitch void v26 b3%s%s\n"
											 "b3:\nreturn void\n",
		     cases, constants, cases, constants);
      for (int c = 0; c < n; c++)
	at += snprintf (text + at, sizeof text - (size_t) at, "b%d:\nreturn void\n", 10 + c);
      snprintf (text + at, sizeof text - (size_t) at, "end\n");
      struct pg_kir_kernel loop = read_kernel (text), spmd;
      if (n == 17)
	assert_refused (text, four, 8, "too many ways");
      else
	{
	  spmd = map (&loop, &four, 8);
	  pg_kir_end (&spmd);
	}
      pg_kir_end (&loop);
    }
}

static int n_left, n_kept; /* allocations that there may still be, and that were not given back */

static void *
resize_at_times (void *block, size_t old_len, size_t len)
{
  (void) old_len;
  if (len == 0)
    {
      n_kept--;
      free (block);
      return NULL;
    }
  if (n_left == 0)
    return NULL;
  n_left--;
  n_kept += block == NULL;
  return realloc (block, len);
}

/* Wherever memory runs out, that is said, and what was taken is given back.  */
static void
memory_may_run_out (void **state)
{
  (void) state;
  for (int k = 0; k < N_KERNELS; k++)
    {
      const struct pg_kir_team team = { .n_members = 4, .is_free = kernels[k].needs_leave };
      bool is_good = false;
      for (int n = 0; !is_good; n++)
	{
	  struct pg_kir_kernel loop = read_kernel (kernels[k].text), spmd;
	  struct pg_kir_error error;
	  void *(*resize) (void *, size_t, size_t) = loop.resize;
	  pg_kir_begin (&spmd, resize_at_times);
	  loop.resize = resize_at_times;
	  n_left = n;
	  n_kept = 0;
	  is_good = pg_kir_map_team (&spmd, &loop, &team, 8, &error);
	  pg_kir_end (&spmd);
	  assert_int_equal (n_kept, 0);
	  loop.resize = resize;
	  pg_kir_end (&loop);
	  assert_in_range (n, 0, 2000);
	}
    }
}

/* What comes out, for people to read.  */
static void
teams_look_like_this (void **state)
{
  static char text[TEXT_LEN];
  struct pg_kir_kernel loop = read_kernel (golden ("spmv"));
  const struct pg_kir_team team = { .n_members = 2, .may_reorder = true };
  struct pg_kir_kernel spmd = map (&loop, &team, 8);
  (void) state;
  pg_kir_write (&spmd, text, sizeof text);
  assert_string_equal (text, golden ("spmv-team"));
  pg_kir_end (&loop);
  pg_kir_end (&spmd);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (teams_leave_what_loops_leave),
    cmocka_unit_test (sums_of_floats_do_not_depend_on_order),
    cmocka_unit_test (loops_in_inner_loops_stay_whole),
    cmocka_unit_test (the_loop_asked_for_is_dealt_out),
    cmocka_unit_test (loops_in_others_are_spread),
    cmocka_unit_test (what_cannot_be_spread_is_said),
    cmocka_unit_test (what_is_spread_is_described),
    cmocka_unit_test (what_teams_cannot_do_is_said),
    cmocka_unit_test (there_are_limits),
    cmocka_unit_test (memory_may_run_out),
    cmocka_unit_test (teams_look_like_this),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
