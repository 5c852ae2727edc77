/* SPDX-License-Identifier: GPL-3.0-or-later
   The lazy stub in an object: the pointer that guards call through is declared here, and defined, with the functions
   that it needs, by text for the assembler at the end of the unit.  runtime/lazy/lazy.cc is where that text comes from
   and says what it does.  The path of the library beside the plugin is the only thing that is filled in.  */

#include <dlfcn.h>

#include "plan.h"
#include "stub.h"

#define LIBRARY_SONAME "libparagon.so.1"
#define LOAD_MARK "__paragon_at_load_v7"

/* Where the path goes, and the name that is looked for elsewhere.  That is moved behind the path, most of which end so:
   the path's end is the name.  */
static const char beside_mark[] = "\t.string\t\"paragon: the library beside the plugin\"\n";
static const char soname_mark[] = "\t.string\t\"" LIBRARY_SONAME "\"\n";

/* What a unit that starts threads or handles signals refers to.  What others call for it is not seen.  */
static const char *const in_the_midst[] = {
  "pthread_create",
  "thrd_create",
  "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
  "GOMP_parallel",
  "sigaction",
  "signal",
  "__sysv_signal",
  "_gfortran_signal_sub",
  "_gfortran_signal_sub_int",
};

/* What a unit with a malloc of its own defines.  */
static const char *const allocators[] = { "malloc", "calloc", "realloc", "free" };

/* The pointer, once a guard has asked for it.  */
static tree pointer_decl;

/* True if who runs a region of the unit matters, or the user said what is handed over.  */
static bool is_wanted_at_load;

