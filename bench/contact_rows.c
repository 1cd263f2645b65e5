/* Measures contacts of all pairs of a scene, frame by frame. Positions, pairs and contacts are on the device, and times
 * are those of its own clock; on the processor they are wall times. They exclude the download for the hash after the
 * last frame. */
#include "bench/contact_rows.h"

#include "bench/bench_record.h"
#include "bench/contact_lower_bound.h"
#include "graze/cuda.h"
#include "models/mesh_object.h"
#include "models/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM_FRAMES = 3, MOST_FRAMES = 1000 }; /* warm-up on a device; one on the processor */

/* Sizes with about a million pairs. */
static const struct {
  const char *name, *model;
  uint64_t primitives;
  bool large;
} rows[] = {
    {"contacts soup", "soup", 2000000, true},
    {"contacts tetra", "tet-pair", 190000, false},
    {"contacts spheres", "spheres", 1000000, true},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

size_t contact_row_count(void) {
  return ROW_COUNT;
}

const char *contact_row_name(size_t row) {
  return rows[row].name;
}

bool contact_row_is_large(size_t row) {
  return rows[row].large;
}

void contact_rows_head(void) {
  printf("# contacts of all pairs, whose columns are these; points, depths, normals, volumes, witnesses\n");
  printf("%-16s %10s %10s %10s %16s %9s %9s %9s %9s\n", "scene", "primitives", "contacts", "points", "hash", "update",
         "pairs", "contacts", "ns each");
}

static bool fail(size_t row, const char *message) {
  fprintf(stderr, "graze_frames: %s: %s\n", rows[row].name, message);
  return false;
}

/* Reused by every frame, as in a simulation. */
typedef struct contact_lists {
  graze_device_pairs pairs_there;
  graze_device_contacts contacts_there;
  graze_pairs pairs;
  graze_contacts contacts;
} contact_lists;

static void free_lists(contact_lists *lists) {
  graze_device_pairs_free(&lists->pairs_there);
  graze_device_contacts_free(&lists->contacts_there);
  graze_pairs_free(&lists->pairs);
  graze_contacts_free(&lists->contacts);
}

typedef struct contact_times {
  double update[MOST_FRAMES], pairs[MOST_FRAMES], contacts[MOST_FRAMES];
} contact_times;

static double query_ms(const graze_timings *t) {
  return t->bounds_ms + t->build_ms + t->search_ms + t->test_ms + t->order_ms;
}

static graze_result run_there(graze_scene *scene, contact_lists *lists) {
  const graze_result result = graze_scene_find_pairs_on_device(scene, NULL, &lists->pairs_there);
  if (result != GRAZE_OK) return result;
  return graze_scene_make_contacts_on_device(scene, lists->pairs_there.device_pairs, lists->pairs_there.count, NULL,
                                             &lists->contacts_there);
}

static graze_result run_here(graze_scene *scene, contact_lists *lists) {
  const graze_result result = graze_scene_find_pairs(scene, NULL, &lists->pairs);
  if (result != GRAZE_OK) return result;
  return graze_scene_make_contacts(scene, lists->pairs.pairs, lists->pairs.count, NULL, &lists->contacts);
}

static graze_result run_frame(graze_scene *scene, bool on_device, contact_lists *lists, size_t frame,
                              contact_times *times) {
  graze_result result = graze_scene_update(scene);
  if (result == GRAZE_OK) result = on_device ? run_there(scene, lists) : run_here(scene, lists);
  if (result != GRAZE_OK) return result;
  const graze_timings *pairs = on_device ? lists->pairs_there.timings : lists->pairs.timings;
  const graze_timings *contacts = on_device ? lists->contacts_there.timings : lists->contacts.timings;
  times->update[frame] = pairs->update_ms;
  times->pairs[frame] = query_ms(pairs);
  times->contacts[frame] = contacts->contacts_ms;
  return GRAZE_OK;
}

/* Hashes words of four bytes; contacts and points have no padding. */
static uint64_t hash_words(uint64_t hash, const void *data, size_t bytes) {
  const uint32_t *words = data;
  for (size_t i = 0; i < bytes / sizeof *words; i++) hash = (hash ^ words[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static uint64_t hash_contacts(const graze_contacts *contacts) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  hash = hash_words(hash, contacts->contacts, contacts->count * sizeof *contacts->contacts);
  return hash_words(hash, contacts->points, contacts->point_count * sizeof *contacts->points);
}

static contact_sizes shapes_of(const mesh *meshes, size_t mesh_count) {
  contact_sizes sizes = {.kind = GRAZE_KIND_TRIANGLE};
  for (size_t i = 0; i < mesh_count; i++) {
    const mesh *m = &meshes[i];
    sizes.vertices += m->vertex_count;
    if (m->kind == MESH_TETRAHEDRA) sizes.kind = GRAZE_KIND_TETRAHEDRON;
    if (m->kind == MESH_SPHERES) sizes.kind = GRAZE_KIND_SPHERE;
  }
  return sizes;
}

static bool measure(size_t row, graze_scene *scene, bool on_device, size_t frames, contact_lists *lists,
                    contact_sizes *sizes, bounded_row *row_out) {
  static contact_times times;
  const size_t warm = on_device ? WARM_FRAMES : 1;
  for (size_t i = 0; i < warm + frames; i++)
    if (run_frame(scene, on_device, lists, i < warm ? 0 : i - warm, &times) != GRAZE_OK)
      return fail(row, graze_error_text());
  const double contacts_ms = bench_median(times.contacts, frames);
  if (on_device && run_here(scene, lists) != GRAZE_OK) return fail(row, graze_error_text());
  const graze_contacts *contacts = &lists->contacts;
  sizes->contacts = contacts->count;
  sizes->points = contacts->point_count;
  sizes->primitives = lists->pairs.counters->primitives;
  printf("%-16s %10" PRIu64 " %10zu %10zu %016" PRIx64 " %9.4f %9.4f %9.4f %9.3f\n", rows[row].name, sizes->primitives,
         contacts->count, contacts->point_count, hash_contacts(contacts), bench_median(times.update, frames),
         bench_median(times.pairs, frames), contacts_ms, 1e6 * contacts_ms / (double)contacts->count);
  fflush(stdout);
  *row_out = (bounded_row){.name = rows[row].name,
                           .bytes = contact_bytes(sizes),
                           .elements = sizes->contacts,
                           .launches = contact_launches(sizes),
                           .milliseconds = contacts_ms};
  return true;
}

static graze_result add_mesh(graze_scene *scene, const mesh *m) {
  const graze_object_def def = graze_object_def_default();
  graze_object object;
  return mesh_object_add_as(scene, m, &def, MESH_AS_FLOAT, &object);
}

bool contact_row_run(size_t row, const bench_backend *backend, uint32_t threads, size_t frames, bounded_row *row_out) {
  model_parameters parameters = model_parameters_default();
  parameters.primitives = rows[row].primitives;
  mesh *meshes;
  size_t mesh_count;
  char error[256];
  if (!model_make(model_find(rows[row].model), &parameters, &meshes, &mesh_count, error, sizeof error))
    return fail(row, error);
  graze_scene *scene = NULL;
  contact_lists lists = {0};
  bool done = bench_backend_scene(backend, threads, NULL, &scene) == GRAZE_OK || fail(row, graze_error_text());
  for (size_t i = 0; i < mesh_count && done; i++)
    done = add_mesh(scene, &meshes[i]) == GRAZE_OK || fail(row, graze_error_text());
  contact_sizes sizes = shapes_of(meshes, mesh_count);
  if (done) done = measure(row, scene, bench_backend_has_devices(backend), frames, &lists, &sizes, row_out);
  free_lists(&lists);
  graze_scene_destroy(scene);
  for (size_t i = 0; i < mesh_count; i++) mesh_free(&meshes[i]);
  free(meshes);
  return done;
}
