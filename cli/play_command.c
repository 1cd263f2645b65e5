/* `graze play`: finds the pairs of each frame, reports each while it is played, and prints totals.
 *
 * Output files are opened before the first frame, so that an unwritable folder is reported at once. They are renamed at
 * the end, also if the run was interrupted or failed after a frame. */
#include "play_frames.h"

#include "interruption.h"
#include "play_run.h"
#include "scene_frames.h"
#include "scene_source.h"

#include "mesh_io/format_list.h"

#include <inttypes.h>
#include <string.h>

void play_write_names(FILE *stream) {
  write_methods(stream);
  fputc('\n', stream);
  write_scenes(stream);
}

static exit_code run_play(const command *self, int argument_count, char **arguments);

const command play_command = {
    .name = "play",
    .summary = "find the pairs of every frame of a sequence",
    .synopsis = "FOLDER|PATTERN|FILE ...|SCENE|SCENE.json [options]",
    .description = "Finds all intersecting pairs in every frame of a sequence, as 'graze check --neighbors skip'\n"
                   "does for one. Prints a line per frame, totals, and a hash of the whole run. Frames are files\n"
                   "in natural order (frame2 before frame10), read one at a time: the given files, those of a\n"
                   "folder, or those that match a pattern: 'cloth*.ply', cloth%04d.ply. Frames may differ in\n"
                   "number, size and kind of their objects. Several folders or patterns are played in\n"
                   "parallel, each as an object of every frame; a single file stands still.\n"
                   "Files end in" MESH_ENDINGS ",\n"
                   "each also with .gz.\n"
                   "A scene file, SCENE.json, has objects and the poses of each frame: docs/guide/scene_file.md.\n"
                   "\n"
                   "Exit status: 0 if nothing intersects in any frame; 1 if something does; 2 on an error, if\n"
                   "a frame could not be played, or if methods disagree; 130 after Ctrl-C. Results so far\n"
                   "are written.\n",
    .options = play_option_table,
    .write_more = play_write_names,
    .examples = "  graze make folded-cloth --triangles 2000 --seed 1 --output cloth1.obj\n"
                "  graze make folded-cloth --triangles 2000 --seed 2 --output cloth2.obj\n"
                "  graze play cloth1.obj cloth2.obj\n"
                "  graze play cloth%d.obj --method tree --csv frames.csv\n"
                "  graze play 'cloth*.obj' --compare-methods --picture last.png --quiet\n"
                "  graze play --list\n"
                "  graze play cloth-ball --primitives 1000 --frames 10 --picture ball.png\n",
    .run = run_play,
};

static bool picture_frame_exists(const play_options *options, size_t frame_count) {
  if (options->picture_frame <= frame_count) return true;
  return decline("--picture-frame %" PRIu64 ": there %s %s", options->picture_frame, frame_count == 1 ? "is" : "are",
                 counted(frame_count, "frame").text);
}

/* The records that are open during the run. */
enum play_record { PLAY_CSV, PLAY_JSON, PLAY_PLOT, PLAY_REPORT, PLAY_RECORDS };

static bool open_files(const play_options *options, output_file files[PLAY_RECORDS], output_file *picture) {
  const char *const paths[PLAY_RECORDS] = {[PLAY_CSV] = options->csv,
                                           [PLAY_JSON] = options->json,
                                           [PLAY_PLOT] = options->plot,
                                           [PLAY_REPORT] = options->report};
  for (int i = 0; i < PLAY_RECORDS; i++)
    if (paths[i] != NULL && !is_standard_output(paths[i]) && !output_file_open(&files[i], paths[i])) return false;
  return options->picture == NULL || output_file_plan(picture, options->picture);
}

/* The requested frame was drawn when it was played. */
static bool finish_picture(play_run *run) {
  if (run->options->picture == NULL || run->drawn) return true;
  if (run->options->picture_frame == 0 && run->shows_last && run->count > 0) return play_run_draw(run);
  if (run->count == 0) return true;
  return decline("%s: not drawn, because the frame was not played", run->options->picture);
}

/* All files are written before the first is renamed. Without a frame there is nothing to write. */
static bool publish(play_run *run, output_file files[PLAY_RECORDS]) {
  if (run->count == 0) return true;
  bool complete = finish_picture(run);
  if (files[PLAY_JSON].stream != NULL) play_write_json(run, files[PLAY_JSON].stream);
  if (files[PLAY_PLOT].stream != NULL && !play_write_plot(run, files[PLAY_PLOT].stream))
    return decline("out of memory");
  if (files[PLAY_REPORT].stream != NULL && !play_page_write(run, files[PLAY_REPORT].stream)) return false;
  for (int i = 0; i < PLAY_RECORDS; i++)
    if (files[i].path != NULL && !output_file_close(&files[i])) return false;
  for (int i = 0; i < PLAY_RECORDS; i++)
    complete = (files[i].path == NULL || output_file_publish(&files[i])) && complete;
  return (!run->drawn || output_file_publish(&run->picture)) && complete;
}

