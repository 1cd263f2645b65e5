/* `graze distance`: reads the files, asks for least distances once, tells the outcome in the forms that were asked for.
 */
#include "distance_outcome.h"
#include "scene_file.h"

#include "mesh_io/mesh_format.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static exit_code run_distance(const command *self, int argument_count, char **arguments);

enum {
  CODE_EACH = OPTION_CODE_FIRST,
  CODE_ALL,
  CODE_WITHIN,
  CODE_SEPARATE,
  CODE_MOVE,
  CODE_ROTATE,
  CODE_UNITS,
  CODE_JSON,
  CODE_CSV,
  CODE_PICTURE
};

static const command_option option_table[] = {
    {"each", CODE_EACH, NULL, "say how far each object is from its nearest other one"},
    {"all", CODE_ALL, NULL, "say how far apart every two objects are"},
    {"within", CODE_WITHIN, "D", "leave out objects that are farther apart than D; alone it means --all"},
    {"separate", CODE_SEPARATE, NULL,
     "the parts of a file are objects of their own: groups of an OBJ file,\n"
     "solids of an STL file, placed meshes of a glTF or 3MF file"},
    {"rotate", CODE_ROTATE, "N=x,y,z",
     "rotate object N about the origin, by degrees about x, then y, then z;\n"
     "N=x,y,z,angle: about an axis; may be given several times"},
    {"move", CODE_MOVE, "N=x,y,z", "shift object N (the first is 0); may be given several times"},
    {"units", CODE_UNITS, "WORD", "write this word behind distances, as mm; nothing is converted"},
    {"json", CODE_JSON, "FILE", "write everything as JSON; - is standard output"},
    {"csv", CODE_CSV, "FILE", "write a line for each distance as CSV; - is standard output"},
    {"picture", CODE_PICTURE, "FILE.png", "draw the scene, nearest primitives and the ways between them marked"},
    BACKEND_OPTION_ROWS,
    ALLOW_LARGE_ROW,
    {"quiet", 'q', NULL, "say nothing; files that are asked for are written all the same"},
    HELP_OPTION_ROW,
    {0},
};

const command distance_command = {
    .name = "distance",
    .summary = "say how far apart meshes are, and where they are nearest",
    .synopsis = "FILE FILE [FILE ...]|SCENE.json [options]",
    .description = "Finds the least distance of objects: of two, or of the nearest two of all. Says which of\n"
                   "their primitives are nearest, and where. An interval that holds the true distance is\n"
                   "proven. Objects that touch or overlap have the distance 0. Files end in\n" MESH_FORMATS_READ_FIRST
                   "\n" MESH_FORMATS_READ_REST ".\n"
                   "A scene file places meshes as objects with poses: docs/scene_file.md.\n"
                   "Surfaces are surfaces: one that lies inside another is at a distance from it.\n"
                   "\n"
                   "Exit status: 0, 2 on an error.\n",
    .options = option_table,
    .examples = "  graze make torus --triangles 2000 --output torus.obj\n"
                "  graze make sphere --triangles 500 --output ball.obj\n"
                "  graze distance torus.obj ball.obj --move 1=4,0,0\n"
                "  graze distance torus.obj ball.obj --move 1=4,0,0 --units mm --picture way.png\n"
                "  graze distance torus.obj ball.obj ball.obj --move 1=4,0,0 --move 2=9,0,0 --each\n"
                "  graze distance torus.obj ball.obj ball.obj --move 1=4,0,0 --move 2=9,0,0 --within 5 --csv near.csv\n"
                "  graze distance torus.obj ball.obj --move 1=4,0,0 --quiet --json -\n",
    .run = run_distance,
};

/* ------------------------------------------------------------------------------------------------ options */

