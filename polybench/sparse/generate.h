/* SPDX-License-Identifier: MIT
   Random sparse matrices.  */
#ifndef GENERATE_H
#define GENERATE_H

/* A random N x N matrix in CSR.  Rows have 1 to 2 * PER_ROW - 1 entries, PER_ROW on average, in ascending columns,
   spread evenly over the row, each smaller in size than 1 / PER_ROW.  If BELOW, only columns left of the diagonal
   are used.  */
void random_rows (int n, int per_row, int below, int **ptr, int **col, double **val);

#endif
