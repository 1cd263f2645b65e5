/* The replicated grid against its definition: boxes without a scene, on every level, on both sides of cell borders and
 * exactly on them. A pair must be met once in each cell of the coarser level that both boxes reach into; a candidate
 * must be handed over once, in tasks that are the same for any number of workers. */
#include "lab/replicated_grid.h"
#include "testing.h"

#include "base/number_sequence.h"
#include "base/pair_order.h"
#include "base/simd_choice.h"
#include "base/worker_teams.h"
#include "broad/grid_data.h"
#include "broad/method_state.h"
#include "methods/method_table.h"
#include "test_scale.h"

#include <stdlib.h>

enum { BOXES_MOST = 1200, OBJECTS = 3, TASKS_MOST = 4096 };

typedef struct box_scene {
  primitive_box boxes[BOXES_MOST];
  uint8_t searched[BOXES_MOST];
  bool occupied[GRID_LEVEL_COUNT];
  primitive_header headers[BOXES_MOST];
  object_source sources[OBJECTS];
  object_rule rules[OBJECTS];
  primitive_view view;
} box_scene;

/* ---------------------------------------------------------------------------------------------- scenes */

/* The region of the boxes of a scene; their levels are in [lowest, highest]. */
typedef struct box_crowd {
  double center[3], radius;
  int lowest, highest;
} box_crowd;

static double in_unit(uint64_t *sequence) {
  return (double)(sequence_next(sequence) >> 11) * 0x1p-53;
}

static float clamp(double x) {
  return (float)(x < -1.0 ? -1.0 : x > 1.0 ? 1.0 : x);
}

/* One side of a box that is shorter than half a cell: anywhere, or with an end on a border of some level, or a point.
 */
static void make_side(double center, double radius, int level, uint64_t *sequence, float *min_out, float *max_out) {
  const double cell = ldexp(1.0, level - LEVEL_BIAS);
  const int grain = level + (int)sequence_below(sequence, 4) - 1;
  const double border = ldexp(1.0, grain - LEVEL_BIAS);
  const uint64_t kind = sequence_below(sequence, 9);
  double low = center + (2.0 * in_unit(sequence) - 1.0) * radius;
  double length = (1.0 - in_unit(sequence) * in_unit(sequence)) * 0.49 * cell;
  if (kind == 0) length = 0.0;
  if (kind <= 2) low = floor(low / border) * border;
  if (kind == 2) low -= length;
  *min_out = clamp(low);
  *max_out = clamp(low + length);
  if (kind == 3) *min_out = *max_out = nextafterf(*min_out, -2.0f);
}

static void add_box(box_scene *scene, const box_crowd *crowd, uint64_t *sequence) {
  const size_t i = scene->view.primitive_count++;
  primitive_box *box = &scene->boxes[i];
  const int level = crowd->lowest + (int)sequence_below(sequence, (uint64_t)(crowd->highest - crowd->lowest) + 1);
  for (int axis = 0; axis < 3; axis++)
    make_side(crowd->center[axis], crowd->radius, level, sequence, &box->min[axis], &box->max[axis]);
  scene->searched[i] = sequence_below(sequence, 40) != 0;
  if (scene->searched[i]) scene->occupied[grid_level_of_box(box)] = true;
  scene->headers[i] = (primitive_header){.object = (uint32_t)sequence_below(sequence, OBJECTS)};
  /* Vertex numbers are those of one object each; some are shared with a primitive before. */
  for (uint32_t corner = 0; corner < 3; corner++) scene->headers[i].corner[corner] = 3 * (uint32_t)i + corner;
  const size_t other = sequence_below(sequence, i + 1);
  if (scene->headers[other].object == scene->headers[i].object)
    scene->headers[i].corner[i % 3] = scene->headers[other].corner[0];
}

