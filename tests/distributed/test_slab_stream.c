/* Tests one slab after the other: the pairs and the hash of the whole scene, for any number of slabs and pieces, with
 * at most one slab and one piece in memory. Each failed allocation is reported. */
#include "base/number_sequence.h"
#include "distributed/slab_stream.h"
#include "failing_memory.h"
#include "graze/inside/parts.h"
#include "models/mesh_object.h"
#include "models/model.h"
#include "scene_calls.h"
#include "test_scale.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

/* Pieces are ranges of the primitives of each object of a scene. */
typedef struct cut_scene {
  const graze_scene *whole;
  size_t piece_count;
  size_t loads;
} cut_scene;

static graze_result load_piece(void *context, size_t piece, graze_scene *scene, rank_failure *failure) {
  cut_scene *cut = context;
  cut->loads++;
  for (graze_object o = {0}; (o = graze_scene_next_object(cut->whole, o)).generation != 0;) {
    graze_object_info info = {0};
    assert_ok(graze_object_get_info(cut->whole, o, &info));
    const size_t first = info.primitive_count * piece / cut->piece_count;
    const size_t end = info.primitive_count * (piece + 1) / cut->piece_count, starts[2] = {0, end - first};
    if (first == end) continue;
    uint32_t *own = malloc((end - first) * sizeof *own);
    for (size_t i = first; i < end; i++) own[i - first] = (uint32_t)i;
    size_t size;
    assert_ok(graze_object_measure_parts(cut->whole, o, own, starts, 1, &size));
    void *bytes = malloc(size);
    assert_ok(graze_object_write_parts(cut->whole, o, own, starts, 1, &bytes));
    const graze_result result = graze_scene_add_part(scene, bytes, size, NULL);
    free(bytes);
    free(own);
    if (result != GRAZE_OK) return rank_failure_note(failure, result);
  }
  return GRAZE_OK;
}

static graze_scene *model_scene(const model *chosen, uint64_t primitives) {
  const model_parameters parameters = {.primitives = primitives, .seed = 3};
  mesh *meshes;
  size_t count;
  char error[256];
  if (!model_make(chosen, &parameters, &meshes, &count, error, sizeof error)) fail_msg("%s", error);
  graze_scene *scene = create_scene(NULL);
  for (size_t i = 0; i < count; i++) assert_ok(mesh_object_add(scene, &meshes[i], NULL, NULL));
  mesh_list_free(meshes, count);
  assert_ok(graze_scene_update(scene));
  return scene;
}

static bool add_hash(void *context, const graze_pair *pairs, size_t count) {
  *(uint64_t *)context += graze_pairs_hash(pairs, count);
  return true;
}

static bool take_nothing(void *context, const graze_pair *pairs, size_t count) {
  (void)context;
  (void)pairs;
  return count == 0;
}

TEST(test_slabs_have_the_pairs_of_the_whole) {
  for (size_t m = 0; m < model_count(); m++) {
    OWNED_SCENE *whole = model_scene(model_at(m), test_sanitized(200, 1000));
    graze_query query = graze_query_default();
    query.clearance = m % 2 == 0 ? 0.02 : 0;
    OWNED(graze_pairs) wanted = find_pairs(whole, &query);
    cut_scene cut = {whole, 1 + m % 6, 0};
    uint64_t hash = 0;
    const slab_source source = {&cut, cut.piece_count, load_piece};
    const slab_stream_def def = {.part_count = 1 + (uint32_t)m % 9, .take = add_hash, .take_context = &hash};
    slab_stream_totals totals;
    rank_failure failure;
    if (slab_stream_find(&source, &def, &query, &totals, &failure) != GRAZE_OK) fail_msg("%s", failure.text);
    if (totals.hash != wanted.hash || totals.pair_count != wanted.count || hash != wanted.hash)
      fail_msg("%s: %u slabs have %zu pairs; the whole has %zu", model_at(m)->name, def.part_count,
               (size_t)totals.pair_count, wanted.count);
    assert_int_equal(totals.loaded_count, cut.loads);
  }
}

/* What a caller was told of the advance. */
typedef struct advance_record {
  uint64_t calls, total;
} advance_record;

