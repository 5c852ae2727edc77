/* SPDX-License-Identifier: MIT
   Loop fuzzer driver: the command line.  */

#include "drive.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dr_options dr_options = { .first_seed = 1, .n_programs = 100, .n_runs = 7, .timeout = 60 };

/* Return the number in TEXT, or -1.  */
static long long
parse_number (const char *text)
{
  char *end;
  long long number;

  errno = 0;
  number = strtoll (text, &end, 10);
  return errno || end == text || *end || number < 0 ? -1 : number;
}

static const char *
absolute (const char *name)
{
  char *path = realpath (name, NULL);

  if (!path)
    {
      fprintf (stderr, "drive: %s: %s\n", name, strerror (errno));
      exit (2);
    }
  return path;
}

/* Fill in what the command line left out: the generator is beside this program, failures go there too.  */
static void
complete_options (void)
{
  static char here[PATH_MAX], beside[PATH_MAX], failures[PATH_MAX], support[PATH_MAX];
  const char *root = getenv ("PG_ROOT"), *cc = getenv ("PG_CC");
  ssize_t len = readlink ("/proc/self/exe", here, sizeof here - 1);

  if (len > 0 && strrchr (here, '/'))
    *strrchr (here, '/') = 0;
  if (!dr_options.cc)
    dr_options.cc = cc && *cc ? cc : "gcc";
  dr_options.generate = absolute (dr_options.generate ? dr_options.generate : dr_path (beside, here, "generate"));
  if (!dr_options.keep)
    dr_options.keep = dr_path (failures, here, "failures");
  dr_options.support = absolute (dr_options.support ? dr_options.support
						    : dr_path (support, root ? root : ".", "testsuite/fuzz/program"));
  if (dr_options.n_jobs < 1)
    dr_options.n_jobs = (int) sysconf (_SC_NPROCESSORS_ONLN);
}

static bool
parse_options (int argc, char **argv)
{
  static const struct option options[]
    = { { "plugin", required_argument, NULL, 'p' },  { "library", required_argument, NULL, 'l' },
	{ "seed", required_argument, NULL, 's' },    { "keep", required_argument, NULL, 'k' },
	{ "cc", required_argument, NULL, 'c' },      { "generate", required_argument, NULL, 'g' },
	{ "support", required_argument, NULL, 'u' }, { "runs", required_argument, NULL, 'r' },
	{ "timeout", required_argument, NULL, 't' }, { "validate", no_argument, NULL, 'v' },
	{ "kernels", no_argument, NULL, 'm' },       { 0 } };
  long long number;
  int option;

  while ((option = getopt_long (argc, argv, "n:j:", options, NULL)) != -1)
    {
      number = strchr ("njsrt", option) ? parse_number (optarg) : 0;
      if (option == '?' || number < 0 || number > INT_MAX)
	return false;
      switch (option)
	{
	case 'n':
	  dr_options.n_programs = (int) number;
	  break;
	case 'j':
	  dr_options.n_jobs = (int) number;
	  break;
	case 's':
	  dr_options.first_seed = (uint64_t) number;
	  break;
	case 'r':
	  dr_options.n_runs = number > 2 ? (int) number : 2;
	  break;
	case 't':
	  dr_options.timeout = (int) number;
	  break;
	case 'p':
	  dr_options.plugin = absolute (optarg);
	  break;
	case 'l':
	  dr_options.library = absolute (optarg);
	  break;
	case 'k':
	  dr_options.keep = optarg;
	  break;
	case 'c':
	  dr_options.cc = optarg;
	  break;
	case 'g':
	  dr_options.generate = optarg;
	  break;
	case 'u':
	  dr_options.support = optarg;
	  break;
	case 'm':
	  dr_options.kernels = true;
	  break;
	default:
	  dr_options.validate = true;
	  break;
	}
    }
  return optind == argc;
}

/* Read the command line; false, after a line on stderr, if it cannot be understood.  */
bool
dr_read_options (int argc, char **argv)
{
  if (!parse_options (argc, argv))
    {
      fputs ("usage: drive [--plugin FILE] [--library FILE] [-n PROGRAMS] [--seed FIRST] [-j JOBS] [--keep FOLDER]\n"
	     "             [--cc COMPILER] [--generate FILE] [--support FOLDER] [--runs N] [--timeout SECONDS]\n"
	     "             [--validate] [--kernels]\n",
	     stderr);
      return false;
    }
  complete_options ();
  return true;
}
