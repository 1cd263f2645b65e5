/* `graze distance`: reads the files, finds least distances, and writes the requested outputs. */
#include "distance_search.h"
#include "output_file.h"
#include "scene_file.h"

#include "mesh_io/format_list.h"

#include <stdlib.h>

/* Any finite distance. */
static bool read_within(const command_option *option, char *value, void *member) {
  return read_positive_number(option->name, value, DBL_MAX, member);
}

static const command_option distance_option_table[] = {
    {"each", 0, NULL, OPTION_USUAL, OPTION_FLAG(distance_options, each),
     "report the distance from each object to its nearest other object"},
    {"all", 0, NULL, OPTION_USUAL, OPTION_FLAG(distance_options, all), "report the distance of each pair of objects"},
    {"within", 0, "D", OPTION_USUAL, OPTION_READ(read_within, distance_options, within),
     "skip objects farther apart than D; implies --all, except with --each"},
    {"separate", 0, NULL, OPTION_USUAL, OPTION_FLAG(distance_options, separate),
     "make each part of a file an object: groups of an OBJ file,\n"
     "solids of an STL file, placed meshes of a glTF or 3MF file"},
    {"exclude", 0, "A,B", OPTION_USUAL, OPTION_READ(option_read_exclusion, distance_options, exclusions),
     "skip a pair of objects, each given by number or name; may be repeated"},
    {"exclude-file", 0, "FILE", OPTION_USUAL, OPTION_READ(option_read_exclusion, distance_options, exclusions),
     "read such pairs from a file, one A,B on each line; # begins a comment"},
    {"depths", 0, NULL, OPTION_USUAL, OPTION_FLAG(distance_options, depths),
     "if objects touch or overlap, report minus the distance that one must move\n"
     "to separate them: an estimate, which may be above 0 if they only touch"},
    {"poses", 0, "FILE", OPTION_PLACEMENT, OPTION_TEXT(distance_options, poses),
     "place objects by the matrices or poses of a CSV or JSON file; with a\n"
     "column frame, report the distances in each frame"},
    {"rotate", 0, "N=x,y,z", OPTION_PLACEMENT, OPTION_READ(option_read_rotation, distance_options, moves),
     "rotate object N about the origin, by degrees about x, then y, then z;\n"
     "N=x,y,z,angle: about an axis; may be repeated"},
    {"move", 0, "N=x,y,z", OPTION_PLACEMENT, OPTION_READ(option_read_move, distance_options, moves),
     "move object N (the first is 0); may be repeated"},
    {"units", 0, "WORD", OPTION_USUAL, OPTION_TEXT(distance_options, units),
     "print this unit after distances, for example mm; no conversion"},
    {"json", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(distance_options, json),
     "write everything as JSON; - is standard output"},
    {"csv", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(distance_options, csv),
     "write a row for each distance as CSV; - is standard output"},
    {"picture", 0, "FILE.png", OPTION_OUTPUT, OPTION_TEXT(distance_options, picture),
     "draw the scene and mark the nearest primitives and points"},
    BACKEND_OPTION_ROWS(distance_options, scene),
    ALLOW_LARGE_ROW(distance_options),
    {"quiet", 'q', NULL, OPTION_USUAL, OPTION_FLAG(distance_options, quiet),
     "print only errors; requested files are still written"},
    HELP_OPTION_ROW,
    {0},
};

static exit_code run_distance(const command *self, int argument_count, char **arguments);

const command distance_command = {
    .name = "distance",
    .summary = "measure how far apart meshes are, and where they are nearest",
    .synopsis = "FILE|FOLDER [FILE|FOLDER ...]|SCENE.json [options]",
    .description = "Finds the two nearest objects and their distance. Reports which primitives are nearest, and\n"
                   "where. An interval is proven to contain the true distance. The distance is 0 if objects\n"
                   "touch or overlap.\n"
                   "Files end in" MESH_ENDINGS ",\n"
                   "each also with .gz.\n"
                   "A folder stands for its mesh files and those of its subfolders, part2 before part10.\n"
                   "A scene file places meshes as objects with poses, which may differ in each frame:\n"
                   "docs/guide/scene_file.md. Surfaces are not filled: one inside another has a positive distance.\n"
                   "If the outer one is closed, a note names the two.\n"
                   "\n"
                   "Exit status: 0 on success, 2 on an error.\n",
    .options = distance_option_table,
    .examples = "  graze make torus --triangles 2000 --output torus.obj\n"
                "  graze make sphere --triangles 500 --output ball.obj\n"
                "  graze distance torus.obj ball.obj --move 1=4,0,0\n"
                "  graze distance torus.obj ball.obj --move 1=4,0,0 --units mm --picture way.png\n"
                "  graze distance torus.obj ball.obj ball.obj --move 1=4,0,0 --move 2=9,0,0 --each\n"
                "  graze distance torus.obj ball.obj ball.obj --move 1=4,0,0 --move 2=9,0,0 --within 5 --csv near.csv\n"
                "  graze distance torus.obj ball.obj --move 1=1.5,0,0 --depths\n"
                "  graze distance torus.obj ball.obj ball.obj --move 1=4,0,0 --move 2=9,0,0 --exclude 1,2\n"
                "  graze distance torus.obj ball.obj --move 1=4,0,0 --quiet --json -\n",
    .run = run_distance,
};

