/* graze_frames: the time of a frame on a device or on the processor, scene by scene.
 *
 * A scene is created once, followed by frames of update and query: some for warm-up, then twenty that count. The table
 * shows medians. On a device, the times are those of its own clock: positions are on the device, and sorted pairs stay
 * there; they are downloaded once for their hash. On the processor, the times are the wall times of the stages.
 *
 * The table of a device is followed by a table of lower bounds: the time of each frame if it only moved its bytes and
 * launched its kernels, at the measured speed of this device. */
#include "bench/bench_backend.h"
#include "bench/bench_record.h"
#include "bench/contact_rows.h"
#include "bench/crowding_row.h"
#include "bench/device_speed.h"
#include "bench/frame_lower_bound.h"

#include "graze/cuda.h"
#include "graze/inside/launches.h"
#include "graze/names.h"
#include "models/mesh_object.h"
#include "models/model.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough for a method that adapts from frame to frame. */
enum { WARM_FRAMES = 10, MOST_FRAMES = 1000 };

/* Approximately the sizes for which goals are stated. */
static const struct {
  const char *name, *model;
  uint64_t primitives;
  bool large;  /* skipped with --quick */
  bool copied; /* every mesh coincides with a copy of itself */
} rows[] = {
    {"draped cloth 92k", "draped-cloth", 92000, false, false},
    {"cloth 92k", "cloth", 92000, false, false},
    {"folded cloth 92k", "folded-cloth", 92000, false, false},
    {"rods 252k", "rods", 252000, false, false},
    {"blobs 100k", "blobs", 100000, false, false},
    {"blobs 1M", "blobs", 1000000, false, false},
    {"soup 1M", "soup", 1000000, true, false},
    {"blobs 10M", "blobs", 10000000, true, false},
    {"tetrahedra 190k", "tet-pair", 190000, false, false},
    {"own copy 139k", "blob", 70000, false, true},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

typedef struct settings {
  bench_backend backend;
  uint32_t threads; /* 0: one for each processor */
  size_t frames;
  bool quick;
  const char *only;        /* part of a row's name */
  graze_method_def method; /* on the processor */
} settings;

typedef struct frame_times {
  double stage[8][MOST_FRAMES]; /* the stages in their order, then the sum */
} frame_times;

static bool fail(const char *row, const char *message) {
  fprintf(stderr, "graze_frames: %s: %s\n", row, message);
  return false;
}

static graze_result add_mesh(graze_scene *scene, const mesh *m) {
  const graze_object_def def = graze_object_def_default();
  graze_object object;
  return mesh_object_add_as(scene, m, &def, MESH_AS_FLOAT, &object);
}

/* Reused by every frame, as in a simulation. */
typedef struct frame_lists {
  graze_device_pairs there;
  graze_pairs here;
} frame_lists;

static graze_result run_frame(graze_scene *scene, bool on_device, frame_lists *lists) {
  const graze_query query = graze_query_default();
  const graze_result result = graze_scene_update(scene);
  if (result != GRAZE_OK) return result;
  return on_device ? graze_scene_find_pairs_on_device(scene, &query, &lists->there)
                   : graze_scene_find_pairs(scene, &query, &lists->here);
}

static void keep_times(frame_times *times, size_t frame, const graze_timings *timings) {
  const double stage[7] = {timings->update_ms,
                           timings->bounds_ms,
                           timings->build_ms,
                           timings->search_ms,
                           timings->test_ms,
                           timings->order_ms,
                           0.0};
  double sum = 0.0;
  for (int i = 0; i < 6; i++) {
    times->stage[i][frame] = stage[i];
    sum += stage[i];
  }
  times->stage[6][frame] = sum;
}

/* Stores the counters of a frame with the sizes of its scene. */
static void keep_counters(frame_sizes *sizes, const graze_counters *counters) {
  sizes->primitives = counters->primitives;
  sizes->candidates = counters->candidates;
  sizes->left_over = counters->double_decided + counters->exact_decided + counters->wide_decided;
  sizes->pairs = counters->pairs;
}

static bool measure(const char *row, graze_scene *scene, const settings *chosen, frame_lists *lists, frame_sizes *sizes,
                    bounded_row *row_out) {
  static frame_times times;
  const bool on_device = bench_backend_has_devices(&chosen->backend);
  for (size_t i = 0; i < WARM_FRAMES + chosen->frames; i++) {
    if (run_frame(scene, on_device, lists) != GRAZE_OK) return fail(row, graze_error_text());
    if (i >= WARM_FRAMES) keep_times(&times, i - WARM_FRAMES, on_device ? lists->there.timings : lists->here.timings);
  }
  const graze_counters counters = on_device ? *lists->there.counters : *lists->here.counters;
  keep_counters(sizes, &counters);
  const uint64_t launches = graze_scene_device_launches(scene);
  if (graze_scene_find_pairs(scene, NULL, &lists->here) != GRAZE_OK) return fail(row, graze_error_text());
  printf("%-16s %10" PRIu64 " %10zu %016" PRIx64 " %11" PRIu64 " %11" PRIu64 " %5" PRIu64 " %5.2f", row,
         counters.primitives, lists->here.count, lists->here.hash, counters.candidates, counters.box_tests,
         counters.clusters, (double)counters.members / (double)counters.primitives);
  for (int i = 0; i < 7; i++) printf(" %9.4f", bench_median(times.stage[i], chosen->frames));
  printf(" %6.1f\n", (double)counters.device_bytes / (double)counters.primitives);
  *row_out = (bounded_row){.name = row,
                           .bytes = frame_bytes(sizes),
                           .elements = sizes->primitives,
                           .launches = launches,
                           .milliseconds = bench_median(times.stage[6], chosen->frames)};
  fflush(stdout);
  return true;
}

static frame_sizes shapes_of(const mesh *meshes, size_t mesh_count) {
  frame_sizes sizes = {.position_bytes = 3 * sizeof(float)};
  for (size_t i = 0; i < mesh_count; i++) {
    sizes.vertices += meshes[i].vertex_count;
    if (meshes[i].kind == MESH_TETRAHEDRA) sizes.corner_bytes = 4 * sizeof(uint32_t);
  }
  return sizes;
}

static bool run_row(size_t row, const settings *chosen, bounded_row *row_out) {
  const model *made_from = model_find(rows[row].model);
  if (made_from == NULL) return fail(rows[row].name, "there is no such model");
  model_parameters parameters = model_parameters_default();
  parameters.primitives = rows[row].primitives;
  mesh *meshes;
  size_t mesh_count;
  char error[256];
  if (!model_make(made_from, &parameters, &meshes, &mesh_count, error, sizeof error))
    return fail(rows[row].name, error);
  graze_scene *scene = NULL;
  frame_lists lists = {0};
  bool done = bench_backend_scene(&chosen->backend, chosen->threads, NULL, &scene) == GRAZE_OK ||
              fail(rows[row].name, graze_error_text());
  if (done && graze_scene_set_method(scene, &chosen->method) != GRAZE_OK)
    done = fail(rows[row].name, graze_error_text());
  const size_t copies = rows[row].copied ? 2 : 1;
  for (size_t i = 0; i < copies * mesh_count && done; i++)
    done = add_mesh(scene, &meshes[i % mesh_count]) == GRAZE_OK || fail(rows[row].name, graze_error_text());
  frame_sizes sizes = shapes_of(meshes, mesh_count);
  sizes.vertices *= copies;
  if (done) done = measure(rows[row].name, scene, chosen, &lists, &sizes, row_out);
  graze_device_pairs_free(&lists.there);
  graze_pairs_free(&lists.here);
  graze_scene_destroy(scene);
  for (size_t i = 0; i < mesh_count; i++) mesh_free(&meshes[i]);
  free(meshes);
  return done;
}

/* Returns false with a message if the selected device cannot be used. */
static bool print_head(const settings *chosen) {
  bench_record record;
  bench_record_fill(&record);
  char words[256] = "the processor";
  if (bench_backend_has_devices(&chosen->backend) &&
      graze_cuda_describe(chosen->backend.devices[0], words, sizeof words) != GRAZE_OK)
    return fail("--backend cuda", words);
  printf("# %s; %s; commit %s; %s; %" PRIu32 " threads; median of %zu frames, milliseconds\n", words, record.machine,
         record.commit, record.date, chosen->threads, chosen->frames);
  printf("%-16s %10s %10s %16s %11s %11s %5s %5s %9s %9s %9s %9s %9s %9s %9s %6s\n", "scene", "primitives", "pairs",
         "hash", "candidates", "box tests", "clus.", "in", "update", "bounds", "build", "search", "test", "order",
         "frame", "B/prim");
  return true;
}

static bool print_lower_bounds(const settings *chosen, const bounded_row *measured, size_t count) {
  device_speed speed;
  char error[256];
  if (!device_speed_measure(chosen->backend.devices[0], &speed, error, sizeof error))
    return fail("the lower bound", error);
  printf(
      "# lower bound: bytes over %.0f GB/s (a copy of 1 GiB on the device, read and written), and launches of %.2f us "
      "(an empty kernel in a graph of 100); milliseconds\n",
      1e-9 * speed.bytes_a_second, 1e3 * speed.launch_ms);
  printf("%-16s %10s %9s %9s %9s %9s %9s %9s %9s\n", "scene", "megabytes", "byte each", "launches", "bytes",
         "launching", "bound", "frame", "over it");
  for (size_t i = 0; i < count; i++) {
    const bounded_row *row = &measured[i];
    const double moving = 1e3 * row->bytes / speed.bytes_a_second, launching = (double)row->launches * speed.launch_ms;
    printf("%-16s %10.2f %9.0f %9" PRIu64 " %9.4f %9.4f %9.4f %9.4f %9.1f\n", row->name, 1e-6 * row->bytes,
           row->bytes / (double)row->elements, row->launches, moving, launching, moving + launching, row->milliseconds,
           row->milliseconds / (moving + launching));
  }
  return true;
}

static const char help_text[] = "usage: graze_frames [--backend cpu|cuda] [--device N] [--threads N] [--frames N] "
                                "[--quick] [--scene PART]\n"
                                "       [--method NAME] [--clusters N] [--axis NAME] [--metric NAME]\n";

/* Returns the value of a name, or -1. */
static int value_of(graze_enumeration what, const char *name) {
  int value;
  return graze_enumeration_find(what, name, &value) ? value : -1;
}

/* Unknown values are rejected by the library. */
static void read_method_option(int code, graze_method_def *method) {
  if (code == 'm') method->name = optarg;
  if (code == 'c') method->clusters = (uint32_t)strtoul(optarg, NULL, 10);
  if (code == 'x') method->axis = (graze_axis)value_of(GRAZE_ENUMERATION_AXIS, optarg);
  if (code == 'l') method->metric = (graze_metric)value_of(GRAZE_ENUMERATION_METRIC, optarg);
}

static bool read_options(int count, char **arguments, settings *chosen) {
  static const struct option options[] = {{"backend", required_argument, NULL, 'b'},
                                          {"device", required_argument, NULL, 'd'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"frames", required_argument, NULL, 'f'},
                                          {"scene", required_argument, NULL, 's'},
                                          {"quick", no_argument, NULL, 'q'},
                                          {"method", required_argument, NULL, 'm'},
                                          {"clusters", required_argument, NULL, 'c'},
                                          {"axis", required_argument, NULL, 'x'},
                                          {"distance", required_argument, NULL, 'l'},
                                          {0}};
  for (int code; (code = getopt_long(count, arguments, "", options, NULL)) != -1;) {
    if (code == 'b' && !bench_backend_read(optarg, &chosen->backend)) return false;
    if (code == 'd') chosen->backend.devices[0] = (int)strtol(optarg, NULL, 10), chosen->backend.device_count = 1;
    if (code == 't') chosen->threads = (uint32_t)strtoul(optarg, NULL, 10);
    if (code == 'f') chosen->frames = strtoul(optarg, NULL, 10);
    if (code == 's') chosen->only = optarg;
    if (code == 'q') chosen->quick = true;
    read_method_option(code, &chosen->method);
    if (code == '?') return false;
  }
  return optind == count && chosen->frames >= 1 && chosen->frames <= MOST_FRAMES;
}

static bool is_chosen(const settings *chosen, const char *name, bool large) {
  return strstr(name, chosen->only) != NULL && !(chosen->quick && large);
}

/* Runs all selected rows. Appends those with a lower bound to `measured`. */
static bool run_rows(const settings *chosen, bounded_row *measured, size_t *measured_count) {
  bool done = true;
  for (size_t i = 0; i < ROW_COUNT; i++) {
    if (!is_chosen(chosen, rows[i].name, rows[i].large)) continue;
    const bool ran = run_row(i, chosen, &measured[*measured_count]);
    *measured_count += ran ? 1 : 0;
    done = done && ran;
  }
  if (is_chosen(chosen, crowding_row_name, false))
    done = crowding_row_run(&chosen->backend, chosen->threads, chosen->frames) && done;
  return done;
}

/* The same for contacts, under their own heading. */
static bool run_contact_rows(const settings *chosen, bounded_row *measured, size_t *measured_count) {
  bool done = true, headed = false;
  for (size_t i = 0; i < contact_row_count(); i++) {
    if (!is_chosen(chosen, contact_row_name(i), contact_row_is_large(i))) continue;
    if (!headed) contact_rows_head();
    headed = true;
    const bool ran = contact_row_run(i, &chosen->backend, chosen->threads, chosen->frames, &measured[*measured_count]);
    *measured_count += ran ? 1 : 0;
    done = done && ran;
  }
  return done;
}

int main(int count, char **arguments) {
  settings chosen = {.frames = 20, .only = "", .method = graze_method_def_default()};
  if (!read_options(count, arguments, &chosen)) {
    fputs(help_text, stderr);
    return 2;
  }
  if (!print_head(&chosen)) return 2;
  bounded_row *measured = calloc(ROW_COUNT + contact_row_count(), sizeof *measured);
  if (measured == NULL) return fail("rows", "out of memory") ? 0 : 1;
  size_t measured_count = 0;
  bool done = run_rows(&chosen, measured, &measured_count);
  done = run_contact_rows(&chosen, measured, &measured_count) && done;
  if (bench_backend_has_devices(&chosen.backend)) done = print_lower_bounds(&chosen, measured, measured_count) && done;
  free(measured);
  return done ? 0 : 1;
}
