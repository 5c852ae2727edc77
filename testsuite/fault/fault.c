/* SPDX-License-Identifier: MIT
   A library to load before all others (LD_PRELOAD) that makes the calls fail that come from one object, the runtime
   library or the device's program, and from nothing else:

       FAULT_IN=libparagon.so.1   whose calls: the file's name
       FAULT_FAMILY=memory        of which family (calls.def)
       FAULT_AT=3                 the third of these; none if it is 0
       FAULT_ON=1                 and all after it
       FAULT_REPORT=FILE          a file of zeros for what was counted, by all processes of a run together:
                                  calls of each family, then files that are open

   Who calls is told by where a call returns to.  */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

enum family
{
  MEMORY,
  THREADS,
  FILES,
  PROCESSES,
  NEVER
};

static const char *const family_names[] = { "memory", "threads", "files", "processes" };

enum
{
  N_FAMILIES = NEVER
};

/* What FAULT_REPORT has.  */
struct report
{
  _Atomic int64_t n_calls[N_FAMILIES];
  _Atomic int64_t n_open;
};

static struct report *report; /* NULL: all goes on as ever */
static const char *object;
static enum family family = NEVER;
static int64_t fails_at;
static bool goes_on;

/* The function that NAME would have been.  */
static void *
find_next (const char *name)
{
  return dlsym (RTLD_NEXT, name);
}

__attribute__ ((constructor)) static void
begin (void)
{
  const char *path = getenv ("FAULT_REPORT"), *name = getenv ("FAULT_FAMILY"), *at = getenv ("FAULT_AT");
  object = getenv ("FAULT_IN");
  int (*open_file) (const char *, int, ...) = NULL;
  void *(*map) (void *, size_t, int, int, int, off_t) = NULL;
  *(void **) &open_file = find_next ("open");
  *(void **) &map = find_next ("mmap");
  int file = path == NULL || object == NULL ? -1 : open_file (path, O_RDWR | O_CLOEXEC);
  if (file < 0)
    return;
  for (int f = 0; name != NULL && f < N_FAMILIES; f++)
    if (strcmp (name, family_names[f]) == 0)
      family = (enum family) f;
  fails_at = at == NULL ? 0 : atoll (at);
  goes_on = getenv ("FAULT_ON") != NULL;
  void *mapped = map (NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close (file);
  report = mapped == MAP_FAILED ? NULL : mapped;
}

/* Does what returns to ADDRESS come from the object?  */
static bool
is_asked (void *address)
{
  struct dl_find_object found;
  if (report == NULL || _dl_find_object (address, &found) != 0)
    return false;
  const char *name = found.dlfo_link_map->l_name;
  const char *slash = strrchr (name, '/');
  return strcmp (*name == '\0' ? program_invocation_short_name : slash == NULL ? name : slash + 1, object) == 0;
}

/* Count a call of CALLED; whether it is to fail.  */
static bool
is_to_fail (enum family called)
{
  if (called == NEVER)
    return false;
  int64_t n = ++report->n_calls[called];
  return called == family && fails_at > 0 && (n == fails_at || (goes_on && n > fails_at));
}

static void
count_files (int n)
{
  report->n_open += n;
}

/* Whether a call went well that opens files, RESULT being a number or a pointer.  */
#define WENT_WELL(result) \
  ((intptr_t) (result) != -1 && (sizeof (result) != sizeof (void *) || (intptr_t) (result) != 0))

#define PG_CALL(called, type, name, parameters, arguments, failed, error, opened)       \
  type fault_##name parameters __asm__(#name) __attribute__ ((visibility ("default"))); \
  type fault_##name parameters                                                          \
  {                                                                                     \
    static type (*_Atomic known) parameters;                                            \
    type (*next) parameters = known;                                                    \
    bool is_watched = is_asked (__builtin_return_address (0));                          \
    if (next == NULL)                                                                   \
      {                                                                                 \
	*(void **) &next = find_next (#name);                                           \
	known = next;                                                                   \
      }                                                                                 \
    if (is_watched && is_to_fail (called))                                              \
      {                                                                                 \
	type result = failed;                                                           \
	errno = error;                                                                  \
	return result;                                                                  \
      }                                                                                 \
    type result = next arguments;                                                       \
    if (is_watched && (opened) != 0 && WENT_WELL (result))                              \
      count_files (opened);                                                             \
    return result;                                                                      \
  }
#include "calls.def"
