/* Packs fifty bodies and checks the certificate of each independently of graze: round, sharp, ring-shaped, skewed,
 * inverted, with many touching or intersecting shells, with cavities, far from the origin. Also packs the closed meshes
 * of GRAZE_DATA. */
#include "mesh_io/mesh_file.h"
#include "model_set.h"
#include "models/model.h"
#include "packing_checks.h"
#include "test_scale.h"
#include "testing.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BODIES = 50, SPHERES = 120, DATA_SPHERES = 40, DATA_TRIANGLES = 15000 };

/* The triangles of a body, nine numbers each: no vertices are shared by number. */
typedef struct body {
  double *corners;
  size_t count;
} body;

static void body_add(body *target, const mesh *added, double size, bool turned) {
  target->corners = realloc(target->corners, (target->count + added->triangle_count) * 9 * sizeof *target->corners);
  assert_non_null(target->corners);
  for (size_t t = 0; t < added->triangle_count; t++) {
    double *corners = target->corners + 9 * target->count++;
    for (size_t i = 0; i < 9; i++) {
      const size_t corner = turned ? 2 - i / 3 : i / 3;
      corners[i] = size * added->positions[3 * (size_t)added->triangles[3 * t + corner] + i % 3];
    }
  }
}

static void body_add_all(body *target, const mesh *meshes, size_t count, double size, bool turned) {
  for (size_t i = 0; i < count; i++) body_add(target, &meshes[i], size, turned);
}

static body body_of_model(size_t number) {
  static const char *const names[] = {"sphere", "torus", "blob", "gear", "boxes", "rods", "panels", "knot", "blobs"};
  const model *chosen = model_find(number == 0 ? "boxes-jittered" : names[number % 9]);
  model_parameters parameters = model_parameters_default();
  parameters.primitives = test_sanitized(50 + 2 * number, test_scaled(150 + 9 * number, 75 + 4 * number));
  parameters.seed = number;
  assert_non_null(chosen);
  assert_true(chosen->watertight);
  OWNED(mesh_set) set = model_set(chosen, &parameters);
  body made = {NULL, 0};
  body_add_all(&made, set.meshes, set.count, 1.0, number % 5 == 3);
  if (number % 5 == 2)
    body_add_all(&made, set.meshes, set.count, 0.375, true); /* a cavity, or one that runs through walls */
  if (number % 7 == 6) body_add_all(&made, set.meshes, set.count, 0.625, false);
  return made;
}

/* Skewed, or far away. */
static void body_move(body *target, size_t number) {
  for (size_t i = 0; i < 3 * target->count; i++) {
    double *position = target->corners + 3 * i;
    if (number % 3 == 1) position[0] += 0.7 * position[1] - 0.4 * position[2];
    if (number % 5 == 4) position[1] = 0.01 * position[1] + 1000.0;
    if (number % 10 == 7)
      for (int k = 0; k < 3; k++) position[k] *= 0x1p-200;
  }
}

static graze_result pack_body(const body *packed, size_t spheres, graze_packing *packing) {
  OWNED_MEMORY uint32_t *numbers = malloc(3 * packed->count * sizeof *numbers);
  assert_non_null(numbers);
  for (uint32_t i = 0; i < 3 * packed->count; i++) numbers[i] = i;
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){packed->corners, 3 * packed->count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){numbers, packed->count, 0, GRAZE_FORMAT_UINT32_3};
  graze_packing_options options = graze_packing_options_default();
  options.count = spheres;
  const graze_result result = graze_pack_spheres(&def, &options, packing);
  return result;
}

/* Inside is what the mesh winds around the other way where it is inside out. */
static void turn_over(body *target) {
  for (size_t i = 0; i < 9 * target->count; i++) {
    if (i % 9 > 2) continue;
    const double kept = target->corners[i];
    target->corners[i] = target->corners[i + 3];
    target->corners[i + 3] = kept;
  }
}

static void assert_certified(body *packed, const graze_packing *packing) {
  assert_int_equal(packing->certified, 1);
  assert_true(packing->largest_gap <= packing->largest_gap_bound);
  if (packing->inverted) turn_over(packed);
  assert_no_overlap(packing->spheres, packing->count);
  assert_inside(packing->spheres, packing->count, packed->corners, packed->count);
}

TEST(fifty_bodies_are_certified) {
  const size_t spheres = test_scaled(SPHERES, 8);
  /* Some of them, which are of all sorts as well: what a packing takes hardly depends on its spheres. */
  const size_t step = test_is_sanitized() ? 4 : test_scale() < 1.0 ? 3 : test_is_full() ? 1 : 2;
  uint64_t crossing = 0, inverted = 0, hollow = 0;
  for (size_t number = 0; number < BODIES;
       number += step == 2 && number == 0 ? 1 : step) { /* odd ones are of all names */
    body made = body_of_model(number);
    graze_packing packing = {0};
    body_move(&made, number);
    assert_ok(pack_body(&made, spheres, &packing));
    assert_int_equal(packing.count, spheres);
    assert_certified(&made, &packing);
    crossing += packing.self_crossing_count > 0;
    inverted += packing.inverted;
    hollow += packing.cavity_count > 0;
    graze_packing_free(&packing);
    free(made.corners);
  }
  /* there were some of each sort */
  assert_true(step * crossing >= 5 && inverted >= 10 / step && step * hollow >= 5);
}

/* Under sanitizers what is too large to be packed is not read first. */
static bool is_read(const char *path) {
  struct stat about;
  return !test_is_sanitized() || stat(path, &about) != 0 || about.st_size <= 100000;
}

/* True where the mesh was closed and was packed. */
static bool pack_file(const char *path) {
  mesh *meshes;
  size_t count;
  char error[512];
  if (!mesh_file_read(path, NULL, &meshes, &count, error, sizeof error)) fail_msg("%s", error);
  body read = {NULL, 0};
  if (meshes->kind == MESH_POLYGONS) body_add_all(&read, meshes, count, 1.0, false);
  mesh_list_free(meshes, count);
  bool closed = false;
  if (read.count > 0 && read.count <= test_sanitized(2000, test_scaled(DATA_TRIANGLES, 6000))) {
    OWNED(graze_packing) packing = {0};
    const graze_result result = pack_body(&read, test_sanitized(8, DATA_SPHERES), &packing);
    closed = result == GRAZE_OK;
    if (closed)
      assert_certified(&read, &packing);
    else
      assert_non_null(strstr(graze_error_text(), "the mesh is not closed: "));
  }
  free(read.corners);
  return closed;
}

TEST(meshes_of_others_are_certified) {
  const char *folder = getenv("GRAZE_DATA");
  char path[4096];
  if (folder == NULL) skip();
  snprintf(path, sizeof path, "%s/meshes", folder);
  DIR *listing = opendir(path);
  if (listing == NULL) skip();
  size_t closed = 0;
  for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
    if (entry->d_name[0] == '.' || strstr(entry->d_name, ".csv") != NULL) continue;
    if (strstr(entry->d_name, "_871k") != NULL) continue; /* takes a second to read, and is not packed */
    snprintf(path, sizeof path, "%s/meshes/%s", folder, entry->d_name);
    if (is_read(path)) closed += pack_file(path);
  }
  closedir(listing);
  assert_true(closed >= test_sanitized(3, 8));
}
