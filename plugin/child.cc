/* SPDX-License-Identifier: GPL-3.0-or-later
   The function that a loop became: its declaration, its place in the call graph, its clones.

       FUNCTION.paragon.LINE		F
       FUNCTION.paragon.LINE.noalias	no-alias F
       FUNCTION.paragon.LINE.monitor	M

   They are local to the unit, reached through the region descriptor only, and go through all passes of their own after
   the function that they came from.  */

#include "child.h"
#include "loops.h"

/* Stack that F needs beside its variables: spills, and the math functions that it calls.  */
static const HOST_WIDE_INT frame_margin = 2048;

/* Statements of a loop that is short: half of them have values that live at once, at most.  */
static const unsigned few_statements = 30;

/* A name that the unit does not use yet: FUNCTION.paragon.LINE, with .2 and so on where a line has several loops.  */
static tree
new_name (location_t where)
{
  const char *function = targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (cfun->decl)));
  char *name = xasprintf ("%s.paragon.%d", function, LOCATION_LINE (where));
  for (unsigned n = 2; maybe_get_identifier (name); n++)
    {
      free (name);
      name = xasprintf ("%s.paragon.%d.%u", function, LOCATION_LINE (where), n);
    }
  tree identifier = get_identifier (name);
  free (name);
  return identifier;
}

static tree
new_parameter (tree function, const char *name, tree type)
{
  tree parameter = build_decl (DECL_SOURCE_LOCATION (function), PARM_DECL, get_identifier (name), type);
  DECL_ARTIFICIAL (parameter) = 1;
  DECL_ARG_TYPE (parameter) = type;
  DECL_CONTEXT (parameter) = function;
  TREE_USED (parameter) = 1;
  return parameter;
}

bool
pg_child_moves_memory_p (const gimple *stmt, const class loop *loop)
{
  if (!gimple_assign_single_p (stmt) || !gimple_store_p (stmt))
    return false;
  tree value = gimple_assign_rhs1 (stmt);
  if (TREE_CODE (value) != SSA_NAME)
    return true;
  gimple *def = SSA_NAME_DEF_STMT (value);
  bool is_byte = integer_onep (TYPE_SIZE_UNIT (TREE_TYPE (value)));
  return gimple_assign_load_p (def) || (is_byte && !(gimple_bb (def) && flow_bb_inside_loop_p (loop, gimple_bb (def))));
}

/* True if a store of LOOP moves memory.  */
static bool
loop_moves_memory_p (const class loop *loop)
{
  bool moves = false;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi) && !moves; gsi_next (&gsi))
      moves = pg_child_moves_memory_p (gsi_stmt (gsi), loop);
  free (body);
  return moves;
}

/* True if LOOP has so few statements that registers are enough for all that its loops hold.  */
static bool
is_short_p (const class loop *loop)
{
  unsigned n = 0;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      n += !is_gimple_debug (gsi_stmt (gsi));
  free (body);
  return n <= few_statements;
}

/* The optimization options for code that runs ranges of PLAN's loop, beside others: those of the current function, but
   it must not write what the loop does not write (-Ofast allows that).  Where only loops are vectorised whose counts
   are known, nobody need look at one that runs ranges; nor, where loops are distributed for calls only, at one without
   any; nor, where registers are enough, at each loop by itself when they are given out; nor at the order of so few
   instructions, in which a processor finds what can begin itself, nor once more at what they have in common.  Ranges
   are long: what vectors leave over of one is not worth shorter vectors, nor copies one behind the other, unless sums
   may round otherwise without.  */
