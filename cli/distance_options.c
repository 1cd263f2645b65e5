/* The options of `graze distance`: the table, the reading, and the check of combinations. */
#include "distance_options.h"

#include "complaint.h"
#include "output_file.h"
#include "scene_file.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
  CODE_EACH = OPTION_CODE_FIRST,
  CODE_ALL,
  CODE_WITHIN,
  CODE_SEPARATE,
  CODE_DEPTHS,
  CODE_POSES,
  CODE_EXCLUDE,
  CODE_EXCLUDE_FILE,
  CODE_MOVE,
  CODE_ROTATE,
  CODE_UNITS,
  CODE_JSON,
  CODE_CSV,
  CODE_PICTURE
};

const command_option distance_option_table[] = {
    {"each", CODE_EACH, NULL, "report the distance from each object to its nearest other object"},
    {"all", CODE_ALL, NULL, "report the distance of each pair of objects"},
    {"within", CODE_WITHIN, "D", "skip objects farther apart than D; implies --all, except with --each"},
    {"separate", CODE_SEPARATE, NULL,
     "make each part of a file an object: groups of an OBJ file,\n"
     "solids of an STL file, placed meshes of a glTF or 3MF file"},
    {"exclude", CODE_EXCLUDE, "A,B", "skip a pair of objects, each given by number or name; may be repeated"},
    {"exclude-file", CODE_EXCLUDE_FILE, "FILE",
     "read such pairs from a file, one A,B on each line; # begins a comment"},
    {"depths", CODE_DEPTHS, NULL,
     "if objects touch or overlap, report minus the distance that one must move\n"
     "to separate them: an estimate, which may be above 0 if they only touch"},
    {"poses", CODE_POSES, "FILE",
     "place objects by the matrices or poses of a CSV or JSON file; with a\n"
     "column frame, report the distances in each frame"},
    {"rotate", CODE_ROTATE, "N=x,y,z",
     "rotate object N about the origin, by degrees about x, then y, then z;\n"
     "N=x,y,z,angle: about an axis; may be repeated"},
    {"move", CODE_MOVE, "N=x,y,z", "move object N (the first is 0); may be repeated"},
    {"units", CODE_UNITS, "WORD", "print this unit after distances, for example mm; no conversion"},
    {"json", CODE_JSON, "FILE", "write everything as JSON; - is standard output"},
    {"csv", CODE_CSV, "FILE", "write a row for each distance as CSV; - is standard output"},
    {"picture", CODE_PICTURE, "FILE.png", "draw the scene and mark the nearest primitives and points"},
    BACKEND_OPTION_ROWS,
    ALLOW_LARGE_ROW,
    {"quiet", 'q', NULL, "print only errors; requested files are still written"},
    HELP_OPTION_ROW,
    {0},
};

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
  case CODE_DEPTHS:
    return options->depths = true;
  case CODE_POSES:
    return (options->poses = optarg) != NULL;
  case CODE_EXCLUDE:
  case CODE_EXCLUDE_FILE:
    options->exclusions[options->exclusion_count++] = (exclusion_source){optarg, code == CODE_EXCLUDE_FILE};
    return true;
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

static bool list_files(distance_options *options, char *const *operands, size_t operand_count) {
  if (operand_count == 0) {
    complain("distance needs files with at least two objects");
    return false;
  }
  if (!operands_are_names(operands, operand_count, "distance reads files") ||
      !mesh_file_list_add_all(&options->inputs, operands, operand_count))
    return false;
  options->file_count = options->inputs.count;
  options->files = mesh_file_list_paths(&options->inputs);
  return options->files != NULL;
}

static bool files_make_sense(distance_options *options) {
  for (size_t i = 0; i < options->file_count; ++i) {
    if (!scene_file_is_named(options->files[i])) continue;
    options->is_scene = true;
    if (options->file_count == 1) break;
    complain("%s is a scene file, which must be the only file; add the other files to its objects", options->files[i]);
    return false;
  }
  if (options->is_scene && options->separate) {
    complain("--separate is for mesh files; the objects of a scene file are separate");
    return false;
  }
  return true;
}

static bool combination_makes_sense(distance_options *options) {
  if (options->each && options->all) {
    complain("--each and --all exclude each other: a distance for each object, or for each pair");
    return false;
  }
  return files_make_sense(options) && outputs_make_sense(options);
}

options_state distance_options_read(const command *self, int argument_count, char **arguments,
                                    distance_options *options) {
  *options = (distance_options){.scene = backend_options_start(),
                                .within = HUGE_VAL,
                                .shifts = calloc((size_t)argument_count, sizeof(shift)),
                                .rotations = calloc((size_t)argument_count, sizeof(rotation)),
                                .exclusions = calloc((size_t)argument_count, sizeof(exclusion_source))};
  if (options->shifts == NULL || options->rotations == NULL || options->exclusions == NULL) {
    complain("out of memory");
    return OPTIONS_REFUSED;
  }
  const options_state state = command_read_options(self, argument_count, arguments, read_option, options);
  if (state != OPTIONS_READY) return state;
  if (backend_options_finish(&options->scene) &&
      list_files(options, arguments + optind, (size_t)(argument_count - optind)) && combination_makes_sense(options))
    return OPTIONS_READY;
  command_hint(self);
  return OPTIONS_REFUSED;
}

void distance_options_release(distance_options *options) {
  free(options->shifts);
  free(options->rotations);
  free(options->exclusions);
  free(options->files);
  mesh_file_list_release(&options->inputs);
  *options = (distance_options){0};
}
