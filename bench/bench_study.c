/* Studies of graze over bodies of every kind. Each study makes its scenes, measures a few calls in interleaved rounds,
 * prints them with a ratio, and draws them if a folder for figures is given.
 *
 * Passes, depth and memory follow Mirzayousef Jadid, "Tetrahedral kDet: Linear Time Collision Detection for Tetrahedral
 * Meshes", 2023: the drawings are its figures 6.14 and 6.22 for this library. */
#include "bench/bench_study.h"

#include "bench/bench_bodies.h"
#include "bench/study_list.h"

#include <inttypes.h>
#include <string.h>

enum { SWEEP_STEPS = 21, LABEL_BYTES = 32 };

/* Default number of primitives of each body. */
enum { BODY = 100000, SWEEP_BODY = 50000 };

static const double no_offset[3] = {0.0, 0.0, 0.0};

/* ---------------------------------------------------------------------------------------------- growth of kinds */

enum { GROWTH_SIZES = 3 };

static bool grow(study *at, const char *model_name, const size_t sizes[GROWTH_SIZES]) {
  bench_scene scenes[GROWTH_SIZES] = {{0}};
  bool good = true;
  at->row_count = 0;
  for (size_t i = 0; i < GROWTH_SIZES && good; i++) {
    good = bench_bodies_make(model_name, study_scaled(at, sizes[i]), &scenes[i], at->error, at->error_bytes);
    study_plan(at, study_call(at, &scenes[i], BENCH_SELF));
  }
  good = good && study_measure_and_print(at);
  if (good) {
    const bench_row *const first = &at->rows[0], *const last = &at->rows[GROWTH_SIZES - 1];
    printf("%-8s time of one, largest over smallest: %.2f; that of a box test: %.2f\n", "",
           row_total(last) / row_total(first) * (double)bench_row_primitives(first) /
               (double)bench_row_primitives(last),
           row_asked(last) / row_asked(first) * (double)first->rounds[0].counters.box_tests /
               (double)last->rounds[0].counters.box_tests);
  }
  for (size_t i = 0; i < GROWTH_SIZES; i++) bench_scene_free(&scenes[i]);
  return good;
}

static bool study_growth(study *at) {
  static const struct {
    const char *model;
    size_t sizes[GROWTH_SIZES];
  } models[] = {{"tet-ball", {20000, 200000, 1000000}},
                {"tet-rod", {20000, 200000, 1000000}},
                {"tet-soup", {20000, 200000, 1000000}},
                {"panels", {20000, 200000, 1000000}},
                {"cells", {2000, 20000, 100000}}};
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
    if (!grow(at, models[i].model, models[i].sizes)) return false;
  return true;
}

/* ---------------------------------------------------------------------------------------------- pairs of bodies */

bool study_on_pairs(study *at, bool (*run)(study *at, const bench_scene *scene)) {
  static const struct { const char *name, *model; } pairs[] = {{"pair-tet-ball", "tet-ball"}, {"pair-blob", "blob"}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    bench_scene scene;
    if (!bench_bodies_make_pair(pairs[i].name, pairs[i].model, study_scaled(at, BODY), no_offset, &scene, at->error,
                                at->error_bytes))
      return false;
    at->row_count = 0;
    const bool good = run(at, &scene);
    bench_scene_free(&scene);
    if (!good) return false;
  }
  return true;
}

static bool compare_passes(study *at, const bench_scene *scene) {
  static const bench_kind kinds[] = {BENCH_BOTH, BENCH_SELF, BENCH_BETWEEN};
  for (size_t i = 0; i < 3; i++) study_plan(at, study_call(at, scene, kinds[i]));
  if (!study_measure_and_print(at)) return false;
  printf("%-8s one pass over two: %.2f of the time of the queries\n", "",
         row_asked(&at->rows[0]) / (row_asked(&at->rows[1]) + row_asked(&at->rows[2])));
  return true;
}

static bool study_passes(study *at) {
  return study_on_pairs(at, compare_passes);
}

/* ---------------------------------------------------------------------------------------------- depth of penetration
 */

static const char *name_of(const study_variants *of, size_t variant) {
  return of->list[variant] != NULL ? of->list[variant]->name : "grid";
}

static void plan_variants(study *at, const study_variants *of, bench_call call) {
  for (size_t i = 0; i < of->count; i++) {
    call.variant = of->list[i];
    study_plan(at, call);
  }
}

