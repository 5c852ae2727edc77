/* SPDX-License-Identifier: GPL-3.0-or-later
   Rows taken several at a time.  See rows.cc.  */
#ifndef PARAGON_ROWS_H
#define PARAGON_ROWS_H

#include "cut.h"

/* True if INNER, in LOOP, only adds up, as far as can be seen at once.  */
extern bool pg_rows_add_up_p (class loop *loop, class loop *inner);

/* Take iterations of LOOP, which are independent, several at a time, if its inner loops only add up.  False, with
   nothing changed, if they do not, or that would gain nothing.  */
extern bool pg_rows_jam (class loop *loop);

#endif
