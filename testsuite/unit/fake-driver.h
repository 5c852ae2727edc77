/* SPDX-License-Identifier: MIT
   A driver of CUDA for unit tests, whose GPU is made of malloc, does everything as late as it may, and fails when it is
   told to; and an NVRTC.  Programs that link with --wrap=dlopen, dlsym and dlclose find both.

   The program has a context of its own; a function that needs the GPU's asserts that this is current.  */
#ifndef PARAGON_TEST_FAKE_DRIVER_H
#define PARAGON_TEST_FAKE_DRIVER_H

#include "fake-nvrtc.h"

#include <dlfcn.h>
#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum
{
  MOST_OBJECTS = 64,
  MOST_OPS = 256,
  MOST_CONTEXTS = 8,
  MOST_FAKE_ARGS = 4096,
  INVALID_VALUE = 1,
  NO_MEMORY = 2,
  ILLEGAL_ADDRESS = 700,
  NOT_READY = 600,
  UNKNOWN = 999,
  FAKE_RELAXED = 2
};

/* What belongs to the context.  */
enum object_kind
{
  OBJECT_NONE,
  OBJECT_STREAM,
  OBJECT_EVENT,
  OBJECT_HOST,
  OBJECT_PINNED, /* the program's memory */
  OBJECT_MEMORY,
  OBJECT_POOLED,
  OBJECT_MODULE
};

struct object
{
  enum object_kind kind;
  char *at;
  size_t len;
  unsigned n_recorded, n_reached; /* of an event */
};

/* What the stream has to do.  */
struct op
{
  enum
  {
    OP_COPY,
    OP_SET,
    OP_EVENT,
    OP_KERNEL
  } kind;
  char *to;
  const char *from;
  size_t len;
  int byte;
  struct object *event;
};

static struct
{
  struct object objects[MOST_OBJECTS];
  struct op ops[MOST_OPS];
  int n_ops, n_copies;
  int n_retained, n_left; /* objects, when it was released */

  int n_calls, fails_at, fails_as, sticky; /* CUresults; fails_at -1: none */
  const char *failed;                      /* the name of the function that failed */
  const char *lacks;                       /* a symbol */
  bool is_missing, has_pools, is_endless, fails_to_run;
  int n_devices, capability, n_unready, n_queries; /* queries of an event that is not ready, at first */
  int chosen;
  unsigned n_blocks, n_threads;
  char args[MOST_FAKE_ARGS];
  size_t args_len;
} gpu;

/* Each thread's own: what is current is the last one; the mode is of captures.  */
static _Thread_local const void *contexts[MOST_CONTEXTS];
static _Thread_local int n_contexts, capture_mode;

static const char program_context, primary_context;

#define PG_DRIVER_FUNCTION(name, version, parameters) static int fake_##name parameters;
#include "cuda/driver-functions.def"

static inline void
reset_gpu (void)
{
  for (int i = 0; i < MOST_OBJECTS; i++)
    if (gpu.objects[i].kind != OBJECT_PINNED)
      free (gpu.objects[i].at);
  memset (&gpu, 0, sizeof gpu);
  memset (&nvrtc, 0, sizeof nvrtc);
  n_contexts = capture_mode = 0;
  contexts[n_contexts++] = &program_context;
  gpu.fails_at = -1;
  gpu.has_pools = true;
  gpu.n_devices = 1;
  gpu.capability = 90;
  gpu.n_unready = 3;
}

/* Has the thread a program's environment as it is at first, whatever flags are raised?  */
static inline bool
has_default_environment (void)
{
  return fegetround () == FE_TONEAREST && fegetexcept () == 0;
}

static inline int
n_objects (void)
{
  int n = 0;
  for (int i = 0; i < MOST_OBJECTS; i++)
    n += gpu.objects[i].kind != OBJECT_NONE;
  return n;
}

/* Count a call of NAME, which computes with rounding; what it comes to.  */
static int
note (const char *name)
{
  assert_true (has_default_environment ());
  feraiseexcept (FE_INEXACT | FE_INVALID);
  if (gpu.n_calls++ == gpu.fails_at)
    {
      gpu.failed = name;
      return gpu.fails_as;
    }
  return gpu.sticky;
}

/* The same of one that needs the context.  */
static int
note_inside (const char *name)
{
  assert_true (n_contexts > 0 && contexts[n_contexts - 1] == &primary_context);
  assert_true (gpu.n_retained > 0);
  assert_int_equal (capture_mode, FAKE_RELAXED);
  return note (name);
}

/* A new object with LEN bytes.  */
static struct object *
add_object (enum object_kind kind, size_t len)
{
  int i = 0;
  while (gpu.objects[i].kind != OBJECT_NONE)
    i++;
  assert_true (i < MOST_OBJECTS && len > 0);
  gpu.objects[i] = (struct object) { .kind = kind, .at = malloc (len), .len = len };
  assert_non_null (gpu.objects[i].at);
  memset (gpu.objects[i].at, 0xa5, len);
  return &gpu.objects[i];
}

