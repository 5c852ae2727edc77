/* SPDX-License-Identifier: MIT
   paragon doctor: is all there that Paragon needs, and what it can use?

       ok    compiler   gcc is GCC 12.2.0
       --    watch      the kernel is older than 6.7
			 index data are read again at each entry; Linux 6.7 or later would tell when they change
       no    plugin     ...
			 what to do

   What is needed is tried, by a small program that is built and run.  */
#include "capture.h"
#include "command.h"
#include "own-file.h"
#include "sample-text.h"
#include "toolchain.h"

#include "../../cuda/nvrtc.h"
#include "../device.h"
#include "../pages.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  EXIT_MISSING = 1
};

struct doctor
{
  const char *compiler, *plugin;
  struct pg_own_folder folder;
  char source[PG_OWN_PATH_LEN], program[PG_OWN_PATH_LEN];
  char text[PG_CAPTURE_LEN]; /* what a check has to say */
};

static bool
has_compiler (struct doctor *doctor)
{
  char *const argv[] = { (char *) (uintptr_t) doctor->compiler, "-dumpfullversion", NULL };
  char version[PG_CAPTURE_LEN];
  bool is_there = pg_capture (argv, &version) == 0;
  snprintf (doctor->text, sizeof doctor->text, "%.200s%s%.250s", is_there ? doctor->compiler : "",
	    is_there ? " is GCC " : "", version);
  return is_there && atoi (version) == PG_GCC_MAJOR;
}

static bool
has_plugin (struct doctor *doctor)
{
  char option[PG_OWN_PATH_LEN + 16], said[PG_CAPTURE_LEN];
  snprintf (option, sizeof option, "-fplugin=%s", doctor->plugin);
  char *const argv[] = { (char *) (uintptr_t) doctor->compiler,
			 "-O2",
			 option,
			 "-fplugin-arg-paragon-threshold=0",
			 doctor->source,
			 "-o",
			 doctor->program,
			 NULL };
  bool is_built = pg_capture (argv, &said) == 0;
  snprintf (doctor->text, sizeof doctor->text, "%.500s", is_built ? option : said);
  return is_built;
}

/* The sample says which library it has, if any.  */
static bool
has_library (struct doctor *doctor)
{
  char *const argv[] = { doctor->program, NULL };
  setenv ("PARAGON", "on", 1);
  setenv ("PARAGON_PLAN", "pool", 1);
  unsetenv ("PARAGON_STATS");
  unsetenv ("PARAGON_LOG");
  if (access (doctor->program, X_OK) != 0)
    snprintf (doctor->text, sizeof doctor->text, "not tried without the plugin");
  else if (pg_capture (argv, &doctor->text) == 0 && *doctor->text == '\0')
    snprintf (doctor->text, sizeof doctor->text, "a program does not find libparagon.so.1");
  return *doctor->text == '/';
}

static bool
has_watch (struct doctor *doctor)
{
  struct pg_pages pages;
  const char *why;
  bool is_there = pg_pages_open (&pages, &why);
  snprintf (doctor->text, sizeof doctor->text, "%s", is_there ? "the kernel tells what was written" : why);
  return is_there;
}

static bool
has_sqlite (struct doctor *doctor)
{
  void *library = dlopen ("libsqlite3.so.0", RTLD_NOW);
  snprintf (doctor->text, sizeof doctor->text, "%s", library != NULL ? "libsqlite3.so.0" : dlerror ());
  return library != NULL;
}

static bool
has_gpu (struct doctor *doctor)
{
  struct pg_device *device = NULL;
  char why[PG_DEVICE_TEXT_LEN];
  if (pg_device_cuda.open (&device, why) != PG_DEVICE_OK)
    {
      snprintf (doctor->text, sizeof doctor->text, "%.500s", why);
      return false;
    }
  pg_device_cuda.identify (device, doctor->text);
  pg_device_cuda.close (device);
  return true;
}

