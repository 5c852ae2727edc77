/* SPDX-License-Identifier: GPL-3.0-or-later
   What GCC 12 has and GCC 11 has not, in GCC 12's words.  Included by gcc-includes.h alone, for GCC 11.  */
#ifndef PARAGON_GCC_11_H
#define PARAGON_GCC_11_H

inline bool
startswith (const char *text, const char *beginning)
{
  return strncmp (text, beginning, strlen (beginning)) == 0;
}

/* What is never made.  */
static const internal_fn IFN_VEC_ADDSUB = (internal_fn) (IFN_LAST + 1), IFN_VEC_FMADDSUB = (internal_fn) (IFN_LAST + 2),
			 IFN_VEC_FMSUBADD = (internal_fn) (IFN_LAST + 3);

/* Nothing is folded otherwise after the loop passes.  */
#define PROP_loop_opts_done 0

/* The loops of FUN, as LI_ FLAGS want them.  */
class loops_list
{
public:
  loops_list (function *fun, unsigned flags)
  {
    class loop *loop;
    FOR_EACH_LOOP_FN (fun, loop, flags)
    m_loops.safe_push (loop);
  }
  class loop **begin ()
  {
    return m_loops.begin ();
  }
  class loop **end ()
  {
    return m_loops.end ();
  }

private:
  auto_vec<class loop *> m_loops;
};

struct global_range_query
{
  /* What is known of VALUE anywhere in the function.  */
  bool range_of_expr (value_range &range, tree value)
  {
    if (TREE_CODE (value) == INTEGER_CST)
      range.set (value);
    else if (TREE_CODE (value) != SSA_NAME || !INTEGRAL_TYPE_P (TREE_TYPE (value)))
      return false;
    else
      get_range_info (value, range);
    return true;
  }
};

inline global_range_query *
get_global_range_query ()
{
  static global_range_query query;
  return &query;
}

inline enum vect_cost_model
loop_cost_model (const class loop *loop)
{
  return loop->force_vectorize && flag_simd_cost_model != VECT_COST_MODEL_DEFAULT ? flag_simd_cost_model
										  : flag_vect_cost_model;
}

/* Compute what STMT does without overflow; IN_PLACE, as always here.  */
inline void
rewrite_to_defined_overflow (gimple *stmt, bool)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (stmt);
  gsi_remove (&gsi, false);
  gsi_insert_seq_before (&gsi, rewrite_to_defined_overflow (stmt), GSI_SAME_STMT);
}

inline void
suppress_warning (gimple *stmt, opt_code)
{
  gimple_set_no_warning (stmt, true);
}

#endif