static tree
optimization_for_ranges (const struct pg_plan *plan)
{
  const class loop *loop = plan->loop;
  bool is_vain = flag_tree_loop_vectorize && flag_vect_cost_model == VECT_COST_MODEL_VERY_CHEAP && !loop->inner;
  bool has_calls = flag_tree_loop_distribution || loop_moves_memory_p (loop);
  struct gcc_options options = global_options;
  options.x_flag_store_data_races = 0;
  options.x_flag_tree_loop_vectorize = flag_tree_loop_vectorize && !is_vain;
  options.x_flag_tree_loop_distribute_patterns = flag_tree_loop_distribute_patterns && has_calls;
  if (!loop->inner && !plan->fuses)
    {
      options.x_param_vect_epilogues_nomask = 0;
      options.x_flag_cunroll_grow_size &= flag_unroll_loops;
    }
  if (is_short_p (loop))
    {
      options.x_flag_ira_region = IRA_REGION_ONE;
      options.x_flag_schedule_insns_after_reload = 0;
      options.x_flag_rerun_cse_after_loop = flag_unroll_loops;
      options.x_flag_cprop_registers = 0;
      options.x_flag_ree = 0;
    }
  return build_optimization_node (&options, &global_options_set);
}

void
pg_child_declare (struct pg_child *child, const struct pg_plan *plan)
{
  location_t where = plan->where;
  struct function *parent = cfun;
  tree type = build_function_type_list (intDI_type_node, ptr_type_node, intDI_type_node, intDI_type_node, ptr_type_node,
					NULL_TREE);
  tree name = new_name (where);
  tree decl = build_decl (LOCATION_LOCUS (where), FUNCTION_DECL, name, type);
  SET_DECL_ASSEMBLER_NAME (decl, name);
  TREE_STATIC (decl) = 1;
  TREE_USED (decl) = 1;
  TREE_NOTHROW (decl) = 1;
  DECL_ARTIFICIAL (decl) = 1;
  DECL_UNINLINABLE (decl) = 1;
  DECL_USER_ALIGN (decl) = 1; /* to nothing: it is called seldom, its loops are aligned themselves */
  DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT (decl) = 1;
  DECL_ATTRIBUTES (decl) = tree_cons (get_identifier (PG_OUTLINED_ATTRIBUTE), NULL_TREE, NULL_TREE);
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION (decl) = optimization_for_ranges (plan);
  DECL_FUNCTION_SPECIFIC_TARGET (decl) = DECL_FUNCTION_SPECIFIC_TARGET (parent->decl);
  DECL_INITIAL (decl) = make_node (BLOCK);
  BLOCK_SUPERCONTEXT (DECL_INITIAL (decl)) = decl;

  tree result = build_decl (DECL_SOURCE_LOCATION (decl), RESULT_DECL, NULL_TREE, intDI_type_node);
  DECL_ARTIFICIAL (result) = 1;
  DECL_IGNORED_P (result) = 1;
  DECL_CONTEXT (result) = decl;
  DECL_RESULT (decl) = result;

  static const char *const names[] = { "args", "lo", "hi", "ctx" };
  tree *chain = &DECL_ARGUMENTS (decl);
  for (unsigned i = 0; i < 4; i++)
    {
      *chain = new_parameter (decl, names[i], i == 0 || i == 3 ? ptr_type_node : intDI_type_node);
      chain = &DECL_CHAIN (*chain);
    }

  allocate_struct_function (decl, false);
  set_cfun (parent);
  child->decl = decl;
  child->fun = DECL_STRUCT_FUNCTION (decl);
  child->fun->function_end_locus = LOCATION_LOCUS (where);
  init_tree_ssa (child->fun);
  init_ssa_operands (child->fun);
  child->fun->gimple_df->in_ssa_p = true;
}

/* Have DECL compiled later, as hot as FROM is.  It is called through a pointer.  */
static void
add_function (tree decl, tree from)
{
  cgraph_node *node = cgraph_node::get_create (decl);
  node->parallelized_function = 1;
  cgraph_node::add_new_function (decl, true);
  node->frequency = cgraph_node::get (from)->frequency;
  node->mark_address_taken ();
}

void
pg_child_move (struct pg_child *child, basic_block entry_bb, basic_block exit_bb)
{
  basic_block stub = move_sese_region_to_fn (child->fun, entry_bb, exit_bb, NULL_TREE);
  single_succ_edge (stub)->flags = EDGE_FALLTHRU;
  child->fun->curr_properties = cfun->curr_properties & ~PROP_loop_opts_done;
  child->fun->has_unroll = cfun->has_unroll;
  child->fun->can_throw_non_call_exceptions = cfun->can_throw_non_call_exceptions;
  child->fun->can_delete_dead_exceptions = cfun->can_delete_dead_exceptions;
  /* Statements are not marked as places to stop at: each line is one.  */
  child->fun->debug_nonbind_markers = false;
  for (auto loop : loops_list (child->fun, 0))
    loop->warned_aggressive_loop_optimizations = true;
  add_function (child->decl, cfun->decl);
}

