/* `graze pack`: reads a closed mesh, fills it with spheres, and writes the requested outputs. */
#include "frame_list.h"
#include "interruption.h"
#include "mesh_surface.h"
#include "output_file.h"
#include "pack_carry.h"
#include "page_file.h"

#include "mesh_io/mesh_file.h"
#include "mesh_io/mesh_format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 4096, PICTURE_WIDTH = 1600, PICTURE_HEIGHT = 1200, CAPTION_BYTES = 128 };

/* More spheres than any body needs, and far below the range of an index. */
enum { COUNT_MOST = 100000000 };

static const command_option pack_option_table[] = {
    {"count", 0, "N", OPTION_USUAL, OPTION_SIZE(pack_options, limits.count, 1, COUNT_MOST),
     "at most N spheres (default 10000)"},
    {"fill", 0, "PART", OPTION_USUAL, OPTION_POSITIVE(pack_options, limits.fill_rate, 1),
     "stop when the spheres fill this fraction of the volume, such as 0.9"},
    {"smallest", 0, "RADIUS", OPTION_USUAL, OPTION_POSITIVE(pack_options, limits.smallest_radius, 0),
     "radius of the smallest sphere (default: 1e-6 of the diagonal)"},
    {"seed", 0, "N", OPTION_USUAL, OPTION_U64(pack_options, limits.seed, 0, UINT64_MAX),
     "random seed of the initial prototypes"},
    {"output", 'o', "FILE", OPTION_OUTPUT, OPTION_TEXT(pack_options, output),
     "write the spheres: .csv or .ply, also with .gz"},
    {"carried", 0, "NAME", OPTION_OUTPUT, OPTION_TEXT(pack_options, carried),
     "write the spheres of each frame, to a name with %d or %04d"},
    {"json", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(pack_options, json),
     "write the result as JSON; - is standard output"},
    {"picture", 0, "FILE.png", OPTION_OUTPUT, OPTION_TEXT(pack_options, picture), "draw the spheres"},
    {"report", 0, "FILE.html", OPTION_OUTPUT, OPTION_TEXT(pack_options, report),
     "write a page that shows the spheres by level in any browser"},
    CAMERA_OPTION_ROWS(pack_options),
    BACKEND_OPTION_ROWS(pack_options, run),
    ALLOW_LARGE_ROW(pack_options),
    {"quiet", 'q', NULL, OPTION_USUAL, OPTION_FLAG(pack_options, quiet),
     "print only errors; requested files are still written"},
    HELP_OPTION_ROW,
    {0},
};

static exit_code run_pack(const command *self, int argument_count, char **arguments);

const command pack_command = {
    .name = "pack",
    .summary = "fill a closed mesh with spheres that do not overlap",
    .synopsis = "MESH [FRAME ...] [options]",
    .description = "Fills a closed mesh of triangles from inside with spheres of many sizes, largest first. The\n"
                   "result is the same for every number of threads, and on a GPU. A final check proves, exactly,\n"
                   "that no two spheres overlap and none leaves the mesh. A mesh that is not closed is refused;\n"
                   "the message states where the hole is. A mesh that faces inward is treated as if reversed.\n"
                   "Cavities stay free. Self-intersections of the mesh are reported.\n"
                   "For a body of tetrahedra the surface is filled. Files after it are frames of the body, with\n"
                   "the same tetrahedra. They carry the spheres along; spheres shrink as needed to stay apart\n"
                   "and inside. Every frame is checked exactly.\n"
                   "\n"
                   "Ctrl-C ends the packing: the spheres placed so far are certified and written.\n"
                   "\n"
                   "Exit status: 0 if the mesh was packed, 130 if interrupted, 2 on an error.\n",
    .options = pack_option_table,
    .examples = "  graze make torus --primitives 2000 --output torus.obj\n"
                "  graze pack torus.obj --count 500 --output torus.csv\n"
                "  graze check torus.csv torus.obj\n"
                "  graze pack torus.obj --fill 0.75 --picture torus.png --json torus.json\n"
                "  graze pack torus.obj --count 100 --quiet --json -\n"
                "  graze pack torus.obj --count 300 --report torus.html\n"
                "  graze make soft-pair --primitives 600 --frames 3 --separate --output 'soft_%d.msh'\n"
                "  graze pack soft_0_1.msh soft_0_2.msh soft_0_3.msh --count 50 --carried 'soft_%d.csv'\n",
    .run = run_pack,
};

