/* `graze distance`: reads the files, finds least distances, and writes the requested outputs. */
#include "distance_search.h"

#include "mesh_io/format_list.h"

#include <string.h>

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

/* All files are written before the first is renamed, so that a full disk leaves no partial or incomplete set of
 * files. */
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

static exit_code report_outcome(const distance_outcome *outcome, const graze_scene *scene) {
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
  exit_code code = EXIT_CODE_TROUBLE;
  const options_state state = distance_options_read(self, argument_count, arguments, &options);
  if (state == OPTIONS_READY) code = measure(&options, &objects, &file);
  if (state == OPTIONS_ANSWERED) code = finish_standard_output();
  object_list_release(&objects);
  scene_file_release(&file);
  distance_options_release(&options);
  return code;
}
