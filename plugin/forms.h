/* SPDX-License-Identifier: GPL-3.0-or-later
   What becomes of floating-point sums and products: which sums are fused with which products.  */
#ifndef PARAGON_FORMS_H
#define PARAGON_FORMS_H

#include "gcc-includes.h"

/* What became of a sum; of a product, only whether it is there.  */
enum pg_sum_form
{
  PG_SUM_UNSEEN,
  PG_SUM_APART, /* it takes in no product */
  PG_SUM_FUSED, /* and one of four kinds of fused sums; then, the number of the product that it does not take in */
  PG_SUM_MIXED = INT_MAX
};

enum
{
  PG_N_SUM_FORMS = PG_SUM_FUSED + 4
};

/* What is seen of all that has one mark.  Sums over copies are of what each of them is: not equal, they are not of the
   same copies.  */
struct pg_shape
{
  int form;        /* enum pg_sum_form, or PG_SUM_FUSED + kind + PG_N_SUM_FORMS * (mark of the other product) */
  bool in_vector;  /* some of it is lanes of vectors */
  uint64_t widths; /* a sum over copies: of how many lanes */
  uint64_t mix;    /* a sum over copies: of which form and how many lanes */
};

/* A sum or a product that has a mark.  */
struct pg_mark
{
  bool is_sum;
  bool takes_none;       /* a sum of what is no product, whatever the compiler does */
  location_t where;      /* its own location */
  struct pg_shape plain; /* in the function that it comes from, compiled as it stands */
  struct pg_shape seen;  /* in the function that was looked at last */
};

/* What else is to be seen in a function.  */
struct pg_sight
{
  int unmarked; /* what became of sums that have no mark: enum pg_sum_form, or PG_SUM_FUSED for all that are */
  int masked;   /* the same of those in vectors with masks: there, marks may be lost */
  bool crosses; /* sums and differences, fused, are lanes of one vector */
};

/* Give each floating-point sum and product of the current function a mark, which copies of it share: a number, from
   *FIRST on, in order.  False if there are not enough.  */
extern bool pg_forms_mark (int *first);

/* The number behind that of the last mark.  */
extern int pg_forms_end (void);

/* The mark of STMT; 0 if it has none.  */
extern int pg_forms_mark_of (gimple *stmt);

/* The mark of that NUMBER.  It lasts until more are given.  */
extern struct pg_mark *pg_forms_at (int number);

/* Note in each mark what is seen of it in FUN.  Return what else there is.  */
extern struct pg_sight pg_forms_look (function *fun);

/* FORM, without which of the fused ones it is.  */
extern int pg_sum_kind (int form);

/* Give what has a mark in FUN its own location again.  */
extern void pg_forms_unmark (function *fun);

/* What SHAPE counts for where statements only go by each other's marks: the sums over those of one function, if not
   mixed, and of another one are the same.  */
extern uint64_t pg_shape_worth (const struct pg_shape &shape);

#endif
