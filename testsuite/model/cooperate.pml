/* SPDX-License-Identifier: MIT
   Cooperative execution of a loop: the protocol, and a model of it that spin checks.  Paragon paper, s3, s5.

   The device speculates while the host runs the loop.  Whoever is right and first wins; the other one's work is
   dropped, and the program never sees that there was a race.

   The parts

     worker	the thread that entered.  It goes on with the loop, in order, on the program's memory, piece by piece.
		A piece may be a run of the pool, which has ended when it returns.
     manager	the conflict management thread.  It copies, runs kernels chunk by chunk on the device, and judges them.
     kernel	the device, on memory of its own.
     others	threads of the program, which write elsewhere in the same objects.

   One word

   (state, taken) is one atomic word: a state of cooperate.def, and how many iterations the worker has begun or done.
   Both change it by compare-and-swap.  The worker's poll is how it takes a piece: (RACING, k) -> (RACING, k + n), n
   being 1 in the model.  So the manager, that swaps (RACING, k) for (DEVICE, k), knows that the worker has not begun
   iteration k and will not.  It does so only if k < point: the device is through with all iterations before `point`,
   without a conflict, and what they left is here, complete, in staging.  Nothing can fail from then on.  If two want to
   move, one swap fails, and who loses looks again.

   A round begins at the first iteration that is not done, and ends with QUIET.  Then memory and arguments are as the
   loop in order would have left them after `point` iterations (committed) or after `taken` (not).  If a chunk has
   conflicts, the round ends before it, the worker runs that chunk alone and opens another round behind it.

   Who may touch what

			QUIET	COPYING		RACING	HOST		DEVICE	PARKED
     memory, writes	worker	either (1)	worker	manager (2)	worker	manager
     arguments		worker	worker		worker	-		worker	manager
     staging, device	-	manager		manager	manager		manager	manager

   (1) the manager where it brings the inputs home (b, d below); else the worker, if the loop is re-entrant.  (2) only
   to complete that.

   The arguments, with all that the loop carries, are copied by the worker before it opens the round: they make no loop
   non-re-entrant.

   Copying, by where the inputs are (the paper's scenarios: a, c: in memory; b, d: on the device only, as an earlier
   loop left them; and where they are wanted next: a, d: in memory, b, c: on the device too):

     a, c  memory -> device.  The kernel waits.  The worker waits unless the loop is re-entrant: it may be run again on
	   memory that it has changed, with the same result.  Then it does not matter which of its writes are copied.
     b, d  device -> memory.  The worker waits.  The kernel waits unless the loop is re-entrant.  If it does not wait,
	   memory has results of iterations that are not done in order: until the entry ends, no signal is delivered.
	   The copying is always completed, whatever the worker or the kernel does.  It cannot fail: a device that may
	   be lost must have left the bytes in staging, too.

   Commit

   What was copied to the device is read from memory once, and kept: `before`.  Bytes are committed that some chunk has
   changed; to compare `before` with the end is not enough, because a later chunk may change a byte back that the
   worker left as an earlier one does.  More bytes must not be committed: other threads may have written them.  As
   iterations of a chunk do not conflict, and the worker stops between iterations, each byte that it wrote is as the
   chunk left it.

   Signals are deferred in a round.  If one waits, the worker withdraws (HOST), waits for QUIET, admits it: the handler
   may jump, fork, or free memory.  So does a worker that has ended the loop: nothing is returned to the program before
   kernel, copies and manager are done with the entry.

   Memory order: each move is a release and an acquire.  What is handed over is always handed over by a move: arguments
   and bounds at QUIET -> COPYING; memory that was copied at COPYING -> RACING (the copy's reads are before the worker's
   writes); memory that the worker wrote at DEVICE -> PARKED; memory that was committed, `point`, at -> QUIET.  To take
   a piece may be relaxed: as a read-modify-write it does not end a release sequence; the worker acquires when it sees
   RACING for the first time.  A round is joined before the next is opened, so no old value of the word is ever swapped.

   The model

   N iterations; iteration i changes cell i in two steps, and carries a sum.  Iteration `same` leaves its cell as it
   was.  Iteration `cross` also changes cell 0.  From an input that is not the right one, iterations of a loop that is
   not re-entrant make WRONG, and so does every chunk that has conflicts.  Cell N is another thread's.  Verdicts,
   failures, time-outs, signals and what the loop is are chosen freely.  A kernel that failed or timed out has ended
   when that is known.

   What must hold is asserted where it would be broken.  Every wait is a statement that blocks, and no run is endless:
   who would wait for ever is found as an invalid end state.  What must be possible is a list, `possible`.  Each line
   `breaks` below is a way to get the protocol wrong, and what spin must say of it.  */

