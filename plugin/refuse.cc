/* SPDX-License-Identifier: GPL-3.0-or-later
   What is refused by name: statements that must not run on another thread, in another order, or twice.

   Only listed functions may be called, and those of the unit that have a summary.  The compiler's own "const" and
   "pure" prove nothing: pthread_self is declared const, and yet its answer depends on the thread.  */

#include "judge.h"
#include "stub.h"
#include "summary.h"
#include "where.h"

/* True if float and double are computed in a wider format (-mfpmath=387): values that cross into another function lose
   what they had in excess.  */
static bool
computes_in_excess_p (void)
{
  enum flt_eval_method method = targetm.c.excess_precision (EXCESS_PRECISION_TYPE_IMPLICIT);
  return method == FLT_EVAL_METHOD_PROMOTE_TO_LONG_DOUBLE || method == FLT_EVAL_METHOD_UNPREDICTABLE;
}

/* True if DECL is a function that saves registers in a way of its own: what it calls must not touch the others.
   Targets hang such attributes on the function or on its type.  */
static bool
odd_registers_p (const_tree decl)
{
  static const char *const names[] = { "naked", "interrupt", "no_caller_saved_registers" };
  for (const char *name : names)
    if (lookup_attribute (name, DECL_ATTRIBUTES (decl)) || lookup_attribute (name, TYPE_ATTRIBUTES (TREE_TYPE (decl))))
      return true;
  return false;
}

enum pg_reason
pg_refuse_function (function *fun)
{
  tree decl = fun->decl;
  if (computes_in_excess_p ())
    return PG_WHY_WIDE_FLOAT;
  if (flag_trapv)
    return PG_WHY_TRAPV;
  if (flag_non_call_exceptions)
    return PG_WHY_NON_CALL_EXCEPTIONS;
  if (flag_rounding_math || flag_signaling_nans)
    return PG_WHY_ROUNDING_MATH;
  if (flag_sanitize)
    return PG_WHY_SANITIZER;
  if (flag_tm) /* a transaction that a loop is in ends with all or nothing stored */
    return PG_WHY_ATOMIC;
  if (pg_stub_defines_malloc_p ()) /* its lock may be held by a loop of any function here */
    return PG_WHY_ALLOCATOR;
  if (fun->calls_setjmp || fun->has_nonlocal_label)
    return PG_WHY_SETJMP;
  if (DECL_STATIC_CHAIN (decl) || fun->static_chain_decl || fun->nonlocal_goto_save_area)
    return PG_WHY_NESTED_FUNCTION;
  if (odd_registers_p (decl))
    return PG_WHY_SKIPPED;
  cgraph_node *node = cgraph_node::get (decl);
  if (node && node->parallelized_function)
    return PG_WHY_OPENMP;
  return PG_N_REASONS;
}

/* True if DECL is a function whose result depends on its arguments alone and which writes nothing but errno and the
   floating-point environment.  */
