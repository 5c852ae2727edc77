/* SPDX-License-Identifier: MIT
   What tests of watched memory share: whether the kernel has a record of written pages, and the library's ioctl, which
   counts changes of protections and takes its time after each if asked to.  */
#ifndef KERNEL_PAGES_H
#define KERNEL_PAGES_H

#include <linux/userfaultfd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pages.h"

static _Atomic int n_protected;
static _Atomic unsigned delay_us;

int
ioctl (int file, unsigned long request, ...)
{
  va_list rest;
  va_start (rest, request);
  int result = (int) syscall (SYS_ioctl, file, request, va_arg (rest, void *));
  va_end (rest);
  if (request == UFFDIO_WRITEPROTECT)
    {
      n_protected++;
      if (delay_us > 0)
	usleep (delay_us);
    }
  return result;
}

/* Does the kernel record written pages?  If not, says why.  */
static inline bool
kernel_records_pages (void)
{
  struct pg_pages pages = { 0 };
  const char *why;
  bool is_there = pg_pages_open (&pages, &why);
  if (is_there)
    {
      close (pages.map_file);
      close (pages.fault_file);
    }
  else
    print_message ("not watched: %s\n", why);
  return is_there;
}

#endif