static bool draw_sweep(const study *at, const study_variants *of) {
  static char labels[SWEEP_STEPS][LABEL_BYTES];
  bench_figure figure = {.file = "depth.svg",
                         .title = "Two balls of tetrahedra pass through each other",
                         .horizontal = "step",
                         .panel_count = of->count};
  for (size_t step = 0; step < SWEEP_STEPS; step++) {
    labels[step][0] = '\0';
    if (step % 5 == 0) snprintf(labels[step], sizeof labels[step], "%zu", step);
    for (size_t i = 0; i < of->count; i++) {
      figure.panels[i].title = name_of(of, i);
      bench_figure_add(&figure.panels[i], &at->rows[of->count * step + i], labels[step]);
    }
  }
  return study_draw(at, &figure);
}

static void print_sweep(const study *at, const study_variants *of) {
  printf("%s: %zu primitives\n", at->rows[0].call.scene->name, bench_row_primitives(&at->rows[0]));
  printf("%4s %10s %10s %9s", "step", "candidates", "duplicates", "pairs");
  for (size_t i = 0; i < of->count; i++) printf("  %5s ms  order   test", name_of(of, i));
  printf("\n");
  for (size_t step = 0; step < SWEEP_STEPS; step++) {
    const bench_row *const rows = &at->rows[of->count * step];
    const bench_result last = bench_row_median(&rows[of->count - 1]);
    printf("%4zu %10" PRIu64 " %10" PRIu64 " %9" PRIu64, step, last.counters.candidates, last.counters.duplicates,
           last.pairs);
    for (size_t i = 0; i < of->count; i++) {
      const bench_result median = bench_row_median(&rows[i]);
      printf("  %8.1f %6.1f %6.1f", median.asked_ms, median.stages.order_ms, median.stages.test_ms);
      bench_table_keep(at->out, &rows[i]);
    }
    printf("\n");
  }
}

static bool sweep(study *at, const study_variants *of, bench_scene *scene) {
  if (!bench_bodies_pass_through(scene, SWEEP_STEPS)) return study_fail(at, "out of memory");
  for (size_t step = 0; step < SWEEP_STEPS; step++) {
    bench_call call = study_call(at, scene, BENCH_BETWEEN);
    call.pose = &scene->poses[step];
    plan_variants(at, of, call);
  }
  if (!study_measure(at, at->settings->rounds)) return false;
  print_sweep(at, of);
  for (size_t step = 0; step < SWEEP_STEPS; step++)
    if (!study_agree(at, of->count * step, of->count * (step + 1))) return false;
  return draw_sweep(at, of);
}

bool study_depth_of(study *at, const study_variants *of) {
  bench_scene scene;
  if (!bench_bodies_make_pair("passing-tet-balls", "tet-ball", study_scaled(at, SWEEP_BODY), no_offset, &scene,
                              at->error, at->error_bytes))
    return false;
  at->row_count = 0;
  const bool good = sweep(at, of, &scene);
  bench_scene_free(&scene);
  return good;
}

static const bench_variant *const plain_grid[] = {NULL};
static const study_variants grid_alone = {plain_grid, 1};

static bool study_depth(study *at) {
  return study_depth_of(at, &grid_alone);
}

/* ---------------------------------------------------------------------------------------------- memory */

enum { MEMORY_SIZES = 4 };

static bool compare_memory(study *at, const study_variants *of, bench_scene scenes[MEMORY_SIZES]) {
  static char labels[MEMORY_SIZES][LABEL_BYTES];
  bench_figure figure = {.file = "memory.svg",
                         .title = "Peak memory: two balls of tetrahedra, one in the other, pairs within and between",
                         .horizontal = "tetrahedra, thousands",
                         .layers = BENCH_LAYERS_MEMORY,
                         .panel_count = of->count};
  for (size_t i = 0; i < MEMORY_SIZES; i++) plan_variants(at, of, study_call(at, &scenes[i], BENCH_BOTH));
  if (!study_measure(at, 1)) return false;
  printf("%s\n", scenes[0].name);
  printf("%9s %10s %10s %9s %-9s %12s %12s %9s %17s\n", "number", "candidates", "duplicates", "pairs", "method",
         "before, MB", "peak, MB", "byte each", "less 16 a pair");
  for (size_t i = 0; i < at->row_count; i++) {
    const bench_row *const row = &at->rows[i];
    const bench_result median = bench_row_median(row);
    const double number = (double)bench_row_primitives(row);
    const double peak = (double)median.peak_bytes;
    const size_t size = i / of->count, variant = i % of->count;
    printf("%9zu %10" PRIu64 " %10" PRIu64 " %9" PRIu64 " %-9s %12.1f %12.1f %9.0f %17.0f\n", bench_row_primitives(row),
           median.counters.candidates, median.counters.duplicates, median.pairs, name_of(of, variant),
           1e-6 * (double)median.updated_bytes, 1e-6 * peak, peak / number, bench_row_bytes_each(row));
    bench_table_keep(at->out, row);
    snprintf(labels[size], LABEL_BYTES, "%.0f", 1e-3 * number);
    figure.panels[variant].title = name_of(of, variant);
    bench_figure_add(&figure.panels[variant], row, labels[size]);
  }
  return study_draw(at, &figure);
}

