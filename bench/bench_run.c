/* Runs the tables: the stages of every scene, with the speed-up of more threads; time per triangle as models grow
 * tenfold; the speed of reading OBJ; and the studies of bench_study.h. Calls are interleaved: a round visits every
 * method, backend and thread count of a scene, or both sizes of a model. A slow phase of the machine thus affects all
 * of them. The tables show medians; no time is asserted.
 *
 * On a device there is one row per scene and method. Reading and the studies of processor features are skipped. */
#include "bench/bench_run.h"

#include "bench/bench_reading.h"

#include "graze/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_MAX = 256 };

/* One run. */
typedef struct bench {
  const bench_settings *settings;
  bench_output *out;
  bench_row *rows; /* room for CALLS_MAX */
  bool doubts;     /* measures only doubted lines again */
  char *error;
  size_t error_bytes;
} bench;

static bool fail(const bench *at, const char *message) {
  snprintf(at->error, at->error_bytes, "%s", message);
  return false;
}

static bench_scene_options options_of(const bench_settings *settings, size_t triangles) {
  return (bench_scene_options){settings->quick, settings->data, triangles};
}

/* Divides the rounds over the passes. Keeps the measurements of a run that is stopped. */
static bool run_rounds(const bench *at, size_t row_count, size_t passes) {
  const bench_rounds wanted = {(at->settings->rounds + passes - 1) / passes, at->settings->least_ms / (double)passes};
  const bool good = bench_rows_run(at->rows, row_count, &wanted, at->settings->watch, at->error, at->error_bytes);
  for (size_t i = 0; i < row_count; i++) bench_table_keep(at->out, &at->rows[i]);
  return good;
}

/* ---------------------------------------------------------------------------------------------- scenes */

/* Plans a row for each backend and thread count, on a device only one; returns the new number of rows. */
static size_t plan_threads(const bench *at, bench_call call, const bench_backend *backend, size_t count) {
  const bench_settings *const settings = at->settings;
  const size_t threads = bench_backend_has_devices(backend) ? 1 : settings->thread_count_count;
  call.backend = *backend;
  for (size_t t = 0; t < threads && count < CALLS_MAX; t++) {
    call.threads = settings->threads[t];
    bench_row_plan(&at->rows[count++], call);
  }
  return count;
}

/* Whether a method runs on a scene if it was not selected by name. */
static bool is_for_all(const bench_scene *scene, const char *method, const bench_backend *backend) {
  if (bench_backend_has_devices(backend)) return strcmp(method, "grid") == 0;
  return strcmp(method, "brute") != 0 ||
         scene->shapes[0].triangle_count + scene->shapes[1].triangle_count <= BENCH_BRUTE_MOST;
}

static size_t plan_method(const bench *at, const bench_scene *scene, const char *method, const bench_backend *backend,
                          size_t count) {
  return plan_threads(at, (bench_call){.scene = scene, .method = method, .kind = scene->kind}, backend, count);
}

static size_t plan_rows(const bench *at, const bench_scene *scene) {
  const bench_settings *const settings = at->settings;
  const bench_words *const named = &settings->methods;
  size_t count = 0;
  for (size_t b = 0; b < settings->backend_count; b++) {
    const bench_backend *const backend = &settings->backends[b];
    for (size_t m = 0; m < named->count; m++) count = plan_method(at, scene, named->words[m], backend, count);
    for (size_t m = 0; named->count == 0 && m < graze_enumeration_count(GRAZE_ENUMERATION_METHOD); m++)
      if (is_for_all(scene, graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)m), backend))
        count = plan_method(at, scene, graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)m), backend, count);
  }
  return count;
}

static bool same_but_threads(const bench_line *a, const bench_line *b) {
  return strcmp(a->scene, b->scene) == 0 && a->primitives == b->primitives &&
         strcmp(a->call.method, b->call.method) == 0 && a->call.backend.name == b->call.backend.name;
}

