/* The study of all methods: which one is fastest on each scene of the benchmark, and by how much.
 *
 * A first frame builds everything from scratch. A later frame with new positions updates what methods keep; in a frame
 * with a new pose, the last object has moved rigidly. Clusters adapt their number, so earlier frames precede; clusters
 * and the grid treat a new pose as new positions. Moving scenes answer yes or no for all their poses. Times are the
 * least of the rounds. */
#include "bench/study_list.h"

#include <inttypes.h>
#include <string.h>

enum { FRAMES = BENCH_FRAME_POSES + 1, CLUSTERS_EARLIER = 6 };

/* The Morton builder is for trees that are built every frame. */
static const struct {
  const char *name, *method;
  graze_tree_builder builder;
} methods[] = {{"brute", "brute", GRAZE_TREE_BUILDER_AUTO},
               {"grid", "grid", GRAZE_TREE_BUILDER_AUTO},
               {"tree", "tree", GRAZE_TREE_BUILDER_AUTO},
               {"morton", "tree", GRAZE_TREE_BUILDER_MORTON},
               {"clusters", "clusters", GRAZE_TREE_BUILDER_AUTO}};
enum { BRUTE, GRID, TREE, MORTON, CLUSTERS, METHODS };

/* The number of scenes that each method has won: for each kind of frame, and for moving scenes. */
typedef struct method_wins {
  size_t wins[FRAMES + 1][METHODS], scenes[FRAMES + 1];
} method_wins;

static const char *tally_name(size_t tally) {
  return tally == FRAMES ? bench_kind_name(BENCH_MOVING) : bench_frame_name((bench_frame)tally);
}

static size_t tally_of(const bench_call *call) {
  return call->kind == BENCH_MOVING ? FRAMES : (size_t)call->frame;
}

static bool is_asked(const bench_scene *scene, bench_frame frame, size_t method) {
  if (scene->kind == BENCH_MOVING) return frame == BENCH_FRAME_FIRST && method != BRUTE && method != MORTON;
  if (method == BRUTE)
    return frame == BENCH_FRAME_FIRST &&
           scene->shapes[0].triangle_count + scene->shapes[1].triangle_count <= BENCH_BRUTE_MOST;
  return frame == BENCH_FRAME_FIRST || method == GRID || method == TREE ||
         (method == CLUSTERS && frame == BENCH_FRAME_POSITIONS);
}

static void plan_scene(study *at, const bench_scene *scene) {
  at->row_count = 0;
  for (int frame = 0; frame < FRAMES; frame++)
    for (size_t m = 0; m < METHODS; m++) {
      if (!is_asked(scene, (bench_frame)frame, m)) continue;
      bench_call call = study_call(at, scene, scene->kind);
      call.method = methods[m].method;
      call.tree_builder = methods[m].builder;
      call.frame = (bench_frame)frame;
      call.earlier = m == CLUSTERS ? CLUSTERS_EARLIER : 1;
      study_plan(at, call);
    }
}

static const bench_row *find_row(const study *at, bench_frame frame, size_t method) {
  for (size_t i = 0; i < at->row_count; i++)
    if (at->rows[i].call.frame == frame && at->rows[i].call.tree_builder == methods[method].builder &&
        strcmp(at->rows[i].call.method, methods[method].method) == 0)
      return &at->rows[i];
  return NULL;
}

/* Prints one line, with the fastest method and its lead over the next. */
static void print_frame(const study *at, bench_frame frame, method_wins *wins) {
  const bench_row *const any = find_row(at, frame, GRID);
  if (any == NULL) return;
  const size_t tally = tally_of(&any->call);
  printf("%-24s %9zu %9" PRIu64 " %-9s", any->call.scene->name, bench_row_primitives(any), any->rounds[0].pairs,
         tally_name(tally));
  size_t best = METHODS;
  double least = 0.0, next = 0.0;
  for (size_t m = 0; m < METHODS; m++) {
    const bench_row *const row = find_row(at, frame, m);
    if (row == NULL) {
      printf(" %8s", "-");
      continue;
    }
    const double ms = bench_row_least(row);
    printf(" %8.2f", ms);
    const bool first = best == METHODS || ms < least;
    if (first || next == 0.0 || ms < next) next = first ? least : ms;
    if (first) {
      best = m;
      least = ms;
    }
  }
  printf("  %-8s %5.2f\n", methods[best].name, next / least);
  fflush(stdout);
  wins->wins[tally][best]++;
  wins->scenes[tally]++;
}

static bool run_scene(study *at, const bench_scene *scene, method_wins *wins) {
  plan_scene(at, scene);
  if (!study_measure(at, at->settings->rounds)) return false;
  for (int frame = 0; frame < FRAMES; frame++) print_frame(at, (bench_frame)frame, wins);
  for (size_t i = 0; i < at->row_count; i++) bench_table_keep(at->out, &at->rows[i]);
  return study_agree(at, 0, at->row_count);
}

static void print_wins(const method_wins *wins) {
  for (size_t tally = 0; tally <= FRAMES; tally++) {
    printf("%-9s of %zu scenes:", tally_name(tally), wins->scenes[tally]);
    for (size_t m = 0; m < METHODS; m++) printf("%s %s %zu", m > 0 ? "," : "", methods[m].name, wins->wins[tally][m]);
    printf("\n");
  }
}

bool study_methods(study *at) {
  const bench_scene_options options = {at->settings->quick, at->settings->data, 0};
  method_wins wins = {0};
  printf("%-24s %9s %9s %-9s", "scene", "number", "pairs", "frame, ms");
  for (size_t m = 0; m < METHODS; m++) printf(" %8s", methods[m].name);
  printf("  %-8s %5s\n", "wins", "by");
  for (size_t i = 0; i < bench_scene_count(); i++) {
    if (!bench_scene_available(i, &options)) continue;
    if (!bench_words_are_part_of(&at->settings->scenes, bench_scene_name(i))) continue;
    bench_scene scene;
    if (!bench_scene_make(i, &options, &scene, at->error, at->error_bytes)) return false;
    const bool good = run_scene(at, &scene, &wins);
    bench_scene_free(&scene);
    if (!good) return false;
  }
  print_wins(&wins);
  return true;
}
