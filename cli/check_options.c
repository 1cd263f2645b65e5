/* The options of `graze check`: the table, the reading, and the check of combinations. */
#include "check_options.h"

#include "complaint.h"
#include "output_file.h"
#include "page_file.h"
#include "scene_file.h"

#include "mesh_io/mesh_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  CODE_SELF = OPTION_CODE_FIRST,
  CODE_EACH,
  CODE_SEPARATE,
  CODE_COMPONENTS,
  CODE_WELD,
  CODE_MOVE,
  CODE_ROTATE,
  CODE_POSES,
  CODE_EXCLUDE,
  CODE_EXCLUDE_FILE,
  CODE_TOUCHING,
  CODE_SOLID,
  CODE_CLEARANCE,
  CODE_RINGS,
  CODE_UNITS,
  CODE_LIMIT,
  CODE_MEMORY,
  CODE_JSON,
  CODE_CSV,
  CODE_DETAILS,
  CODE_CONTACTS,
  CODE_REGIONS,
  CODE_CURVES,
  CODE_FACES,
  CODE_BCF,
  CODE_PICTURE,
  CODE_REPORT,
  CODE_EXPLAIN
};

const command_option check_option_table[] = {
    {"self", CODE_SELF, NULL, "with several files: also find the pairs within each of them"},
    {"each", CODE_EACH, NULL,
     "check each file by itself and count its pairs and defects, one row per\n"
     "file, with open edges: those of a single triangle, vertices at one place\n"
     "being one; --csv and --json write the rows"},
    {"separate", CODE_SEPARATE, NULL,
     "make each part of a file an object, tested against the others as well:\n"
     "groups of an OBJ file, solids of an STL file, placed meshes of a glTF or\n"
     "3MF file"},
    {"components", CODE_COMPONENTS, NULL,
     "make each connected component of a file an object, tested against the\n"
     "others as well; the names are FILE#0, FILE#1 and so on"},
    {"weld", CODE_WELD, NULL,
     "merge the vertices of a file that have equal coordinates, so that faces\n"
     "that meet there are neighbors"},
    {"poses", CODE_POSES, "FILE", "place objects by the matrices or poses of a CSV or JSON file"},
    {"rotate", CODE_ROTATE, "N=x,y,z",
     "rotate object N about the origin, by degrees about x, then y, then z;\n"
     "N=x,y,z,angle: about an axis; may be repeated"},
    {"move", CODE_MOVE, "N=x,y,z", "move object N (the first is 0); may be repeated"},
    {"exclude", CODE_EXCLUDE, "A,B",
     "skip all pairs between two objects, each given by number or name; may be\n"
     "repeated"},
    {"exclude-file", CODE_EXCLUDE_FILE, "FILE",
     "read such pairs from a file, one A,B on each line; # begins a comment"},
    {"touching", CODE_TOUCHING, NULL,
     "report which objects intersect, not which of their primitives; faster,\n"
     "because one pair per pair of objects is enough"},
    {"solid", CODE_SOLID, NULL,
     "treat closed surfaces as solids: an object inside another counts, even\n"
     "if their surfaces do not touch; surfaces that are not closed (--each\n"
     "counts open edges), not oriented consistently, or inside out are refused"},
    {"clearance", CODE_CLEARANCE, "D", "find all pairs at a distance of at most D, with their distances"},
    {"rings", CODE_RINGS, "N",
     "skip pairs within an object at most N rings apart along the mesh,\n"
     "unless they intersect; neighbors are one apart; requires --clearance"},
    {"units", CODE_UNITS, "WORD", "print this unit after D and distances, for example mm; no conversion"},
    {"limit", CODE_LIMIT, "N",
     "list only the first N pairs; default: all, but more than 50,000,000\n"
     "within a clearance are refused"},
    {"memory", CODE_MEMORY, "SIZE",
     "check binary PLY and STL files larger than memory, part after part,\n"
     "within about SIZE: 8G, 500M, at least 8K; reports the number of pairs\n"
     "and the hash"},
    {"json", CODE_JSON, "FILE", "write everything as JSON; - is standard output"},
    {"csv", CODE_CSV, "FILE", "write the pairs as CSV; - is standard output"},
    {"details", CODE_DETAILS, NULL,
     "add the corners of the primitives to --csv and --json; --csv also gets a\n"
     "point of each pair and the names of the objects"},
    {"contacts", CODE_CONTACTS, "FILE",
     "write the intersection of each pair as CSV: depth, normal, volume,\n"
     "centroid; - is standard output"},
    {"regions", CODE_REGIONS, "FILE",
     "write the clashes, groups of connected pairs, with their depths, as JSON\n"
     "(.json) or CSV; - is standard output"},
    {"curves", CODE_CURVES, "FILE",
     "write the curves along which surfaces cross or touch, and the boundaries\n"
     "of shared areas, as OBJ lines (.obj) or PLY edges (.ply)"},
    {"faces", CODE_FACES, "FILE",
     "write all faces, marking those in a pair: PLY with the property involved\n"
     "(.ply) or OBJ with the groups involved and rest (.obj)"},
    {"bcf", CODE_BCF, "FILE.bcf",
     "write the clashes as issues for building tools (BCF 2.1), one for each\n"
     "pair of objects, with a camera and a snapshot"},
    {"picture", CODE_PICTURE, "FILE.png", "draw the scene and mark primitives that intersect"},
    DRAWING_OPTION_ROWS,
    {"report", CODE_REPORT, "FILE.html", "write a page that shows the scene and its clashes in any browser"},
    {"explain", CODE_EXPLAIN, NULL, "report which method was used, why, and the cost of its parts"},
    SEARCH_OPTION_ROWS("beyond for surfaces, skip for solids and with --candidates"),
    ALLOW_LARGE_ROW,
    {"quiet", 'q', NULL, "print only errors; the exit status is the result"},
    HELP_OPTION_ROW,
    {0},
};

