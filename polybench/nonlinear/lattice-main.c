/* SPDX-License-Identifier: MIT
   Lattice initialisation: nx x ny x nz x nt sites for two nodes, each with half of every row; we are the first.  */
#include "../common.h"
#include "lattice.h"

#include <limits.h>
#include <stdio.h>

int nx, ny, nz, nt;
int squaresize[4];
int nsquares[4];
int this_node;
int sites_on_node;
struct site *lattice;

int
main (int argc, char **argv)
{
  int reps, r, i;
  long volume;
  uint64_t hash = HASH_START;
  double sum = 0.0;

  arguments (argc, argv, "nx ny nz nt reps", &nx, &ny, &nz, &nt, &reps);
  if (nx > SHRT_MAX || ny > SHRT_MAX || nz > SHRT_MAX || nt > SHRT_MAX
      || (volume = (long) nx * ny * nz) > INT_MAX / nt)
    fail ("the lattice is too large");
  volume *= nt;
  if (nx % 4 || ny % 2 || nz % 2 || nt % 2)
    fail ("nx must be a multiple of 4; ny, nz and nt must be even");

  squaresize[XUP] = nx / 2;
  squaresize[YUP] = ny;
  squaresize[ZUP] = nz;
  squaresize[TUP] = nt;
  nsquares[XUP] = 2;
  nsquares[YUP] = nsquares[ZUP] = nsquares[TUP] = 1;
  this_node = 0;
  sites_on_node = (int) (volume / 2);
  lattice = allocate (sites_on_node, sizeof *lattice);

  for (r = 0; r < reps; r++)
    {
      lap_start ();
      make_lattice ();
      lap_stop ();
    }

  for (i = 0; i < sites_on_node; i++)
    {
      int numbers[6] = { lattice[i].x, lattice[i].y, lattice[i].z, lattice[i].t, lattice[i].parity, lattice[i].index };

      hash = hash_bytes (hash, numbers, sizeof numbers);
      hash = hash_bytes (hash, lattice[i].phase, sizeof lattice[i].phase);
      sum += lattice[i].phase[XUP] * i;
    }
  printf ("lattice %016llx %.17g\n", (unsigned long long) hash, sum);
  finish ();
  return 0;
}