static bool
math_function_p (const_tree decl)
{
  if (!fndecl_built_in_p (decl, BUILT_IN_NORMAL))
    return false;
  switch (DECL_FUNCTION_CODE (decl))
    {
      CASE_FLT_FN (BUILT_IN_ACOS)
	  : CASE_FLT_FN (BUILT_IN_ACOSH)
	  : CASE_FLT_FN (BUILT_IN_ASIN)
	  : CASE_FLT_FN (BUILT_IN_ASINH)
	  : CASE_FLT_FN (BUILT_IN_ATAN)
	  : CASE_FLT_FN (BUILT_IN_ATAN2)
	  : CASE_FLT_FN (BUILT_IN_ATANH)
	  : CASE_FLT_FN (BUILT_IN_CBRT)
	  : CASE_FLT_FN (BUILT_IN_CEIL)
	  : CASE_FLT_FN (BUILT_IN_CEXPI)
	  : CASE_FLT_FN (BUILT_IN_COPYSIGN)
	  : CASE_FLT_FN (BUILT_IN_COS)
	  : CASE_FLT_FN (BUILT_IN_COSH)
	  : CASE_FLT_FN (BUILT_IN_ERF)
	  : CASE_FLT_FN (BUILT_IN_ERFC)
	  : CASE_FLT_FN (BUILT_IN_EXP)
	  : CASE_FLT_FN (BUILT_IN_EXP2)
	  : CASE_FLT_FN (BUILT_IN_EXPM1)
	  : CASE_FLT_FN (BUILT_IN_FABS)
	  : CASE_FLT_FN (BUILT_IN_FDIM)
	  : CASE_FLT_FN (BUILT_IN_FLOOR)
	  : CASE_FLT_FN (BUILT_IN_FMA)
	  : CASE_FLT_FN (BUILT_IN_FMAX)
	  : CASE_FLT_FN (BUILT_IN_FMIN)
	  : CASE_FLT_FN (BUILT_IN_FMOD)
	  : CASE_FLT_FN (BUILT_IN_HYPOT)
	  : CASE_FLT_FN (BUILT_IN_LDEXP)
	  : CASE_FLT_FN (BUILT_IN_LOG)
	  : CASE_FLT_FN (BUILT_IN_LOG10)
	  : CASE_FLT_FN (BUILT_IN_LOG1P)
	  : CASE_FLT_FN (BUILT_IN_LOG2)
	  : CASE_FLT_FN (BUILT_IN_NEARBYINT)
	  : CASE_FLT_FN (BUILT_IN_POW)
	  : CASE_FLT_FN (BUILT_IN_RINT)
	  : CASE_FLT_FN (BUILT_IN_ROUND)
	  : CASE_FLT_FN (BUILT_IN_SIGNBIT)
	  : CASE_FLT_FN (BUILT_IN_SIN)
	  : CASE_FLT_FN (BUILT_IN_SINH)
	  : CASE_FLT_FN (BUILT_IN_SQRT)
	  : CASE_FLT_FN (BUILT_IN_TAN)
	  : CASE_FLT_FN (BUILT_IN_TANH)
	  : CASE_FLT_FN (BUILT_IN_TRUNC)
	  : CASE_FLT_FN (BUILT_IN_LRINT)
	  : CASE_FLT_FN (BUILT_IN_LROUND)
	  : CASE_FLT_FN (BUILT_IN_LLRINT)
	  : CASE_FLT_FN (BUILT_IN_LLROUND)
	  : CASE_FLT_FN (BUILT_IN_POWI)
	  : CASE_INT_FN (BUILT_IN_CLZ)
	  : CASE_INT_FN (BUILT_IN_CTZ)
	  : CASE_INT_FN (BUILT_IN_FFS)
	  : CASE_INT_FN (BUILT_IN_PARITY)
	  : CASE_INT_FN (BUILT_IN_POPCOUNT)
	  : case BUILT_IN_ABS : case BUILT_IN_LABS : case BUILT_IN_LLABS : case BUILT_IN_BSWAP16 : case BUILT_IN_BSWAP32
	  : case BUILT_IN_BSWAP64 : case BUILT_IN_EXPECT : return true;
    default:
      return false;
    }
}

/* True if a vectorised loop may call a vector variant of the function DECL, whose last bits are other ones: then which
   an iteration has depends on where the vectors of its loop begin and end, and those of chunks do so elsewhere.
   Fortran has such variants of the C library's functions with any flags, C with -ffast-math or -fopenmp.  Flags that
   leave the bits open make no demand.  */
static bool
rounds_by_place_p (tree decl)
{
  return flag_tree_loop_vectorize && !flag_associative_math && !flag_unsafe_math_optimizations
	 && lookup_attribute ("omp declare simd", DECL_ATTRIBUTES (decl));
}

/* CALL is of the function NAME, which is not listed.  */
static bool
judge_call_by_summary (struct pg_plan *plan, gcall *call, char *name)
{
  const struct pg_summary *summary = pg_summary_or_reason (call);
  if (!summary)
    return pg_refuse (plan, PG_WHY_CALL, call, name);
  if (summary->why != PG_N_REASONS)
    {
      char *detail = xasprintf ("%s: %s, %s:%u", name, pg_reasons[summary->why].name, pg_file_name (summary->where),
				pg_line (summary->where));
      free (name);
      return pg_refuse (plan, PG_WHY_CALL, call, detail);
    }
  free (name);
  plan->region_flags |= summary->flags;
  plan->calls = true;
  plan->called_frame_len = MAX (plan->called_frame_len, summary->frame_len);
  return true;
}