/* Checked before packing, which may take minutes. */
static bool output_can_hold_spheres(const char *output) {
  bool compressed;
  if (output == NULL) return true;
  if (mesh_format_is_written(mesh_format_of_name(output, &compressed), MESH_SPHERES)) return true;
  return decline("%s: spheres are written to %s files", output, mesh_endings_storing(STORES_SPHERES).text);
}

static bool carried_makes_sense(const pack_options *options) {
  number_place place;
  if (options->carried == NULL) return true;
  if (options->frame_count == 0)
    return decline("--carried %s: there are no frames; give their files after the body", options->carried);
  if (number_place_find(options->carried, &place))
    return number_place_is_only(&place, options->carried, "--carried ") && output_can_hold_spheres(options->carried);
  return decline("--carried %s: each frame needs its own file: give a name with %%04d", options->carried);
}

enum pack_output { PACK_SPHERES, PACK_JSON, PACK_PICTURE, PACK_REPORT, PACK_OUTPUTS };

static void list_outputs(const pack_options *options, named_output outputs_out[PACK_OUTPUTS]) {
  outputs_out[PACK_SPHERES] = (named_output){"output", options->output, "spheres", "", false, true};
  outputs_out[PACK_JSON] = (named_output){"json", options->json, "JSON", ".json", false, false};
  outputs_out[PACK_PICTURE] = (named_output){"picture", options->picture, "PNG", ".png", true, true};
  outputs_out[PACK_REPORT] = (named_output){"report", options->report, "HTML", ".html", true, false};
}

static bool outputs_make_sense(const pack_options *options) {
  named_output outputs[PACK_OUTPUTS];
  char *const inputs[] = {(char *)(uintptr_t)options->file};
  list_outputs(options, outputs);
  return named_outputs_are_apart(outputs, PACK_OUTPUTS, inputs, 1, "packed") &&
         named_outputs_end_well(outputs + PACK_JSON, PACK_OUTPUTS - PACK_JSON) &&
         output_can_hold_spheres(options->output) && carried_makes_sense(options) &&
         drawing_options_have_picture(&options->drawing, options->picture, options->report) &&
         (options->report == NULL || page_exists("--report"));
}

static bool combination_makes_sense(int argument_count, char **arguments, pack_options *options) {
  if (optind == argument_count) return decline("pack needs a mesh");
  options->file = arguments[optind];
  options->frames = arguments + optind + 1;
  options->frame_count = (size_t)(argument_count - optind - 1);
  return operands_are_names(arguments + optind, options->frame_count + 1, "pack reads files") &&
         outputs_make_sense(options);
}

static options_state read_options(const command *self, int argument_count, char **arguments, pack_options *options) {
  *options = (pack_options){
      .limits = graze_packing_options_default(), .run = backend_options_start(), .drawing = drawing_options_start()};
  option_set given;
  const options_state state = command_read_options(self, argument_count, arguments, options, &given);
  if (state != OPTIONS_READY) return state;
  if (backend_options_finish(&options->run) && combination_makes_sense(argument_count, arguments, options))
    return OPTIONS_READY;
  command_hint(self);
  return OPTIONS_REFUSED;
}

static graze_result make_workers(const pack_options *options, graze_workers **workers_out) {
  graze_workers_def def = graze_workers_def_default();
  def.worker_count = options->run.thread_count;
  return graze_workers_create(&def, workers_out);
}

typedef struct bar {
  progress *steps;
  const graze_packing_options *limits;
} bar;

/* A fill rate of 1 is unreachable, so progress goes by the count. */
static void draw_bar(void *context, size_t count, double fill_rate) {
  const bar *drawn = context;
  const double by_count = (double)count / (double)drawn->limits->count;
  const double by_fill = drawn->limits->fill_rate < 1.0 ? fill_rate / drawn->limits->fill_rate : 0.0;
  progress_filling(drawn->steps, count, drawn->limits->count, fill_rate, by_count > by_fill ? by_count : by_fill);
}

static bool finish_interrupted(void *context) {
  pack_outcome *outcome = context;
  return outcome->interrupted = interruption_came(NULL);
}