//! holds: -DN=2 -DCHUNK=1 -DN_OTHERS=2, -DN=3 -DCHUNK=1 -DN_OTHERS=0, -DN=3 -DCHUNK=2 -DN_OTHERS=0

// The manager claims without a look at what the worker has taken; it commits before the worker has stopped.
//! breaks: LATE commit_is_in_time
//! breaks: EARLY commit_is_in_time

// The worker stops inside an iteration; what is committed is the difference between before and the end.
//! breaks: INSIDE result_is_whole
//! breaks: ENDS_ONLY result_is_whole

// The result of a chunk with conflicts is committed.
//! breaks: VERDICT result_is_whole

// All bytes of an object are committed; the copy and what it is compared with are read one after the other.
//! breaks: ALL_BYTES nothing_of_others_is_lost
//! breaks: READ_TWICE nothing_of_others_is_lost

// The manager copies the arguments.  Whether the loop is re-entrant, the worker does not ask, or the kernel.  The
// worker does not wait for inputs that are on the device only, or has their copying end early.  A signal is delivered
// although memory is not as in order.
//! breaks: ARGUMENTS result_is_whole
//! breaks: WORKER result_is_whole
//! breaks: KERNEL result_is_whole
//! breaks: HOME result_is_whole
//! breaks: HALF_HOME result_is_whole
//! breaks: SEEN result_is_whole

// The worker returns at the loop's end, or lets a handler jump, without waiting; the manager does not wait for a
// kernel that it asked to end.
//! breaks: RETURN all_are_quiet
//! breaks: HANDLER all_are_quiet
//! breaks: DROP all_are_quiet

// Something fails after the manager's claim: it changes its mind, or tells nobody.  The manager waits for COPYING,
// which may be over when it looks.
//! breaks: LATE_FAILURE move_is_listed
//! breaks: SILENT_FAILURE invalid end state
//! breaks: ASLEEP invalid end state

#ifndef N
#define N 2
#define CHUNK 1 /* iterations of a chunk on the device */
#if defined BREAK_ALL_BYTES || defined BREAK_READ_TWICE
#define N_OTHERS 2 /* what other threads write */
#else
#define N_OTHERS 0
#endif
#endif
#define MOST_ROUNDS 2
#define NONE N

/* What a cell may hold.  */
#define STALE 0
#define BEFORE 1
#define HALF 2
#define FINAL 3
#define CROSSED 4
#define WRONG 5
#define OTHERS 6 /* and what is above */

mtype = { WORKER, MANAGER, CLEAN, CONFLICT, FAILED
#define PG_COOPERATION(id, text) , id
#include "cooperate.def"
};

/* All that must be possible: what of it was not seen is told in the end.  */
c_code {
#define PG_COOPERATION_MOVE(from, to, who, text) #from "-" #to,
#define ENDS(scenario) scenario ": DEVICE", scenario ": HOST", scenario ": CONFLICT", scenario ": FAILED",
  static const char *const possible[] = {
#include "cooperate.def"
    ENDS ("a, re-entrant") ENDS ("a, not re-entrant") ENDS ("b, re-entrant") ENDS ("b, not re-entrant")
    ENDS ("c, re-entrant") ENDS ("c, not re-entrant") ENDS ("d, re-entrant") ENDS ("d, not re-entrant")
    "the worker runs during the copy", "the kernel runs during the copy", "a part is committed",
    "the device goes on behind a conflict", "the worker is ahead of the device", "a handler jumps"
  };
  enum { N_POSSIBLE = sizeof possible / sizeof *possible };
  static int is_seen[N_POSSIBLE];

  static void
  tell_the_rest (void)
  {
    int i;
    for (i = 0; i < N_POSSIBLE; i++)
      if (!is_seen[i])
	printf ("not seen: %s\n", possible[i]);
  }

  static void
  see (const char *what)
  {
    static int has_begun;
    int i;
    if (!has_begun++)
      atexit (tell_the_rest);
    for (i = 0; i < N_POSSIBLE; i++)
      if (strcmp (possible[i], what) == 0)
	is_seen[i] = 1;
  }

  /* An entry of one of the paper's scenarios has ended BY what became of the last round.  */
  static void
  see_end (int on_device, int for_device, int is_reentrant, const char *by)
  {
    char what[64];
    snprintf (what, sizeof what, "%c, %s: %s", "acdb"[2 * on_device + for_device],
	      is_reentrant ? "re-entrant" : "not re-entrant", by);
    see (what);
  }
};

