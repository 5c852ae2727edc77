/* SPDX-License-Identifier: MIT
   What the program's objects want of each other.  */
#ifndef PARAGON_IMPORTS_H
#define PARAGON_IMPORTS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether an object of the process, loaded by now, imports a function called one of NAMES, N of them.  An object whose
   symbols cannot be read imports all; GCC's library for long floating-point numbers and CUDA's own, which leave all as
   it was, none.
   Waits for threads that load objects.  */
bool pg_imports_any (const char *const *names, size_t n);

/* Whether the program may ask which floating-point exceptions there were.  Remembered until objects are loaded.
   Threads: one at a time.  */
bool pg_imports_flags (void);

/* Find out what pg_imports_handlers says, once: a handler that jumps must not come in between, as the list of objects
   is locked meanwhile.  Said in the log.  */
void pg_imports_start (void);

/* Whether anything in the process could handle signals, or forbid system calls (seccomp): an object but those of the
   language's own imports a function for that, or one to load objects or to find functions by name, or makes system
   calls without the C library.  Threads: any.  */
bool pg_imports_handlers (void);

/* The name of a function of the program's own that this library would call instead of the C library's: it may do
   anything.  NULL: there is none, or this library is part of the program.  */
const char *pg_imports_replaced (void);

#endif