static bool read_option(int code, void *context) {
  distance_options *options = context;
  switch (code) {
  case CODE_EACH:
    return options->each = true;
  case CODE_ALL:
    return options->all = true;
  case CODE_WITHIN:
    return read_positive_number("within", optarg, DBL_MAX, &options->within);
  case CODE_SEPARATE:
    return options->separate = true;
  case CODE_MOVE:
    return read_shift("move", optarg, &options->shifts[options->shift_count++]);
  case CODE_ROTATE:
    return read_rotation("rotate", optarg, &options->rotations[options->rotation_count++]);
  case CODE_UNITS:
    return (options->units = optarg) != NULL;
  case CODE_JSON:
    return (options->json = optarg) != NULL;
  case CODE_CSV:
    return (options->csv = optarg) != NULL;
  case CODE_PICTURE:
    return (options->picture = optarg) != NULL;
  case CODE_ALLOW_LARGE:
    return options->allow_large = true;
  case 'q':
    return options->quiet = true;
  default:
    return read_backend_option(code, optarg, &options->scene);
  }
}

static bool outputs_make_sense(const distance_options *options) {
  const named_output outputs[] = {{"json", options->json, "JSON", ".json", false},
                                  {"csv", options->csv, "CSV", ".csv", false},
                                  {"picture", options->picture, "PNG", ".png", true}};
  const size_t count = sizeof outputs / sizeof outputs[0];
  return named_outputs_are_apart(outputs, count, options->files, options->file_count, "measured") &&
         named_outputs_end_well(outputs, count);
}

static bool files_make_sense(const distance_options *options) {
  if (options->file_count == 0) {
    complain("distance needs files with two objects or more");
    return false;
  }
  for (size_t i = 0; i < options->file_count; ++i) {
    if (options->file_count == 1 || !scene_file_is_named(options->files[i])) continue;
    complain("%s is a scene file, which is measured alone; add the other files to its objects", options->files[i]);
    return false;
  }
  return operands_are_names(options->files, options->file_count, "distance reads files");
}

static bool combination_makes_sense(const distance_options *options) {
  if (options->each && options->all) {
    complain("--each has a distance for each object, --all for every two; take one of them");
    return false;
  }
  return files_make_sense(options) && outputs_make_sense(options);
}

static options_state read_options(const command *self, int argument_count, char **arguments,
                                  distance_options *options) {
  *options = (distance_options){.scene = backend_options_start(),
                                .within = HUGE_VAL,
                                .shifts = calloc((size_t)argument_count, sizeof(shift)),
                                .rotations = calloc((size_t)argument_count, sizeof(rotation))};
  if (options->shifts == NULL || options->rotations == NULL) {
    complain("out of memory");
    return OPTIONS_REFUSED;
  }
  const options_state state = command_read_options(self, argument_count, arguments, read_option, options);
  if (state != OPTIONS_READY) return state;
  options->files = arguments + optind;
  options->file_count = (size_t)(argument_count - optind);
  if (backend_options_finish(&options->scene) && combination_makes_sense(options)) return OPTIONS_READY;
  command_hint(self);
  return OPTIONS_REFUSED;
}

/* ------------------------------------------------------------------------------------------------ reading */

static bool read_objects(const distance_options *options, scene_file *scene, object_list *objects, progress *steps) {
  objects->separate = options->separate;
  objects->allow_large = options->allow_large;
  bool good = true;
  if (scene_file_is_named(options->files[0])) {
    good = scene_file_read(options->files[0], scene) && scene_file_load(scene, options->allow_large, steps) &&
           scene_file_append(scene, NULL, objects);
  } else {
    for (size_t i = 0; good && i < options->file_count; ++i) good = object_list_read(objects, options->files[i], steps);
  }
  for (size_t i = 0; good && i < options->rotation_count; ++i)
    good = object_list_rotate(objects, &options->rotations[i]);
  for (size_t i = 0; good && i < options->shift_count; ++i) good = object_list_shift(objects, &options->shifts[i]);
  if (good && objects->count < 2) {
    complain("distances are between objects, and there is %s; --separate makes objects of the parts of a file",
             counted(objects->count, "object").text);
    return false;
  }
  return good;
}

/* Objects of a new scene have the numbers of the list, and the first generation. */
static graze_result fill_scene(graze_scene *scene, const object_list *objects, const scene_file *file) {
  graze_result result = GRAZE_OK;
  graze_object object;
  for (size_t i = 0; result == GRAZE_OK && i < objects->count; ++i)
    result = object_list_add_to(objects, i, scene, &object);
  for (size_t i = 0; result == GRAZE_OK && i < file->exclusion_count; ++i)
    result = graze_scene_exclude(scene, (graze_object){(uint32_t)file->exclusions[i][0], 1},
                                 (graze_object){(uint32_t)file->exclusions[i][1], 1}, true);
  return result == GRAZE_OK ? graze_scene_update(scene) : result;
}

