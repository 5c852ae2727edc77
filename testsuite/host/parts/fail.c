/* SPDX-License-Identifier: MIT
   A library to load before all others (LD_PRELOAD) that makes calls fail: FAIL_CREATE=N the Nth pthread_create and all
   after it, FAIL_MMAP=N the Nth mmap, with FAIL_MMAP_REST=1 all after it, too.  */
#define _GNU_SOURCE
#include <errno.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static int
number (const char *name)
{
  const char *text = getenv (name);

  return text == NULL ? 0 : atoi (text);
}

int
pthread_create (pthread_t *thread, const pthread_attr_t *attr, void *(*start) (void *), void *arg)
{
  static int n_calls;
  int (*next) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);
  int fail_at = number ("FAIL_CREATE");

  *(void **) &next = dlsym (RTLD_NEXT, "pthread_create");
  if (fail_at > 0 && __atomic_add_fetch (&n_calls, 1, __ATOMIC_RELAXED) >= fail_at)
    return EAGAIN;
  return next (thread, attr, start, arg);
}

void *
mmap (void *address, size_t len, int protection, int flags, int fd, off_t offset)
{
  static int n_calls;
  void *(*next) (void *, size_t, int, int, int, off_t);
  int fail_at = number ("FAIL_MMAP");
  int call = __atomic_add_fetch (&n_calls, 1, __ATOMIC_RELAXED);

  *(void **) &next = dlsym (RTLD_NEXT, "mmap");
  if (fail_at > 0 && (call == fail_at || (call > fail_at && number ("FAIL_MMAP_REST"))))
    {
      errno = ENOMEM;
      return MAP_FAILED;
    }
  return next (address, len, protection, flags, fd, offset);
}
