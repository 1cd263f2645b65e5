/* The list of benchmark scenes and their recipes.
 *
 * They have from 20 thousand to 1.6 million triangles: smooth closed meshes, folded meshes with tens of thousands of
 * pairs, soups, size ratios of thousands, needles and plates as long as the scene, a mesh and its exact copy (all
 * coplanar and touching), a copy shifted by a twentieth of an edge, shuffled meshes, and approaching rigid bodies.
 * Scenes with a file require the folder of real meshes; the others are built-in models, identical on every machine. */
#include "bench/bench_scene.h"

#include "mesh_io/mesh_file.h"
#include "models/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSE_COUNT = 100, QUICK_FILE_TRIANGLES = 100000, QUICK_MODEL_DIVISOR = 10 };

/* Transforms the loaded shapes[0] into the scene. */
typedef bool scene_recipe(bench_scene *scene);

typedef struct scene_row {
  const char *name;
  bench_kind kind;
  const char *file;  /* below the data folder; NULL: a model */
  const char *model; /* NULL: a file */
  size_t triangles;  /* of the finished scene, about */
  scene_recipe *recipe;
} scene_row;

static const double no_offset[3] = {0.0, 0.0, 0.0};

static bool recipe_as_it_is(bench_scene *scene) {
  (void)scene;
  return true;
}

static bool recipe_fold(bench_scene *scene) {
  for (int axis = 0; axis < 3; axis++) bench_shape_fold(&scene->shapes[0], axis);
  return true;
}

static bool recipe_split(bench_scene *scene) {
  return bench_shape_split(&scene->shapes[0]);
}

static bool recipe_split_fold(bench_scene *scene) {
  return bench_shape_split(&scene->shapes[0]) && recipe_fold(scene);
}

static bool recipe_split_twice(bench_scene *scene) {
  return bench_shape_split(&scene->shapes[0]) && bench_shape_split(&scene->shapes[0]);
}

static bool recipe_shuffle(bench_scene *scene) {
  return bench_shape_shuffle(&scene->shapes[0]);
}

/* Places copies at the corners of a box slightly smaller than the shape, so that neighbors intersect. */
static bool recipe_eight_copies(bench_scene *scene) {
  double lower[3], upper[3];
  bench_shape_bounds(&scene->shapes[0], lower, upper);
  bench_shape eight = {0};
  bool made = true;
  for (int i = 0; i < 8 && made; i++) {
    double offset[3];
    for (int k = 0; k < 3; k++) offset[k] = (i >> k & 1) != 0 ? 0.85 * (upper[k] - lower[k]) : 0.0;
    const bench_shape *const one = &scene->shapes[0];
    made = bench_shape_append(&eight, one->positions, one->vertex_count, one->triangles, one->triangle_count, offset);
  }
  if (!made) {
    bench_shape_free(&eight);
    return false;
  }
  bench_shape_free(&scene->shapes[0]);
  scene->shapes[0] = eight;
  return true;
}

static bool add_copy(bench_scene *scene, const double offset[3]) {
  scene->shape_count = 2;
  return bench_shape_copy(&scene->shapes[0], offset, &scene->shapes[1]);
}

static bool recipe_crossing(bench_scene *scene) {
  double lower[3], upper[3];
  bench_shape_bounds(&scene->shapes[0], lower, upper);
  double offset[3];
  for (int k = 0; k < 3; k++) offset[k] = 0.3 * (upper[k] - lower[k]);
  return add_copy(scene, offset);
}

static bool recipe_crossing_shuffled(bench_scene *scene) {
  return recipe_shuffle(scene) && recipe_crossing(scene);
}

static bool recipe_turned(bench_scene *scene) {
  if (!add_copy(scene, no_offset)) return false;
  bench_shape_turn(&scene->shapes[1]);
  return true;
}

static bool recipe_shifted_by_edge(bench_scene *scene) {
  const double step = 0.05 * bench_shape_mean_edge(&scene->shapes[0]);
  const double offset[3] = {step, step, step};
  return add_copy(scene, offset);
}

static bool recipe_on_itself(bench_scene *scene) {
  return add_copy(scene, no_offset);
}

