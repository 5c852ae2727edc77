/* SPDX-License-Identifier: GPL-3.0-or-later
   The lazy stub in an object: the pointer that guards call through is declared here, and defined, with the functions
   that it needs, by text for the assembler at the end of the unit.  runtime/lazy/lazy.cc is where that text comes from
   and says what it does.  The path of the library beside the plugin is the only thing that is filled in.  */

#include <dlfcn.h>

#include "plan.h"
#include "stub.h"

#define LIBRARY_SONAME "libparagon.so.1"

/* Where the path goes.  */
static const char beside_mark[] = "\"paragon: the library beside the plugin\"";

/* The pointer, once a guard has asked for it.  */
static tree pointer_decl;

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
      tree name = get_identifier ("__paragon_pointer_v4");
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

void
pg_stub_write ()
{
  if (!pointer_decl)
    return;

  char *beside = library_beside_plugin ();
  const char *mark = strstr (pg_stub_text, beside_mark);
  gcc_assert (mark);
  fputs ("\t.pushsection\t.text\n", asm_out_file);
  if (other_dialect_p ())
    fputs ("\t.att_syntax prefix\n", asm_out_file);
  fwrite (pg_stub_text, 1, mark - pg_stub_text, asm_out_file);
  output_quoted_string (asm_out_file, beside ? beside : LIBRARY_SONAME);
  fputs (mark + strlen (beside_mark), asm_out_file);
  if (other_dialect_p ())
    fputs ("\t.intel_syntax noprefix\n", asm_out_file);
  fputs ("\t.popsection\n", asm_out_file);
  free (beside);
}
