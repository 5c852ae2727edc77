/* SPDX-License-Identifier: GPL-3.0-or-later
   include/reasons.def as a table.  */

#include "plan.h"

const struct pg_reason_text pg_reasons[PG_N_REASONS] = {
#define PG_REASON(id, klass, name, text, remedy) { PG_CLASS_##klass, name, text, remedy },
#include "../include/reasons.def"
#undef PG_REASON
};
