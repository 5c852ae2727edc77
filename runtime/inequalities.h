/* SPDX-License-Identifier: MIT
   Systems of linear inequalities over integers: is there nothing that satisfies them all?  Knows neither regions nor
   memory; see inequalities.c for the argument.  */
#ifndef PG_INEQUALITIES_H
#define PG_INEQUALITIES_H

#include <stdbool.h>
#include <stdint.h>

enum
{
  PG_MOST_UNKNOWNS = 12,
  PG_MOST_GIVEN = 48
};

/* BASE + sum of COEF[u] * unknown u is at least 0.  */
struct pg_inequality
{
  int64_t base, coef[PG_MOST_UNKNOWNS];
};

/* Some inequalities, and room to work on them.  */
struct pg_system
{
  int n_unknowns; /* all coefficients of others are 0 */
  int n_given;
  struct pg_inequality given[PG_MOST_GIVEN];
  struct pg_inequality rows[2 * PG_MOST_GIVEN];
};

/* Add INEQUALITY to SYSTEM.  If there is no room, or its numbers are too large, it is left out: then less can be
   shown.  */
void pg_system_add (struct pg_system *system, const struct pg_inequality *inequality);

/* Is it shown that no integers satisfy all of SYSTEM's inequalities?  What it takes goes off *EFFORT, in inequalities
   looked at; none is begun if that is below 0.  */
bool pg_system_is_empty (struct pg_system *system, int64_t *effort);

#endif
