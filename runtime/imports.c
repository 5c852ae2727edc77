/* SPDX-License-Identifier: MIT
   Imports.  See imports.h.

   Symbols that an object imports stand first in its table: the hash table begins behind them.  */
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
  const uint32_t *hash = NULL, *gnu_hash = NULL;
  *symbols = (struct symbols) { 0 };
  for (; dynamic->d_tag != DT_NULL; dynamic++)
    {
      uintptr_t there = place (base, dynamic->d_un.d_ptr);
      if (dynamic->d_tag == DT_SYMTAB)
	symbols->table = (const ElfW (Sym) *) there;
      else if (dynamic->d_tag == DT_STRTAB)
	symbols->names = (const char *) there;
      else if (dynamic->d_tag == DT_HASH)
	hash = (const uint32_t *) there;
      else if (dynamic->d_tag == DT_GNU_HASH)
	gnu_hash = (const uint32_t *) there;
    }
  symbols->n_imported = hash != NULL ? hash[1] : gnu_hash != NULL ? gnu_hash[1] : 0;
  return symbols->table != NULL && symbols->names != NULL && (hash != NULL || gnu_hash != NULL);
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
      {
	const void *dynamic = (const void *) (info->dlpi_addr + info->dlpi_phdr[p].p_vaddr);
	return !find_symbols (&symbols, info->dlpi_addr, dynamic) || has_any (&symbols, search);
      }
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
