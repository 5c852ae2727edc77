/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! flags: -D_GNU_SOURCE
//! stat: fault-handler >= 9
/* A program that does its own paging: its SIGSEGV handler fills pages of x when they are first read and notes pages of
   y when they are first written.  It was written for one fault at a time, so loops run as they were written.  */
#include "host.h"
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum
{
  PAGE = 4096,
  PAGE_CELLS = PAGE / sizeof (unsigned),
  PAGES = 40,
  CELLS = PAGES * PAGE_CELLS
};

static unsigned *lazy, *filled, *watched;	/* lazy and filled are the same memory */
static int dirty[PAGES];

static void
on_segv (int signal, siginfo_t *info, void *context)
{
  char *address = (char *) info->si_addr;
  size_t offset = (size_t) (address - (char *) lazy);

  (void) context;
  if (offset < PAGES * PAGE)
    {
      size_t page = offset / PAGE, i;
      for (i = 0; i < PAGE_CELLS; i++)
	filled[page * PAGE_CELLS + i] = (unsigned) (page * 31 + i);
      mprotect (lazy + page * PAGE_CELLS, PAGE, PROT_READ);
      return;
    }
  offset = (size_t) (address - (char *) watched);
  if (offset >= PAGES * PAGE)
    {
      struct sigaction fatal = { 0 };
      fatal.sa_handler = SIG_DFL;
      sigaction (signal, &fatal, NULL);
      return;
    }
  __atomic_store_n (&dirty[offset / PAGE], 1, __ATOMIC_RELAXED);
  mprotect (watched + offset / PAGE * PAGE_CELLS, PAGE, PROT_READ | PROT_WRITE);
}

static int
n_dirty (void)
{
  int i, n = 0;

  for (i = 0; i < PAGES; i++)
    n += dirty[i];
  memset (dirty, 0, sizeof dirty);
  return n;
}

int
main (void)
{
  struct sigaction action = { 0 };
  static int index_of[CELLS];
  int memory = memfd_create ("pages", 0);
  int round;

  if (memory < 0 || ftruncate (memory, PAGES * PAGE) != 0)
    return 2;
  filled = (unsigned *) mmap (NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  lazy = (unsigned *) mmap (NULL, PAGES * PAGE, PROT_NONE, MAP_SHARED, memory, 0);
  watched = (unsigned *) mmap (NULL, PAGES * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  fill_permutation (index_of, CELLS, 5);
  action.sa_sigaction = on_segv;
  action.sa_flags = SA_SIGINFO;
  sigaction (SIGSEGV, &action, NULL);
  for (round = 0; round < 6; round++)
    {
      memset (filled, 0, PAGES * PAGE);
      mprotect (lazy, PAGES * PAGE, PROT_NONE);
      mprotect (watched, PAGES * PAGE, PROT_READ);
      mix (CELLS - round * 2000, lazy, watched);
      printf ("mix: %x, %d pages\n", total (CELLS, watched), n_dirty ());
      mprotect (watched, PAGES * PAGE, PROT_READ);
      scatter (CELLS, index_of, watched);
      printf ("scatter: %x, %d pages\n", total (CELLS, watched), n_dirty ());
      printf ("lazy: %x\n", total (CELLS, lazy));
    }
  return 0;
}
