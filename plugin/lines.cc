/* SPDX-License-Identifier: GPL-3.0-or-later
   Loops that begin a cache line.

   Processors fetch instructions by lines, and keep them decoded by lines.  A loop of one line that lies in two takes up
   to twice as long; GCC aligns loops to less (16 bytes for x86-64), so that one is where chance has it.  A guard moves
   the loops of its function, and so may make one slower that does not run in parallel.  Here in functions with guards,
   and in those that outlining made, all loops that GCC aligns begin a line: none is slower for where it is.

   Measured on a Zen 3 (PolyBench, -O3 -march=native): durbin, where the guards leave all to the original loops, 0.93 of
   its speed without, 1.00 with.  */

#include "lines.h"
#include "loops.h"

namespace
{

const pass_data pass_data_lines = {
  RTL_PASS, "pglines", OPTGROUP_NONE, TV_PLUGIN_RUN, 0, 0, 0, 0, 0,
};

class pass_lines : public rtl_opt_pass
{
public:
  pass_lines (gcc::context *context) : rtl_opt_pass (pass_data_lines, context)
  {
  }

  /* What the user said, or we ourselves (of monitors), holds.  */
  bool gate (function *fun) final override
  {
    int log = align_loops.levels[0].log, line = line_log ();
    return pg_handed_over_p (fun->decl) && !global_options_set.x_str_align_loops && log && log < line
	   && line <= MAX_CODE_ALIGN;
  }

  /* The pass behind aligns labels as ALIGN_LOOPS says, which the compiler sets anew for each function.  */
  unsigned execute (function *) final override
  {
    align_loops = align_flags (line_log (), (1 << line_log ()) - 1);
    return 0;
  }

private:
  static int line_log ()
  {
    return floor_log2 (param_l1_cache_line_size);
  }
};

}

rtl_opt_pass *
pg_make_pass_lines (gcc::context *context)
{
  return new pass_lines (context);
}
