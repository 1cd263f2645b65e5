/* Implements ranks of one process for tests; see rank_team.h. */
#include "rank_team.h"
#include "model_set.h"
#include "scene_calls.h"
#include "testing.h"

#include "graze/inside/parts.h"
#include "models/mesh_object.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void run_all(rank_team *team, void *(*run)(void *rank)) {
  pthread_t threads[TEAM_MOST];
  for (uint32_t i = 1; i < team->count; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, run, &team->ranks[i]), 0);
  run(&team->ranks[0]);
  for (uint32_t i = 1; i < team->count; i++) pthread_join(threads[i], NULL);
}

/* The same code on all ranks, and the same message. */
static graze_result result_of_all(const rank_team *team) {
  for (uint32_t i = 1; i < team->count; i++) {
    assert_int_equal(team->ranks[i].result, team->ranks[0].result);
    if (team->ranks[0].result != GRAZE_OK)
      assert_string_equal(team->ranks[i].state.failure.text, team->ranks[0].state.failure.text);
  }
  return team->ranks[0].result;
}

graze_scene *team_empty_scene(void) {
  graze_scene_def def = graze_scene_def_default();
  def.threading = GRAZE_THREADING_SERIAL;
  graze_scene *scene = create_scene(&def);
  return scene;
}

void team_add_model(graze_scene *scene, const model *chosen, uint64_t primitives, uint64_t seed) {
  const model_parameters parameters = {.primitives = primitives, .seed = seed};
  OWNED(mesh_set) made = model_set(chosen, &parameters);
  for (size_t i = 0; i < made.count; i++) assert_ok(mesh_object_add(scene, &made.meshes[i], NULL, NULL));
}

graze_scene *team_model_scene(const model *chosen, uint64_t primitives) {
  graze_scene *scene = team_empty_scene();
  team_add_model(scene, chosen, primitives, 3);
  return scene;
}

void team_begin(rank_team *team, uint32_t count) {
  *team = (rank_team){.count = count};
  memory_init(&team->heap, NULL);
  team->hub = local_hub_create(&team->heap, count);
  assert_non_null(team->hub);
  for (uint32_t i = 0; i < count; i++)
    team->ranks[i] = (team_rank){.team = team, .net = local_transport(team->hub, i), .scene = team_empty_scene()};
  for (uint32_t i = 0; i < count; i++) array_init(&team->ranks[i].wrenches, sizeof(graze_wrench));
}

static void *open_rank(void *context) {
  team_rank *rank = context;
  graze_scene_def scene = graze_scene_def_default();
  scene.threading = GRAZE_THREADING_SERIAL;
  scene.allocator = rank->allocator;
  scene.backend = rank->team->backend;
  const rank_def def = {.allocator = rank->allocator,
                        .scene = &scene,
                        .work_us = rank->team->work_us,
                        .work_context = rank->team->work_context};
  rank->result = rank_open(&rank->state, &rank->net, &def);
  rank->is_open = rank->result == GRAZE_OK;
  return NULL;
}

graze_result team_open(rank_team *team) {
  run_all(team, open_rank);
  return result_of_all(team);
}

void team_end(rank_team *team) {
  for (uint32_t i = 0; i < team->count; i++) {
    team_rank *rank = &team->ranks[i];
    graze_pairs_free(&rank->pairs);
    array_release(&rank->wrenches, &rank->state.heap);
    graze_regions_free(&rank->regions);
    if (rank->is_open) rank_close(&rank->state);
    graze_scene_destroy(rank->scene);
  }
  local_hub_destroy(team->hub);
}

/* ---------------------------------------------------------------------------------------------- scenes */

static void clear_scene(graze_scene *scene) {
  for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;)
    assert_ok(graze_scene_remove_object(scene, o));
}

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

uint32_t objects_by_chance(const void *context, uint32_t object, uint32_t primitive) {
  const chance *c = context;
  (void)primitive;
  return (uint32_t)(mix(c->seed + object) % c->rank_count);
}

uint32_t primitives_by_chance(const void *context, uint32_t object, uint32_t primitive) {
  const chance *c = context;
  return (uint32_t)(mix(c->seed + object * UINT64_C(100003) + primitive) % c->rank_count);
}

uint32_t all_on_the_last(const void *context, uint32_t object, uint32_t primitive) {
  (void)object;
  (void)primitive;
  return ((const chance *)context)->rank_count - 1;
}

/* The part of an object that a rank has; none where it has nothing of it. */
static void share_object(graze_scene *to, const graze_scene *whole, graze_object object, const uint32_t *primitives,
                         size_t count) {
  if (count == 0) return;
  const size_t starts[2] = {0, count};
  size_t size;
  assert_ok(graze_object_measure_parts(whole, object, primitives, starts, 1, &size));
  OWNED_MEMORY void *bytes = malloc(size);
  assert_ok(graze_object_write_parts(whole, object, primitives, starts, 1, &bytes));
  assert_ok(graze_scene_add_part(to, bytes, size, NULL));
}

