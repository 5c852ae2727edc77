/* SPDX-License-Identifier: MIT
   A GPU of this machine, by CUDA's driver (driver.h), as a backend.

   It works in the device's primary context, which the program may use, too: a call makes that the calling thread's
   current one, and leaves it with the one that it had; the context is kept, not reset.  All goes through one stream.

   The driver computes with floating-point numbers: it does so in the environment that a program begins with, lest its
   exceptions trap, and the flags that it raises are not the program's.

   A kernel that does what no kernel may takes the context with it, and one that does not end cannot be stopped: after
   either, or any failure that is not known to do no harm, the device is lost to this process for good.  Nor does CUDA
   survive a fork: a child gets no device if its parent began with one.  */
#include "device-cuda.h"
#include "print.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Of the driver.  */
enum
{
  MAX_THREADS_PER_BLOCK = 1, /* attributes */
  MAX_SHARED_MEMORY_PER_BLOCK = 8,
  WARP_SIZE = 10,
  MULTIPROCESSOR_COUNT = 16,
  MAX_THREADS_PER_MULTIPROCESSOR = 39,
  COMPUTE_CAPABILITY_MAJOR = 75,
  COMPUTE_CAPABILITY_MINOR = 76,
  MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
  MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
  MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
  MEMORY_POOLS_SUPPORTED = 115,
  STREAM_NON_BLOCKING = 1,
  EVENT_DISABLE_TIMING = 2,
  CAPTURE_RELAXED = 2, /* so that a graph that the program records is not disturbed */
  LAUNCH_END = 0,
  LAUNCH_BUFFER = 1,
  LAUNCH_BUFFER_LEN = 2
};

enum
{
  LEAST_CAPABILITY = 70, /* that takes a kernel's arguments as they are printed */
  MOST_ARGS_LEN = 4096,
  N_SPINS = 50, /* before a wait sleeps */
  LEAST_SLEEP_NS = 1000,
  MOST_SLEEP_NS = 1000000
};

/* The process that began with CUDA, or 0.  */
static pid_t owner;

static struct pg_cuda *
cuda_of (struct pg_device *device)
{
  return (struct pg_cuda *) device;
}

int64_t
pg_cuda_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

enum pg_device_status
pg_cuda_failed (struct pg_cuda *cuda, enum pg_device_status status, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  vsnprintf (cuda->message, sizeof cuda->message, format, ap);
  va_end (ap);
  return status;
}

/* The message stays the one that says how the device was lost.  */
enum pg_device_status
pg_cuda_check (struct pg_cuda *cuda, const char *name, int result)
{
  enum pg_device_status status = pg_driver_status (result);
  if (status != PG_DEVICE_OK && !cuda->is_lost)
    pg_driver_describe (&cuda->driver, name, result, cuda->message);
  if (status == PG_DEVICE_FAULT || status == PG_DEVICE_TIMEOUT || status == PG_DEVICE_LOST)
    cuda->is_lost = true;
  return status;
}

/* Have the driver's floating-point environment; returns the program's.  */
static fenv_t
set_environment (void)
{
  fenv_t env;
  fegetenv (&env);
  fesetenv (FE_DFL_ENV);
  return env;
}

enum pg_device_status
pg_cuda_push (struct pg_cuda *cuda)
{
  int mode = CAPTURE_RELAXED;
  void *context;
  cuda->env = set_environment ();
  enum pg_device_status status = PG_CUDA_CALL (cuda, CtxPushCurrent, cuda->context);
  if (status == PG_DEVICE_OK)
    {
      status = PG_CUDA_CALL (cuda, ThreadExchangeStreamCaptureMode, &mode);
      cuda->capture_mode = mode;
      if (status == PG_DEVICE_OK)
	return status;
      cuda->driver.CtxPopCurrent (&context);
    }
  fesetenv (&cuda->env);
  return status;
}

enum pg_device_status
pg_cuda_enter (struct pg_cuda *cuda)
{
  return cuda->is_lost ? PG_DEVICE_LOST : pg_cuda_push (cuda);
}

