/* graze_bench: graze alone, over scenes, methods, thread counts and sizes.
 *
 * Tables: every scene by stages, with the gain of more threads; time per triangle as models grow tenfold; the speed of
 * reading OBJ; and the studies of bench_study.h. Calls are interleaved (a round visits every method and thread count of
 * a scene, or both sizes of a model) and medians are shown, so that a slow minute of the machine meets all of them.
 * Nothing here asserts a time.
 *
 * On a device there is one row a scene: the grid, once; reading and the studies of what the processor alone has are
 * left out.
 */
#include "bench/bench_reading.h"
#include "bench/bench_study.h"

#include "graze/cuda.h"
#include "graze/names.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { THREAD_COUNTS_MAX = 16, CALLS_MAX = 256 };

typedef struct settings {
  bench_scene_options scenes;
  const char *scene_part;          /* of a name; "" for all */
  const char *method;              /* NULL: all */
  bool dedup[GRAZE_DEDUP_MAP + 1]; /* which duplicate eliminations of the grid */
  const char *csv_path;
  const char *folder;  /* for the file that is written and read */
  const char *figures; /* folder for drawings; NULL: none */
  uint32_t threads[THREAD_COUNTS_MAX];
  size_t thread_count_count;
  size_t rounds;
  bench_backend backend;
} settings;

static const char help_text[] =
    "usage: graze_bench [options]\n"
    "  --quick         small scenes only\n"
    "  --scene TEXT    scenes and tables whose name contains TEXT; the tables after that of the scenes are growth,\n"
    "                  reading, kinds, dedup, passes, hashes, tests, depth, memory, crowding, clusters, methods, "
    "curve,\n"
    "                  sphere-trees and quality;\n"
    "                  methods:TEXT and quality:TEXT run that table on the scenes whose name contains TEXT\n"
    "  --method NAME   one method; default all (brute on small scenes only)\n"
    "  --dedup NAME    duplicate elimination of the grid: owner (default), sort, map, or all three\n"
    "  --threads LIST  thread counts, default 1,2\n"
    "  --rounds N      timed rounds, default 5\n"
    "  --backend NAME  cpu (default) or cuda: a frame with new positions, stages by the device's clock\n"
    "  --device N      which device, default 0\n"
    "  --csv FILE      the rows as comma separated values\n"
    "  --figures PATH  draw hashes, tests, depth, memory, clusters, sphere trees and quality into this folder; "
    "quality\n"
    "                  leaves its signals as comma separated values too\n"
    "  --folder PATH   where the file of the reading table is written, default .\n"
    "The variable GRAZE_DATA names the folder of real meshes; without it the built-in models run alone.\n";

static bool fail(const char *message) {
  fprintf(stderr, "graze_bench: %s\n", message);
  return false;
}

static bool read_number(const char *text, unsigned long most, unsigned long *value_out) {
  char *end = NULL;
  *value_out = strtoul(text, &end, 10);
  return end != text && *end == '\0' && *value_out >= 1 && *value_out <= most;
}

static bool read_threads(char *list, settings *chosen) {
  chosen->thread_count_count = 0;
  char *rest = NULL;
  for (char *part = strtok_r(list, ",", &rest); part != NULL; part = strtok_r(NULL, ",", &rest)) {
    unsigned long value;
    if (!read_number(part, 1024, &value) || chosen->thread_count_count == THREAD_COUNTS_MAX) return false;
    chosen->threads[chosen->thread_count_count++] = (uint32_t)value;
  }
  return chosen->thread_count_count > 0;
}

static bool read_dedup(const char *name, settings *chosen) {
  const bool all = strcmp(name, "all") == 0;
  bool known = all;
  for (size_t i = 0; i < graze_dedup_count(); i++) {
    chosen->dedup[graze_dedup_value(i)] = all || strcmp(name, graze_dedup_name(i)) == 0;
    known = known || chosen->dedup[graze_dedup_value(i)];
  }
  return known;
}