static bool
has_nvrtc (struct doctor *doctor)
{
  struct pg_nvrtc *nvrtc;
  char why[PG_NVRTC_TEXT_LEN];
  bool is_there = pg_nvrtc_open (NULL, &nvrtc, why) == PG_NVRTC_OK;
  int version = is_there ? pg_nvrtc_version (nvrtc) : 0;
  if (is_there)
    snprintf (doctor->text, sizeof doctor->text, "NVRTC %d.%d", version / 1000, version % 1000 / 10);
  else
    snprintf (doctor->text, sizeof doctor->text, "%.500s", why);
  pg_nvrtc_close (nvrtc);
  return is_there;
}

static const struct
{
  const char *name;
  bool (*has) (struct doctor *doctor);
  bool is_needed;
  const char *advice;
} checks[] = {
  { "compiler", has_compiler, true, "needed: install GCC of the plugin's version, or name it with --compiler" },
  { "plugin", has_plugin, true, "needed: run make install for this compiler, or name it with --plugin" },
  { "library", has_library, true, "needed, or loops run as they were: run make install, or set PARAGON_LIBRARY" },
  { "watch", has_watch, false, "index data are read again at each entry: Linux 6.7 or later tells when they change" },
  { "cache", has_sqlite, false, "PARAGON_CACHE=on keeps nothing from run to run: install SQLite (libsqlite3-0)" },
  { "GPU", has_gpu, false, "PARAGON_DEVICE=cuda runs nothing there: it needs a GPU and NVIDIA's driver" },
  { "NVRTC", has_nvrtc, false, "nor does it without the CUDA toolkit's run-time compiler, libnvrtc" },
};

/* Write the sample's source for DOCTOR.  */
static bool
write_sample (struct doctor *doctor)
{
  pg_own_file (&doctor->folder, "sample.c", &doctor->source);
  pg_own_file (&doctor->folder, "sample", &doctor->program);
  FILE *out = fopen (doctor->source, "we");
  bool is_written = out != NULL && fputs (pg_sample_text, out) >= 0;
  if (out != NULL)
    is_written &= fclose (out) == 0;
  if (!is_written)
    pg_say ("%s: %s", doctor->source, strerror (errno));
  return is_written;
}

/* Make all checks.  */
static int
examine (struct doctor *doctor)
{
  int status = PG_EXIT_OK;
  for (size_t c = 0; c < sizeof checks / sizeof *checks; c++)
    {
      bool has = checks[c].has (doctor);
      printf ("%-5s %-9s %s\n", has ? "ok" : checks[c].is_needed ? "no" : "--", checks[c].name, doctor->text);
      if (!has)
	printf ("%-15s %s\n", "", checks[c].advice);
      fflush (stdout);
      if (!has && checks[c].is_needed)
	status = EXIT_MISSING;
    }
  return status;
}

int
pg_command_doctor (int argc, char **argv)
{
  char plugin[PG_TOOLCHAIN_PATH_LEN];
  const char *compiler = getenv ("CC");
  struct doctor doctor = { .plugin = plugin };
  doctor.compiler = compiler != NULL && *compiler != '\0' ? compiler : pg_compilers[PG_COMPILER_C].otherwise;
  enum pg_command_option option;
  pg_toolchain_plugin (&plugin);
  while ((option = pg_command_next_option (PG_COMMAND_DOCTOR, argc, argv)) != PG_OPTIONS_END)
    *(option == PG_OPTION_DOCTOR_COMPILER ? &doctor.compiler : &doctor.plugin) = optarg;
  if (optind < argc)
    return pg_command_wrong (PG_COMMAND_DOCTOR, "no arguments are taken");
  if (!pg_own_folder_make (&doctor.folder))
    return PG_EXIT_WRONG;
  int status = write_sample (&doctor) ? examine (&doctor) : PG_EXIT_WRONG;
  pg_own_folder_remove (&doctor.folder);
  return status;
}