/* Prints the speed-up of each thread count over the first one, method by method. */
static void print_thread_gain(const bench_line *lines, size_t count) {
  const bench_line *first = NULL;
  for (size_t i = 0; i < count; i++) {
    if (first == NULL || !same_but_threads(first, &lines[i])) {
      first = &lines[i];
      continue;
    }
    printf("%-8s %" PRIu32 " threads over %" PRIu32 ": %.2fx\n", lines[i].call.method, lines[i].call.threads,
           first->call.threads, first->median.total_ms / lines[i].median.total_ms);
  }
}

/* Prints the lines of a scene together after its last pass; `shown` counts the printed lines. */
static void show_lines(const bench *at, size_t *shown, size_t count) {
  const bench_lines *const kept = &at->out->lines;
  const bench_line *const first = kept->lines + *shown;
  const size_t end = count < kept->count - *shown ? *shown + count : kept->count;
  for (; *shown < end; ++*shown) bench_table_show(kept, *shown);
  if (count > 0) print_thread_gain(first, (size_t)(kept->lines + end - first));
}

static size_t keep_doubted(const bench *at, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (bench_lines_doubt(&at->out->lines, at->out->table, &at->rows[i])) at->rows[kept++] = at->rows[i];
  return kept;
}

/* The progress of a table through its passes. */
typedef struct pass_state {
  size_t number, count;
  size_t shown; /* number of stored lines that are printed */
} pass_state;

static bool run_scene(const bench *at, const bench_scene *scene, pass_state *pass) {
  size_t count = plan_rows(at, scene);
  if (at->doubts) count = keep_doubted(at, count);
  if (!run_rounds(at, count, pass->count)) return false;
  if (pass->number + 1 == pass->count) show_lines(at, &pass->shown, count);
  for (size_t i = 1; i < count; i++) {
    if (at->rows[i].rounds[0].hash != at->rows[0].rounds[0].hash)
      return fail(at, "methods, backends or thread counts disagree");
  }
  return true;
}

static bool is_chosen(const bench_settings *settings, size_t scene, size_t triangles) {
  const bench_scene_options options = options_of(settings, triangles);
  return bench_scene_available(scene, &options) && bench_words_are_part_of(&settings->scenes, bench_scene_name(scene));
}

/* Returns the number of requested sizes, or 0 for the scenes' own. */
static size_t size_count_of(const bench_settings *settings) {
  return settings->size_count > 0 ? settings->size_count : 1;
}

static size_t size_of(const bench_settings *settings, size_t i) {
  return settings->size_count > 0 ? settings->sizes[i] : 0;
}

/* The weight of a scene in the estimate of the remaining time. */
static double weight_of(const bench_settings *settings, size_t scene, size_t triangles) {
  const bench_scene_options options = options_of(settings, triangles);
  return is_chosen(settings, scene, triangles) ? (double)bench_scene_triangles(scene, &options) : 0.0;
}

static double weight_of_all(const bench_settings *settings) {
  double sum = 0.0;
  for (size_t i = 0; i < bench_scene_count(); i++)
    for (size_t j = 0; j < size_count_of(settings); j++) sum += weight_of(settings, i, size_of(settings, j));
  return sum;
}

bool bench_run_has_scenes(const bench_settings *settings) {
  return weight_of_all(settings) > 0.0;
}

static bool make_and_run(const bench *at, size_t number, size_t triangles, pass_state *pass) {
  const bench_scene_options options = options_of(at->settings, triangles);
  bench_scene scene;
  if (at->doubts && !bench_lines_doubt_scene(&at->out->lines, at->out->table, bench_scene_name(number))) return true;
  if (!bench_scene_make(number, &options, &scene, at->error, at->error_bytes)) return false;
  const bool good = run_scene(at, &scene, pass);
  bench_scene_free(&scene);
  return good;
}

/* Measures every scene once. */
static bool run_pass(const bench *at, pass_state *pass) {
  const bench_settings *const settings = at->settings;
  const double all = weight_of_all(settings) * (double)pass->count;
  double before = weight_of_all(settings) * (double)pass->number;
  for (size_t i = 0; i < bench_scene_count(); i++)
    for (size_t j = 0; j < size_count_of(settings); j++) {
      const double weight = weight_of(settings, i, size_of(settings, j));
      if (weight <= 0.0) continue;
      bench_watch_share(settings->watch, before / all, weight / all);
      before += weight;
      if (!make_and_run(at, i, size_of(settings, j), pass)) return false;
    }
  return true;
}