/* A slab of fewer triangles is mostly their copies, and each range of a file is loaded again for each slab. */
static bool memory_is_enough(const char *value, uint64_t bytes) {
  enum { LEAST_KIB = 8 };
  if (bytes >= LEAST_KIB << 10) return true;
  complain("--memory takes at least %dK, not \"%s\"", LEAST_KIB, value);
  return false;
}

static bool read_option(int code, void *context) {
  check_options *options = context;
  uint64_t number = 0;
  switch (code) {
  case CODE_SELF:
    return options->self = true;
  case CODE_EACH:
    return options->each = true;
  case CODE_SEPARATE:
    return options->separate = true;
  case CODE_COMPONENTS:
    return options->components = true;
  case CODE_WELD:
    return options->weld = true;
  case CODE_TOUCHING:
    return options->touching = true;
  case CODE_DETAILS:
    return options->details = true;
  case CODE_SOLID:
    return options->solid = true;
  case CODE_EXPLAIN:
    return options->explain = true;
  case CODE_ALLOW_LARGE:
    return options->allow_large = true;
  case 'q':
    return options->quiet = true;
  case CODE_JSON:
    return (options->json = optarg) != NULL;
  case CODE_CSV:
    return (options->csv = optarg) != NULL;
  case CODE_CONTACTS:
    return (options->contacts = optarg) != NULL;
  case CODE_REGIONS:
    return (options->regions = optarg) != NULL;
  case CODE_CURVES:
    return (options->curves = optarg) != NULL;
  case CODE_FACES:
    return (options->faces = optarg) != NULL;
  case CODE_BCF:
    return (options->bcf = optarg) != NULL;
  case CODE_PICTURE:
    return (options->picture = optarg) != NULL;
  case CODE_REPORT:
    return (options->report = optarg) != NULL;
  case CODE_MOVE:
    if (!read_shift("move", optarg, &options->shifts[options->shift_count])) return false;
    ++options->shift_count;
    return true;
  case CODE_ROTATE:
    if (!read_rotation("rotate", optarg, &options->rotations[options->rotation_count])) return false;
    ++options->rotation_count;
    return true;
  case CODE_POSES:
    return (options->poses = optarg) != NULL;
  case CODE_EXCLUDE:
  case CODE_EXCLUDE_FILE:
    options->exclusions[options->exclusion_count++] = (exclusion_source){optarg, code == CODE_EXCLUDE_FILE};
    return true;
  case CODE_MEMORY:
    return read_byte_count("memory", optarg, &options->memory_bytes) && memory_is_enough(optarg, options->memory_bytes);
  case CODE_CLEARANCE:
    return read_positive_number("clearance", optarg, HUGE_VAL, &options->search.query.clearance);
  case CODE_RINGS:
    if (!read_whole_number("rings", optarg, 1, 64, &number)) return false;
    options->search.query.clearance_rings = (size_t)number;
    return true;
  case CODE_UNITS:
    return (options->units = optarg) != NULL;
  case CODE_LIMIT:
    if (!read_whole_number("limit", optarg, 1, SIZE_MAX, &number)) return false;
    options->search.query.pair_limit = (size_t)number;
    return true;
  default:
    if (is_drawing_option(code)) return read_drawing_option(code, optarg, &options->drawing);
    return read_search_option(code, optarg, &options->search);
  }
}

