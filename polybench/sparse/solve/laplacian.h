/* SPDX-License-Identifier: MIT
   A matrix to order.  */
#ifndef LAPLACIAN_H
#define LAPLACIAN_H

#include "../mmio.h"

/* The largest M whose entries can be counted.  */
#define LAPLACIAN_MAX 674

/* A: the seven-point Laplacian on a grid of M x M x M points, M from 1 to LAPLACIAN_MAX.  */
void make_laplacian (int m, struct csr *a);

#endif