enum pg_device_status
pg_cuda_leave (struct pg_cuda *cuda, enum pg_device_status status)
{
  int mode = cuda->capture_mode;
  void *context;
  enum pg_device_status changed = PG_CUDA_CALL (cuda, ThreadExchangeStreamCaptureMode, &mode);
  enum pg_device_status popped = PG_CUDA_CALL (cuda, CtxPopCurrent, &context);
  fesetenv (&cuda->env);
  if (status != PG_DEVICE_OK)
    return status;
  return changed != PG_DEVICE_OK ? changed : popped;
}

/* EVENT is asked for once more after the deadline: the thread may have slept through it.  */
enum pg_device_status
pg_cuda_wait (struct pg_cuda *cuda, void *event, int64_t limit_ms)
{
  struct timespec pause = { .tv_nsec = LEAST_SLEEP_NS };
  int64_t now = pg_cuda_now (), begun = now < cuda->deadline_ns ? cuda->deadline_ns : now;
  int64_t deadline = begun + limit_ms * 1000000;
  for (int n = 0;; n++)
    {
      bool is_late = pg_cuda_now () > deadline;
      int result = cuda->driver.EventQuery (event);
      if (result != PG_DRIVER_NOT_READY)
	return pg_cuda_check (cuda, "cuEventQuery", result);
      if (is_late)
	break;
      if (n < N_SPINS)
	continue;
      nanosleep (&pause, NULL);
      pause.tv_nsec = pause.tv_nsec < MOST_SLEEP_NS ? pause.tv_nsec * 2 : MOST_SLEEP_NS;
    }
  cuda->is_lost = cuda->is_stuck = true;
  return pg_cuda_failed (cuda, PG_DEVICE_TIMEOUT, "what was started did not end in time, and cannot be stopped");
}

/* ---- opening */

/* The number of this process among those of its program on this machine, by what started it.  */
static unsigned
local_rank (void)
{
  static const char *const names[]
    = { "OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      const char *text = secure_getenv (names[i]);
      if (text != NULL && *text >= '0' && *text <= '9')
	return (unsigned) strtoul (text, NULL, 10);
    }
  return 0;
}

static enum pg_device_status
choose_device (struct pg_cuda *cuda)
{
  int n;
  enum pg_device_status status = PG_CUDA_CALL (cuda, Init, 0);
  if (status == PG_DEVICE_OK)
    status = PG_CUDA_CALL (cuda, DeviceGetCount, &n);
  if (status == PG_DEVICE_OK && n < 1)
    return pg_cuda_failed (cuda, PG_DEVICE_LOST, "the driver has no GPU");
  return status == PG_DEVICE_OK ? PG_CUDA_CALL (cuda, DeviceGet, &cuda->number, (int) (local_rank () % (unsigned) n))
				: status;
}

/* Have what CUDA's device is and has room for.  */
static enum pg_device_status
look_at_device (struct pg_cuda *cuda)
{
  struct pg_kir_limits *limits = &cuda->limits;
  uint32_t major = 0, minor = 0, has_pools = 0;
  const struct
  {
    int attribute;
    uint32_t *to;
  } wanted[] = { { COMPUTE_CAPABILITY_MAJOR, &major },
		 { COMPUTE_CAPABILITY_MINOR, &minor },
		 { MEMORY_POOLS_SUPPORTED, &has_pools },
		 { MULTIPROCESSOR_COUNT, &limits->n_processors },
		 { WARP_SIZE, &limits->together },
		 { MAX_THREADS_PER_BLOCK, &limits->n_threads },
		 { MAX_SHARED_MEMORY_PER_BLOCK, &limits->shared_len },
		 { MAX_BLOCKS_PER_MULTIPROCESSOR, &limits->all_blocks },
		 { MAX_THREADS_PER_MULTIPROCESSOR, &limits->all_threads },
		 { MAX_REGISTERS_PER_MULTIPROCESSOR, &limits->all_registers },
		 { MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &limits->all_shared_len } };
  enum pg_device_status status = PG_DEVICE_OK;
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted && status == PG_DEVICE_OK; i++)
    {
      int value = 0;
      status = PG_CUDA_CALL (cuda, DeviceGetAttribute, &value, wanted[i].attribute, cuda->number);
      *wanted[i].to = value < 0 ? 0 : (uint32_t) value;
    }
  cuda->capability = major * 10 + minor;
  cuda->has_pools = has_pools != 0;
  if (status == PG_DEVICE_OK && cuda->capability < LEAST_CAPABILITY)
    return pg_cuda_failed (cuda, PG_DEVICE_LOST, "its compute capability is %u.%u, less than 7.0", major, minor);
  return status;
}

