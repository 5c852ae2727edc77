/* SPDX-License-Identifier: MIT
   Unit tests of descriptors: what is packed is what is unpacked, and anything at all may be unpacked without harm.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "describe.h"
#include "pick.h"

#include <string.h>
#include <sys/mman.h>

enum
{
  N_RANDOM = 2000,
  MOST = 40,      /* elements of a table */
  ROOM = 1 << 17, /* pages */
  PAGE = 4096
};

struct world
{
  struct pg_region region;
  char function[20];
  struct pg_node nodes[MOST];
  struct pg_dim dims[PG_MAX_DIMS + 1];
  struct pg_wrap_check checks[MOST];
  struct pg_ref refs[MOST];
  struct pg_reduction reductions[MOST];
  struct pg_field live_ins[MOST], live_outs[MOST];
  struct pg_work_array work_arrays[MOST];
  struct pg_array_reduction array_reductions[MOST];
  unsigned char kernel[MOST];
};

static struct world world;
static struct pg_descriptor descriptor;
static struct pg_region unpacked;
static void *tables;

/* What is packed ends where memory does.  */
static _Alignas(PAGE) unsigned char pages[ROOM + PAGE];

static int64_t
nothing (void *args, int64_t lo, int64_t hi, void *ctx)
{
  (void) args, (void) lo, (void) ctx;
  return hi;
}

static int64_t
nothing_more (void *args, int64_t lo, int64_t hi, void *ctx)
{
  return 1 + nothing (args, lo, hi, ctx);
}

static int64_t
nothing_else (void *args, int64_t lo, int64_t hi, void *ctx)
{
  return 2 + nothing (args, lo, hi, ctx);
}

/* A number of any size.  */
static int64_t
pick_any (void)
{
  return (int64_t) ((uint64_t) pick (INT32_MIN, INT32_MAX) << 32 | (uint64_t) pick (0, UINT32_MAX)) >> pick (0, 63);
}

static int64_t
pick_len (void)
{
  return pick (0, 3) == 0 ? pick (0, 1000) : 1 << pick (0, 7);
}

static struct pg_linear
no_form (void)
{
  struct pg_linear form;
  memset (&form, -1, sizeof form);
  return form;
}

static struct pg_linear
pick_form (void)
{
  struct pg_linear form;
  uint32_t n_nodes = world.region.n_nodes;
  int64_t chance = pick (0, 3);
  form.base = (int16_t) (n_nodes > 0 && pick (0, 3) < chance ? pick (0, n_nodes - 1) : -1);
  for (uint32_t d = 0; d < PG_MAX_DIMS; d++)
    form.coef[d]
      = (int16_t) (n_nodes > 0 && d < world.region.n_dims && pick (0, 3) < chance ? pick (0, n_nodes - 1) : -1);
  return form;
}

static void
pick_node (struct pg_node *node, int64_t number)
{
  *node = (struct pg_node) { .op = (uint8_t) pick (0, number > 0 ? PG_NODE_MUL : PG_NODE_ARG), .a = -1, .b = -1 };
  if (node->op == PG_NODE_CONST)
    node->value = pick_any ();
  else if (node->op == PG_NODE_ARG)
    {
      node->size = (uint8_t) (1 << pick (0, 3));
      node->is_signed = (uint8_t) pick (0, 1);
      node->value = pick (0, 4000);
    }
  else
    {
      node->a = (int16_t) pick (0, number - 1);
      node->b = (int16_t) pick (0, number - 1);
    }
}

static bool
may_lead (const struct pg_reduction *reduction)
{
  return reduction->op == PG_REDUCE_MIN || reduction->op == PG_REDUCE_MAX || reduction->op == PG_REDUCE_OR;
}