static void
end_object (struct object *object, enum object_kind kind)
{
  assert_int_equal (object->kind, kind);
  if (kind != OBJECT_PINNED)
    free (object->at);
  memset (object, 0, sizeof *object);
}

/* The object of KIND that AT, LEN bytes, lies in.  */
static struct object *
object_at (const void *at, size_t len, bool is_host)
{
  for (int i = 0; i < MOST_OBJECTS; i++)
    {
      struct object *object = &gpu.objects[i];
      uintptr_t offset = (uintptr_t) at - (uintptr_t) object->at;
      bool is_kind = is_host ? object->kind == OBJECT_HOST || object->kind == OBJECT_PINNED
			     : object->kind == OBJECT_MEMORY || object->kind == OBJECT_POOLED;
      if (is_kind && offset < object->len && len <= object->len - offset)
	return object;
    }
  fail_msg ("not in one block of memory");
  return NULL;
}

static int
add_op (struct op op, void *stream)
{
  assert_int_equal (((struct object *) stream)->kind, OBJECT_STREAM);
  assert_true (gpu.n_ops < MOST_OPS);
  gpu.ops[gpu.n_ops++] = op;
  return 0;
}

/* Do OP; false: it does not end.  */
static bool
run_op (const struct op *op)
{
  switch (op->kind)
    {
    case OP_COPY:
      memcpy (op->to, op->from, op->len);
      break;
    case OP_SET:
      memset (op->to, op->byte, op->len);
      break;
    case OP_EVENT:
      op->event->n_reached++;
      break;
    case OP_KERNEL:
      if (gpu.fails_to_run)
	gpu.sticky = ILLEGAL_ADDRESS;
      return !gpu.is_endless;
    }
  return true;
}

/* Do what comes before the last record of EVENT, and nothing else.  */
static void
run_to (struct object *event)
{
  int n = 0;
  while (event->n_reached < event->n_recorded && gpu.sticky == 0 && run_op (&gpu.ops[n]))
    n++;
  gpu.n_ops -= n;
  memmove (gpu.ops, gpu.ops + n, (size_t) gpu.n_ops * sizeof *gpu.ops);
}

static int
fake_GetErrorName (int result, const char **name)
{
  *name = result == NO_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_ILLEGAL_ADDRESS";
  return result == NO_MEMORY || result == ILLEGAL_ADDRESS ? 0 : INVALID_VALUE;
}

static int
fake_GetErrorString (int result, const char **text)
{
  *text = result == NO_MEMORY ? "out of memory" : "an illegal memory access was encountered";
  return result == NO_MEMORY || result == ILLEGAL_ADDRESS ? 0 : INVALID_VALUE;
}

static int
fake_Init (unsigned flags)
{
  assert_int_equal (flags, 0);
  return note ("cuInit");
}

static int
fake_DeviceGetCount (int *n)
{
  *n = gpu.n_devices;
  return note ("cuDeviceGetCount");
}

static int
fake_DeviceGet (int *device, int number)
{
  assert_in_range (number, 0, gpu.n_devices - 1);
  gpu.chosen = number;
  *device = 100 + number;
  return note ("cuDeviceGet");
}

static int
fake_DeviceGetAttribute (int *value, int attribute, int device)
{
  assert_int_equal (device, 100 + gpu.chosen);
  *value = attribute == 75    ? gpu.capability / 10
	   : attribute == 76  ? gpu.capability % 10
	   : attribute == 115 ? gpu.has_pools
			      : 1000 + attribute;
  return note ("cuDeviceGetAttribute");
}

static int
fake_DeviceGetName (char *name, int len, int device)
{
  assert_int_equal (device, 100 + gpu.chosen);
  snprintf (name, (size_t) len, "GPU of paper");
  return note ("cuDeviceGetName");
}

static int
fake_DriverGetVersion (int *version)
{
  *version = 12040;
  return note ("cuDriverGetVersion");
}

static int
fake_DevicePrimaryCtxRetain (void **context, int device)
{
  int failed = note ("cuDevicePrimaryCtxRetain");
  assert_int_equal (device, 100 + gpu.chosen);
  if (failed != 0)
    return failed;
  gpu.n_retained++;
  *context = (void *) (uintptr_t) &primary_context;
  return 0;
}

static int
fake_DevicePrimaryCtxRelease (int device)
{
  assert_int_equal (device, 100 + gpu.chosen);
  assert_true (gpu.n_retained-- > 0);
  gpu.n_left = n_objects ();
  return note ("cuDevicePrimaryCtxRelease");
}