static enum pg_device_status
make_objects (struct pg_cuda *cuda)
{
  enum pg_device_status status = PG_CUDA_CALL (cuda, StreamCreate, &cuda->stream, STREAM_NON_BLOCKING);
  if (status == PG_DEVICE_OK)
    status = PG_CUDA_CALL (cuda, EventCreate, &cuda->done, EVENT_DISABLE_TIMING);
  return status == PG_DEVICE_OK ? pg_cuda_begin_copies (cuda) : status;
}

static enum pg_device_status
begin (struct pg_cuda *cuda)
{
  if (owner != 0 && owner != getpid ())
    return pg_cuda_failed (cuda, PG_DEVICE_LOST,
			   "the process was forked off one that uses it, which CUDA does not allow");
  if (!pg_driver_open (&cuda->driver, cuda->message))
    return PG_DEVICE_LOST;
  owner = getpid ();
  enum pg_device_status status = choose_device (cuda);
  if (status == PG_DEVICE_OK)
    status = look_at_device (cuda);
  if (status == PG_DEVICE_OK)
    status = PG_CUDA_CALL (cuda, DevicePrimaryCtxRetain, &cuda->context, cuda->number);
  if (status == PG_DEVICE_OK)
    status = pg_cuda_enter (cuda);
  return status == PG_DEVICE_OK ? pg_cuda_leave (cuda, make_objects (cuda)) : status;
}

/* What fails now is too late to matter.  */
static void
close_device (struct pg_device *device)
{
  struct pg_cuda *cuda = cuda_of (device);
  fenv_t env = set_environment ();
  bool has_context = cuda->context != NULL && !cuda->is_stuck,
       is_entered = has_context && pg_cuda_push (cuda) == PG_DEVICE_OK;
  pg_cuda_end_modules (cuda, is_entered);
  if (is_entered)
    {
      pg_cuda_end_copies (cuda);
      if (cuda->done != NULL)
	cuda->driver.EventDestroy (cuda->done);
      if (cuda->stream != NULL)
	cuda->driver.StreamDestroy (cuda->stream);
      pg_cuda_leave (cuda, PG_DEVICE_OK);
    }
  if (has_context)
    cuda->driver.DevicePrimaryCtxRelease (cuda->number);
  pg_nvrtc_close (cuda->nvrtc);
  pg_cache_close (cuda->cache);
  free (cuda);
  fesetenv (&env);
}

static enum pg_device_status
open_device (struct pg_device **opened, char *why)
{
  struct pg_cuda *cuda = calloc (1, sizeof *cuda);
  *why = '\0';
  if (cuda == NULL)
    {
      snprintf (why, PG_DEVICE_TEXT_LEN, "no memory");
      return PG_DEVICE_NO_MEMORY;
    }
  cuda->base.ops = &pg_device_cuda;
  fenv_t env = set_environment ();
  enum pg_device_status status = begin (cuda);
  fesetenv (&env);
  if (status == PG_DEVICE_OK)
    {
      *opened = &cuda->base;
      return PG_DEVICE_OK;
    }
  memcpy (why, cuda->message, PG_DEVICE_TEXT_LEN);
  close_device (&cuda->base);
  return status;
}

/* ---- using */

static void
get_limits (const struct pg_device *device, struct pg_kir_limits *limits)
{
  *limits = ((const struct pg_cuda *) device)->limits;
}

static const char *
message (const struct pg_device *device)
{
  return ((const struct pg_cuda *) device)->message;
}

/* Even of a lost device, whose context may still be there.  */
static void
release (struct pg_device *device, uint64_t address)
{
  struct pg_cuda *cuda = cuda_of (device);
  if (cuda->is_stuck || pg_cuda_push (cuda) != PG_DEVICE_OK)
    return;
  pg_cuda_leave (cuda, cuda->has_pools ? PG_CUDA_CALL (cuda, MemFreeAsync, address, cuda->stream)
				       : PG_CUDA_CALL (cuda, MemFree, address));
}

