/* SPDX-License-Identifier: MIT
   Loops in the form in which tools hand results to editors: SARIF 2.1.0.  */
#ifndef PARAGON_CLI_SARIF_H
#define PARAGON_CLI_SARIF_H

#include "verdicts.h"

/* VERDICTS as a log of one run: a rule for each reason, a result for each loop.  Ownership: the caller's.  */
struct json_object *pg_sarif_of (const struct pg_verdicts *verdicts);

#endif