tree
pg_child_clone (const struct pg_child *child, const char *suffix)
{
  /* A function that is ignored by the debugger needs no abstract instance.  */
  DECL_IGNORED_P (child->decl) = 1;
  cgraph_node *node = pg_gcc_clone (cgraph_node::get (child->decl), suffix);
  DECL_IGNORED_P (child->decl) = 0;
  DECL_IGNORED_P (node->decl) = 0;
  DECL_ABSTRACT_ORIGIN (node->decl) = NULL_TREE;
  add_function (node->decl, child->decl);
  return node->decl;
}

/* Change OPTIONS so that no loop becomes several.  */
static void
keep_loops_single (struct gcc_options *options)
{
  options->x_flag_tree_loop_vectorize = 0;
  options->x_flag_tree_slp_vectorize = 0;
  options->x_flag_unswitch_loops = 0;
  options->x_flag_split_loops = 0;
  options->x_flag_version_loops_for_strides = 0;
  options->x_flag_unroll_jam = 0;
  options->x_flag_tree_loop_distribution = 0;
  options->x_flag_tree_loop_distribute_patterns = 0;
  options->x_flag_predictive_commoning = 0;
  options->x_flag_unroll_loops = 0;
  options->x_flag_peel_loops = 0;
  options->x_flag_cunroll_grow_size = 0;
}

void
pg_child_keep_loops_single (tree decl)
{
  struct gcc_options options = global_options;
  keep_loops_single (&options);
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION (decl) = build_optimization_node (&options, &global_options_set);
}

void
pg_child_keep_conditions (tree decl)
{
  struct gcc_options options = global_options;
  options.x_flag_unswitch_loops = 0;
  options.x_flag_split_loops = 0;
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION (decl) = build_optimization_node (&options, &global_options_set);
}

void
pg_child_fuse_nothing (function *fun)
{
  struct gcc_options options = global_options;
  options.x_flag_fp_contract_mode = FP_CONTRACT_OFF;
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION (fun->decl) = build_optimization_node (&options, &global_options_set);
  set_cfun (fun, true);
}

/* Change OPTIONS so that one more function costs little: passes that take time and save little of it.  */
static void
save_work (struct gcc_options *options)
{
  keep_loops_single (options);
  options->x_optimize = 1;
  options->x_flag_schedule_insns_after_reload = 0;
  options->x_flag_cprop_registers = 0;
  options->x_flag_dse = 0;
  options->x_flag_expensive_optimizations = 0;
  options->x_flag_forward_propagate = 0;
  options->x_flag_gcse = 0;
  options->x_flag_ira_region = IRA_REGION_ONE;
  options->x_flag_ree = 0;
  options->x_flag_reorder_blocks = 0;
  options->x_flag_rerun_cse_after_loop = 0;
  options->x_flag_thread_jumps = 0;
  options->x_flag_tree_copy_prop = 0;
  options->x_flag_tree_dom = 0;
  options->x_flag_tree_dse = 0;
  options->x_flag_tree_pta = 0;
  options->x_flag_tree_sink = 0;
  options->x_flag_tree_slsr = 0;
  options->x_flag_tree_vrp = 0;
  options->x_str_align_loops = options->x_str_align_jumps = options->x_str_align_labels = "1";
}

void
pg_child_save_work (tree decl)
{
  struct gcc_options options = global_options;
  save_work (&options);
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION (decl) = build_optimization_node (&options, &global_options_set);
}

