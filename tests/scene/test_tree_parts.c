/* Tests the parts of the method "tree" without a scene: the layout, descents that must list every pair of leaves once,
 * and forests through updates, whose boxes and slabs must contain everything below them, and which must be built or
 * refitted as the changes require. */
#include "base/number_sequence.h"
#include "base/simd_choice.h"
#include "base/worker_teams.h"
#include "broad/method.h"
#include "broad/tree_descent.h"
#include "broad/tree_forest.h"
#include "test_scale.h"
#include "tree_scenes.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- the layout */

static void check_layout(uint32_t leaf_count) {
  const tree_layout layout = tree_layout_of(leaf_count);
  uint32_t nodes = leaf_count, first = 0;
  for (uint32_t level = 0;; level++) {
    assert_int_equal(layout.first[level], first);
    const uint32_t blocks = (uint32_t)(((uint64_t)nodes + TREE_FANOUT - 1) / TREE_FANOUT);
    assert_int_equal(tree_parents(nodes), blocks);
    assert_int_equal(tree_child_block(&layout, level, blocks - 1), first + blocks - 1);
    first += blocks;
    if (nodes == 1) {
      assert_int_equal(layout.top, level);
      assert_true(level < TREE_LEVELS);
      for (uint32_t above = level + 1; above < TREE_LEVELS; above++)
        assert_int_equal(tree_child_block(&layout, above, 0), first - 1);
      break;
    }
    nodes = blocks;
  }
  assert_int_equal(layout.block_count, first);
  assert_int_equal(tree_block_count(leaf_count), first);
}

TEST(test_layouts) {
  for (uint32_t count = 1; count < 5000; count++) check_layout(count);
  const uint32_t large[] = {65535, 65536, 65537, 1u << 20, (1u << 20) + 1, UINT32_MAX - 3, UINT32_MAX};
  for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) check_layout(large[i]);
  assert_int_equal(tree_block_count(0), 0);
}

/* ---------------------------------------------------------------------------------------------- descents */

enum { LEAVES_MOST = 1100 };

/* All nodes are one point: everything meets. */
static tree_block *blocks_of_points(uint32_t leaf_count) {
  const tree_layout layout = tree_layout_of(leaf_count);
  tree_block *blocks = calloc(layout.block_count, sizeof *blocks);
  assert_non_null(blocks);
  uint32_t nodes = leaf_count;
  for (uint32_t level = 0; level <= layout.top; level++, nodes = tree_parents(nodes))
    for (uint32_t i = nodes; i < TREE_FANOUT * tree_parents(nodes); i++)
      for (int axis = 0; axis < 3; axis++)
        blocks[layout.first[level] + i / TREE_FANOUT].half[axis][i % TREE_FANOUT] = -HUGE_VALF;
  return blocks;
}

typedef struct met_leaves {
  uint8_t *met; /* s * t_count + t */
  uint32_t s_count, t_count;
  bool itself;
} met_leaves;

static bool take_leaves(void *context, uint32_t s, uint32_t t, uint32_t bits) {
  const met_leaves *leaves = context;
  for (uint32_t bit = 0; bit < DESCENT_CHILDREN; bit++) {
    if ((bits >> bit & 1u) == 0) continue;
    const uint32_t a = s + bit / TREE_FANOUT, b = t + bit % TREE_FANOUT;
    assert_true(a < leaves->s_count && b < leaves->t_count);
    const bool swapped = leaves->itself && a > b;
    leaves->met[(size_t)(swapped ? b : a) * leaves->t_count + (swapped ? a : b)]++;
  }
  return true;
}

/* The same step by step, in either order. */
static void run_traversal(const tree_descent *descent, bool nearest_first, met_leaves *leaves) {
  OWNED_MEMORY tree_traversal *traversal = calloc(1, sizeof *traversal);
  assert_non_null(traversal);
  traversal->descent = *descent;
  traversal->nearest_first = nearest_first;
  tree_traversal_begin(traversal, descent_root(descent));
  while (traversal->count > 0) {
    tree_traversal_step(traversal);
    assert_true(take_leaves(leaves, traversal->s, traversal->t, traversal->bits));
  }
}

