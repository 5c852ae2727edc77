//! link: -Wl,--wrap=dlopen -Wl,--wrap=dlsym -Wl,--wrap=dlclose -Wl,--wrap=pthread_create
/* SPDX-License-Identifier: MIT
   A GPU as a device, with a driver that is none: what it is asked to do, in whose context, what becomes of it when any
   call fails, and that nothing is left behind.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake-driver.h"

#include "cuda/device-cuda.h"
#include "kir-run.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  LEN = 2 * PG_CUDA_STAGING_LEN + 4711, /* of copies: three pieces */
  ARGS_LEN = 40,
  N_THREADS = 64
};

static const struct pg_device_ops *const ops = &pg_device_cuda;
static struct pg_device *device;
static struct pg_kir_kernel grid;
static char why[PG_DEVICE_TEXT_LEN], in[LEN], out[LEN], args[ARGS_LEN];

static _Thread_local int n_own_contexts; /* of the program */
static size_t stack_len;                 /* of the last thread */
static bool has_no_threads;

int __real_pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*run) (void *), void *data);
int __wrap_pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*run) (void *), void *data);

int
__wrap_pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*run) (void *), void *data)
{
  assert_int_equal (pthread_attr_getstacksize (attributes, &stack_len), 0);
  return has_no_threads ? -1 : __real_pthread_create (thread, attributes, run, data);
}

static int
set_up_group (void **state)
{
  (void) state;
  struct pg_kir_kernel loop = read_kernel (golden ("axpy"));
  grid = map_kernel (&loop, PG_KIR_STRIDED, N_THREADS);
  pg_kir_end (&loop);
  for (size_t i = 0; i < LEN; i++)
    in[i] = (char) (i * 7 + i / 1000);
  memset (args, 'a', sizeof args);
  return 0;
}

static int
tear_down_group (void **state)
{
  (void) state;
  pg_kir_end (&grid);
  return 0;
}

/* No cache, and no ranks.  The program computes in its own way.  */
static int
set_up (void **state)
{
  (void) state;
  fesetenv (FE_DFL_ENV);
  fesetround (FE_UPWARD);
  feenableexcept (FE_DIVBYZERO);
  feraiseexcept (FE_UNDERFLOW);
  unsetenv ("HOME");
  unsetenv ("XDG_CACHE_HOME");
  unsetenv ("OMPI_COMM_WORLD_LOCAL_RANK");
  unsetenv ("SLURM_LOCALID");
  reset_gpu ();
  n_own_contexts = 1;
  has_no_threads = false;
  device = NULL;
  return 0;
}

static int
tear_down (void **state)
{
  (void) state;
  reset_gpu ();
  fesetenv (FE_DFL_ENV);
  return 0;
}

static void
open_it (void)
{
  if (ops->open (&device, why) != PG_DEVICE_OK)
    fail_msg ("%s", why);
  assert_string_equal (why, "");
  assert_ptr_equal (device->ops, ops);
}

static void
assert_not_opened (const char *reason)
{
  assert_int_equal (ops->open (&device, why), PG_DEVICE_LOST);
  if (strstr (why, reason) == NULL)
    fail_msg ("\"%s\" is not in \"%s\"", reason, why);
  assert_int_equal (gpu.n_retained, 0);
}

static void
assert_message (const char *text)
{
  if (strstr (ops->message (device), text) == NULL)
    fail_msg ("\"%s\" is not in \"%s\"", text, ops->message (device));
}

/* The program has its own context, as before, its own mode, if the driver let it be set, and its own floating-point
   environment.  */
static void
assert_own_context (void)
{
  assert_int_equal (fegetround (), FE_UPWARD);
  assert_int_equal (fegetexcept (), FE_DIVBYZERO);
  assert_int_equal (fetestexcept (FE_ALL_EXCEPT), FE_UNDERFLOW);
  assert_int_equal (n_contexts, n_own_contexts);
  if (gpu.failed == NULL || strcmp (gpu.failed, "cuThreadExchangeStreamCaptureMode") != 0)
    assert_int_equal (capture_mode, 0);
}

static void
assert_nothing_left (void)
{
  assert_own_context ();
  assert_int_equal (gpu.n_retained, 0);
  assert_int_equal (gpu.n_left, 0);
}

static enum pg_device_status
compile (struct pg_module **module)
{
  const struct pg_device_kernel kernels[] = { { &grid, "first" }, { &grid, "second" } };
  return ops->compile (device, kernels, 2, module);
}