static void
pick_tables (void)
{
  struct pg_region *region = &world.region;
  for (uint32_t i = 0; i < region->n_nodes; i++)
    pick_node (&world.nodes[i], i);
  world.dims[0] = (struct pg_dim) { .parent = -1, .last = no_form () };
  for (uint32_t d = 1; d < region->n_dims; d++)
    world.dims[d] = (struct pg_dim) { .parent = (int16_t) pick (0, (d < PG_MAX_DEPTH ? d : PG_MAX_DEPTH - 1) - 1),
				      .flags = (uint16_t) pick (0, PG_DIM_ONCE | PG_DIM_ORDERED),
				      .last = pick_form () };
  for (uint32_t i = 0; i < region->n_checks; i++)
    world.checks[i] = (struct pg_wrap_check) { .value = pick_form (),
					       .dim = (int16_t) pick (0, region->n_dims - 1),
					       .bits = (uint8_t) (8 << pick (0, 2)),
					       .is_signed = (uint8_t) pick (0, 1) };
  for (uint32_t i = 0; i < region->n_refs; i++)
    world.refs[i] = (struct pg_ref) { .address = pick_form (),
				      .dim = (int16_t) pick (0, region->n_dims - 1),
				      .flags = (uint8_t) pick (0, 255),
				      .level = (uint8_t) (pick (0, 3) == 0 ? pick (0, 255) : 0),
				      .group = (int16_t) (pick (0, 9) == 0 ? pick (-1, INT16_MAX) : pick (0, i)),
				      .len = pick (0, 9) == 0 ? pick (0, INT64_MAX) : pick_len () };
  for (uint32_t i = 0; i < region->n_reductions; i++)
    {
      struct pg_reduction *reduction = &world.reductions[i];
      *reduction = (struct pg_reduction) { .op = (uint8_t) pick (0, PG_REDUCE_SET),
					   .type = (uint8_t) pick (0, PG_F64),
					   .offset = (uint32_t) pick (0, 4000),
					   .is_carried = (uint32_t) pick (0, 1) };
      if (reduction->is_carried)
	reduction->end = (uint32_t) pick (0, 4000);
      uint16_t leader = (uint16_t) (i > 0 ? pick (0, i - 1) : 0);
      if (i == 0 || !may_lead (&world.reductions[leader]))
	continue;
      reduction->op = PG_REDUCE_WITH;
      reduction->leader = leader;
    }
  for (uint32_t i = 0; i < region->n_live_ins; i++)
    world.live_ins[i] = (struct pg_field) { (uint32_t) pick (0, 4000), (uint32_t) pick_len () };
  for (uint32_t i = 0; i < region->n_live_outs; i++)
    world.live_outs[i] = (struct pg_field) { (uint32_t) pick (0, 4000), (uint32_t) pick_len () };
  memset (world.work_arrays, 0, sizeof world.work_arrays);
  for (uint32_t i = 0; i < region->n_work_arrays; i++)
    {
      world.work_arrays[i].offset = (uint32_t) pick (0, 4000);
      world.work_arrays[i].group = (int16_t) pick (-1, INT16_MAX);
    }
  memset (world.array_reductions, 0, sizeof world.array_reductions);
  for (uint32_t i = 0; i < region->n_array_reductions; i++)
    {
      bool is_carried = pick (0, 1);
      world.array_reductions[i]
	= (struct pg_array_reduction) { .offset = (uint32_t) pick (0, 4000),
					.group = (int16_t) pick (-1, INT16_MAX),
					.op = (uint8_t) pick (0, PG_REDUCE_MAX),
					.type = (uint8_t) pick (0, is_carried ? PG_U64 : PG_F64),
					.is_carried = is_carried,
					.decides = (uint16_t) pick (0, 1),
					.cursors = is_carried ? (uint32_t) pick (0, 4000) : 0 };
    }
}

/* How many elements a table has.  */
static uint32_t
pick_length (void)
{
  return pick (0, 2) == 0 ? 0 : (uint32_t) pick (0, MOST);
}

