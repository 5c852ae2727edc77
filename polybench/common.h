/* SPDX-License-Identifier: MIT
   What all benchmark programs share: arguments, memory, random numbers, checksums and lap times.

   A program reads its sizes, fills its arrays, runs its kernel several times and prints a checksum of the result:

     arguments (argc, argv, "n reps", &n, &reps);
     ...
     for (r = 0; r < reps; r++)
       {
         lap_start ();
         kernel (n, a, b);
         lap_stop ();
       }
     print_doubles ("b", b, n);
     finish ();

   Standard output holds results only and is the same in every run; with -t, times go to standard error.  */
#ifndef COMMON_H
#define COMMON_H

#include <stddef.h>
#include <stdint.h>

/* Read the command line "prog [-t] NUMBER...": one positive int for each word of NAMES, stored through the int
   pointers that follow.  Anything else ends the program with a usage line and exit status 2.  */
void arguments (int argc, char **argv, const char *names, ...);

/* For programs that read their command line themselves: what diagnostics start with, and whether to print times.  */
void set_program (const char *name);
void show_times (void);

/* One line on standard error, then exit status 2.  fail_at names a place in an input file.  */
void fail (const char *format, ...) __attribute__ ((noreturn, format (printf, 1, 2)));
void fail_at (const char *file, long line, const char *format, ...)
  __attribute__ ((noreturn, format (printf, 3, 4)));

/* Memory for N objects of SIZE bytes, touched, with defined contents, until finish; fails if there is not so much.  */
void *allocate (size_t n, size_t size);

/* The next of a fixed sequence of random numbers: in [0, 1), in [0, N).  */
double random_double (void);
int random_below (int n);

/* All of 0 .. N-1 in random order, in P.  */
void random_permutation (int n, int *p);

/* Print NAME with a hash of the bits of N values and their sum in order.  */
void print_doubles (const char *name, const double *v, long n);
void print_floats (const char *name, const float *v, long n);

/* Mix LEN bytes at P into HASH, which starts as HASH_START.  */
#define HASH_START 0xcbf29ce484222325u
uint64_t hash_bytes (uint64_t hash, const void *p, size_t len);

/* Time one run of the kernel.  */
void lap_start (void);
void lap_stop (void);

/* Print, if times were asked for, the total, the first lap and the median of the later ones (of all, if there is only
   one), in seconds.  Then release all memory.  */
void finish (void);

#endif