/* The ending selects the format: regions as JSON or CSV, curves as PLY or OBJ. */
static bool name_ends_in(const char *path_or_null, const char *ending) {
  return path_or_null != NULL && mesh_name_ends_in(path_or_null, strlen(path_or_null), ending);
}

bool regions_are_json(const check_options *options) {
  return name_ends_in(options->regions, ".json");
}

bool curves_are_ply(const check_options *options) {
  return name_ends_in(options->curves, ".ply");
}

bool faces_are_ply(const check_options *options) {
  return name_ends_in(options->faces, ".ply");
}

static bool has_a_format(const char *option, const char *path) {
  if (path == NULL || name_ends_in(path, ".ply") || name_ends_in(path, ".obj")) return true;
  complain("--%s writes OBJ or PLY, but %s ends in neither .obj nor .ply", option, path);
  return false;
}

static bool outputs_make_sense(const check_options *options) {
  const bool json = regions_are_json(options), ply = curves_are_ply(options), faces_ply = faces_are_ply(options);
  const named_output outputs[] = {
      {"json", options->json, "JSON", ".json", false},
      {"csv", options->csv, "CSV", ".csv", false},
      {"contacts", options->contacts, "CSV", ".csv", false},
      {"regions", options->regions, json ? "JSON" : "CSV", json ? ".json" : ".csv", false},
      {"curves", options->curves, ply ? "PLY" : "OBJ", ply ? ".ply" : ".obj", true},
      {"faces", options->faces, faces_ply ? "PLY" : "OBJ", faces_ply ? ".ply" : ".obj", true},
      {"bcf", options->bcf, "BCF", ".bcf", true},
      {"picture", options->picture, "PNG", ".png", true},
      {"report", options->report, "HTML", ".html", true}};
  const size_t count = sizeof outputs / sizeof outputs[0];
  return named_outputs_are_apart(outputs, count, options->files, options->file_count, "checked") &&
         named_outputs_end_well(outputs, count);
}

/* Primitives that do not intersect have no intersection to write. */
static bool contacts_exist(const check_options *options) {
  if (options->contacts == NULL) return true;
  if (options->search.query.candidates_only) {
    complain("--contacts needs pairs that intersect; --candidates does not test them");
    return false;
  }
  return true;
}

/* Intersecting boxes do not show what lies inside. */
static bool insides_are_known(const check_options *options) {
  if (!options->solid || !options->search.query.candidates_only) return true;
  complain("--solid needs the exact test, which --candidates omits");
  return false;
}

/* Regions are made of all intersecting pairs. */
static bool regions_exist(const check_options *options) {
  const char *option = options->regions != NULL ? "regions" : options->curves != NULL ? "curves" : "bcf";
  if (options->regions == NULL && options->curves == NULL && options->bcf == NULL) return true;
  if (options->search.query.candidates_only) {
    complain("--%s needs pairs that intersect; --candidates does not test them", option);
    return false;
  }
  if (options->search.query.pair_limit != 0) {
    complain("--%s needs all pairs; --limit lists only the first", option);
    return false;
  }
  return true;
}

/* The place of a pair is its intersection; regions need all pairs. */
static bool zoom_makes_sense(const check_options *options) {
  const zoom_target target = options->drawing.zoom_to;
  if (target != ZOOM_TO_ALL && options->search.query.candidates_only) {
    complain("--zoom-to needs pairs that intersect; --candidates does not test them");
    return false;
  }
  if (target == ZOOM_TO_REGION && options->search.query.pair_limit != 0) {
    complain("--zoom-to region needs all pairs; --limit lists only the first");
    return false;
  }
  /* Snapshots use the camera, and each zooms to its own clash. */
  const char *snapshots = target == ZOOM_TO_ALL ? options->bcf : NULL;
  return drawing_options_have_picture(&options->drawing, options->picture != NULL ? options->picture : snapshots,
                                      options->report);
}