static graze_result find(const graze_scene *scene, distance_outcome *outcome) {
  const distance_options *options = outcome->options;
  graze_nearest_options how = graze_nearest_options_default();
  const bool all = options->all || (!options->each && options->within < HUGE_VAL);
  how.scope = options->each ? GRAZE_NEAREST_EACH_OBJECT : all ? GRAZE_NEAREST_OBJECT_PAIRS : GRAZE_NEAREST_OF_ALL;
  how.max_distance = options->within;
  return graze_scene_find_nearest(scene, &how, &outcome->nearests);
}

/* ------------------------------------------------------------------------------------------------ telling */

static bool is_standard_output(const char *path) {
  return path != NULL && strcmp(path, "-") == 0;
}

static bool write_file(const distance_outcome *outcome, const char *path, output_file *file,
                       void (*write)(const distance_outcome *, FILE *)) {
  if (path == NULL || is_standard_output(path)) return true;
  if (!output_file_open(file, path)) return false;
  write(outcome, file->stream);
  return output_file_close(file);
}

/* All files are written before the first takes its name, so that a full disk leaves none of them half or alone. */
static bool write_files(const distance_outcome *outcome, const graze_scene *scene) {
  const distance_options *options = outcome->options;
  output_file json = {0}, csv = {0}, picture = {0};
  bool good = write_file(outcome, options->json, &json, distance_outcome_write_json) &&
              write_file(outcome, options->csv, &csv, distance_outcome_write_csv) &&
              (options->picture == NULL ||
               (output_file_plan(&picture, options->picture) && distance_outcome_draw(outcome, scene, &picture)));
  output_file *const files[] = {&json, &csv, &picture};
  for (size_t i = 0; i < 3; ++i) good = good && (files[i]->path == NULL || output_file_publish(files[i]));
  for (size_t i = 0; i < 3; ++i) output_file_discard(files[i]);
  return good;
}

static exit_code tell(const distance_outcome *outcome, const graze_scene *scene) {
  const distance_options *options = outcome->options;
  const bool taken = is_standard_output(options->json) || is_standard_output(options->csv);
  if (is_standard_output(options->json)) distance_outcome_write_json(outcome, stdout);
  if (is_standard_output(options->csv)) distance_outcome_write_csv(outcome, stdout);
  if (!options->quiet) distance_outcome_write_words(outcome, taken ? stderr : stdout);
  if (!write_files(outcome, scene)) return EXIT_CODE_TROUBLE;
  return finish_standard_output();
}

static exit_code measure(const distance_options *options, object_list *objects, scene_file *file) {
  graze_scene *scene = NULL;
  if (!backend_make_scene(&options->scene, &scene)) return EXIT_CODE_TROUBLE;
  distance_outcome outcome = {.options = options, .objects = objects};
  progress steps = progress_start(options->quiet);
  const double start = clock_milliseconds();
  exit_code code = EXIT_CODE_TROUBLE;
  if (read_objects(options, file, objects, &steps)) {
    const double middle = clock_milliseconds();
    outcome.reading_ms = middle - start;
    graze_result result = fill_scene(scene, objects, file);
    if (result == GRAZE_OK) result = find(scene, &outcome);
    outcome.search_ms = clock_milliseconds() - middle;
    code = result == GRAZE_OK ? tell(&outcome, scene) : complain("%s", library_message(result));
  }
  graze_nearests_free(&outcome.nearests);
  graze_scene_destroy(scene);
  return code;
}

static exit_code run_distance(const command *self, int argument_count, char **arguments) {
  distance_options options;
  object_list objects = {0};
  scene_file file = {0};
  exit_code code = EXIT_CODE_TROUBLE;
  const options_state state = read_options(self, argument_count, arguments, &options);
  if (state == OPTIONS_READY) code = measure(&options, &objects, &file);
  if (state == OPTIONS_ANSWERED) code = finish_standard_output();
  object_list_release(&objects);
  scene_file_release(&file);
  free(options.shifts);
  free(options.rotations);
  return code;
}