/* Maps a counter to a number in [-1, 1) with the finalizer of splitmix (Steele, Lea, Flood, "Fast splittable
 * pseudorandom number generators", 2014). */
static double scattered(uint64_t counter) {
  uint64_t z = (counter + 1) * UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  z ^= z >> 31;
  return (double)(z >> 11) * 0x1p-52 - 1.0;
}

/* The rotation of the normalized quaternion (1, x, y, z). It needs no sine, so its bits are the same everywhere. */
static void rotation_of(double x, double y, double z, double rotation_out[9]) {
  const double s = 2.0 / (1.0 + x * x + y * y + z * z);
  const double values[9] = {1.0 - s * (y * y + z * z), s * (x * y - z),           s * (x * z + y),
                            s * (x * y + z),           1.0 - s * (x * x + z * z), s * (y * z - x),
                            s * (x * z - y),           s * (y * z + x),           1.0 - s * (x * x + y * y)};
  memcpy(rotation_out, values, sizeof values);
}

/* The body rotates about its center and approaches from pose to pose, from separate to deep inside, from all sides. */
static void place_pose(size_t i, const double middle[3], double extent, bench_pose *pose_out) {
  const double x = scattered(6 * i), y = scattered(6 * i + 1), z = scattered(6 * i + 2);
  rotation_of(x, y, z, pose_out->rotation);
  double direction[3] = {scattered(6 * i + 3), scattered(6 * i + 4), scattered(6 * i + 5) + 1e-9};
  const double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
  const double distance = extent * (1.1 - 0.7 * (double)i / (double)POSE_COUNT);
  for (int k = 0; k < 3; k++) {
    const double *const row = pose_out->rotation + 3 * k;
    const double turned = row[0] * middle[0] + row[1] * middle[1] + row[2] * middle[2];
    pose_out->translation[k] = middle[k] - turned + distance * direction[k] / length;
  }
}

static bool recipe_moving(bench_scene *scene) {
  double lower[3], upper[3], middle[3], extent = 0.0;
  bench_shape_bounds(&scene->shapes[0], lower, upper);
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (lower[k] + upper[k]);
    extent = fmax(extent, upper[k] - lower[k]);
  }
  scene->poses = malloc(POSE_COUNT * sizeof *scene->poses);
  if (scene->poses == NULL) return false;
  scene->pose_count = POSE_COUNT;
  for (size_t i = 0; i < POSE_COUNT; i++) place_pose(i, middle, extent, &scene->poses[i]);
  return add_copy(scene, no_offset);
}