const struct ggc_root_tab pg_stub_roots[] = {
  { &pointer_decl, 1, sizeof pointer_decl, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
  LAST_GGC_ROOT_TAB,
};

tree
pg_stub_enter_pointer (void)
{
  if (!pointer_decl)
    {
      tree type = build_function_type_list (intDI_type_node, ptr_type_node, ptr_type_node, intDI_type_node, NULL_TREE);
      tree name = get_identifier ("__paragon_pointer_v7");
      pointer_decl = build_decl (BUILTINS_LOCATION, VAR_DECL, name, build_pointer_type (type));
      TREE_PUBLIC (pointer_decl) = 1;
      DECL_EXTERNAL (pointer_decl) = 1;
      TREE_USED (pointer_decl) = 1;
      DECL_ARTIFICIAL (pointer_decl) = 1;
      DECL_IGNORED_P (pointer_decl) = 1;
      SET_DECL_ASSEMBLER_NAME (pointer_decl, name);
      DECL_VISIBILITY (pointer_decl) = VISIBILITY_HIDDEN;
      DECL_VISIBILITY_SPECIFIED (pointer_decl) = 1;
      TREE_ADDRESSABLE (pointer_decl) = 1;
    }
  return pointer_decl;
}

void
pg_stub_open_at_load ()
{
  is_wanted_at_load = true;
}

/* What the unit's assembler code calls NAME, or NULL.  */
static symtab_node *
named (const char *name)
{
  tree id = maybe_get_identifier (name);
  return id ? symtab_node::get_for_asmname (id) : NULL;
}

/* True if the unit refers to NAME, and others define it.  */
static bool
refers_to_p (const char *name)
{
  symtab_node *node = named (name);
  return node && !node->definition && TREE_SYMBOL_REFERENCED (DECL_ASSEMBLER_NAME (node->decl));
}

bool
pg_stub_defines_malloc_p ()
{
  for (const char *name : allocators)
    {
      symtab_node *node = named (name);
      if (node && node->definition && TREE_PUBLIC (node->decl))
	return true;
    }
  return false;
}

/* True if the library is to be opened as what the unit is linked into is loaded: later it may be no good time.  */
static bool
wants_library_at_load_p ()
{
  bool wants = is_wanted_at_load || pg_stub_defines_malloc_p ();
  for (const char *name : in_the_midst)
    wants |= refers_to_p (name);
  return wants;
}

/* The path of the library that lies beside FILE, symbolic links resolved, or NULL.  The caller frees it.  */
static char *
library_beside (const char *file)
{
  const char *slash = strrchr (file, '/');
  char *directory = slash ? xstrndup (file, slash - file) : xstrdup (".");
  char *path = concat (directory, "/" LIBRARY_SONAME, NULL);
  char *found = realpath (path, NULL);
  free (path);
  free (directory);
  return found;
}

/* The same of that beside the plugin, or, if its name is a symbolic link, beside what that stands for.  */
static char *
library_beside_plugin ()
{
  Dl_info info;
  if (!dladdr (&pg_stub_roots, &info) || !info.dli_fname)
    return NULL;
  char *found = library_beside (info.dli_fname), *plugin = found ? NULL : realpath (info.dli_fname, NULL);
  if (plugin)
    found = library_beside (plugin);
  free (plugin);
  return found;
}

/* True if the unit's assembler code is not in the dialect of the text.  */
static bool
other_dialect_p ()
{
#ifdef ASSEMBLER_DIALECT
  return ASSEMBLER_DIALECT != 0;
#else
  return false;
#endif
}

/* Write PATH, or as much of it as is not LIBRARY_SONAME, which follows.  */
static void
write_path (const char *path)
{
  char *folder = xstrdup (path), *name = CONST_CAST (char *, lbasename (folder));
  bool is_shared = !strcmp (name, LIBRARY_SONAME);
  if (is_shared)
    *name = 0;
  fputs (is_shared ? "\t.ascii\t" : "\t.string\t", asm_out_file);
  output_quoted_string (asm_out_file, folder);
  putc ('\n', asm_out_file);
  free (folder);
}

/* Write the stub's text from FROM up to TO, but for what is from LEFT up to RIGHT.  */
static void
write_text (const char *from, const char *to, const char *left, const char *right)
{
  if (from <= left && right <= to)
    {
      fwrite (from, 1, left - from, asm_out_file);
      from = right;
    }
  fwrite (from, 1, to - from, asm_out_file);
}

/* Write the byte by which the stub is told to open the library as it is loaded.  */
static void
write_load_mark ()
{
  fputs ("\t.pushsection\t.rodata." LOAD_MARK ",\"aG\",%progbits," LOAD_MARK ",comdat\n"
	 "\t.weak\t" LOAD_MARK "\n\t.hidden\t" LOAD_MARK "\n\t.type\t" LOAD_MARK ", %object\n" LOAD_MARK ":\n"
	 "\t.byte\t0\n\t.size\t" LOAD_MARK ", 1\n\t.popsection\n",
	 asm_out_file);
}

void
pg_stub_write (bool may_mark)
{
  if (may_mark && wants_library_at_load_p ())
    write_load_mark ();
  if (!pointer_decl)
    return;

  char *beside = library_beside_plugin ();
  const char *mark = strstr (pg_stub_text, beside_mark), *behind = mark + strlen (beside_mark);
  const char *soname = strstr (pg_stub_text, soname_mark), *end = soname + strlen (soname_mark);
  gcc_assert (mark && soname && soname[-2] == ':');
  do
    soname--;
  while (soname[-1] != '\n');
  fputs ("\t.pushsection\t.text\n", asm_out_file);
  if (other_dialect_p ())
    fputs ("\t.att_syntax prefix\n", asm_out_file);
  write_text (pg_stub_text, mark, soname, end);
  write_path (beside ? beside : LIBRARY_SONAME);
  fwrite (soname, 1, end - soname, asm_out_file);
  write_text (behind, behind + strlen (behind), soname, end);
  if (other_dialect_p ())
    fputs ("\t.intel_syntax noprefix\n", asm_out_file);
  fputs ("\t.popsection\n", asm_out_file);
  free (beside);
}
