/* The options of `graze play`: the table, the reading, and the check of combinations. */
#include "play_options.h"

#include "output_file.h"
#include "page_file.h"
#include "scene_file.h"
#include "scene_source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const command_option play_option_table[] = {
    {"primitives", 0, "N", OPTION_USUAL, OPTION_U64(play_options, parameters.primitives, 1, SCENE_PRIMITIVE_LIMIT),
     "built-in scenes: approximate number of triangles, tetrahedra or spheres"},
    {"frames", 0, "N", OPTION_USUAL, OPTION_U64(play_options, parameters.frames, 1, SCENE_FRAME_LIMIT),
     "built-in scenes: number of frames"},
    {"seed", 0, "N", OPTION_USUAL, OPTION_U64(play_options, parameters.seed, 0, UINT64_MAX),
     "built-in scenes: random seed"},
    {"list", 0, NULL, OPTION_USUAL, OPTION_FLAG(play_options, list), "list the built-in scenes"},
    {"self", 0, NULL, OPTION_USUAL, OPTION_FLAG(play_options, self),
     "with several sequences: also find the pairs within each object"},
    {"separate", 0, NULL, OPTION_USUAL, OPTION_FLAG(play_options, separate),
     "make each part of a file an object, tested against the others as well:\n"
     "groups of an OBJ file, solids of an STL file, placed meshes of a glTF or\n"
     "3MF file"},
    {"exclude", 0, "A,B", OPTION_USUAL, OPTION_READ(option_read_exclusion, play_options, exclusions),
     "skip all pairs between two objects, each given by number or by its name\n"
     "in the first frame; may be repeated"},
    {"exclude-file", 0, "FILE", OPTION_USUAL, OPTION_READ(option_read_exclusion, play_options, exclusions),
     "read such pairs from a file, one A,B on each line; # begins a comment"},
    {"csv", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(play_options, csv),
     "write a row for each frame as CSV; - is standard output"},
    {"json", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(play_options, json),
     "write everything as JSON; - is standard output"},
    {"picture", 0, "FILE.png", OPTION_OUTPUT, OPTION_TEXT(play_options, picture),
     "draw a frame and mark primitives that intersect"},
    {"picture-frame", 0, "N", OPTION_PICTURE, OPTION_U64(play_options, picture_frame, 1, SIZE_MAX),
     "the frame to draw, from 1 (default: the last)"},
    DRAWING_OPTION_ROWS(play_options),
    {"plot", 0, "FILE.svg", OPTION_OUTPUT, OPTION_TEXT(play_options, plot), "plot the milliseconds of each frame"},
    {"report", 0, "FILE.html", OPTION_OUTPUT, OPTION_TEXT(play_options, report),
     "write a page that shows all frames and their clashes in any browser"},
    {"compare-methods", 0, NULL, OPTION_RESEARCH, OPTION_FLAG(play_options, compare_methods),
     "find the pairs of every frame with all methods, and report whether they\n"
     "agree; the exit status is 2 if they do not"},
    {"keep-going", 0, NULL, OPTION_USUAL, OPTION_FLAG(play_options, keep_going),
     "skip frames that cannot be read, and list them at the end"},
    SEARCH_OPTION_ROWS(play_options, "skip"),
    ALLOW_LARGE_ROW(play_options),
    {"quiet", 'q', NULL, OPTION_USUAL, OPTION_FLAG(play_options, quiet),
     "print only errors; the exit status is the result"},
    HELP_OPTION_ROW,
    {0},
};

static bool outputs_make_sense(const play_options *options) {
  const named_output outputs[] = {{"json", options->json, "JSON", ".json", false, false},
                                  {"csv", options->csv, "CSV", ".csv", false, false},
                                  {"picture", options->picture, "PNG", ".png", true, true},
                                  {"plot", options->plot, "SVG", ".svg", true, false},
                                  {"report", options->report, "HTML", ".html", true, false}};
  const size_t count = sizeof outputs / sizeof outputs[0];
  return named_outputs_are_apart(outputs, count, options->operands, options->operand_count, "played") &&
         named_outputs_end_well(outputs, count);
}

/* An existing path is a file. A missing one that does not look like a file is a misspelled scene. */
static bool choose_scene(const command *self, option_set given, play_options *options) {
  const char *name = options->operands[0];
  const bool exists = access(name, F_OK) == 0;
  options->scene = exists ? NULL : moving_scene_find(name);
  if (options->scene == NULL && !exists && options->operand_count == 1 && strpbrk(name, "./%*?[") == NULL) {
    refuse_scene(name);
    return false;
  }
  if (options->scene != NULL && options->operand_count > 1)
    return decline("play plays one scene at a time; unexpected operand \"%s\"", options->operands[1]);
  if (options->scene == NULL && first_option_given(self, given, "primitives frames seed") != NULL) {
    return decline("--primitives, --frames and --seed require a built-in scene, see 'graze play --list'");
  }
  if (options->scene != NULL && options->separate)
    return decline("--separate is for files; the objects of a scene are separate");
  return true;
}

static const option_rule rules[] = {
    {"picture-frame", NULL, "picture", "--%s requires --picture FILE.png"},
    {"candidates", "zoom-to", NULL, "--%s needs pairs that intersect; --candidates does not test them"},
    {0}};

static bool combination_makes_sense(const command *self, option_set given, play_options *options) {
  if (options->operand_count == 0)
    return decline("play needs frames (a folder, a pattern or files) or the name of a scene");
  if (!operands_are_names(options->operands, options->operand_count, "play reads files") ||
      !choose_scene(self, given, options) ||
      !scene_file_is_only(options->operands, options->operand_count, "played alone", &options->is_scene_file))
    return false;
  if (options->is_scene_file && options->separate)
    return decline("--separate is for mesh files; the objects of a scene file are separate");
  return outputs_make_sense(options) && option_rules_hold(self, given, rules) &&
         drawing_options_have_picture(&options->drawing, options->picture, options->report) &&
         (options->report == NULL || page_exists("--report"));
}

options_state play_options_read(const command *self, int argument_count, char **arguments, play_options *options) {
  option_set given;
  *options = (play_options){.search = search_options_start(), .drawing = drawing_options_start()};
  const options_state state = command_read_options(self, argument_count, arguments, options, &given);
  if (state != OPTIONS_READY) return state;
  if (options->list) {
    write_scenes(stdout);
    return OPTIONS_ANSWERED;
  }
  options->operands = arguments + optind;
  options->operand_count = (size_t)(argument_count - optind);
  if (backend_options_finish(&options->search.scene) && combination_makes_sense(self, given, options))
    return OPTIONS_READY;
  command_hint(self);
  return OPTIONS_REFUSED;
}

void play_options_release(play_options *options) {
  free(options->exclusions.items);
  *options = (play_options){0};
}
