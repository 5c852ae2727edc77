/* SPDX-License-Identifier: MIT
   Imports.  See imports.h.

   Symbols that an object imports stand first in its table: the hash table begins behind them.

   A name that ISO C leaves to programs may be one of the C library's: a program with a function called `read' is right,
   and the C library does without its own.  This library asks for it by that name, and gets the program's.  */
#include "imports.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

struct search
{
  const char *const *names;
  size_t n;
};

/* The tables of an object's symbols.  */
struct symbols
{
  const ElfW (Sym) * table;
  const char *names;
  const uint32_t *hash, *gnu_hash; /* of those that are exported; NULL: there is none */
  size_t n_imported;
};

/* Where the value of a dynamic entry of the object at BASE points to: some loaders have added BASE, some have not.  */
static uintptr_t
place (uintptr_t base, ElfW (Addr) value)
{
  return value < base ? base + value : value;
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
  symbols->n_imported = symbols->hash != NULL ? symbols->hash[1] : symbols->gnu_hash != NULL ? symbols->gnu_hash[1] : 0;
  return symbols->table != NULL && symbols->names != NULL && (symbols->hash != NULL || symbols->gnu_hash != NULL);
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

/* Does SYMBOLS have an undefined one of those that SEARCH is for?  */
static bool
has_any (const struct symbols *symbols, const struct search *search)
{
  for (size_t s = 1; s < symbols->n_imported; s++)
    for (size_t i = 0; i < search->n && symbols->table[s].st_shndx == SHN_UNDEF; i++)
      if (strcmp (symbols->names + symbols->table[s].st_name, search->names[i]) == 0)
	return true;
  return false;
}

/* Is the object FILE one that asks for its own sake, in the middle of a function that came from somewhere else?  */
static bool
is_discreet (const char *file)
{
  static const char library[] = "libquadmath.so";
  const char *slash = strrchr (file, '/');
  return strncmp (slash == NULL ? file : slash + 1, library, sizeof library - 1) == 0;
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
  struct search search = { names, n };
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

/* Whether symbol S of SYMBOLS is a function called NAME that the object has.  */
static bool
is_function (const struct symbols *symbols, uint32_t s, const char *name)
{
  const ElfW (Sym) *symbol = &symbols->table[s];
  return symbol->st_shndx != SHN_UNDEF && (symbol->st_info & 15) == STT_FUNC
	 && strcmp (symbols->names + symbol->st_name, name) == 0;
}

/* Whether SYMBOLS export a function called NAME.  The table's layout is the linker's: sizes, a filter of
   ElfW (Addr)s, heads of chains, and hashes, of which the last of each chain is odd.  */
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
  const uint32_t *heads = gnu + 4 + gnu[2] * (sizeof (ElfW (Addr)) / sizeof *gnu), *hashes = heads + gnu[0];
  uint32_t hash = 5381;
  for (const unsigned char *c = (const unsigned char *) name; *c != '\0'; c++)
    hash = hash * 33 + *c;
  if (gnu[0] == 0)
    return false;
  uint32_t s = heads[hash % gnu[0]];
  if (s < gnu[1])
    return false;
  for (;; s++)
    {
      uint32_t other = hashes[s - gnu[1]];
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
  for (size_t s = 1; s < own->n_imported; s++)
    {
      const char *name = own->names + own->table[s].st_name;
      if (own->table[s].st_shndx == SHN_UNDEF && !is_reserved (name) && exports (&replacement.program, name))
	return name;
    }
  return NULL;
}
