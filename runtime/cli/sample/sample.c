/* SPDX-License-Identifier: MIT
   What paragon doctor builds and runs: a loop to be handed over, and then the name of the library that it was handed
   to, if it was.  */
#include <stdio.h>
#include <string.h>

static unsigned numbers[100000];

int
main (void)
{
  static char line[8192];
  FILE *maps;

  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
    numbers[i] = 3 * i;
  maps = fopen ("/proc/self/maps", "r");
  while (maps != NULL && fgets (line, sizeof line, maps) != NULL)
    if (strstr (line, "/libparagon.so") != NULL)
      {
	fputs (strchr (line, '/'), stdout);
	break;
      }
  return numbers[7] != 21;
}
