/* SPDX-License-Identifier: MIT
   The names and texts of status.def.  */
#include "status.h"

const char *const pg_status_names[PG_N_STATUSES] = {
#define PG_STATUS(id, name, text) name,
#include "status.def"
};

const char *const pg_status_texts[PG_N_STATUSES] = {
#define PG_STATUS(id, name, text) text,
#include "status.def"
};

const char *const pg_rung_names[PG_N_RUNGS] = {
#define PG_RUNG(id, name) name,
#include "status.def"
};

const char *const pg_device_plan_names[PG_N_DEVICE_PLANS] = {
#define PG_DEVICE_PLAN(id, name, runs, text) name,
#include "status.def"
};

const char *const pg_offloaded_names[PG_N_OFFLOADED] = {
#define PG_OFFLOAD(id, name, text) name,
#include "status.def"
};

const char *const pg_mapped_names[PG_N_MAPPED] = {
#define PG_MAPPED(id, name, text) name,
#include "status.def"
};