static bool run_scenes(const bench *at) {
  pass_state pass = {.count = at->doubts || at->settings->passes == 0 ? 1 : at->settings->passes,
                     .shown = at->out->lines.count};
  bool good = true;
  for (; pass.number < pass.count && good; pass.number++) {
    at->out->again = at->doubts || pass.number > 0;
    good = run_pass(at, &pass);
  }
  if (!good) show_lines(at, &pass.shown, SIZE_MAX);
  at->out->again = at->doubts;
  return good;
}

/* ---------------------------------------------------------------------------------------------- growth */

static bool run_growth_of(const bench *at, const char *model_name) {
  const bench_settings *const settings = at->settings;
  const size_t sizes[2] = {settings->quick ? 10000 : 100000, settings->quick ? 100000 : 1000000};
  bench_scene scenes[2] = {0};
  bool good = true;
  for (size_t i = 0; i < 2 && good; i++) {
    good = bench_scene_make_model(model_name, sizes[i], &scenes[i], at->error, at->error_bytes);
    bench_row_plan(&at->rows[i],
                   (bench_call){.scene = &scenes[i],
                                .method = settings->methods.count > 0 ? settings->methods.words[0] : "grid",
                                .threads = settings->threads[0],
                                .backend = settings->backends[0]});
  }
  const size_t first = at->out->lines.count;
  good = good && run_rounds(at, 2, 1);
  for (size_t i = first; i < at->out->lines.count; i++) bench_table_show(&at->out->lines, i);
  if (good) {
    double each[2];
    for (size_t i = 0; i < 2; i++)
      each[i] = bench_row_median(&at->rows[i]).total_ms / (double)bench_row_primitives(&at->rows[i]);
    printf("%s: time per triangle, large over small: %.2f\n", model_name, each[1] / each[0]);
  }
  for (size_t i = 0; i < 2; i++) bench_scene_free(&scenes[i]);
  return good;
}

static bool run_growth(const bench *at) {
  static const char *const models[] = {"blob", "folded-cloth", "blobs", "mix", "soup"};
  enum { MODELS = sizeof models / sizeof models[0] };
  for (size_t i = 0; i < MODELS; i++) {
    bench_watch_share(at->settings->watch, (double)i / MODELS, 1.0 / MODELS);
    if (!run_growth_of(at, models[i])) return false;
  }
  return true;
}

/* ---------------------------------------------------------------------------------------------- reading */

static bool run_reading(const bench *at) {
  bench_reading reading;
  const size_t triangles = at->settings->quick ? 100000 : 1000000;
  if (!bench_reading_measure(at->settings->folder, triangles, at->settings->rounds, &reading, at->error,
                             at->error_bytes))
    return false;
  const double megabytes = reading.megabytes;
  printf("%zu triangles, %.1f MB\n", triangles, megabytes);
  printf("  bytes alone        %8.1f ms %8.0f MB/s\n", reading.bytes_ms, 1e3 * megabytes / reading.bytes_ms);
  printf("  and bare numbers   %8.1f ms %8.0f MB/s\n", reading.numbers_ms, 1e3 * megabytes / reading.numbers_ms);
  printf("  the reader         %8.1f ms %8.0f MB/s, %.2fx the bare loop's time\n", reading.reader_ms,
         1e3 * megabytes / reading.reader_ms, reading.reader_ms / reading.numbers_ms);
  return true;
}

/* ---------------------------------------------------------------------------------------------- the list */

static const struct {
  const char *name, *title;
  bool (*run)(const bench *at);
  bool of_devices;
} own_tables[] = {
    {"scenes", "every scene by methods, backends and threads: stages, memory, hashes", run_scenes, true},
    {"growth", "models at two sizes: time per triangle", run_growth, true},
    {"reading", "the speed of reading OBJ, compared with a minimal loop", run_reading, false},
};
enum { OWN_TABLES = sizeof own_tables / sizeof own_tables[0] };

