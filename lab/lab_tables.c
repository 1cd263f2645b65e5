/* Tables of variants: duplicate eliminations, cell hashes, pair tests, and clusters that lose pairs.
 *
 * They follow the comparisons of Mirzayousef Jadid, "Tetrahedral kDet: Linear Time Collision Detection for Tetrahedral
 * Meshes", 2023: the drawings are its figures 6.7, 6.8, 6.14, 6.22 and 7.3 for this library. */
#include "lab/lab_list.h"

#include "bench/bench_bodies.h"
#include "bench/study_clusters.h"
#include "bench/study_list.h"
#include "lab/lab_variants.h"
#include "lab/sat_no_edges.h"

#include <inttypes.h>
#include <stdlib.h>

enum { BODY = 100000, TEST_BODY = 20000, ROWS_MAX = 256 };

/* ---------------------------------------------------------------------------------------------- duplicates */

static const study_variants dedups = {lab_dedups, LAB_DEDUPS};

static bool compare_dedups(study *at, const bench_scene *scene) {
  static const bench_kind kinds[] = {BENCH_BOTH, BENCH_SELF, BENCH_BETWEEN};
  for (size_t i = 0; i < 3 * LAB_DEDUPS; i++) {
    bench_call call = study_call(at, scene, kinds[i / LAB_DEDUPS]);
    call.variant = lab_dedups[i % LAB_DEDUPS];
    study_plan(at, call);
  }
  if (!study_measure_and_print(at)) return false;
  for (size_t i = 0; i < 3; i++) {
    const bench_row *const owner = &at->rows[LAB_DEDUPS * i];
    printf("%-24s %s, over owner in all: sort %.2f, map %.2f; the query alone: sort %.2f, map %.2f\n", "",
           bench_kind_name(kinds[i]), row_total(owner + 1) / row_total(owner), row_total(owner + 2) / row_total(owner),
           row_asked(owner + 1) / row_asked(owner), row_asked(owner + 2) / row_asked(owner));
    if (!study_agree(at, LAB_DEDUPS * i, LAB_DEDUPS * (i + 1))) return false;
  }
  return true;
}

static bool table_dedup(study *at) {
  return study_on_pairs(at, compare_dedups);
}

static bool table_depth(study *at) {
  return study_depth_of(at, &dedups);
}

static bool table_memory(study *at) {
  return study_memory_of(at, &dedups);
}

/* ---------------------------------------------------------------------------------------------- two balls */

/* Two balls of tetrahedra, one in the other. */
static bool on_balls(study *at, size_t tetrahedra, bool (*run)(study *at, const bench_scene *scene)) {
  static const double no_offset[3] = {0.0, 0.0, 0.0};
  bench_scene scene;
  if (!bench_bodies_make_pair("pair-tet-ball", "tet-ball", study_scaled(at, tetrahedra), no_offset, &scene, at->error,
                              at->error_bytes))
    return false;
  at->row_count = 0;
  const bool good = run(at, &scene);
  bench_scene_free(&scene);
  return good;
}

static bool compare_hashes(study *at, const bench_scene *scene) {
  static const char *const names[LAB_HASHES] = {"morton", "djb2", "fnv1a", "primes"};
  bench_figure figure = {.file = "hashes.svg",
                         .title = "Hashes of cells: two balls of tetrahedra, one in the other",
                         .horizontal = "how a cell is hashed",
                         .panels = {{.title = "replicated grid"}},
                         .panel_count = 1};
  for (size_t i = 0; i < LAB_HASHES; i++) {
    bench_call call = study_call(at, scene, BENCH_BOTH);
    call.variant = lab_hashes[i];
    study_plan(at, call);
    bench_figure_add(&figure.panels[0], &at->rows[i], names[i]);
  }
  if (!study_measure(at, at->settings->rounds)) return false;
  printf("%-24s %-8s %9s %9s %9s %9s\n", "", "hash", "build ms", "search ms", "query ms", "to morton");
  for (size_t i = 0; i < at->row_count; i++) {
    const bench_result median = bench_row_median(&at->rows[i]);
    printf("%-24s %-8s %9.1f %9.1f %9.1f %9.2f\n", scene->name, names[i], median.stages.build_ms,
           median.stages.search_ms, median.asked_ms, median.asked_ms / row_asked(&at->rows[0]));
    bench_table_keep(at->out, &at->rows[i]);
  }
  return study_agree(at, 0, at->row_count) && study_draw(at, &figure);
}

static bool table_hashes(study *at) {
  return on_balls(at, BODY, compare_hashes);
}