static enum pg_device_status
launch (struct pg_module *module, uint32_t limit_ms)
{
  const struct pg_device_launch launched = {
    .name = "second", .n_blocks = 3, .n_threads = N_THREADS, .args = args, .args_len = ARGS_LEN, .limit_ms = limit_ms
  };
  return ops->launch (device, module, &launched);
}

/* Do one of everything, up to what does not come to PG_DEVICE_OK.  */
static enum pg_device_status
use (void)
{
  struct pg_module *module = NULL;
  uint64_t address = 0;
  enum pg_device_status status = ops->alloc (device, LEN, &address);
  bool is_given = status == PG_DEVICE_OK;
  if (status == PG_DEVICE_OK)
    status = ops->copy_in (device, address, in, LEN);
  if (status == PG_DEVICE_OK)
    status = ops->set (device, address + 5, 'x', 10);
  if (status == PG_DEVICE_OK)
    status = compile (&module);
  if (status == PG_DEVICE_OK)
    status = launch (module, 60000);
  if (status == PG_DEVICE_OK)
    status = ops->wait (device);
  if (status == PG_DEVICE_OK)
    status = ops->copy_out (device, out, address, LEN);
  assert_own_context ();
  if (is_given)
    ops->free (device, address);
  assert_own_context ();
  return status;
}

/* What goes there comes back, although the GPU begins with each piece as late as it may.  */
static void
use_and_compare (void)
{
  memset (out, 0, LEN);
  if (use () != PG_DEVICE_OK)
    fail_msg ("%s", ops->message (device));
  assert_memory_equal (out, in, 5);
  assert_memory_equal (out + 5, "xxxxxxxxxx", 10);
  assert_memory_equal (out + 15, in + 15, LEN - 15);
}

static void
what_goes_there_comes_back (void **state)
{
  (void) state;
  open_it ();
  for (int i = 0; i < 3; i++)
    use_and_compare ();
  ops->close (device);
  assert_nothing_left ();
}

/* Copy MEMORY to the GPU and back, and return in how many copies.  */
static int
copy_there_and_back (char *memory)
{
  uint64_t address;
  assert_int_equal (ops->alloc (device, LEN, &address), PG_DEVICE_OK);
  int n_copies = gpu.n_copies;
  memcpy (memory, in, LEN);
  assert_int_equal (ops->copy_in (device, address, memory, LEN), PG_DEVICE_OK);
  memset (memory, 0, LEN);
  assert_int_equal (ops->copy_out (device, memory, address, LEN), PG_DEVICE_OK);
  assert_memory_equal (memory, in, LEN);
  ops->free (device, address);
  assert_own_context ();
  return gpu.n_copies - n_copies;
}