size_t bench_list_count(void) {
  return OWN_TABLES + bench_study_count();
}

const char *bench_list_name(size_t table) {
  return table < OWN_TABLES ? own_tables[table].name : bench_study_name(table - OWN_TABLES);
}

const char *bench_list_title(size_t table) {
  return table < OWN_TABLES ? own_tables[table].title : bench_study_title(table - OWN_TABLES);
}

bool bench_list_of_devices(size_t table) {
  return table < OWN_TABLES ? own_tables[table].of_devices : bench_study_of_devices(table - OWN_TABLES);
}

bool bench_list_of_all_backends(size_t table) {
  return table == 0;
}

bench_study_settings bench_settings_of_study(const bench_settings *settings) {
  return (bench_study_settings){.quick = settings->quick,
                                .scenes = settings->scenes,
                                .figures = settings->figures,
                                .threads = settings->threads[0],
                                .threads_most = settings->threads[settings->thread_count_count - 1],
                                .rounds = settings->rounds,
                                .data = settings->data,
                                .backend = settings->backends[0],
                                .watch = settings->watch};
}

static bool run_study(const bench *at, size_t number) {
  const bench_study_settings study = bench_settings_of_study(at->settings);
  return bench_study_run(number, &study, at->out, at->rows, CALLS_MAX, at->error, at->error_bytes);
}

/* The heading of the run lists all backends. A table that uses only the first one prints a note if that is the
 * processor. */
static bool run_table(const bench *at, size_t table) {
  const bench_settings *const settings = at->settings;
  const bool on_device = bench_backend_has_devices(&settings->backends[0]);
  const bool on_processor = !on_device && settings->backend_count > 1 && !bench_list_of_all_backends(table);
  printf("\n%s: %s%s\n", bench_list_name(table), bench_list_title(table), on_processor ? "; on the processor" : "");
  if (on_device && !bench_list_of_devices(table)) {
    printf("skipped: it runs only on the processor\n");
    return true;
  }
  at->out->table = bench_list_name(table);
  bench_watch_begin(at->settings->watch, at->out->table);
  return table < OWN_TABLES ? own_tables[table].run(at) : run_study(at, table - OWN_TABLES);
}

static bool is_table_chosen(const bench_settings *settings, size_t table) {
  if (settings->all_tables) return true;
  return settings->tables.count == 0 ? table == 0 : bench_words_have(&settings->tables, bench_list_name(table));
}

static bench_ending run_tables(const bench *at) {
  const bench_settings *const settings = at->settings;
  bool good = at->rows != NULL || fail(at, "out of memory");
  for (size_t i = 0; i < bench_list_count() && good; i++) {
    if (!is_table_chosen(settings, i)) continue;
    if (at->doubts && !bench_lines_doubt_scene(&at->out->lines, bench_list_name(i), NULL)) continue;
    good = run_table(at, i);
  }
  if (!good && bench_watch_stops(settings->watch)) return BENCH_STOPPED;
  if (good && at->out->out_of_memory) good = fail(at, "out of memory for the rows");
  return good ? BENCH_DONE : BENCH_FAILED;
}

static bench_ending run_all(const bench_settings *settings, bench_output *out, bool doubts, char *error,
                            size_t error_bytes) {
  const bench at = {settings, out, malloc(CALLS_MAX * sizeof(bench_row)), doubts, error, error_bytes};
  out->again = doubts;
  const bench_ending ending = run_tables(&at);
  out->again = false;
  free(at.rows);
  return ending;
}

bench_ending bench_run(const bench_settings *settings, bench_output *out, char *error, size_t error_bytes) {
  return run_all(settings, out, false, error, error_bytes);
}

bench_ending bench_run_doubted(const bench_settings *settings, bench_output *out, char *error, size_t error_bytes) {
  bench_settings again = *settings;
  again.figures = NULL;
  return run_all(&again, out, true, error, error_bytes);
}
