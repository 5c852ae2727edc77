/* SPDX-License-Identifier: MIT */
//! flags: -mgeneral-regs-only
//! scan: report 2 "class":"sequential","reason":"skipped".*"outlined":false
//! scan-not: report "outlined":true
/* An interrupt handler leaves floating-point registers to what it interrupts, and so must all that it calls: the run
   time does not.  */

struct frame;

extern int n, data[1000];

__attribute__ ((no_caller_saved_registers)) void
count (void)
{
  int i;

  for (i = 0; i < n; i++)
    data[i] += i;
}

__attribute__ ((interrupt)) void
handle (struct frame *frame)
{
  int i;

  (void) frame;
  for (i = 0; i < n; i++)
    data[i] ^= i;
}
