/* SPDX-License-Identifier: MIT
   The gate before a loop's chunks.  See gate.h.

   Protocol: who comes takes asks by a ticket until there are none left, then waits until all that were taken are
   answered.  One who comes late finds all answered.  So the first to come never waits for one who has not come.  */
#include "gate.h"
#include "feed.h"
#include "futex.h"
#include "thread.h"

#include <sched.h>

enum
{
  MOST_PAUSES = 300 /* some microseconds */
};

bool
pg_gate_make (struct pg_gate *gate, struct pg_feed *feed)
{
  if (!pg_feed_have_asks (feed) || feed->n_asks == 0)
    return false;
  gate->asks = feed->asks;
  gate->n_asks = feed->n_asks;
  atomic_store_explicit (&gate->n_taken, 0, memory_order_relaxed);
  atomic_store_explicit (&gate->n_answered, 0, memory_order_relaxed);
  atomic_store_explicit (&gate->is_shut, false, memory_order_relaxed);
  return pg_watch_is_wanted ();
}

/* Whether the calling thread may ask, and whatever the answer, threads may work on the loop.  */
static bool
may_ask (void)
{
  return pg_watch_is_allowed () && !pg_thread_repairs_faults ();
}

bool
pg_gate_pass (struct pg_gate *gate)
{
  int n_pauses = 0;
  bool is_new = true, may = true;
  while (atomic_load_explicit (&gate->n_answered, memory_order_acquire) < gate->n_asks)
    {
      uint32_t ask = atomic_load_explicit (&gate->n_taken, memory_order_relaxed);
      if (ask < gate->n_asks)
	ask = atomic_fetch_add_explicit (&gate->n_taken, 1, memory_order_relaxed);
      if (ask >= gate->n_asks)
	{
	  if (++n_pauses < MOST_PAUSES)
	    pg_pause ();
	  else
	    sched_yield (); /* who is asking may wait for this CPU */
	  continue;
	}
      if (is_new)
	may = may_ask ();
      is_new = false;
      if (!may || !pg_watch_is_untouched (gate->asks[ask].start, gate->asks[ask].len, gate->asks[ask].tick))
	atomic_store_explicit (&gate->is_shut, true, memory_order_relaxed);
      atomic_fetch_add_explicit (&gate->n_answered, 1, memory_order_release);
    }
  return !atomic_load_explicit (&gate->is_shut, memory_order_relaxed);
}
