/* SPDX-License-Identifier: MIT
   A device without a GPU, as the program sees it: opened, given text and launches.  See emu.h.

   Text becomes a file in a folder of the device's own, with an entry for each kernel behind it:

       #line 1 "kernels.cu"
       ...						the text
       #line 1 "kernels of the launch"
       PG_EMU_KERNEL (saxpy)				unpacks the arguments and calls the kernel
       PG_EMU_DYNAMIC_LABEL ("partial")			where "extern __shared__ double partial[];" is

   The device's process compiles it.  After a fault there is a new process, which loads it again when it is needed.  */
#include "folder.h"
#include "host.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMPILE_NS ((int64_t) 300 * 1000000000)

enum
{
  LOG_LEN = 1 << 16
};

struct pg_emu_module
{
  struct pg_emu *emu;
  uint32_t number;
  uint64_t loaded; /* in the process of this start */
  size_t n_kernels;
  char (*kernels)[PG_EMU_NAME_LEN];
};

enum pg_emu_status
pg_emu_failed (struct pg_emu *emu, enum pg_emu_status status, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  vsnprintf (emu->message, sizeof emu->message, format, ap);
  va_end (ap);
  return status;
}

const char *
pg_emu_message (const struct pg_emu *emu)
{
  return emu->message;
}

const char *
pg_emu_log (const struct pg_emu *emu)
{
  return emu->log == NULL ? "" : emu->log;
}

static enum pg_emu_status
make_folder (struct pg_emu *emu)
{
  char path[PATH_MAX];
  const char *parent = getenv ("TMPDIR");
  snprintf (path, sizeof path, "%s/paragon-emu-XXXXXX", parent == NULL || *parent == '\0' ? "/tmp" : parent);
  if (mkdtemp (path) == NULL)
    return pg_emu_failed (emu, PG_EMU_NO_DEVICE, "no folder %s: %s", path, strerror (errno));
  memcpy (emu->hello.folder, path, sizeof path);
  return PG_EMU_OK;
}

/* Copy FROM to TO, a path.  */
static bool
copy_path (char to[PATH_MAX], const char *from)
{
  size_t len = strlen (from) + 1;
  if (len > PATH_MAX)
    return false;
  memcpy (to, from, len);
  return true;
}

static enum pg_emu_status
begin (struct pg_emu *emu, const struct pg_emu_setup *setup)
{
  emu->hello.options = setup->options;
  if (!copy_path (emu->program, setup->program) || !copy_path (emu->hello.compiler, setup->compiler)
      || !copy_path (emu->hello.include, setup->include))
    return pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "a path is longer than %d", PATH_MAX - 1);
  enum pg_emu_status status = pg_emu_memory_begin (emu, setup->len);
  if (status == PG_EMU_OK)
    status = make_folder (emu);
  return status == PG_EMU_OK ? pg_emu_process_start (emu) : status;
}

enum pg_emu_status
pg_emu_open (const struct pg_emu_setup *setup, struct pg_emu **opened, char *text)
{
  struct pg_emu *emu = calloc (1, sizeof *emu);
  *opened = NULL;
  snprintf (text, PG_EMU_TEXT_LEN, "no memory");
  if (emu == NULL)
    return PG_EMU_NO_MEMORY;
  emu->owner = getpid ();
  emu->memory = emu->socket = -1;
  enum pg_emu_status status = begin (emu, setup);
  if (status != PG_EMU_OK)
    {
      memcpy (text, emu->message, PG_EMU_TEXT_LEN);
      pg_emu_close (emu);
      return status;
    }
  *opened = emu;
  return PG_EMU_OK;
}

static void
free_module (struct pg_emu_module *module)
{
  if (module != NULL)
    free (module->kernels);
  free (module);
}

void
pg_emu_close (struct pg_emu *emu)
{
  if (emu == NULL)
    return;
  pg_emu_process_end (emu);
  pg_emu_memory_end (emu);
  if (emu->owner == getpid ())
    pg_emu_remove_folder (emu->hello.folder);
  for (uint32_t m = 0; m < emu->n_modules; m++)
    free_module (emu->modules[m]);
  free (emu->modules);
  free (emu->log);
  free (emu);
}

static bool
is_name (char c)
{
  return isalnum ((unsigned char) c) || c == '_';
}

/* Whether NAME can be a kernel's.  */
static bool
is_kernel_name (const char *name)
{
  size_t len = strlen (name);
  if (len == 0 || len >= PG_EMU_NAME_LEN || isdigit ((unsigned char) *name))
    return false;
  for (size_t i = 0; i < len; i++)
    if (!is_name (name[i]))
      return false;
  return true;
}

