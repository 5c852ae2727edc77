/* SPDX-License-Identifier: MIT
   How a program finds the runtime without a link flag: the lazy stub, in every object that has a guard.

   Guards call through a pointer; it starts at a function that looks for the library once and then stands aside.  This
   file is compiled when Paragon is built, to assembler text that the plugin has in it and puts into objects: an object
   costs no time of the compiler, and few bytes.

   The pointer and the functions are in COMDAT groups, which is what C++ makes of `inline': one copy per program or
   shared object.  The C library is referred to through weak references (.weakref), so that no link fails and the
   object's own references stay as strong as they are; dlopen is found at run time, as the linker warns about it in
   static programs.  Those have no AT_BASE, and stay sequential; in others the clock, the environment and errno are
   always there.  A setuid program takes the library from the system's directories only.

   To open the library takes some 0.2 ms, more than small programs spend in their loops.  So it is opened once the
   process has used processors for EARLY_NS, of which that is two hundredths, or when a loop comes that takes that
   long by the compiler's estimate; before that, loops run as they were written.  Who asks anything of Paragon by a
   variable has it as the object is loaded.

   The dynamic linker locks itself, calls the program's malloc, and is no place to jump out of.  A thread that would
   wait for it may be waited for by one that is in it: constructors start threads, destructors join them.  A signal
   handler may have interrupted it, or malloc, and a loop in malloc may run under malloc's lock.  So the library is
   opened where nothing of that can be: as the object is loaded, or else by the thread that loaded it, the main thread
   mostly, while no signal is blocked, as one is in a handler.  Everybody else runs the original loop until then.  It is
   opened as the object is loaded if there is reason to expect others (PG_LOAD_MARK, which the plugin writes: the
   program starts threads, handles signals, has a malloc of its own, or has results depend on who runs a loop), if
   signals are blocked from the start, and if the process has used EARLY_NS by then.

   Signals wait while the library is opened: a handler may jump, and would leave the dynamic linker locked.  Those that
   the thread's own instructions raise do not wait, as handlers may make up for what raises them.

   There are no unwind tables: while the stub is on the stack, the dynamic linker works.  F, which runs a region that
   has no original loop, is jumped to.

   Changing what these functions do means new names: the linker takes one copy for objects of all plugins.  */

#include <dlfcn.h>
#include <elf.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

#include "../../include/paragon_region.h"

/* What the plugin puts a path in place of: that of the library beside itself, or else SONAME.  Where it ends so, it
   shares SONAME's bytes.  */
#define BESIDE_PLUGIN "paragon: the library beside the plugin"
#define SONAME "libparagon.so.1"

/* A byte in those objects after which the library is opened early, or nothing.  */
#define PG_LOAD_MARK __paragon_at_load_v7

#define SHARED __attribute__ ((used, visibility ("hidden")))
#define WEAK(name) __asm__("__paragon_" name) __attribute__ ((weakref (name)))

static unsigned long weak_getauxval (unsigned long type) WEAK ("getauxval");
static void *weak_dlsym (void *library, const char *name) WEAK ("dlsym");
static int *weak_errno () WEAK ("__errno_location");
static int weak_clock (clockid_t clock, struct timespec *now) WEAK ("clock_gettime");
static int weak_mask (int how, const sigset_t *set, sigset_t *old) WEAK ("sigprocmask");
static char **weak_environment WEAK ("__environ");

typedef int64_t enter_fn (struct pg_descriptor *region, void *args, int64_t n_iters);
typedef void *dlopen_fn (const char *name, int flags);

struct stub
{
  enter_fn *enter; /* the pointer */
  int *opener;     /* the thread that may open the library, by the address of its errno; null while it does */
};

extern "C"
{
  SHARED enter_fn __paragon_lazy_v7, __paragon_no_v7;
  SHARED inline stub __paragon_pointer_v7 = { __paragon_lazy_v7, nullptr };
  extern const char PG_LOAD_MARK __attribute__ ((weak, visibility ("hidden")));
}

/* A set of signals; the C library and the kernel look at the first 64.  */
union signals
{
  sigset_t set;
  uint64_t first;
};

static const uint64_t ALL_BUT_OWN
  = ~(1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1) | 1ull << (SIGFPE - 1) | 1ull << (SIGILL - 1) | 1ull << (SIGTRAP - 1)
      | 1ull << (SIGSYS - 1) | 1ull << (SIGABRT - 1));

enum
{
  EARLY_NS = 10000000,
  LONG_WORK = 10 /* as a power of two, times the least that is handed over: some 10 ms, or, where vectors do it, 5 */
};

/* The entry points of the library: the names that dlsym gets.  */
#define PG_ABI_FUNCTION(type, name, arguments) \
  static inline const char *name##_symbol ()   \
  {                                            \
    return #name;                              \
  }
#include "../../include/paragon_abi.def"
#undef PG_ABI_FUNCTION

