/* Playing and measuring. What moves is the simulator of this project, whose own time is in no number. Objects are made
 * anew where their number changes, as when a solid breaks; in all other frames they get new positions. */
#include "bench/paper_film.h"

#include "bench/bench_record.h"
#include "models/mesh_object.h"
#include "simulation/moving_scene.h"

#include <stdlib.h>
#include <string.h>

enum { OBJECTS_MAX = 4096, QUICK_FRAMES = 10 };

/* A film while it is played. */
typedef struct projector {
  const study *at;
  const film_script *script;
  scene_stage *stage;
  graze_scene *scene;
  graze_object objects[OBJECTS_MAX];
  size_t object_count;
  graze_pairs pairs;
} projector;

static bool fail_graze(const projector *on) {
  return study_fail(on->at, graze_error_text());
}

static bool open_scene(projector *on) {
  graze_method_def method = graze_method_def_default();
  method.name = "grid";
  method.dedup = on->script->dedup;
  const bench_study_settings *const settings = on->at->settings;
  if (bench_backend_scene(&settings->backend, settings->threads, NULL, &on->scene) != GRAZE_OK ||
      graze_scene_set_method(on->scene, &method) != GRAZE_OK)
    return fail_graze(on);
  return true;
}

static bool open_stage(projector *on) {
  const moving_scene *const moving = moving_scene_find(on->script->scene);
  if (moving == NULL) return study_fail(on->at, "there is no scene of that name");
  const scene_parameters parameters = {.primitives = on->script->primitives,
                                       .frames = on->script->frames,
                                       .seed = 1,
                                       .worker_count = on->at->settings->threads_most};
  on->stage = scene_stage_open(moving, &parameters, on->at->error, on->at->error_bytes);
  return on->stage != NULL;
}

static graze_result add_objects(projector *on, const mesh *meshes, size_t count) {
  graze_result result = GRAZE_OK;
  for (; on->object_count > 0 && result == GRAZE_OK; on->object_count--)
    result = graze_scene_remove_object(on->scene, on->objects[on->object_count - 1]);
  for (size_t i = 0; i < count && result == GRAZE_OK; i++) {
    result = mesh_object_add(on->scene, &meshes[i], NULL, &on->objects[i]);
    on->object_count += result == GRAZE_OK;
  }
  return result;
}

static graze_result move_objects(const projector *on, const mesh *meshes) {
  graze_result result = GRAZE_OK;
  for (size_t i = 0; i < on->object_count && result == GRAZE_OK; i++) {
    const graze_view positions = {meshes[i].positions, meshes[i].vertex_count, 0, GRAZE_DOUBLE3};
    result = graze_object_set_positions(on->scene, on->objects[i], 0, positions);
  }
  return result;
}

static graze_result show(projector *on, const mesh *meshes, size_t count, film_frame *frame) {
  graze_query query = graze_query_default();
  if (on->script->scope != 0) query.scope = on->script->scope;
  const double begin = bench_milliseconds();
  graze_result result = move_objects(on, meshes);
  if (result == GRAZE_OK) result = graze_scene_update(on->scene);
  if (result == GRAZE_OK) result = graze_scene_find_pairs(on->scene, &query, &on->pairs);
  const double total = bench_milliseconds() - begin;
  if (result != GRAZE_OK || (frame->total_ms > 0.0 && total >= frame->total_ms)) return result;
  const graze_timings *const stages = on->pairs.timings;
  frame->total_ms = total;
  frame->stages = *stages;
  frame->counters = *on->pairs.counters;
  frame->update_ms = stages->update_ms + stages->bounds_ms + stages->build_ms;
  frame->find_ms = stages->search_ms + stages->unique_ms + stages->test_ms + stages->order_ms;
  frame->objects = count;
  frame->primitives = (size_t)on->pairs.counters->primitives;
  frame->pairs = on->pairs.count;
  frame->hash = on->pairs.hash;
  return result;
}

/* Primitives that are in a pair, each once. */
static bool count_colliding(const projector *on, const mesh *meshes, size_t count, film_frame *frame) {
  size_t *const first = calloc(count + 1, sizeof *first);
  for (size_t i = 0; i < count && first != NULL; i++) first[i + 1] = first[i] + mesh_element_count(&meshes[i]);
  unsigned char *const marks = first != NULL ? calloc(first[count] + 1, 1) : NULL;
  for (size_t i = 0; i < on->pairs.count && marks != NULL; i++) {
    const graze_pair *const pair = &on->pairs.pairs[i];
    marks[first[pair->object_a] + pair->primitive_a] = 1;
    marks[first[pair->object_b] + pair->primitive_b] = 1;
  }
  for (size_t i = 0; marks != NULL && i < first[count]; i++) frame->colliding += marks[i];
  const bool counted = marks != NULL;
  free(first);
  free(marks);
  return counted || study_fail(on->at, "out of memory");
}

/* One round more at the beginning of a film and where objects are new: memory is then where later frames find it. */
static bool measure(projector *on, film_frame *frame) {
  size_t count = 0;
  const mesh *const meshes = scene_stage_meshes(on->stage, &count);
  if (count > OBJECTS_MAX) return study_fail(on->at, "the scene has too many objects");
  const bool anew = count != on->object_count;
  if (anew && add_objects(on, meshes, count) != GRAZE_OK) return fail_graze(on);
  film_frame unused = {0};
  if (anew && show(on, meshes, count, &unused) != GRAZE_OK) return fail_graze(on);
  for (size_t round = 0; round < on->at->settings->rounds; round++) {
    if (show(on, meshes, count, frame) != GRAZE_OK) return fail_graze(on);
    if (on->pairs.hash != frame->hash) return study_fail(on->at, "a frame has other pairs the next time");
  }
  return count_colliding(on, meshes, count, frame);
}

static bool play(projector *on, film *played) {
  const size_t frames = on->script->frames;
  played->frames = calloc(frames + 1, sizeof *played->frames);
  if (played->frames == NULL) return study_fail(on->at, "out of memory");
  for (; played->count < frames; played->count++) {
    if (!study_goes_on(on->at, on->script->what, (double)played->count / (double)frames)) return false;
    if (played->count > 0 && !scene_stage_next(on->stage, on->at->error, on->at->error_bytes)) return false;
    if (!measure(on, &played->frames[played->count])) return false;
  }
  return true;
}

bool film_play(const study *at, const film_script *script, film *film_out) {
  *film_out = (film){0};
  projector *const on = calloc(1, sizeof *on);
  if (on == NULL) return study_fail(at, "out of memory");
  on->at = at;
  on->script = script;
  const bool played = open_scene(on) && open_stage(on) && play(on, film_out);
  graze_pairs_free(&on->pairs);
  scene_stage_close(on->stage);
  graze_scene_destroy(on->scene);
  free(on);
  return played;
}

void film_free(film *played) {
  free(played->frames);
  *played = (film){0};
}

double film_mean(const film *played, double (*value)(const film_frame *frame)) {
  double sum = 0.0;
  for (size_t i = 0; i < played->count; i++) sum += value(&played->frames[i]);
  return played->count > 0 ? sum / (double)played->count : 0.0;
}

double film_total(const film_frame *frame) {
  return frame->total_ms;
}

double film_update(const film_frame *frame) {
  return frame->update_ms;
}

double film_find(const film_frame *frame) {
  return frame->find_ms;
}

size_t film_length(const study *at, size_t frames) {
  return at->settings->quick && frames > QUICK_FRAMES ? (frames / 10 > QUICK_FRAMES ? frames / 10 : QUICK_FRAMES)
                                                      : frames;
}