static void make_scene(box_scene *scene, size_t box_count, uint64_t *sequence) {
  memset(scene, 0, sizeof *scene);
  scene->view = (primitive_view){.headers = scene->headers,
                                 .boxes = scene->boxes,
                                 .searched = scene->searched,
                                 .sources = scene->sources,
                                 .rules = scene->rules,
                                 .object_count = OBJECTS,
                                 .between = sequence_below(sequence, 4) != 0,
                                 .within = true,
                                 .skip_neighbors = sequence_below(sequence, 2) == 0,
                                 .rules_differ = sequence_below(sequence, 2) == 0};
  for (int i = 0; i < OBJECTS; i++) {
    scene->sources[i].corner_count = 3;
    scene->rules[i] = (object_rule){scene->view.rules_differ ? UINT64_C(1) << i : 1,
                                    scene->view.rules_differ ? sequence_below(sequence, 8) : 1,
                                    sequence_below(sequence, 4) != 0, false, 0};
  }
  while (scene->view.primitive_count < box_count) {
    box_crowd crowd;
    crowd.lowest = (int)sequence_below(sequence, 29);
    crowd.highest = crowd.lowest + (int)sequence_below(sequence, 6);
    if (crowd.highest > 30) crowd.highest = 30;
    crowd.radius = ldexp(0.75, crowd.highest - LEVEL_BIAS - (int)sequence_below(sequence, 3));
    for (int axis = 0; axis < 3; axis++) {
      const double border = ldexp(1.0, crowd.highest - LEVEL_BIAS), anywhere = 2.0 * in_unit(sequence) - 1.0;
      const double places[6] = {0.0, 1.0, -1.0, anywhere, floor(anywhere / border) * border, border};
      crowd.center[axis] = places[sequence_below(sequence, 6)];
    }
    const size_t members = 1 + sequence_below(sequence, sequence_below(sequence, 12) == 0 ? BOXES_MOST : 160);
    for (size_t i = 0; i < members && scene->view.primitive_count < box_count; i++) add_box(scene, &crowd, sequence);
  }
}

/* ---------------------------------------------------------------------------------------------- the definition */

typedef struct expected_raw_candidates {
  index_pair *pairs;  /* sorted, each as often as it has common cells */
  index_pair *unique; /* sorted, each once */
  size_t count, unique_count;
  uint64_t neighbors;
} expected_raw_candidates;

/* In how many cells of the level both boxes are. */
static size_t common_cells(const primitive_box *p, const primitive_box *q, int level) {
  size_t count = 1;
  for (int axis = 0; axis < 3; axis++) {
    const double low = p->min[axis] > q->min[axis] ? p->min[axis] : q->min[axis];
    const double high = p->max[axis] < q->max[axis] ? p->max[axis] : q->max[axis];
    count *= (size_t)(floor(ldexp(high, LEVEL_BIAS - level)) - floor(ldexp(low, LEVEL_BIAS - level))) + 1;
  }
  return count;
}

static bool share_header_corner(const primitive_header *p, const primitive_header *q) {
  bool share = false;
  for (int i = 0; i < 9; i++) share = share || p->corner[i / 3] == q->corner[i % 3];
  return share;
}

static void expect_pair(const box_scene *scene, uint32_t i, uint32_t j, expected_raw_candidates *expected) {
  const primitive_view *view = &scene->view;
  if (scene->searched[i] == 0 || scene->searched[j] == 0) return;
  if (!boxes_meet(&scene->boxes[i], &scene->boxes[j])) return;
  if (!objects_meet(view, scene->headers[i].object, scene->headers[j].object)) return;
  if (view->skip_neighbors && share_header_corner(&scene->headers[i], &scene->headers[j])) {
    expected->neighbors++;
    return;
  }
  const int levels[2] = {replicated_level(&scene->boxes[i]), replicated_level(&scene->boxes[j])};
  const int level = levels[0] > levels[1] ? levels[0] : levels[1];
  const size_t cells = common_cells(&scene->boxes[i], &scene->boxes[j], level);
  assert_true(cells >= 1 && cells <= 8);
  for (size_t cell = 0; cell < cells; cell++) expected->pairs[expected->count++] = (index_pair){i, j};
  expected->unique[expected->unique_count++] = (index_pair){i, j};
}

static expected_raw_candidates expect(const box_scene *scene) {
  const uint32_t count = (uint32_t)scene->view.primitive_count;
  const size_t most = (size_t)count * count / 2 + 1;
  expected_raw_candidates expected = {malloc(8 * most * sizeof(index_pair)), malloc(most * sizeof(index_pair)), 0, 0,
                                      0};
  assert_true(expected.pairs != NULL && expected.unique != NULL);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = i + 1; j < count; j++) expect_pair(scene, i, j, &expected);
  return expected;
}

/* ---------------------------------------------------------------------------------------------- the grid */

typedef struct handed_over {
  pair_list pairs;
  memory *heap;
  uint64_t tasks[TASKS_MOST]; /* a hash of what each task handed over, in its order */
} handed_over;

