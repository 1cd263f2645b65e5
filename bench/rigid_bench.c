/* graze_rigid: compares graze's methods on rigid bodies and, in builds with peers, other libraries.
 *
 * Parts: `rotation` (a body and its rotating copy), `queries` (yes or no, and all pairs, in random and in grazing
 * poses), `build` (creating bodies, and frames in which all positions are new) and `world` (thousands of bodies).
 * Everything runs interleaved in one thread, and the least times are shown; see rigid_race.h. */
#include "bench/rigid_parts.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { MESHES_MAX = 16, NAME_BYTES = 64 };

typedef struct options {
  rigid_settings settings;
  const char *meshes[MESHES_MAX];
  size_t mesh_count;
  size_t triangles; /* of built-in models; 0: their own number */
  const char *csv_path;
} options;

/* Shapes of machine parts: teeth and sharp edges, thin sheets, plates; and smooth ones. */
static const struct {
  const char *model;
  size_t triangles;
  bool quick;
} built_in[] = {{"gear", 40000, true}, {"panels", 40000, false}, {"cloth", 10000, true}, {"blob", 70000, false}};
enum { QUICK_DIVISOR = 10 };

static const char help_text[] =
    "usage: graze_rigid [options]\n"
    "  --quick         smaller models, fewer distances, poses and rounds\n"
    "  --part TEXT     parts whose name contains TEXT: rotation, queries, build, world\n"
    "  --engine TEXT   engines whose name contains TEXT (the tree always runs)\n"
    "  --configurations FILE  run only the poses of this file, written by graze bench --suite rigid\n"
    "  --mesh FILE     use this body instead of the built-in ones; may be repeated\n"
    "  --triangles N   approximate number of triangles of each built-in model\n"
    "  --rounds N      timed rounds (default 5)\n"
    "  --steps N       steps of a revolution, and poses to query (default 360)\n"
    "  --bodies N      bodies of the world (default 10000)\n"
    "  --budget MS     an engine with longer rounds runs only every 3rd, 5th, ... step (default 500)\n"
    "  --csv FILE      write the rows as CSV\n"
    "  --figures PATH  draw time over distance into this folder\n"
    "Bodies are scaled to fit a cube of side 2. Times are microseconds per step: set the pose, update, query. `mean`\n"
    "and `worst` are taken over the least time of each step; `median` is the median of the rounds' means. `unlike`\n"
    "counts steps with a different yes or no than the tree, `counts` those with a different number of pairs.\n";

static bool fail(const char *message) {
  fprintf(stderr, "graze_rigid: %s\n", message);
  return false;
}

