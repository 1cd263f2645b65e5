/* Tests how many spheres of one packing a sphere of another can intersect: lemma 3.1 of Weller, Frese, Zachmann,
 * "Parallel Collision Detection in Constant Time", 2013. At most 27 are not smaller, so two packings have at most 27
 * (|A| + |B|) pairs: docs/theory/packing.md. Uses the worst known arrangements, random packings and packings of bodies;
 * and shows each error of the paper with its smallest example. */
#include "graze/packing.h"
#include "model_set.h"
#include "models/model.h"
#include "scene_calls.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROVEN = 27, REACHED = 13, MOST = 4000 };

static double random_part(uint64_t *random) {
  *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*random >> 11) * 0x1p-53;
}

/* ---------------------------------------------------------------------------------------------- counting */

static graze_object add_set(graze_scene *scene, const graze_sphere *spheres, size_t count) {
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  graze_object added;
  def.positions = (graze_view){spheres->center, count, sizeof *spheres, GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){&spheres->radius, count, sizeof *spheres, GRAZE_FORMAT_DOUBLE};
  placed.self = false;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, &placed, &added));
  return added;
}

/* The most spheres of the other set, not smaller, that one of either meets; and that lemma and theorem hold. */
static uint32_t most_partners(const graze_sphere *a, size_t a_count, const graze_sphere *b, size_t b_count) {
  static uint32_t partners[2][MOST];
  uint32_t most = 0;
  memset(partners, 0, sizeof partners);
  OWNED_SCENE *scene = create_scene(NULL);
  add_set(scene, a, a_count);
  add_set(scene, b, b_count);
  assert_ok(graze_scene_update(scene));
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  assert_true(pairs.count <= PROVEN * (a_count + b_count));
  for (size_t i = 0; i < pairs.count; i++) {
    const uint32_t of_a = pairs.pairs[i].primitive_a, of_b = pairs.pairs[i].primitive_b;
    partners[0][of_a] += b[of_b].radius >= a[of_a].radius;
    partners[1][of_b] += a[of_a].radius >= b[of_b].radius;
  }
  for (size_t i = 0; i < MOST; i++)
    for (int set = 0; set < 2; set++) most = partners[set][i] > most ? partners[set][i] : most;
  assert_true(most <= PROVEN);
  return most;
}

/* ---------------------------------------------------------------------------------------------- bad arrangements */

/* Twelve spheres around one of the same size, all touching it: with a copy of that one, thirteen. Whole numbers, and
 * radii rounded down so that nothing overlaps. */
TEST(thirteen_are_reached) {
  graze_sphere around[REACHED], one = {{0, 0, 0}, 0.5 * sqrt(2.0) * (1.0 + 0x1p-50)};
  size_t count = 0;
  for (int x = -1; x <= 1; x++)
    for (int y = -1; y <= 1; y++)
      for (int z = -1; z <= 1; z++)
        if ((x + y + z) % 2 == 0) around[count++] = (graze_sphere){{x, y, z}, one.radius};
  assert_int_equal(count, REACHED);
  assert_int_equal(most_partners(&one, 1, around, REACHED), REACHED);
}

/* By the proof of the lemma larger spheres may be replaced by ones of the same radius 1: their centers are no further
 * than 2 from the middle and no nearer than 2 to each other. Points that push each other apart in such a ball as
 * long as they are nearer than they desired, from many starts: the largest least distance of so many points. */