static const scene_row rows[] = {
    {"self-bunny", BENCH_SELF, "meshes/stanford-bunny.obj.gz", NULL, 69451, recipe_as_it_is},
    {"self-bunny-folded", BENCH_SELF, "meshes/stanford-bunny.obj.gz", NULL, 69451, recipe_fold},
    {"self-cloth-ball", BENCH_SELF, "scenes/cloth-ball/cloth_ball92.ply", NULL, 92230, recipe_as_it_is},
    {"self-dragon", BENCH_SELF, "meshes/dragon_100k.obj.gz", NULL, 100000, recipe_as_it_is},
    {"self-buddha", BENCH_SELF, "meshes/buddha_100k.obj.gz", NULL, 100000, recipe_as_it_is},
    {"self-bunny-400k", BENCH_SELF, "meshes/bunny_100k.obj.gz", NULL, 399984, recipe_split},
    {"self-bunnies-556k", BENCH_SELF, "meshes/stanford-bunny.obj.gz", NULL, 555608, recipe_eight_copies},
    {"self-armadillo-346k-folded", BENCH_SELF, "meshes/armadillo_86k.obj.gz", NULL, 345944, recipe_split_fold},
    {"self-dragon-scan", BENCH_SELF, "meshes/dragon_scan_871k.ply.gz", NULL, 871414, recipe_as_it_is},
    {"self-dragon-scan-folded", BENCH_SELF, "meshes/dragon_scan_871k.ply.gz", NULL, 871414, recipe_fold},
    {"self-dragon-scan-shuffled", BENCH_SELF, "meshes/dragon_scan_871k.ply.gz", NULL, 871414, recipe_shuffle},
    {"self-toddlerbot", BENCH_SELF, "scenes/toddlerbot/toddlerbot.ply.gz", NULL, 1352016, recipe_as_it_is},
    {"self-bunny-1600k", BENCH_SELF, "meshes/bunny_100k.obj.gz", NULL, 1599936, recipe_split_twice},
    {"self-blob-100k", BENCH_SELF, NULL, "blob", 100000, recipe_as_it_is},
    {"self-folded-cloth", BENCH_SELF, NULL, "folded-cloth", 90000, recipe_as_it_is},
    {"self-rods", BENCH_SELF, NULL, "rods", 80000, recipe_as_it_is},
    {"self-bristles", BENCH_SELF, NULL, "bristles", 40000, recipe_as_it_is},
    {"self-rebar", BENCH_SELF, NULL, "rebar", 20000, recipe_as_it_is},
    {"self-plates", BENCH_SELF, NULL, "plates", 40000, recipe_as_it_is},
    {"self-thread", BENCH_SELF, NULL, "thread", 40000, recipe_as_it_is},
    {"self-blobs", BENCH_SELF, NULL, "blobs", 500000, recipe_as_it_is},
    {"self-mix", BENCH_SELF, NULL, "mix", 500000, recipe_as_it_is},
    {"self-soup", BENCH_SELF, NULL, "soup", 1000000, recipe_as_it_is},
    {"self-blob-1m", BENCH_SELF, NULL, "blob", 1000000, recipe_as_it_is},
    {"self-blob-1m-shuffled", BENCH_SELF, NULL, "blob", 1000000, recipe_shuffle},
    {"between-bunnies", BENCH_BETWEEN, "meshes/stanford-bunny.obj.gz", NULL, 138902, recipe_crossing},
    {"between-bunny-copy", BENCH_BETWEEN, "meshes/stanford-bunny.obj.gz", NULL, 138902, recipe_on_itself},
    {"between-dragons-turned", BENCH_BETWEEN, "meshes/dragon_100k.obj.gz", NULL, 200000, recipe_turned},
    {"between-dragons-shifted", BENCH_BETWEEN, "meshes/dragon_100k.obj.gz", NULL, 200000, recipe_shifted_by_edge},
    {"between-dragon-scans", BENCH_BETWEEN, "meshes/dragon_scan_871k.ply.gz", NULL, 1742828, recipe_crossing},
    {"between-dragon-scans-shifted", BENCH_BETWEEN, "meshes/dragon_scan_871k.ply.gz", NULL, 1742828,
     recipe_shifted_by_edge},
    {"between-knots", BENCH_BETWEEN, NULL, "knot", 200000, recipe_crossing},
    {"between-blobs-1m", BENCH_BETWEEN, NULL, "blob", 1000000, recipe_crossing},
    {"between-blobs-1m-shuffled", BENCH_BETWEEN, NULL, "blob", 1000000, recipe_crossing_shuffled},
    {"between-blob-copy", BENCH_BETWEEN, NULL, "blob", 140000, recipe_on_itself},
    {"moving-bunnies", BENCH_MOVING, "meshes/stanford-bunny.obj.gz", NULL, 138902, recipe_moving},
    {"moving-knots", BENCH_MOVING, NULL, "knot", 140000, recipe_moving},
};

size_t bench_scene_count(void) {
  return sizeof rows / sizeof rows[0];
}
const char *bench_scene_name(size_t scene) {
  return rows[scene].name;
}
bench_kind bench_scene_kind(size_t scene) {
  return rows[scene].kind;
}

const char *bench_kind_name(bench_kind kind) {
  static const char *const names[] = {"self", "between", "moving", "both"};
  return names[kind];
}

bool bench_scene_available(size_t scene, const bench_scene_options *options) {
  const scene_row *const row = &rows[scene];
  if (row->file == NULL) return true;
  if (options->triangles != 0) return false;
  const size_t objects = row->kind == BENCH_SELF ? 1 : 2;
  return options->data != NULL && (!options->quick || row->triangles / objects <= QUICK_FILE_TRIANGLES);
}

