/* SPDX-License-Identifier: GPL-3.0-or-later
   How a program finds the runtime without a link flag: the lazy stub, in every object that has a guard.

   Guards call through a pointer; it starts at a function that looks for the library once and then stands aside.  As C:

       hidden int (*__paragon_pointer_v1) (void *, void *, int64_t) = __paragon_lazy_v1;

       hidden int __paragon_no_v1 (void *region, void *args, int64_t n) { return 0; }

       hidden int __paragon_lazy_v1 (void *region, void *args, int64_t n)
       {
	 int (*enter) (void *, void *, int64_t) = __paragon_no_v1;
	 if (getauxval && getenv && dlsym && __errno_location && getauxval (AT_BASE))
	   {
	     int saved = *__errno_location ();
	     bool trusted = !getauxval (AT_SECURE);
	     char *name = trusted ? getenv ("PARAGON") : NULL;
	     void *(*dlopen) (const char *, int) = dlsym (RTLD_DEFAULT, "dlopen");
	     if (dlopen && !(name && !strcmp (name, "off")))
	       {
		 void *library = NULL;
		 name = trusted ? getenv ("PARAGON_LIBRARY") : NULL;
		 if (name && *name) library = dlopen (name, ...);
		 if (!library && trusted) library = dlopen (library beside the plugin, ...);
		 if (!library) library = dlopen ("libparagon.so.1", ...);
		 if (library) library = dlsym (library, "__paragon_enter_v1");
		 if (library) enter = library;
	       }
	     *__errno_location () = saved;
	   }
	 __paragon_pointer_v1 = enter;
	 return enter (region, args, n);
       }

   All three are in COMDAT groups: one copy per program or shared object.  Two threads that come first at once do the
   same twice.  The C library is referred to through weak references (.weakref), so that no link fails and the object's
   own references stay as strong as they are; dlopen is found at run time, as the linker warns about it in static
   programs.  Those have no AT_BASE, and stay sequential.  A setuid program takes the library from the system's
   directories only.

   The bodies are GENERIC, the trees that front ends make, built at the end of the unit: inside a pass they could not
   be, since the passes that they go through in their turn share its global state.

   Changing what these functions do means new names: the linker takes one copy for objects of all plugins.  */

#include <dlfcn.h>
#include <elf.h>

#include "plan.h"
#include "stub.h"

#define LIBRARY_SONAME "libparagon.so.1"

/* The pointer, once a guard has asked for it.  */
static tree pointer_decl;