static double spread(int count, double desired, int starts, uint64_t *random) {
  double best = 0.0;
  for (int start = 0; start < starts; start++) {
    double at[32][3], least = 0.0;
    for (int i = 0; i < count; i++)
      for (int k = 0; k < 3; k++) at[i][k] = 4.0 * random_part(random) - 2.0;
    for (int round = 0; round < 600; round++) {
      const double step = 0.5 / (1.0 + 0.01 * round);
      least = HUGE_VAL;
      for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
          const double x = at[i][0] - at[j][0], y = at[i][1] - at[j][1], z = at[i][2] - at[j][2];
          const double distance = sqrt(x * x + y * y + z * z) + 1e-9, push = step * fmax(0.0, desired / distance - 1.0);
          least = fmin(least, distance);
          at[i][0] += 0.5 * push * x, at[i][1] += 0.5 * push * y, at[i][2] += 0.5 * push * z;
          at[j][0] -= 0.5 * push * x, at[j][1] -= 0.5 * push * y, at[j][2] -= 0.5 * push * z;
        }
        const double far = sqrt(at[i][0] * at[i][0] + at[i][1] * at[i][1] + at[i][2] * at[i][2]);
        for (int k = 0; far > 2.0 && k < 3; k++) at[i][k] *= 2.0 / far;
      }
    }
    best = fmax(best, least);
  }
  return best;
}

TEST(no_fourteen_are_found) {
  uint64_t random = 3;
  const int starts = (int)test_scaled(150, 5);
  const double thirteen = spread(13, 2.01, starts, &random), fourteen = spread(14, 2.01, starts, &random);
  const double nearer = spread(14, 1.9, starts, &random);
  print_message("in a ball of radius 2: 13 points %.4f apart, 14 points %.4f, %.4f\n", thirteen, fourteen, nearer);
  assert_true(thirteen > 1.995 && nearer > 1.85); /* the search finds what there is */
  assert_true(fourteen < 1.97);
}

/* ---------------------------------------------------------------------------------------------- packings */

/* Spheres at random places, as large as they can be up to a limit; the smallest is 2^-range of the largest. */
static size_t pack_at_random(graze_sphere *spheres, size_t count, double range, uint64_t *random) {
  size_t placed = 0;
  for (size_t tries = 0; placed < count && tries < 40 * count; tries++) {
    graze_sphere added = {.radius = 0.2 * pow(2.0, -range * random_part(random))};
    const double least = 0.2 * pow(2.0, -range);
    for (int k = 0; k < 3; k++) added.center[k] = random_part(random);
    for (size_t i = 0; i < placed && added.radius >= least; i++) {
      double squared = 0.0;
      for (int k = 0; k < 3; k++) squared += pow(added.center[k] - spheres[i].center[k], 2.0);
      added.radius = fmin(added.radius, sqrt(squared) - spheres[i].radius);
    }
    added.radius *= 1.0 - 0x1p-40;
    if (added.radius >= least) spheres[placed++] = added;
  }
  return placed;
}

TEST(random_packings_keep_to_the_lemma) {
  static graze_sphere a[MOST], b[MOST];
  uint64_t random = 11;
  uint32_t most = 0;
  const size_t size = test_scaled(1500, 200);
  for (double range = 0.0; range <= 6.0; range += 1.0) {
    const size_t of_a = pack_at_random(a, size, range, &random), of_b = pack_at_random(b, size, range, &random);
    const uint32_t found = most_partners(a, of_a, b, of_b);
    most = found > most ? found : most;
  }
  print_message("random packings: at most %u\n", (unsigned)most);
  assert_true(most >= 4 && most <= REACHED);
}

static size_t pack_model(const char *name, size_t count, graze_sphere *spheres) {
  model_parameters parameters = model_parameters_default();
  parameters.primitives = 400;
  OWNED(mesh_set) made = model_set(model_find(name), &parameters);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){made.meshes->positions, made.meshes->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){made.meshes->triangles, made.meshes->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  graze_packing_options options = graze_packing_options_default();
  options.count = count;
  OWNED(graze_packing) packing = {0};
  assert_ok(graze_pack_spheres(&def, &options, &packing));
  memcpy(spheres, packing.spheres, packing.count * sizeof *spheres);
  const size_t placed = packing.count;
  return placed;
}

