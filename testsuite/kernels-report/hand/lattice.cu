/* SPDX-License-Identifier: MIT
   The lattice, its sizes passed by value.  */
#include "hand.cuh"

enum
{
  XUP,
  YUP,
  ZUP,
  TUP
};

struct site
{
  short x, y, z, t;
  char parity;
  int index;
  double phase[4];
};

struct sizes
{
  int nx, ny, nz, nt;
  int squaresize[4], nsquares[4];
  int this_node, sites_on_node;
};

static __device__ int
node_number (const sizes &s, int x, int y, int z, int t)
{
  x /= s.squaresize[XUP];
  y /= s.squaresize[YUP];
  z /= s.squaresize[ZUP];
  t /= s.squaresize[TUP];
  return x + s.nsquares[XUP] * (y + s.nsquares[YUP] * (z + s.nsquares[ZUP] * t));
}

static __device__ int
node_index (const sizes &s, int x, int y, int z, int t)
{
  int xr = x % s.squaresize[XUP];
  int yr = y % s.squaresize[YUP];
  int zr = z % s.squaresize[ZUP];
  int tr = t % s.squaresize[TUP];
  int i = xr + s.squaresize[XUP] * (yr + s.squaresize[YUP] * (zr + s.squaresize[ZUP] * tr));
  if ((x + y + z + t) % 2 == 0)
    return i / 2;
  return (i + s.sites_on_node) / 2;
}

KERNEL (lattice_make_lattice_39) (const __grid_constant__ sizes s, site *lattice)
{
  FOR_EACH (t, 0, s.nt)
    for (int z = 0; z < s.nz; z++)
      for (int y = 0; y < s.ny; y++)
	for (int x = 0; x < s.nx; x++)
	  if (node_number (s, x, y, z, t) == s.this_node)
	    {
	      int i = node_index (s, x, y, z, t);
	      lattice[i].x = x;
	      lattice[i].y = y;
	      lattice[i].z = z;
	      lattice[i].t = t;
	      lattice[i].index = x + s.nx * (y + s.ny * (z + s.nz * t));
	      lattice[i].parity = (x + y + z + t) % 2;
	      lattice[i].phase[TUP] = t == s.nt - 1 ? -1.0 : 1.0;
	      lattice[i].phase[XUP] = t % 2 ? -1.0 : 1.0;
	      lattice[i].phase[YUP] = (t + x) % 2 ? -1.0 : 1.0;
	      lattice[i].phase[ZUP] = (t + x + y) % 2 ? -1.0 : 1.0;
	    }
}
