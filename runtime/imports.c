/* SPDX-License-Identifier: MIT
   Imports.  See imports.h.

   Nothing says how many symbols an object has.  Those that it exports are the last ones, and in a hash table.  Where it
   exports none, there are as many as there is room for before their names, which linkers put next to them.

   A name that ISO C leaves to programs may be one of the C library's: a program with a function called `read' is right,
   and the C library does without its own.  This library asks for it by that name, and gets the program's.  */
#include "imports.h"
#include "log.h"

#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum
{
  MOST_CODE = 8 << 20 /* bytes that are searched for system calls; in more there may be some */
};

static _Atomic bool may_handle = true; /* pg_imports_handlers */

struct search
{
  const char *const *names;
  size_t n;
  const char *weak; /* one of them that does not count where it may stay undefined; or NULL */
};

/* The tables of an object's symbols.  */
struct symbols
{
  const ElfW (Sym) * table;
  const char *names;
  const uint32_t *hash, *gnu_hash; /* of those that are exported; NULL: there is none */
  size_t n;
};

/* Where the value of a dynamic entry of the object at BASE points to: some loaders have added BASE, some have not.  */
static uintptr_t
place (uintptr_t base, ElfW (Addr) value)
{
  return value < base ? base + value : value;
}

/* The heads of the chains of GNU, a hash table of GNU's kind, and the hashes behind them, of symbol GNU[1] and those
   that follow; the last one of each chain is odd.  Before them are sizes, and a filter of ElfW (Addr)s.  */
static const uint32_t *
heads_of (const uint32_t *gnu)
{
  return gnu + 4 + gnu[2] * (sizeof (ElfW (Addr)) / sizeof *gnu);
}

static const uint32_t *
hashes_of (const uint32_t *gnu)
{
  return heads_of (gnu) + gnu[0];
}

/* How many symbols there are up to the last one in GNU; 0: none is in it.  */
static size_t
count_hashed (const uint32_t *gnu)
{
  uint32_t last = 0;
  for (uint32_t i = 0; i < gnu[0]; i++)
    last = heads_of (gnu)[i] > last ? heads_of (gnu)[i] : last;
  if (last < gnu[1])
    return 0;
  while (!(hashes_of (gnu)[last - gnu[1]] & 1))
    last++;
  return (size_t) last + 1;
}

/* How many SYMBOLS there are, or more; 0: nobody knows.  */
static size_t
count_symbols (const struct symbols *symbols)
{
  uintptr_t from = (uintptr_t) symbols->table, to = (uintptr_t) symbols->names;
  size_t n_hashed = symbols->gnu_hash == NULL ? 0 : count_hashed (symbols->gnu_hash);
  if (symbols->hash != NULL)
    return symbols->hash[1];
  if (n_hashed > 0 || symbols->gnu_hash == NULL)
    return n_hashed;
  return to > from ? (to - from) / sizeof *symbols->table : 0;
}

/* Find the symbols of the object at BASE by its entries DYNAMIC.  False: there are none to be read.  */
static bool
find_symbols (struct symbols *symbols, uintptr_t base, const ElfW (Dyn) * dynamic)
{
  *symbols = (struct symbols) { 0 };
  for (; dynamic->d_tag != DT_NULL; dynamic++)
    {
      uintptr_t there = place (base, dynamic->d_un.d_ptr);
      if (dynamic->d_tag == DT_SYMTAB)
	symbols->table = (const ElfW (Sym) *) there;
      else if (dynamic->d_tag == DT_STRTAB)
	symbols->names = (const char *) there;
      else if (dynamic->d_tag == DT_HASH)
	symbols->hash = (const uint32_t *) there;
      else if (dynamic->d_tag == DT_GNU_HASH)
	symbols->gnu_hash = (const uint32_t *) there;
    }
  symbols->n = count_symbols (symbols);
  return symbols->table != NULL && symbols->names != NULL && symbols->n > 0;
}

/* Find the symbols of the object that INFO is about.  False: there are none to be read.  */
static bool
find_symbols_of (struct symbols *symbols, const struct dl_phdr_info *info)
{
  for (int p = 0; p < info->dlpi_phnum; p++)
    if (info->dlpi_phdr[p].p_type == PT_DYNAMIC)
      return find_symbols (symbols, info->dlpi_addr, (const void *) (info->dlpi_addr + info->dlpi_phdr[p].p_vaddr));
  *symbols = (struct symbols) { 0 };
  return false;
}

/* Does SYMBOL, called NAME, count as NAMED?  */
static bool
is_named (const ElfW (Sym) * symbol, const char *name, const char *named, const char *weak)
{
  return strcmp (name, named) == 0 && (named != weak || symbol->st_info >> 4 != STB_WEAK);
}

