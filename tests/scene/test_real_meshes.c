/* Checks published meshes with known numbers of intersecting pairs, under the rule `beyond`. Requires the folder
 * GRAZE_DATA; skipped without it.
 *
 * For three files the published number is wrong; it was computed in 128-bit floats. For these, rational arithmetic
 * tests every pair with intersecting boxes. */
#include "mesh_io/mesh_file.h"
#include "scene_runner.h"
#include "soup_reference.h"
#include "test_scale.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SMALL_TRIANGLES = 7000, SANITIZED_TRIANGLES = 20000, SANITIZED_BYTES = 250000 };

typedef struct stated_file {
  const char *path;
  size_t pair_count;
} stated_file;

static const stated_file files[] = {
    {"meshes/bunny_7k.off", 0},
    {"meshes/bunny_25k.obj.gz", 0},
    {"meshes/stanford-bunny.obj.gz", 0},
    {"meshes/bunny_100k.obj.gz", 0},
    {"meshes/armadillo_29k.obj.gz", 0},
    {"meshes/armadillo_86k.obj.gz", 0},
    {"meshes/dragon_100k.obj.gz", 25},
    {"meshes/buddha_100k.obj.gz", 56},
    {"meshes/max-planck_10k.obj.gz", 0},
    {"meshes/cow.obj", 81},
    {"meshes/fandisk.obj.gz", 0},
    {"meshes/rocker-arm.obj.gz", 0},
    {"meshes/crank-case.obj.gz", 0},
    {"meshes/cycloidal-gear.ply.gz", 54960},
    {"meshes/tray-bottom.stl.gz", 0},
    {"meshes/sword.obj.gz", 0},
    {"meshes/elephant.off", 0},
    {"meshes/thingi_40509.stl.gz", 1351},
    {"meshes/twin_left.obj.gz", 3},
    {"meshes/bunny_soup.off.gz", 4281},
    {"meshes/fcl_env.obj", 5542},
    {"meshes/fcl_rob.obj", 1647},
    {"meshes/coplanar_cubes.off", 2520},
    {"meshes/spheres_intersecting.off", 88},
    {"meshes/cube_with_fold.ply", 11},
    {"meshes/two-boxes-bad-self-union.ply", 962},
    {"meshes/sliver_tet.ply", 0},
    {"meshes/cray_left.obj", 0},
    {"meshes/cray_right.obj", 0},
    {"meshes/thingi_88566.stl.gz", 0},
    {"meshes/thingi_58011.stl.gz", 0},
    {"meshes/thingi_908460.stl.gz", 0},
    {"meshes/thingi_73416.stl.gz", 0},
    {"meshes/thingi_1063852.stl.gz", 0},
    {"meshes/thingi_72214.stl.gz", 0},
    {"scenes/cloth-ball/cloth_ball92.ply", 63602},
    {"scenes/cloth-ball/cloth_ball93.ply", 99872},
    {"scenes/armadillo-rollers/326.ply", 0},
    {"scenes/armadillo-rollers/327.ply", 0},
    {"scenes/cloth-funnel/227.ply", 309},
    {"scenes/cloth-funnel/228.ply", 382},
    {"scenes/kick/shell36.obj.gz", 493},
    {"scenes/kick/shell37.obj.gz", 495},
    {"scenes/kick/shell38.obj.gz", 493},
    {"scenes/kick/shell39.obj.gz", 495},
    {"scenes/kick/shell40.obj.gz", 495},
    {"scenes/kick/shell41.obj.gz", 495},
    {"scenes/kick/unfixed36.obj.gz", 541},
    {"scenes/kick/unfixed38.obj.gz", 617},
    {"scenes/kick/unfixed40.obj.gz", 660},
    {"scenes/kick/unfixed60.obj.gz", 639},
    {"scenes/horse-poses/horse_ref.obj.gz", 0},
    {"scenes/horse-poses/horse-01.obj.gz", 59},
    {"scenes/horse-poses/horse-04.obj.gz", 55},
    {"scenes/horse-poses/horse-07.obj.gz", 128},
    {"scenes/horse-poses/horse-10.obj.gz", 0},
    {"scenes/dress/stage.obj.gz", 0},
    {"scenes/dress/drape_old.obj.gz", 496},
    {"scenes/dress/drape.obj.gz", 925},
    {"scenes/two-cubes/two-cubes-far.ply", 0},
    {"scenes/two-cubes/two-cubes-close.ply", 0},
    {"scenes/two-cubes/two-cubes-intersecting.ply", 96},
    {"scenes/toddlerbot/toddlerbot.ply.gz", 1037588},
};