/* The dynamic array that is declared after AT: its name's start, and *LEN, or NULL; *NEXT is where to search on.  */
static const char *
find_dynamic (const char *at, size_t *len, const char **next)
{
  for (at = strstr (at, "__shared__"); at != NULL; at = strstr (at + 1, "__shared__"))
    {
      const char *bracket = at + strcspn (at, "[;");
      const char *end = bracket;
      while (end > at && isspace ((unsigned char) end[-1]))
	end--;
      const char *name = end;
      while (name > at && is_name (name[-1]))
	name--;
      if (*bracket == '[' && bracket[1 + strspn (bracket + 1, " \t\n")] == ']' && name < end)
	{
	  *len = (size_t) (end - name);
	  *next = bracket;
	  return name;
	}
    }
  return NULL;
}

/* Print TEXT and the entries of MODULE's kernels into FILE.  */
static void
print_module (FILE *file, const struct pg_emu_module *module, const char *text)
{
  size_t len;
  const char *next = text;
  fprintf (file, "#line 1 \"kernels.cu\"\n%s\n#line 1 \"kernels of the launch\"\n", text);
  for (size_t k = 0; k < module->n_kernels; k++)
    fprintf (file, "PG_EMU_KERNEL (%s)\n", module->kernels[k]);
  const char *name = find_dynamic (text, &len, &next);
  if (name == NULL)
    return;
  fputs ("PG_EMU_DYNAMIC_BEGIN\n", file);
  for (; name != NULL; name = find_dynamic (next, &len, &next))
    fprintf (file, "PG_EMU_DYNAMIC_LABEL (\"%.*s\")\n", (int) len, name);
  fputs ("PG_EMU_DYNAMIC_END\n", file);
}

static enum pg_emu_status
write_module (struct pg_emu *emu, const struct pg_emu_module *module, const char *text)
{
  char path[PATH_MAX + 16];
  snprintf (path, sizeof path, "%s/%u.cu", emu->hello.folder, module->number);
  FILE *file = fopen (path, "we");
  bool is_written = file != NULL;
  if (is_written)
    {
      print_module (file, module, text);
      is_written = ferror (file) == 0;
      is_written &= fclose (file) == 0;
    }
  return is_written ? PG_EMU_OK : pg_emu_failed (emu, PG_EMU_NO_DEVICE, "%s: %s", path, strerror (errno));
}

/* Keep what the compiler said about module NUMBER.  */
static void
read_log (struct pg_emu *emu, uint32_t number)
{
  char path[PATH_MAX + 16];
  free (emu->log);
  emu->log = NULL;
  snprintf (path, sizeof path, "%s/%u.log", emu->hello.folder, number);
  FILE *file = fopen (path, "re");
  if (file == NULL)
    return;
  emu->log = malloc (LOG_LEN);
  if (emu->log != NULL)
    emu->log[fread (emu->log, 1, LOG_LEN - 1, file)] = '\0';
  fclose (file);
}

/* Have MODULE compiled or loaded, as ASK says, in the process.  */
static enum pg_emu_status
ask_for_module (struct pg_emu *emu, struct pg_emu_module *module, enum pg_emu_ask ask)
{
  struct pg_emu_request request = { .ask = ask, .module = module->number };
  enum pg_emu_status status = pg_emu_process_ask (emu, &request);
  if (status == PG_EMU_OK)
    status = pg_emu_process_hear (emu, pg_emu_now () + COMPILE_NS);
  if (status == PG_EMU_OK)
    module->loaded = emu->n_starts;
  return status;
}

/* A new module of EMU, which has a number and a place, but is not counted.  */
static struct pg_emu_module *
add_module (struct pg_emu *emu, const char *const *kernels, size_t n_kernels)
{
  struct pg_emu_module **modules = realloc (emu->modules, (emu->n_modules + 1) * sizeof *modules);
  if (modules == NULL)
    return NULL;
  emu->modules = modules;
  struct pg_emu_module *module = calloc (1, sizeof *module);
  if (module == NULL)
    return NULL;
  *module = (struct pg_emu_module) { .emu = emu, .number = emu->n_modules, .n_kernels = n_kernels };
  module->kernels = calloc (n_kernels + 1, sizeof *module->kernels);
  for (size_t k = 0; module->kernels != NULL && k < n_kernels; k++)
    memcpy (module->kernels[k], kernels[k], strlen (kernels[k]) + 1);
  if (module->kernels == NULL)
    {
      free (module);
      return NULL;
    }
  return module;
}