static void check_descent(uint32_t s_count, uint32_t t_count, bool itself, graze_simd simd, bool aligned) {
  static uint8_t met[LEAVES_MOST * LEAVES_MOST];
  tree_block *s = blocks_of_points(s_count), *t = itself ? s : blocks_of_points(t_count);
  tree_descent descent = {.s = tree_layout_of(s_count),
                          .t = tree_layout_of(t_count),
                          .s_blocks = s,
                          .t_blocks = t,
                          .relation = {.unit_s = 1.0f, .unit_t = 1.0f, .aligned = aligned},
                          .kernels = SIMD_KERNELS(tree_kernels, simd),
                          .itself = itself};
  for (int i = 0; i < 3; i++) {
    descent.relation.to_s.rows[i][i] = descent.relation.to_s.magnitudes[i][i] = 1.0f;
    descent.relation.to_t.rows[i][i] = descent.relation.to_t.magnitudes[i][i] = 1.0f;
  }
  met_leaves leaves = {met, s_count, t_count, itself};
  memset(met, 0, (size_t)s_count * t_count);
  assert_true(tree_descend(&descent, descent_root(&descent), take_leaves, &leaves));
  for (uint32_t i = 0; i < s_count; i++)
    for (uint32_t j = 0; j < t_count; j++) assert_int_equal(met[(size_t)i * t_count + j], itself ? i < j : 1);
  memset(met, 0, (size_t)s_count * t_count);
  for (int order = 0; order < 2; order++) run_traversal(&descent, order == 1, &leaves);
  for (uint32_t i = 0; i < s_count; i++)
    for (uint32_t j = 0; j < t_count; j++) assert_int_equal(met[(size_t)i * t_count + j], 2 * (itself ? i < j : 1));
  if (!itself) free(t);
  free(s);
}

TEST(test_descents_name_every_pair_once) {
  const uint32_t counts[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 20, 21, 63, 64, 65, 100, 255, 256, 257, 1025};
  const size_t number = sizeof counts / sizeof counts[0];
  for (size_t i = 0; i < number; i++)
    for (int simd = GRAZE_SIMD_SCALAR; simd <= GRAZE_SIMD_256; simd++) {
      if (!simd_available((graze_simd)simd)) continue;
      check_descent(counts[i], counts[i], true, (graze_simd)simd, true);
      check_descent(counts[i], counts[i], true, (graze_simd)simd, false);
      for (size_t j = 0; j < number; j++)
        if ((i + j) % 3 == (size_t)simd - 1)
          check_descent(counts[i], counts[j], false, (graze_simd)simd, (i + j) % 2 == 0);
    }
}

/* Of nodes that all meet, those of nearest centers come first; here the last of S and the first of T. */
TEST(test_the_nearest_come_first) {
  enum { LEAVES = 64 };
  OWNED_MEMORY tree_block *s = blocks_of_points(LEAVES), *t = blocks_of_points(LEAVES);
  const tree_layout layout = tree_layout_of(LEAVES);
  for (uint32_t level = 0; level <= layout.top; level++) {
    const uint32_t nodes = (uint32_t)LEAVES >> 2 * level;
    for (uint32_t node = 0; node < nodes; node++) {
      const uint32_t block = layout.first[level] + node / TREE_FANOUT, lane = node % TREE_FANOUT;
      s[block].center[0][lane] = (float)node / (float)nodes - 1.0f;
      t[block].center[0][lane] = (float)node / (float)nodes;
      for (int axis = 0; axis < 3; axis++) s[block].half[axis][lane] = t[block].half[axis][lane] = 4.0f;
    }
  }
  tree_traversal traversal = {.descent = {.s = layout,
                                          .t = layout,
                                          .s_blocks = s,
                                          .t_blocks = t,
                                          .relation = {.unit_s = 1.0f, .unit_t = 1.0f, .aligned = true},
                                          .kernels = &tree_kernels_scalar},
                              .nearest_first = true};
  tree_traversal_begin(&traversal, descent_root(&traversal.descent));
  do tree_traversal_step(&traversal);
  while (traversal.bits == 0);
  assert_true(traversal.s == LEAVES - TREE_FANOUT && traversal.t == 0);
}