static bool
judge_call (struct pg_plan *plan, gcall *call)
{
  if (gimple_call_internal_p (call))
    {
      internal_fn fn = gimple_call_internal_fn (call);
      if (internal_fn_flags (fn) & ECF_CONST)
	return true;
      return pg_refuse (plan, PG_WHY_CALL, call, xstrdup (internal_fn_name (fn)));
    }
  tree decl = gimple_call_fndecl (call);
  if (!decl)
    return pg_refuse (plan, PG_WHY_CALL, call, xstrdup ("through a pointer"));
  char *name = xstrdup (lang_hooks.decl_printable_name (decl, 1));
  if (fndecl_built_in_p (decl, BUILT_IN_NORMAL))
    {
      enum built_in_function code = DECL_FUNCTION_CODE (decl);
      if (math_function_p (decl))
	{
	  if (rounds_by_place_p (decl))
	    return pg_refuse (plan, PG_WHY_VECTOR_MATH, call, name);
	  if (flag_errno_math && !(gimple_call_flags (call) & ECF_CONST))
	    plan->region_flags |= PG_REGION_MAY_SET_ERRNO;
	  free (name);
	  return true;
	}
      if (ALLOCA_FUNCTION_CODE_P (code) || code == BUILT_IN_STACK_SAVE || code == BUILT_IN_STACK_RESTORE)
	return pg_refuse (plan, PG_WHY_ALLOCA, call, name);
      if (code == BUILT_IN_FRAME_ADDRESS || code == BUILT_IN_RETURN_ADDRESS)
	return pg_refuse (plan, PG_WHY_FRAME_ADDRESS, call, name);
      if (!strncmp (name, "__atomic_", 9) || !strncmp (name, "__sync_", 7))
	return pg_refuse (plan, PG_WHY_ATOMIC, call, name);
      if (!strncmp (name, "__builtin_GOMP_", 15) || !strncmp (name, "GOMP_", 5))
	return pg_refuse (plan, PG_WHY_OPENMP, call, name);
    }
  return judge_call_by_summary (plan, call, name);
}

/* A type that the judge does not reason about, or PG_N_REASONS.  */
static enum pg_reason
refused_type (const_tree type)
{
  if (VECTOR_TYPE_P (type))
    return PG_WHY_VECTOR_TYPE;
  const_tree element = TREE_CODE (type) == COMPLEX_TYPE ? TREE_TYPE (type) : type;
  if (DECIMAL_FLOAT_TYPE_P (element)
      || (SCALAR_FLOAT_TYPE_P (element) && TYPE_MODE (element) != SFmode && TYPE_MODE (element) != DFmode))
    return PG_WHY_WIDE_FLOAT;
  return PG_N_REASONS;
}

static tree
find_thread_local (tree *tp, int *, void *)
{
  return VAR_P (*tp) && DECL_THREAD_LOCAL_P (*tp) ? *tp : NULL_TREE;
}

/* True if OP is errno.  The runtime's own calls change that of the thread that enters, while others work.  */
static bool
errno_p (tree op)
{
  tree base = REFERENCE_CLASS_P (op) ? get_base_address (op) : NULL_TREE;
  if (!base || TREE_CODE (base) != MEM_REF || TREE_CODE (TREE_OPERAND (base, 0)) != SSA_NAME)
    return false;
  gimple *def = SSA_NAME_DEF_STMT (TREE_OPERAND (base, 0));
  tree callee = is_gimple_call (def) ? gimple_call_fndecl (def) : NULL_TREE;
  return callee && DECL_NAME (callee) && id_equal (DECL_NAME (callee), "__errno_location");
}