const struct ggc_root_tab pg_stub_roots[] = {
  { &pointer_decl, 1, sizeof pointer_decl, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
  LAST_GGC_ROOT_TAB,
};

/* The entry points of the library: the names that dlsym gets.  */
#define PG_ABI_FUNCTION(type, name, arguments) static const char name##_symbol[] = #name;
#include "../include/paragon_abi.def"
#undef PG_ABI_FUNCTION

/* The C library's functions that the stub calls, once pg_stub_define has declared them.  */
enum libc_function
{
  LIBC_GETAUXVAL,
  LIBC_GETENV,
  LIBC_DLSYM,
  LIBC_ERRNO,
  N_LIBC
};
static const char *const libc_names[N_LIBC] = { "getauxval", "getenv", "dlsym", "__errno_location" };

/* What __paragon_lazy_v1 is being built from.  */
struct builder
{
  tree libc[N_LIBC]; /* declarations of the above */
  tree dlopen;       /* variable */
  tree variables;    /* all variables, chained */
};

/* Return the type of enter: int (void *region, void *args, int64_t n_iters).  */
static tree
enter_type ()
{
  return build_function_type_list (integer_type_node, ptr_type_node, ptr_type_node, long_long_integer_type_node,
				   NULL_TREE);
}

/* Give DECL, a function or variable, what all symbols of the stub have: hidden, one copy.  */
static tree
share (tree decl)
{
  TREE_PUBLIC (decl) = 1;
  TREE_STATIC (decl) = 1;
  TREE_USED (decl) = 1;
  DECL_ARTIFICIAL (decl) = 1;
  DECL_IGNORED_P (decl) = 1;
  SET_DECL_ASSEMBLER_NAME (decl, DECL_NAME (decl));
  make_decl_one_only (decl, DECL_ASSEMBLER_NAME (decl));
  DECL_VISIBILITY (decl) = VISIBILITY_HIDDEN;
  DECL_VISIBILITY_SPECIFIED (decl) = 1;
  return decl;
}

tree
pg_stub_enter_pointer (void)
{
  if (!pointer_decl)
    {
      tree name = get_identifier ("__paragon_pointer_v1");
      pointer_decl = share (build_decl (BUILTINS_LOCATION, VAR_DECL, name, build_pointer_type (enter_type ())));
      TREE_ADDRESSABLE (pointer_decl) = 1;
    }
  return pointer_decl;
}

/* Return the unit's optimisation options without what straight code that runs once has nothing of: passes that take
   time, and the vectorisers, whose remarks about the stub help nobody.  */
static tree
stub_optimization ()
{
  struct gcc_options options = global_options;
  options.x_flag_tree_loop_vectorize = 0;
  options.x_flag_tree_slp_vectorize = 0;
  options.x_flag_tree_loop_optimize = 0;
  options.x_flag_tree_pre = 0;
  options.x_flag_tree_vrp = 0;
  options.x_flag_tree_dom = 0;
  options.x_flag_tree_pta = 0;
  options.x_flag_thread_jumps = 0;
  options.x_flag_tree_tail_merge = 0;
  options.x_flag_gcse = 0;
  options.x_flag_rerun_cse_after_loop = 0;
  options.x_flag_schedule_insns_after_reload = 0;
  return build_optimization_node (&options, &global_options_set);
}

/* Return the declaration of a function NAME of the stub; it has a result and parameters, no body.  */
static tree
declare_function (const char *name)
{
  tree decl = share (build_decl (BUILTINS_LOCATION, FUNCTION_DECL, get_identifier (name), enter_type ()));
  TREE_NOTHROW (decl) = 1;
  DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT (decl) = 1;
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION (decl) = stub_optimization ();
  /* Patchable entries are kept in a section outside the COMDAT group: none here.  */
  tree no_patching = tree_cons (NULL_TREE, integer_zero_node, NULL_TREE);
  DECL_ATTRIBUTES (decl) = tree_cons (get_identifier ("cold"), NULL_TREE,
				      tree_cons (get_identifier ("patchable_function_entry"), no_patching, NULL_TREE));

  tree result = build_decl (BUILTINS_LOCATION, RESULT_DECL, NULL_TREE, integer_type_node);
  DECL_ARTIFICIAL (result) = 1;
  DECL_IGNORED_P (result) = 1;
  DECL_CONTEXT (result) = decl;
  DECL_RESULT (decl) = result;

  for (tree type = TYPE_ARG_TYPES (TREE_TYPE (decl)); type != void_list_node; type = TREE_CHAIN (type))
    {
      tree parameter = build_decl (BUILTINS_LOCATION, PARM_DECL, NULL_TREE, TREE_VALUE (type));
      DECL_ARG_TYPE (parameter) = TREE_VALUE (type);
      DECL_ARTIFICIAL (parameter) = 1;
      DECL_CONTEXT (parameter) = decl;
      TREE_USED (parameter) = 1;
      DECL_CHAIN (parameter) = DECL_ARGUMENTS (decl);
      DECL_ARGUMENTS (decl) = parameter;
    }
  DECL_ARGUMENTS (decl) = nreverse (DECL_ARGUMENTS (decl));
  return decl;
}

/* Give the function DECL the body STATEMENTS with VARIABLES, and have it compiled.  */
static void
define_function (tree decl, tree variables, tree statements)
{
  tree block = make_node (BLOCK);
  BLOCK_VARS (block) = variables;
  BLOCK_SUPERCONTEXT (block) = decl;
  TREE_USED (block) = 1;
  DECL_INITIAL (decl) = block;
  for (tree variable = variables; variable; variable = DECL_CHAIN (variable))
    DECL_CONTEXT (variable) = decl;
  DECL_SAVED_TREE (decl) = build3 (BIND_EXPR, void_type_node, variables, statements, block);

  allocate_struct_function (decl, false);
  set_cfun (NULL);
  push_cfun (DECL_STRUCT_FUNCTION (decl));
  gimplify_function_tree (decl);
  pop_cfun ();
  cgraph_node::add_new_function (decl, false);
}

/* Declare the weak references to the C library, to the assembler and in B.  */
static void
declare_libc (struct builder *b)
{
  tree string = build_pointer_type (build_qualified_type (char_type_node, TYPE_QUAL_CONST));
  const tree types[N_LIBC] = {
    build_function_type_list (long_unsigned_type_node, long_unsigned_type_node, NULL_TREE),
    build_function_type_list (build_pointer_type (char_type_node), string, NULL_TREE),
    build_function_type_list (ptr_type_node, ptr_type_node, string, NULL_TREE),
    build_function_type_list (build_pointer_type (integer_type_node), NULL_TREE),
  };
  for (int i = 0; i < N_LIBC; i++)
    {
      char *name = concat ("__paragon_", libc_names[i], NULL);
      tree decl = build_decl (BUILTINS_LOCATION, FUNCTION_DECL, get_identifier (name), types[i]);
      DECL_EXTERNAL (decl) = 1;
      TREE_PUBLIC (decl) = 1;
      TREE_NOTHROW (decl) = 1;
      DECL_ARTIFICIAL (decl) = 1;
      DECL_WEAK (decl) = 1;
      SET_DECL_ASSEMBLER_NAME (decl, DECL_NAME (decl));
      b->libc[i] = decl;
      fprintf (asm_out_file, "\t.weakref\t%s,%s\n", name, libc_names[i]);
      free (name);
    }
}

/* The functions below return expressions or statements of B's function.  */

static tree
variable (struct builder *b, tree type)
{
  tree decl = build_decl (BUILTINS_LOCATION, VAR_DECL, NULL_TREE, type);
  DECL_ARTIFICIAL (decl) = 1;
  DECL_IGNORED_P (decl) = 1;
  TREE_USED (decl) = 1;
  DECL_CHAIN (decl) = b->variables;
  b->variables = decl;
  return decl;
}

static tree
assign (tree to, tree value)
{
  return build2 (MODIFY_EXPR, void_type_node, to, fold_convert (TREE_TYPE (to), value));
}

/* if (CONDITION) STATEMENT  */
static tree
when (tree condition, tree statement)
{
  return build3 (COND_EXPR, void_type_node, condition, statement, NULL_TREE);
}

static tree
not_zero (tree value)
{
  return build2 (NE_EXPR, boolean_type_node, value, build_zero_cst (TREE_TYPE (value)));
}

static tree
zero (tree value)
{
  return build2 (EQ_EXPR, boolean_type_node, value, build_zero_cst (TREE_TYPE (value)));
}

static tree
both (tree a, tree b)
{
  return build2 (TRUTH_ANDIF_EXPR, boolean_type_node, a, b);
}

static tree
text (const char *value)
{
  return build_string_literal (strlen (value) + 1, value);
}

static tree
call (struct builder *b, enum libc_function function, tree argument)
{
  return build_call_expr (b->libc[function], 1, argument);
}

static tree
call_errno (struct builder *b)
{
  return build_fold_indirect_ref (build_call_expr (b->libc[LIBC_ERRNO], 0));
}

static tree
call_dlsym (struct builder *b, tree library, const char *name)
{
  return build_call_expr (b->libc[LIBC_DLSYM], 2, library, text (name));
}

/* Bound at once: what binds functions when they are first called takes more stack than a signal handler may have.  */
static tree
call_dlopen (struct builder *b, tree name)
{
  tree flags = build_int_cst (integer_type_node, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  return build_call_nary (ptr_type_node, b->dlopen, 2, name, flags);
}

static tree
call_getauxval (struct builder *b, unsigned long type)
{
  return call (b, LIBC_GETAUXVAL, build_int_cstu (long_unsigned_type_node, type));
}

/* Every reference to the C library was resolved.  */
static tree
libc_is_there (struct builder *b)
{
  tree all = boolean_true_node;
  for (int i = 0; i < N_LIBC; i++)
    all = both (all, not_zero (build_fold_addr_expr (b->libc[i])));
  return all;
}

/* The string at POINTER, which is not null, starts with the bytes of PREFIX, LEN of them.  */
static tree
starts_with (tree pointer, const char *prefix, size_t len)
{
  tree all = boolean_true_node;
  for (size_t i = 0; i < len; i++)
    {
      tree at = build_fold_indirect_ref (fold_build_pointer_plus_hwi (pointer, i));
      all = both (all, build2 (EQ_EXPR, boolean_type_node, at, build_int_cst (TREE_TYPE (at), prefix[i])));
    }
  return all;
}

/* Return the path of the library that lies beside the plugin, symbolic links resolved, or NULL.  The caller frees
   it.  */
static char *
library_beside_plugin ()
{
  Dl_info info;
  if (!dladdr (&pg_stub_roots, &info) || !info.dli_fname)
    return NULL;
  const char *slash = strrchr (info.dli_fname, '/');
  char *directory = slash ? xstrndup (info.dli_fname, slash - info.dli_fname) : xstrdup (".");
  char *path = concat (directory, "/" LIBRARY_SONAME, NULL);
  char *found = realpath (path, NULL);
  free (path);
  free (directory);
  return found;
}

/* Return statements that look for the library and set ENTER if it is found: the inner part of the essay's code.  */
static tree
search_library (struct builder *b, tree enter, tree trusted, tree name)
{
  tree list = NULL_TREE;
  tree library = variable (b, ptr_type_node);
  append_to_statement_list (assign (library, null_pointer_node), &list);

  tree from_user = both (not_zero (name), not_zero (build_fold_indirect_ref (name)));
  append_to_statement_list (when (trusted, assign (name, call (b, LIBC_GETENV, text ("PARAGON_LIBRARY")))), &list);
  append_to_statement_list (when (from_user, assign (library, call_dlopen (b, name))), &list);

  char *beside = library_beside_plugin ();
  if (beside)
    append_to_statement_list (when (both (zero (library), trusted), assign (library, call_dlopen (b, text (beside)))),
			      &list);
  free (beside);
  append_to_statement_list (when (zero (library), assign (library, call_dlopen (b, text (LIBRARY_SONAME)))), &list);

  tree symbol = call_dlsym (b, library, __paragon_enter_v1_symbol);
  append_to_statement_list (when (not_zero (library), assign (library, symbol)), &list);
  append_to_statement_list (when (not_zero (library), assign (enter, library)), &list);
  return list;
}

/* Return the body of __paragon_lazy_v1; NO is the function that refuses.  */
static tree
lazy_body (struct builder *b, tree lazy, tree no)
{
  tree enter = variable (b, TREE_TYPE (pointer_decl));
  tree saved = variable (b, integer_type_node);
  tree trusted = variable (b, boolean_type_node);
  tree name = variable (b, build_pointer_type (char_type_node));
  b->dlopen = variable (
    b, build_pointer_type (build_function_type_list (ptr_type_node, ptr_type_node, integer_type_node, NULL_TREE)));

  tree attempt = NULL_TREE;
  append_to_statement_list (assign (saved, call_errno (b)), &attempt);
  append_to_statement_list (assign (trusted, zero (call_getauxval (b, AT_SECURE))), &attempt);
  append_to_statement_list (assign (name, null_pointer_node), &attempt);
  append_to_statement_list (when (trusted, assign (name, call (b, LIBC_GETENV, text ("PARAGON")))), &attempt);
  append_to_statement_list (assign (b->dlopen, call_dlsym (b, build_int_cst (ptr_type_node, 0), "dlopen")), &attempt);
  tree off = both (not_zero (name), starts_with (name, "off", sizeof "off"));
  tree wanted = both (not_zero (b->dlopen), build1 (TRUTH_NOT_EXPR, boolean_type_node, off));
  append_to_statement_list (when (wanted, search_library (b, enter, trusted, name)), &attempt);
  append_to_statement_list (assign (call_errno (b), saved), &attempt);

  tree list = NULL_TREE;
  append_to_statement_list (assign (enter, build_fold_addr_expr (no)), &list);
  append_to_statement_list (when (both (libc_is_there (b), not_zero (call_getauxval (b, AT_BASE))), attempt), &list);
  append_to_statement_list (assign (pointer_decl, enter), &list);

  tree region = DECL_ARGUMENTS (lazy);
  tree args = DECL_CHAIN (region);
  tree answer = build_call_nary (integer_type_node, enter, 3, region, args, DECL_CHAIN (args));
  tree result = build2 (INIT_EXPR, integer_type_node, DECL_RESULT (lazy), answer);
  append_to_statement_list (build1 (RETURN_EXPR, void_type_node, result), &list);
  return list;
}

/* Return `return 0', in the function NO.  */
static tree
no_body (tree no)
{
  tree result = build2 (INIT_EXPR, integer_type_node, DECL_RESULT (no), integer_zero_node);
  return build1 (RETURN_EXPR, void_type_node, result);
}

void
pg_stub_define ()
{
  if (!pointer_decl)
    return;

  /* All of this is assembled at once.  Warnings would not be about the user's code.  The pointer's copies meet in the
     linker; as a "unique" symbol they would in the dynamic linker, which then never unloads the object.  */
  bool inhibit_warnings_before = global_dc->dc_inhibit_warnings;
  int unique_before = flag_gnu_unique;
  global_dc->dc_inhibit_warnings = true;
  flag_gnu_unique = 0;

  struct builder b = {};
  declare_libc (&b);
  tree no = declare_function ("__paragon_no_v1");
  tree lazy = declare_function ("__paragon_lazy_v1");
  tree body = lazy_body (&b, lazy, no);

  /* From the first definition on, garbage may be collected: what is still needed hangs on the symbol table.  */
  define_function (lazy, b.variables, body);
  define_function (no, NULL_TREE, no_body (no));

  DECL_INITIAL (pointer_decl) = build_fold_addr_expr (lazy);
  varpool_node::finalize_decl (pointer_decl);

  flag_gnu_unique = unique_before;
  global_dc->dc_inhibit_warnings = inhibit_warnings_before;
}