static int
fake_CtxPushCurrent (void *context)
{
  int failed = note ("cuCtxPushCurrent");
  assert_ptr_equal (context, &primary_context);
  assert_true (n_contexts < MOST_CONTEXTS);
  if (failed == 0)
    contexts[n_contexts++] = context;
  return failed;
}

static int
fake_CtxPopCurrent (void **context)
{
  assert_true (n_contexts > 0);
  *context = (void *) (uintptr_t) contexts[--n_contexts];
  assert_ptr_equal (*context, &primary_context);
  return note ("cuCtxPopCurrent");
}

static int
fake_ThreadExchangeStreamCaptureMode (int *mode)
{
  int failed = note ("cuThreadExchangeStreamCaptureMode"), before = capture_mode;
  if (failed != gpu.sticky)
    return failed;
  capture_mode = *mode;
  *mode = before;
  return 0;
}

static int
fake_StreamCreate (void **stream, unsigned flags)
{
  int failed = note_inside ("cuStreamCreate");
  assert_int_equal (flags, 1);
  if (failed == 0)
    *stream = add_object (OBJECT_STREAM, 1);
  return failed;
}

static int
fake_StreamDestroy (void *stream)
{
  end_object (stream, OBJECT_STREAM);
  return note_inside ("cuStreamDestroy");
}

static int
fake_EventCreate (void **event, unsigned flags)
{
  int failed = note_inside ("cuEventCreate");
  assert_int_equal (flags, 2);
  if (failed == 0)
    *event = add_object (OBJECT_EVENT, 1);
  return failed;
}

static int
fake_EventDestroy (void *event)
{
  end_object (event, OBJECT_EVENT);
  return note_inside ("cuEventDestroy");
}

static int
fake_EventRecord (void *event, void *stream)
{
  int failed = note_inside ("cuEventRecord");
  if (failed != 0)
    return failed;
  ((struct object *) event)->n_recorded++;
  return add_op ((struct op) { .kind = OP_EVENT, .event = event }, stream);
}

static int
fake_EventQuery (void *event)
{
  struct object *asked = event;
  assert_int_equal (asked->kind, OBJECT_EVENT);
  int failed = note_inside ("cuEventQuery");
  if (failed != 0)
    return failed;
  if (asked->n_reached < asked->n_recorded && gpu.n_queries++ % (gpu.n_unready + 1) == gpu.n_unready)
    run_to (asked);
  if (gpu.sticky != 0)
    return gpu.sticky;
  return asked->n_reached < asked->n_recorded ? NOT_READY : 0;
}

static int
fake_MemAllocHost (void **address, size_t len)
{
  int failed = note_inside ("cuMemAllocHost");
  if (failed == 0)
    *address = add_object (OBJECT_HOST, len)->at;
  return failed;
}

static int
fake_MemFreeHost (void *address)
{
  end_object (object_at (address, 1, true), OBJECT_HOST);
  return note_inside ("cuMemFreeHost");
}

static int
fake_MemHostRegister (void *address, size_t len, unsigned flags)
{
  int failed = note_inside ("cuMemHostRegister");
  assert_int_equal (flags, 0);
  if (failed != 0)
    return failed;
  struct object *object = add_object (OBJECT_PINNED, len);
  free (object->at);
  object->at = address;
  return 0;
}

/* Nothing that the GPU still has to do may have to do with it.  */
static int
fake_MemHostUnregister (void *address)
{
  for (int n = 0; n < gpu.n_ops; n++)
    assert_true (gpu.ops[n].to != address && gpu.ops[n].from != address);
  end_object (object_at (address, 1, true), OBJECT_PINNED);
  return note_inside ("cuMemHostUnregister");
}

static int
fake_MemAlloc (uint64_t *address, size_t len)
{
  int failed = note_inside ("cuMemAlloc");
  if (failed == 0)
    *address = (uint64_t) (uintptr_t) add_object (OBJECT_MEMORY, len)->at;
  return failed;
}

static int
fake_MemFree (uint64_t address)
{
  end_object (object_at ((void *) (uintptr_t) address, 1, false), OBJECT_MEMORY);
  return note_inside ("cuMemFree");
}

static int
fake_MemAllocAsync (uint64_t *address, size_t len, void *stream)
{
  int failed = note_inside ("cuMemAllocAsync");
  assert_int_equal (((struct object *) stream)->kind, OBJECT_STREAM);
  assert_true (gpu.has_pools);
  if (failed == 0)
    *address = (uint64_t) (uintptr_t) add_object (OBJECT_POOLED, len)->at;
  return failed;
}

static int
fake_MemFreeAsync (uint64_t address, void *stream)
{
  assert_int_equal (((struct object *) stream)->kind, OBJECT_STREAM);
  end_object (object_at ((void *) (uintptr_t) address, 1, false), OBJECT_POOLED);
  return note_inside ("cuMemFreeAsync");
}

