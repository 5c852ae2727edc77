/* SPDX-License-Identifier: MIT
   Plans for tests that have learned something already.  */
#ifndef PARAGON_TEST_PLAN_HELPERS_H
#define PARAGON_TEST_PLAN_HELPERS_H

#include "plan.h"

#include <stdint.h>

/* A plan that has seen 1000 iterations take one thread NS.  */
static inline struct pg_plan
a_measured_plan (int64_t ns)
{
  struct pg_plan plan = { 0 };
  pg_plan_learn (&plan, 1000, ns);
  return plan;
}

#endif
