/* SPDX-License-Identifier: MIT
   Doacross: who waits for whom (runtime/doacross.h), and a model of it that spin checks.

   Iteration I needs turns of iteration I - DISTANCE, and of no other: turn T the turns up to T + LAG, or all if there
   are no more.  So an iteration that is missed, or taken for another one, shows.

   Memory is one for all here, and every step is seen by all at once: what acquires and releases are for is not in the
   model.

   Broken on purpose:  */

// A slot tells the least that its thread may claim, not that it is claiming; or what it had before.
//! holds: -DN_THREADS=2 -DDISTANCE=1 -DLAG=0, -DN_THREADS=3 -DDISTANCE=1 -DLAG=0, -DN_THREADS=3 -DDISTANCE=2 -DLAG=1
//! breaks: LEAST is_done
//! breaks: BEFORE is_done

// What was done is set to 0 when the slot has moved on, or not at all.
//! breaks: LATE_ZERO is_done
//! breaks: NO_ZERO is_done

// A turn is told before it is run; who waits looks at the next turns only, not at all of the block.
//! breaks: EARLY is_done
//! breaks: BLOCK is_done

// Who waits does so for later ones, too.
//! breaks: ALL invalid end state

#ifndef N_THREADS
#define N_THREADS 3
#define DISTANCE 2
#define LAG 1
#endif
/* All that must be possible: what of it was not seen is told in the end.  */
c_code {
  static const char *const possible[] = { "a thread waits", "two iterations run at the same time" };
  static int is_seen[2];

  static void
  tell_the_rest (void)
  {
    int i;
    for (i = 0; i < 2; i++)
      if (!is_seen[i])
	printf ("not seen: %s\n", possible[i]);
  }

  static void
  see (int what)
  {
    static int has_begun;
    if (!has_begun++)
      atexit (tell_the_rest);
    is_seen[what] = 1;
  }
};

#define N_ITERS 4
#define N_TURNS 3
#define BLOCK 2 /* turns */
#define CLAIMING 254
#define NONE 255

byte next, slot[N_THREADS] = NONE, told[N_THREADS];

/* For the assertions: turns of each iteration that were run.  */
byte n_run[N_ITERS];

/* Turns that have to be done before TURN.  */
#define NEED(turn) (turn + 1 + LAG > N_TURNS -> N_TURNS : turn + 1 + LAG)

#ifdef BREAK_BLOCK
#define LAST_OF(turn) turn
#else
#define LAST_OF(turn) (turn + BLOCK > N_TURNS -> N_TURNS - 1 : turn + BLOCK - 1)
#endif

inline claim ()
{
#if !defined BREAK_LATE_ZERO && !defined BREAK_NO_ZERO
  told[_pid] = 0;
#endif
#if defined BREAK_LEAST
  slot[_pid] = next;
#elif !defined BREAK_BEFORE
  slot[_pid] = CLAIMING;
#endif
  atomic { own = next; next = (next < N_ITERS -> next + 1 : next) }
  slot[_pid] = (own < N_ITERS -> own : NONE);
#ifdef BREAK_LATE_ZERO
  told[_pid] = 0;
#endif
}

/* Wait until nothing is needed any more before TURN and the rest of its block.  */
inline wait ()
{
  other = 0;
  do
  :: other == N_THREADS -> break
  :: other < N_THREADS && other == _pid -> other++
  :: other < N_THREADS && other != _pid ->
     do
     :: atomic { seen = slot[other];
	  if
#ifdef BREAK_ALL
	  :: seen == NONE -> goto is_through
#else
	  :: seen == NONE || (seen != CLAIMING && seen >= own) -> goto is_through
#endif
	  :: seen != CLAIMING && seen < own && seen + DISTANCE != own -> goto is_through
	  :: else
	  fi }
	if
	:: seen != CLAIMING && told[other] >= NEED (LAST_OF (turn)) -> break
	:: seen == CLAIMING || told[other] < NEED (LAST_OF (turn)) ->
	   c_code { see (0); };
	   (slot[other] != seen || (seen != CLAIMING && told[other] >= NEED (LAST_OF (turn))))
	fi
     od;
is_through:
     other++
  od
}

active [N_THREADS] proctype thread ()
{
  byte own, turn, other, seen;
  bool is_done;

  do
  :: claim ();
     if
     :: own == N_ITERS -> break
     :: else
     fi;
     turn = 0;
     do
     :: turn == N_TURNS -> break
     :: turn < N_TURNS ->
	if
	:: turn % BLOCK == 0 ->
	   told[_pid] = turn;
#ifdef BREAK_EARLY
	   told[_pid] = turn + 1;
#endif
	   wait ()
	:: else
	fi;
	atomic {
	  is_done = own < DISTANCE || n_run[own - DISTANCE] >= NEED (turn);
	  assert (is_done);
	  if
	  :: own > 0 && n_run[own - 1] > 0 && n_run[own - 1] < N_TURNS -> c_code { see (1); }
	  :: else
	  fi;
	  n_run[own]++;
	  turn++
	}
     od;
     told[_pid] = N_TURNS
  od
}