static void *
get_memory (void)
{
  void *memory = mmap (NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true (memory != MAP_FAILED);
  return memory;
}

/* A child has no pages of it, lest these be given to it and the GPU copy to those.  */
static void
pinned_memory_is_copied_at_once (void **state)
{
  char *memory = get_memory (), *other = get_memory ();
  int status;
  (void) state;
  open_it ();
  ops->pin (device, memory, LEN);
  assert_int_equal (copy_there_and_back (memory), 2);
  assert_int_equal (copy_there_and_back (other), 6);
  pid_t child = fork ();
  assert_true (child >= 0);
  if (child == 0)
    _exit (msync (memory, LEN, MS_ASYNC) == -1 && msync (other, LEN, MS_ASYNC) == 0 ? 0 : 1);
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_int_equal (status, 0);
  ops->pin (device, other, LEN);
  ops->unpin (device, memory);
  assert_int_equal (copy_there_and_back (memory), 6);
  assert_int_equal (copy_there_and_back (other), 2);
  ops->unpin (device, other);
  ops->unpin (device, other);
  ops->close (device);
  assert_nothing_left ();
  munmap (memory, LEN);
  munmap (other, LEN);
}

/* Because it is little, or because the driver does not want to, as if it could not be.  */
static void
what_is_not_pinned_is_copied_as_before (void **state)
{
  char *memory = get_memory ();
  (void) state;
  open_it ();
  int n_calls = gpu.n_calls;
  ops->pin (device, memory, PG_CUDA_LEAST_PINNED - 1);
  assert_int_equal (gpu.n_calls, n_calls);
  for (int result = 1; result < 1000; result += 100)
    {
      gpu.fails_at = gpu.n_calls + 2; /* push, exchange */
      gpu.fails_as = result;
      ops->pin (device, memory, LEN);
      assert_string_equal (gpu.failed, "cuMemHostRegister");
      assert_int_equal (copy_there_and_back (memory), 6);
    }
  ops->unpin (device, memory);
  ops->close (device);
  assert_nothing_left ();
  munmap (memory, LEN);
}

static void
memory_comes_from_a_pool_if_there_are_any (void **state)
{
  uint64_t address;
  (void) state;
  for (int has_pools = 0; has_pools < 2; has_pools++)
    {
      gpu.has_pools = has_pools;
      open_it ();
      use_and_compare ();
      assert_int_equal (ops->alloc (device, 1, &address), PG_DEVICE_OK);
      assert_int_equal (object_at ((void *) (uintptr_t) address, 1, false)->kind,
			has_pools ? OBJECT_POOLED : OBJECT_MEMORY);
      ops->free (device, address);
      ops->close (device);
      assert_nothing_left ();
    }
}

static void
a_kernel_gets_its_arguments_in_one_piece (void **state)
{
  static const char nothing[16];
  struct pg_module *module;
  (void) state;
  open_it ();
  assert_int_equal (compile (&module), PG_DEVICE_OK);
  assert_string_equal (nvrtc.names, "first second ");
  assert_string_equal (nvrtc.target, "sm_90");
  assert_int_equal (launch (module, 60000), PG_DEVICE_OK);
  assert_int_equal (gpu.args_len, 48);
  assert_memory_equal (gpu.args, args, ARGS_LEN);
  assert_memory_equal (gpu.args + ARGS_LEN, nothing, 8);
  assert_int_equal (gpu.n_blocks, 3);
  assert_int_equal (gpu.n_threads, N_THREADS);
  assert_int_equal (ops->wait (device), PG_DEVICE_OK);
  ops->close (device);
  assert_nothing_left ();
}

static void
a_launch_that_is_wrong_does_no_harm (void **state)
{
  static const char long_args[4097];
  struct pg_device_launch launched
    = { .name = "third", .n_blocks = 1, .n_threads = 1, .args = long_args, .limit_ms = 60000 };
  struct pg_module *module;
  (void) state;
  open_it ();
  assert_int_equal (compile (&module), PG_DEVICE_OK);
  assert_int_equal (ops->launch (device, module, &launched), PG_DEVICE_NOT_COMPILED);
  assert_message ("third");
  launched.name = "first";
  launched.args_len = sizeof long_args;
  assert_int_equal (ops->launch (device, module, &launched), PG_DEVICE_NOT_COMPILED);
  launched.args_len = 4096;
  assert_int_equal (ops->launch (device, module, &launched), PG_DEVICE_OK);
  assert_int_equal (ops->wait (device), PG_DEVICE_OK);
  use_and_compare ();
  ops->close (device);
}

static void
limits_are_what_the_driver_says (void **state)
{
  struct pg_kir_limits limits;
  const struct pg_kir_limits expected = { 1016, 1010, 1001, 1008, 1106, 1039, 1082, 1081 };
  (void) state;
  open_it ();
  ops->get_limits (device, &limits);
  assert_memory_equal (&limits, &expected, sizeof limits);
  ops->close (device);
}

static void
ranks_on_one_machine_share_its_gpus (void **state)
{
  static const struct
  {
    const char *name, *value;
    int expected;
  } cases[] = { { "SLURM_LOCALID", "", 0 },  { "SLURM_LOCALID", "-1", 0 }, { "SLURM_LOCALID", "x", 0 },
		{ "SLURM_LOCALID", "2", 2 }, { "SLURM_LOCALID", "7", 1 },  { "OMPI_COMM_WORLD_LOCAL_RANK", "3", 0 } };
  (void) state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      gpu.n_devices = 3;
      setenv (cases[i].name, cases[i].value, 1);
      open_it ();
      assert_int_equal (gpu.chosen, cases[i].expected);
      ops->close (device);
      assert_nothing_left ();
    }
}

