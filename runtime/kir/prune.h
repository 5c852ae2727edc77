/* SPDX-License-Identifier: MIT
   Taking out what nobody needs.  */
#ifndef PG_KIR_PRUNE_H
#define PG_KIR_PRUNE_H

#include "kir.h"

/* Take out of KERNEL, verified, all instructions that have no effect, by whatever way.  Loads have none.  False: no
   memory; KERNEL is as it was.  */
bool pg_kir_prune (struct pg_kir_kernel *kernel);

#endif
