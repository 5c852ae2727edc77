/* SPDX-License-Identifier: MIT
   Reading sparse matrices in Matrix Market coordinate format.  */
#ifndef MMIO_H
#define MMIO_H

/* A square matrix in CSR, rows in ascending columns.  */
struct csr
{
  const char *file;			/* where it comes from, for messages */
  int n;				/* rows and columns */
  int *ptr;				/* n + 1 */
  int *col;				/* ptr[n] */
  double *val;				/* ptr[n] */
  long *line;				/* ptr[n]: where in its file each entry stands; NULL if generated */
  int is_symmetric;			/* stored as such */
};

/* Read FILE: square, real, integer or pattern (values are 1), general or symmetric (mirrored here), each diagonal
   entry stored.  Anything else ends the program with one line that names FILE, the line in it and what is wrong.  */
void read_matrix (const char *file, struct csr *a);

#endif