static enum pg_device_status
allocate (struct pg_device *device, size_t len, uint64_t *address)
{
  struct pg_cuda *cuda = cuda_of (device);
  enum pg_device_status status = pg_cuda_enter (cuda);
  if (status != PG_DEVICE_OK)
    return status;
  status = cuda->has_pools ? PG_CUDA_CALL (cuda, MemAllocAsync, address, len, cuda->stream)
			   : PG_CUDA_CALL (cuda, MemAlloc, address, len);
  bool is_given = status == PG_DEVICE_OK;
  status = pg_cuda_leave (cuda, status);
  if (is_given && status != PG_DEVICE_OK)
    release (device, *address);
  return status;
}

static enum pg_device_status
set (struct pg_device *device, uint64_t to, int byte, size_t len)
{
  struct pg_cuda *cuda = cuda_of (device);
  enum pg_device_status status = pg_cuda_enter (cuda);
  if (status != PG_DEVICE_OK)
    return status;
  return pg_cuda_leave (cuda, PG_CUDA_CALL (cuda, MemsetD8Async, to, (unsigned char) byte, len, cuda->stream));
}

/* The arguments are one struct, with room at its end.  */
static enum pg_device_status
launch (struct pg_device *device, struct pg_module *module, const struct pg_device_launch *launched)
{
  struct pg_cuda *cuda = cuda_of (device);
  char args[MOST_ARGS_LEN] = { 0 };
  size_t len = pg_cuda_args_room (launched->args_len);
  void *function = pg_cuda_function (module, launched->name);
  void *extra[] = { (void *) LAUNCH_BUFFER, args, (void *) LAUNCH_BUFFER_LEN, &len, (void *) LAUNCH_END };
  if (function == NULL || len > sizeof args)
    return pg_cuda_failed (cuda, PG_DEVICE_NOT_COMPILED, "no kernel %s, or too long arguments", launched->name);
  enum pg_device_status status = pg_cuda_enter (cuda);
  if (status != PG_DEVICE_OK)
    return status;
  memcpy (args, launched->args, launched->args_len);
  status = PG_CUDA_CALL (cuda, LaunchKernel, function, launched->n_blocks, 1, 1, launched->n_threads, 1, 1, 0,
			 cuda->stream, NULL, extra);
  int64_t now = pg_cuda_now ();
  cuda->deadline_ns = (now < cuda->deadline_ns ? cuda->deadline_ns : now) + (int64_t) launched->limit_ms * 1000000;
  return pg_cuda_leave (cuda, status);
}

static enum pg_device_status
wait_for_all (struct pg_device *device)
{
  struct pg_cuda *cuda = cuda_of (device);
  enum pg_device_status status = pg_cuda_enter (cuda);
  if (status != PG_DEVICE_OK)
    return status;
  status = PG_CUDA_CALL (cuda, EventRecord, cuda->done, cuda->stream);
  if (status == PG_DEVICE_OK)
    status = pg_cuda_wait (cuda, cuda->done, 0);
  cuda->deadline_ns = 0;
  return pg_cuda_leave (cuda, status);
}

static void
identify (struct pg_device *device, char *text)
{
  struct pg_cuda *cuda = cuda_of (device);
  char name[PG_DEVICE_TEXT_LEN / 2] = "";
  int version;
  fenv_t env = set_environment ();
  *text = '\0';
  if (PG_CUDA_CALL (cuda, DeviceGetName, name, sizeof name, cuda->number) == PG_DEVICE_OK
      && PG_CUDA_CALL (cuda, DriverGetVersion, &version) == PG_DEVICE_OK)
    snprintf (text, PG_DEVICE_TEXT_LEN, "cuda %s, driver %d", name, version);
  fesetenv (&env);
}

const struct pg_device_ops pg_device_cuda = { .name = "cuda",
					      .open = open_device,
					      .close = close_device,
					      .get_limits = get_limits,
					      .message = message,
					      .alloc = allocate,
					      .free = release,
					      .copy_in = pg_cuda_copy_in,
					      .copy_out = pg_cuda_copy_out,
					      .set = set,
					      .pin = pg_cuda_pin,
					      .unpin = pg_cuda_unpin,
					      .compile = pg_cuda_compile_module,
					      .launch = launch,
					      .wait = wait_for_all,
					      .identify = identify };