/* Does SYMBOLS have an undefined one of those that SEARCH is for?  */
static bool
has_any (const struct symbols *symbols, const struct search *search)
{
  for (size_t s = 1; s < symbols->n; s++)
    for (size_t i = 0; i < search->n && symbols->table[s].st_shndx == SHN_UNDEF; i++)
      if (is_named (&symbols->table[s], symbols->names + symbols->table[s].st_name, search->names[i], search->weak))
	return true;
  return false;
}

/* Does the name of FILE, without its folder, begin with one of the N NAMES?  */
static bool
is_one_of (const char *file, const char *const *names, size_t n)
{
  const char *slash = strrchr (file, '/'), *name = slash == NULL ? file : slash + 1;
  for (size_t i = 0; i < n; i++)
    if (strncmp (name, names[i], strlen (names[i])) == 0)
      return true;
  return false;
}

/* Is the object FILE one that asks for its own sake, in the middle of a function that came from somewhere else?  CUDA's
   compiler and driver are loaded for the device, and leave what is the program's (cuda/device-cuda.c).  */
static bool
is_discreet (const char *file)
{
  static const char *const names[] = { "libquadmath.so", "libnvrtc", "libcuda.so", "libnvidia-" };
  return is_one_of (file, names, sizeof names / sizeof *names);
}

/* Look at an object: not 0 ends the search.  What has no dynamic entries and is not the program imports nothing.
   */
static int
look (struct dl_phdr_info *info, size_t len, void *data)
{
  const struct search *search = data;
  struct symbols symbols;
  (void) len;
  if (info->dlpi_name != NULL && is_discreet (info->dlpi_name))
    return 0;
  for (int p = 0; p < info->dlpi_phnum; p++)
    if (info->dlpi_phdr[p].p_type == PT_DYNAMIC)
      return !find_symbols_of (&symbols, info) || has_any (&symbols, search);
  return info->dlpi_name == NULL || *info->dlpi_name == '\0';
}

bool
pg_imports_any (const char *const *names, size_t n)
{
  struct search search = { names, n, NULL };
  return dl_iterate_phdr (look, &search) != 0;
}

static int
count_loads (struct dl_phdr_info *info, size_t len, void *data)
{
  (void) len;
  *(unsigned long long *) data = info->dlpi_adds;
  return 1;
}

bool
pg_imports_flags (void)
{
  static const char *const names[] = { "fetestexcept", "fegetexceptflag", "fegetenv",
				       "feholdexcept", "feupdateenv",     "_gfortran_ieee_procedure_entry" };
  static unsigned long long known_at;
  static bool known;
  unsigned long long n_loads = 0;
  dl_iterate_phdr (count_loads, &n_loads);
  if (n_loads != known_at)
    {
      known = pg_imports_any (names, sizeof names / sizeof *names);
      known_at = n_loads;
    }
  return known;
}

/* A search for what could handle signals.  */
struct handlers
{
  struct search search;
  size_t n_code;    /* bytes looked at */
  const char *what; /* was found */
};

/* Is the object FILE one of the language's own?  These handle no signals but those that they send themselves; whoever
   wants more of them calls a function by its name.  */
static bool
is_language (const char *file)
{
  static const char *const names[] = { "linux-vdso.so", "ld-linux",    "libc.so",      "libm.so",      "libmvec.so",
				       "libpthread.so", "libgcc_s.so", "libstdc++.so", "libparagon.so" };
  return is_one_of (file, names, sizeof names / sizeof *names);
}

/* May LEN bytes of code at CODE make a system call?  */
static bool
may_call_system (const unsigned char *code, size_t len)
{
#ifdef __x86_64__
  for (size_t i = 0; i + 1 < len; i++)
    {
      const unsigned char *found = memchr (code + i, 0x0f, len - 1 - i);
      if (found == NULL)
	return false;
      if (found[1] == 0x05)
	return true;
      i = (size_t) (found - code);
    }
  return false;
#else
  (void) code;
  (void) len;
  return true;
#endif
}

/* May the code of the object of INFO make system calls?  HANDLERS counts the bytes.  */
static bool
has_system_calls (const struct dl_phdr_info *info, struct handlers *handlers)
{
  for (int p = 0; p < info->dlpi_phnum; p++)
    {
      const ElfW (Phdr) *part = &info->dlpi_phdr[p];
      if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
	continue;
      handlers->n_code += part->p_filesz;
      if (!(part->p_flags & PF_R) || handlers->n_code > MOST_CODE
	  || may_call_system ((const unsigned char *) (info->dlpi_addr + part->p_vaddr), part->p_filesz))
	return true;
    }
  return false;
}

/* Does the object of INFO take its C library from elsewhere?  */
static bool
is_dynamic_program (const struct dl_phdr_info *info)
{
  static const char *const names[] = { "__libc_start_main" };
  const struct search search = { names, 1, NULL };
  struct symbols symbols;
  return find_symbols_of (&symbols, info) && has_any (&symbols, &search);
}

