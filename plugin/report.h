/* SPDX-License-Identifier: GPL-3.0-or-later
   What becomes of each loop, for whoever asks.  */
#ifndef PARAGON_REPORT_H
#define PARAGON_REPORT_H

#include "plan.h"

/* Take from PLAN's loop in FUN what only the loop before outlining shows.  pg_report_loop follows, for that plan.  */
extern void pg_report_begin (function *fun, const struct pg_plan *plan);

/* Say what became of PLAN's loop: the remark now, the report line and the object section at the end of the unit.
   PLAN->outline: the loop is handed over.  */
extern void pg_report_loop (const struct pg_plan *plan);

/* Say that the loop of REGION is not handed over after all: it rounds elsewhere.  */
extern void pg_report_shut (const_tree region);

/* Say that the loop of REGION has a kernel after all.  */
extern void pg_report_lifted (const_tree region);

/* At the end of the unit: write the object section into the assembly output, and append to the report file.  */
extern void pg_report_write ();

#endif