static void record_advance(void *context, uint64_t loaded, uint64_t total) {
  advance_record *record = context;
  assert_int_equal(loaded, record->calls);
  assert_true(loaded < total);
  record->calls++;
  record->total = total;
}

/* A long row in pieces that follow each other: a slab holds its share, although places are thinned out (above 10,240
 * for ten slabs), and each piece is loaded only for the slabs that it reaches. */
TEST(test_little_is_held) {
  OWNED_SCENE *whole = model_scene(model_find("thread"), test_sanitized(4000, 60000));
  cut_scene cut = {whole, 20, 0};
  const slab_source source = {&cut, cut.piece_count, load_piece};
  advance_record record = {0, 0};
  const slab_stream_def def = {.part_count = 10, .advance = record_advance, .advance_context = &record};
  slab_stream_totals totals;
  rank_failure failure;
  assert_ok(slab_stream_find(&source, &def, NULL, &totals, &failure));
  assert_true(totals.primitive_count >= 3200);
  assert_true(totals.greatest_held_count < totals.primitive_count / 7);
  assert_true(totals.loaded_count < 5 * cut.piece_count);
  assert_int_equal(record.calls, totals.loaded_count);
  assert_int_equal(record.total, totals.loaded_count);
  const slab_stream_def stopping = {.part_count = 3, .take = take_nothing};
  OWNED_SCENE *soup = model_scene(model_find("soup"), 500);
  cut.whole = soup;
  assert_int_equal(slab_stream_find(&source, &stopping, NULL, &totals, &failure), GRAZE_STOPPED);
}

/* Two rows of triangles that alternate in the sequence: places of both are chosen, however few. */
TEST(test_alternating_primitives_are_divided) {
  const size_t count = test_sanitized(4000, 60000);
  double(*positions)[3] = malloc(3 * count * sizeof *positions);
  uint32_t(*corners)[3] = malloc(count * sizeof *corners);
  for (size_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < 3; k++) {
      corners[i][k] = (uint32_t)(3 * i) + k;
      positions[3 * i + k][0] = (i % 2 == 0 ? 0.0 : 9.0) + ((double)i + 0.5 * (k == 1)) / (double)count;
      positions[3 * i + k][1] = 0.1 / (double)count * (k == 2);
      positions[3 * i + k][2] = 0;
    }
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, 3 * count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){corners, count, 0, GRAZE_FORMAT_UINT32_3};
  OWNED_SCENE *whole = create_scene(NULL);
  assert_ok(graze_scene_add(whole, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
  assert_ok(graze_scene_update(whole));
  cut_scene cut = {whole, 20, 0};
  const slab_source source = {&cut, cut.piece_count, load_piece};
  const slab_stream_def slabs = {.part_count = 10};
  slab_stream_totals totals;
  rank_failure failure;
  assert_ok(slab_stream_find(&source, &slabs, NULL, &totals, &failure));
  assert_int_equal(totals.primitive_count, count);
  assert_true(totals.greatest_held_count < count / 7);
  free(positions);
  free(corners);
}

TEST(test_each_allocation_fails) {
  OWNED_SCENE *whole = model_scene(model_find("soup"), 60);
  cut_scene cut = {whole, 2, 0};
  const slab_source source = {&cut, cut.piece_count, load_piece};
  OWNED(graze_pairs) wanted = find_pairs(whole, NULL);
  size_t refusals = 0;
  for (size_t refused = 0;; refused += test_sanitized(4, 1)) {
    failing_memory failing = {.refused = refused};
    graze_allocator allocator = failing_allocator(&failing);
    graze_scene_def scene = graze_scene_def_default();
    scene.threading = GRAZE_THREADING_SERIAL;
    scene.allocator = &allocator;
    const slab_stream_def def = {.scene = &scene, .allocator = &allocator, .part_count = 2};
    slab_stream_totals totals;
    rank_failure failure;
    const graze_result result = slab_stream_find(&source, &def, NULL, &totals, &failure);
    refusals += result == GRAZE_OUT_OF_MEMORY;
    if (result == GRAZE_OK)
      assert_true(totals.hash == wanted.hash);
    else
      assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
    if (failing.count <= refused) break;
  }
  assert_true(refusals >= 20);
}