/* Look for handlers in an object: not 0 ends the search.  */
static int
look_for_handlers (struct dl_phdr_info *info, size_t len, void *data)
{
  struct handlers *handlers = data;
  const char *file = info->dlpi_name == NULL ? "" : info->dlpi_name;
  if (is_language (file))
    return 0;
  bool is_program = *file == '\0';
  if ((!is_program || is_dynamic_program (info)) && look (info, len, &handlers->search) == 0
      && !has_system_calls (info, handlers))
    return 0;
  handlers->what = is_program ? "the program" : file;
  return 1;
}

/* What the plugin compiled has a weak dlsym, and finds dlopen by it.  Whoever else imports these may have anything
   called or loaded later.  What the C library loads for its own ends, for names of hosts or character sets, handles
   nothing.  */
void
pg_imports_start (void)
{
  static const char finder[] = "dlsym";
  static const char *const names[]
    = { "sigaction", "signal", "bsd_signal", "ssignal", "sysv_signal", "__sysv_signal", "sigset",
	"sigvec",    "dlvsym", "dlopen",     "dlmopen", "syscall",     "prctl",         finder };
  struct handlers handlers = { .search = { names, sizeof names / sizeof *names, finder } };
  bool are_found = dl_iterate_phdr (look_for_handlers, &handlers) != 0;
  atomic_store_explicit (&may_handle, are_found, memory_order_relaxed);
  if (are_found)
    PG_LOG (POOL, "signals are deferred while other threads are at work: they may be handled by %s", handlers.what);
  else
    PG_LOG (POOL, "signals are not deferred: nothing handles them");
}

bool
pg_imports_handlers (void)
{
  return atomic_load_explicit (&may_handle, memory_order_relaxed);
}

/* Whether symbol S of SYMBOLS is a function called NAME that the object has.  */
static bool
is_function (const struct symbols *symbols, uint32_t s, const char *name)
{
  const ElfW (Sym) *symbol = &symbols->table[s];
  return symbol->st_shndx != SHN_UNDEF && (symbol->st_info & 15) == STT_FUNC
	 && strcmp (symbols->names + symbol->st_name, name) == 0;
}

/* Whether SYMBOLS export a function called NAME.  */
static bool
exports (const struct symbols *symbols, const char *name)
{
  const uint32_t *gnu = symbols->gnu_hash;
  if (gnu == NULL)
    {
      for (uint32_t s = 1; s < symbols->hash[1]; s++)
	if (is_function (symbols, s, name))
	  return true;
      return false;
    }
  uint32_t hash = 5381;
  for (const unsigned char *c = (const unsigned char *) name; *c != '\0'; c++)
    hash = hash * 33 + *c;
  if (gnu[0] == 0)
    return false;
  uint32_t s = heads_of (gnu)[hash % gnu[0]];
  if (s < gnu[1])
    return false;
  for (;; s++)
    {
      uint32_t other = hashes_of (gnu)[s - gnu[1]];
      if ((other | 1) == (hash | 1) && is_function (symbols, s, name))
	return true;
      if (other & 1)
	return false;
    }
}

/* Whether a program's function called NAME does what the C library's does: ISO C keeps the name for it.  */
static bool
is_reserved (const char *name)
{
  static const char *const names[]
    = { "aligned_alloc", "calloc", "fclose", "ferror", "fopen",   "fprintf",  "fread",    "free",
	"fwrite",        "getenv", "malloc", "putc",   "realloc", "snprintf", "vsnprintf" };
  if (*name == '_' || strncmp (name, "mem", 3) == 0 || strncmp (name, "str", 3) == 0)
    return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (name, names[i]) == 0)
      return true;
  return false;
}

/* What pg_imports_replaced looks at: the program, which comes first, and the object that this function is part of.  */
struct replacement
{
  struct symbols program, own;
  bool has_program;
};

static int
find_own (struct dl_phdr_info *info, size_t len, void *data)
{
  struct replacement *replacement = data;
  uintptr_t here = (uintptr_t) find_own - info->dlpi_addr;
  (void) len;
  if (!replacement->has_program)
    {
      replacement->has_program = true;
      return find_symbols_of (&replacement->program, info) ? 0 : -1;
    }
  for (int p = 0; p < info->dlpi_phnum; p++)
    if (info->dlpi_phdr[p].p_type == PT_LOAD && here - info->dlpi_phdr[p].p_vaddr < info->dlpi_phdr[p].p_memsz)
      return find_symbols_of (&replacement->own, info) ? 1 : -1;
  return 0;
}

const char *
pg_imports_replaced (void)
{
  struct replacement replacement = { .has_program = false };
  if (dl_iterate_phdr (find_own, &replacement) != 1)
    return NULL;
  const struct symbols *own = &replacement.own;
  for (size_t s = 1; s < own->n; s++)
    {
      const char *name = own->names + own->table[s].st_name;
      if (own->table[s].st_shndx == SHN_UNDEF && !is_reserved (name) && exports (&replacement.program, name))
	return name;
    }
  return NULL;
}
