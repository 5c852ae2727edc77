/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O2 -Wl,--hash-style=sysv, -O2 -fno-pie -no-pie
//! flags: -fno-builtin -w
//! run: threads=2
//! scan: report 1 "function":"mix".*"outlined":true
/* Names that ISO C leaves to programs, though the C library has functions called so, which the runtime would call: it
   keeps out of the way.  */
#include "host.h"

static int n_called;

int
open (int x)
{
  n_called++;
  return x;
}

void
close (int *x)
{
  n_called++;
  *x = 0;
}

double
read (const double *x)
{
  n_called++;
  return *x;
}

void
write (int x)
{
  n_called += x;
}

int
send (int x)
{
  n_called++;
  return x;
}

int
main (void)
{
  static struct data d;

  prepare (&d, 3);
  printf ("%x\n", work (&d));
  write (open (1) + send (2));
  printf ("%d calls\n", n_called);
  return 0;
}