void
pg_child_save_code (tree decl)
{
  struct gcc_options options = global_options, chosen = global_options_set;
  save_work (&options);
  options.x_flag_if_conversion = 0;
  options.x_flag_if_conversion2 = 0;
  options.x_flag_ivopts = 0;
  options.x_flag_move_loop_invariants = 0;
  options.x_flag_omit_frame_pointer = 0;
  chosen.x_flag_omit_frame_pointer = 1;
  options.x_flag_tree_loop_ivcanon = 0;
  options.x_flag_tree_loop_optimize = 0;
  options.x_flag_tree_scev_cprop = 0;
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION (decl) = build_optimization_node (&options, &chosen);
}

/* Add the definitions that STMT needs to WORK.  */
static void
require_uses (gimple *stmt, auto_bitmap &needed, vec<gimple *> *work)
{
  use_operand_p use;
  ssa_op_iter it;
  FOR_EACH_PHI_OR_STMT_USE (use, stmt, it, SSA_OP_USE)
    {
      tree name = USE_FROM_PTR (use);
      if (TREE_CODE (name) == SSA_NAME && bitmap_set_bit (needed, SSA_NAME_VERSION (name)))
	work->safe_push (SSA_NAME_DEF_STMT (name));
    }
}

void
pg_child_reduce (bool (*essential) (gimple *stmt, void *data), void *data)
{
  auto_bitmap needed;
  auto_vec<gimple *> work;
  hash_set<gimple *> kept;
  basic_block bb;

  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (essential (gsi_stmt (gsi), data))
	{
	  kept.add (gsi_stmt (gsi));
	  require_uses (gsi_stmt (gsi), needed, &work);
	}
  while (!work.is_empty ())
    require_uses (work.pop (), needed, &work);

  FOR_EACH_BB_FN (bb, cfun)
    {
      for (gphi_iterator psi = gsi_start_phis (bb); !gsi_end_p (psi);)
	{
	  tree result = gimple_phi_result (psi.phi ());
	  if (virtual_operand_p (result) || bitmap_bit_p (needed, SSA_NAME_VERSION (result)))
	    gsi_next (&psi);
	  else
	    remove_phi_node (&psi, true);
	}
      for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);)
	{
	  gimple *stmt = gsi_stmt (gsi);
	  tree lhs = gimple_get_lhs (stmt);
	  if (kept.contains (stmt)
	      || (lhs && TREE_CODE (lhs) == SSA_NAME && bitmap_bit_p (needed, SSA_NAME_VERSION (lhs))))
	    {
	      gsi_next (&gsi);
	      continue;
	    }
	  unlink_stmt_vdef (stmt);
	  gsi_remove (&gsi, true);
	  release_defs (stmt);
	}
    }
}

tree
pg_child_compute (basic_block bb, tree expression)
{
  gimple_seq seq = NULL;
  tree value = force_gimple_operand (expression, &seq, true, NULL_TREE);
  gimple_stmt_iterator gsi = gsi_last_bb (bb);
  gsi_insert_seq_after (&gsi, seq, GSI_NEW_STMT);
  return value;
}

void
pg_child_refresh (void)
{
  mark_virtual_operands_for_renaming (cfun);
  update_ssa (TODO_update_ssa);
  cgraph_edge::rebuild_edges ();
}

void
pg_child_introduce (const struct pg_child *child)
{
  symtab->call_cgraph_insertion_hooks (cgraph_node::get (child->decl));
}

tree
pg_child_operand (const struct pg_plan_access *access)
{
  gimple *stmt = access->stmt;
  if (is_gimple_call (stmt))
    return NULL_TREE;
  if (access->is_store)
    return gimple_get_lhs (stmt);
  if (gimple_assign_single_p (stmt))
    return gimple_assign_rhs1 (stmt);
  return access->operand;
}

HOST_WIDE_INT
pg_child_frame_len (const struct function *fun)
{
  HOST_WIDE_INT len = frame_margin;
  unsigned i;
  tree decl;
  FOR_EACH_LOCAL_DECL (fun, i, decl)
    if (!is_gimple_reg (decl) && DECL_SIZE_UNIT (decl) && tree_fits_shwi_p (DECL_SIZE_UNIT (decl)))
      len += ROUND_UP (tree_to_shwi (DECL_SIZE_UNIT (decl)), 16);
  return len;
}