/* ---------------------------------------------------------------------------------------------- forests */

enum { BODIES = 3, TRIANGLES_MOST = 20000 };

/* Objects of triangles with three vertices each of their own. */
typedef struct wood {
  double *positions[BODIES];
  uint32_t *corners;
  uint8_t *removed[BODIES];
  uint32_t counts[BODIES];
  object_source sources[BODIES];
  object_rule rules[BODIES];
  rigid_pose poses[BODIES];
  primitive_header *headers;
  object_change changes[BODIES];
  primitive_view view;
  memory heap;
  workers *team;
  search_notes notes;
  tree_forest forest;
} wood;

static void begin_wood(wood *w, const uint32_t counts[BODIES], const tree_options *options, uint32_t worker_count) {
  memset(w, 0, sizeof *w);
  memory_init(&w->heap, NULL);
  w->team = team_of_threads(&w->heap, worker_count);
  w->corners = malloc(3 * TRIANGLES_MOST * sizeof *w->corners);
  w->headers = calloc(BODIES * TRIANGLES_MOST, sizeof *w->headers);
  assert_true(w->team != NULL && w->corners != NULL && w->headers != NULL);
  for (uint32_t i = 0; i < 3 * TRIANGLES_MOST; i++) w->corners[i] = i;
  for (int i = 0; i < BODIES; i++) {
    w->counts[i] = counts[i];
    w->positions[i] = malloc(9 * (size_t)counts[i] * sizeof(double) + 1);
    w->removed[i] = calloc(counts[i] + 1, 1);
    assert_true(w->positions[i] != NULL && w->removed[i] != NULL);
  }
  tree_forest_init(&w->forest, &w->heap, options);
}

static void end_wood(wood *w) {
  tree_forest_release(&w->forest);
  workers_destroy(&w->heap, w->team);
  for (int i = 0; i < BODIES; i++) {
    free(w->positions[i]);
    free(w->removed[i]);
  }
  free(w->corners);
  free(w->headers);
  assert_int_equal(w->heap.bytes_now, 0);
}

/* Small triangles in a cube, in an order that has nothing to do with where they lie. */
static void scatter(wood *w, int body, double center, double size, uint64_t *sequence) {
  for (uint32_t i = 0; i < w->counts[body]; i++)
    for (int axis = 0; axis < 3; axis++) {
      const double at = center + size * sequence_signed(sequence);
      for (int corner = 0; corner < 3; corner++)
        w->positions[body][9 * (size_t)i + 3 * (size_t)corner + (size_t)axis] =
            at + 0.01 * size * sequence_signed(sequence);
    }
}

static void update_wood(wood *w, object_change changes) {
  uint32_t primitive = 0;
  for (uint32_t i = 0; i < BODIES; i++) {
    w->sources[i] = (object_source){.positions = w->positions[i],
                                    .is_double = true,
                                    .corner_count = 3,
                                    .corners = w->corners,
                                    .first_vertex = 3 * primitive,
                                    .first_primitive = primitive,
                                    .removed = w->removed[i],
                                    .primitive_count = w->counts[i]};
    w->changes[i] = changes;
    for (uint32_t k = 0; k < w->counts[i]; k++)
      w->headers[primitive + k] = primitive_header_of(&w->sources[i], primitive + k, i);
    primitive += w->counts[i];
  }
  w->view = (primitive_view){.primitive_count = primitive,
                             .vertex_count = 3 * (size_t)primitive,
                             .headers = w->headers,
                             .sources = w->sources,
                             .rules = w->rules,
                             .object_count = BODIES};
  const update_input input = {&w->view, w->changes, &w->notes, w->team, &w->heap};
  assert_ok(tree_forest_update(&w->forest, &input));
}

