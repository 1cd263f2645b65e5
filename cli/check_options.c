/* The options of `graze check`: the table, the reading, and the check of combinations. */
#include "check_options.h"

#include "complaint.h"
#include "page_file.h"
#include "scene_file.h"

#include "mesh_io/mesh_name.h"

#include <stdlib.h>
#include <string.h>

/* A slab of fewer triangles is mostly their copies, and each range of a file is loaded again for each slab. */
static bool read_memory(const command_option *option, char *value, void *member) {
  enum { LEAST_KIB = 8 };
  uint64_t *bytes = member;
  if (!read_byte_count(option->name, value, bytes)) return false;
  if (*bytes >= LEAST_KIB << 10) return true;
  return decline("--memory takes at least %dK, not \"%s\"", LEAST_KIB, value);
}

const command_option check_option_table[] = {
    {"self", 0, NULL, OPTION_USUAL, OPTION_FLAG(check_options, self),
     "with several files: also find the pairs within each of them"},
    {"each", 0, NULL, OPTION_USUAL, OPTION_FLAG(check_options, each),
     "check each file by itself and count its pairs and defects, one row per\n"
     "file, with open edges: those of a single triangle, vertices at one place\n"
     "being one; --csv and --json write the rows"},
    {"separate", 0, NULL, OPTION_USUAL, OPTION_FLAG(check_options, separate),
     "make each part of a file an object, tested against the others as well:\n"
     "groups of an OBJ file, solids of an STL file, placed meshes of a glTF or\n"
     "3MF file"},
    {"components", 0, NULL, OPTION_USUAL, OPTION_FLAG(check_options, components),
     "make each connected component of a file an object, tested against the\n"
     "others as well; the names are FILE#0, FILE#1 and so on"},
    {"weld", 0, NULL, OPTION_USUAL, OPTION_FLAG(check_options, weld),
     "merge the vertices of a file that have equal coordinates, so that faces\n"
     "that meet there are neighbors"},
    {"poses", 0, "FILE", OPTION_PLACEMENT, OPTION_TEXT(check_options, poses),
     "place objects by the matrices or poses of a CSV or JSON file"},
    {"rotate", 0, "N=x,y,z", OPTION_PLACEMENT, OPTION_READ(option_read_rotation, check_options, moves),
     "rotate object N about the origin, by degrees about x, then y, then z;\n"
     "N=x,y,z,angle: about an axis; may be repeated"},
    {"move", 0, "N=x,y,z", OPTION_PLACEMENT, OPTION_READ(option_read_move, check_options, moves),
     "move object N (the first is 0); may be repeated"},
    {"exclude", 0, "A,B", OPTION_USUAL, OPTION_READ(option_read_exclusion, check_options, exclusions),
     "skip all pairs between two objects, each given by number or name; may be\n"
     "repeated"},
    {"exclude-file", 0, "FILE", OPTION_USUAL, OPTION_READ(option_read_exclusion, check_options, exclusions),
     "read such pairs from a file, one A,B on each line; # begins a comment"},
    {"touching", 0, NULL, OPTION_USUAL, OPTION_FLAG(check_options, touching),
     "report which objects intersect, not which of their primitives; faster,\n"
     "because one pair per pair of objects is enough"},
    {"solid", 0, NULL, OPTION_USUAL, OPTION_FLAG(check_options, solid),
     "treat closed surfaces as solids: an object inside another counts, even\n"
     "if their surfaces do not touch; surfaces that are not closed (--each\n"
     "counts open edges), not oriented consistently, or inside out are refused"},
    {"clearance", 0, "D", OPTION_USUAL, OPTION_POSITIVE(check_options, search.query.clearance, 0),
     "find all pairs at a distance of at most D, with their distances"},
    {"rings", 0, "N", OPTION_USUAL, OPTION_SIZE(check_options, search.query.clearance_rings, 1, 64),
     "skip pairs within an object at most N rings apart along the mesh,\n"
     "unless they intersect; neighbors are one apart; requires --clearance"},
    {"units", 0, "WORD", OPTION_USUAL, OPTION_TEXT(check_options, units),
     "print this unit after D and distances, for example mm; no conversion"},
    {"limit", 0, "N", OPTION_USUAL, OPTION_SIZE(check_options, search.query.pair_limit, 1, SIZE_MAX),
     "list only the first N pairs; default: all, but more than 50,000,000\n"
     "within a clearance are refused"},
    {"memory", 0, "SIZE", OPTION_MACHINE, OPTION_READ(read_memory, check_options, memory_bytes),
     "check binary PLY and STL files larger than memory, part after part,\n"
     "within about SIZE: 8G, 500M, at least 8K; reports the number of pairs\n"
     "and the hash"},
    {"json", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(check_options, json),
     "write everything as JSON; - is standard output"},
    {"csv", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(check_options, csv), "write the pairs as CSV; - is standard output"},
    {"details", 0, NULL, OPTION_OUTPUT, OPTION_FLAG(check_options, details),
     "add the corners of the primitives to --csv and --json; --csv also gets a\n"
     "point of each pair and the names of the objects"},
    {"contacts", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(check_options, contacts),
     "write the intersection of each pair as CSV: depth, normal, volume,\n"
     "centroid; - is standard output"},
    {"regions", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(check_options, regions),
     "write the clashes, groups of connected pairs, with their depths, as JSON\n"
     "(.json) or CSV; - is standard output"},
    {"curves", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(check_options, curves),
     "write the curves along which surfaces cross or touch, and the boundaries\n"
     "of shared areas, as OBJ lines (.obj) or PLY edges (.ply)"},
    {"faces", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(check_options, faces),
     "write all faces, marking those in a pair: PLY with the property involved\n"
     "(.ply) or OBJ with the groups involved and rest (.obj)"},
    {"bcf", 0, "FILE.bcf", OPTION_OUTPUT, OPTION_TEXT(check_options, bcf),
     "write the clashes as issues for building tools (BCF 2.1), one for each\n"
     "pair of objects, with a camera and a snapshot"},
    {"picture", 0, "FILE.png", OPTION_OUTPUT, OPTION_TEXT(check_options, picture),
     "draw the scene and mark primitives that intersect"},
    DRAWING_OPTION_ROWS(check_options),
    {"report", 0, "FILE.html", OPTION_OUTPUT, OPTION_TEXT(check_options, report),
     "write a page that shows the scene and its clashes in any browser"},
    {"explain", 0, NULL, OPTION_RESEARCH, OPTION_FLAG(check_options, explain),
     "report which method was used, why, and the cost of its parts"},
    SEARCH_OPTION_ROWS(check_options, "beyond for surfaces, skip for solids and with --candidates"),
    ALLOW_LARGE_ROW(check_options),
    {"quiet", 'q', NULL, OPTION_USUAL, OPTION_FLAG(check_options, quiet),
     "print only errors; the exit status is the result"},
    HELP_OPTION_ROW,
    {0},
};

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
  return decline("--%s writes OBJ or PLY, but %s ends in neither .obj nor .ply", option, path);
}

