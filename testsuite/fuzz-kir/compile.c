/* SPDX-License-Identifier: MIT
   KIR fuzzer: printed kernels, compiled for the host.

   Many kernels go into one text, each behind a function that all can be called by:

       void start_7 (char *args, const pg_s64 *iters)
       {
	 pg_f64 carry0;
	 __builtin_memcpy (&carry0, args + 128, sizeof carry0);
	 loop_7 (args, &carry0, iters[0], iters[1]);
	 __builtin_memcpy (args + 128, &carry0, sizeof carry0);
       }  */
#include "fuzz-kir.h"

#include "cuda/print.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  COMMAND_LEN = 6 * PATH_MAX
};

char *
fk_print_kernel (const struct pg_kir_kernel *kernel, const char *name)
{
  size_t len = pg_cuda_print (kernel, name, NULL, 0) + 1;
  char *text = malloc (len);
  pg_cuda_print (kernel, name, text, len);
  return text;
}

static void
put_start (FILE *file, const struct pg_kir_kernel *kernel, int number)
{
  fprintf (file, "EXTERN void start_%d (char *args, const pg_s64 *iters)\n{\n", number);
  for (uint32_t c = 0; c < kernel->n_carries; c++)
    fprintf (file, "  pg_%s carry%u;\n  __builtin_memcpy (&carry%u, args + %u, sizeof carry%u);\n",
	     pg_kir_types[kernel->carries[c].type].name, c, c, kernel->carries[c].offset, c);
  fprintf (file, "  loop_%d (args", number);
  for (uint32_t c = 0; c < kernel->n_carries; c++)
    fprintf (file, ", &carry%u", c);
  for (uint32_t d = 0; d < kernel->n_dims; d++)
    fprintf (file, ", (pg_i64) iters[%u]", d);
  fprintf (file, ");\n");
  for (uint32_t c = 0; c < kernel->n_carries; c++)
    fprintf (file, "  __builtin_memcpy (args + %u, &carry%u, sizeof carry%u);\n", kernel->carries[c].offset, c, c);
  fprintf (file, "}\n\n");
}

/* Print the kernels of CASES into PATH.  */
static void
print_all (const char *path, struct fk_case *const *cases, int n)
{
  FILE *file = fopen (path, "w");
  if (file == NULL)
    {
      perror (path);
      exit (2);
    }
  fprintf (file, "#include \"%s/cuda/prelude.cuh\"\n", fk_options.root);
  fprintf (file, "#ifdef __cplusplus\n#define EXTERN extern \"C\"\n#else\n#define EXTERN\n#endif\n\n");
  for (int i = 0; i < n; i++)
    {
      char name[32];
      snprintf (name, sizeof name, "loop_%d", i);
      char *text = fk_print_kernel (&cases[i]->kernel, name);
      fputs (text, file);
      free (text);
      put_start (file, &cases[i]->kernel, i);
    }
  if (fclose (file) != 0)
    {
      perror (path);
      exit (2);
    }
}

/* Put the first error of the messages in PATH into WHY.  */
static void
first_error (const char *path, char *why)
{
  char line[FK_WHY_LEN - 32] = "";
  FILE *file = fopen (path, "r");
  while (file != NULL && fgets (line, sizeof line, file) != NULL && strstr (line, "error") == NULL)
    ;
  if (file != NULL)
    fclose (file);
  line[strcspn (line, "\n")] = '\0';
  snprintf (why, FK_WHY_LEN, "does not compile: %s", line);
}

/* The compiler of CHECK, a command.  */
static const char *
program_of (const struct fk_check *check)
{
  return check->program != NULL ? check->program : strncmp (check->compiler, "c++", 3) ? fk_options.cc : fk_options.cxx;
}

bool
fk_is_there (const struct fk_check *check)
{
  char command[PATH_MAX];
  if (strcmp (check->compiler, FK_ON_EMU) == 0)
    return fk_emu_is_there ();
  snprintf (command, sizeof command, "command -v %s > /dev/null 2>&1", program_of (check));
  return system (command) == 0;
}

bool
fk_compile (struct fk_library *library, const struct fk_check *check, struct fk_case *const *cases, int n,
	    const char *folder, char *why)
{
  char source[PATH_MAX], object[PATH_MAX], messages[PATH_MAX], command[COMMAND_LEN];
  snprintf (source, sizeof source, "%s/kernels.cu", folder);
  snprintf (object, sizeof object, "%s/kernels.so", folder);
  snprintf (messages, sizeof messages, "%s/messages", folder);
  snprintf (
    command, sizeof command,
    "timeout 300 %s -x %s -w -pipe -ffp-contract=off -fno-strict-aliasing -fwrapv -fPIC -shared '%s' -o '%s' 2> '%s'",
    program_of (check), check->compiler, source, object, messages);
  print_all (source, cases, n);
  if (system (command) != 0)
    {
      first_error (messages, why);
      return false;
    }
  library->handle = dlopen (object, RTLD_NOW | RTLD_LOCAL);
  unlink (object);
  if (library->handle == NULL)
    {
      snprintf (why, FK_WHY_LEN, "is not loaded: %s", dlerror ());
      return false;
    }
  for (int i = 0; i < n; i++)
    {
      char name[32];
      snprintf (name, sizeof name, "start_%d", i);
      library->loops[i] = (fk_loop *) dlsym (library->handle, name);
    }
  return true;
}

void
fk_unload (struct fk_library *library)
{
  dlclose (library->handle);
}