size_t bench_scene_triangles(size_t scene, const bench_scene_options *options) {
  const scene_row *const row = &rows[scene];
  if (row->file != NULL) return row->triangles;
  if (options->triangles != 0) return options->triangles;
  return row->triangles / (options->quick ? QUICK_MODEL_DIVISOR : 1);
}

static bool make_model(const char *name, size_t triangles, mesh **meshes_out, size_t *count_out, char *error,
                       size_t error_bytes) {
  const model *const found = model_find(name);
  if (found == NULL) {
    snprintf(error, error_bytes, "there is no model \"%s\"", name);
    return false;
  }
  const model_parameters parameters = {.primitives = triangles, .seed = 1};
  return model_make(found, &parameters, meshes_out, count_out, error, error_bytes);
}

static bool load_meshes(const scene_row *row, const bench_scene_options *options, mesh **meshes_out, size_t *count_out,
                        char *error, size_t error_bytes) {
  if (row->file != NULL) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", options->data, row->file);
    return mesh_file_read(path, NULL, meshes_out, count_out, error, error_bytes);
  }
  const size_t objects = row->kind == BENCH_SELF ? 1 : 2;
  return make_model(row->model, bench_scene_triangles((size_t)(row - rows), options) / objects, meshes_out, count_out,
                    error, error_bytes);
}

/* Joins the objects of a model or file to one mesh: pairs between them become pairs within it. */
static bool join_meshes(const mesh *meshes, size_t count, bench_shape *shape_out) {
  for (size_t i = 0; i < count; i++) {
    const mesh *const m = &meshes[i];
    if (!bench_shape_append(shape_out, m->positions, m->vertex_count, m->triangles, m->triangle_count, no_offset)) {
      return false;
    }
  }
  return true;
}

/* Takes ownership of the meshes. */
static bool finish_scene(scene_recipe *recipe, mesh *meshes, size_t mesh_count, bench_scene *scene_out, char *error,
                         size_t error_bytes) {
  scene_out->shape_count = 1;
  const bool joined = join_meshes(meshes, mesh_count, &scene_out->shapes[0]);
  mesh_list_free(meshes, mesh_count);
  if (!joined || !recipe(scene_out)) {
    snprintf(error, error_bytes, "out of memory for the scene %s", scene_out->name);
    bench_scene_free(scene_out);
    return false;
  }
  for (size_t i = 0; i < scene_out->shape_count; i++) bench_shape_round_to_float(&scene_out->shapes[i]);
  return true;
}

bool bench_scene_make(size_t scene, const bench_scene_options *options, bench_scene *scene_out, char *error,
                      size_t error_bytes) {
  const scene_row *const row = &rows[scene];
  *scene_out = (bench_scene){.name = row->name, .kind = row->kind};
  mesh *meshes = NULL;
  size_t mesh_count = 0;
  if (!load_meshes(row, options, &meshes, &mesh_count, error, error_bytes)) return false;
  return finish_scene(row->recipe, meshes, mesh_count, scene_out, error, error_bytes);
}

bool bench_scene_make_model(const char *model_name, size_t triangles, bench_scene *scene_out, char *error,
                            size_t error_bytes) {
  *scene_out = (bench_scene){.name = model_name, .kind = BENCH_SELF};
  mesh *meshes = NULL;
  size_t mesh_count = 0;
  if (!make_model(model_name, triangles, &meshes, &mesh_count, error, error_bytes)) return false;
  return finish_scene(recipe_as_it_is, meshes, mesh_count, scene_out, error, error_bytes);
}

bool bench_scene_read_file(const char *path, const char *name, bench_scene *scene_out, char *error,
                           size_t error_bytes) {
  *scene_out = (bench_scene){.name = name, .kind = BENCH_SELF};
  mesh *meshes = NULL;
  size_t mesh_count = 0;
  if (!mesh_file_read(path, NULL, &meshes, &mesh_count, error, error_bytes)) return false;
  return finish_scene(recipe_as_it_is, meshes, mesh_count, scene_out, error, error_bytes);
}

void bench_scene_free(bench_scene *scene) {
  for (size_t i = 0; i < 2; i++) bench_shape_free(&scene->shapes[i]);
  mesh_list_free(scene->bodies, scene->body_count);
  free(scene->poses);
  memset(scene, 0, sizeof *scene);
}
