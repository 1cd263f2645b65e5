/* Measures eight blobs as one object, frame by frame. Positions are on the device, and times are those of its own
 * clock. They exclude the download after each measurement, 16 bytes per triangle. */
#include "bench/crowding_row.h"

#include "bench/bench_record.h"
#include "models/mesh_object.h"
#include "models/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_MEASURES = 3, MOST_MEASURES = 1000, PRIMITIVES = 1000000, STAGES = 6 };

const char crowding_row_name[] = "k-free 1M";

static bool fail(const char *message) {
  fprintf(stderr, "graze_frames: %s: %s\n", crowding_row_name, message);
  return false;
}

/* Adds all meshes as one object, in float. */
static graze_result add_together(graze_scene *scene, const mesh *meshes, size_t mesh_count, graze_object *object_out) {
  mesh all = {0};
  for (size_t i = 0; i < mesh_count; i++) {
    all.vertex_count += meshes[i].vertex_count;
    all.triangle_count += meshes[i].triangle_count;
  }
  all.polygon_count = all.triangle_count;
  all.positions = malloc((3 * all.vertex_count + 1) * sizeof *all.positions);
  all.triangles = malloc((3 * all.triangle_count + 1) * sizeof *all.triangles);
  graze_result result = GRAZE_OUT_OF_MEMORY;
  if (all.positions != NULL && all.triangles != NULL) {
    size_t vertex = 0, corner = 0;
    for (size_t i = 0; i < mesh_count; vertex += meshes[i++].vertex_count) {
      memcpy(all.positions + 3 * vertex, meshes[i].positions, 3 * meshes[i].vertex_count * sizeof *all.positions);
      for (size_t j = 0; j < 3 * meshes[i].triangle_count; j++)
        all.triangles[corner++] = (uint32_t)vertex + meshes[i].triangles[j];
    }
    const graze_object_def def = graze_object_def_default();
    result = mesh_object_add_as(scene, &all, &def, MESH_AS_FLOAT, object_out);
  }
  mesh_free(&all);
  return result;
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *at = data;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static void print_row(const graze_crowding *crowding, double times[][MOST_MEASURES], size_t frames) {
  const graze_counters *const counters = crowding->counters;
  uint64_t rounded = 0, hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < crowding->count; i++) rounded += crowding->k_of[i] - 1;
  hash = hash_bytes(hash, crowding->k_of, crowding->count * sizeof *crowding->k_of);
  hash = hash_bytes(hash, crowding->neighbors_of, crowding->count * sizeof *crowding->neighbors_of);
  hash = hash_bytes(hash, crowding->diameter_of, crowding->count * sizeof *crowding->diameter_of);
  printf("%-16s %10" PRIu64 " %10" PRIu64 " %016" PRIx64 " %11" PRIu64, crowding_row_name, counters->primitives,
         rounded, hash, counters->candidates);
  for (int i = 0; i <= STAGES; i++) printf(" %9.4f", bench_median(times[i], frames));
  printf(" %6.1f\n", (double)counters->device_bytes / (double)counters->primitives);
  fflush(stdout);
}

static bool measure(graze_scene *scene, graze_object object, size_t frames, graze_crowding *crowding) {
  static double times[STAGES + 1][MOST_MEASURES]; /* the stages in their order, then the sum */
  for (size_t i = 0; i < WARM_MEASURES + frames; i++) {
    graze_result result = graze_scene_update(scene);
    if (result == GRAZE_OK) result = graze_scene_measure_crowding(scene, object, crowding);
    if (result != GRAZE_OK) return fail(graze_error_text());
    if (i < WARM_MEASURES) continue;
    const graze_timings *const t = crowding->timings;
    const double stage[STAGES] = {t->update_ms, t->bounds_ms, t->build_ms, t->search_ms, t->test_ms, t->order_ms};
    times[STAGES][i - WARM_MEASURES] = 0.0;
    for (int j = 0; j < STAGES; j++) {
      times[j][i - WARM_MEASURES] = stage[j];
      times[STAGES][i - WARM_MEASURES] += stage[j];
    }
  }
  print_row(crowding, times, frames);
  return true;
}

bool crowding_row_run(const bench_backend *backend, uint32_t threads, size_t frames) {
  model_parameters parameters = model_parameters_default();
  parameters.primitives = PRIMITIVES;
  mesh *meshes;
  size_t mesh_count;
  char error[256];
  if (!model_make(model_find("blobs"), &parameters, &meshes, &mesh_count, error, sizeof error)) return fail(error);
  graze_scene *scene = NULL;
  graze_object object;
  graze_crowding crowding = {0};
  bool done = bench_backend_scene(backend, threads, NULL, &scene) == GRAZE_OK || fail(graze_error_text());
  if (done) done = add_together(scene, meshes, mesh_count, &object) == GRAZE_OK || fail(graze_error_text());
  if (done) done = measure(scene, object, frames, &crowding);
  graze_crowding_free(&crowding);
  graze_scene_destroy(scene);
  for (size_t i = 0; i < mesh_count; i++) mesh_free(&meshes[i]);
  free(meshes);
  return done;
}