void team_share(rank_team *team, const graze_scene *whole, rank_rule *rule, const void *context) {
  for (uint32_t r = 0; r < team->count; r++) clear_scene(team->ranks[r].scene);
  for (graze_object o = {0}; (o = graze_scene_next_object(whole, o)).generation != 0;) {
    graze_object_info info = {0};
    assert_ok(graze_object_get_info(whole, o, &info));
    OWNED_MEMORY uint32_t *own = malloc(info.primitive_count * sizeof *own + 1);
    double(*boxes)[6] = malloc(info.primitive_count * sizeof *boxes + sizeof *boxes);
    assert_ok(graze_object_get_boxes(whole, o, 0, info.primitive_count, boxes[0]));
    for (uint32_t r = 0; r < team->count; r++) {
      size_t count = 0;
      for (uint32_t p = 0; p < info.primitive_count; p++)
        if (boxes[p][0] <= boxes[p][3] && rule(context, o.index, p) == r) own[count++] = p;
      share_object(team->ranks[r].scene, whole, o, own, count);
    }
    free(boxes);
  }
}

/* ---------------------------------------------------------------------------------------------- questions */

static void *ask_rank(void *context) {
  team_rank *rank = context;
  rank->result = rank_find(&rank->state, rank->scene, rank->query, &rank->pairs, &rank->totals);
  return NULL;
}

graze_result team_find(rank_team *team, const graze_query *query) {
  for (uint32_t i = 0; i < team->count; i++) team->ranks[i].query = query;
  run_all(team, ask_rank);
  for (uint32_t i = 0; i < team->count; i++)
    if (team->ranks[i].result != GRAZE_OK) assert_true(team->ranks[i].pairs.count == 0);
  return result_of_all(team);
}

static void *sum_rank_wrenches(void *context) {
  team_rank *rank = context;
  rank->result =
      rank_find_wrenches(&rank->state, rank->scene, rank->query, rank->wrench_options, &rank->pairs, &rank->wrenches);
  return NULL;
}

graze_result team_find_wrenches(rank_team *team, const graze_query *query, const graze_contact_options *options) {
  for (uint32_t i = 0; i < team->count; i++) {
    team->ranks[i].query = query;
    team->ranks[i].wrench_options = i > 0 && i == team->odd_rank ? &team->odd_options : options;
  }
  run_all(team, sum_rank_wrenches);
  return result_of_all(team);
}

static void *find_rank_regions(void *context) {
  team_rank *rank = context;
  rank->result = rank_find_regions(&rank->state, rank->scene, rank->query, rank->region_options, &rank->pairs,
                                   &rank->regions, &rank->totals);
  return NULL;
}

graze_result team_find_regions(rank_team *team, const graze_query *query, const graze_region_options *options) {
  for (uint32_t i = 0; i < team->count; i++) {
    team->ranks[i].query = query;
    team->ranks[i].region_options = options;
  }
  run_all(team, find_rank_regions);
  for (uint32_t i = 0; i < team->count; i++)
    if (team->ranks[i].result != GRAZE_OK) assert_true(team->ranks[i].regions.count == 0);
  return result_of_all(team);
}

typedef struct exclusion_call {
  const graze_object_pair *pairs;
  size_t count;
} exclusion_call;
static exclusion_call excluded; /* by all ranks: each names every n-th */

static void *exclude_rank(void *context) {
  team_rank *rank = context;
  const uint32_t n = rank->team->count;
  const size_t first = excluded.count * rank->net.rank / n, end = excluded.count * (rank->net.rank + 1) / n;
  rank->result = rank_exclude(&rank->state, excluded.pairs != NULL ? excluded.pairs + first : NULL, end - first);
  return NULL;
}

graze_result team_exclude(rank_team *team, const graze_object_pair *pairs, size_t count) {
  excluded = (exclusion_call){pairs, count};
  run_all(team, exclude_rank);
  return result_of_all(team);
}

static int compare_pairs(const void *a, const void *b) {
  const graze_pair *x = a, *y = b;
  if (x->object_a != y->object_a) return x->object_a < y->object_a ? -1 : 1;
  if (x->primitive_a != y->primitive_a) return x->primitive_a < y->primitive_a ? -1 : 1;
  if (x->object_b != y->object_b) return x->object_b < y->object_b ? -1 : 1;
  return (x->primitive_b > y->primitive_b) - (x->primitive_b < y->primitive_b);
}

void team_compare(rank_team *team, graze_scene *whole, const graze_query *query, const char *words) {
  OWNED(graze_pairs) wanted = {0};
  if (graze_scene_update(whole) != GRAZE_OK || graze_scene_find_pairs(whole, query, &wanted) != GRAZE_OK)
    fail_msg("%s: %s", words, graze_error_text());
  size_t count = 0;
  for (uint32_t i = 0; i < team->count; i++) count += team->ranks[i].pairs.count;
  OWNED_MEMORY graze_pair *joined = malloc((count + 1) * sizeof *joined);
  size_t at = 0;
  for (uint32_t i = 0; i < team->count; i++) {
    const graze_pairs *own = &team->ranks[i].pairs;
    for (size_t k = 1; k < own->count; k++) assert_true(compare_pairs(&own->pairs[k - 1], &own->pairs[k]) < 0);
    if (own->count > 0) memcpy(joined + at, own->pairs, own->count * sizeof *joined);
    at += own->count;
    assert_true(team->ranks[i].totals.hash == wanted.hash);
    assert_true(team->ranks[i].totals.pair_count == wanted.count);
  }
  qsort(joined, count, sizeof *joined, compare_pairs);
  if (count != wanted.count || (count > 0 && memcmp(joined, wanted.pairs, count * sizeof *joined) != 0))
    fail_msg("%s: %u ranks find %zu pairs; the whole has %zu", words, team->count, count, wanted.count);
}