static bool node_holds(const tree_block *block, const tree_slab *slab_or_null, uint32_t lane,
                       const long double own[3]) {
  bool holds = true;
  long double along = 0.0L;
  for (int axis = 0; axis < 3; axis++)
    holds = holds && fabsl(own[axis] - (long double)block->center[axis][lane]) <= block->half[axis][lane];
  if (slab_or_null == NULL) return holds;
  for (int axis = 0; axis < 3; axis++) along += own[axis] * (long double)slab_or_null->normal[axis][lane];
  return holds && fabsl(along - (long double)slab_or_null->middle[lane]) <= slab_or_null->half[lane];
}

/* Every corner in the box, and the slab, of every node above it. */
static void check_body(const wood *w, const tree_body *body) {
  const tree_layout layout = tree_layout_of(body->leaf_count);
  OWNED_MEMORY uint8_t *seen = calloc(w->counts[body->object], 1);
  for (uint32_t leaf = 0; leaf < body->leaf_count; leaf++) {
    const uint32_t element = w->forest.leaves[body->first_leaf + leaf];
    assert_true(element < w->counts[body->object] && w->removed[body->object][element] == 0 && seen[element] == 0);
    seen[element] = 1;
    const primitive_header *header = &w->forest.headers[body->first_leaf + leaf];
    assert_int_equal(header->object, 0);
    assert_int_equal(header->corner[0], 3 * element);
    for (int corner = 0; corner < 3; corner++) {
      long double own[3];
      for (int axis = 0; axis < 3; axis++)
        own[axis] = ((long double)w->positions[body->object][9 * (size_t)element + 3 * (size_t)corner + (size_t)axis] -
                     body->space.origin[axis]) /
                    body->space.unit;
      for (uint32_t level = 0, node = leaf; level <= layout.top; level++, node /= TREE_FANOUT) {
        const uint32_t block = body->first_block + layout.first[level] + node / TREE_FANOUT;
        assert_true(node_holds(&w->forest.blocks[block], body->has_slabs ? &w->forest.slabs[block] : NULL,
                               node % TREE_FANOUT, own));
      }
    }
  }
}

static void check_wood(const wood *w, uint64_t built, uint64_t refitted) {
  assert_int_equal(w->forest.built_count, built);
  assert_int_equal(w->forest.refitted_count, refitted);
  size_t leaves = 0;
  for (int i = 0; i < BODIES; i++)
    for (uint32_t k = 0; k < w->counts[i]; k++) leaves += w->removed[i][k] == 0;
  assert_int_equal(w->forest.leaf_count, leaves);
  for (size_t i = 0; i < w->forest.body_count; i++) check_body(w, &w->forest.bodies[i]);
}

static void live_through_updates(const uint32_t counts[BODIES], const tree_options *options, uint32_t worker_count) {
  wood w;
  uint64_t sequence = counts[0];
  const uint64_t bodies = (counts[0] > 0) + (counts[1] > 0) + (uint64_t)(counts[2] > 0);
  const bool rebuilds = options->update == GRAZE_TREE_UPDATE_REBUILD,
             refits = options->update == GRAZE_TREE_UPDATE_REFIT;
  begin_wood(&w, counts, options, worker_count);
  for (int i = 0; i < BODIES; i++) scatter(&w, i, 3.0 * i, 1.0, &sequence);
  update_wood(&w, CHANGED_ALL);
  check_wood(&w, bodies, 0);
  for (size_t i = 0; i < w.forest.body_count; i++)
    assert_true(w.forest.bodies[i].has_slabs == (options->builder != GRAZE_TREE_BUILDER_MORTON));
  update_wood(&w, CHANGED_POSE | CHANGED_FILTER);
  check_wood(&w, 0, 0);
  for (int i = 0; i < BODIES; i++) /* as before, but elsewhere and smaller */
    for (size_t k = 0; k < 9 * (size_t)counts[i]; k++) w.positions[i][k] = 0.25 * w.positions[i][k] + 1e3;
  update_wood(&w, CHANGED_POSITIONS);
  check_wood(&w, rebuilds ? bodies : 0, rebuilds ? 0 : bodies);
  for (size_t i = 0; i < w.forest.body_count && !rebuilds; i++) assert_false(w.forest.bodies[i].has_slabs);
  for (int i = 0; i < BODIES; i++) scatter(&w, i, 3.0 * i, 1.0, &sequence); /* every one elsewhere */
  update_wood(&w, CHANGED_POSITIONS);
  uint64_t decayed = 0; /* of a few boxes that is not said */
  for (int i = 0; i < BODIES; i++) decayed += counts[i] > 64;
  const uint64_t built = refits ? 0 : rebuilds ? bodies : w.forest.built_count;
  check_wood(&w, built, bodies - built);
  assert_true(refits || built >= decayed);
  for (int i = 0; i < BODIES; i++)
    for (uint32_t k = 0; k < counts[i]; k++) w.removed[i][k] = sequence_below(&sequence, 3) == 0 && k > 0;
  update_wood(&w, CHANGED_TOPOLOGY);
  check_wood(&w, bodies, 0);
  end_wood(&w);
}

