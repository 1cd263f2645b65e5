/* Measures a world of thousands of small bodies, about a tenth of which touch another. */
#include "bench/rigid_parts.h"
#include "bench/rigid_poses.h"

#include <stdlib.h>

enum { FRAMES = 10, QUICK_FRAMES = 3, BODY_TRIANGLES = 500, SHAPES = 4 };

/* Bodies fill a cube of side 2; their radius is about 0.9. With this number of neighbors within twice the radius, about
 * a tenth of them touch another; the rows show twice the pairs of bodies over the number of bodies. */
static const double radius = 0.9, neighbors = 0.17;

/* The depth of intersections after loosening, and the movement per frame. */
static const double depth = 0.01, pace = 0.002;

typedef struct world {
  bench_scene scenes[SHAPES]; /* own the shapes */
  bench_shape shapes[SHAPES];
  bench_pose *poses; /* frame by frame */
  size_t body_count, frame_count;
} world;

static void world_free(world *made) {
  for (size_t i = 0; i < SHAPES; i++) bench_scene_free(&made->scenes[i]);
  free(made->poses);
}

static bool make_shapes(world *made, rigid_error *error) {
  static const char *const models[SHAPES] = {"blob", "gear", "knot", "torus"};
  for (size_t i = 0; i < SHAPES; i++) {
    if (!bench_scene_make_model(models[i], BODY_TRIANGLES, &made->scenes[i], error->text, sizeof error->text))
      return false;
    bench_shape_fit(&made->scenes[i].shapes[0], 2.0);
    bench_shape_round_to_float(&made->scenes[i].shapes[0]);
    made->shapes[i] = made->scenes[i].shapes[0];
  }
  return true;
}

/* Loosens the bodies with the first engine. */
static bool loosen(world *made, rigid_error *error) {
  size_t engine_count;
  const rigid_engine *const engine = rigid_graze_engines(&engine_count);
  void *pairs[SHAPES * SHAPES] = {NULL};
  bool done = true;
  for (size_t i = 0; i < SHAPES * SHAPES && done; i++) {
    const bench_shape shapes[2] = {made->shapes[i / SHAPES], made->shapes[i % SHAPES]};
    pairs[i] = engine->open_pair(engine, shapes, error);
    done = pairs[i] != NULL;
  }
  done = done && rigid_poses_loosen(engine, pairs, SHAPES, depth, made->poses, made->body_count, error);
  for (size_t i = 0; i < SHAPES * SHAPES; i++)
    if (pairs[i] != NULL) engine->close_pair(pairs[i]);
  return done;
}

/* `deep`: the random poses are not loosened, so that bodies intersect deeply. */
static bool world_make(const rigid_settings *settings, bool deep, world *made, rigid_error *error) {
  *made = (world){.body_count = settings->body_count, .frame_count = settings->quick ? QUICK_FRAMES : FRAMES};
  if (!make_shapes(made, error)) return false;
  made->poses = calloc(made->frame_count * made->body_count, sizeof *made->poses);
  if (made->poses == NULL) {
    snprintf(error->text, sizeof error->text, "out of memory for the poses of %zu bodies", made->body_count);
    return false;
  }
  rigid_poses_swarm(radius, neighbors, made->poses, made->body_count);
  if (!deep && !loosen(made, error)) return false;
  for (size_t i = 1; i < made->frame_count; i++) {
    bench_pose *const frame = made->poses + i * made->body_count;
    rigid_poses_move(pace, i, frame - made->body_count, frame, made->body_count);
  }
  return true;
}

static bool run_frame(const rigid_series *series, const rigid_engine *engine, void *bodies, size_t step,
                      rigid_answer *answer_out, rigid_error *error) {
  const world *const made = series->steps;
  return engine->ask_world(bodies, made->poses + step * made->body_count, series->question, answer_out, error);
}

static bool open_all(const rigid_settings *settings, const world *made, rigid_runner *runners, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const rigid_engine *const engine = runners[i].engine;
    const double begin = bench_milliseconds();
    runners[i].bodies =
        engine->open_world(engine, made->shapes, SHAPES, made->poses, made->body_count, &runners[i].error);
    runners[i].open_ms = bench_milliseconds() - begin;
  }
  if (runners[0].bodies == NULL) rigid_complain(settings, "%s", runners[0].error.text);
  return runners[0].bodies != NULL;
}

static bool race(const rigid_settings *settings, const char *words, const world *made, rigid_runner *runners,
                 size_t count) {
  static const struct {
    rigid_question question;
    const char *words;
  } questions[] = {{RIGID_ALL, "all"}, {RIGID_TOUCH, "bodies"}, {RIGID_ANY, "any"}};
  size_t triangles = 0;
  for (size_t i = 0; i < made->body_count; i++) triangles += made->shapes[i % SHAPES].triangle_count;
  char name[32];
  snprintf(name, sizeof name, "%zu %s", made->body_count, words);
  for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
    const rigid_series series = {.part = "world",
                                 .object = name,
                                 .state = questions[i].words,
                                 .triangles = triangles,
                                 .step_count = made->frame_count,
                                 .run = run_frame,
                                 .steps = made,
                                 .question = questions[i].question};
    if (!rigid_race(settings, &series, runners, count)) return false;
  }
  return true;
}

static bool run_world(const rigid_settings *settings, bool deep) {
  world made;
  rigid_error error = {""};
  bool done = world_make(settings, deep, &made, &error);
  if (!done) rigid_complain(settings, "%s", error.text);
  if (done) {
    rigid_runner runners[RIGID_RUNNERS_MAX];
    const size_t count = rigid_runners_choose(settings, RIGID_HAS_WORLD, false, runners);
    done =
        open_all(settings, &made, runners, count) && race(settings, deep ? "deep" : "touching", &made, runners, count);
    for (size_t i = 0; i < count; i++)
      if (runners[i].bodies != NULL) runners[i].engine->close_world(runners[i].bodies);
  }
  world_free(&made);
  return done;
}

bool rigid_world_run(const rigid_settings *settings) {
  return run_world(settings, false) && run_world(settings, true);
}