enum distance_output { DISTANCE_JSON, DISTANCE_CSV, DISTANCE_PICTURE, DISTANCE_OUTPUTS };

static void list_outputs(const distance_options *options, named_output outputs_out[DISTANCE_OUTPUTS]) {
  outputs_out[DISTANCE_JSON] = (named_output){"json", options->json, "JSON", ".json", false, false};
  outputs_out[DISTANCE_CSV] = (named_output){"csv", options->csv, "CSV", ".csv", false, false};
  outputs_out[DISTANCE_PICTURE] = (named_output){"picture", options->picture, "PNG", ".png", true, true};
}

static bool outputs_make_sense(const distance_options *options) {
  named_output outputs[DISTANCE_OUTPUTS];
  list_outputs(options, outputs);
  return named_outputs_are_apart(outputs, DISTANCE_OUTPUTS, options->files, options->file_count, "measured") &&
         named_outputs_end_well(outputs, DISTANCE_OUTPUTS);
}

static bool list_files(distance_options *options, char *const *operands, size_t operand_count) {
  if (operand_count == 0) return decline("distance needs files with at least two objects");
  if (!operands_are_names(operands, operand_count, "distance reads files") ||
      !mesh_file_list_add_all(&options->inputs, operands, operand_count))
    return false;
  options->file_count = options->inputs.count;
  options->files = mesh_file_list_paths(&options->inputs);
  return options->files != NULL;
}

static bool combination_makes_sense(const command *self, option_set given, distance_options *options) {
  static const option_rule rules[] = {
      {"each", "all", NULL, "--each and --%s exclude each other: a distance for each object, or for each pair"}, {0}};
  if (!option_rules_hold(self, given, rules) ||
      !scene_file_is_only(options->files, options->file_count, "the only file", &options->is_scene))
    return false;
  if (options->is_scene && options->separate)
    return decline("--separate is for mesh files; the objects of a scene file are separate");
  return outputs_make_sense(options);
}

static options_state read_options(const command *self, int argument_count, char **arguments,
                                  distance_options *options) {
  option_set given;
  *options = (distance_options){.scene = backend_options_start(), .within = HUGE_VAL};
  const options_state state = command_read_options(self, argument_count, arguments, options, &given);
  if (state != OPTIONS_READY) return state;
  if (backend_options_finish(&options->scene) &&
      list_files(options, arguments + optind, (size_t)(argument_count - optind)) &&
      combination_makes_sense(self, given, options))
    return OPTIONS_READY;
  command_hint(self);
  return OPTIONS_REFUSED;
}

static void release_options(distance_options *options) {
  object_moves_free(&options->moves);
  free(options->exclusions.items);
  free(options->files);
  mesh_file_list_release(&options->inputs);
  *options = (distance_options){0};
}

/* An outcome and its scene, for the outputs. */
typedef struct written_distances {
  const distance_outcome *outcome;
  const graze_scene *scene;
} written_distances;

static bool write_output(const void *context, size_t output, const output_file *file) {
  const written_distances *written = context;
  if (output == DISTANCE_PICTURE) return distance_outcome_draw(written->outcome, written->scene, file);
  (output == DISTANCE_JSON ? distance_outcome_write_json : distance_outcome_write_csv)(written->outcome, file->stream);
  return true;
}

static exit_code report_outcome(const distance_outcome *outcome, const graze_scene *scene) {
  const written_distances written = {outcome, scene};
  named_output outputs[DISTANCE_OUTPUTS];
  list_outputs(outcome->options, outputs);
  if (!outputs_write(outputs, DISTANCE_OUTPUTS, write_output, &written)) return EXIT_CODE_TROUBLE;
  const bool taken = outputs_take_standard_output(outputs, DISTANCE_OUTPUTS);
  if (!outcome->options->quiet) distance_outcome_write_words(outcome, taken ? stderr : stdout);
  return finish_standard_output();
}

static exit_code measure_objects(const distance_options *options, object_list *objects, scene_file *file) {
  graze_scene *scene = NULL;
  /* The scene is made before the files are read, so that a missing backend is reported at once. */
  if (!backend_make_scene(&options->scene, &scene)) return EXIT_CODE_TROUBLE;
  distance_outcome outcome = {.options = options, .objects = objects};
  const exit_code code = distance_search(scene, file, &outcome) ? report_outcome(&outcome, scene) : EXIT_CODE_TROUBLE;
  distance_outcome_release(&outcome);
  graze_scene_destroy(scene);
  return code;
}

static exit_code run_distance(const command *self, int argument_count, char **arguments) {
  distance_options options;
  object_list objects = {0};
  scene_file file = {0};
  const options_state state = read_options(self, argument_count, arguments, &options);
  const exit_code code = state == OPTIONS_READY ? measure_objects(&options, &objects, &file) : command_end(state);
  object_list_release(&objects);
  scene_file_release(&file);
  release_options(&options);
  return code;
}
