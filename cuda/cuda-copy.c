/* SPDX-License-Identifier: MIT
   Copies to and from a GPU, which goes on by itself only where it copies from memory that it knows: so piece by piece,
   by way of two buffers, one of which the host fills or empties while the GPU copies the other.

       host:	fill 0 | fill 1 | fill 0 | ...
       GPU:		 | copy 0 | copy 1 | ...

   A copy to the GPU returns when the last piece is in a buffer; what becomes of it later, the next wait says.  */
#include "device-cuda.h"

#include <string.h>

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

enum pg_device_status
pg_cuda_copy_in (struct pg_device *device, uint64_t to, const void *from, size_t len)
{
  struct pg_cuda *cuda = (struct pg_cuda *) device;
  enum pg_device_status status = pg_cuda_enter (cuda);
  if (status != PG_DEVICE_OK)
    return status;
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
  return pg_cuda_leave (cuda, take_pieces (cuda, to, from, len));
}