static int
fake_MemcpyHtoDAsync (uint64_t to, const void *from, size_t len, void *stream)
{
  int failed = note_inside ("cuMemcpyHtoDAsync");
  char *there = (char *) (uintptr_t) to;
  object_at (from, len, true);
  object_at (there, len, false);
  gpu.n_copies++;
  return failed != 0 ? failed : add_op ((struct op) { .kind = OP_COPY, .to = there, .from = from, .len = len }, stream);
}

static int
fake_MemcpyDtoHAsync (void *to, uint64_t from, size_t len, void *stream)
{
  int failed = note_inside ("cuMemcpyDtoHAsync");
  const char *there = (const char *) (uintptr_t) from;
  object_at (to, len, true);
  object_at (there, len, false);
  gpu.n_copies++;
  return failed != 0 ? failed : add_op ((struct op) { .kind = OP_COPY, .to = to, .from = there, .len = len }, stream);
}

static int
fake_MemsetD8Async (uint64_t to, unsigned char byte, size_t len, void *stream)
{
  int failed = note_inside ("cuMemsetD8Async");
  char *there = (char *) (uintptr_t) to;
  object_at (there, len, false);
  return failed != 0 ? failed : add_op ((struct op) { .kind = OP_SET, .to = there, .byte = byte, .len = len }, stream);
}

static int
fake_ModuleLoadDataEx (void **module, const void *bytes, unsigned n, int *options, void **values)
{
  int failed = note_inside ("cuModuleLoadDataEx");
  assert_string_equal (bytes, nvrtc_bytes);
  assert_int_equal (n, 2);
  assert_int_equal (options[0], 5);
  assert_int_equal (options[1], 6);
  if (failed == 0)
    *module = add_object (OBJECT_MODULE, 1);
  else
    snprintf (values[0], (size_t) (uintptr_t) values[1], "ptxas: told to\nmore");
  return failed;
}

static int
fake_ModuleUnload (void *module)
{
  end_object (module, OBJECT_MODULE);
  return note_inside ("cuModuleUnload");
}

static int
fake_ModuleGetFunction (void **function, void *module, const char *name)
{
  int failed = note_inside ("cuModuleGetFunction");
  assert_int_equal (((struct object *) module)->kind, OBJECT_MODULE);
  assert_non_null (strstr (nvrtc.names, name));
  *function = module;
  return failed;
}

static int
fake_LaunchKernel (void *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x,
		   unsigned threads_y, unsigned threads_z, unsigned shared_len, void *stream, void **parameters,
		   void **extra)
{
  int failed = note_inside ("cuLaunchKernel");
  assert_int_equal (((struct object *) function)->kind, OBJECT_MODULE);
  assert_true (blocks_y == 1 && blocks_z == 1 && threads_y == 1 && threads_z == 1 && shared_len == 0);
  assert_null (parameters);
  assert_true ((uintptr_t) extra[0] == 1 && (uintptr_t) extra[2] == 2 && extra[4] == NULL);
  if (failed != 0)
    return failed;
  gpu.args_len = *(size_t *) extra[3];
  assert_in_range (gpu.args_len, 1, MOST_FAKE_ARGS);
  memcpy (gpu.args, extra[1], gpu.args_len);
  gpu.n_blocks = blocks_x;
  gpu.n_threads = threads_x;
  return add_op ((struct op) { .kind = OP_KERNEL }, stream);
}

static void *
driver_symbol (const char *symbol)
{
  if (gpu.lacks != NULL && strcmp (symbol, gpu.lacks) == 0)
    return NULL;
#define PG_DRIVER_FUNCTION(name, version, parameters) \
  if (strcmp (symbol, "cu" #name version) == 0)       \
    return (void *) fake_##name;
#include "cuda/driver-functions.def"
  return NULL;
}

/* ---- how they are found */

void *__real_dlopen (const char *path, int mode);
void *__wrap_dlopen (const char *path, int mode);
void *__real_dlsym (void *library, const char *symbol);
void *__wrap_dlsym (void *library, const char *symbol);
int __real_dlclose (void *library);
int __wrap_dlclose (void *library);

void *
__wrap_dlopen (const char *path, int mode)
{
  if (strcmp (path, "libcuda.so.1") == 0)
    return gpu.is_missing ? NULL : (void *) &gpu;
  if (strstr (path, "libnvrtc") != NULL)
    return nvrtc.is_missing ? NULL : (void *) &nvrtc;
  return __real_dlopen (path, mode);
}

void *
__wrap_dlsym (void *library, const char *symbol)
{
  return library == &gpu     ? driver_symbol (symbol)
	 : library == &nvrtc ? nvrtc_symbol (symbol)
			     : __real_dlsym (library, symbol);
}

int
__wrap_dlclose (void *library)
{
  return library == &gpu || library == &nvrtc ? 0 : __real_dlclose (library);
}

#endif
