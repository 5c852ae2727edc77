/* SPDX-License-Identifier: MIT
   The program of the device's process: hears requests, compiles and loads modules, has workers run launches.  See
   wire.h, run.h.

   This thread does nothing but hear: while a kernel runs it waits for the next request, so that the end of the socket
   ends the process at any time, and with it the kernel.  The last worker that is done sends the launch's reply.  */
#include "../folder.h"
#include "run.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  MOST_WORKERS = 64,
  PATH_LEN = PATH_MAX + 32
};

extern char **environ;

struct pg_emu_hello pg_emu_hello;

static struct pg_emu_code *codes; /* by module; LIBRARY NULL: not loaded */
static uint32_t n_codes;

/* Launches and workers, by LOCK.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_new = PTHREAD_COND_INITIALIZER;
static uint64_t n_launches;          /* that workers were told of */
static uint32_t n_workers, n_wanted; /* of them for the launch that runs: numbers below N_WANTED */
static uint32_t n_working;

/* ---- replies */

/* What cannot be said is told by the socket's end.  */
static void
reply (enum pg_emu_status status, const char *format, ...)
{
  va_list ap;
  struct pg_emu_reply answer = { .status = status };
  va_start (ap, format);
  vsnprintf (answer.text, sizeof answer.text, format, ap);
  va_end (ap);
  ssize_t len;
  while ((len = send (PG_EMU_SOCKET, &answer, sizeof answer, MSG_NOSIGNAL)) < 0 && errno == EINTR)
    ;
  if (len < 0)
    _exit (1);
}

/* ---- modules */

static void
path_of (char path[PATH_LEN], uint32_t module, const char *what)
{
  snprintf (path, PATH_LEN, "%s/%u.%s", pg_emu_hello.folder, module, what);
}

/* Reply with the first error in the compiler's log of MODULE.  */
static void
reply_log (uint32_t module)
{
  char path[PATH_LEN], line[PG_EMU_TEXT_LEN], first[PG_EMU_TEXT_LEN] = "the compiler failed and said nothing";
  bool is_first = true, is_error = false;
  path_of (path, module, "log");
  FILE *file = fopen (path, "re");
  while (file != NULL && !is_error && fgets (line, sizeof line, file) != NULL)
    {
      line[strcspn (line, "\n")] = '\0';
      is_error = strstr (line, "error: ") != NULL;
      if (is_first || is_error)
	memcpy (first, line, sizeof first);
      is_first = false;
    }
  if (file != NULL)
    fclose (file);
  reply (PG_EMU_NOT_COMPILED, "%s", first);
}