/* The loop.  */
bool is_reentrant;
byte same, cross, crossed; /* iterations; NONE: there is none; what the second one leaves in cell 0 */

/* The entry.  */
bool on_device;  /* the inputs are, before */
bool for_device; /* the results are wanted there, too, next */
bool is_inside;  /* if not, memory may be gone */
byte memory[N + 1];
byte sum;    /* what the loop carries */
byte others; /* what another thread wrote last */

/* The word.  */
mtype state = QUIET;
byte taken;

/* The round, handed over by COPYING to the manager, by QUIET to the worker.  */
byte first, point, resume; /* RESUME: where another round may begin */
bool comes_home;	   /* the inputs are copied from the device to memory */
byte sum_there, sum_staged;
bool is_committed;
bool is_kept; /* the device's memory is as the program's, and used again */
byte before[N + 1], staged[N + 1];
bool is_changed[N + 1];
bool is_held; /* staging, and the device */

/* The device.  */
byte there[N + 1];
bool is_running;
byte low, high;
mtype verdict;

/* For the assertions: the worker has stopped; what became of the last round.  */
bool move_is_listed; /* false: asserted where a move is not */
bool is_parked;
mtype by;

#define final(i) (i == same -> BEFORE : FINAL)

/* Cell C after N_ITERS iterations in order.  */
#define in_order(c, n_iters) (c >= n_iters -> BEFORE : (c == 0 && cross < n_iters -> (crossed) : final (c)))

/* Whether VALUE may be what an iteration reads, where the loop in order reads CELL's.  */
#define is_input(cell, value) (is_reentrant || cell == value)
#define is_open (state == COPYING || state == RACING)

/* Whether the worker may begin an iteration.  */
#if defined BREAK_WORKER
#define may_take (state == RACING || (state == COPYING && !comes_home))
#elif defined BREAK_HOME
#define may_take (state == RACING || (state == COPYING && is_reentrant))
#else
#define may_take (state == RACING || (state == COPYING && is_reentrant && !comes_home))
#endif

/* Whether memory is as the loop in order would have left it by now.  */
#ifdef BREAK_SEEN
#define may_be_seen true
#else
#define may_be_seen (!on_device || !is_reentrant)
#endif