/* Primitives near each other need not intersect. */
static bool clearance_makes_sense(const check_options *options) {
  const char *option = options->contacts != NULL                 ? "contacts"
                       : options->regions != NULL                ? "regions"
                       : options->curves != NULL                 ? "curves"
                       : options->bcf != NULL                    ? "bcf"
                       : options->search.query.candidates_only   ? "candidates"
                       : options->solid                          ? "solid"
                       : options->drawing.zoom_to != ZOOM_TO_ALL ? "zoom-to"
                                                                 : NULL;
  if (options->search.query.clearance == 0.0) {
    if (options->search.query.clearance_rings > 1) {
      complain("--rings requires --clearance");
      return false;
    }
    if (options->units == NULL) return true;
    complain("--units requires --clearance");
    return false;
  }
  if (option == NULL) return true;
  complain("--clearance also lists pairs that do not intersect; it cannot be combined with --%s", option);
  return false;
}

/* With --touching, nothing else is known about the objects. */
static bool primitives_are_known(const check_options *options) {
  const char *option = options->contacts != NULL  ? "contacts"
                       : options->regions != NULL ? "regions"
                       : options->curves != NULL  ? "curves"
                       : options->bcf != NULL     ? "bcf"
                       : options->faces != NULL   ? "faces"
                       : options->picture != NULL ? "picture"
                       : options->report != NULL  ? "report"
                       : options->details         ? "details"
                                                  : NULL;
  if (!options->touching || option == NULL) return true;
  complain("--touching lists only objects; --%s needs the pairs of their primitives", option);
  return false;
}

/* A row of a file has all pairs within it. */
static bool each_makes_sense(const check_options *options) {
  const char *option = options->self                           ? "self"
                       : options->separate                     ? "separate"
                       : options->components                   ? "components"
                       : options->weld                         ? "weld"
                       : options->shift_count > 0              ? "move"
                       : options->rotation_count > 0           ? "rotate"
                       : options->poses != NULL                ? "poses"
                       : options->exclusion_count > 0          ? "exclude"
                       : options->solid                        ? "solid"
                       : options->touching                     ? "touching"
                       : options->search.query.clearance > 0.0 ? "clearance"
                       : options->search.query.pair_limit != 0 ? "limit"
                       : options->search.query.candidates_only ? "candidates"
                       : options->contacts != NULL             ? "contacts"
                       : options->regions != NULL              ? "regions"
                       : options->curves != NULL               ? "curves"
                       : options->bcf != NULL                  ? "bcf"
                       : options->faces != NULL                ? "faces"
                       : options->details                      ? "details"
                       : options->picture != NULL              ? "picture"
                       : options->report != NULL               ? "report"
                       : options->explain                      ? "explain"
                                                               : NULL;
  if (!options->each || option == NULL) return true;
  complain("--each checks each file by itself and counts its pairs; it cannot be combined with --%s", option);
  return false;
}

/* With --memory, only the pairs and their number are known. */
static bool memory_makes_sense(const check_options *options) {
  const char *option = options->each                               ? "each"
                       : options->separate                         ? "separate"
                       : options->components                       ? "components"
                       : options->weld                             ? "weld"
                       : options->shift_count > 0                  ? "move"
                       : options->rotation_count > 0               ? "rotate"
                       : options->poses != NULL                    ? "poses"
                       : options->exclusion_count > 0              ? "exclude"
                       : options->solid                            ? "solid"
                       : options->touching                         ? "touching"
                       : options->units != NULL                    ? "units"
                       : options->search.query.candidates_only     ? "candidates"
                       : options->search.query.clearance_rings > 1 ? "rings"
                       : options->search.query.pair_limit != 0     ? "limit"
                       : options->json != NULL                     ? "json"
                       : options->contacts != NULL                 ? "contacts"
                       : options->regions != NULL                  ? "regions"
                       : options->curves != NULL                   ? "curves"
                       : options->faces != NULL                    ? "faces"
                       : options->bcf != NULL                      ? "bcf"
                       : options->report != NULL                   ? "report"
                       : options->details                          ? "details"
                       : options->picture != NULL                  ? "picture"
                       : options->explain                          ? "explain"
                                                                   : NULL;
  if (options->memory_bytes == 0) return true;
  if (option == NULL && options->csv != NULL && options->search.query.clearance > 0) {
    complain("--memory does not measure distances; with --clearance it cannot be combined with --csv");
    return false;
  }
  if (option == NULL) return true;
  complain("--memory only finds pairs; it cannot be combined with --%s", option);
  return false;
}

