/* SPDX-License-Identifier: MIT
   Statuses, rungs and what became of entries on a device and how, as enums and names, from status.def.  */
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

enum pg_device_choice
{
#define PG_DEVICE_PLAN(id, name, runs, text) PG_DEVICE_PLAN_##id,
#include "status.def"
  PG_N_DEVICE_PLANS
};

enum pg_offloaded
{
#define PG_OFFLOAD(id, name, text) PG_OFFLOAD_##id,
#include "status.def"
  PG_N_OFFLOADED
};


enum pg_mapped
{
#define PG_MAPPED(id, name, text) PG_MAPPED_##id,
#include "status.def"
  PG_N_MAPPED
};

extern const char *const pg_status_names[PG_N_STATUSES], *const pg_status_texts[PG_N_STATUSES];
extern const char *const pg_rung_names[PG_N_RUNGS];
extern const char *const pg_device_plan_names[PG_N_DEVICE_PLANS];
extern const char *const pg_offloaded_names[PG_N_OFFLOADED];
extern const char *const pg_mapped_names[PG_N_MAPPED];

#endif
