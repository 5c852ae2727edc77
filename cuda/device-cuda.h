/* SPDX-License-Identifier: MIT
   A GPU, inside its backend (device-cuda.c, cuda-*.c).  */
#ifndef PG_CUDA_DEVICE_CUDA_H
#define PG_CUDA_DEVICE_CUDA_H

#include "compile.h"
#include "driver.h"

#include <fenv.h>

/* Memory of the host that the GPU copies from and to by itself.  */
struct pg_cuda_staging
{
  char *bytes;
  void *copied; /* an event */
  bool is_busy; /* until that */
};

/* The runtime's own, likewise.  */
struct pg_cuda_pinned
{
  struct pg_cuda_pinned *next;
  char *bytes;
  size_t len;
};

enum
{
  PG_CUDA_LEAST_PINNED = 1 << 20, /* bytes: for fewer it does not pay */
  PG_CUDA_N_STAGING = 2,
  PG_CUDA_STAGING_LEN = 2 << 20,
  PG_CUDA_COPY_LIMIT_MS = 60000 /* for that much */
};

struct pg_cuda
{
  struct pg_device base;
  struct pg_driver driver;
  int number;
  unsigned capability; /* 90: 9.0 */
  bool has_pools;
  bool is_lost;  /* for good */
  bool is_stuck; /* a kernel may still run: to wait for the device is to wait for ever */
  struct pg_kir_limits limits;

  void *context, *stream, *done; /* NULL: not made */
  int capture_mode;              /* the calling thread's own, */
  fenv_t env;                    /* and this, likewise */
  int64_t deadline_ns;           /* when all kernels should have ended */
  struct pg_cuda_staging staging[PG_CUDA_N_STAGING];
  unsigned next_staging;
  struct pg_cuda_pinned *pinned;

  bool has_begun_compiling;
  struct pg_nvrtc *nvrtc; /* NULL: there is none, as NO_NVRTC says */
  char no_nvrtc[PG_NVRTC_TEXT_LEN];
  struct pg_cache *cache; /* NULL: there is none */
  struct pg_module *modules;
  char message[PG_DEVICE_TEXT_LEN];
};

/* Call a function of the driver.  */
#define PG_CUDA_CALL(cuda, name, ...) pg_cuda_check (cuda, "cu" #name, (cuda)->driver.name (__VA_ARGS__))

/* device-cuda.c: Take note of the RESULT of the driver's function NAME.  */
enum pg_device_status pg_cuda_check (struct pg_cuda *cuda, const char *name, int result)
  __attribute__ ((warn_unused_result));

/* Say why a call came to STATUS.  */
enum pg_device_status pg_cuda_failed (struct pg_cuda *cuda, enum pg_device_status status, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* Make CUDA's context the calling thread's, if it is not lost, and give that back its own.  A call that came to STATUS
   comes to what is returned.  */
enum pg_device_status pg_cuda_enter (struct pg_cuda *cuda) __attribute__ ((warn_unused_result));
enum pg_device_status pg_cuda_push (struct pg_cuda *cuda) __attribute__ ((warn_unused_result)); /* even if it is lost */
enum pg_device_status pg_cuda_leave (struct pg_cuda *cuda, enum pg_device_status status);

/* Wait for EVENT, LIMIT_MS longer than all kernels may take.  Entered.  */
enum pg_device_status pg_cuda_wait (struct pg_cuda *cuda, void *event, int64_t limit_ms)
  __attribute__ ((warn_unused_result));

/* The time on the clock that limits are measured by.  */
int64_t pg_cuda_now (void);

/* cuda-copy.c: Make what copies need; give it back, as far as it was made.  Entered.  */
enum pg_device_status pg_cuda_begin_copies (struct pg_cuda *cuda) __attribute__ ((warn_unused_result));
void pg_cuda_end_copies (struct pg_cuda *cuda);

/* Operations of device.h.  */
enum pg_device_status pg_cuda_copy_in (struct pg_device *device, uint64_t to, const void *from, size_t len);
enum pg_device_status pg_cuda_copy_out (struct pg_device *device, void *to, uint64_t from, size_t len);
void pg_cuda_pin (struct pg_device *device, void *memory, size_t len);
void pg_cuda_unpin (struct pg_device *device, void *memory);

/* cuda-module.c: The same.  */
enum pg_device_status pg_cuda_compile_module (struct pg_device *device, const struct pg_device_kernel *kernels,
					      size_t n_kernels, struct pg_module **module);

/* The function NAME of MODULE; NULL: it has none.  */
void *pg_cuda_function (const struct pg_module *module, const char *name);

/* Give back what modules are made of, on the device, too, if it IS_ENTERED.  */
void pg_cuda_end_modules (struct pg_cuda *cuda, bool is_entered);

#endif