enum pg_emu_status
pg_emu_compile (struct pg_emu *emu, const char *text, const char *const *kernels, size_t n_kernels,
		struct pg_emu_module **compiled)
{
  *compiled = NULL;
  enum pg_emu_status status = pg_emu_wait (emu);
  for (size_t k = 0; k < n_kernels; k++)
    if (status == PG_EMU_OK && !is_kernel_name (kernels[k]))
      status = pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "\"%.40s\" is no kernel's name", kernels[k]);
  if (status == PG_EMU_OK)
    status = pg_emu_process_start (emu);
  if (status != PG_EMU_OK)
    return status;
  struct pg_emu_module *module = add_module (emu, kernels, n_kernels);
  if (module == NULL)
    return pg_emu_failed (emu, PG_EMU_NO_MEMORY, "no memory");
  status = write_module (emu, module, text);
  if (status == PG_EMU_OK)
    {
      status = ask_for_module (emu, module, PG_EMU_COMPILE);
      read_log (emu, module->number);
    }
  if (status != PG_EMU_OK)
    {
      free_module (module);
      return status;
    }
  emu->modules[emu->n_modules++] = module;
  *compiled = module;
  return PG_EMU_OK;
}

static bool
has_kernel (const struct pg_emu_module *module, const char *name)
{
  for (size_t k = 0; k < module->n_kernels; k++)
    if (strcmp (module->kernels[k], name) == 0)
      return true;
  return false;
}

static enum pg_emu_status
check_launch (struct pg_emu *emu, const struct pg_emu_module *module, const struct pg_emu_launch *launch)
{
  static const uint32_t most_block[3] = { 1024, 1024, 64 }, most_grid[3] = { INT32_MAX, 65535, 65535 };
  uint64_t n_threads = 1, n_blocks = 1;
  if (module->emu != emu)
    return pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "the module is another device's");
  if (!has_kernel (module, launch->kernel))
    return pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "the module has no kernel %.128s", launch->kernel);
  for (int d = 0; d < 3; d++)
    {
      n_threads *= launch->block[d] > most_block[d] ? 0 : launch->block[d];
      n_blocks *= launch->grid[d] > most_grid[d] || n_blocks > INT32_MAX ? 0 : launch->grid[d];
    }
  if (n_threads == 0 || n_threads > PG_EMU_MOST_BLOCK_THREADS)
    return pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "kernel %s: a block of %u x %u x %u threads", launch->kernel,
			  launch->block[0], launch->block[1], launch->block[2]);
  if (n_blocks == 0 || n_blocks > INT32_MAX)
    return pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "kernel %s: a grid of %u x %u x %u blocks", launch->kernel,
			  launch->grid[0], launch->grid[1], launch->grid[2]);
  if (launch->shared_len > PG_EMU_MOST_SHARED_LEN)
    return pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "kernel %s: %u bytes of shared memory, more than %d",
			  launch->kernel, launch->shared_len, PG_EMU_MOST_SHARED_LEN);
  if (launch->args_len > PG_EMU_MOST_ARGS_LEN)
    return pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "kernel %s: %u bytes of arguments, more than %d", launch->kernel,
			  launch->args_len, PG_EMU_MOST_ARGS_LEN);
  return PG_EMU_OK;
}

enum pg_emu_status
pg_emu_launch (struct pg_emu *emu, struct pg_emu_module *module, const struct pg_emu_launch *launch)
{
  enum pg_emu_status status = check_launch (emu, module, launch);
  if (status == PG_EMU_OK)
    status = pg_emu_wait (emu);
  if (status == PG_EMU_OK)
    status = pg_emu_process_start (emu);
  if (status == PG_EMU_OK && module->loaded != emu->n_starts)
    status = ask_for_module (emu, module, PG_EMU_LOAD);
  if (status != PG_EMU_OK)
    return status;
  struct pg_emu_request request = { .ask = PG_EMU_LAUNCH,
				    .module = module->number,
				    .number = emu->n_launches++,
				    .shared_len = launch->shared_len,
				    .args_len = launch->args_len };
  memcpy (request.grid, launch->grid, sizeof request.grid);
  memcpy (request.block, launch->block, sizeof request.block);
  memcpy (request.kernel, launch->kernel, strlen (launch->kernel) + 1);
  if (launch->args_len > 0)
    memcpy (request.args, launch->args, launch->args_len);
  memcpy (emu->kernel, request.kernel, sizeof request.kernel);
  status = pg_emu_process_ask (emu, &request);
  emu->is_running = status == PG_EMU_OK;
  emu->limit_ms = launch->limit_ms;
  emu->due_ns = pg_emu_now () + (int64_t) launch->limit_ms * 1000000;
  return status;
}

enum pg_emu_status
pg_emu_wait (struct pg_emu *emu)
{
  if (!emu->is_running)
    return PG_EMU_OK;
  if (emu->owner != getpid ())
    return pg_emu_failed (emu, PG_EMU_NO_DEVICE, "the device is another process's");
  enum pg_emu_status status = pg_emu_process_hear (emu, emu->due_ns);
  emu->is_running = false;
  if (status == PG_EMU_TIMEOUT)
    return pg_emu_failed (emu, status, "kernel %s: not done after %u ms", emu->kernel, emu->limit_ms);
  if (status == PG_EMU_NO_DEVICE)
    return pg_emu_failed (emu, PG_EMU_FAULT, "kernel %s: the device's process died", emu->kernel);
  return status;
}
