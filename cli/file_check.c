/* Checks each file by itself on several threads: pairs, regions, and the defects of surfaces.
 *
 * Workload: a folder of parts, thousands of files of ten to two million primitives; most have no pairs. */
#include "file_check.h"

#include "complaint.h"
#include "file_crew.h"

#include "graze/containment.h"
#include "graze/regions.h"
#include "mesh_io/mesh_name.h"
#include "models/mesh_object.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 4096 };

typedef struct check_work {
  const mesh_file_list *files;
  file_check *checks;
  const mesh_read_options *how;
  const search_options *search;
  pthread_mutex_t device; /* one scene at a time, so that it has the whole memory of a device */
} check_work;

/* Messages of readers begin with the name of the file, "FILE: ..." or "FILE:LINE: ...", which the row already has. */
static void fail(file_check *check, const char *message) {
  const mesh_shown name = mesh_shown_name(check->file);
  const size_t length = strlen(name.text);
  const bool named = strncmp(message, name.text, length) == 0 && message[length] == ':';
  const char *rest = named ? message + length + 1 : message;
  char shorter[MESSAGE_BYTES + sizeof "line "];
  snprintf(shorter, sizeof shorter, "%s%s", named && *rest != ' ' ? "line " : "", rest + (named && *rest == ' '));
  check->trouble = strdup(shorter);
  if (check->trouble == NULL) check->trouble = calloc(1, 1);
}

static graze_result count_regions(const graze_scene *scene, const graze_pairs *pairs, graze_test test,
                                  file_check *check) {
  graze_region_options how = graze_region_options_default();
  how.test = test;
  how.depths = how.object_depths = how.curves = false;
  graze_regions regions = {0};
  const graze_result result = graze_scene_make_regions(scene, pairs->pairs, pairs->count, &how, &regions);
  check->region_count = regions.count;
  graze_regions_free(&regions);
  return result;
}

/* The query of a check of this file alone. */
static graze_query query_of(const search_options *search, const file_check *check) {
  search_options alone = *search;
  alone.query.scope = GRAZE_SCOPE_WITHIN;
  alone.query.neighbors = search_neighbors(&alone, graze_kind_is_solid(check->kind));
  return alone.query;
}

static graze_result count_edges(const graze_scene *scene, graze_object object, mesh_defects *defects) {
  graze_open_edges edges = {0};
  const graze_result result = graze_object_find_open_edges(scene, object, &edges);
  defects->open_edges = edges.open_count;
  defects->non_manifold_edges = edges.non_manifold_count;
  return result;
}

static graze_result run_query(graze_scene *scene, const search_options *search, mesh *asked, file_check *check) {
  graze_object object;
  graze_pairs pairs = {0};
  const graze_query query = query_of(search, check);
  graze_result result = graze_scene_set_method(scene, &search->method);
  if (result == GRAZE_OK) result = mesh_object_add(scene, asked, check->file, &object);
  mesh_free(asked);
  if (result == GRAZE_OK) result = graze_scene_update(scene);
  if (result == GRAZE_OK && check->is_surface) result = count_edges(scene, object, &check->defects);
  if (result == GRAZE_OK) result = graze_scene_find_pairs(scene, &query, &pairs);
  check->pair_count = pairs.count;
  check->hash = pairs.hash;
  if (result == GRAZE_OK && pairs.count > 0) result = count_regions(scene, &pairs, query.test, check);
  graze_pairs_free(&pairs);
  return result;
}

static void check_mesh(check_work *work, mesh *asked, file_check *check, uint32_t thread_count) {
  backend_options where = work->search->scene;
  where.thread_count = thread_count;
  const bool on_device = backend_has_devices(&where);
  graze_scene *scene = NULL;
  if (on_device) pthread_mutex_lock(&work->device);
  graze_result result = backend_create_scene(&where, &scene);
  if (result == GRAZE_OK) result = run_query(scene, work->search, asked, check);
  if (result != GRAZE_OK) fail(check, library_message(result));
  graze_scene_destroy(scene);
  if (on_device) pthread_mutex_unlock(&work->device);
}

static void check_read_mesh(check_work *work, mesh *asked, file_check *check, uint32_t thread_count) {
  check->kind = mesh_object_kind(asked);
  check->vertex_count = asked->vertex_count;
  check->primitive_count = mesh_element_count(asked);
  check->is_surface = asked->kind == MESH_POLYGONS;
  check->triangle_count = asked->triangle_count;
  check->skipped = asked->skipped;
  check->note = asked->note;
  asked->note = NULL;
  if (check->is_surface && !mesh_defects_count(asked, &check->defects))
    fail(check, "out of memory");
  else
    check_mesh(work, asked, check, thread_count);
}

static void check_file(void *context, size_t file, uint32_t thread_count) {
  check_work *work = context;
  file_check *check = &work->checks[file];
  mesh *meshes = NULL;
  size_t mesh_count = 0;
  char message[MESSAGE_BYTES] = "";
  const double start = clock_milliseconds();
  const char *trouble = work->files->entries[file].trouble;
  const bool read =
      trouble == NULL && mesh_file_read(check->file, work->how, &meshes, &mesh_count, message, sizeof message);
  check->reading_ms = clock_milliseconds() - start;
  if (!read)
    fail(check, trouble != NULL ? trouble : message);
  else if (mesh_count != 1)
    fail(check, "the file has no mesh");
  else
    check_read_mesh(work, &meshes[0], check, thread_count);
  mesh_list_free(meshes, mesh_count);
  check->checking_ms = clock_milliseconds() - start - check->reading_ms;
}

bool file_check_all(const mesh_file_list *files, const mesh_read_options *how, const search_options *search,
                    progress *steps, file_check **checks_out) {
  check_work work = {
      .files = files, .checks = calloc(files->count + 1, sizeof *work.checks), .how = how, .search = search};
  *checks_out = work.checks;
  if (work.checks == NULL) return decline("out of memory");
  for (size_t i = 0; i < files->count; i++) work.checks[i].file = files->entries[i].path;
  pthread_mutex_init(&work.device, NULL);
  file_crew_run(files, search->scene.thread_count, check_file, &work, steps);
  pthread_mutex_destroy(&work.device);
  return true;
}

void file_check_release(file_check *checks, size_t count) {
  for (size_t i = 0; checks != NULL && i < count; i++) {
    free(checks[i].trouble);
    free(checks[i].note);
  }
  free(checks);
}