static size_t take(void *context, uint32_t worker, uint32_t task, const candidate *candidates, size_t count) {
  handed_over *handed = context;
  if (count > CANDIDATE_BATCH || task >= TASKS_MOST) abort();
  for (size_t i = 0; i < count; i++) {
    const index_pair pair = candidates[i].pair;
    handed->tasks[task] = (handed->tasks[task] ^ ((uint64_t)pair.a << 32 | pair.b)) * UINT64_C(0x100000001b3);
    if (!pair_list_append(&handed->pairs, handed->heap, worker, &pair, 1)) abort();
  }
  return 0;
}

static search search_of(const box_scene *scene, memory *heap, workers *team, lab_hash hash) {
  search s = {.view = &scene->view, .simd = GRAZE_SIMD_SCALAR, .memory = heap, .workers = team};
#if SIMD_HAS_128
  if (hash % 2 == 0) s.simd = GRAZE_SIMD_128;
#endif
  search_init_ends(&s);
  return s;
}

static void assert_same_pairs(const pair_list *found, const index_pair *pairs, size_t count, const box_scene *scene,
                              search *s) {
  assert_int_equal(pair_list_count(found), count);
  OWNED_MEMORY index_pair *sorted = malloc((count + 1) * sizeof *sorted);
  assert_non_null(sorted);
  assert_true(pair_order(found, s->memory, s->workers, (uint32_t)scene->view.primitive_count, sorted));
  for (size_t i = 0; i < count; i++) assert_true(sorted[i].a == pairs[i].a && sorted[i].b == pairs[i].b);
}

static void check_raw_candidates(const box_scene *scene, const expected_raw_candidates *expected, memory *heap,
                                 workers *team, lab_hash hash) {
  search s = search_of(scene, heap, team, hash);
  replicated_grid g = {.hash = hash};
  pair_list raw_candidates;
  assert_true(pair_list_init(&raw_candidates, heap, workers_count(team)));
  assert_true(replicated_build(&g, &s));
  assert_true(replicated_raw_candidates(&g, &s, &raw_candidates));
  assert_same_pairs(&raw_candidates, expected->pairs, expected->count, scene, &s);
  assert_int_equal(s.counts.neighbors, expected->neighbors);
  grid_release(&g.grid, heap);
  pair_list_release(&raw_candidates, heap);
}

/* The first call stores the output of each task; the others compare with it. */
static void check_variant(const box_scene *scene, const expected_raw_candidates *expected, memory *heap, workers *team,
                          const method *row, uint64_t *tasks, bool first) {
  search s = search_of(scene, heap, team, row == &method_grid_sort ? LAB_HASH_MORTON : LAB_HASH_DJB2);
  handed_over *handed = calloc(1, sizeof *handed);
  assert_non_null(handed);
  handed->heap = heap;
  assert_true(pair_list_init(&handed->pairs, heap, workers_count(team)));
  s.sink = (candidate_sink){handed, take};
  const method_options options = {NULL};
  method_state opened = {0};
  assert_ok(method_open(&opened, row, &options, heap));
  assert_ok(method_find(&opened, &s));
  method_close(&opened);
  assert_same_pairs(&handed->pairs, expected->unique, expected->unique_count, scene, &s);
  assert_int_equal(s.counts.candidates, expected->unique_count);
  assert_int_equal(s.counts.neighbors, expected->neighbors);
  assert_int_equal(s.counts.duplicates, row == &method_grid ? 0 : expected->count - expected->unique_count);
  if (first) memcpy(tasks, handed->tasks, sizeof handed->tasks);
  assert_memory_equal(tasks, handed->tasks, sizeof handed->tasks);
  pair_list_release(&handed->pairs, heap);
  free(handed);
}

static void check_scene(const box_scene *scene, const expected_raw_candidates *expected, memory *heap,
                        workers *const teams[3], lab_hash hash) {
  static uint64_t tasks[TASKS_MOST];
  check_raw_candidates(scene, expected, heap, teams[1], hash);
  const method *const hashed[] = {&method_grid_sort, &method_sort_djb2, &method_sort_fnv1a, &method_sort_primes};
  const method *const rows[] = {&method_grid, hashed[hash], &method_grid_map};
  for (int row = 0; row < 3; row++)
    for (int team = 0; team < 3; team++) check_variant(scene, expected, heap, teams[team], rows[row], tasks, team == 0);
}