static const struct option long_options[] = {{"quick", no_argument, NULL, 'q'},
                                             {"part", required_argument, NULL, 'p'},
                                             {"engine", required_argument, NULL, 'e'},
                                             {"mesh", required_argument, NULL, 'm'},
                                             {"triangles", required_argument, NULL, 't'},
                                             {"rounds", required_argument, NULL, 'r'},
                                             {"steps", required_argument, NULL, 's'},
                                             {"bodies", required_argument, NULL, 'b'},
                                             {"budget", required_argument, NULL, 'u'},
                                             {"configurations", required_argument, NULL, 'o'},
                                             {"csv", required_argument, NULL, 'c'},
                                             {"figures", required_argument, NULL, 'g'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static bool read_number(const char *text, size_t *value_out) {
  char *end = NULL;
  const unsigned long value = strtoul(text, &end, 10);
  *value_out = value;
  return end != text && *end == '\0' && text[0] != '-' && value >= 1 && value <= 10000000;
}

static bool read_option(int letter, options *chosen) {
  rigid_settings *const settings = &chosen->settings;
  size_t number = 1;
  if (strchr("trsbu", letter) != NULL && !read_number(optarg, &number))
    return fail("the option takes a number from 1 to 10000000");
  switch (letter) {
  case 'q':
    settings->quick = true;
    break;
  case 'p':
    settings->part = optarg;
    break;
  case 'e':
    settings->engine_part = optarg;
    break;
  case 'm':
    if (chosen->mesh_count == MESHES_MAX) return fail("too many meshes");
    chosen->meshes[chosen->mesh_count++] = optarg;
    break;
  case 't':
    chosen->triangles = number;
    break;
  case 'r':
    settings->rounds = number;
    break;
  case 's':
    settings->steps = number;
    break;
  case 'b':
    settings->body_count = number;
    break;
  case 'u':
    settings->budget_ms = (double)number;
    break;
  case 'o':
    settings->configurations = optarg;
    break;
  case 'c':
    chosen->csv_path = optarg;
    break;
  case 'g':
    settings->figures = optarg;
    break;
  default:
    return fail("see --help");
  }
  return true;
}

/* Sets the defaults, which depend on --quick. */
static void fill_in(rigid_settings *settings) {
  const bool quick = settings->quick;
  if (settings->rounds == 0) settings->rounds = quick ? 2 : 5;
  if (settings->steps == 0) settings->steps = quick ? 36 : 360;
  if (settings->body_count == 0) settings->body_count = quick ? 1000 : 10000;
  if (settings->budget_ms == 0.0) settings->budget_ms = quick ? 100.0 : 500.0;
}

static bool read_options(int count, char **arguments, options *chosen) {
  for (int letter; (letter = getopt_long(count, arguments, "", long_options, NULL)) != -1;) {
    if (letter == 'h') {
      fputs(help_text, stdout);
      exit(0);
    }
    if (!read_option(letter, chosen)) return false;
  }
  if (optind < count) return fail("only options are accepted; see --help");
  fill_in(&chosen->settings);
  return true;
}

static bool is_asked(const rigid_settings *settings, const char *part) {
  return strstr(part, settings->part) != NULL;
}

/* Takes ownership of the scene. */
static bool run_object(const rigid_settings *settings, bench_scene *scene, bool *fits) {
  bench_shape_fit(&scene->shapes[0], 2.0);
  bench_shape_round_to_float(&scene->shapes[0]);
  const rigid_object object = {scene->name, {scene->shapes[0], scene->shapes[0]}};
  bool done = true, fits_now = false;
  if (settings->configurations != NULL) {
    done = rigid_configurations_run(settings, &object, &fits_now);
    *fits = *fits || fits_now;
    bench_scene_free(scene);
    return done;
  }
  rigid_rotation times;
  if (is_asked(settings, "rotation")) done = rigid_rotation_run(settings, &object, &times);
  if (done && is_asked(settings, "queries")) done = rigid_queries_run(settings, &object);
  if (done && is_asked(settings, "build")) done = rigid_build_run(settings, &object);
  bench_scene_free(scene);
  return done;
}

/* The file name without folder and extensions. */
static void name_of(const char *path, char name_out[NAME_BYTES]) {
  const char *const slash = strrchr(path, '/');
  snprintf(name_out, NAME_BYTES, "%.40s", slash != NULL ? slash + 1 : path);
  name_out[strcspn(name_out, ".,")] = '\0';
}

static bool run_meshes(const options *chosen, bool *fits) {
  for (size_t i = 0; i < chosen->mesh_count; i++) {
    char name[NAME_BYTES], error[512];
    bench_scene scene;
    name_of(chosen->meshes[i], name);
    if (!bench_scene_read_file(chosen->meshes[i], name, &scene, error, sizeof error)) return fail(error);
    if (!run_object(&chosen->settings, &scene, fits)) return false;
  }
  return true;
}

static bool run_models(const options *chosen, bool *fits) {
  const bool quick = chosen->settings.quick;
  for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++) {
    if (quick && !built_in[i].quick) continue;
    const size_t own = built_in[i].triangles / (quick ? QUICK_DIVISOR : 1);
    char error[512];
    bench_scene scene;
    if (!bench_scene_make_model(built_in[i].model, chosen->triangles != 0 ? chosen->triangles : own, &scene, error,
                                sizeof error))
      return fail(error);
    if (!run_object(&chosen->settings, &scene, fits)) return false;
  }
  return true;
}

static bool run_objects(const options *chosen) {
  bool fits = false;
  if (!(chosen->mesh_count > 0 ? run_meshes(chosen, &fits) : run_models(chosen, &fits))) return false;
  return fits || chosen->settings.configurations == NULL || fail("no body fits the configurations");
}

static bool run(const options *chosen) {
  const rigid_settings *const settings = &chosen->settings;
  printf("graze %s, %s, %s; one thread, %zu interleaved rounds, least times\n", settings->record.commit,
         settings->record.machine, settings->record.date, settings->rounds);
  rigid_print_heading(settings);
  const bool needs_objects =
      is_asked(settings, "rotation") || is_asked(settings, "queries") || is_asked(settings, "build");
  if (settings->configurations != NULL) return run_objects(chosen);
  if (needs_objects && !run_objects(chosen)) return false;
  return !is_asked(settings, "world") || rigid_world_run(settings);
}

int main(int argument_count, char **arguments) {
  options chosen = {.settings = {.part = "", .engine_part = ""}};
  if (!read_options(argument_count, arguments, &chosen)) return 2;
  bench_record_fill(&chosen.settings.record);
  chosen.settings.peers = rigid_peer_engines(&chosen.settings.peer_count);
  /* Opened first, so that an unwritable path fails before the run. */
  if (chosen.csv_path != NULL && (chosen.settings.csv = fopen(chosen.csv_path, "w")) == NULL) {
    fprintf(stderr, "graze_rigid: %s: %s\n", chosen.csv_path, strerror(errno));
    return 2;
  }
  const bool done = run(&chosen);
  if (chosen.settings.csv != NULL && fclose(chosen.settings.csv) != 0) return 2;
  return done ? 0 : 1;
}
