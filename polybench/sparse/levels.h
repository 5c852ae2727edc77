/* SPDX-License-Identifier: MIT
   Level sets of a triangle.  */
#ifndef LEVELS_H
#define LEVELS_H

enum triangle { LOWER, UPPER };

/* Sort the rows of a matrix in CSR by level: a row's level is one more than the highest among the rows that it needs,
   which are those of its columns in TRIANGLE (the diagonal left out).  Level l is the rows (*ROWS)[k] for k from
   (*START)[l] to (*START)[l + 1] - 1, in ascending order.  Return the number of levels.  */
int level_sets (int n, const int *ptr, const int *col, enum triangle triangle, int **start, int **rows);

#endif
