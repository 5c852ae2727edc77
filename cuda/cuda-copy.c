/* SPDX-License-Identifier: MIT
   Copies to and from a GPU, which goes on by itself only where it copies from memory that is pinned: for what is not,
   piece by piece, by way of two buffers that are, one of which the host fills or empties while the GPU copies the
   other.

       host:	fill 0 | fill 1 | fill 0 | ...
       GPU:		 | copy 0 | copy 1 | ...

   A copy to the GPU returns when the last piece is in a buffer; what becomes of it later, the next wait says.

   Pinned memory is copied at once, several times as fast, and has been when the call returns.  The driver pins it for
   this process; a child, which is to have pages of its own, is not given any.  */
#include "device-cuda.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum
{
  EVENT_DISABLE_TIMING = 2 /* of the driver */
};

enum pg_device_status
pg_cuda_begin_copies (struct pg_cuda *cuda)
{
  enum pg_device_status status = PG_DEVICE_OK;
  for (int i = 0; i < PG_CUDA_N_STAGING && status == PG_DEVICE_OK; i++)
    {
      struct pg_cuda_staging *staging = &cuda->staging[i];
      status = PG_CUDA_CALL (cuda, MemAllocHost, (void **) &staging->bytes, PG_CUDA_STAGING_LEN);
      if (status == PG_DEVICE_OK)
	status = PG_CUDA_CALL (cuda, EventCreate, &staging->copied, EVENT_DISABLE_TIMING);
    }
  return status;
}

void
pg_cuda_end_copies (struct pg_cuda *cuda)
{
  for (int i = 0; i < PG_CUDA_N_STAGING; i++)
    {
      struct pg_cuda_staging *staging = &cuda->staging[i];
      if (staging->copied != NULL)
	cuda->driver.EventDestroy (staging->copied);
      if (staging->bytes != NULL)
	cuda->driver.MemFreeHost (staging->bytes);
    }
}

static size_t
piece_len (size_t left)
{
  return left < PG_CUDA_STAGING_LEN ? left : PG_CUDA_STAGING_LEN;
}

/* Take note that the GPU has begun to copy STAGING.  */
static enum pg_device_status
mark_busy (struct pg_cuda *cuda, struct pg_cuda_staging *staging)
{
  staging->is_busy = true;
  return PG_CUDA_CALL (cuda, EventRecord, staging->copied, cuda->stream);
}

static enum pg_device_status
wait_for_staging (struct pg_cuda *cuda, struct pg_cuda_staging *staging)
{
  enum pg_device_status status
    = staging->is_busy ? pg_cuda_wait (cuda, staging->copied, PG_CUDA_COPY_LIMIT_MS) : PG_DEVICE_OK;
  staging->is_busy = false;
  return status;
}

static struct pg_cuda_staging *
next_staging (struct pg_cuda *cuda)
{
  return &cuda->staging[cuda->next_staging++ % PG_CUDA_N_STAGING];
}

static enum pg_device_status
put_piece (struct pg_cuda *cuda, uint64_t to, const char *from, size_t len)
{
  struct pg_cuda_staging *staging = next_staging (cuda);
  enum pg_device_status status = wait_for_staging (cuda, staging);
  if (status != PG_DEVICE_OK)
    return status;
  memcpy (staging->bytes, from, len);
  status = PG_CUDA_CALL (cuda, MemcpyHtoDAsync, to, staging->bytes, len, cuda->stream);
  return status == PG_DEVICE_OK ? mark_busy (cuda, staging) : status;
}

/* Where in CUDA's list the pinned memory is that AT, LEN bytes, lies in; or the end of the list.  */
static struct pg_cuda_pinned **
find_pinned (struct pg_cuda *cuda, const char *at, size_t len)
{
  struct pg_cuda_pinned **link = &cuda->pinned;
  for (; *link != NULL; link = &(*link)->next)
    {
      uintptr_t offset = (uintptr_t) at - (uintptr_t) (*link)->bytes;
      if (offset < (*link)->len && len <= (*link)->len - offset)
	break;
    }
  return link;
}

static bool
is_pinned (struct pg_cuda *cuda, const char *at, size_t len)
{
  return *find_pinned (cuda, at, len) != NULL;
}

/* Wait for a copy that the driver took as STATUS says.  */
static enum pg_device_status
finish_copy (struct pg_cuda *cuda, enum pg_device_status status)
{
  if (status == PG_DEVICE_OK)
    status = PG_CUDA_CALL (cuda, EventRecord, cuda->done, cuda->stream);
  return status == PG_DEVICE_OK ? pg_cuda_wait (cuda, cuda->done, PG_CUDA_COPY_LIMIT_MS) : status;
}

