/* SPDX-License-Identifier: MIT
   A four-dimensional lattice, divided into boxes of one size, one for each node of a machine; a program runs on one
   node and holds the sites of its own box.  Sizes and sites are global, as such codes have them.  */
#ifndef LATTICE_H
#define LATTICE_H

enum { XUP, YUP, ZUP, TUP };		/* the four directions */

struct site
{
  short x, y, z, t;			/* coordinates in the whole lattice */
  char parity;				/* 0: even, 1: odd */
  int index;				/* number of the site in the whole lattice */
  double phase[4];			/* sign of the link in each direction */
};

extern int nx, ny, nz, nt;		/* the whole lattice */
extern int squaresize[4];		/* a box */
extern int nsquares[4];			/* boxes in each direction */
extern int this_node;			/* number of our box */
extern int sites_on_node;
extern struct site *lattice;		/* our sites: even ones first, then odd ones */

void make_lattice (void);

#endif
