/* SPDX-License-Identifier: MIT
   The environment variables of include/environment.def, read once while the library is loaded.

   An unknown value is named on stderr together with the valid ones, and counts as not given.  In a set-user-id program
   nothing is read.  */
#ifndef PARAGON_ENVIRONMENT_H
#define PARAGON_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

/* Each enum in the order of the variable's value list in environment.def.  */
enum pg_mode
{
  PG_MODE_ON,
  PG_MODE_OFF,
  PG_MODE_COMPARE,
  PG_MODE_HELP
};

enum pg_plan_forced
{
  PG_PLAN_AUTO,
  PG_PLAN_ORIGINAL,
  PG_PLAN_POOL,
  PG_PLAN_DEVICE,
  PG_PLAN_COOPERATE
};

enum pg_race
{
  PG_RACE_AUTO,
  PG_RACE_DEVICE,
  PG_RACE_HOST,
  PG_RACE_RANDOM
};

enum pg_inject_kind
{
  PG_INJECT_EVERY,
  PG_INJECT_AT,
  PG_INJECT_RANDOM
};

struct pg_environment
{
  enum pg_mode mode;
  enum pg_plan_forced plan;
  int step;   /* enum pg_rung, or -1: not forced */
  int device; /* the number of the alternative */
  int method; /* enum pg_method; 0: not forced; PG_N_METHODS: a kernel that notes nothing, and is not believed */
  int map;    /* enum pg_mapped + 1, or 0: not forced */
  enum pg_race race;
  int64_t race_seed;
  bool inject;
  enum pg_inject_kind inject_kind;
  int64_t inject_number;
  int64_t n_threads;                        /* 0: not given */
  int64_t limit;                            /* -1: not given */
  unsigned log;                             /* mask of categories */
  const char *stats, *trace, *cache, *list; /* copies of our own, or NULL */
  const char *only, *skip;                  /* likewise: places.h */
  bool is_watch_off, is_mirrors_off;
};

/* What the process was started with.  Written only while the library is loaded.  */
extern struct pg_environment pg_environment;

/* Make ENV what it is when no variable is set.  */
void pg_environment_defaults (struct pg_environment *env);

/* Read the variables into ENV, complaining on stderr about values that are not known.  */
void pg_environment_read (struct pg_environment *env);

/* Print the table of variables to stderr.  */
void pg_environment_help (void);

/* The first iteration in [LO, HI) at which ENV forces a conflict, or HI.  */
int64_t pg_environment_inject (const struct pg_environment *env, int64_t lo, int64_t hi);

#endif