void check_options_list_outputs(const check_options *options, named_output outputs_out[CHECK_OUTPUTS]) {
  const bool json = regions_are_json(options), ply = curves_are_ply(options), faces_ply = faces_are_ply(options);
  const named_output outputs[CHECK_OUTPUTS] = {
      [CHECK_JSON] = {"json", options->json, "JSON", ".json", false, false},
      [CHECK_CSV] = {"csv", options->csv, "CSV", ".csv", false, false},
      [CHECK_CONTACTS] = {"contacts", options->contacts, "CSV", ".csv", false, false},
      [CHECK_REGIONS] = {"regions", options->regions, json ? "JSON" : "CSV", json ? ".json" : ".csv", false, false},
      [CHECK_CURVES] = {"curves", options->curves, ply ? "PLY" : "OBJ", ply ? ".ply" : ".obj", true, false},
      [CHECK_FACES] = {"faces", options->faces, faces_ply ? "PLY" : "OBJ", faces_ply ? ".ply" : ".obj", true, false},
      [CHECK_BCF] = {"bcf", options->bcf, "BCF", ".bcf", true, false},
      [CHECK_PICTURE] = {"picture", options->picture, "PNG", ".png", true, true},
      [CHECK_REPORT] = {"report", options->report, "HTML", ".html", true, false}};
  memcpy(outputs_out, outputs, sizeof outputs);
}

static bool outputs_make_sense(const check_options *options) {
  named_output outputs[CHECK_OUTPUTS];
  check_options_list_outputs(options, outputs);
  return named_outputs_are_apart(outputs, CHECK_OUTPUTS, options->files, options->file_count, "checked") &&
         named_outputs_end_well(outputs, CHECK_OUTPUTS);
}

/* In the order of their checks. Clashes, contacts and zooming need tested pairs, clashes all of them; with --touching,
 * nothing else is known about the objects, with --each only counts, with --memory only pairs. */