/* Move on to NEXT.  In an atomic step that has looked at the state.  */
inline move (next, who)
{
  if
#define PG_COOPERATION_MOVE(from, to, by, text)					\
  :: state == from && next == to && who == by ->				\
    c_code { see (#from "-" #to); }
#include "cooperate.def"
  :: else -> assert (move_is_listed)
  fi;
  state = next
}

/* The first step of iteration I, whose cell is CELL, and the rest; ZERO is cell 0.  */
inline begin_iteration (cell, i, value)
{
  atomic { value = (is_input (cell, BEFORE) -> final (i) : WRONG); cell = HALF }
}

inline end_iteration (cell, zero, i, value)
{
  cell = value;
  if
  :: i == cross -> zero = (is_input (zero, final (0)) -> (crossed) : WRONG)
  :: else
  fi
}

active proctype worker ()
{
  byte k, n_rounds, value, c;
  bool has_signal, is_behind, all_are_quiet, result_is_whole, nothing_of_others_is_lost, mirror_is_right;

  /* A loop and an entry.  */
  atomic {
    if :: is_reentrant = true :: is_reentrant = false fi;
    if :: same = 0 :: same = NONE fi;
    if
    :: cross = N - 1; crossed = CROSSED
    :: cross = N - 1; crossed = BEFORE
    :: cross = NONE
    fi;
    if :: on_device = true :: on_device = false fi;
    do
    :: c < N -> memory[c] = (on_device -> STALE : BEFORE); there[c] = (on_device -> BEFORE : STALE); c++
    :: else -> break
    od;
    c = 0;
    memory[N] = OTHERS;
    others = OTHERS;
    comes_home = on_device;
    is_inside = true
  }

open:
  atomic {
    n_rounds++;
    first = k; taken = k; point = k; resume = N;
    sum_there = sum;
    is_committed = false;
    move (COPYING, WORKER)
  }

race:
  if
  :: atomic {
       may_take && taken < N ->
       if
       :: state == COPYING -> c_code { see ("the worker runs during the copy"); }
       :: else
       fi;
       taken++
     }
     begin_iteration (memory[k], k, value);
#ifdef BREAK_INSIDE
     if
     :: atomic { state == DEVICE -> move (PARKED, WORKER); is_parked = true }
        state == QUIET;
        goto ended
     :: skip
     fi;
#endif
     end_iteration (memory[k], memory[0], k, value);
     atomic { sum++; k++ }
     goto race
  :: atomic { state == DEVICE -> move (PARKED, WORKER); is_parked = true }
     state == QUIET
  :: atomic { taken == N && is_open -> move (HOST, WORKER) }
#ifndef BREAK_RETURN
     state == QUIET
#endif
  :: atomic {
       is_open && !has_signal && may_be_seen ->
       has_signal = true;
#ifdef BREAK_HANDLER
       goto jumped;
#endif
       move (HOST, WORKER)
     }
     state == QUIET;
     if
     :: goto jumped
     :: resume = k /* the handler returns */
     fi
  :: state == QUIET
  fi;
ended:
  atomic {
    is_parked = false;
    comes_home = false;
    taken = 0;
    if
    :: is_committed ->
       k = point;
       if
       :: is_behind -> c_code { see ("the device goes on behind a conflict"); }
       :: point < N -> c_code { see ("a part is committed"); }
       :: else
       fi
    :: else
    fi;
    is_behind = by == CONFLICT
  }

  /* Alone: a chunk that has conflicts, or the rest.  */
  if
  :: resume < N && n_rounds < MOST_ROUNDS
  :: else -> resume = N
  fi;
  do
  :: k < resume ->
     begin_iteration (memory[k], k, value);
     end_iteration (memory[k], memory[0], k, value);
     atomic { sum++; k++ }
  :: else -> break
  od;
  if
  :: k < N -> goto open
  :: else -> goto left
  fi;

jumped:
  c_code { see ("a handler jumps"); };
left:
  skip;

  /* The program goes on after K iterations.  */
  if :: for_device = true :: for_device = false fi;
  d_step {
    all_are_quiet = !is_running && !is_held && state == QUIET;
    assert (all_are_quiet);
    mirror_is_right = true;
    result_is_whole = sum == k;
    do
    :: c < N ->
       result_is_whole = result_is_whole && memory[c] == in_order (c, k);
       mirror_is_right = mirror_is_right && (there[c] == memory[c] || !is_kept || !for_device);
       c++
    :: else -> break
    od;
    assert (result_is_whole);
    assert (mirror_is_right);
    nothing_of_others_is_lost = memory[N] == others;
    assert (nothing_of_others_is_lost);
    is_inside = false
  }
  if
#define BY(who) :: by == who -> c_code { see_end (now.on_device, now.for_device, now.is_reentrant, #who); }
  BY (DEVICE)
  BY (HOST)
  BY (CONFLICT)
  BY (FAILED)
  fi
}

/* Copy cell I of what the device is given, or of what only the device has.  */
inline copy (i)
{
  atomic {
    assert (is_inside);
    if
    :: comes_home && i < N -> memory[i] = there[i]
    :: else
    fi;
    before[i] = memory[i];
    staged[i] = memory[i];
    is_changed[i] = false;
  }
  atomic {
    if
#ifdef BREAK_READ_TWICE
    :: !comes_home || i == N -> there[i] = memory[i]
#else
    :: !comes_home || i == N -> there[i] = before[i]
#endif
    :: else
    fi;
    i++
  }
}

/* Start the kernel of the chunk behind POINT.  What it will find is chosen here.  */
inline start ()
{
  atomic {
    low = point;
    high = (point + CHUNK < N -> (point + CHUNK) : N);
    if
    :: !(low == 0 && cross < high) -> verdict = CLEAN /* else iterations 0 and CROSS meet */
    :: verdict = CONFLICT
    :: verdict = FAILED
    fi;
    is_running = true
  }
}

/* The device has done the chunk: copy it out.  */
inline stage ()
{
  d_step {
    i = 0;
    do
    :: i <= N ->
#ifdef BREAK_ENDS_ONLY
       is_changed[i] = there[i] != before[i];
#else
       is_changed[i] = is_changed[i] || there[i] != staged[i];
#endif
       staged[i] = there[i];
       i++
    :: else -> break
    od;
    i = 0;
    sum_staged = sum_there;
    point = high
  }
}

/* What nobody will look at is always 0: fewer states.  */
inline forget ()
{
  i = 0;
  do
  :: i <= N ->
     before[i] = 0;
     staged[i] = 0;
     is_changed[i] = false;
     there[i] = (is_kept -> there[i] : 0);
     i++
  :: else -> break
  od;
  i = 0;
  low = 0; high = 0; sum_there = 0; sum_staged = 0; verdict = 0;
  is_started = false
}

inline commit ()
{
  i = 0;
  do
  :: i <= N ->
     atomic {
       commit_is_in_time = is_parked && taken < point && is_inside;
       assert (commit_is_in_time);
       if
#ifdef BREAK_ALL_BYTES
       :: true -> memory[i] = staged[i]
#else
       :: is_changed[i] -> memory[i] = staged[i]
#endif
       :: else
       fi;
       i++
     }
  :: else -> break
  od;
  atomic {
    i = 0;
    sum = sum_staged;
    is_committed = true;
    is_kept = point == N
  }
}

active proctype manager ()
{
  byte i;
  bool is_started, commit_is_in_time;

end:
  do
#ifdef BREAK_ASLEEP
  :: atomic { state == COPYING ->
#else
  :: atomic { state != QUIET -> /* it may be HOST by now */
#endif
       is_held = true; is_kept = false }
#ifdef BREAK_ARGUMENTS
     sum_there = sum;
#endif
     if
#ifdef BREAK_KERNEL
     :: comes_home -> start (); is_started = true
#else
     :: comes_home && is_reentrant -> start (); is_started = true
#endif
     :: else
     fi;
     do
     :: i <= N && (comes_home || state == COPYING) -> copy (i)
#ifdef BREAK_HALF_HOME
     :: i <= N && state == HOST -> goto drop
#endif
     :: i <= N && !comes_home -> goto drop /* no memory, or withdrawn */
     :: i > N -> break
     od;
     atomic {
       i = 0;
       if
       :: state == COPYING -> move (RACING, MANAGER)
       :: else -> goto drop
       fi
     }
chunk:
     if
     :: is_started
     :: else -> start ()
     fi;
     if
     :: !is_running
     :: state == HOST -> goto drop /* asks the kernel to end */
     fi;
     is_started = false;
     if
     :: verdict == CLEAN -> stage ()
     :: verdict == CLEAN -> verdict = FAILED /* to copy it out */
#ifdef BREAK_VERDICT
     :: verdict == CONFLICT -> stage ()
#endif
     :: verdict == CONFLICT -> resume = high
     :: verdict == FAILED
     fi;
     if
     :: verdict == CLEAN && point < N && state == RACING -> goto chunk
     :: else
     fi;
     atomic {
       if
#ifdef BREAK_LATE
       :: state == RACING && first < point -> move (DEVICE, MANAGER)
#else
       :: state == RACING && taken < point -> move (DEVICE, MANAGER)
#endif
       :: state == RACING && first < point && taken >= point ->
	  c_code { see ("the worker is ahead of the device"); }
	  goto drop
       :: else -> goto drop
       fi
     }
#if defined BREAK_LATE_FAILURE
     if
     :: goto drop
     :: skip
     fi;
#elif defined BREAK_SILENT_FAILURE
     if
     :: skip -> false
     :: skip
     fi;
#endif
#ifndef BREAK_EARLY
     state == PARKED;
#endif
     commit ();
drop:
#ifndef BREAK_DROP
     !is_running;
#endif
     atomic {
       is_held = false;
       if
       :: is_committed && point == N -> by = DEVICE
       :: else -> by = (state == HOST -> HOST : (verdict == CONFLICT -> CONFLICT : FAILED))
       fi;
       forget ();
       move (QUIET, MANAGER)
     }
  od
}

active proctype kernel ()
{
  byte i, value;

end:
  do
  :: is_running ->
     i = low;
     do
     :: i < high && verdict == FAILED -> break
     :: i < high ->
	if
	:: state == COPYING -> c_code { see ("the kernel runs during the copy"); }
	:: else
	fi;
	begin_iteration (there[i], i, value);
	end_iteration (there[i], there[0], i, value);
	atomic {
	  if
	  :: verdict == CONFLICT ->
	     there[i] = WRONG;
	     if
	     :: i == cross -> there[0] = WRONG
	     :: else
	     fi
	  :: else
	  fi;
	  sum_there++;
	  i++
	}
     :: i == high -> break
     od;
     atomic { i = 0; value = 0; is_running = false }
  od
}

/* Another thread of the program.  Elsewhere, nobody looks at its cell.  */
active proctype other ()
{
end:
  do
  :: atomic { (state == COPYING || state == PARKED) && others < OTHERS + N_OTHERS -> others++; memory[N] = others }
  od
}
