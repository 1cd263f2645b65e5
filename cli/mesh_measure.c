/* Measures each file, on several threads. */
#include "mesh_measure.h"

#include "complaint.h"
#include "file_crew.h"

#include "models/mesh_object.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 4096 };

typedef struct measure_work {
  mesh_measure *measures;
  const measure_options *how;
  pthread_mutex_t device; /* one scene at a time, so that it has the whole memory of a device */
} measure_work;

static void fail(mesh_measure *measure, const char *message) {
  measure->trouble = strdup(message);
  if (measure->trouble == NULL) measure->trouble = calloc(1, 1);
}

/* ---------------------------------------------------------------------------------------------- one file */

static bool is_worse(const crowded_primitive *a, const crowded_primitive *b) {
  return a->k != b->k ? a->k > b->k : a->number < b->number;
}

/* Keeps the most crowded primitives, in order. Most primitives are less crowded than the last one kept. */
static void keep_worst(mesh_measure *measure, size_t most, const crowded_primitive *offered) {
  size_t at = measure->worst_count;
  if (at == most) {
    if (most == 0 || !is_worse(offered, &measure->worst[most - 1])) return;
    at = most - 1;
  } else {
    measure->worst_count++;
  }
  for (; at > 0 && is_worse(offered, &measure->worst[at - 1]); at--) measure->worst[at] = measure->worst[at - 1];
  measure->worst[at] = *offered;
}

static void take_over(mesh_measure *measure, const graze_crowding *crowding, size_t worst_most) {
  for (size_t i = 0; i < crowding->count; i++) {
    if (crowding->k_of[i] == 0) continue;
    measure->near_pairs += crowding->k_of[i] - 1;
    const crowded_primitive offered = {(uint32_t)i, crowding->k_of[i], crowding->neighbors_of[i]};
    keep_worst(measure, worst_most, &offered);
  }
  measure->crowding = *crowding;
  measure->crowding.k_of = measure->crowding.neighbors_of = NULL;
  measure->crowding.diameter_of = NULL;
  measure->crowding.timings = NULL;
  measure->crowding.counters = NULL;
  measure->crowding.memory = NULL;
  measure->crowding.count = 0;
}

static graze_result run_query(graze_scene *scene, mesh *asked, mesh_measure *measure, const measure_options *how) {
  graze_object object;
  graze_crowding crowding = {0};
  graze_result result = mesh_object_add(scene, asked, measure->file, &object);
  if (how->keep) {
    measure->kept = *asked;
    *asked = (mesh){0};
  }
  mesh_free(asked);
  if (result == GRAZE_OK) result = graze_scene_update(scene);
  if (result == GRAZE_OK) result = graze_scene_measure_crowding(scene, object, &crowding);
  if (result == GRAZE_OK) take_over(measure, &crowding, how->worst_count);
  if (how->keep)
    measure->kept_crowding = crowding;
  else
    graze_crowding_free(&crowding);
  return result;
}

static void measure_mesh(measure_work *work, mesh *asked, mesh_measure *measure, uint32_t thread_count) {
  backend_options where = *work->how->where;
  where.thread_count = thread_count;
  graze_scene *scene = NULL;
  measure->vertex_count = asked->vertex_count;
  measure->worst = calloc(work->how->worst_count + 1, sizeof *measure->worst);
  graze_result result = measure->worst != NULL ? backend_create_scene(&where, &scene) : GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK) result = run_query(scene, asked, measure, work->how);
  if (result != GRAZE_OK) {
    char message[MESSAGE_BYTES];
    snprintf(message, sizeof message, "%s: %s", measure->file, library_message(result));
    fail(measure, message);
  }
  graze_scene_destroy(scene);
}

/* Files are read in parallel; on a device they are measured one after the other. */
static void measure_in_turn(measure_work *work, mesh *asked, mesh_measure *measure, uint32_t thread_count) {
  const bool on_device = backend_has_devices(work->how->where);
  if (on_device) pthread_mutex_lock(&work->device);
  measure_mesh(work, asked, measure, thread_count);
  if (on_device) pthread_mutex_unlock(&work->device);
}

static void measure_file(void *context, size_t file, uint32_t thread_count) {
  measure_work *work = context;
  mesh_measure *measure = &work->measures[file];
  mesh *meshes = NULL;
  size_t mesh_count = 0;
  char message[MESSAGE_BYTES] = "";
  const double start = clock_milliseconds();
  const bool read = mesh_file_read(measure->file, work->how->reading, &meshes, &mesh_count, message, sizeof message);
  measure->reading_ms = clock_milliseconds() - start;
  if (!read) {
    fail(measure, message);
  } else if (mesh_count != 1) {
    fail(measure, "the file has no mesh");
  } else {
    measure->note = meshes[0].note;
    meshes[0].note = NULL;
    measure->skipped = meshes[0].skipped;
    measure->unknown_lines = meshes[0].unknown_lines;
    measure_in_turn(work, &meshes[0], measure, thread_count);
  }
  mesh_list_free(meshes, mesh_count);
  measure->measuring_ms = clock_milliseconds() - start - measure->reading_ms;
}

/* ---------------------------------------------------------------------------------------------- all files */

bool mesh_measure_files(const mesh_file_list *files, const measure_options *how, progress *steps,
                        mesh_measure **measures_out) {
  measure_work work = {.measures = calloc(files->count + 1, sizeof *work.measures), .how = how};
  *measures_out = work.measures;
  if (work.measures == NULL) return decline("out of memory");
  for (size_t i = 0; i < files->count; i++) work.measures[i].file = files->entries[i].path;
  pthread_mutex_init(&work.device, NULL);
  file_crew_run(files, how->where->thread_count, measure_file, &work, steps);
  pthread_mutex_destroy(&work.device);
  return true;
}

void mesh_measure_release(mesh_measure *measures, size_t count) {
  for (size_t i = 0; measures != NULL && i < count; i++) {
    free(measures[i].trouble);
    free(measures[i].note);
    free(measures[i].worst);
    mesh_free(&measures[i].kept);
    graze_crowding_free(&measures[i].kept_crowding);
  }
  free(measures);
}