/* Refuse what the operands of STMT mean: types, thread-local variables.  */
static bool
judge_operands (struct pg_plan *plan, gimple *stmt)
{
  for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
    {
      tree op = gimple_op (stmt, i);
      if (!op || TREE_CODE (op) == LABEL_DECL || TREE_CODE (op) == CASE_LABEL_EXPR || !TREE_TYPE (op))
	continue;
      enum pg_reason why = refused_type (TREE_TYPE (op));
      if (why != PG_N_REASONS)
	return pg_refuse (plan, why, stmt);
      if (errno_p (op) || walk_tree_without_duplicates (&op, find_thread_local, NULL))
	return pg_refuse (plan, i == 0 && gimple_store_p (stmt) ? PG_WHY_THREAD_LOCAL_WRITE : PG_WHY_THREAD_LOCAL,
			  stmt);
    }
  return true;
}

static bool
judge_statement (struct pg_plan *plan, gimple *stmt)
{
  if (is_gimple_debug (stmt) || gimple_clobber_p (stmt))
    return true;
  if (gimple_has_volatile_ops (stmt))
    return pg_refuse (plan, PG_WHY_VOLATILE, stmt);
  if (stmt_could_throw_p (cfun, stmt) || lookup_stmt_eh_lp (stmt) != 0)
    {
      tree callee = is_gimple_call (stmt) ? gimple_call_fndecl (stmt) : NULL_TREE;
      return pg_refuse (plan, callee ? PG_WHY_CALL : PG_WHY_EXCEPTION, stmt,
			callee ? xstrdup (lang_hooks.decl_printable_name (callee, 1)) : NULL);
    }
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
    case GIMPLE_COND:
    case GIMPLE_SWITCH:
      return judge_operands (plan, stmt);
    case GIMPLE_CALL:
      return judge_call (plan, as_a<gcall *> (stmt)) && judge_operands (plan, stmt);
    case GIMPLE_LABEL:
      {
	tree label = gimple_label_label (as_a<glabel *> (stmt));
	if (DECL_NONLOCAL (label) || FORCED_LABEL (label))
	  return pg_refuse (plan, PG_WHY_SETJMP, stmt);
	return true;
      }
    case GIMPLE_NOP:
    case GIMPLE_PREDICT:
      return true;
    case GIMPLE_RETURN:
      return judge_operands (plan, stmt);
    case GIMPLE_ASM:
      return pg_refuse (plan, PG_WHY_ASM, stmt);
    case GIMPLE_GOTO:
      return pg_refuse (plan, PG_WHY_SETJMP, stmt);
    default:
      return pg_refuse (plan, PG_WHY_SHAPE, stmt);
    }
}

/* Judge what BB does, whatever runs it.  */
static bool
judge_block (struct pg_plan *plan, basic_block bb)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->succs)
    if (e->flags & (EDGE_ABNORMAL | EDGE_EH))
      return pg_refuse (plan, e->flags & EDGE_EH ? PG_WHY_EXCEPTION : PG_WHY_SETJMP, last_stmt (bb));
  for (gphi_iterator gpi = gsi_start_phis (bb); !gsi_end_p (gpi); gsi_next (&gpi))
    {
      tree result = gimple_phi_result (gpi.phi ());
      enum pg_reason why = virtual_operand_p (result) ? PG_N_REASONS : refused_type (TREE_TYPE (result));
      if (why != PG_N_REASONS)
	return pg_refuse (plan, why, gpi.phi ());
    }
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (!judge_statement (plan, gsi_stmt (gsi)))
      return false;
  return true;
}

bool
pg_refused_block_p (basic_block bb)
{
  struct pg_plan scratch = {};
  return !judge_block (&scratch, bb);
}

bool
pg_judge_statements (struct pg_plan *plan)
{
  class loop *loop = plan->loop;
  for (class loop *l = loop; l && l != loop_outer (loop); l = l->inner)
    if (l->simduid || l->force_vectorize || (l->safelen && l->safelen != INT_MAX))
      return pg_refuse (plan, PG_WHY_SIMD, NULL);

  auto_vec<basic_block> body;
  pg_find_body (plan, &body);
  for (basic_block bb : body)
    if (!judge_block (plan, bb))
      return false;
  return true;
}