/* Run ARGUMENTS with their output in the file LOG.  0: all went well; else an errno, or -1: it failed.  */
static int
run (char *const *arguments, const char *log)
{
  posix_spawn_file_actions_t actions;
  pid_t pid;
  int state = -1;
  int e = posix_spawn_file_actions_init (&actions);
  if (e != 0)
    return e;
  e = posix_spawn_file_actions_addopen (&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  e = e != 0 ? e : posix_spawn_file_actions_adddup2 (&actions, STDOUT_FILENO, STDERR_FILENO);
  e = e != 0 ? e : posix_spawnp (&pid, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy (&actions);
  if (e != 0)
    return e;
  while (waitpid (pid, &state, 0) < 0 && errno == EINTR)
    ;
  return state == 0 ? 0 : -1;
}

/* Compile MODULE, with the options in the file `options`.  Whether that succeeded; if not, the reply is sent.  No
   library: what kernels call is in this program.  */
static bool
compile (uint32_t module)
{
  char text[PATH_LEN], library[PATH_LEN], log[PATH_LEN], options[PATH_LEN], folder[PATH_LEN], shim[PATH_LEN];
  path_of (text, module, "cu");
  path_of (library, module, "so");
  path_of (log, module, "log");
  snprintf (options, sizeof options, "@%s/emu/options", pg_emu_hello.include);
  snprintf (folder, sizeof folder, "-I%s", pg_emu_hello.include);
  snprintf (shim, sizeof shim, "%s/emu/shim.h", pg_emu_hello.include);
  char *arguments[] = { pg_emu_hello.compiler,
			options,
			"-shared",
			"-nostdlib",
			folder,
			"-include",
			shim,
			"-x",
			"c++",
			text,
			"-o",
			library,
			"-lgcc",
			NULL };
  int e = run (arguments, log);
  if (e > 0)
    reply (PG_EMU_NOT_COMPILED, "%s: %s", pg_emu_hello.compiler, strerror (e));
  else if (e < 0)
    reply_log (module);
  return e == 0;
}

/* Note what DATA, a code, has to be told of its library, if INFO is about it.  */
static int
note_segments (struct dl_phdr_info *info, size_t len, void *data)
{
  struct pg_emu_code *code = data;
  const struct link_map *map;
  (void) len;
  if (dlinfo (code->library, RTLD_DI_LINKMAP, &map) != 0 || info->dlpi_addr != map->l_addr)
    return 0;
  code->start = UINT64_MAX;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *segment = &info->dlpi_phdr[i];
      uint64_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
      if (segment->p_type == PT_TLS)
	code->shared_len = segment->p_memsz;
      if (segment->p_type != PT_LOAD)
	continue;
      code->start = start < code->start ? start : code->start;
      code->end = end > code->end ? end : code->end;
    }
  return 1;
}

char *
pg_emu_shared_of (const struct pg_emu_code *code)
{
  void *shared = NULL;
  code->touch ();
  if (dlinfo (code->library, RTLD_DI_TLS_DATA, &shared) != 0 || shared == NULL)
    pg_emu_fail ("no shared memory: %s", dlerror ());
  return shared;
}

/* Load MODULE.  Whether that succeeded; if not, the reply is sent.  */
static bool
load (uint32_t module)
{
  char path[PATH_LEN];
  path_of (path, module, "so");
  if (module >= n_codes)
    {
      struct pg_emu_code *more = realloc (codes, (module + 1) * sizeof *codes);
      if (more == NULL)
	{
	  reply (PG_EMU_NO_MEMORY, "no memory for modules");
	  return false;
	}
      memset (more + n_codes, 0, (module + 1 - n_codes) * sizeof *codes);
      codes = more;
      n_codes = module + 1;
    }
  struct pg_emu_code code = { .library = dlopen (path, RTLD_NOW | RTLD_LOCAL) };
  if (code.library == NULL)
    {
      reply (PG_EMU_NOT_COMPILED, "%s", dlerror ());
      return false;
    }
  dl_iterate_phdr (note_segments, &code);
  *(void **) &code.touch = dlsym (code.library, "pg_emu_touch");
  *(void **) &code.dynamic_start = dlsym (code.library, "pg_emu_dynamic_start");
  codes[module] = code;
  return true;
}

/* ---- launches */

/* What the thread of WORKER does.  */
static void *
work (void *its_worker)
{
  struct pg_emu_worker *worker = its_worker;
  uint64_t seen = 0;
  pg_emu_worker = worker;
  pg_emu_catch_signals ();
  for (;;)
    {
      pthread_mutex_lock (&lock);
      while (n_launches == seen || worker->number >= n_wanted)
	{
	  seen = n_launches;
	  pthread_cond_wait (&is_new, &lock);
	}
      seen = n_launches;
      pthread_mutex_unlock (&lock);
      pg_emu_run (worker);
      pthread_mutex_lock (&lock);
      bool is_last = --n_working == 0;
      pthread_mutex_unlock (&lock);
      if (is_last)
	reply (PG_EMU_OK, "%s", "");
    }
  return NULL;
}

static uint64_t
common_divisor (uint64_t a, uint64_t b)
{
  while (b != 0)
    {
      uint64_t rest = a % b;
      a = b;
      b = rest;
    }
  return a;
}

/* Draw the order of N_BLOCKS blocks from the seed and the launch's number.  */
static void
draw_order (uint32_t n_blocks, uint64_t number)
{
  struct pg_emu_worker dice = { .random = (pg_emu_hello.options.seed + 1) * 0x94d049bb133111eb ^ (number + 1) };
  pg_emu_random (&dice);
  pg_emu_running.first = pg_emu_random (&dice) % n_blocks;
  do
    pg_emu_running.step = pg_emu_random (&dice) % n_blocks;
  while (common_divisor (pg_emu_running.step, n_blocks) != 1);
}

/* Start the launch in pg_emu_running.request.  */
static void
launch (void)
{
  struct pg_emu_running *running = &pg_emu_running;
  const struct pg_emu_request *request = &running->request;
  char name[PG_EMU_NAME_LEN + 32];
  running->code = &codes[request->module];
  snprintf (name, sizeof name, "pg_emu_enter_%s", request->kernel);
  *(void **) &running->enter = dlsym (running->code->library, name);
  snprintf (name, sizeof name, "pg_emu_args_len_%s", request->kernel);
  const unsigned *args_len = dlsym (running->code->library, name);
  if (running->enter == NULL || args_len == NULL)
    {
      reply (PG_EMU_BAD_ARGUMENT, "kernel %s: not in its module", request->kernel);
      return;
    }
  if (*args_len != request->args_len)
    {
      reply (PG_EMU_BAD_ARGUMENT, "kernel %s: takes %u bytes of arguments, not %u", request->kernel, *args_len,
	     request->args_len);
      return;
    }
  running->n_threads = request->block[0] * request->block[1] * request->block[2];
  running->n_blocks = request->grid[0] * request->grid[1] * request->grid[2];
  atomic_store (&running->next, 0);
  draw_order (running->n_blocks, request->number);
  pthread_mutex_lock (&lock);
  n_wanted = n_working = running->n_blocks < n_workers ? running->n_blocks : n_workers;
  n_launches++;
  pthread_cond_broadcast (&is_new);
  pthread_mutex_unlock (&lock);
}

/* ---- the process */

/* Map the device's memory where the program reserved its addresses.  */
static bool
map_memory (void)
{
  uint64_t len = pg_emu_hello.n_pages * PG_EMU_PAGE_LEN;
  void *place = (void *) (uintptr_t) pg_emu_hello.base;
  if (mmap (place, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, PG_EMU_MEMORY, 0)
      != place)
    return false;
  const uint16_t *limits
    = mmap (NULL, pg_emu_hello.n_pages * sizeof *limits, PROT_READ, MAP_SHARED, PG_EMU_MEMORY, (off_t) len);
  pg_emu_access_begin (pg_emu_hello.base, len, limits);
  return limits != MAP_FAILED;
}

static uint32_t
count_cpus (void)
{
  cpu_set_t set;
  int n = sched_getaffinity (0, sizeof set, &set) == 0 ? CPU_COUNT (&set) : 1;
  return n > MOST_WORKERS ? MOST_WORKERS : (uint32_t) n;
}

static bool
start_workers (void)
{
  n_workers = pg_emu_hello.options.n_threads;
  n_workers = n_workers == 0 ? count_cpus () : n_workers;
  for (uint32_t w = 0; w < n_workers; w++)
    {
      pthread_t thread;
      struct pg_emu_worker *worker = pg_emu_worker_make (w);
      if (worker == NULL || pthread_create (&thread, NULL, work, worker) != 0)
	return false;
    }
  return true;
}

int
main (void)
{
  if (fork () != 0)
    _exit (0);
  setenv ("LC_ALL", "C", 1);
  close_range (PG_EMU_MEMORY + 1, ~0u, 0);
  fcntl (PG_EMU_SOCKET, F_SETFD, FD_CLOEXEC);
  fcntl (PG_EMU_MEMORY, F_SETFD, FD_CLOEXEC);
  if (recv (PG_EMU_SOCKET, &pg_emu_hello, sizeof pg_emu_hello, 0) != (ssize_t) sizeof pg_emu_hello)
    _exit (1);
  if (!map_memory ())
    reply (PG_EMU_NO_DEVICE, "the addresses of device memory are taken in its process");
  else if (!start_workers ())
    reply (PG_EMU_NO_DEVICE, "the device's process cannot start threads");
  else
    reply (PG_EMU_OK, "%s", "");
  struct pg_emu_request *request = &pg_emu_running.request;
  while (recv (PG_EMU_SOCKET, request, sizeof *request, 0) > 0)
    {
      if (request->ask == PG_EMU_END)
	_exit (0);
      if (request->ask == PG_EMU_LAUNCH)
	launch ();
      else if ((request->ask == PG_EMU_LOAD || compile (request->module)) && load (request->module))
	reply (PG_EMU_OK, "%s", "");
    }
  pg_emu_remove_folder (pg_emu_hello.folder);
  _exit (0);
}