static bool compare_tests(study *at, const bench_scene *scene) {
  static const struct {
    graze_test test;
    bench_question question;
    const char *label;
    const bench_variant *variant;
  } calls[] = {{GRAZE_TEST_SAT, BENCH_ASK_PAIRS, "sat", NULL},
               {GRAZE_TEST_GJK, BENCH_ASK_PAIRS, "gjk", NULL},
               {GRAZE_TEST_SAT, BENCH_ASK_CONTACTS, "sat, contacts", NULL},
               {GRAZE_TEST_GJK, BENCH_ASK_CONTACTS, "gjk, contacts", NULL},
               {GRAZE_TEST_SAT, BENCH_ASK_PAIRS, "sat_no_edges", &lab_without_edges}};
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
    call.variant = calls[i].variant;
    study_plan(at, call);
    bench_figure_add(&figure.panels[0], &at->rows[i], calls[i].label);
  }
  if (!study_measure(at, at->settings->rounds)) return false;
  printf("%-24s %-17s %10s %9s %11s %9s %9s %11s\n", "", "test", "candidates", "pairs", "false pairs", "test ms",
         "contacts", "ns a test");
  const uint64_t exact_pairs = bench_row_median(&at->rows[0]).pairs;
  for (size_t i = 0; i < at->row_count; i++) {
    const bench_result median = bench_row_median(&at->rows[i]);
    printf("%-24s %-17s %10" PRIu64 " %9" PRIu64 " %11" PRIu64 " %9.1f %9.1f %11.0f\n", scene->name, calls[i].label,
           median.counters.candidates, median.pairs, median.pairs - exact_pairs, median.stages.test_ms,
           median.stages.contacts_ms, 1e6 * median.stages.test_ms / (double)(median.counters.candidates + 1));
    bench_table_keep(at->out, &at->rows[i]);
  }
  return study_agree(at, 0, at->row_count - 1) && study_draw(at, &figure); /* the last one finds false pairs, too */
}

static bool table_tests(study *at) {
  return on_balls(at, TEST_BODY, compare_tests);
}

/* Frames of new poses: the level follows from the frame before. */
static bool compare_entrances(study *at, const bench_scene *scene) {
  bench_call call = study_call(at, scene, BENCH_BETWEEN);
  call.method = "tree";
  call.frame = BENCH_FRAME_POSES;
  call.earlier = 2;
  study_plan(at, call);
  call.variant = &lab_tree_entrance;
  study_plan(at, call);
  return study_measure_and_print(at) && study_agree(at, 0, at->row_count);
}

static bool table_entrance(study *at) {
  return study_on_pairs(at, compare_entrances);
}

static bool table_clusters(study *at) {
  return study_cloth_clusters(at, lab_lossy_clusters, LAB_LOSSY_CLUSTERS);
}

/* ---------------------------------------------------------------------------------------------- the list */

const lab_table lab_tables[] = {
    {"dedup", "duplicate elimination, one body inside another", table_dedup},
    {"hashes", "cell hashes, pairs within and between", table_hashes},
    {"tests", "pair tests between bodies, one inside another", table_tests},
    {"depth", "penetration depth by method of duplicate elimination", table_depth},
    {"memory", "memory by method of duplicate elimination", table_memory},
    {"entrance", "trees entered at the nodes that met most before, one body inside another", table_entrance},
    {"clusters", "time over the number of clusters, and pairs lost by incomplete ones", table_clusters},
    {"curve", "overlaps along a principal curve, and the cost of learning it", study_curve},
};
const size_t lab_table_count = sizeof lab_tables / sizeof lab_tables[0];

bench_ending lab_tables_run(const bench_settings *settings, bench_output *out, char *error, size_t error_bytes) {
  const bench_study_settings chosen = bench_settings_of_study(settings);
  study at = {&chosen, out, calloc(ROWS_MAX, sizeof *at.rows), 0, ROWS_MAX, error, error_bytes};
  bool good = at.rows != NULL || study_fail(&at, "out of memory");
  for (size_t i = 0; i < lab_table_count && good; i++) {
    if (settings->tables.count > 0 && !bench_words_have(&settings->tables, lab_tables[i].name)) continue;
    printf("\n%s: %s\n", lab_tables[i].name, lab_tables[i].title);
    out->table = lab_tables[i].name;
    bench_watch_begin(settings->watch, out->table);
    at.row_count = 0;
    good = lab_tables[i].run(&at);
  }
  free(at.rows);
  return good ? BENCH_DONE : bench_watch_stops(settings->watch) ? BENCH_STOPPED : BENCH_FAILED;
}
