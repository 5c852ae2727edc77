/* SPDX-License-Identifier: MIT
   Nested loops become one.  Paragon paper, s4.2.

       for (i = 0; i < n; i++)			for (q = 0; q < n * m; q++)
	 for (j = 0; j < m; j++)	->	  a[q / m][q % m] = ...;
	   a[i][j] = ...;

   Then there are as many iterations as turns of the inner loop, so that each thread may run one.  */
#ifndef PG_KIR_COLLAPSE_H
#define PG_KIR_COLLAPSE_H

#include "kir.h"

/* Make of LOOP, verified, in loop form, of one dimension, TO, which is empty, begun: a loop an iteration of which is
   one turn of LOOP's only inner loop, with all that stands around it.  In order, its iterations leave what those of
   LOOP leave, if what LOOP reads around the inner loop it does not write in it.  *N_TURNS is a value of TO that depends
   on the arguments only: so many of its iterations make one of LOOP.  False: *ERROR says why not, and TO is empty.  */
bool pg_kir_collapse (struct pg_kir_kernel *to, const struct pg_kir_kernel *loop, pg_kir_value *n_turns,
		      struct pg_kir_error *error);

/* Set *BITS to VALUE of KERNEL, whose arguments are ARGS.  False: it does not depend on them alone, or is not to be
   computed.  */
bool pg_kir_value_of_args (const struct pg_kir_kernel *kernel, pg_kir_value value, const char *args, uint64_t *bits);

#endif
