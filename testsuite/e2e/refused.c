/* SPDX-License-Identifier: MIT */
//! run: threads=4
//! scan-not: report "function":"(everything|jump|search)".*"outlined":true
//! scan: report 1 "reason":"volatile"
/* Loops that must stay as they are, in order, in the calling thread: output, volatile, atomics, setjmp, inline
   assembly, thread-locals, function pointers, early exits, lists, recurrences, a search.  */
#include <setjmp.h>
#include "print.h"

#define N 200

static volatile int port;
static _Thread_local int local;
static jmp_buf out;

struct node
{
  struct node *next;
  int value;
};

static int
twice (int x)
{
  local++;
  return 2 * x;
}

KERNEL int
jump (int n, const int *a)
{
  int i;

  if (setjmp (out) != 0)
    return -1;
  for (i = 0; i < n; i++)
    if (a[i] == 77)
      longjmp (out, 1);
  return n;
}

KERNEL int
search (int n, const int *a, int key)
{
  int i;

  for (i = 0; i < n; i++)
    if (a[i] == key)
      return i;
  return -1;
}

KERNEL void
everything (int n, int *a, int (*f) (int), struct node *list)
{
  int i, sum = 0;
  double x = 0;

  for (i = 0; i < n; i += 40)
    printf ("%d ", a[i]);
  for (i = 0; i < n; i++)
    port = port + a[i];
  for (i = 0; i < n; i++)
    __atomic_fetch_add (&sum, a[i], __ATOMIC_RELAXED);
  for (i = 0; i < n; i++)
    asm volatile ("" : "+r" (a[i]));
  for (i = 0; i < n; i++)
    a[i] = f (a[i]);
  for (i = 0; i < n; i++)
    local = local * 3 % 1000 + (a[i] & 1);
  for (i = 1; i < n; i++)
    a[i] += a[i - 1] / 2;
  for (i = 0; i < n; i++)
    x = x / 2 + a[i];
  for (; list != NULL; list = list->next)
    sum += list->value++;
  printf ("%d %d %d %a\n", port, sum, local, x);
}

int
main (void)
{
  static int a[N];
  static struct node nodes[N];
  int i;

  for (i = 0; i < N; i++)
    a[i] = (i * 37) % 101;
  for (i = 1; i < N; i++)
    {
      nodes[i - 1].next = &nodes[i];
      nodes[i].value = i;
    }
  everything (N, a, twice, nodes);
  print_bits ("a", a, sizeof a);
  printf ("%d %d %d\n", jump (N, a), search (N, a, a[150]), search (N, a, -5));
  return 0;
}
