/* SPDX-License-Identifier: MIT
   How a program finds the runtime without a link flag: the lazy stub, in every object that has a guard.

   Guards call through a pointer; it starts at a function that looks for the library once and then stands aside.  This
   file is compiled when Paragon is built, to assembler text that the plugin has in it and puts into objects: an object
   costs no time of the compiler, and few bytes.

   The pointer and both functions are in COMDAT groups, which is what C++ makes of `inline': one copy per program or
   shared object.  Two threads that come first at once do the same twice.  A thread that comes back while it looks runs
   the original loop: the dynamic linker calls the program's malloc, which may have loops, and a signal handler may,
   too.  The C library is referred to through weak
   references (.weakref), so that no link fails and the object's own references stay as strong as they are; dlopen is
   found at run time, as the linker warns about it in static programs.  Those have no AT_BASE, and stay sequential; in
   others getenv and errno are always there.  A setuid program takes the library from the system's directories only.

   To open the library takes some 0.2 ms, more than small programs spend in their loops.  So it is opened once the loops
   that would be handed over have come for some milliseconds, or when one comes that takes that long by the compiler's
   estimate; before that, they run as they were written.  Who asks anything of Paragon by a variable, or has results
   depend on who runs the loop (PG_DESCRIPTOR_AT_ONCE), has it at once.

   There are no unwind tables: while the stub is on the stack, the dynamic linker works.  F, which runs a region that
   has no original loop, is jumped to.

   Changing what these functions do means new names: the linker takes one copy for objects of all plugins.  */

#include <dlfcn.h>
#include <elf.h>
#include <stdint.h>
#include <time.h>

#include "../../include/paragon_region.h"

/* What the plugin puts a path in place of: that of the library beside itself.  It may be empty.  */
#define BESIDE_PLUGIN "paragon: the library beside the plugin"
#define SONAME "libparagon.so.1"

#define SHARED __attribute__ ((used, visibility ("hidden")))
#define WEAK(name) __asm__("__paragon_" name) __attribute__ ((weakref (name)))

static unsigned long weak_getauxval (unsigned long type) WEAK ("getauxval");
static char *weak_getenv (const char *name) WEAK ("getenv");
static void *weak_dlsym (void *library, const char *name) WEAK ("dlsym");
static int *weak_errno () WEAK ("__errno_location");
static int weak_clock (clockid_t clock, struct timespec *now) WEAK ("clock_gettime");
static char **weak_environment WEAK ("__environ");

typedef int64_t enter_fn (struct pg_descriptor *region, void *args, int64_t n_iters);
typedef void *dlopen_fn (const char *name, int flags);

extern "C"
{
  SHARED enter_fn __paragon_lazy_v3, __paragon_no_v3;
  SHARED inline enter_fn *__paragon_pointer_v3 = __paragon_lazy_v3;

  /* The thread that began to look last, by the address of its errno.  */
  SHARED inline int *__paragon_looking_v3;

  /* When a loop came first, in nanoseconds; 0: none came; below: the library is to be opened at once.  */
  SHARED inline int64_t __paragon_first_v3;
}

enum
{
  EARLY_NS = 5000000,
  LONG_WORK = 1000 /* times the least that is handed over: some 10 ms, or, where vectors do it, 5 */
};

/* The entry points of the library: the names that dlsym gets.  */
#define PG_ABI_FUNCTION(type, name, arguments) \
  static inline const char *name##_symbol ()   \
  {                                            \
    return #name;                              \
  }
#include "../../include/paragon_abi.def"
#undef PG_ABI_FUNCTION

/* The entry point of the first library that opens, or null.  All is bound at once: what binds functions when they are
   first called takes more stack than a signal handler may have.  */
static inline __attribute__ ((always_inline)) enter_fn *
look_for_library ()
{
  bool is_trusted = !weak_getauxval (AT_SECURE);
  const char *wish = is_trusted ? weak_getenv ("PARAGON") : nullptr;
  dlopen_fn *open = (dlopen_fn *) weak_dlsym (RTLD_DEFAULT, "dlopen");
  if (!open || (wish && wish[0] == 'o' && wish[1] == 'f' && wish[2] == 'f' && !wish[3]))
    return nullptr;

  const char *name = is_trusted ? weak_getenv ("PARAGON_LIBRARY") : nullptr;
  void *library = nullptr;
  if (name && *name)
    library = open (name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  name = BESIDE_PLUGIN;
  __asm__("" : "+r"(name)); /* the compiler does not know what it is */
  if (!library && is_trusted && *name)
    library = open (name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library)
    library = open (SONAME, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  return library ? (enter_fn *) weak_dlsym (library, __paragon_enter_v2_symbol ()) : nullptr;
}

/* Whether the user asks something of Paragon.  */
static inline __attribute__ ((always_inline)) bool
is_asked ()
{
  static const char name[] = "PARAGON";
  for (char **variable = weak_environment; variable && *variable; variable++)
    {
      int i = 0;
      while (name[i] && (*variable)[i] == name[i])
	i++;
      if (!name[i])
	return true;
    }
  return false;
}

/* Whether it is too early to open the library for N_ITERS iterations of REGION.  */
static inline __attribute__ ((always_inline)) bool
is_early (const struct pg_descriptor *region, int64_t n_iters)
{
  struct timespec now;
  if ((region->flags & PG_DESCRIPTOR_AT_ONCE) || n_iters / LONG_WORK >= region->threshold || !weak_clock
      || __paragon_first_v3 < 0 || weak_clock (CLOCK_MONOTONIC, &now) != 0)
    return false;
  int64_t ns = now.tv_sec * 1000000000 + now.tv_nsec;
  if (__paragon_first_v3 == 0)
    __paragon_first_v3 = is_asked () ? -1 : ns;
  return __paragon_first_v3 >= 0 && ns - __paragon_first_v3 < EARLY_NS;
}

SHARED inline __attribute__ ((cold)) int64_t
__paragon_no_v3 (struct pg_descriptor *region, void *args, int64_t n_iters)
{
  return region->flags & PG_DESCRIPTOR_F_IF_REFUSED ? region->body (args, 0, n_iters, nullptr) : 0;
}

SHARED inline __attribute__ ((cold)) int64_t
__paragon_lazy_v3 (struct pg_descriptor *region, void *args, int64_t n_iters)
{
  enter_fn *enter = nullptr;
  if (weak_getauxval && weak_dlsym && weak_getauxval (AT_BASE))
    {
      int *thread = weak_errno (), saved = *thread;
      if (__paragon_looking_v3 != thread)
	{
	  __paragon_looking_v3 = thread;
	  bool is_too_early = is_early (region, n_iters);
	  if (!is_too_early)
	    enter = look_for_library ();
	  *thread = saved;
	  if (is_too_early)
	    {
	      __paragon_looking_v3 = nullptr;
	      __paragon_pointer_v3 = __paragon_lazy_v3; /* a clock of the program's own may have loops */
	      return __paragon_no_v3 (region, args, n_iters);
	    }
	}
    }
  if (!enter)
    enter = __paragon_no_v3;
  __paragon_pointer_v3 = enter;
  return enter (region, args, n_iters);
}