/* chair_soup: 55,973 are stated. The difference of 10,188 is to the pair the number of pairs of boxes in which one
 * triangle has no area and that do not meet (10,164 without a common vertex) or meet in their one common vertex alone
 * (24): a normal of zero separates nothing.
 * degenerated-sd: 28 are stated, mannequin-devil: 1,645. For most pairs with a common vertex some determinant of four
 * of their corners that is exactly zero comes out of 113 bits with a sign; that such a sign made the one and the two
 * pairs too many is likely, but cannot be seen from the figures. */
static const stated_file disputed_files[] = {
    {"meshes/chair_soup.off", 45785},
    {"meshes/degenerated-sd.off.gz", 27},
    {"meshes/mannequin-devil.off.gz", 1643},
};

static mesh *read_file(const char *path) {
  char whole_path[1024], error[1280];
  mesh *meshes;
  size_t mesh_count;
  snprintf(whole_path, sizeof whole_path, "%s/%s", getenv("GRAZE_DATA"), path);
  if (!mesh_file_read(whole_path, NULL, &meshes, &mesh_count, error, sizeof error)) fail_msg("%s", error);
  assert_int_equal(mesh_count, 1);
  return meshes;
}

/* Under sanitizers large ones are not even read: it is the same lines for each. */
static bool is_read(const char *path) {
  char whole_path[1024];
  struct stat about;
  snprintf(whole_path, sizeof whole_path, "%s/%s", getenv("GRAZE_DATA"), path);
  return !test_is_sanitized() || stat(whole_path, &about) != 0 || about.st_size <= SANITIZED_BYTES;
}

static running_variant two_threads(void) {
  return (running_variant){"grid", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false};
}

static pair_answer find_beyond(const running_variant *variant, const mesh *m, bool candidates_only) {
  graze_query query = graze_query_default();
  query.neighbors = GRAZE_NEIGHBORS_BEYOND;
  query.candidates_only = candidates_only;
  OWNED_SCENE *scene = runner_scene(variant, m, 1, NULL);
  const pair_answer answer = runner_find(scene, &query);
  return answer;
}

TEST(test_counts_are_as_stated) {
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (!is_read(files[i].path)) continue;
    mesh *m = read_file(files[i].path);
    if (test_scale() == 1.0 || m->triangle_count <= SANITIZED_TRIANGLES) {
      const running_variant variant = two_threads(), reference = running_variant_reference();
      const pair_answer found = find_beyond(&variant, m, false);
      print_message("%8zu pairs  %s\n", found.count, files[i].path);
      if (found.count != files[i].pair_count) {
        print_error("%s: %zu pairs, %zu are stated\n", files[i].path, found.count, files[i].pair_count);
        wrong++;
      }
      if (m->triangle_count <= (size_t)(SMALL_TRIANGLES * test_scale())) {
        const pair_answer wanted = find_beyond(&reference, m, false);
        runner_compare(&wanted, &found, files[i].path, "grid");
        free(wanted.pairs);
      }
      free(found.pairs);
    }
    mesh_list_free(m, 1);
  }
  assert_int_equal(wrong, 0);
}

