/* Plays and measures films. The simulator of this project moves the scene; its own time is not measured. Objects are
 * created again if their number changes, as when a solid breaks; in all other frames they get new positions. */
#include "lab/paper_film.h"

#include "bench/bench_record.h"
#include "lab/paper_filled.h"
#include "models/mesh_object.h"
#include "simulation/moving_scene.h"

#include <math.h>
#include <stdlib.h>

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
  double shift[3]; /* of the last object */
} projector;

static bool fail_graze(const projector *on) {
  return study_fail(on->at, graze_error_text());
}

static bool open_scene(projector *on) {
  graze_method_def method = graze_method_def_default();
  method.name = on->script->method != NULL ? on->script->method : "grid";
  method.clusters = on->script->clusters;
  method.axis = on->script->axis;
  const bench_study_settings *const settings = on->at->settings;
  if (bench_backend_scene(&settings->backend, settings->threads, NULL, &on->scene) != GRAZE_OK ||
      bench_variant_set(on->script->variant, on->scene, &method) != GRAZE_OK)
    return fail_graze(on);
  return true;
}

static bool open_stage(projector *on) {
  const moving_scene *const moving = moving_scene_find(on->script->scene);
  if (moving == NULL) return study_fail(on->at, "there is no scene with that name");
  const size_t each[PAPER_FILLED] = {on->script->primitives / 2, on->script->primitives / 2};
  mesh bodies[PAPER_FILLED] = {{0}};
  bool made = false;
  const bool good = !on->script->filled || paper_filled_make(on->at, each, bodies, &made);
  const scene_parameters parameters = {.primitives = on->script->primitives,
                                       .frames = on->script->frames,
                                       .seed = 1,
                                       .bodies = made ? bodies : NULL,
                                       .worker_count = on->at->settings->threads_most};
  if (good) on->stage = scene_stage_open(moving, &parameters, on->at->error, on->at->error_bytes);
  paper_filled_free(bodies);
  return on->stage != NULL;
}

static void bounds_of(const mesh *body, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) low[k] = high[k] = body->vertex_count > 0 ? body->positions[k] : 0.0;
  for (size_t i = 0; i < 3 * body->vertex_count; i++) {
    low[i % 3] = fmin(low[i % 3], body->positions[i]);
    high[i % 3] = fmax(high[i % 3], body->positions[i]);
  }
}

/* A tenth of the width of the last object towards the first, along the axis that they are furthest apart on. */
static void choose_shift(projector *on, const mesh *meshes, size_t count) {
  double low[2][3], high[2][3], apart = 0.0;
  int axis = 0;
  bounds_of(&meshes[0], low[0], high[0]);
  bounds_of(&meshes[count - 1], low[1], high[1]);
  for (int k = 0; k < 3; k++) {
    const double between = 0.5 * (low[0][k] + high[0][k] - low[1][k] - high[1][k]);
    if (fabs(between) <= fabs(apart)) continue;
    apart = between;
    axis = k;
  }
  on->shift[axis] = copysign(0.1 * (high[1][axis] - low[1][axis]), apart);
}

static double depth_of(const projector *on, const mesh *meshes, size_t count) {
  double low[2][3], high[2][3];
  if (count != 2) return 0.0;
  for (size_t i = 0; i < 2; i++) bounds_of(&meshes[i], low[i], high[i]);
  const double width = high[0][0] - low[0][0];
  const double shared = fmin(high[0][0], high[1][0] + on->shift[0]) - fmax(low[0][0], low[1][0] + on->shift[0]);
  return shared > 0.0 && width > 0.0 ? shared / width : 0.0;
}

static graze_result add_objects(projector *on, const mesh *meshes, size_t count) {
  graze_result result = GRAZE_OK;
  for (; on->object_count > 0 && result == GRAZE_OK; on->object_count--)
    result = graze_scene_remove_object(on->scene, on->objects[on->object_count - 1]);
  for (size_t i = 0; i < count && result == GRAZE_OK; i++) {
    result = mesh_object_add(on->scene, &meshes[i], NULL, &on->objects[i]);
    on->object_count += result == GRAZE_OK;
  }
  if (result != GRAZE_OK || !on->script->closer || count < 2) return result;
  if (on->shift[0] == 0.0 && on->shift[1] == 0.0 && on->shift[2] == 0.0) choose_shift(on, meshes, count);
  graze_pose pose = graze_pose_identity();
  memcpy(pose.translation, on->shift, sizeof pose.translation);
  return graze_object_set_pose(on->scene, on->objects[count - 1], &pose);
}