static bool read_backend(const char *name, settings *chosen) {
  if (bench_backend_read(name, &chosen->backend)) return true;
  char names[128] = "", message[160];
  bench_backend_list(names, sizeof names);
  snprintf(message, sizeof message, "--backend wants %s", names);
  return fail(message);
}

static bool read_device(const char *text, settings *chosen) {
  char *end = NULL;
  errno = 0;
  const long number = strtol(text, &end, 10);
  chosen->backend.device = (int)number;
  return errno == 0 && end != text && *end == '\0' && number >= 0 && number <= INT_MAX;
}

static const struct option long_options[] = {{"quick", no_argument, NULL, 'q'},
                                             {"scene", required_argument, NULL, 's'},
                                             {"method", required_argument, NULL, 'm'},
                                             {"dedup", required_argument, NULL, 'o'},
                                             {"threads", required_argument, NULL, 't'},
                                             {"rounds", required_argument, NULL, 'r'},
                                             {"backend", required_argument, NULL, 'b'},
                                             {"device", required_argument, NULL, 'd'},
                                             {"csv", required_argument, NULL, 'c'},
                                             {"folder", required_argument, NULL, 'f'},
                                             {"figures", required_argument, NULL, 'g'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static bool read_options(int count, char **arguments, settings *chosen) {
  for (int letter; (letter = getopt_long(count, arguments, "", long_options, NULL)) != -1;) {
    unsigned long value;
    switch (letter) {
    case 'q':
      chosen->scenes.quick = true;
      break;
    case 's':
      chosen->scene_part = optarg;
      break;
    case 'm':
      chosen->method = optarg;
      break;
    case 'o':
      if (!read_dedup(optarg, chosen)) return fail("--dedup wants owner, sort, map or all");
      break;
    case 't':
      if (!read_threads(optarg, chosen)) return fail("--threads wants numbers with commas, such as 1,2");
      break;
    case 'r':
      if (!read_number(optarg, BENCH_ROUNDS_MAX, &value)) return fail("--rounds wants a number from 1 to 101");
      chosen->rounds = value;
      break;
    case 'b':
      if (!read_backend(optarg, chosen)) return false;
      break;
    case 'd':
      if (!read_device(optarg, chosen)) return fail("--device wants the number of a device, from 0 on");
      break;
    case 'c':
      chosen->csv_path = optarg;
      break;
    case 'f':
      chosen->folder = optarg;
      break;
    case 'g':
      chosen->figures = optarg;
      break;
    case 'h':
      fputs(help_text, stdout);
      exit(0);
    default:
      return fail("see --help");
    }
  }
  return optind == count || fail("takes options only; see --help");
}

static size_t count_triangles(const bench_scene *scene) {
  return scene->shapes[0].triangle_count + scene->shapes[1].triangle_count;
}

static bool run_rounds(bench_row *rows, size_t row_count, size_t rounds) {
  char error[512];
  return bench_rows_run(rows, row_count, rounds, error, sizeof error) || fail(error);
}

static bool on_device(const settings *chosen) {
  return bench_backend_has_devices(&chosen->backend);
}

/* A row for each thread count, one alone on a device; returns how many rows there are then. */
static size_t plan_threads(const settings *chosen, bench_call call, bench_row *rows, size_t count) {
  call.backend = chosen->backend;
  for (size_t t = 0; t < (on_device(chosen) ? 1 : chosen->thread_count_count) && count < CALLS_MAX; t++) {
    call.threads = chosen->threads[t];
    bench_row_plan(&rows[count++], call);
  }
  return count;
}

/* Rows for each method that the scene is not too large for; the grid has some for each way. */
static size_t plan_rows(const settings *chosen, const bench_scene *scene, bench_row *rows_out) {
  size_t count = 0;
  for (size_t m = 0; m < graze_method_count(); m++) {
    const char *const method = graze_method_name(m);
    if (chosen->method != NULL && strcmp(chosen->method, method) != 0) continue;
    if (strcmp(method, "brute") == 0 && count_triangles(scene) > BENCH_BRUTE_MOST) continue;
    const bool is_grid = strcmp(method, "grid") == 0;
    if (on_device(chosen) && !is_grid && chosen->method == NULL) continue; /* by name: the scene says what it has */
    for (int dedup = GRAZE_DEDUP_OWNER; dedup <= GRAZE_DEDUP_MAP; dedup++)
      if (is_grid && !on_device(chosen) ? chosen->dedup[dedup] : dedup == GRAZE_DEDUP_OWNER)
        count = plan_threads(
            chosen, (bench_call){.scene = scene, .method = method, .dedup = (graze_dedup)dedup, .kind = scene->kind},
            rows_out, count);
  }
  return count;
}

/* The gain of each thread count over the first one asked for, method by method. */
static void print_thread_gain(const bench_row *rows, size_t count) {
  const bench_row *first = NULL;
  for (size_t i = 0; i < count; i++) {
    if (first == NULL || strcmp(first->call.method, rows[i].call.method) != 0 ||
        first->call.dedup != rows[i].call.dedup) {
      first = &rows[i];
      continue;
    }
    printf("%-24s %9s %-7s %-6s %-5s %" PRIu32 " threads over %" PRIu32 ": %.2fx\n", "", "", "", rows[i].call.method,
           "", rows[i].call.threads, first->call.threads,
           bench_row_median(first).total_ms / bench_row_median(&rows[i]).total_ms);
  }
}

static bool run_scene(const settings *chosen, const bench_scene *scene, bench_row *rows, const bench_output *out) {
  const size_t count = plan_rows(chosen, scene, rows);
  if (!run_rounds(rows, count, chosen->rounds)) return false;
  for (size_t i = 0; i < count; i++) bench_table_line(out, &rows[i]);
  print_thread_gain(rows, count);
  for (size_t i = 1; i < count; i++) {
    if (rows[i].rounds[0].hash != rows[0].rounds[0].hash) return fail("methods or thread counts disagree");
  }
  return true;
}

static bool run_scenes(const settings *chosen, bench_row *rows, const bench_output *out) {
  for (size_t i = 0; i < bench_scene_count(); i++) {
    if (!bench_scene_available(i, &chosen->scenes)) continue;
    if (strstr(bench_scene_name(i), chosen->scene_part) == NULL) continue;
    bench_scene scene;
    char error[512];
    if (!bench_scene_make(i, &chosen->scenes, &scene, error, sizeof error)) return fail(error);
    const bool good = run_scene(chosen, &scene, rows, out);
    bench_scene_free(&scene);
    if (!good) return false;
  }
  return true;
}

static bool run_growth_of(const settings *chosen, const char *model_name, bench_row *rows, const bench_output *out) {
  const size_t sizes[2] = {chosen->scenes.quick ? 10000 : 100000, chosen->scenes.quick ? 100000 : 1000000};
  bench_scene scenes[2] = {0};
  char error[512];
  bool good = true;
  for (size_t i = 0; i < 2 && good; i++) {
    good = bench_scene_make_model(model_name, sizes[i], &scenes[i], error, sizeof error) || fail(error);
    const char *const method = chosen->method != NULL ? chosen->method : "grid";
    bench_row_plan(
        &rows[i],
        (bench_call){.scene = &scenes[i], .method = method, .threads = chosen->threads[0], .backend = chosen->backend});
  }
  good = good && run_rounds(rows, 2, chosen->rounds);
  if (good) {
    double each[2];
    for (size_t i = 0; i < 2; i++) {
      bench_table_line(out, &rows[i]);
      each[i] = bench_row_median(&rows[i]).total_ms / (double)bench_row_primitives(&rows[i]);
    }
    printf("%-24s time per triangle, large over small: %.2f\n", "", each[1] / each[0]);
  }
  for (size_t i = 0; i < 2; i++) bench_scene_free(&scenes[i]);
  return good;
}

static bool run_growth(const settings *chosen, bench_row *rows, const bench_output *out) {
  static const char *const models[] = {"blob", "folded-cloth", "blobs", "mix", "soup"};
  if (strstr("growth", chosen->scene_part) == NULL) return true;
  printf("\nmodels at two sizes\n");
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    if (!run_growth_of(chosen, models[i], rows, out)) return false;
  }
  return true;
}

static bool run_reading(const settings *chosen) {
  if (strstr("reading", chosen->scene_part) == NULL || on_device(chosen)) return true;
  bench_reading reading;
  char error[512];
  const size_t triangles = chosen->scenes.quick ? 100000 : 1000000;
  if (!bench_reading_measure(chosen->folder, triangles, chosen->rounds, &reading, error, sizeof error)) {
    return fail(error);
  }
  const double megabytes = reading.megabytes;
  printf("\nreading OBJ, %zu triangles, %.1f MB\n", triangles, megabytes);
  printf("  bytes alone        %8.1f ms %8.0f MB/s\n", reading.bytes_ms, 1e3 * megabytes / reading.bytes_ms);
  printf("  and bare numbers   %8.1f ms %8.0f MB/s\n", reading.numbers_ms, 1e3 * megabytes / reading.numbers_ms);
  printf("  the reader         %8.1f ms %8.0f MB/s, %.2fx the bare loop's time\n", reading.reader_ms,
         1e3 * megabytes / reading.reader_ms, reading.reader_ms / reading.numbers_ms);
  return true;
}

static bool run_studies(const settings *chosen, bench_row *rows, const bench_output *out) {
  const bench_study_settings studies = {.quick = chosen->scenes.quick,
                                        .part = chosen->scene_part,
                                        .figures = chosen->figures,
                                        .threads = chosen->threads[0],
                                        .threads_most = chosen->threads[chosen->thread_count_count - 1],
                                        .rounds = chosen->rounds,
                                        .data = chosen->scenes.data,
                                        .backend = chosen->backend};
  char error[512];
  return bench_studies_run(&studies, out, rows, CALLS_MAX, error, sizeof error) || fail(error);
}

/* What the lines are about; false, with a message, where the device that was asked for cannot be used. */
static bool describe_backend(const settings *chosen, bench_output *out) {
  snprintf(out->backend, sizeof out->backend, "%s", on_device(chosen) ? chosen->backend.name : "cpu");
  if (!on_device(chosen)) return true;
  char words[256], message[300];
  if (graze_cuda_describe(chosen->backend.device, words, sizeof words) != GRAZE_OK) {
    snprintf(message, sizeof message, "--backend cuda: %s", words);
    return fail(message);
  }
  for (char *c = words; *c != '\0'; c++)
    if (*c == ',') *c = ';';
  snprintf(out->device, sizeof out->device, "%.*s", (int)sizeof out->device - 1, words);
  return true;
}

int main(int argument_count, char **arguments) {
  settings chosen = {.scenes = {.data = getenv("GRAZE_DATA")},
                     .scene_part = "",
                     .dedup = {true},
                     .folder = ".",
                     .threads = {1, 2},
                     .thread_count_count = 2,
                     .rounds = 5};
  if (!read_options(argument_count, arguments, &chosen)) return 2;
  bench_output out = {0};
  if (!describe_backend(&chosen, &out)) return 2;
  if (chosen.csv_path != NULL) {
    out.csv = fopen(chosen.csv_path, "w");
    if (out.csv == NULL) {
      fprintf(stderr, "graze_bench: %s: %s\n", chosen.csv_path, strerror(errno));
      return 2;
    }
  }
  bench_row *const rows = malloc(CALLS_MAX * sizeof *rows);
  if (rows == NULL) return 2;
  bench_record_fill(&out.record);
  printf("graze %s, %s, %s; %s%s; medians of %zu interleaved rounds\n", out.record.commit, out.record.machine,
         out.record.date, on_device(&chosen) ? "cuda, " : "the processor", out.device, chosen.rounds);
  bench_table_heading();
  bench_table_csv_heading(&out);
  const bool good = run_scenes(&chosen, rows, &out) && run_growth(&chosen, rows, &out) && run_reading(&chosen) &&
                    run_studies(&chosen, rows, &out);
  free(rows);
  if (out.csv != NULL) fclose(out.csv);
  return good ? 0 : 2;
}