static void
what_cannot_be_used_is_refused_with_a_reason (void **state)
{
  (void) state;
  gpu.is_missing = true;
  assert_not_opened ("libcuda.so.1 is not found");
  gpu.is_missing = false;
  gpu.lacks = "cuMemAllocAsync";
  assert_not_opened ("older than CUDA 11.2: it lacks cuMemAllocAsync");
  gpu.lacks = "cuCtxPushCurrent_v2";
  assert_not_opened ("it lacks cuCtxPushCurrent_v2");
  gpu.lacks = NULL;
  gpu.n_devices = 0;
  assert_not_opened ("no GPU");
  gpu.n_devices = 1;
  gpu.capability = 61;
  assert_not_opened ("6.1");
  gpu.fails_at = gpu.n_calls;
  gpu.fails_as = UNKNOWN;
  assert_not_opened ("cuInit: an error that has no name, unknown");
}

static void
without_nvrtc_nothing_is_compiled (void **state)
{
  struct pg_module *module;
  uint64_t address;
  (void) state;
  nvrtc.is_missing = true;
  open_it ();
  for (int i = 0; i < 2; i++)
    {
      assert_int_equal (compile (&module), PG_DEVICE_NOT_COMPILED);
      assert_message ("no NVRTC: libnvrtc.so is not found");
      gpu.fails_at = gpu.n_calls + 2; /* what another call says is not in the way */
      gpu.fails_as = NO_MEMORY;
      assert_int_equal (ops->alloc (device, 1, &address), PG_DEVICE_NO_MEMORY);
      assert_message ("cuMemAllocAsync: CUDA_ERROR_OUT_OF_MEMORY, out of memory");
    }
  ops->close (device);
  assert_nothing_left ();
}

/* Wherever the program's thread has its stack, and however much of it.  */
static void
compilers_have_a_large_stack (void **state)
{
  struct pg_module *module;
  (void) state;
  open_it ();
  has_no_threads = true;
  assert_int_equal (compile (&module), PG_DEVICE_NO_MEMORY);
  assert_message ("no thread");
  has_no_threads = false;
  use_and_compare ();
  assert_in_range (stack_len, 8 << 20, 1 << 30);
  ops->close (device);
  assert_nothing_left ();
}

static void
what_cannot_be_compiled_is_said (void **state)
{
  struct pg_module *module;
  const struct pg_device_kernel kernels[17]
    = { { &grid, "first" } },
    long_name = { &grid, "a_name_that_is_too_long_for_what_is_kept_of_a_module_on_a_device_of_this_kind" };
  (void) state;
  open_it ();
  assert_int_equal (ops->compile (device, kernels, 17, &module), PG_DEVICE_NOT_COMPILED);
  assert_int_equal (ops->compile (device, &long_name, 1, &module), PG_DEVICE_NOT_COMPILED);
  nvrtc.fails_as = 6;
  assert_int_equal (compile (&module), PG_DEVICE_NOT_COMPILED);
  assert_message ("error: told to");
  nvrtc.fails_as = 1;
  assert_int_equal (compile (&module), PG_DEVICE_NO_MEMORY);
  nvrtc.fails_as = 0;
  gpu.fails_at = gpu.n_calls + 2;
  gpu.fails_as = 218; /* invalid PTX */
  assert_int_equal (compile (&module), PG_DEVICE_NOT_COMPILED);
  assert_string_equal (gpu.failed, "cuModuleLoadDataEx");
  assert_message ("unknown: ptxas: told to");
  use_and_compare ();
  ops->close (device);
  assert_nothing_left ();
}

static void
a_gpu_newer_than_nvrtc_gets_ptx (void **state)
{
  (void) state;
  nvrtc.too_new = "sm_120";
  gpu.capability = 120;
  open_it ();
  use_and_compare ();
  assert_string_equal (nvrtc.target, "compute_75");
  ops->close (device);
}

static void
what_was_compiled_is_kept (void **state)
{
  char folder[] = "/tmp/paragon-device-XXXXXX", command[64];
  (void) state;
  void *sqlite = __real_dlopen ("libsqlite3.so.0", RTLD_NOW);
  if (sqlite == NULL)
    skip ();
  __real_dlclose (sqlite);
  assert_non_null (mkdtemp (folder));
  setenv ("XDG_CACHE_HOME", folder, 1);
  for (int i = 0; i < 3; i++)
    {
      open_it ();
      gpu.capability = i < 2 ? 90 : 80;
      strcpy (nvrtc.names, "first second ");
      use_and_compare ();
      ops->close (device);
      assert_int_equal (nvrtc.n_compiled, 1);
    }
  gpu.capability = 80;
  open_it ();
  use_and_compare ();
  ops->close (device);
  assert_int_equal (nvrtc.n_compiled, 2);
  snprintf (command, sizeof command, "rm -rf %s", folder);
  assert_int_equal (system (command), 0);
}

