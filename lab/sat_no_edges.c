/* Applies the test without edges to the candidates of a scene; see sat_no_edges.h. */
#include "lab/sat_no_edges.h"

#include "base/answer_list.h"
#include "base/timer.h"
#include "narrow/primitive_pair.h"
#include "scene/object_numbers.h"
#include "scene/scene_data.h"

#include <string.h>

enum { GRAIN = 1024 };

typedef struct faces_work {
  const graze_scene *scene;
  const graze_pair *pairs;
  primitive_view view;
  bool *verdicts; /* a pair each */
} faces_work;

static bool fetch_tetrahedron(const primitive_view *view, uint32_t primitive, double points_out[12]) {
  const object_source *source = &view->sources[view->headers[primitive].object];
  const corner_list corners = corners_of(source, primitive);
  if (corners.count != 4) return false;
  for (int i = 0; i < 4; i++) fetch_vertex(source, corners.vertices[i], points_out + 3 * i);
  return true;
}

static bool meets_exactly(const faces_work *work, index_pair pair) {
  orientation_tally tally = {0};
  return primitive_pair_meets(&work->view, pair, GRAZE_TEST_SAT, false, scene_scratch(work->scene), &tally);
}

static void test_range(void *context, size_t first, size_t end, uint32_t worker) {
  const faces_work *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    index_pair numbers;
    double p[12], q[12];
    orientation_tally tally = {0};
    work->verdicts[i] = false;
    if (!scene_pair_numbers(work->scene, &work->pairs[i], &numbers)) continue;
    const bool tetrahedra =
        fetch_tetrahedron(&work->view, numbers.a, p) && fetch_tetrahedron(&work->view, numbers.b, q);
    work->verdicts[i] = tetrahedra ? tetrahedron_pair_intersects_no_edges(p, q, &tally) : meets_exactly(work, numbers);
  }
}

graze_result find_without_edges(const graze_scene *scene, const graze_query *query, graze_pairs *pairs) {
  graze_query candidates = *query;
  candidates.candidates_only = true;
  candidates.test = GRAZE_TEST_SAT;
  const graze_result result = graze_scene_find_pairs(scene, &candidates, pairs);
  if (result != GRAZE_OK) return result;
  graze_list_memory *list = pairs->memory;
  graze_pair *kept = (graze_pair *)(uintptr_t)pairs->pairs; /* the memory of the list, which is the caller's */
  faces_work work = {.scene = scene,
                     .pairs = pairs->pairs,
                     .view = {.headers = scene->headers, .sources = scene->sources},
                     .verdicts = memory_allocate(scene_scratch(scene), pairs->count, 1)};
  if (work.verdicts == NULL) return GRAZE_OUT_OF_MEMORY;
  const double begin = timer_now_ms();
  workers_for(scene->workers, pairs->count, GRAIN, test_range, &work);
  list->timings.test_ms += timer_now_ms() - begin;
  size_t count = 0;
  for (size_t i = 0; i < pairs->count; i++)
    if (work.verdicts[i]) kept[count++] = kept[i];
  memory_release(scene_scratch(scene), work.verdicts, pairs->count, 1);
  pairs->count = list->counters.pairs = count;
  pairs->hash = graze_pairs_hash(kept, count);
  return GRAZE_OK;
}

const bench_variant lab_without_edges = {.name = "grid-sat_no_edges", .find = find_without_edges};