TEST(test_forests_hold_what_lies_in_them) {
  const uint32_t counts[][BODIES] = {{1, 2, 3}, {5, 16, 17}, {64, 0, 65}, {300, 1, 1025}, {4097, 16383, 16384}};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    for (int builder = GRAZE_TREE_BUILDER_AUTO; builder <= GRAZE_TREE_BUILDER_SPLITS; builder++)
      for (int update = GRAZE_TREE_UPDATE_AUTO; update <= GRAZE_TREE_UPDATE_REBUILD; update++) {
        if (test_scale() < 1.0 && counts[i][0] > 1000 && update != builder) continue; /* each once under sanitizers */
        const tree_options options = {(graze_tree_builder)builder, (graze_tree_update)update};
        live_through_updates(counts[i], &options, 1 + (uint32_t)((i + (size_t)update) % 3));
      }
}

/* The order of leaves, and so which pair comes first, depends on the builder and not on the workers. */
TEST(test_forests_do_not_depend_on_workers) {
  const uint32_t counts[BODIES] = {300, 5000, 20000};
  for (int builder = GRAZE_TREE_BUILDER_MORTON; builder <= GRAZE_TREE_BUILDER_SPLITS; builder++) {
    static wood woods[3];
    for (uint32_t i = 0; i < 3; i++) {
      uint64_t sequence = 8;
      begin_wood(&woods[i], counts, &(tree_options){(graze_tree_builder)builder, GRAZE_TREE_UPDATE_AUTO}, 2 * i + 1);
      for (int body = 0; body < BODIES; body++) scatter(&woods[i], body, 0.0, 1.0, &sequence);
      update_wood(&woods[i], CHANGED_ALL);
      const tree_forest *forest = &woods[i].forest, *first = &woods[0].forest;
      assert_memory_equal(forest->leaves, first->leaves, forest->leaf_count * sizeof *forest->leaves);
      assert_memory_equal(forest->blocks, first->blocks, forest->block_count * sizeof *forest->blocks);
      for (size_t body = 0; body < forest->body_count; body++)
        assert_true(forest->bodies[body].area == first->bodies[body].area);
    }
    for (int i = 0; i < 3; i++) end_wood(&woods[i]);
  }
}

/* A method's definition may be left out. */
TEST(test_no_definition_means_the_defaults) {
  memory heap;
  memory_init(&heap, NULL);
  const method_options options = {NULL};
  void *own = NULL;
  assert_ok(cpu_tree.create(&heap, &options, &own));
  assert_int_equal(((const tree_forest *)own)->options.builder, GRAZE_TREE_BUILDER_AUTO);
  assert_int_equal(((const tree_forest *)own)->options.update, GRAZE_TREE_UPDATE_AUTO);
  cpu_tree.destroy(&heap, own);
  assert_int_equal(heap.bytes_now, 0);
}
