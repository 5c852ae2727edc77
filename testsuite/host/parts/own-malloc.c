/* SPDX-License-Identifier: MIT
   A malloc of the program's own.  It counts under a lock, in a loop that must be left alone: to start threads takes
   memory, and that this lock.  */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

enum
{
  ROOM = 1 << 24,
  N_CLASSES = 4096
};

/* In own-malloc.c: a loop that is handed over, under no lock.  */
extern void poison (size_t len, unsigned char *bytes);

static _Alignas (64) char room[ROOM];
static size_t taken, in_class[N_CLASSES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Take LEN bytes; their place.  */
static size_t
take (size_t len)
{
  size_t at, i;

  pthread_mutex_lock (&lock);
  at = taken;
  taken += (len + 63) / 64 * 64;
  for (i = 0; i < N_CLASSES; i++)
    in_class[i] = in_class[i] * 3 + (len >> (i & 63));
  pthread_mutex_unlock (&lock);
  return at;
}

void *
malloc (size_t len)
{
  size_t at = take (len);

  if (len > ROOM || at > ROOM - len)
    return NULL;
  poison (len, (unsigned char *) room + at);
  return room + at;
}

void *
calloc (size_t n, size_t len)
{
  char *bytes = malloc (n * len);
  size_t i;

  for (i = 0; bytes && i < n * len; i++)
    bytes[i] = 0;
  return bytes;
}

void *
realloc (void *old, size_t len)
{
  char *bytes = malloc (len);
  size_t i;

  for (i = 0; old && bytes && i < len; i++)
    bytes[i] = ((char *) old)[i];
  return bytes;
}

void
free (void *bytes)
{
  (void) bytes;
}