static exit_code code_of(const play_run *run, bool complete) {
  if (!complete || run->unplayed_count > 0 || run->disagreements > 0) return EXIT_CODE_TROUBLE;
  if (run->interrupted) return EXIT_CODE_STOPPED;
  return play_run_totals(run).pairs == 0 ? EXIT_CODE_NOTHING : EXIT_CODE_SOMETHING;
}

static exit_code play_frames(play_run *run, output_file files[PLAY_RECORDS]) {
  const play_options *options = run->options;
  const bool csv_out = is_standard_output(options->csv), json_out = is_standard_output(options->json);
  FILE *words = options->quiet ? NULL : csv_out || json_out ? stderr : stdout;
  FILE *csv = csv_out ? stdout : files[PLAY_CSV].stream;
  progress steps = progress_start(options->quiet);
  interruption_watch();
  if (csv != NULL) play_write_csv_heading(options, csv);
  bool complete = play_run_all(run, words, csv, &steps) || run->interrupted; /* not an error */
  complete = publish(run, files) && complete;
  if (json_out) play_write_json(run, stdout);
  if (words != NULL && run->method_count > 0) play_write_totals(run, words);
  if (finish_standard_output() != EXIT_CODE_NOTHING) return EXIT_CODE_TROUBLE;
  return code_of(run, complete);
}

static exit_code play_source(play_options *options, play_run *run, const frame_list *files_or_null) {
  output_file files[PLAY_RECORDS] = {{0}};
  options->search.query.scope = run->source.parts_alone && !options->self ? GRAZE_SCOPE_BETWEEN : GRAZE_SCOPE_BOTH;
  exit_code code = EXIT_CODE_TROUBLE;
  const frame_source inner = run->source;
  if (run->searcher != NULL && run->searcher->take != NULL)
    run->source = run->searcher->take(run->searcher->context, &inner, files_or_null);
  if (picture_frame_exists(options, run->source.count) && open_files(options, files, &run->picture)) {
    code = play_frames(run, files);
  }
  for (int i = 0; i < PLAY_RECORDS; i++) output_file_discard(&files[i]);
  output_file_discard(&run->picture);
  play_run_release(run);
  return code;
}

static exit_code play_files_of(play_options *options, const frame_searcher *searcher) {
  frame_list frames = {0};
  exit_code code = EXIT_CODE_TROUBLE;
  if (frame_list_make(&frames, options->operands, options->operand_count)) {
    play_run run = {.options = options,
                    .source = frame_source_of_files(&frames),
                    .searcher = searcher,
                    .gaps = frames.gaps,
                    .gap_count = frames.gap_count};
    code = play_source(options, &run, &frames);
  }
  frame_list_release(&frames);
  return code;
}

static exit_code play_scene_file(play_options *options, const frame_searcher *searcher) {
  scene_file scene = {0};
  scene_frames frames = {0};
  progress steps = progress_start(options->quiet);
  exit_code code = EXIT_CODE_TROUBLE;
  if (scene_file_read(options->operands[0], &scene) && scene_file_load(&scene, options->allow_large, &steps) &&
      scene_frames_open(&frames, &scene)) {
    play_run run = {.options = options, .source = frame_source_of_scene_file(&frames), .searcher = searcher};
    code = play_source(options, &run, NULL);
  }
  scene_frames_close(&frames);
  scene_file_release(&scene);
  return code;
}

static exit_code play_scene(play_options *options, const frame_searcher *searcher) {
  scene_source scene = {0};
  exit_code code = EXIT_CODE_TROUBLE;
  options->parameters.worker_count = options->search.scene.thread_count;
  options->parameters.should_stop = interruption_came;
  interruption_watch();
  if (scene_source_open(&scene, options->scene, &options->parameters)) {
    play_run run = {.options = options, .source = frame_source_of_scene(&scene), .searcher = searcher};
    code = play_source(options, &run, NULL);
  }
  scene_source_close(&scene);
  return code;
}

exit_code play_frames_of(play_options *options, const frame_searcher *searcher) {
  if (options->is_scene_file) return play_scene_file(options, searcher);
  return options->scene == NULL ? play_files_of(options, searcher) : play_scene(options, searcher);
}

static exit_code run_play(const command *self, int argument_count, char **arguments) {
  play_options options;
  const options_state state = play_options_read(self, argument_count, arguments, &options);
  const exit_code code = state != OPTIONS_READY ? command_end(state) : play_frames_of(&options, NULL);
  play_options_release(&options);
  return code;
}
