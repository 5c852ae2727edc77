/* SPDX-License-Identifier: MIT
   Pairs of references that numbers and ranges leave open, and the areas of cells in which they are compared.  */
#ifndef PG_LAYOUT_H
#define PG_LAYOUT_H

#include "inspector.h"

/* Find the pairs that numbers do not settle within [LO, HI), and say what is to be traced: the references of these
   pairs and those written, where only the monitor knows them, and for the verdict cache what feeds the monitor.
   Returns whether any pair is open.  */
bool pg_layout_open (struct pg_inspector *inspector, const struct pg_view *view, int64_t lo, int64_t hi);

/* Say that all references are to be traced that numbers tell nothing of within [LO, HI), whatever pairs they form.  */
void pg_layout_open_all (struct pg_inspector *inspector, const struct pg_view *view, int64_t lo, int64_t hi);

/* Shall an inspection of N_ITERS iterations watch the pages that REF, which jumps, reads from, by what it touched last?
   Otherwise its runs are to be kept.  */
bool pg_layout_watches_pages (const struct pg_inspector *inspector, uint32_t ref, int64_t n_iters);

/* Settle the open pairs whose bytes, by INSPECTOR's totals and for affine references by numbers, are apart.  Returns
   whether one is left.  */
bool pg_layout_close (struct pg_inspector *inspector, const struct pg_view *view);

/* Have a layout for [LO, HI) before anything of it is traced, if that can be guessed from numbers and from the last
   inspection: the last layout, or a new one.  Requires: pg_layout_open.  INSPECTOR->n_cells is 0: there is none.  */
void pg_layout_guess (struct pg_inspector *inspector, const struct pg_view *view, int64_t lo, int64_t hi);

/* Take over the layout for the open pairs, if it serves them all, now that the traces are known; references of no open
   pair lose their roles.  False: it does not, and is as it was.  */
bool pg_layout_adopt (struct pg_inspector *inspector);

/* Give each reference of an open pair its role, and each area its bytes and cells.  */
void pg_layout_make (struct pg_inspector *inspector, const struct pg_view *view);

/* Has the layout a reference whose reads are to be checked?  */
bool pg_layout_has_checks (const struct pg_inspector *inspector);

#endif
