/* SPDX-License-Identifier: GPL-3.0-or-later
   Where the compiler meets Paragon: version check, options, the pass table, what happens at the end of a unit.

   The same .so loads in cc1, cc1plus, f951 and lto1: what only some of them have is referred to weakly.  */

#include "bases.h"
#include "callers.h"
#include "columns.h"
#include "describe.h"
#include "fills.h"
#include "fused.h"
#include "kernels.h"
#include "lines.h"
#include "loops.h"
#include "parted.h"
#include "plugin-options.h"
#include "repeat.h"
#include "report.h"
#include "rounding.h"
#include "stub.h"
#include "summary.h"

int plugin_is_GPL_compatible;

/* The C family's -fhosted; the address is null in the other front ends.  */
extern int flag_hosted __attribute__ ((weak));

static struct plugin_info information
  = { "Paragon 0.1", "Loops run in parallel where that cannot change the answer.  -fplugin-arg-paragon-...\n"
#define PG_OPTION(id, name, value, text) "  " name "\t" value "\t" text "\n"
#include "../include/options.def"
#undef PG_OPTION
    };

/* True if there may be no C library.  */
static bool
is_freestanding ()
{
  return &flag_hosted && !flag_hosted;
}

/* Return the option or property of the unit for which nothing in it can be handed over, or NULL.  */
static const char *
reason_for_nothing ()
{
  if (!pg_region_target_ok ())
    return "without 64-bit pointers";
  if (in_lto_p)
    return NULL;
  if (!optimize)
    return "at -O0";
  if (optimize_debug)
    return "at -Og";
  if (is_freestanding ())
    return "with -ffreestanding";
  return NULL;
}

static void
finish_unit (void *, void *)
{
  const char *reason = reason_for_nothing ();
  if (reason && !pg_options.quiet)
    inform (UNKNOWN_LOCATION, "paragon: nothing is handed over %s", reason);
  pg_stub_write (!is_freestanding ());
  pg_report_write ();
  pg_kernels_write ();
}

/* The plugin uses the compiler's own data structures: any other build of the compiler may lay them out differently.  */
static bool
check_version (struct plugin_gcc_version *version)
{
  if (plugin_default_version_check (version, &gcc_version))
    return true;
  bool same_version
    = !strcmp (version->basever, gcc_version.basever) && !strcmp (version->datestamp, gcc_version.datestamp);
  error_at (UNKNOWN_LOCATION, "paragon: built for GCC %s (%s), loaded into GCC %s (%s)%s", gcc_version.basever,
	    gcc_version.datestamp, version->basever, version->datestamp,
	    same_version ? ", which was configured differently" : "");
  return false;
}

/* Put our passes among the compiler's; why each stands where it does.  */
static void
register_passes (const char *plugin)
{
  const struct
  {
    opt_pass *pass;
    const char *reference;
    enum pass_positioning_ops where;
  } table[] = {
    /* Before functions are copied for constant arguments, and go into link-time objects.  */
    { pg_make_pass_fills (g), "local-pure-const", PASS_POS_INSERT_AFTER },
    /* After sccp: variables that end a loop with a closed form no longer carry anything out of it.  Before all that
       changes the loops into something else: splitting, canonical counters, distribution (which makes calls of memset
       and memcpy from loops), interchange, vectorisation.  */
    { pg_make_pass_loops (g), "sccp", PASS_POS_INSERT_AFTER },
    /* What callers know of a function whose loops are handed over: see callers.h.  */
    { make_pass_modref (g), "loop", PASS_POS_INSERT_BEFORE },
    /* Functions without loops do not come there.  */
    { pg_make_pass_straight (g), "loop", PASS_POS_INSERT_BEFORE },
    /* Before the vectoriser's friends: distribution makes memsets of what is left beside sums.  */
    { pg_make_pass_columns (g), "ldist", PASS_POS_INSERT_BEFORE },
    /* Behind what makes other loops of them.  */
    { pg_make_pass_fused (g), "ifcvt", PASS_POS_INSERT_BEFORE },
    /* Behind what makes vectors, where parentheses are lost, and before iterations are copied.  Until products are
       fused.  */
    { pg_make_pass_part (g), "vect", PASS_POS_INSERT_AFTER },
    { pg_make_pass_join (g), "widening_mul", PASS_POS_INSERT_BEFORE },
    /* Behind the last pass that fuses products with sums.  */
    { pg_make_pass_rounding (g), "widening_mul", PASS_POS_INSERT_AFTER },
    /* Behind all that makes addresses from others.  */
    { pg_make_pass_bases (g), "nrv", PASS_POS_INSERT_AFTER },
    /* Behind what tells how labels are aligned, and while there are loops to look for.  */
    { pg_make_pass_lines (g), "alignments", PASS_POS_INSERT_AFTER },
  };
  for (const auto &row : table)
    {
      struct register_pass_info pass = { row.pass, row.reference, 1, row.where };
      register_callback (plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &pass);
    }
}

int
plugin_init (struct plugin_name_args *info, struct plugin_gcc_version *version)
{
  if (!check_version (version))
    return 1;
  register_callback (info->base_name, PLUGIN_INFO, NULL, &information);
  if (!pg_options_read (info) || pg_options.off)
    return 0;

  register_callback (info->base_name, PLUGIN_REGISTER_GGC_ROOTS, NULL, CONST_CAST (ggc_root_tab *, pg_stub_roots));
  register_callback (info->base_name, PLUGIN_REGISTER_GGC_ROOTS, NULL, CONST_CAST (ggc_root_tab *, pg_summary_roots));
  register_callback (info->base_name, PLUGIN_FINISH_UNIT, finish_unit, NULL);
  register_callback (info->base_name, PLUGIN_OVERRIDE_GATE, pg_repeat_gate, NULL);
  register_callback (info->base_name, PLUGIN_OVERRIDE_GATE, pg_callers_gate, NULL);
  if (reason_for_nothing ())
    return 0;

  register_passes (info->base_name);
  if (pg_options.dump)
    g->get_dumps ()->dump_switch_p (pg_options.dump);
  return 0;
}
