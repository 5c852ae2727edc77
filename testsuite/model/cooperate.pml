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

   (state, taken) is one atomic word, each region's own: a state of runtime/cooperate.def, and how many iterations the
   worker has begun or done.  Both change it by compare-and-swap.  The worker's poll is how it takes a piece:
   (RACING, k) -> (RACING, k + n), n being 1 in the model.  So the manager, that swaps (RACING, k) for (DEVICE, k),
   knows that the worker has not begun iteration k and will not.  It does so only if k < point: the device is through
   with all iterations before `point`, without a conflict, and what they left is here, complete, in staging.  Nothing
   can fail from then on.  If two want to move, one swap fails, and who loses looks again.

   A round begins at the first iteration that is not done, and ends with QUIET.  Then memory and arguments are as the
   loop in order would have left them after `point` iterations (committed) or after `taken` (not).  If a chunk has
   conflicts, the round ends before it, the worker runs that chunk alone and opens another round behind it.

   Who may touch what

			QUIET	COPYING		RACING	DEVICE	PARKED
     memory, writes	worker	worker (1)	worker	worker	manager
     arguments		worker	worker		worker	worker	manager
     staging, device	the manager, until it is not busy any more

   (1) if the loop is re-entrant, that is, may be run again on memory that it has changed, with the same result.  Else
   the worker waits: what is copied must be as it was before the loop.

   The manager reads memory in COPYING only, and in a way that does not mind if it goes away (process_vm_readv).
   The arguments, with all that the loop carries, are copied by the worker before it opens the round: they make no loop
   non-re-entrant.

   There is one manager for all regions.  It is free again before the worker of its last round has seen how that ended,
   and another region's round may be open by then; so rounds are told from each other by whose they are.

   The worker never waits for the device: it may leave a round at any time but in PARKED, and the manager finds out at
   its next move, which fails.  Until then the manager is busy with what nobody wants any more; no round is opened,
   and entries run as if there were no device.

   Every commit is complete: after it, all that the loop has written is in the program's memory.  What is on the device,
   too, because an earlier loop left it there (the paper's scenarios b and d), is only not copied again.  So no loop has
   to wait for results to come home, none is lost with the device, and nobody can see that they are missing.

   Commit

   What was copied to the device is read from memory once, and kept.  Bytes are committed that some chunk has
   changed; to compare the beginning with the end is not enough, because a later chunk may change a byte back that the
   worker left as an earlier one does.  More bytes must not be committed: other threads may have written them.  As
   iterations of a chunk do not conflict, and the worker stops between iterations, each byte that it wrote is as the
   chunk left it.

   Signals are deferred in PARKED.  Elsewhere a handler finds memory as in order; it may return, and nothing has
   happened, or jump: then the round is left when the thread enters a region the next time.  The manager may have moved
   to DEVICE by then, and waits in vain for PARKED.

   Memory order: each move is a release and an acquire.  What is handed over is always handed over by a move: arguments
   and bounds at QUIET -> COPYING; memory that was copied at COPYING -> RACING (the copy's reads are before the worker's
   writes); memory that the worker wrote at DEVICE -> PARKED; memory that was committed, `point`, at -> QUIET.  To take
   a piece may be relaxed: as a read-modify-write it does not end a release sequence; the worker acquires when it sees
   RACING for the first time.  The manager says that it is not busy any more by a release, so no old value of the word
   is ever swapped.

   The model

   N iterations; iteration i changes cell i in two steps, and carries a sum.  Iteration `same` leaves its cell as it
   was.  Iteration `cross` also changes cell 0.  From an input that is not the right one, iterations of a loop that is
   not re-entrant make WRONG, and so does every chunk that has conflicts.  Cell N is another thread's.  Verdicts,
   failures, time-outs, signals and what the loop is are chosen freely.  Once, the manager is at work on another
   region's round.  A kernel that failed or timed out has ended when that is known.

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

// The manager copies the arguments.  The worker does not ask whether the loop is re-entrant.
//! breaks: ARGUMENTS result_is_whole
//! breaks: WORKER result_is_whole

// The worker returns at the loop's end without a move; a handler jumps while memory is written; the worker opens a
// round although the manager is at work on another.
//! breaks: RETURN is_left
//! breaks: HANDLER commit_is_in_time
//! breaks: BUSY invalid end state

// All regions have one round.
//! breaks: SHARED is_left

// Something fails after the manager's claim: it changes its mind, or tells nobody.  The manager waits for COPYING,
// which may be over when it looks.  Who jumped out never says so.
//! breaks: LATE_FAILURE move_is_listed
//! breaks: SILENT_FAILURE invalid end state
//! breaks: ASLEEP invalid end state
//! breaks: JUMP invalid end state

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
#define BEFORE 1
#define HALF 2
#define FINAL 3
#define CROSSED 4
#define WRONG 5
#define OTHERS 6 /* and what is above */

mtype = { WORKER, MANAGER, CLEAN, CONFLICT, FAILED
#define PG_COOPERATION(id, text) , id
#include "../../runtime/cooperate.def"
};

/* All that must be possible: what of it was not seen is told in the end.  */
c_code {
#define PG_COOPERATION_MOVE(from, to, who, text) #from "-" #to " " #who,
  static const char *const possible[] = {
#include "../../runtime/cooperate.def"
    "the device runs all", "the device fails", "a chunk has conflicts", "the worker runs during the copy",
    "a part is committed", "the device goes on behind a conflict", "the worker is ahead of the device",
    "a handler jumps", "the program goes on while a kernel runs"
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
};

/* The loop.  */
bool is_reentrant;
byte same, cross, crossed; /* iterations; NONE: there is none; what the second one leaves in cell 0 */

/* The entry.  */
bool is_inside; /* if not, memory may be gone */
byte memory[N + 1];
byte sum;    /* what the loop carries */
byte others; /* what another thread wrote last */

/* The word; whether the manager is at work, and on another region's round.  */
mtype state = QUIET;
byte taken;
bool is_busy, is_elsewhere;

/* The round, handed over by COPYING to the manager, by QUIET to the worker.  */
byte first, point, resume; /* RESUME: where another round may begin */
byte sum_there, sum_staged;
bool is_committed, is_behind; /* BEHIND: it ended because of a conflict */
byte staged[N + 1];
#ifdef BREAK_ENDS_ONLY
byte before[N + 1];
#endif
bool is_changed[N + 1];

/* The device.  */
byte there[N + 1];
bool is_running;
byte low, high;
mtype verdict;

/* For the assertions: the worker has stopped.  */
bool move_is_listed; /* false: asserted where a move is not */
bool is_parked;

#define final(i) (i == same -> BEFORE : FINAL)

/* Cell C after N_ITERS iterations in order.  */
#define in_order(c, n_iters) (c >= n_iters -> BEFORE : (c == 0 && cross < n_iters -> (crossed) : final (c)))

/* Whether VALUE may be what an iteration reads, where the loop in order reads CELL's.  */
#define is_input(cell, value) (is_reentrant || cell == value)

/* Whether the worker may begin an iteration.  */
#ifdef BREAK_WORKER
#define may_take (state == RACING || state == COPYING)
#else
#define may_take (state == RACING || (state == COPYING && is_reentrant))
#endif

#ifdef BREAK_BUSY
#define may_open true
#else
#define may_open (!is_busy)
#endif

#ifdef BREAK_HANDLER
#define may_jump (state != QUIET)
#else
#define may_jump (state != QUIET && state != PARKED)
#endif

/* Move on to NEXT.  In an atomic step that has looked at the state.  */
inline move (next, who)
{
  if
#define PG_COOPERATION_MOVE(from, to, by, text)					\
  :: state == from && next == to && who == by ->				\
    c_code { see (#from "-" #to " " #by); }
#include "../../runtime/cooperate.def"
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
  bool comes_signal, is_left, result_is_whole, nothing_of_others_is_lost;

  /* A loop and an entry.  */
  atomic {
    if :: is_reentrant = true :: is_reentrant = false fi;
    if :: comes_signal = true :: comes_signal = false fi;
    if :: same = 0 :: same = NONE fi;
    if
    :: cross = N - 1; crossed = CROSSED
    :: cross = N - 1; crossed = BEFORE
    :: cross = NONE
    fi;
    do
    :: c < N -> memory[c] = BEFORE; c++
    :: else -> break
    od;
    c = 0;
    memory[N] = OTHERS;
    others = OTHERS;
    is_inside = true
  }

open:
  atomic {
    may_open ->
    n_rounds++;
    first = k; taken = k; point = k; resume = N;
    sum_there = sum;
    is_committed = false;
    is_behind = false;
    is_busy = true;
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
	goto parked
     :: skip
     fi;
#endif
     end_iteration (memory[k], memory[0], k, value);
     atomic { sum++; k++ }
     goto race
  :: atomic { state == DEVICE -> move (PARKED, WORKER); is_parked = true }
     goto parked
#ifdef BREAK_RETURN
  :: atomic { taken == N && (state == COPYING || state == RACING) -> goto left }
#else
  :: atomic { taken == N && (state == COPYING || state == RACING) -> move (QUIET, WORKER) }
     goto left
#endif
  :: atomic { comes_signal && may_jump -> c_code { see ("a handler jumps"); }; is_inside = false }
     goto jumped
  :: state == QUIET -> goto ended
  fi;
parked:
  if
  :: state == QUIET
#ifdef BREAK_HANDLER
  :: atomic { comes_signal && state == PARKED -> is_inside = false }
     state == QUIET; goto gone
#endif
  fi;
ended:
  atomic {
    is_parked = false;
    taken = 0;
    if
    :: is_committed ->
       k = point;
       if
       :: point < N -> c_code { see ("a part is committed"); }
       :: n_rounds == 2 -> c_code { see ("the device goes on behind a conflict"); }
       :: else
       fi
    :: else
    fi
  }

  /* Alone: a chunk that has conflicts, or the rest.  */
  if
  :: is_behind && resume < N && n_rounds < MOST_ROUNDS
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
  :: k == N
  fi;

left:
  skip;

  /* The program goes on after K iterations.  */
  d_step {
    is_left = state == QUIET;
    assert (is_left);
    result_is_whole = sum == k;
    do
    :: c < N -> result_is_whole = result_is_whole && memory[c] == in_order (c, k); c++
    :: else -> break
    od;
    assert (result_is_whole);
    nothing_of_others_is_lost = memory[N] == others;
    assert (nothing_of_others_is_lost);
    if
    :: is_running -> c_code { see ("the program goes on while a kernel runs"); }
    :: else
    fi;
    is_inside = false
  }
  goto gone;

jumped:
  skip;

  /* Its next entry.  */
#ifndef BREAK_JUMP
  atomic {
    if
    :: state != QUIET -> move (QUIET, WORKER)
    :: else
    fi
  };
#endif

gone:
  !is_busy
}

/* Copy cell I to the device.  */
inline copy (i)
{
  atomic {
#ifdef BREAK_ENDS_ONLY
    before[i] = memory[i];
#endif
    staged[i] = memory[i];
    is_changed[i] = false;
  }
  atomic {
#ifdef BREAK_READ_TWICE
    there[i] = memory[i];
#else
    there[i] = staged[i];
#endif
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
     staged[i] = 0;
     is_changed[i] = false;
     there[i] = 0;
     i++
  :: else -> break
  od;
  i = 0;
  low = 0; high = 0; sum_there = 0; sum_staged = 0; verdict = 0
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
    is_committed = true
  }
}

active proctype manager ()
{
  byte i;
  bool commit_is_in_time;

end:
  do
#ifdef BREAK_ASLEEP
  :: atomic { is_busy && !is_elsewhere && state == COPYING ->
#else
  :: atomic { is_busy && !is_elsewhere -> /* it may be QUIET by now */
#endif
     skip }
#ifdef BREAK_ARGUMENTS
     sum_there = sum;
#endif
     do
     :: i <= N -> copy (i)
     :: i <= N -> break /* no memory */
     :: i > N -> break
     od;
     atomic {
       if
       :: state == COPYING && i > N -> i = 0; move (RACING, MANAGER)
       :: else -> i = 0; goto drop
       fi
     }
chunk:
     start ();
     !is_running;
     if
     :: verdict == CLEAN -> stage ()
     :: verdict == CLEAN -> verdict = FAILED /* to copy it out */
#ifdef BREAK_VERDICT
     :: verdict == CONFLICT -> stage ()
#endif
     :: verdict == CONFLICT -> c_code { see ("a chunk has conflicts"); }; resume = high
     :: verdict == FAILED -> c_code { see ("the device fails"); }
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
	  c_code { see ("the worker is ahead of the device"); };
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
     if
     :: state == PARKED
     :: state == QUIET -> goto drop
     fi;
#endif
     commit ();
     atomic {
       if
       :: point == N -> c_code { see ("the device runs all"); }
       :: else
       fi
     }
drop:
     atomic {
       is_behind = verdict == CONFLICT;
       if
       :: state != QUIET -> move (QUIET, MANAGER)
       :: else
       fi;
       forget ()
     }
     is_busy = false
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

/* Another region's round, which begins and ends.  */
active proctype elsewhere ()
{
  if
#ifdef BREAK_SHARED
  :: atomic { !is_busy && state == QUIET -> is_busy = true; is_elsewhere = true; state = DEVICE }
     atomic { state == DEVICE -> state = QUIET; is_elsewhere = false; is_busy = false }
#else
  :: atomic { !is_busy -> is_busy = true; is_elsewhere = true }
     atomic { is_elsewhere = false; is_busy = false }
#endif
  :: skip
  fi
}