TEST(test_boxes_meet_in_their_common_cells) {
  memory heap;
  memory_init(&heap, NULL);
  workers *const teams[3] = {team_of_threads(&heap, 1), team_of_threads(&heap, 2), team_of_threads(&heap, 5)};
  box_scene *scene = malloc(sizeof *scene);
  assert_true(scene != NULL && teams[0] != NULL && teams[1] != NULL && teams[2] != NULL);
  uint64_t sequence = 2026;
  size_t pair_count = 0, raw_candidate_count = 0, level_count = 0;
  const size_t rounds = test_scaled(240, 24);
  for (size_t round = 0; round < rounds; round++) {
    make_scene(scene, round < 8 ? round : 1 + sequence_below(&sequence, BOXES_MOST), &sequence);
    expected_raw_candidates expected = expect(scene);
    check_scene(scene, &expected, &heap, teams, (lab_hash)(round % 4));
    pair_count += expected.unique_count;
    raw_candidate_count += expected.count;
    for (int level = 0; level < GRID_LEVEL_COUNT; level++) level_count += scene->occupied[level];
    free(expected.pairs);
    free(expected.unique);
  }
  print_message("%zu pairs met %zu times; %zu levels a scene\n", pair_count, raw_candidate_count, level_count / rounds);
  assert_true(raw_candidate_count > pair_count + pair_count / 4);
  for (int i = 0; i < 3; i++) workers_destroy(&heap, teams[i]);
  free(scene);
  assert_int_equal(heap.bytes_now, 0);
}

/* ---------------------------------------------------------------------------------------------- the largest tables */

/* Levels of more cells than any machine at hand has memory for: no slot may belong to two levels, and no table may be
 * fuller than half. */
TEST(test_tables_of_large_levels_are_apart) {
  const uint32_t many = (UINT32_C(1) << 29) + 1;
  const uint32_t counts[][4] = {{many, many, 7, 1}, {1, many, many, many}, {7, UINT32_MAX - 8, 0, 1}};
  for (size_t round = 0; round < sizeof counts / sizeof counts[0]; round++) {
    uint32_t run_counts[GRID_LEVEL_COUNT] = {0};
    for (int i = 0; i < 4; i++) run_counts[3 * i] = counts[round][i];
    grid g = {0};
    grid_lay_out_levels(&g, run_counts);
    uint64_t end_slot = 0, end_range = 0;
    for (int level = 0; level < GRID_LEVEL_COUNT; level++) {
      const grid_level *l = &g.levels[level];
      assert_true(l->first_range == end_range && l->end_range == end_range + run_counts[level]);
      end_range = l->end_range;
      if (run_counts[level] == 0) continue;
      assert_true(l->first_slot >= end_slot);
      assert_true(l->slot_mask + 1 >= 2 * (uint64_t)run_counts[level]);
      end_slot = l->first_slot + l->slot_mask + 1;
      uint64_t highest = 0;
      for (uint64_t hash = 1; hash < 1000; hash++) {
        const uint64_t slot = grid_slot(l, hash);
        assert_true(slot <= l->slot_mask);
        highest = slot > highest ? slot : highest;
      }
      assert_true(highest > l->slot_mask / 2);
    }
    assert_true(g.slot_count == end_slot && g.highest == 9);
  }
}

/* Cells of coordinates on borders, just beside them, and anywhere. */
TEST(test_floors_of_coordinates) {
  uint64_t sequence = 7;
  for (int exponent = -30; exponent < 31; exponent++) {
    const float border = ldexpf(1.0f, exponent);
    for (int i = 0; i < 1000; i++) {
      const float x = (float)(2.0 * in_unit(&sequence) - 1.0) * border;
      assert_true(floor_to_int(x) == (int32_t)floorf(x) && floor_to_int(floorf(x)) == (int32_t)floorf(x));
    }
    const float beside[] = {border, nextafterf(border, 0.0f), -border, nextafterf(-border, 0.0f),
                            nextafterf(-border, -4e9f)};
    for (int i = 0; i < 5; i++) assert_true(floor_to_int(beside[i]) == (int32_t)floorf(beside[i]));
  }
  assert_true(floor_to_int(0.0f) == 0 && floor_to_int(-0.0f) == 0 && floor_to_int(-0x1p-149f) == -1);
}