TEST(test_disputed_counts_match_rational_arithmetic) {
  if (test_scale() < 1.0) skip();
  OWNED(rational_oracle) *oracle = rational_oracle_create();
  for (size_t i = 0; i < sizeof disputed_files / sizeof *disputed_files; i++) {
    mesh *m = read_file(disputed_files[i].path);
    const running_variant variant = two_threads();
    const pair_answer found = find_beyond(&variant, m, false), candidates = find_beyond(&variant, m, true);
    pair_answer expected = {.pairs = malloc((candidates.count + 1) * sizeof(graze_pair))};
    for (size_t k = 0; k < candidates.count; k++)
      if (soup_reference_pair(oracle, m, &candidates.pairs[k], GRAZE_NEIGHBORS_BEYOND))
        expected.pairs[expected.count++] = candidates.pairs[k];
    expected.hash = graze_pairs_hash(expected.pairs, expected.count);
    print_message("%8zu pairs  %s, of %zu candidates\n", found.count, disputed_files[i].path, candidates.count);
    runner_compare(&expected, &found, disputed_files[i].path, "grid");
    assert_int_equal(found.count, disputed_files[i].pair_count);
    free(found.pairs);
    free(candidates.pairs);
    free(expected.pairs);
    mesh_list_free(m, 1);
  }
}

/* ---------------------------------------------------------------------------------------------- placed bodies */

enum { CASE_NUMBERS = 34 }; /* two ids, two transforms of four columns x y z w */

/* All numbers of a file behind a colon, in order. */
static size_t read_numbers(const char *path, double *numbers_out, size_t capacity) {
  char whole_path[1024];
  snprintf(whole_path, sizeof whole_path, "%s/%s", getenv("GRAZE_DATA"), path);
  FILE *file = fopen(whole_path, "r");
  if (file == NULL) fail_msg("%s cannot be read", whole_path);
  size_t count = 0;
  char line[256];
  while (fgets(line, sizeof line, file) != NULL) {
    const char *colon = strrchr(line, ':');
    if (colon == NULL || strchr(colon, '{') != NULL) continue;
    assert_true(count < capacity);
    numbers_out[count++] = strtod(colon + 1, NULL);
  }
  fclose(file);
  return count;
}

static mesh *read_placed(double id, const double columns[16]) {
  char path[64];
  snprintf(path, sizeof path, "meshes/thingi_%.0f.stl.gz", id);
  mesh *m = read_file(path);
  for (size_t i = 0; i < m->vertex_count; i++) {
    double *p = m->positions + 3 * i, placed[3];
    for (int axis = 0; axis < 3; axis++)
      placed[axis] = columns[axis] * p[0] + columns[4 + axis] * p[1] + columns[8 + axis] * p[2] + columns[12 + axis];
    memcpy(p, placed, sizeof placed);
  }
  return m;
}

TEST(test_placed_bodies) {
  if (test_scale() < 1.0) skip();
  const size_t stated[3] = {4351, 8131, 2259};
  double numbers[3 * CASE_NUMBERS];
  assert_int_equal(read_numbers("scenes/ember-pairs/ember-benchmark-cases.json", numbers, 3 * CASE_NUMBERS),
                   3 * CASE_NUMBERS);
  for (int i = 0; i < 3; i++) {
    const double *numbers_of_case = numbers + CASE_NUMBERS * i;
    mesh *a = read_placed(numbers_of_case[0], numbers_of_case + 2);
    mesh *b = read_placed(numbers_of_case[1], numbers_of_case + 18);
    const mesh both[2] = {*a, *b};
    graze_query query = graze_query_default();
    query.scope = GRAZE_SCOPE_BETWEEN;
    const running_variant variant = two_threads();
    graze_scene *scene = runner_scene(&variant, both, 2, NULL);
    const pair_answer found = runner_find(scene, &query);
    print_message("%8zu pairs  thingi_%.0f and thingi_%.0f\n", found.count, numbers_of_case[0], numbers_of_case[1]);
    assert_int_equal(found.count, stated[i]);
    free(found.pairs);
    graze_scene_destroy(scene);
    mesh_list_free(a, 1);
    mesh_list_free(b, 1);
  }
}

TEST_REQUIRES("GRAZE_DATA")
