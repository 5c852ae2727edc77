/* SPDX-License-Identifier: GPL-3.0-or-later
   Calls of touch in a monitor, and the members of struct pg_monitor that it uses.  */
#ifndef PARAGON_TOUCH_H
#define PARAGON_TOUCH_H

#include "gcc-includes.h"
#include "paragon_region.h"

/* Arguments of touch; touch_row and gather have two more.  */
enum pg_touch_arg
{
  PG_TOUCH_CTX,
  PG_TOUCH_REF,
  PG_TOUCH_ADDRESS, /* of gather: of the integers; LEN likewise */
  PG_TOUCH_LEN,
  PG_TOUCH_N_ARGS
};

/* The type of a pointer to touch.  */
extern tree pg_touch_type (void);

/* The parameter CTX of the current function, a pg_loop_fn.  */
extern tree pg_touch_ctx (void);

/* An operand: OFFSET bytes behind POINTER, of TYPE.  */
extern tree pg_touch_member (tree pointer, HOST_WIDE_INT offset, tree type);

/* The address of the first byte of OPERAND, and its distance to the byte behind the last in *LEN.  A bit-field is the
   unit in which it is written.  */
extern tree pg_touch_address (tree operand, HOST_WIDE_INT *len);

/* Load the member at OFFSET of the current function's CTX, of TYPE, where the function begins.  Return its value.  */
extern tree pg_touch_load (HOST_WIDE_INT offset, tree type);

/* The function at OFFSET of the current function's CTX, which has two more parameters than touch: one of type FIRST and
   a number.  It is loaded where the function begins, if *LOADED is NULL_TREE, and put there.  */
extern tree pg_touch_function (HOST_WIDE_INT offset, tree first, tree *loaded);

/* Find the calls through a pointer in the current function, a monitor or the doacross F: of touch, touch_row and
   gather, or of pass.  */
extern void pg_touch_find (vec<gcall *> *calls);

/* Take statements that were ADDED to the current function out of it again, the last one first.  */
extern void pg_touch_take_out (vec<gimple *> *added);

/* The reference that CALL is about.  */
extern int pg_touch_ref (const gcall *call);

/* True if CALL is of gather.  */
extern bool pg_touch_is_gather (const gcall *call);

#endif