/* A scene file contains all objects of the scene. */
static bool scene_stands_alone(check_options *options) {
  for (size_t i = 0; i < options->file_count; ++i) {
    if (!scene_file_is_named(options->files[i])) continue;
    options->is_scene = true;
    if (options->file_count == 1) break;
    complain("%s is a scene file, which must be the only file; add the other files to its objects", options->files[i]);
    return false;
  }
  const char *option = options->each               ? "each"
                       : options->memory_bytes > 0 ? "memory"
                       : options->separate         ? "separate"
                       : options->components       ? "components"
                       : options->weld             ? "weld"
                                                   : NULL;
  if (!options->is_scene || option == NULL) return true;
  complain("--%s is for mesh files; the objects of a scene file are separate", option);
  return false;
}

static bool operands_make_sense(char *const *operands, size_t operand_count) {
  if (operand_count == 0) {
    complain("check needs a file to check");
    return false;
  }
  return operands_are_names(operands, operand_count, "check reads files");
}

static bool details_have_a_file(const check_options *options) {
  if (!options->details || options->csv != NULL || options->json != NULL) return true;
  complain("--details requires --csv or --json");
  return false;
}

static bool details_are_alone(const check_options *options) {
  if (!options->details || !options->solid || options->csv == NULL) return true;
  complain("--csv has the columns of either --details or --solid; omit one of them, or use --json");
  return false;
}

static bool parts_make_sense(const check_options *options) {
  if (!options->separate || !options->components) return true;
  complain("--separate makes objects of groups, --components of connected components; omit one of them");
  return false;
}

/* The files of the operands, including those in folders. */
static bool list_files(check_options *options, char *const *operands, size_t operand_count) {
  options->inputs.keeps_trouble = options->each;
  if (!mesh_file_list_add_all(&options->inputs, operands, operand_count)) return false;
  options->file_count = options->inputs.count;
  options->files = mesh_file_list_paths(&options->inputs);
  return options->files != NULL;
}

static bool combination_makes_sense(check_options *options) {
  return scene_stands_alone(options) && each_makes_sense(options) && memory_makes_sense(options) &&
         parts_make_sense(options) && details_have_a_file(options) && details_are_alone(options) &&
         has_a_format("curves", options->curves) && has_a_format("faces", options->faces) &&
         outputs_make_sense(options) && contacts_exist(options) && regions_exist(options) &&
         insides_are_known(options) && clearance_makes_sense(options) && primitives_are_known(options) &&
         zoom_makes_sense(options) && (options->report == NULL || page_exists("--report"));
}

options_state check_options_read(const command *self, int argument_count, char **arguments, check_options *options) {
  *options = (check_options){.search = search_options_start(),
                             .drawing = drawing_options_start(),
                             .shifts = calloc((size_t)argument_count, sizeof(shift)),
                             .rotations = calloc((size_t)argument_count, sizeof(rotation)),
                             .exclusions = calloc((size_t)argument_count, sizeof(exclusion_source))};
  if (options->shifts == NULL || options->rotations == NULL || options->exclusions == NULL) {
    complain("out of memory");
    return OPTIONS_REFUSED;
  }
  const options_state state = command_read_options(self, argument_count, arguments, read_option, options);
  if (state != OPTIONS_READY) return state;
  char *const *operands = arguments + optind;
  const size_t operand_count = (size_t)(argument_count - optind);
  if (backend_options_finish(&options->search.scene) && operands_make_sense(operands, operand_count)) {
    if (!list_files(options, operands, operand_count)) return OPTIONS_REFUSED;
    if (combination_makes_sense(options)) return OPTIONS_READY;
  }
  command_hint(self);
  return OPTIONS_REFUSED;
}

graze_scope check_scope(const check_options *options, const object_list *objects) {
  if (options->file_count > 1 || (options->is_scene && objects->count > 1))
    return options->self ? GRAZE_SCOPE_BOTH : GRAZE_SCOPE_BETWEEN;
  return objects->count == 1 ? GRAZE_SCOPE_WITHIN : GRAZE_SCOPE_BOTH;
}

void check_options_release(check_options *options) {
  free(options->shifts);
  free(options->rotations);
  free(options->exclusions);
  free(options->files);
  mesh_file_list_release(&options->inputs);
  options->files = NULL;
  options->shifts = NULL;
  options->rotations = NULL;
  options->exclusions = NULL;
}
