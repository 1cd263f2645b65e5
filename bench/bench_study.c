/* Studies of graze alone, over bodies of every kind. Each makes its scenes, measures a few calls in interleaved rounds,
 * prints them with the ratio that it is about, and draws them where a folder for that is given.
 *
 * Dedup, passes, hashes, tests, depth and memory are the comparisons of Mirzayousef Jadid, "Tetrahedral kDet: Linear
 * Time Collision Detection for Tetrahedral Meshes", 2023: the drawings are its figures 6.7, 6.8, 6.14, 6.22 and 7.3 for
 * this library. */
#include "bench/bench_study.h"

#include "bench/bench_bodies.h"
#include "bench/study_list.h"

#include "graze/names.h"

#include <inttypes.h>
#include <string.h>

enum { SWEEP_STEPS = 21, VARIANTS = GRAZE_DEDUP_MAP + 1, LABEL_BYTES = 32 };

/* Two bodies of so many primitives each, where nothing else is said. */
enum { BODY = 100000, SWEEP_BODY = 50000, TEST_BODY = 20000 };

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
    printf("%-24s time of one, largest over smallest: %.2f; that of a box test: %.2f\n", "",
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

typedef bool pair_study(study *at, const bench_scene *scene);

/* Two full balls, and two surfaces whose triangles cross all over. */
static bool on_pairs(study *at, pair_study *run) {
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

static void plan_variants(study *at, bench_call call) {
  for (int dedup = 0; dedup < VARIANTS; dedup++) {
    call.dedup = (graze_dedup)dedup;
    study_plan(at, call);
  }
}

static bool compare_variants(study *at, const bench_scene *scene) {
  static const bench_kind kinds[] = {BENCH_BOTH, BENCH_SELF, BENCH_BETWEEN};
  for (size_t i = 0; i < 3; i++) plan_variants(at, study_call(at, scene, kinds[i]));
  if (!study_measure_and_print(at)) return false;
  for (size_t i = 0; i < 3; i++) {
    const bench_row *const owner = &at->rows[VARIANTS * i];
    printf("%-24s %s, over owner in all: sort %.2f, map %.2f; the query alone: sort %.2f, map %.2f\n", "",
           bench_kind_name(kinds[i]), row_total(owner + 1) / row_total(owner), row_total(owner + 2) / row_total(owner),
           row_asked(owner + 1) / row_asked(owner), row_asked(owner + 2) / row_asked(owner));
    if (!study_agree(at, VARIANTS * i, VARIANTS * i + VARIANTS)) return false;
  }
  return true;
}

static bool study_variants(study *at) {
  return on_pairs(at, compare_variants);
}

static bool compare_passes(study *at, const bench_scene *scene) {
  static const bench_kind kinds[] = {BENCH_BOTH, BENCH_SELF, BENCH_BETWEEN};
  for (size_t i = 0; i < 3; i++) study_plan(at, study_call(at, scene, kinds[i]));
  if (!study_measure_and_print(at)) return false;
  printf("%-24s one pass over two: %.2f of the time of the queries\n", "",
         row_asked(&at->rows[0]) / (row_asked(&at->rows[1]) + row_asked(&at->rows[2])));
  return true;
}

static bool study_passes(study *at) {
  return on_pairs(at, compare_passes);
}

/* ---------------------------------------------------------------------------------------------- hashes of cells */

static bool compare_hashes(study *at, const bench_scene *scene) {
  enum { HASHES = GRAZE_HASH_PRIMES + 1 };
  bench_figure figure = {.file = "hashes.svg",
                         .title = "Hashes of cells: two balls of tetrahedra, one in the other",
                         .horizontal = "how a cell is hashed",
                         .panels = {{.title = "owner"}, {.title = "sort"}},
                         .panel_count = 2};
  for (int dedup = GRAZE_DEDUP_OWNER; dedup <= GRAZE_DEDUP_SORT; dedup++)
    for (int hash = 0; hash < HASHES; hash++) {
      bench_call call = study_call(at, scene, BENCH_BOTH);
      call.dedup = (graze_dedup)dedup;
      call.hash = (graze_hash)hash;
      study_plan(at, call);
      bench_figure_add(&figure.panels[dedup], &at->rows[at->row_count - 1], graze_hash_name(call.hash));
    }
  if (!study_measure(at, at->settings->rounds)) return false;
  printf("%-24s %-8s %9s %9s %9s %9s\n", "", "hash", "build ms", "search ms", "query ms", "to morton");
  for (size_t i = 0; i < at->row_count; i++) {
    const bench_row *const row = &at->rows[i];
    const bench_result median = bench_row_median(row);
    printf("%-18s %-5s %-8s %9.1f %9.1f %9.1f %9.2f\n", scene->name, graze_dedup_name(row->call.dedup),
           graze_hash_name(row->call.hash), median.stages.build_ms, median.stages.search_ms, median.asked_ms,
           median.asked_ms / row_asked(&at->rows[i / HASHES * HASHES]));
    bench_table_keep(at->out, row);
  }
  return study_agree(at, 0, at->row_count) && study_draw(at, &figure);
}

static bool study_hashes(study *at) {
  bench_scene scene;
  if (!bench_bodies_make_pair("pair-tet-ball", "tet-ball", study_scaled(at, BODY), no_offset, &scene, at->error,
                              at->error_bytes))
    return false;
  at->row_count = 0;
  const bool good = compare_hashes(at, &scene);
  bench_scene_free(&scene);
  return good;
}

/* ---------------------------------------------------------------------------------------------- pair tests */

static bool compare_tests(study *at, const bench_scene *scene) {
  static const struct {
    graze_test test;
    bench_question question;
    const char *label;
  } calls[] = {{GRAZE_TEST_SAT, BENCH_ASK_PAIRS, "sat"},
               {GRAZE_TEST_GJK, BENCH_ASK_PAIRS, "gjk"},
               {GRAZE_TEST_SAT_MTV, BENCH_ASK_CONTACTS, "sat_mtv, contacts"},
               {GRAZE_TEST_GJK, BENCH_ASK_CONTACTS, "gjk, contacts"},
               {GRAZE_TEST_SAT_NO_EDGES, BENCH_ASK_PAIRS, "sat_no_edges"}};
  bench_figure figure = {.file = "tests.svg",
                         .title = "Pair tests: two balls of tetrahedra, one in the other",
                         .horizontal = "test, and whether contacts are made of its pairs",
                         .layers = BENCH_LAYERS_TEST,
                         .panels = {{.title = ""}},
                         .panel_count = 1};
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    bench_call call = study_call(at, scene, BENCH_BETWEEN);
    call.test = calls[i].test;
    call.question = calls[i].question;
    study_plan(at, call);
    bench_figure_add(&figure.panels[0], &at->rows[i], calls[i].label);
  }
  if (!study_measure(at, at->settings->rounds)) return false;
  printf("%-24s %-17s %10s %9s %11s %9s %9s %11s\n", "", "test", "candidates", "pairs", "false pairs", "test ms",
         "contacts", "ns a test");
  for (size_t i = 0; i < at->row_count; i++) {
    const bench_result median = bench_row_median(&at->rows[i]);
    printf("%-24s %-17s %10" PRIu64 " %9" PRIu64 " %11" PRIu64 " %9.1f %9.1f %11.0f\n", scene->name, calls[i].label,
           median.counters.candidates, median.pairs, median.counters.false_pairs, median.stages.test_ms,
           median.stages.contacts_ms, 1e6 * median.stages.test_ms / (double)(median.counters.candidates + 1));
    bench_table_keep(at->out, &at->rows[i]);
  }
  return study_agree(at, 0, at->row_count - 1) && study_draw(at, &figure); /* the last one finds false pairs, too */
}

static bool study_tests(study *at) {
  bench_scene scene;
  if (!bench_bodies_make_pair("pair-tet-ball", "tet-ball", study_scaled(at, TEST_BODY), no_offset, &scene, at->error,
                              at->error_bytes))
    return false;
  at->row_count = 0;
  const bool good = compare_tests(at, &scene);
  bench_scene_free(&scene);
  return good;
}

/* ---------------------------------------------------------------------------------------------- depth of penetration
 */

static bool draw_sweep(const study *at, const char *file, graze_dedup left, graze_dedup right) {
  static char labels[SWEEP_STEPS][LABEL_BYTES];
  bench_figure figure = {.file = file,
                         .title = "Two balls of tetrahedra pass through each other",
                         .horizontal = "step",
                         .panels = {{.title = graze_dedup_name(left)}, {.title = graze_dedup_name(right)}},
                         .panel_count = 2};
  for (size_t step = 0; step < SWEEP_STEPS; step++) {
    labels[step][0] = '\0';
    if (step % 5 == 0) snprintf(labels[step], sizeof labels[step], "%zu", step);
    const bench_row *const rows = &at->rows[VARIANTS * step];
    bench_figure_add(&figure.panels[0], &rows[left], labels[step]);
    bench_figure_add(&figure.panels[1], &rows[right], labels[step]);
  }
  return study_draw(at, &figure);
}

static void print_sweep(const study *at) {
  printf("%4s %10s %10s %9s", "step", "candidates", "duplicates", "pairs");
  for (int dedup = 0; dedup < VARIANTS; dedup++) printf("  %5s ms unique   test", graze_dedup_name((size_t)dedup));
  printf("\n");
  for (size_t step = 0; step < SWEEP_STEPS; step++) {
    const bench_row *const rows = &at->rows[VARIANTS * step];
    const bench_result sort = bench_row_median(&rows[GRAZE_DEDUP_SORT]);
    printf("%4zu %10" PRIu64 " %10" PRIu64 " %9" PRIu64, step, sort.counters.candidates, sort.counters.duplicates,
           sort.pairs);
    for (int dedup = 0; dedup < VARIANTS; dedup++) {
      const bench_result median = bench_row_median(&rows[dedup]);
      printf("  %8.1f %6.1f %6.1f", median.asked_ms, median.stages.unique_ms, median.stages.test_ms);
      bench_table_keep(at->out, &rows[dedup]);
    }
    printf("\n");
  }
}

static bool sweep(study *at, bench_scene *scene) {
  if (!bench_bodies_pass_through(scene, SWEEP_STEPS)) return study_fail(at, "out of memory");
  for (size_t step = 0; step < SWEEP_STEPS; step++) {
    bench_call call = study_call(at, scene, BENCH_BETWEEN);
    call.pose = &scene->poses[step];
    plan_variants(at, call);
  }
  if (!study_measure(at, at->settings->rounds)) return false;
  print_sweep(at);
  for (size_t step = 0; step < SWEEP_STEPS; step++)
    if (!study_agree(at, VARIANTS * step, VARIANTS * step + VARIANTS)) return false;
  return draw_sweep(at, "depth.svg", GRAZE_DEDUP_OWNER, GRAZE_DEDUP_SORT) &&
         draw_sweep(at, "map.svg", GRAZE_DEDUP_MAP, GRAZE_DEDUP_SORT);
}

static bool study_depth(study *at) {
  bench_scene scene;
  if (!bench_bodies_make_pair("passing-tet-balls", "tet-ball", study_scaled(at, SWEEP_BODY), no_offset, &scene,
                              at->error, at->error_bytes))
    return false;
  at->row_count = 0;
  const bool good = sweep(at, &scene);
  bench_scene_free(&scene);
  return good;
}

/* ---------------------------------------------------------------------------------------------- memory */

enum { MEMORY_SIZES = 4 };

static bool compare_memory(study *at, bench_scene scenes[MEMORY_SIZES]) {
  static char labels[MEMORY_SIZES][LABEL_BYTES];
  bench_figure figure = {.file = "memory.svg",
                         .title = "Peak memory: two balls of tetrahedra, one in the other, pairs within and between",
                         .horizontal = "tetrahedra, thousands",
                         .layers = BENCH_LAYERS_MEMORY,
                         .panel_count = VARIANTS};
  for (size_t i = 0; i < MEMORY_SIZES; i++) plan_variants(at, study_call(at, &scenes[i], BENCH_BOTH));
  if (!study_measure(at, 1)) return false;
  printf("%9s %10s %10s %9s %-5s %12s %12s %9s %17s\n", "number", "candidates", "duplicates", "pairs", "dedup",
         "before, MB", "peak, MB", "byte each", "less 16 a pair");
  for (size_t i = 0; i < at->row_count; i++) {
    const bench_row *const row = &at->rows[i];
    const bench_result median = bench_row_median(row);
    const double number = (double)bench_row_primitives(row);
    const double peak = (double)median.peak_bytes;
    printf("%9zu %10" PRIu64 " %10" PRIu64 " %9" PRIu64 " %-5s %12.1f %12.1f %9.0f %17.0f\n", bench_row_primitives(row),
           median.counters.candidates, median.counters.duplicates, median.pairs, graze_dedup_name(row->call.dedup),
           1e-6 * (double)median.updated_bytes, 1e-6 * peak, peak / number, bench_row_bytes_each(row));
    bench_table_keep(at->out, row);
    snprintf(labels[i / VARIANTS], LABEL_BYTES, "%.0f", 1e-3 * number);
    figure.panels[i % VARIANTS].title = graze_dedup_name(row->call.dedup);
    bench_figure_add(&figure.panels[i % VARIANTS], row, labels[i / VARIANTS]);
  }
  return study_draw(at, &figure);
}

static bool study_memory(study *at) {
  bench_scene scenes[MEMORY_SIZES] = {{0}};
  bool good = true;
  for (size_t i = 0; i < MEMORY_SIZES && good; i++)
    good = bench_bodies_make_pair("pair-tet-ball", "tet-ball", study_scaled(at, (size_t)BODY >> (MEMORY_SIZES - 1 - i)),
                                  no_offset, &scenes[i], at->error, at->error_bytes);
  at->row_count = 0;
  good = good && compare_memory(at, scenes);
  for (size_t i = 0; i < MEMORY_SIZES; i++) bench_scene_free(&scenes[i]);
  return good;
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
    {"dedup", "duplicate elimination, two bodies one in the other", study_variants, false},
    {"passes", "pairs within and between: one pass, or two", study_passes, true},
    {"hashes", "hashes of cells, pairs within and between", study_hashes, false},
    {"tests", "tests of pairs between, two bodies one in the other", study_tests, true},
    {"depth", "depth of penetration, pairs between", study_depth, false},
    {"memory", "memory, pairs within and between", study_memory, false},
    {"crowding", "k of every primitive beside all pairs of the same body", study_crowding, true},
    {"clusters", "the method clusters: time, members and lost pairs over their number; least times", study_clusters,
     false},
    {"methods", "all methods: frames from scratch, of new positions, of new poses; least times", study_methods, false},
    {"curve", "an experiment: overlaps along a principal curve, and what learning it costs", study_curve, false},
    {"sphere-trees", "inner sphere trees by three builders: building, and questions; least times", study_sphere_trees,
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