static bool pack_body(pack_outcome *outcome, progress *steps) {
  graze_packing_options limits = outcome->options->limits;
  const bar drawn = {steps, &outcome->options->limits};
  const graze_backend_def backend = backend_options_def(&outcome->options->run);
  limits.backend = &backend;
  limits.progress = draw_bar;
  limits.progress_context = (void *)(uintptr_t)&drawn;
  limits.should_finish = finish_interrupted;
  limits.finish_context = outcome;
  graze_mesh_def body = graze_mesh_def_default();
  body.name = outcome->options->file;
  body.positions = (graze_view){outcome->body->positions, outcome->body->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  body.triangles = (graze_view){outcome->body->triangles, outcome->body->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  graze_result result = make_workers(outcome->options, &limits.workers);
  if (result == GRAZE_OK) result = graze_pack_spheres(&body, &limits, &outcome->packing);
  graze_workers_destroy(limits.workers);
  progress_bar_done(steps);
  if (result != GRAZE_OK) complain("%s: %s", outcome->options->file, graze_error_text());
  return result == GRAZE_OK;
}

/* An outcome and the mesh of its spheres, for the outputs. */
typedef struct written_packing {
  const pack_outcome *outcome;
  mesh spheres;
} written_packing;

static bool write_spheres(const pack_outcome *outcome, const mesh *spheres, const output_file *file) {
  char message[MESSAGE_BYTES] = "", comment[CAPTION_BYTES];
  mesh_write_options how = {.comment = NULL};
  if (outcome->interrupted) {
    snprintf(comment, sizeof comment, "partial: interrupted after %zu of at most %zu spheres", outcome->packing.count,
             outcome->options->limits.count);
    how.comment = comment;
  }
  const bool written = mesh_file_write(file->partial_path, spheres, 1, &how, message, sizeof message);
  if (!written) output_file_complain(file, message);
  return written;
}

static bool draw_spheres(const pack_outcome *outcome, const mesh *spheres, const output_file *file) {
  char message[MESSAGE_BYTES] = "", caption[CAPTION_BYTES];
  snprintf(caption, sizeof caption, "%s, %.2f %% full", counted(outcome->packing.count, "sphere").text,
           100.0 * outcome->packing.fill_rate);
  picture_options how = picture_options_default();
  how.caption = caption;
  how.camera = outcome->options->drawing.camera;
  const bool drawn =
      picture_draw(file->partial_path, spheres, 1, NULL, PICTURE_WIDTH, PICTURE_HEIGHT, &how, message, sizeof message);
  if (!drawn) output_file_complain(file, message);
  return drawn;
}

static void write_result(const void *outcome, FILE *stream) {
  pack_outcome_write_json(outcome, stream);
}

/* The body, and its spheres in the order of placement. */
static bool write_page(const pack_outcome *outcome, const mesh *spheres, FILE *stream) {
  object_list objects = {0};
  const page_heading heading = {.command = "pack",
                                .title = outcome->options->file,
                                .up = up_axis_name(outcome->options->drawing.camera.up),
                                .write_result = write_result,
                                .outcome = outcome};
  const page_frame frame = {.objects = &objects};
  const bool written = object_list_copy(&objects, outcome->options->file, outcome->body, 1) &&
                       object_list_copy(&objects, "spheres", spheres, 1) &&
                       page_file_write_frame(&heading, &frame, stream);
  object_list_release(&objects);
  return written;
}

static bool write_output(const void *context, size_t output, const output_file *file) {
  const written_packing *written = context;
  if (output == PACK_SPHERES) return write_spheres(written->outcome, &written->spheres, file);
  if (output == PACK_PICTURE) return draw_spheres(written->outcome, &written->spheres, file);
  if (output == PACK_REPORT) return write_page(written->outcome, &written->spheres, file->stream);
  pack_outcome_write_json(written->outcome, file->stream);
  return true;
}

static exit_code report_outcome(const pack_outcome *outcome) {
  const pack_options *options = outcome->options;
  written_packing written = {.outcome = outcome};
  named_output outputs[PACK_OUTPUTS];
  list_outputs(options, outputs);
  const bool complete = pack_sphere_mesh(outcome->packing.spheres, outcome->packing.count, &written.spheres) &&
                        outputs_write(outputs, PACK_OUTPUTS, write_output, &written);
  mesh_free(&written.spheres);
  if (!complete) return EXIT_CODE_TROUBLE;
  if (!options->quiet)
    pack_outcome_write_words(outcome, outputs_take_standard_output(outputs, PACK_OUTPUTS) ? stderr : stdout);
  const exit_code code = finish_standard_output();
  if (!outcome->interrupted || code != EXIT_CODE_NOTHING) return code;
  char frames[CAPTION_BYTES] = "";
  if (options->frame_count > 0)
    snprintf(frames, sizeof frames, " and %zu of %zu frames", outcome->carried_count, options->frame_count);
  complain("interrupted after %zu of at most %zu spheres%s; they are certified%s", outcome->packing.count,
           options->limits.count, frames, options->output != NULL ? " and written" : "");
  return EXIT_CODE_STOPPED;
}

/* Without a sphere there is nothing to write. */
static exit_code give_up(void) {
  complain("interrupted before the first sphere was placed; nothing was written");
  return EXIT_CODE_STOPPED;
}

static exit_code pack_surface(pack_outcome *outcome, progress *steps) {
  bool done = pack_body(outcome, steps);
  const bool has_nothing = outcome->interrupted && outcome->packing.count == 0;
  if (done && !has_nothing && outcome->options->frame_count > 0) done = pack_carry_frames(outcome, steps);
  const exit_code code = !done ? EXIT_CODE_TROUBLE : has_nothing ? give_up() : report_outcome(outcome);
  free(outcome->frames);
  graze_packing_free(&outcome->packing);
  return code;
}

/* For a solid, its surface is packed: the faces of exactly one tetrahedron. */
static exit_code pack_solid(pack_outcome *outcome, progress *steps) {
  const mesh *body = outcome->body;
  mesh_surface surface = {0};
  uint8_t *none_marked = calloc(body->tetrahedron_count + 1, 1);
  exit_code code = EXIT_CODE_TROUBLE;
  if (none_marked != NULL && mesh_surface_make(body, none_marked, &surface)) {
    outcome->tetrahedra = body;
    outcome->body = &surface.drawn;
    code = pack_surface(outcome, steps);
  } else {
    complain("out of memory");
  }
  mesh_surface_release(&surface);
  free(none_marked);
  return code;
}

static exit_code pack_mesh(pack_outcome *outcome, progress *steps) {
  const mesh_kind kind = outcome->body->kind;
  if (kind == MESH_TETRAHEDRA) return pack_solid(outcome, steps);
  if (kind != MESH_POLYGONS)
    return complain("%s: pack fills surfaces of triangles and bodies of tetrahedra; this file has other elements",
                    outcome->options->file);
  if (outcome->options->frame_count > 0)
    return complain("%s: only bodies of tetrahedra have frames, and this is a surface; unexpected operand \"%s\"",
                    outcome->options->file, outcome->options->frames[0]);
  return pack_surface(outcome, steps);
}

/* Checked before packing, which may take minutes. */
static bool frames_are_readable(const pack_options *options) {
  for (size_t i = 0; i < options->frame_count; i++) {
    FILE *frame = fopen(options->frames[i], "rb");
    if (frame == NULL) return decline("%s: cannot be opened: %s", options->frames[i], strerror(errno));
    fclose(frame);
  }
  return true;
}

static exit_code pack_file(const pack_options *options) {
  if (!backend_is_available(&options->run) || !frames_are_readable(options)) return EXIT_CODE_TROUBLE;
  interruption_watch();
  progress steps = progress_start(options->quiet);
  const mesh_read_options how = {.allow_large = options->allow_large, .should_stop = interruption_came};
  mesh *meshes = NULL;
  size_t mesh_count = 0;
  char message[MESSAGE_BYTES] = "";
  const double start = clock_milliseconds();
  progress_reading(&steps, options->file);
  const bool read = mesh_file_read(options->file, &how, &meshes, &mesh_count, message, sizeof message);
  progress_done(&steps, read ? "done" : "failed");
  if (!read) return interruption_came(NULL) ? give_up() : complain("%s", message);
  if (meshes->note != NULL && !options->quiet) remark("%s: %s", options->file, meshes->note);
  pack_outcome outcome = {.options = options, .body = meshes, .reading_ms = clock_milliseconds() - start};
  const exit_code code = pack_mesh(&outcome, &steps);
  mesh_list_free(meshes, mesh_count);
  return code;
}

static exit_code run_pack(const command *self, int argument_count, char **arguments) {
  pack_options options;
  const options_state state = read_options(self, argument_count, arguments, &options);
  return state != OPTIONS_READY ? command_end(state) : pack_file(&options);
}