TEST(packings_of_bodies_keep_to_the_lemma) {
  static graze_sphere a[MOST], b[MOST];
  const size_t count = test_scaled(600, 60), of_a = pack_model("torus", count, a), of_b = pack_model("gear", count, b);
  uint64_t random = 5;
  uint32_t most = most_partners(a, of_a, a, of_a); /* itself, where it lies */
  for (size_t pose = 0; pose < test_scaled(40, 4); pose++) {
    double shift[3];
    for (int k = 0; k < 3; k++) shift[k] = 0.5 * (random_part(&random) - 0.5);
    for (size_t i = 0; i < of_b; i++)
      for (int k = 0; k < 3; k++) b[i].center[k] += shift[k];
    const uint32_t found = most_partners(a, of_a, b, of_b);
    most = found > most ? found : most;
    for (size_t i = 0; i < of_b; i++)
      for (int k = 0; k < 3; k++) b[i].center[k] -= shift[k];
  }
  print_message("packings of bodies: at most %u\n", (unsigned)most);
  assert_true(most >= 4 && most <= REACHED);
}

/* ---------------------------------------------------------------------------------------------- slips */

/* Cells of side 1 that a ball meets. */
static int cells_met(const double center[3], double radius) {
  int count = 0;
  for (int cell = 0; cell < 9 * 9 * 9; cell++) {
    const int at[3] = {cell % 9 - 4, cell / 9 % 9 - 4, cell / 81 - 4};
    double squared = 0.0;
    for (int k = 0; k < 3; k++) {
      const double out = fmax(0.0, fmax(at[k] - center[k], center[k] - at[k] - 1.0));
      squared += out * out;
    }
    count += squared < radius * radius;
  }
  return count;
}

static int most_cells_met(double radius) {
  int most = 0;
  for (int i = 0; i < 17 * 17 * 17; i++) {
    const double center[3] = {(i % 17) / 16.0, (i / 17 % 17) / 16.0, (i / 289) / 16.0};
    const int count = cells_met(center, radius);
    most = count > most ? count : most;
  }
  return most;
}

/* Section 4.1 wants a cell that is as wide as a sphere's diameter, so that it meets eight. Its formula has the cell no
 * wider than the radius; its words have it between radius and diameter. */
TEST(cells_of_the_printed_level_are_too_small) {
  print_message("cells: %d for 2r = c, %d for r < c, %d for r = c, %d for r < 2c\n", most_cells_met(0.5),
                most_cells_met(0.999), most_cells_met(1.0), most_cells_met(1.999));
  assert_int_equal(most_cells_met(0.5), 8);
  assert_int_equal(most_cells_met(0.999), 27);
  assert_true(most_cells_met(1.0) >= 27);
  assert_true(most_cells_met(1.999) > 27);
}

/* "Twelve in a cell": a cube of side 1 and balls of diameter 1, the least of its level, at its corners, in front of its
 * sides and in its middle. All meet the cube, and no two of them share a point. */
TEST(fifteen_disjoint_balls_meet_a_cell) {
  double centers[15][3];
  int count = 0;
  for (int i = 0; i < 8; i++, count++)
    for (int k = 0; k < 3; k++) centers[count][k] = (i >> k & 1) != 0 ? 0.75 : -0.75;
  for (int i = 0; i < 6; i++, count++)
    for (int k = 0; k < 3; k++) centers[count][k] = i / 2 != k ? 0.0 : i % 2 == 0 ? 1.0 : -1.0;
  for (int k = 0; k < 3; k++) centers[14][k] = 0.0; /* touches those in front of the sides: without it fourteen */
  for (int i = 0; i < 15; i++) {
    double outside = 0.0;
    for (int k = 0; k < 3; k++) outside += pow(fmax(0.0, fabs(centers[i][k]) - 0.5), 2.0);
    assert_true(outside <= 0.25);
    for (int j = 0; j < i; j++) {
      double squared = 0.0;
      for (int k = 0; k < 3; k++) squared += pow(centers[i][k] - centers[j][k], 2.0);
      assert_true(i == 14 ? squared >= 1.0 : squared > 1.0);
    }
  }
}