/* What follows BEGIN in the first variable of the environment that begins so, or null.  */
extern "C" SHARED inline __attribute__ ((cold, noinline, nocf_check)) const char *
__paragon_wish_v7 (const char *begin)
{
  if (char **variable = weak_environment)
    for (; *variable; variable++)
      for (int i = 0;; i++)
	{
	  if (!begin[i])
	    return *variable + i;
	  if (begin[i] != (*variable)[i])
	    break;
	}
  return nullptr;
}

/* The entry point of the library that the user names, else of the one beside the plugin; if that does not open, of the
   system's; if that does not, what stands for it.  All is bound at once: what binds functions when they are first
   called takes more stack than a signal handler may have.  */
static inline __attribute__ ((always_inline)) enter_fn *
look_for_library ()
{
  dlopen_fn *open = (dlopen_fn *) weak_dlsym (RTLD_DEFAULT, "dlopen");
  if (!open)
    return __paragon_no_v7;

  void *library = nullptr;
  if (!weak_getauxval (AT_SECURE))
    {
      const char *off = __paragon_wish_v7 ("PARAGON=off"), *name;
      if (off && !*off)
	return __paragon_no_v7;
      name = __paragon_wish_v7 ("PARAGON_LIBRARY=");
      if (!name || !*name)
	name = BESIDE_PLUGIN;
      library = open (name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    }
  if (!library)
    library = open (SONAME, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library)
    return __paragon_no_v7;
  enter_fn *enter = (enter_fn *) weak_dlsym (library, __paragon_enter_v2_symbol ());
  return enter ? enter : __paragon_no_v7;
}

/* When the library is to be opened.  */
enum when
{
  UNLESS_BLOCKED, /* only if no signal is blocked */
  IF_BLOCKED,
  ANYWAY
};

/* Open the library, if the signals that are blocked say so.  */
extern "C" SHARED inline __attribute__ ((cold, noinline, nocf_check)) void
__paragon_open_v7 (when when)
{
  int *thread = weak_errno (), saved = *thread;
  signals mask;
  mask.first = ALL_BUT_OWN;
  weak_mask (SIG_BLOCK, &mask.set, &mask.set);
  if (when == ANYWAY || (mask.first != 0) == when)
    __paragon_pointer_v7.enter = look_for_library ();
  *thread = saved;
  weak_mask (SIG_SETMASK, &mask.set, nullptr);
}

/* Whether the process has used processors for EARLY_NS, or the user asks something of Paragon.  */
extern "C" SHARED inline __attribute__ ((cold, noinline, nocf_check)) bool
__paragon_is_time_v7 ()
{
  struct timespec used; /* as integers of 32 bits, which are enough, it takes fewer bytes */
  return weak_clock (CLOCK_PROCESS_CPUTIME_ID, &used) || (int) used.tv_sec || (int) used.tv_nsec >= EARLY_NS
	 || __paragon_wish_v7 ("PARAGON");
}

/* What runs as the object is loaded, before its own constructors: other priorities than 0 to 100 are theirs.  */
extern "C" SHARED inline __attribute__ ((cold)) void
__paragon_load_v7 ()
{
  if (!weak_getauxval || !weak_dlsym || !weak_getauxval (AT_BASE))
    return;
  __paragon_open_v7 (&PG_LOAD_MARK || __paragon_is_time_v7 () ? ANYWAY : IF_BLOCKED);
  __paragon_pointer_v7.opener = weak_errno ();
}

extern "C" SHARED inline __attribute__ ((section (".init_array.00100"))) void (*const __paragon_loaded_v7) ()
  = __paragon_load_v7;

SHARED inline __attribute__ ((cold)) int64_t
__paragon_no_v7 (struct pg_descriptor *region, void *args, int64_t n_iters)
{
  return region->flags & PG_DESCRIPTOR_F_IF_REFUSED ? region->body (args, 0, n_iters, nullptr) : 0;
}

SHARED inline __attribute__ ((cold)) int64_t
__paragon_lazy_v7 (struct pg_descriptor *region, void *args, int64_t n_iters)
{
  stub *stub = &__paragon_pointer_v7;
  __asm__("" : "+r"(stub)); /* the compiler does not know what it is: an address takes more bytes than a register */
  int *opener = stub->opener;
  if (opener && opener == weak_errno ())
    {
      stub->opener = nullptr; /* a clock or a malloc of the program's own may have loops, too */
      if (region->flags & PG_DESCRIPTOR_AT_ONCE || n_iters >> LONG_WORK >= region->threshold || __paragon_is_time_v7 ())
	__paragon_open_v7 (UNLESS_BLOCKED);
      stub->opener = opener;
    }
  enter_fn *enter = stub->enter;
  return (enter == __paragon_lazy_v7 ? __paragon_no_v7 : enter) (region, args, n_iters);
}
