/* Tests the map of badly spread scenes: whatever scene it was chosen for, it maps every double into [-1, 1], in order,
 * and each segment into its own slot, errors included. A map may therefore outlive the frame that it was chosen for.
 *
 * Workload: maps of six samples, about 5,000 coordinates each. */
#include "broad/axis_map_choice.h"
#include "testing.h"

#include <float.h>
#include <stdlib.h>

enum { MOST_COORDINATES = 8192 };

static uint64_t random_bits;

static double next_random(void) {
  random_bits = random_bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(random_bits >> 11) * 0x1p-53;
}

/* Clusters with sizes and positions: one in `share` samples belongs to the first cluster whose share applies. */
typedef struct cluster_spec {
  double at, size;
  size_t share;
} cluster_spec;

static const cluster_spec specs[][4] = {
    {{1e9, 1, 500}, {0, 1, 1}},
    {{1e300, 1e290, 2}, {0, 1, 1}},
    {{-1.7e308, 1e300, 3}, {1.7e308, 1e290, 2}, {0, 1e-300, 1}},
    {{1, 1, 300}, {0, 1e-310, 1}},
    {{-5e8, 1e9, 2}, {0, 1e-6, 1}},
    {{-1e100, 1, 5}, {1e12, 1, 5}, {-1, 1e-9, 3}, {0, 1, 1}},
};

static void choose_map(axis_map_work *work, const cluster_spec *specs_of_map) {
  vertex_bounds bounds = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}, true};
  for (size_t i = 0; i < SAMPLE_MOST; i++) {
    const cluster_spec *spec = specs_of_map;
    while (i % spec->share != 0) spec++;
    for (int axis = 0; axis < 3; axis++) {
      work->sample[i][axis] = spec->at * (axis == 1 ? -1 : 1) + spec->size * next_random();
      bounds.low[axis] = fmin(bounds.low[axis], work->sample[i][axis]);
      bounds.high[axis] = fmax(bounds.high[axis], work->sample[i][axis]);
    }
  }
  const normalizing_transform linear = choose_normalization(&bounds);
  assert_true(axis_map_choose(work, SAMPLE_MOST, &linear, &bounds));
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Numbers of all magnitudes, and the ends of segments with their neighbors. */
static size_t make_coordinates(const axis_map *map, int axis, double *coordinates_out) {
  size_t count = 0;
  for (int exponent = -1074; exponent < DBL_MAX_EXP; exponent++) {
    coordinates_out[count++] = ldexp(1.0 + next_random(), exponent - 1);
    coordinates_out[count++] = -ldexp(1.0 + next_random(), exponent - 1);
  }
  for (uint32_t i = 0; i < map->count[axis]; i++) {
    const double start = map->segments[axis][i].start;
    coordinates_out[count++] = start;
    coordinates_out[count++] = fmax(nextafter(start, -HUGE_VAL), -DBL_MAX);
    coordinates_out[count++] = nextafter(start, HUGE_VAL);
  }
  coordinates_out[count++] = DBL_MAX;
  coordinates_out[count++] = 0.0;
  qsort(coordinates_out, count, sizeof *coordinates_out, compare_doubles);
  return count;
}

static void check_axis(const axis_map *map, int axis) {
  static double coordinates[MOST_COORDINATES];
  const size_t count = make_coordinates(map, axis, coordinates);
  const float slots = axis_map_slots(map);
  double last = -1.0;
  for (size_t i = 0; i < count; i++) {
    double error, position[3] = {0, 0, 0};
    const double image = mapped_coordinate(map, axis, coordinates[i], &error);
    if (!(image - error >= -1.0 && image + error <= 1.0 && image + error >= last))
      fail_msg("axis %d: the image of %g is %g, after %g", axis, coordinates[i], image, last);
    last = image - error;
    position[axis] = coordinates[i];
    axis_place place = axis_place_first(map);
    const rounded_vertex vertex = mapped_vertex_of(position, map, &place);
    const float near = axis == 0 ? vertex.x : axis == 1 ? vertex.y : vertex.z;
    const int32_t slot = slot_of(near, slots);
    const int32_t first = slot_of((float)map->segments[axis][0].base, slots);
    assert_true(slot == slot_of(near - vertex.error, slots) && slot == slot_of(near + vertex.error, slots));
    assert_int_equal(slot - first, segment_of(map, axis, coordinates[i]) - map->segments[axis]);
  }
}

TEST(every_double_has_its_slot) {
  OWNED_MEMORY axis_map_work *work = malloc(sizeof *work);
  assert_non_null(work);
  random_bits = 5;
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    choose_map(work, specs[i]);
    for (int axis = 0; axis < 3; axis++) check_axis(&work->map, axis);
  }
}

/* Only the first samples decide whether a map fits. */
TEST(maps_fit_what_they_were_chosen_for) {
  OWNED_MEMORY axis_map_work *work = malloc(sizeof *work);
  OWNED_MEMORY axis_map *map = malloc(sizeof *map);
  assert_true(work != NULL && map != NULL);
  const size_t count = sizeof specs / sizeof *specs;
  random_bits = 5;
  for (size_t i = 0; i < count; i++) {
    choose_map(work, specs[i]);
    *map = work->map;
    choose_map(work, specs[i]); /* the same clusters, other samples of them */
    assert_true(axis_map_fits(work, SAMPLE_FIRST, map));
    for (size_t k = 0; k < SAMPLE_FIRST; k++) work->sample[k][0] = 1e20 + (double)k * 1e18;
    assert_false(axis_map_fits(work, SAMPLE_FIRST, map));
  }
}
