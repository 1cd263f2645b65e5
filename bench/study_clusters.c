/* The study of the method clusters, over the number of clusters: the figures of Mainzer, "New Geometric Algorithms and
 * Data Structures for Collision Detection of Dynamically Deforming Objects", 2015, section 5.6, for this library.
 *
 * There are three scenes: cloths in the table, others in the papers. The study measures the second frame, with new
 * positions, after the first has placed the centers, and compares it with the grid. Times are the least of the rounds.
 * A quick run has up to 16 clusters. Each incomplete variant has a row with the pairs that it loses. */
#include "bench/study_clusters.h"

#include "bench/bench_bodies.h"
#include "bench/study_list.h"

#include <inttypes.h>

enum { PRIMITIVES = 92000, LABEL_BYTES = 16, SCENES = CLUSTER_SCENES };

static const uint32_t counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
enum { COUNTS = sizeof counts / sizeof counts[0], QUICK_COUNTS = 8 };

/* The lines of the drawing. */
static const struct way {
  graze_axis axis;
  bool threaded;
  const char *name;
} ways[] = {{GRAZE_AXIS_PRINCIPAL, false, "principal, "},
            {GRAZE_AXIS_PRINCIPAL, true, "principal, "},
            {GRAZE_AXIS_X, false, "x, "},
            {GRAZE_AXIS_X, true, "x, "}};
enum { COMPLETE = CLUSTER_WAYS };

size_t cluster_count_count(const study *at) {
  return at->settings->quick ? QUICK_COUNTS : COUNTS;
}

uint32_t cluster_count_at(size_t number) {
  return counts[number];
}

/* Adds the grid's row, then for each way the rows of all counts. */
static size_t scene_rows(const study *at, const cluster_scenes *of) {
  return 1 + (COMPLETE + of->lossy_count) * cluster_count_count(at);
}

const bench_row *cluster_grid_row(const study *at, const cluster_scenes *of, size_t scene) {
  return &at->rows[scene_rows(at, of) * scene];
}

const bench_row *cluster_row(const study *at, const cluster_scenes *of, size_t scene, size_t way, size_t count) {
  return cluster_grid_row(at, of, scene) + 1 + cluster_count_count(at) * way + count;
}

static uint32_t threads_of(const study *at, size_t way) {
  return way < COMPLETE && ways[way].threaded ? at->settings->threads_most : at->settings->threads;
}

static void plan_scene(study *at, const cluster_scenes *of, const bench_scene *scene) {
  bench_call call = study_call(at, scene, BENCH_BOTH);
  call.frame = BENCH_FRAME_POSITIONS;
  study_plan(at, call);
  call.method = "clusters";
  for (size_t way = 0; way < COMPLETE + of->lossy_count; way++) {
    call.threads = threads_of(at, way);
    call.axis = way < COMPLETE ? ways[way].axis : GRAZE_AXIS_PRINCIPAL;
    call.variant = way < COMPLETE ? NULL : of->lossy[way - COMPLETE];
    for (size_t i = 0; i < cluster_count_count(at); i++) {
      call.clusters = counts[i];
      study_plan(at, call);
    }
  }
}

/* Prints shares in the same units as the drawing. */
static void print_shares(const graze_counters *counters) {
  const uint64_t exactly[4] = {counters->members_1, counters->members_2, counters->members_3, counters->members_4};
  uint64_t rest = counters->searched;
  for (size_t i = 0; i < 4; i++) {
    printf(" %6.2f", 100.0 * (double)exactly[i] / (double)counters->searched);
    rest -= exactly[i];
  }
  printf(" %6.2f", 100.0 * (double)rest / (double)counters->searched);
}

/* Prints the comparisons and lost pairs of a variant. */
static void print_lossy(const study *at, const cluster_scenes *of, size_t scene, size_t count) {
  for (size_t i = 0; i < of->lossy_count; i++) {
    const bench_result *const lossy = cluster_row(at, of, scene, COMPLETE + i, count)->rounds;
    printf(" %15" PRIu64 " %8" PRIu64 "%s", lossy->counters.box_tests,
           cluster_grid_row(at, of, scene)->rounds[0].pairs - lossy->pairs,
           lossy->counters.clusters < counts[count] ? "  too many members, one cluster" : "");
  }
}

static void print_scene(const study *at, const cluster_scenes *of, size_t scene) {
  const bench_row *const grid = cluster_grid_row(at, of, scene);
  printf("%s: %zu primitives, %" PRIu64 " pairs; grid %.1f ms; %" PRIu32 " and %" PRIu32 " threads\n",
         grid->call.scene->name, bench_row_primitives(grid), grid->rounds[0].pairs, bench_row_least(grid),
         at->settings->threads, at->settings->threads_most);
  printf("%8s %11s %8s %8s %11s %8s %8s  %6s %6s %6s %6s %6s", "clusters", "principal", "ms", "ms", "x", "ms", "ms",
         "in 1 %", "2", "3", "4", "more");
  for (size_t i = 0; i < of->lossy_count; i++) printf(" %15s %8s", of->lossy[i]->name, "loses");
  printf("\n");
  for (size_t i = 0; i < cluster_count_count(at); i++) {
    printf("%8" PRIu32, counts[i]);
    for (size_t way = 0; way < COMPLETE; way++) {
      const bench_row *const row = cluster_row(at, of, scene, way, i);
      if (!ways[way].threaded) printf(" %11" PRIu64, row->rounds[0].counters.box_tests);
      printf(" %8.1f", bench_row_least(row));
    }
    printf(" ");
    print_shares(&cluster_row(at, of, scene, 0, i)->rounds[0].counters);
    print_lossy(at, of, scene, i);
    printf("\n");
  }
  for (size_t i = 0; i < scene_rows(at, of); i++) bench_table_keep(at->out, grid + i);
}