/* Make WORLD's region a random one.  */
static void
pick_region (void)
{
  world.region = (struct pg_region) { .file = "file.c",
				      .function = world.function,
				      .line = (uint32_t) pick_any (),
				      .klass = (uint8_t) pick (0, 1),
				      .reason = (uint8_t) pick (0, PG_N_REASONS - 1),
				      .flags = (uint8_t) pick (0, 127),
				      .body = nothing,
				      .body_noalias = pick (0, 1) ? nothing_more : NULL,
				      .monitor = pick (0, 1) ? nothing_else : NULL,
				      .doacross = pick (0, 1) ? nothing : NULL,
				      .tally = pick (0, 1) ? nothing_else : NULL,
				      .args_len = (uint32_t) pick (5000, UINT32_MAX),
				      .frame_len = (uint32_t) pick_any (),
				      .n_nodes = pick_length (),
				      .n_dims = (uint32_t) pick (1, PG_MAX_DIMS),
				      .n_checks = pick_length (),
				      .n_refs = pick_length (),
				      .n_reductions = pick_length (),
				      .n_live_ins = pick_length (),
				      .n_live_outs = pick_length (),
				      .n_work_arrays = pick_length (),
				      .n_array_reductions = pick_length (),
				      .nodes = world.nodes,
				      .dims = world.dims,
				      .checks = world.checks,
				      .refs = world.refs,
				      .reductions = world.reductions,
				      .live_ins = world.live_ins,
				      .live_outs = world.live_outs,
				      .work_arrays = world.work_arrays,
				      .array_reductions = world.array_reductions,
				      .kir = world.kernel,
				      .kir_len = (uint64_t) pick (0, MOST) };
  memset (world.function, 0, sizeof world.function);
  memset (world.function, 'f', (size_t) pick (0, sizeof world.function - 1));
  for (int i = 0; i < MOST; i++)
    world.kernel[i] = (unsigned char) pick (0, 255);
  if (world.region.tally != NULL)
    world.region.monitor = NULL;
  pick_tables ();
}

/* Pack WORLD's region into the end of the pages.  */
static void
pack (void)
{
  size_t len = pg_descriptor_pack (&world.region, NULL, 0) + PG_PACKED_LEN_MOST;
  assert_true (len <= ROOM);
  describe (&descriptor, &world.region, pages + ROOM - len, len);
}

/* How many bytes are packed.  */
static uint32_t
packed_len (void)
{
  uint32_t len;
  assert_non_null (pg_descriptor_packed (&descriptor, &len));
  return len;
}

/* Unpack DESCRIPTOR.  */
static bool
unpack (void)
{
  free (tables);
  tables = NULL;
  if (!pg_descriptor_begin (&unpacked, &descriptor))
    return false;
  uint32_t all;
  const unsigned char *packed = pg_descriptor_packed (&descriptor, &all);
  size_t len = pg_descriptor_tables_len (&unpacked);
  assert_true (len <= 256 * (size_t) all + PG_MAX_DIMS * sizeof (struct pg_dim) + 64);
  tables = malloc (len + 1);
  assert_non_null (tables);
  return pg_descriptor_unpack (&unpacked, &descriptor, packed, tables);
}

static void
check_refs (void)
{
  for (uint32_t i = 0; i < unpacked.n_refs; i++)
    {
      const struct pg_ref *a = &world.refs[i], *b = &unpacked.refs[i];
      assert_memory_equal (&a->address, &b->address, sizeof a->address);
      assert_int_equal (a->dim, b->dim);
      assert_int_equal (a->flags, b->flags);
      assert_int_equal (a->level, b->level);
      assert_int_equal (a->group, b->group);
      assert_int_equal (a->len, b->len);
    }
}

