/* SPDX-License-Identifier: MIT
   Fill in the sites of our box.  The loop goes through the whole lattice; where a site is stored is found by
   remainders and quotients, which no linear function describes.  */
#include "lattice.h"

/* The box that holds site (X, Y, Z, T).  */
static int
node_number (int x, int y, int z, int t)
{
  x /= squaresize[XUP];
  y /= squaresize[YUP];
  z /= squaresize[ZUP];
  t /= squaresize[TUP];
  return x + nsquares[XUP] * (y + nsquares[YUP] * (z + nsquares[ZUP] * t));
}

/* The place of site (X, Y, Z, T) in its box.  */
static int
node_index (int x, int y, int z, int t)
{
  int xr = x % squaresize[XUP];
  int yr = y % squaresize[YUP];
  int zr = z % squaresize[ZUP];
  int tr = t % squaresize[TUP];
  int i = xr + squaresize[XUP] * (yr + squaresize[YUP] * (zr + squaresize[ZUP] * tr));

  if ((x + y + z + t) % 2 == 0)
    return i / 2;
  return (i + sites_on_node) / 2;
}

void
make_lattice (void)
{
  int x, y, z, t, i;

#pragma omp parallel for private (x, y, z, i)
  /* main loop */
  for (t = 0; t < nt; t++)
    for (z = 0; z < nz; z++)
      for (y = 0; y < ny; y++)
	for (x = 0; x < nx; x++)
	  if (node_number (x, y, z, t) == this_node)
	    {
	      i = node_index (x, y, z, t);
	      lattice[i].x = x;
	      lattice[i].y = y;
	      lattice[i].z = z;
	      lattice[i].t = t;
	      lattice[i].index = x + nx * (y + ny * (z + nz * t));
	      lattice[i].parity = (x + y + z + t) % 2;
	      lattice[i].phase[TUP] = t == nt - 1 ? -1.0 : 1.0;
	      lattice[i].phase[XUP] = t % 2 ? -1.0 : 1.0;
	      lattice[i].phase[YUP] = (t + x) % 2 ? -1.0 : 1.0;
	      lattice[i].phase[ZUP] = (t + x + y) % 2 ? -1.0 : 1.0;
	    }
}