static void *
use_elsewhere (void *data)
{
  use_and_compare ();
  assert_own_context ();
  return data;
}

/* Which thread opens it does not matter, nor whether one has a context of its own.  */
static void
any_thread_may_use_it (void **state)
{
  pthread_t thread;
  (void) state;
  open_it ();
  assert_int_equal (__real_pthread_create (&thread, NULL, use_elsewhere, NULL), 0);
  assert_int_equal (pthread_join (thread, NULL), 0);
  use_and_compare ();
  ops->close (device);
  assert_nothing_left ();
}

/* Whether the failed call is one after which some objects cannot be given back, but with the context.  */
static bool
has_locked_out (void)
{
  return strcmp (gpu.failed, "cuCtxPushCurrent") == 0 || strcmp (gpu.failed, "cuThreadExchangeStreamCaptureMode") == 0;
}

/* Open, use and close the device while call number N comes to RESULT, which means EXPECTED, if it MUST_SHOW.  False:
   there is no such call.  */
static bool
fail_once (int n, int result, enum pg_device_status expected, bool must_show)
{
  reset_gpu ();
  gpu.fails_at = n;
  gpu.fails_as = result;
  enum pg_device_status status = ops->open (&device, why);
  if (status == PG_DEVICE_OK)
    {
      status = use ();
      snprintf (why, sizeof why, "%s", ops->message (device));
      ops->close (device);
    }
  if (gpu.failed == NULL)
    return false;
  if (status != (must_show ? expected : PG_DEVICE_OK))
    fail_msg ("%s fails with %d: %d, not %d", gpu.failed, result, (int) status, (int) expected);
  if (status != PG_DEVICE_OK && strstr (why, gpu.failed) == NULL)
    fail_msg ("%s fails, but the message is \"%s\"", gpu.failed, why);
  assert_own_context ();
  assert_int_equal (gpu.n_retained, 0);
  if (!has_locked_out ())
    assert_nothing_left ();
  return true;
}

/* How many calls are made before the memory is given back: each failure of these must show, and no later one can.  */
static int
count_calls (void)
{
  open_it ();
  use ();
  int n = gpu.n_calls - 5; /* push, exchange, free, exchange, pop */
  ops->close (device);
  return n;
}

static void
any_call_may_fail (void **state)
{
  static const struct
  {
    int result;
    enum pg_device_status expected;
  } cases[] = { { NO_MEMORY, PG_DEVICE_NO_MEMORY }, { 701, PG_DEVICE_NO_MEMORY }, { ILLEGAL_ADDRESS, PG_DEVICE_FAULT },
		{ 719, PG_DEVICE_FAULT },           { 702, PG_DEVICE_TIMEOUT },   { 500, PG_DEVICE_NOT_COMPILED },
		{ UNKNOWN, PG_DEVICE_LOST },        { 4, PG_DEVICE_LOST } };
  (void) state;
  int n_shown = count_calls ();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      int n = 0;
      while (fail_once (n, cases[i].result, cases[i].expected, n < n_shown))
	n++;
      assert_in_range (n, n_shown + 5, 1000);
    }
}

/* It takes the context with it, which the program may use: that is not reset, and the device not used again.  */
static void
a_kernel_that_faults_loses_the_device (void **state)
{
  struct pg_module *module;
  uint64_t address;
  (void) state;
  open_it ();
  assert_int_equal (ops->alloc (device, 1, &address), PG_DEVICE_OK);
  assert_int_equal (compile (&module), PG_DEVICE_OK);
  gpu.fails_to_run = true;
  assert_int_equal (launch (module, 60000), PG_DEVICE_OK);
  assert_int_equal (ops->wait (device), PG_DEVICE_FAULT);
  assert_message ("cuEventQuery: CUDA_ERROR_ILLEGAL_ADDRESS, an illegal memory access was encountered");
  assert_own_context ();
  int n_calls = gpu.n_calls;
  assert_int_equal (ops->alloc (device, 1, &address), PG_DEVICE_LOST);
  assert_int_equal (ops->copy_in (device, address, in, 1), PG_DEVICE_LOST);
  assert_int_equal (ops->copy_out (device, out, address, 1), PG_DEVICE_LOST);
  assert_int_equal (ops->set (device, address, 0, 1), PG_DEVICE_LOST);
  assert_int_equal (compile (&module), PG_DEVICE_LOST);
  assert_int_equal (launch (module, 1), PG_DEVICE_LOST);
  assert_int_equal (ops->wait (device), PG_DEVICE_LOST);
  assert_int_equal (gpu.n_calls, n_calls);
  ops->free (device, address);
  assert_message ("cuEventQuery: ");
  ops->close (device);
  assert_own_context ();
  assert_int_equal (gpu.n_retained, 0);
}

