/* SPDX-License-Identifier: MIT
   The interpreter: runs a kernel, slowly and with no trust in it.  It is the oracle of all that changes or prints
   kernels.  */
#ifndef PG_KIR_INTERPRET_H
#define PG_KIR_INTERPRET_H

#include "kir.h"

/* Memory that a kernel may access.  */
struct pg_kir_space
{
  char *low;
  size_t len;
  bool is_writable;
};

enum pg_kir_outcome
{
  PG_KIR_DONE,
  PG_KIR_DIVIDED_BY_ZERO,
  PG_KIR_OUTSIDE, /* an access that no space has all of */
  PG_KIR_TOO_LONG /* more instructions than allowed */
};

struct pg_kir_machine
{
  const struct pg_kir_kernel *kernel; /* verified */
  char *args;                         /* the loop's arguments; carried values are written */
  const struct pg_kir_space *spaces;
  size_t n_spaces;
  uint64_t most_steps; /* instructions of one iteration */

  /* Told of each access before it happens, if not NULL.  */
  void (*touch) (void *context, uint32_t ref, uintptr_t address, unsigned len, bool is_write);
  void *context;

  pg_kir_value at;  /* the last instruction that was run */
  uint64_t *values; /* its own, as all that follows */
  uint64_t *carries;
};

/* Begin a machine for KERNEL, the rest of it being all 0.  False: no memory.  */
bool pg_kir_machine_begin (struct pg_kir_machine *machine, const struct pg_kir_kernel *kernel);
void pg_kir_machine_end (struct pg_kir_machine *machine);

/* Run the iteration with numbers ITERS, as many as the kernel has dimensions, the carried values being in ARGS before
   and after.  Other outcomes than PG_KIR_DONE leave what was stored before, and the carried values as they were.  */
enum pg_kir_outcome pg_kir_interpret (struct pg_kir_machine *machine, const int64_t *iters);

#endif
