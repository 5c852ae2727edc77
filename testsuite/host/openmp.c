/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! flags: -fopenmp
//! stat: pool >= 6
//! stat: openmp >= 1
/* A program that is parallel already: inside its parallel regions loops run as they were written, before and after
   them on the pool.  */
#include "host.h"
#include <omp.h>

static struct data d[3];

int
main (void)
{
  unsigned results[3] = { 0 };
  int round, i;

  for (i = 0; i < 3; i++)
    prepare (&d[i], (unsigned) i);
  printf ("before: %x\n", work (&d[0]));
  for (round = 0; round < 5; round++)
    {
#pragma omp parallel num_threads(3)
      results[omp_get_thread_num ()] = work (&d[omp_get_thread_num ()]);
      printf ("%x %x %x\n", results[0], results[1], results[2]);
    }
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    {
#pragma omp task
      results[0] = work (&d[0]);
#pragma omp task
      results[1] = work (&d[1]);
    }
  }
  printf ("tasks: %x %x\n", results[0], results[1]);
#pragma omp parallel num_threads(1)
  results[2] = work (&d[2]);
  printf ("team of one: %x\n", results[2]);
  printf ("after: %x\n", work (&d[0]));
  return 0;
}