/* Lossy variants must not lose pairs with one cluster. */
static bool check_scene(const study *at, const cluster_scenes *of, size_t scene) {
  const size_t first = scene_rows(at, of) * scene;
  if (!study_agree(at, first, first + 1 + COMPLETE * cluster_count_count(at))) return false;
  for (size_t i = 0; i < of->lossy_count; i++)
    if (cluster_row(at, of, scene, COMPLETE + i, 0)->rounds[0].hash != cluster_grid_row(at, of, scene)->rounds[0].hash)
      return study_fail(at, "one cluster loses pairs");
  return true;
}

static bool run_scene(study *at, const cluster_scenes *of, bench_scene *scene, size_t number) {
  if (!of->make(at, number, scene, of->context)) return false;
  plan_scene(at, of, scene);
  if (!study_measure_some(at, scene_rows(at, of) * number, scene_rows(at, of), at->settings->rounds)) return false;
  study_speaks(at);
  of->show(at, of, number);
  return check_scene(at, of, number);
}

static bool draw_times(const study *at, const cluster_scenes *of) {
  static char names[COMPLETE][48];
  const char *lines[1 + COMPLETE] = {"grid"};
  double points[COUNTS], values[SCENES][(1 + COMPLETE) * COUNTS];
  line_panel panels[SCENES];
  for (size_t way = 0; way < COMPLETE; way++) {
    const uint32_t threads = threads_of(at, way);
    snprintf(names[way], sizeof names[way], "%s%" PRIu32 " thread%s", ways[way].name, threads, threads > 1 ? "s" : "");
    lines[1 + way] = names[way];
  }
  for (size_t i = 0; i < cluster_count_count(at); i++) points[i] = counts[i];
  for (size_t scene = 0; scene < SCENES; scene++) {
    for (size_t i = 0; i < cluster_count_count(at); i++)
      values[scene][i] = bench_row_least(cluster_grid_row(at, of, scene));
    for (size_t i = 0; i < COMPLETE * cluster_count_count(at); i++)
      values[scene][cluster_count_count(at) + i] =
          bench_row_least(cluster_row(at, of, scene, i / cluster_count_count(at), i % cluster_count_count(at)));
    panels[scene] = (line_panel){of->names[scene], values[scene]};
  }
  const line_chart chart = {.title = "Time of a frame over the number of clusters",
                            .horizontal = "clusters",
                            .vertical = "milliseconds",
                            .lines = lines,
                            .line_count = 1 + COMPLETE,
                            .points = points,
                            .point_count = cluster_count_count(at),
                            .panels = panels,
                            .panel_count = SCENES,
                            .even = true};
  return study_draw_lines(at, &chart, of->times_file);
}

static bool draw_shares(const study *at, const cluster_scenes *of) {
  static char labels[COUNTS][LABEL_BYTES];
  bench_figure figure = {.file = of->members_file,
                         .title = "Number of clusters of a primitive",
                         .horizontal = "clusters",
                         .layers = BENCH_LAYERS_MEMBERS,
                         .panel_count = SCENES};
  for (size_t i = 0; i < cluster_count_count(at); i++) snprintf(labels[i], sizeof labels[i], "%" PRIu32, counts[i]);
  for (size_t scene = 0; scene < SCENES; scene++) {
    figure.panels[scene].title = of->names[scene];
    for (size_t i = 0; i < cluster_count_count(at); i++)
      bench_figure_add(&figure.panels[scene], cluster_row(at, of, scene, 0, i), labels[i]);
  }
  return study_draw(at, &figure);
}

bool study_clusters_of(study *at, const cluster_scenes *of) {
  bench_scene scenes[SCENES] = {{0}};
  bool good = true;
  at->row_count = 0;
  for (size_t i = 0; i < SCENES && good; i++) good = run_scene(at, of, &scenes[i], i);
  good = good && draw_times(at, of) && draw_shares(at, of);
  for (size_t i = 0; i < SCENES; i++) bench_scene_free(&scenes[i]);
  return good;
}

/* ---------------------------------------------------------------------------------------------- the cloths */

static const char *const cloths[SCENES] = {"draped-cloth", "cloth", "folded-cloth"};

static bool make_cloth(const study *at, size_t scene, bench_scene *scene_out, void *context) {
  (void)context;
  return bench_bodies_make(cloths[scene], study_scaled(at, PRIMITIVES), scene_out, at->error, at->error_bytes);
}

bool study_cloth_clusters(study *at, const bench_variant *const *lossy, size_t lossy_count) {
  const cluster_scenes list = {.names = {cloths[0], cloths[1], cloths[2]},
                               .times_file = "clusters.svg",
                               .members_file = "cluster_members.svg",
                               .make = make_cloth,
                               .show = print_scene,
                               .lossy = lossy,
                               .lossy_count = lossy_count};
  return study_clusters_of(at, &list);
}

bool study_clusters(study *at) {
  return study_cloth_clusters(at, NULL, 0);
}