static const option_rule rules[] = {
    {"each",
     "self separate components weld move rotate poses exclude exclude-file solid touching clearance limit candidates "
     "contacts regions curves bcf faces details picture report explain",
     NULL, "--each checks each file by itself and counts its pairs; it cannot be combined with --%s"},
    {"memory",
     "each separate components weld move rotate poses exclude exclude-file solid touching units candidates rings limit "
     "json contacts regions curves faces bcf report details picture explain",
     NULL, "--memory only finds pairs; it cannot be combined with --%s"},
    {"separate", "components", NULL,
     "--separate makes objects of groups, --%s of connected components; omit one of them"},
    {"details", NULL, "csv json", "--%s requires --csv or --json"},
    {"candidates", "contacts regions curves bcf", NULL,
     "--%s needs pairs that intersect; --candidates does not test them"},
    {"limit", "regions curves bcf", NULL, "--%s needs all pairs; --limit lists only the first"},
    {"candidates", "solid", NULL, "--%s needs the exact test, which --candidates omits"},
    {"rings units", NULL, "clearance", "--%s requires --clearance"},
    {"clearance", "contacts regions curves bcf candidates solid zoom-to", NULL,
     "--clearance also lists pairs that do not intersect; it cannot be combined with --%s"},
    {"touching", "contacts regions curves bcf faces picture report details", NULL,
     "--touching lists only objects; --%s needs the pairs of their primitives"},
    {"candidates", "zoom-to", NULL, "--%s needs pairs that intersect; --candidates does not test them"},
    {0}};

/* Combinations of three, and with a kind of file or value. */
static bool combination_makes_sense(const command *self, option_set given, check_options *options) {
  const char *of_files = first_option_given(self, given, "each memory separate components weld");
  if (!scene_file_is_only(options->files, options->file_count, "the only file", &options->is_scene)) return false;
  if (options->is_scene && of_files != NULL)
    return decline("--%s is for mesh files; the objects of a scene file are separate", of_files);
  if (!option_rules_hold(self, given, rules)) return false;
  if (options->memory_bytes > 0 && options->csv != NULL && options->search.query.clearance > 0)
    return decline("--memory does not measure distances; with --clearance it cannot be combined with --csv");
  if (options->details && options->solid && options->csv != NULL) {
    return decline("--csv has the columns of either --details or --solid; omit one of them, or use --json");
  }
  if (options->drawing.zoom_to == ZOOM_TO_REGION && options->search.query.pair_limit != 0)
    return decline("--zoom-to region needs all pairs; --limit lists only the first");
  /* Snapshots use the camera, and each zooms to its own clash. */
  const char *snapshots = options->drawing.zoom_to == ZOOM_TO_ALL ? options->bcf : NULL;
  return has_a_format("curves", options->curves) && has_a_format("faces", options->faces) &&
         outputs_make_sense(options) &&
         drawing_options_have_picture(&options->drawing, options->picture != NULL ? options->picture : snapshots,
                                      options->report) &&
         (options->report == NULL || page_exists("--report"));
}

static bool operands_make_sense(char *const *operands, size_t operand_count) {
  if (operand_count > 0) return operands_are_names(operands, operand_count, "check reads files");
  return decline("check needs a file to check");
}

/* The files of the operands, including those in folders. */
static bool list_files(check_options *options, char *const *operands, size_t operand_count) {
  options->inputs.keeps_trouble = options->each;
  if (!mesh_file_list_add_all(&options->inputs, operands, operand_count)) return false;
  options->file_count = options->inputs.count;
  options->files = mesh_file_list_paths(&options->inputs);
  return options->files != NULL;
}

options_state check_options_read(const command *self, int argument_count, char **arguments, check_options *options) {
  option_set given;
  *options = (check_options){.search = search_options_start(), .drawing = drawing_options_start()};
  const options_state state = command_read_options(self, argument_count, arguments, options, &given);
  if (state != OPTIONS_READY) return state;
  char *const *operands = arguments + optind;
  const size_t operand_count = (size_t)(argument_count - optind);
  if (backend_options_finish(&options->search.scene) && operands_make_sense(operands, operand_count)) {
    if (!list_files(options, operands, operand_count)) return OPTIONS_REFUSED;
    if (combination_makes_sense(self, given, options)) return OPTIONS_READY;
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
  object_moves_free(&options->moves);
  free(options->exclusions.items);
  free(options->files);
  mesh_file_list_release(&options->inputs);
  options->files = NULL;
  options->exclusions = (exclusion_sources){0};
}