/* Whatever waits for the device then waits for ever: so nothing is asked of it any more.  */
static void
a_kernel_that_does_not_end_is_left_alone (void **state)
{
  struct pg_module *module;
  uint64_t address;
  (void) state;
  open_it ();
  char *memory = get_memory ();
  ops->pin (device, memory, LEN);
  assert_int_equal (ops->alloc (device, 1, &address), PG_DEVICE_OK);
  assert_int_equal (compile (&module), PG_DEVICE_OK);
  gpu.is_endless = true;
  assert_int_equal (launch (module, 1), PG_DEVICE_OK);
  assert_int_equal (ops->wait (device), PG_DEVICE_TIMEOUT);
  assert_message ("did not end in time");
  assert_own_context ();
  int n_calls = gpu.n_calls;
  ops->unpin (device, memory);
  munmap (memory, LEN);
  ops->free (device, address);
  assert_int_equal (ops->alloc (device, 1, &address), PG_DEVICE_LOST);
  ops->close (device);
  assert_int_equal (gpu.n_calls, n_calls);
}

/* The parent's context is not the child's, and CUDA cannot begin again.  */
static void
a_child_has_no_gpu (void **state)
{
  int status;
  (void) state;
  open_it ();
  pid_t child = fork ();
  assert_true (child >= 0);
  if (child == 0)
    {
      struct pg_device *own = NULL;
      int n_calls = gpu.n_calls;
      bool is_refused = ops->open (&own, why) == PG_DEVICE_LOST && own == NULL && strstr (why, "forked") != NULL;
      _exit (is_refused && gpu.n_calls == n_calls ? 0 : 1);
    }
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_int_equal (status, 0);
  use_and_compare ();
  ops->close (device);
  assert_nothing_left ();
}

/* What is kept from run to run is another one's on another GPU, or with another driver.  */
static void
it_says_what_it_is (void **state)
{
  char text[PG_DEVICE_TEXT_LEN];
  (void) state;
  open_it ();
  ops->identify (device, text);
  assert_string_equal (text, "cuda GPU of paper, driver 12040");
  for (int call = 0; call < 2; call++)
    {
      gpu.fails_at = gpu.n_calls + call;
      gpu.fails_as = UNKNOWN;
      ops->identify (device, text);
      assert_string_equal (text, "");
    }
  assert_own_context ();
  ops->close (device);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (what_goes_there_comes_back, set_up, tear_down),
    cmocka_unit_test_setup_teardown (pinned_memory_is_copied_at_once, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_is_not_pinned_is_copied_as_before, set_up, tear_down),
    cmocka_unit_test_setup_teardown (memory_comes_from_a_pool_if_there_are_any, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_kernel_gets_its_arguments_in_one_piece, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_launch_that_is_wrong_does_no_harm, set_up, tear_down),
    cmocka_unit_test_setup_teardown (it_says_what_it_is, set_up, tear_down),
    cmocka_unit_test_setup_teardown (limits_are_what_the_driver_says, set_up, tear_down),
    cmocka_unit_test_setup_teardown (ranks_on_one_machine_share_its_gpus, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_cannot_be_used_is_refused_with_a_reason, set_up, tear_down),
    cmocka_unit_test_setup_teardown (without_nvrtc_nothing_is_compiled, set_up, tear_down),
    cmocka_unit_test_setup_teardown (compilers_have_a_large_stack, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_cannot_be_compiled_is_said, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_gpu_newer_than_nvrtc_gets_ptx, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_was_compiled_is_kept, set_up, tear_down),
    cmocka_unit_test_setup_teardown (any_thread_may_use_it, set_up, tear_down),
    cmocka_unit_test_setup_teardown (any_call_may_fail, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_kernel_that_faults_loses_the_device, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_kernel_that_does_not_end_is_left_alone, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_child_has_no_gpu, set_up, tear_down),
  };
  return cmocka_run_group_tests (tests, set_up_group, tear_down_group);
}
