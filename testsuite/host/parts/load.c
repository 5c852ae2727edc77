/* SPDX-License-Identifier: MIT
   Load the libraries in ARGV, use them, unload them, several times: with a number as the first argument, so many.  */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void
use (const char *name, int stays)
{
  void *library = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  unsigned (*library_work) (void);
  int i;

  if (library == NULL)
    {
      printf ("%s\n", dlerror ());
      exit (2);
    }
  *(void **) &library_work = dlsym (library, "library_work");
  for (i = 0; i < 3; i++)
    printf ("%x\n", library_work ());
  if (stays)
    return;
  dlclose (library);
  library = dlopen (name, RTLD_NOW | RTLD_NOLOAD);
  printf ("%s\n", library == NULL ? "gone" : "still there");
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  int round, i;

  for (round = 0; round < rounds; round++)
    for (i = 2; i < argc; i++)
      use (argv[i], round == rounds - 1 && i == argc - 1);
  return 0;
}