/* What the driver does not pin is copied as before.  */
void
pg_cuda_pin (struct pg_device *device, void *memory, size_t len)
{
  struct pg_cuda *cuda = (struct pg_cuda *) device;
  struct pg_cuda_pinned *pinned = len < PG_CUDA_LEAST_PINNED ? NULL : malloc (sizeof *pinned);
  if (pinned == NULL || pg_cuda_enter (cuda) != PG_DEVICE_OK)
    {
      free (pinned);
      return;
    }
  *pinned = (struct pg_cuda_pinned) { cuda->pinned, memory, len };
  if (madvise (memory, len, MADV_DONTFORK) == 0 && cuda->driver.MemHostRegister (memory, len, 0) == PG_DRIVER_OK)
    cuda->pinned = pinned;
  else
    free (pinned);
  pg_cuda_leave (cuda, PG_DEVICE_OK);
}

/* Where a kernel may still run, the driver keeps the pages; they are no more the program's.  */
void
pg_cuda_unpin (struct pg_device *device, void *memory)
{
  struct pg_cuda *cuda = (struct pg_cuda *) device;
  struct pg_cuda_pinned **link = find_pinned (cuda, memory, 1), *pinned = *link;
  if (pinned == NULL)
    return;
  *link = pinned->next;
  if (!cuda->is_stuck && pg_cuda_push (cuda) == PG_DEVICE_OK)
    {
      cuda->driver.MemHostUnregister (memory);
      pg_cuda_leave (cuda, PG_DEVICE_OK);
    }
  free (pinned);
}

enum pg_device_status
pg_cuda_copy_in (struct pg_device *device, uint64_t to, const void *from, size_t len)
{
  struct pg_cuda *cuda = (struct pg_cuda *) device;
  enum pg_device_status status = pg_cuda_enter (cuda);
  if (status != PG_DEVICE_OK)
    return status;
  if (is_pinned (cuda, from, len))
    status = finish_copy (cuda, PG_CUDA_CALL (cuda, MemcpyHtoDAsync, to, from, len, cuda->stream));
  else
    for (size_t done = 0, n; done < len && status == PG_DEVICE_OK; done += n)
      {
	n = piece_len (len - done);
	status = put_piece (cuda, to + done, (const char *) from + done, n);
      }
  return pg_cuda_leave (cuda, status);
}

/* Begin to copy LEN bytes out into the next buffer.  */
static enum pg_device_status
ask_for_piece (struct pg_cuda *cuda, uint64_t from, size_t len)
{
  struct pg_cuda_staging *staging = next_staging (cuda);
  enum pg_device_status status = PG_CUDA_CALL (cuda, MemcpyDtoHAsync, staging->bytes, from, len, cuda->stream);
  return status == PG_DEVICE_OK ? mark_busy (cuda, staging) : status;
}

/* The buffer that was asked for first is the one that is asked for next.  */
static enum pg_device_status
take_pieces (struct pg_cuda *cuda, char *to, uint64_t from, size_t len)
{
  size_t asked = 0, taken = 0;
  unsigned first = cuda->next_staging;
  enum pg_device_status status = PG_DEVICE_OK;
  while (taken < len && status == PG_DEVICE_OK)
    if (asked < len && cuda->next_staging - first < PG_CUDA_N_STAGING)
      {
	size_t n = piece_len (len - asked);
	status = ask_for_piece (cuda, from + asked, n);
	asked += n;
      }
    else
      {
	struct pg_cuda_staging *staging = &cuda->staging[first++ % PG_CUDA_N_STAGING];
	size_t n = piece_len (len - taken);
	status = wait_for_staging (cuda, staging);
	if (status == PG_DEVICE_OK)
	  memcpy (to + taken, staging->bytes, n);
	taken += n;
      }
  return status;
}

enum pg_device_status
pg_cuda_copy_out (struct pg_device *device, void *to, uint64_t from, size_t len)
{
  struct pg_cuda *cuda = (struct pg_cuda *) device;
  enum pg_device_status status = pg_cuda_enter (cuda);
  if (status != PG_DEVICE_OK)
    return status;
  if (is_pinned (cuda, to, len))
    status = finish_copy (cuda, PG_CUDA_CALL (cuda, MemcpyDtoHAsync, to, from, len, cuda->stream));
  else
    status = take_pieces (cuda, to, from, len);
  return pg_cuda_leave (cuda, status);
}