static graze_result move_objects(const projector *on, const mesh *meshes) {
  graze_result result = GRAZE_OK;
  for (size_t i = 0; i < on->object_count && result == GRAZE_OK; i++) {
    const graze_view positions = {meshes[i].positions, meshes[i].vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    result = graze_object_set_positions(on->scene, on->objects[i], 0, positions);
  }
  return result;
}

static bool has_one_thread(const projector *on) {
  const bench_study_settings *const settings = on->at->settings;
  return settings->threads == 1 && !bench_backend_has_devices(&settings->backend);
}

static double clock_of(const projector *on) {
  return has_one_thread(on) ? bench_processor_milliseconds() : bench_milliseconds();
}

/* Each stage the least of the rounds. */
static void note_stages(const graze_timings *stages, bool first, graze_timings *least) {
#define NOTE_STAGE(name, words)                                                                                        \
  least->name##_ms = first ? stages->name##_ms : fmin(least->name##_ms, stages->name##_ms);
  GRAZE_STAGE_LIST(NOTE_STAGE)
#undef NOTE_STAGE
}

static graze_result show(projector *on, const mesh *meshes, size_t count, film_frame *frame) {
  graze_query query = graze_query_default();
  if (on->script->scope != 0) query.scope = on->script->scope;
  query.test = on->script->test;
  const double begin = clock_of(on);
  graze_result result = move_objects(on, meshes);
  if (result == GRAZE_OK) result = graze_scene_update(on->scene);
  if (result == GRAZE_OK) result = bench_variant_find(on->script->variant, on->scene, &query, &on->pairs);
  const double total = clock_of(on) - begin;
  if (result != GRAZE_OK) return result;
  const bool first = frame->worst_ms == 0.0;
  note_stages(on->pairs.timings, first, &frame->stages);
  frame->mean_ms += total;
  frame->deviation_ms += total * total;
  frame->worst_ms = fmax(frame->worst_ms, total);
  frame->total_ms = first ? total : fmin(frame->total_ms, total);
  frame->counters = *on->pairs.counters;
  frame->objects = count;
  frame->primitives = (size_t)on->pairs.counters->primitives;
  frame->pairs = on->pairs.count;
  if (first) frame->hash = on->pairs.hash;
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

static void scale_stages(graze_timings *stages, double factor) {
#define SCALE_STAGE(name, words) stages->name##_ms *= factor;
  GRAZE_STAGE_LIST(SCALE_STAGE)
#undef SCALE_STAGE
}

static void sum_stages(film_frame *frame) {
  const graze_timings *const stages = &frame->stages;
  frame->update_ms = stages->update_ms + stages->bounds_ms + stages->build_ms;
  frame->find_ms = stages->search_ms + stages->test_ms + stages->order_ms;
}

/* Sums over rounds become a mean and a deviation. Stages are by wall time: where the whole is not, and other work has
 * made them longer than it, they are made parts of it. */
static void sum_up(const projector *on, film_frame *frame) {
  const double rounds = (double)on->at->settings->rounds;
  frame->mean_ms /= rounds;
  frame->deviation_ms = sqrt(fmax(0.0, frame->deviation_ms / rounds - frame->mean_ms * frame->mean_ms));
  sum_stages(frame);
  const double stages = frame->update_ms + frame->find_ms;
  if (has_one_thread(on) && stages > frame->total_ms) scale_stages(&frame->stages, frame->total_ms / stages);
  sum_stages(frame);
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
    if (on->pairs.hash != frame->hash) return study_fail(on->at, "a repeated frame finds different pairs");
  }
  sum_up(on, frame);
  frame->depth = depth_of(on, meshes, count);
  return count_colliding(on, meshes, count, frame);
}

static void look(const projector *on) {
  size_t count = 0;
  const mesh *const meshes = scene_stage_meshes(on->stage, &count);
  if (on->script->look != NULL) on->script->look(on->script->look_context, meshes, count);
}

static bool play(projector *on, film *played) {
  const size_t frames = on->script->frames, every = on->script->every > 0 ? on->script->every : 1;
  played->frames = calloc(frames / every + 2, sizeof *played->frames);
  if (played->frames == NULL) return study_fail(on->at, "out of memory");
  for (size_t i = 0; i < frames; i++) {
    if (!study_goes_on(on->at, on->script->what, (double)i / (double)frames)) return false;
    if (i > 0 && !scene_stage_next(on->stage, on->at->error, on->at->error_bytes)) return false;
    if (i % every != 0) continue;
    film_frame *const frame = &played->frames[played->count];
    frame->number = i + 1;
    if (!measure(on, frame)) return false;
    played->count++;
    look(on);
  }
  if (!on->script->crowding) return true;
  size_t count = 0;
  const mesh *const meshes = scene_stage_meshes(on->stage, &count);
  return paper_crowding_measure(on->at, meshes, count, &played->crowding);
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

double film_candidates(const film_frame *frame) {
  return (double)frame->counters.candidates;
}

double film_box_tests(const film_frame *frame) {
  return (double)frame->counters.box_tests;
}

double film_pairs(const film_frame *frame) {
  return (double)frame->pairs;
}

double film_median(const film *played) {
  double *const values = calloc(played->count + 1, sizeof *values);
  for (size_t i = 0; i < played->count && values != NULL; i++) values[i] = played->frames[i].total_ms;
  const double median = values != NULL ? bench_median(values, played->count) : 0.0;
  free(values);
  return median;
}

double film_most(const film *played) {
  double most = 0.0;
  for (size_t i = 0; i < played->count; i++) most = fmax(most, played->frames[i].total_ms);
  return most;
}

size_t film_length(const study *at, size_t frames) {
  return at->settings->quick && frames > QUICK_FRAMES ? (frames / 10 > QUICK_FRAMES ? frames / 10 : QUICK_FRAMES)
                                                      : frames;
}

size_t film_every(const study *at, size_t frames) {
  return at->settings->quick && frames > QUICK_FRAMES ? (frames + QUICK_FRAMES - 1) / QUICK_FRAMES : 1;
}
