/* SPDX-License-Identifier: MIT
   A program that enters its regions some rounds long, for scripts: rounds [N].  */
#include "../host.h"

static struct data d;

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 4;
  int i;

  prepare (&d, 1);
  for (i = 0; i < rounds; i++)
    printf ("%x\n", work (&d));
  print_bits ("y", d.y, sizeof d.y);
  return 0;
}