/* Check that what was unpacked is WORLD's region.  */
static void
check_unpacked (void)
{
  const struct pg_region *a = &world.region, *b = &unpacked;
  assert_string_equal (a->file, b->file);
  assert_string_equal (a->function, b->function);
  assert_int_equal (a->line, b->line);
  assert_int_equal (a->klass, b->klass);
  assert_int_equal (a->reason, b->reason);
  assert_int_equal (a->flags, b->flags);
  assert_true (a->body == b->body && a->body_noalias == b->body_noalias && a->monitor == b->monitor
	       && a->tally == b->tally && a->doacross == b->doacross);
  assert_int_equal (a->args_len, b->args_len);
  assert_int_equal (a->frame_len, b->frame_len);
#define CHECK_TABLE(member)                        \
  assert_int_equal (a->n_##member, b->n_##member); \
  assert_memory_equal (a->member, b->member, a->n_##member * sizeof *a->member)
  CHECK_TABLE (nodes);
  CHECK_TABLE (dims);
  CHECK_TABLE (checks);
  CHECK_TABLE (reductions);
  CHECK_TABLE (live_ins);
  CHECK_TABLE (live_outs);
  CHECK_TABLE (array_reductions);
  assert_int_equal (a->n_work_arrays, b->n_work_arrays);
  for (uint32_t i = 0; i < a->n_work_arrays; i++)
    {
      assert_int_equal (a->work_arrays[i].offset, b->work_arrays[i].offset);
      assert_int_equal (a->work_arrays[i].group, b->work_arrays[i].group);
    }
  assert_int_equal (a->n_refs, b->n_refs);
  check_refs ();
  assert_int_equal (a->kir_len, b->kir_len);
  assert_memory_equal (a->kir, b->kir_len > 0 ? b->kir : world.kernel, a->kir_len);
  assert_true ((b->kir == NULL) == (b->kir_len == 0));
}

static void
what_is_packed_is_what_is_unpacked (void **state)
{
  (void) state;
  for (int i = 0; i < N_RANDOM; i++)
    {
      pick_region ();
      pack ();
      assert_true (unpack ());
      check_unpacked ();
    }
}

/* Only the kernel may end anywhere.  */
static void
what_is_cut_is_malformed (void **state)
{
  (void) state;
  for (int i = 0; i < N_RANDOM / 20; i++)
    {
      pick_region ();
      world.region.kir_len = 0;
      pack ();
      for (uint32_t len = packed_len (); len-- > 0;)
	{
	  pg_descriptor_pack (&world.region, pages + ROOM - len, len);
	  set_packed (&descriptor, pages + ROOM - len, len);
	  assert_false (unpack ());
	}
    }
}

static bool
is_good_form (const struct pg_linear *form)
{
  bool is_good = form->base < (int) unpacked.n_nodes;
  for (int d = 0; d < PG_MAX_DIMS; d++)
    is_good &= form->coef[d] < (int) unpacked.n_nodes;
  return is_good;
}

static bool
is_good_field (uint64_t offset, uint64_t len)
{
  return offset + len <= unpacked.args_len;
}

/* Check that what was unpacked can be evaluated without harm.  */
static void
check_sound (void)
{
  for (uint32_t i = 0; i < unpacked.n_nodes; i++)
    {
      const struct pg_node *node = &unpacked.nodes[i];
      assert_in_range (node->op, 0, PG_NODE_MUL);
      assert_true (node->a < (int) i && node->b < (int) i);
      assert_true (node->op != PG_NODE_ARG || is_good_field ((uint64_t) node->value, node->size));
    }
  for (uint32_t d = 0; d < unpacked.n_dims; d++)
    assert_true (unpacked.dims[d].parent < (int) d && unpacked.dims[d].flags <= (PG_DIM_ONCE | PG_DIM_ORDERED)
		 && is_good_form (&unpacked.dims[d].last));
  for (uint32_t i = 0; i < unpacked.n_checks; i++)
    {
      const struct pg_wrap_check *check = &unpacked.checks[i];
      assert_true (check->bits == 8 || check->bits == 16 || check->bits == 32);
      assert_true (check->is_signed <= 1 && check->dim < (int) unpacked.n_dims && is_good_form (&check->value));
    }
  for (uint32_t i = 0; i < unpacked.n_refs; i++)
    {
      const struct pg_ref *ref = &unpacked.refs[i];
      assert_true (ref->dim < (int) unpacked.n_dims && ref->len >= 0 && is_good_form (&ref->address));
    }
  for (uint32_t i = 0; i < unpacked.n_reductions; i++)
    {
      const struct pg_reduction *reduction = &unpacked.reductions[i];
      assert_true (reduction->op <= PG_REDUCE_WITH && reduction->type <= PG_F64);
      assert_true (reduction->op != PG_REDUCE_WITH
		   || (reduction->leader < i && may_lead (&unpacked.reductions[reduction->leader])));
      assert_true (is_good_field (reduction->offset, 1));
      assert_true (!reduction->is_carried || is_good_field (reduction->end, 1));
    }
  for (uint32_t i = 0; i < unpacked.n_live_ins; i++)
    assert_true (is_good_field (unpacked.live_ins[i].offset, unpacked.live_ins[i].len));
  for (uint32_t i = 0; i < unpacked.n_live_outs; i++)
    assert_true (is_good_field (unpacked.live_outs[i].offset, unpacked.live_outs[i].len));
  for (uint32_t i = 0; i < unpacked.n_work_arrays; i++)
    assert_true (is_good_field (unpacked.work_arrays[i].offset, sizeof (void *)));
  for (uint32_t i = 0; i < unpacked.n_array_reductions; i++)
    {
      const struct pg_array_reduction *array = &unpacked.array_reductions[i];
      assert_true (is_good_field (array->offset, sizeof (void *)));
      assert_true (array->op <= PG_REDUCE_MAX && array->type <= (array->is_carried ? PG_U64 : PG_F64));
      assert_true (!array->is_carried || is_good_field (array->cursors, sizeof (struct pg_cursors)));
    }
}

static void
anything_may_be_unpacked (void **state)
{
  int n_good = 0, n_bad = 0;
  (void) state;
  for (int i = 0; i < N_RANDOM; i++)
    {
      pick_region ();
      world.region.args_len = (uint32_t) pick (4000, 6000);
      pack ();
      unsigned char *packed = pages + ROOM - packed_len ();
      for (int64_t n = pick (1, 3); n > 0; n--)
	packed[pick (0, packed_len () - 1)] ^= (unsigned char) (1 << pick (0, 7));
      bool is_good = unpack ();
      n_good += is_good;
      n_bad += !is_good;
      if (is_good)
	check_sound ();
    }
  assert_true (n_good > N_RANDOM / 10 && n_bad > N_RANDOM / 10);
}

static void
noise_may_be_unpacked (void **state)
{
  (void) state;
  for (int i = 0; i < 20 * N_RANDOM; i++)
    {
      pick_region ();
      uint32_t len = (uint32_t) pick (0, 60);
      set_packed (&descriptor, pages + ROOM - len, len);
      for (uint32_t at = 0; at < len; at++)
	pages[ROOM - 1 - at] = (unsigned char) (pick (0, 1) ? pick (0, 255) : pick (0, 7));
      if (unpack ())
	check_sound ();
    }
}

/* Make WORLD's region the header's example.  */
static void
set_example (void)
{
  world.region = (struct pg_region) { .file = "file.c",
				      .function = "f",
				      .line = 12,
				      .klass = PG_CLASS_POSSIBLY,
				      .reason = PG_WHY_POINTERS,
				      .flags = PG_REGION_ALL_AFFINE,
				      .body = nothing,
				      .args_len = 24,
				      .frame_len = 32,
				      .n_nodes = 3,
				      .n_dims = 1,
				      .n_refs = 2,
				      .nodes = world.nodes,
				      .dims = world.dims,
				      .refs = world.refs };
  world.dims[0] = (struct pg_dim) { .parent = -1, .last = no_form () };
  for (int i = 0; i < 2; i++)
    {
      world.nodes[i] = (struct pg_node) { .op = PG_NODE_ARG, .size = 8, .value = 8 * i, .a = -1, .b = -1 };
      world.refs[i] = (struct pg_ref) { .address = no_form (),
					.flags = PG_REF_AFFINE | (i == 0 ? PG_REF_READ : PG_REF_WRITE),
					.group = (int16_t) i,
					.len = 8 };
      world.refs[i].address.base = (int16_t) i;
      world.refs[i].address.coef[0] = 2;
    }
  world.nodes[2] = (struct pg_node) { .op = PG_NODE_CONST, .value = 8, .a = -1, .b = -1 };
}

/* The header's example, and how much smaller than in memory it is.  */
static void
the_form_is_the_one_that_is_described (void **state)
{
  static const unsigned char expected[]
    = { 0x91, 0x0a, 0x01, 0x0c, 0x18, 0x20, 0x03, 0x02, 0x66, 0x00, 0x19, 0x00, 0x19,
	0x08, 0x00, 0x10, 0x85, 0x0b, 0x03, 0x00, 0x02, 0x86, 0x0b, 0x03, 0x01, 0x02 };
  (void) state;
  set_example ();
  pack ();
  assert_int_equal (packed_len (), sizeof expected);
  assert_memory_equal (pages + ROOM - sizeof expected, expected, sizeof expected);
  assert_true (unpack ());
  check_unpacked ();
  assert_true (pg_descriptor_tables_len (&unpacked) >= 5 * (sizeof expected - 10));
}

/* The example with one other byte.  */
static void
what_is_not_of_the_form_is_malformed (void **state)
{
  static const struct
  {
    int at;
    unsigned char byte;
    bool is_good;
  } changes[] = {
    { 2, PG_N_REASONS - 1, true },
    { 2, PG_N_REASONS, false },
    { 10, 0x59, false }, /* a node's kind has a bit too many */
    { 10, 0x1d, false }, /* there is no such operation */
    { 13, 0x10, true },  /* the last eight bytes of the arguments, and one more */
    { 13, 0x11, false },
    { 14, 0x08, false }, /* a constant has a size */
    { 17, 0x13, false }, /* a number of a group, which takes what follows */
    { 17, 0x1b, false }, /* there is no such way to tell a group */
    { 17, 0x2b, false }, /* there is no such dimension */
    { 18, 0x83, false }, /* a form has one of the next byte, too */
    { 18, 0x05, false }, /* there is no such dimension */
    { 20, 0x03, false }, /* there is no such node */
  };
  (void) state;
  for (size_t c = 0; c < sizeof changes / sizeof *changes; c++)
    {
      set_example ();
      pack ();
      pages[ROOM - packed_len () + changes[c].at] = changes[c].byte;
      if (unpack () != changes[c].is_good)
	fail_msg ("change %zu", c);
    }
}

static void
numbers_have_limits (void **state)
{
  static const uint32_t lens[] = { 1, 2, 4, 8, 1, 2, 4, 8, 4, 8 };
  static struct pg_field many[INT16_MAX + 1];
  (void) state;
  for (uint32_t n = INT16_MAX; n <= INT16_MAX + 1; n++)
    {
      set_example ();
      world.region.live_outs = many;
      world.region.n_live_outs = n;
      pack ();
      assert_int_equal (unpack (), n == INT16_MAX);
    }
  for (uint32_t type = PG_I8; type <= PG_F64; type++)
    for (uint32_t beyond = 0; beyond < 2; beyond++)
      {
	set_example ();
	world.reductions[0] = (struct pg_reduction) { .type = (uint8_t) type, .offset = 24 - lens[type] + beyond };
	world.region.reductions = world.reductions;
	world.region.n_reductions = 1;
	pack ();
	assert_int_equal (unpack (), beyond == 0);
	world.reductions[0] = (struct pg_reduction) {
	  .type = (uint8_t) type, .offset = 0, .is_carried = 1, .end = 24 - lens[type] + beyond
	};
	pack ();
	assert_int_equal (unpack (), beyond == 0);
      }
  for (uint32_t op = PG_REDUCE_ADD; op <= PG_REDUCE_WITH; op++)
    for (uint16_t leader = 0; leader < 3; leader++)
      {
	set_example ();
	world.reductions[0] = (struct pg_reduction) { .op = PG_REDUCE_MAX };
	world.reductions[1] = (struct pg_reduction) { .op = (uint8_t) op };
	world.reductions[2] = (struct pg_reduction) { .op = PG_REDUCE_WITH, .leader = leader };
	world.region.reductions = world.reductions;
	world.region.n_reductions = 3;
	pack ();
	bool is_good = leader == 0 || (leader == 1 && may_lead (&world.reductions[1]));
	assert_int_equal (unpack (), is_good);
      }
  for (int way = 0; way < 4; way++)
    {
      set_example ();
      world.refs[1].group = way == 0 ? INT16_MIN : INT16_MAX;
      world.refs[1].level = UINT8_MAX;
      pack ();
      if (way == 2)
	pages[ROOM - 4]++; /* the last byte of the group: the form has three */
      else if (way == 3)
	pages[ROOM - 7]++; /* the last byte of the level */
      assert_int_equal (unpack (), way < 2);
      assert_true (way >= 2 || unpacked.refs[1].group == world.refs[1].group);
    }
}

static void
a_nest_may_have_many_loops (void **state)
{
  const uint32_t most_outer = PG_MAX_DEPTH - 1;
  (void) state;
  for (uint32_t n = 1; n <= PG_MAX_DIMS; n++)
    {
      set_example ();
      for (uint32_t d = 1; d < n; d++)
	{
	  world.dims[d] = world.dims[0];
	  world.dims[d].parent = (int16_t) ((d - 1) % most_outer);
	  world.dims[d].last.coef[(d - 1) % most_outer] = 1;
	}
      world.region.n_dims = n;
      world.refs[1].dim = (int16_t) (n - 1);
      world.refs[1].address.coef[n - 1] = 2;
      pack ();
      assert_true (unpack ());
      check_unpacked ();
    }
}

static void
a_nest_is_not_too_deep (void **state)
{
  (void) state;
  for (uint32_t n = PG_MAX_DEPTH; n <= PG_MAX_DEPTH + 1; n++)
    {
      set_example ();
      for (uint32_t d = 1; d < n; d++)
	{
	  world.dims[d] = world.dims[0];
	  world.dims[d].parent = (int16_t) (d - 1);
	}
      world.region.n_dims = n;
      pack ();
      assert_int_equal (unpack (), n == PG_MAX_DEPTH);
    }
}

static void
a_descriptor_is_small (void **state)
{
  (void) state;
  assert_int_equal (offsetof (struct pg_descriptor, others), 36);
  assert_int_equal (sizeof (struct pg_descriptor), 48);
}

/* Of the others, an object has those that FLAGS says.  */
static void
what_an_object_leaves_out_is_not_read (void **state)
{
  (void) state;
  for (int n_others = 0; n_others <= PG_DESCRIPTOR_MOST_OTHERS; n_others++)
    {
      set_example ();
      world.region.body_noalias = n_others > 0 ? nothing_more : NULL;
      world.region.monitor = n_others > 1 ? nothing_else : NULL;
      world.region.doacross = n_others > 2 ? nothing : NULL;
      describe (&descriptor, &world.region, pages, ROOM / 2);

      size_t len = (offsetof (struct pg_descriptor, others[n_others]) + 7) / 8 * 8;
      struct pg_descriptor *object = (struct pg_descriptor *) (pages + ROOM - len);
      int32_t moved = (int32_t) ((char *) &descriptor - (char *) object);
      descriptor.packed += moved;
      descriptor.file += moved;
      for (int i = 0; i < n_others; i++)
	descriptor.others[i] += moved;
      memcpy (object, &descriptor, len);
      assert_true (pg_descriptor_begin (&unpacked, object));
      assert_ptr_equal (unpacked.body_noalias, world.region.body_noalias);
      assert_ptr_equal (unpacked.monitor, world.region.monitor);
      assert_ptr_equal (unpacked.doacross, world.region.doacross);
    }
}

static void
what_every_region_has_is_there (void **state)
{
  (void) state;
  for (int way = 0; way < 3; way++)
    {
      pick_region ();
      pack ();
      if (way == 0)
	descriptor.packed = 0;
      else if (way == 1)
	descriptor.file = 0;
      else
	descriptor.body = NULL;
      assert_false (unpack ());
    }
}

static int
end_memory (void **state)
{
  (void) state;
  return mprotect (pages + ROOM, PAGE, PROT_NONE);
}

static int
end_all (void **state)
{
  (void) state;
  free (tables);
  return mprotect (pages + ROOM, PAGE, PROT_READ | PROT_WRITE);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (what_is_packed_is_what_is_unpacked),
    cmocka_unit_test (what_is_cut_is_malformed),
    cmocka_unit_test (anything_may_be_unpacked),
    cmocka_unit_test (noise_may_be_unpacked),
    cmocka_unit_test (the_form_is_the_one_that_is_described),
    cmocka_unit_test (what_is_not_of_the_form_is_malformed),
    cmocka_unit_test (numbers_have_limits),
    cmocka_unit_test (a_nest_may_have_many_loops),
    cmocka_unit_test (a_nest_is_not_too_deep),
    cmocka_unit_test (a_descriptor_is_small),
    cmocka_unit_test (what_an_object_leaves_out_is_not_read),
    cmocka_unit_test (what_every_region_has_is_there),
  };
  return cmocka_run_group_tests (tests, end_memory, end_all);
}
