/* Tests the declared pairs of models: models declared free of intersections are, by exact arithmetic, and the others
 * have the declared number. */
#include "crossing_search.h"
#include "model_set.h"
#include "models/model.h"
#include "test_scale.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

typedef struct crossing_count {
  uint64_t triangles, between, within;
} crossing_count;

static crossing_count count_crossings(const char *name, uint64_t triangles, uint64_t seed) {
  const model_parameters parameters = {triangles, seed};
  OWNED(mesh_set) made = model_set(model_find(name), &parameters);
  crossing_search search;
  assert_true(crossing_search_run(made.meshes, made.count, &search));
  crossing_count counted = {0, search.between, search.within};
  for (size_t i = 0; i < made.count; ++i) counted.triangles += made.meshes[i].triangle_count;
  crossing_search_free(&search, made.count);
  return counted;
}

TEST(clean_models_meet_nowhere) {
  static const char *const names[] = {"sphere", "torus", "knot",   "blob",   "gear",
                                      "cloth",  "rods",  "panels", "plates", "thread"};
  static const uint64_t targets[] = {1000, 1500, 2000, 4000, 10000};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    for (size_t k = 0; k < test_scaled(sizeof targets / sizeof targets[0], 2); ++k) {
      const crossing_count counted = count_crossings(names[i], targets[k], k);
      if (counted.between + counted.within != 0)
        fail_msg("%s of %llu triangles: %llu pairs between, %llu within", names[i], (unsigned long long)targets[k],
                 (unsigned long long)counted.between, (unsigned long long)counted.within);
    }
  }
}

TEST(folded_cloth_meets_itself_everywhere) {
  const size_t triangles = test_scaled(90000, 10000);
  const crossing_count counted = count_crossings("folded-cloth", triangles, 0);
  assert_in_range(counted.within, triangles / 3, triangles < 90000 ? 2 * triangles : triangles);
}

/* Both kinds of contact, in thin regions: some pairs, far fewer than triangles. */
TEST(draped_cloth_touches_ball_and_itself) {
  const size_t triangles = test_scaled(90000, 10000);
  for (uint64_t seed = 0; seed < 3; ++seed) {
    const crossing_count counted = count_crossings("draped-cloth", triangles, seed);
    assert_in_range(counted.between, triangles / 30, triangles / 3);
    assert_in_range(counted.within, triangles / 40, triangles / 6);
  }
}

/* n teeth a comb are 2 n facets, and every facet of one comb meets every facet of the other. */
TEST(chazelle_pairs_grow_as_the_square) {
  static const uint64_t teeth[] = {1, 5, 20, 60, 120};
  for (size_t i = 0; i < test_scaled(sizeof teeth / sizeof teeth[0], 3); ++i) {
    const crossing_count counted = count_crossings("chazelle", 16 * teeth[i] + 16, i);
    assert_true(counted.between >= 4 * teeth[i] * teeth[i]);
    assert_true(counted.between >= counted.triangles * counted.triangles / 80 || teeth[i] < 5);
    assert_int_equal(counted.within, 0);
  }
}

TEST(boxes_touch_and_jitter_loosens_them) {
  const crossing_count exact = count_crossings("boxes", 3000, 1), jittered = count_crossings("boxes-jittered", 3000, 1);
  assert_true(exact.between > 5 * exact.triangles && exact.within > exact.triangles);
  assert_true(jittered.between > exact.between / 10 && jittered.between < exact.between);
}

TEST(partners_of_soup_and_needles_do_not_grow) {
  static const char *const names[] = {"soup", "needles"};
  for (size_t i = 0; i < 2; ++i) {
    const crossing_count few = count_crossings(names[i], 2000, 1), many = count_crossings(names[i], 16000, 1);
    const double before = (double)(few.between + few.within) / (double)few.triangles;
    const double after = (double)(many.between + many.within) / (double)many.triangles;
    assert_true(before > 0.2 && after > 0.7 * before && after < 1.4 * before);
  }
}

TEST(overlapping_models_overlap) {
  const crossing_count blobs = count_crossings("blobs", 20000, 3), mix = count_crossings("mix", 20000, 3);
  assert_true(blobs.between > 1000 && blobs.within == 0);
  assert_true(mix.between > 200 && mix.within == 0);
}
