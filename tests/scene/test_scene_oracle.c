/* Compares small scenes of degenerate triangles, with both methods, with rational arithmetic on all n^2 pairs. */
#include "base/number_sequence.h"
#include "geometry/pair_generator.h"
#include "scene_runner.h"
#include "soup_reference.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCENES = 198 };

/* The triangles of one of two objects. Rational arithmetic tests all pairs. */
static uint32_t object_triangles(void) {
  return (uint32_t)test_sanitized(24, 30);
}

/* Where equal coordinates become one vertex, so that triangles are neighbors by index and not by place alone. */
static void weld(mesh *m) {
  size_t kept = 0;
  for (uint32_t i = 0; i < m->vertex_count; i++) {
    size_t same = 0;
    while (same < kept && memcmp(m->positions + 3 * same, m->positions + 3 * i, 3 * sizeof(double)) != 0) same++;
    if (same == kept) memmove(m->positions + 3 * kept++, m->positions + 3 * i, 3 * sizeof(double));
    for (size_t k = 0; k < 3 * m->triangle_count; k++)
      if (m->triangles[k] == i) m->triangles[k] = (uint32_t)same;
  }
  m->vertex_count = kept;
}

static mesh generated_mesh(pair_generator *generator, pair_kind kind, bool welded) {
  const uint32_t count = object_triangles();
  mesh m = torture_mesh(3 * count, count);
  for (uint32_t i = 0; i < 3 * count; i++) m.triangles[i] = i;
  for (size_t i = 0; i + 1 < count; i += 2)
    pair_generate(generator, kind, m.positions + 9 * i, m.positions + 9 * (i + 1));
  /* -0 and 0 are one place but not the same bytes. */
  for (size_t i = 0; i < 3 * m.vertex_count; i++) m.positions[i] += 0.0;
  if (welded) weld(&m);
  return m;
}

typedef bool pair_reference(rational_oracle *oracle, const mesh *meshes, const graze_pair *pair, graze_neighbors rule);

static bool reference_boxes(rational_oracle *oracle, const mesh *meshes, const graze_pair *pair, graze_neighbors rule) {
  (void)oracle;
  return soup_reference_boxes(meshes, pair, rule);
}

static pair_answer reference_all(rational_oracle *oracle, const mesh meshes[2], graze_neighbors rule,
                                 pair_reference *reference) {
  const uint32_t count = object_triangles(), all = 2 * count;
  pair_answer answer = {.pairs = malloc((size_t)all * all * sizeof(graze_pair))};
  assert_non_null(answer.pairs);
  for (uint32_t i = 0; i < all; i++)
    for (uint32_t j = i + 1; j < all; j++) {
      const graze_pair pair = {i / count, i % count, j / count, j % count};
      if (reference(oracle, meshes, &pair, rule)) answer.pairs[answer.count++] = pair;
    }
  answer.hash = graze_pairs_hash(answer.pairs, answer.count);
  return answer;
}

static void compare_with_methods(const mesh meshes[2], const graze_query *query, const pair_answer *expected,
                                 const char *name) {
  const char *const methods[] = {"grid", "brute", "clusters", "clusters 5 l1"};
  for (int i = 0; i < 4; i++) {
    running_variant variant = running_variant_reference();
    variant.method = methods[i];
    variant.simd = GRAZE_SIMD_AUTO;
    OWNED_SCENE *scene = runner_scene(&variant, meshes, 2, NULL);
    const pair_answer found = runner_find(scene, query);
    runner_compare(expected, &found, name, methods[i]);
    free(found.pairs);
  }
}

/* Under sanitizers, except for the emulated device, which has its own scale, only the second round of kinds runs: it is
 * welded and tests beyond neighbors. */
TEST(test_scenes_match_rational_arithmetic) {
  OWNED(rational_oracle) *oracle = rational_oracle_create();
  pair_generator generator = {2024};
  const bool one_round = test_scale() < 0.1;
  const size_t first = one_round ? PAIR_KIND_COUNT : 0;
  const size_t scene_count = one_round ? PAIR_KIND_COUNT : test_scaled(SCENES, 2 * PAIR_KIND_COUNT);
  size_t pair_count = 0, box_count = 0;
  for (size_t number = first; number < first + scene_count; number++) {
    const pair_kind kind = (pair_kind)(number % PAIR_KIND_COUNT);
    const graze_neighbors rule = number / PAIR_KIND_COUNT % 2 == 0 ? GRAZE_NEIGHBORS_SKIP : GRAZE_NEIGHBORS_BEYOND;
    const bool welded = number / PAIR_KIND_COUNT % 3 != 0;
    mesh meshes[2] = {generated_mesh(&generator, kind, welded), generated_mesh(&generator, kind, welded)};
    graze_query query = graze_query_default();
    query.neighbors = rule;
    const pair_answer expected = reference_all(oracle, meshes, rule, soup_reference_pair);
    compare_with_methods(meshes, &query, &expected, pair_kind_words(kind));
    query.candidates_only = true;
    const pair_answer boxes = reference_all(oracle, meshes, rule, reference_boxes);
    compare_with_methods(meshes, &query, &boxes, pair_kind_words(kind));
    pair_count += expected.count;
    box_count += boxes.count;
    free(expected.pairs);
    free(boxes.pairs);
    mesh_free(&meshes[0]);
    mesh_free(&meshes[1]);
  }
  print_message("%zu scenes, %zu pairs among %zu pairs of boxes\n", scene_count, pair_count, box_count);
  assert_true(pair_count > 100 * scene_count && box_count > pair_count);
}