bool study_memory_of(study *at, const study_variants *of) {
  bench_scene scenes[MEMORY_SIZES] = {{0}};
  bool good = true;
  for (size_t i = 0; i < MEMORY_SIZES && good; i++)
    good = bench_bodies_make_pair("pair-tet-ball", "tet-ball", study_scaled(at, (size_t)BODY >> (MEMORY_SIZES - 1 - i)),
                                  no_offset, &scenes[i], at->error, at->error_bytes);
  at->row_count = 0;
  good = good && compare_memory(at, of, scenes);
  for (size_t i = 0; i < MEMORY_SIZES; i++) bench_scene_free(&scenes[i]);
  return good;
}

static bool study_memory(study *at) {
  return study_memory_of(at, &grid_alone);
}

/* ---------------------------------------------------------------------------------------------- k */

static bool study_crowding(study *at) {
  static const char *const models[] = {"blob", "panels", "tet-ball", "tet-rod"};
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    bench_scene scene;
    if (!bench_bodies_make(models[i], study_scaled(at, BODY), &scene, at->error, at->error_bytes)) return false;
    at->row_count = 0;
    bench_call call = study_call(at, &scene, BENCH_SELF);
    study_plan(at, call);
    call.question = BENCH_ASK_CROWDING;
    study_plan(at, call);
    const bool good = study_measure(at, at->settings->rounds);
    if (good) {
      const bench_result pairs = bench_row_median(&at->rows[0]), crowding = bench_row_median(&at->rows[1]);
      printf("%-24s %9zu  pairs %8.1f ms, k %8.1f ms: %.1f times; k is %" PRIu64 "\n", models[i],
             bench_row_primitives(&at->rows[0]), pairs.total_ms, crowding.total_ms, crowding.total_ms / pairs.total_ms,
             crowding.pairs);
    }
    bench_scene_free(&scene);
    if (!good) return false;
  }
  return true;
}

/* ---------------------------------------------------------------------------------------------- the list */

static const struct {
  const char *name, *title;
  bool (*run)(study *at);
  bool of_devices;
} studies[] = {
    {"kinds", "kinds of primitives, pairs within one body at three sizes", study_growth, true},
    {"passes", "pairs within and between: one pass, or two", study_passes, true},
    {"depth", "penetration depth, pairs between", study_depth, false},
    {"memory", "memory, pairs within and between", study_memory, false},
    {"crowding", "k of every primitive, compared with all pairs of the same body", study_crowding, true},
    {"clearance", "pairs within a clearance, compared with candidates and plain queries; least times", study_clearance,
     false},
    {"clusters", "the method clusters: time and members over the number of clusters; least times", study_clusters,
     false},
    {"methods", "all methods: frames from scratch, of new positions, of new poses; least times", study_methods, false},
    {"sphere-trees", "inner sphere trees by three builders: construction and queries; least times", study_sphere_trees,
     false},
};

size_t bench_study_count(void) {
  return sizeof studies / sizeof studies[0];
}

const char *bench_study_name(size_t number) {
  return studies[number].name;
}

const char *bench_study_title(size_t number) {
  return studies[number].title;
}

bool bench_study_of_devices(size_t number) {
  return studies[number].of_devices;
}

bool bench_study_run(size_t number, const bench_study_settings *settings, bench_output *out, bench_row *rows,
                     size_t capacity, char *error, size_t error_bytes) {
  study at = {settings, out, rows, 0, capacity, error, error_bytes};
  return studies[number].run(&at);
}
