/* SPDX-License-Identifier: MIT
   Statuses and rungs as enums with names, from status.def.  */
#ifndef PARAGON_STATUS_H
#define PARAGON_STATUS_H

enum pg_status
{
#define PG_STATUS(id, name, text) PG_##id,
#include "status.def"
  PG_N_STATUSES
};

enum pg_rung
{
#define PG_RUNG(id, name) PG_RUNG_##id,
#include "status.def"
  PG_N_RUNGS
};

#endif
