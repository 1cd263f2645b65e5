/* The options of `graze check`: the table, the reading, and the combinations that make no sense. */
#include "check_options.h"

#include "backend_options.h"
#include "complaint.h"
#include "output_file.h"

#include "graze/names.h"

#include <stdlib.h>
#include <string.h>

enum {
  CODE_SELF = OPTION_CODE_FIRST,
  CODE_SEPARATE,
  CODE_MOVE,
  CODE_NEIGHBOURS,
  CODE_CANDIDATES,
  CODE_TEST,
  CODE_LIMIT,
  CODE_JSON,
  CODE_CSV,
  CODE_CONTACTS,
  CODE_PICTURE,
  CODE_METHOD,
  CODE_HASH,
  CODE_DEDUP,
  CODE_TREE_BUILDER,
  CODE_TREE_ENTRANCE,
  CODE_EXPLAIN,
  CODE_CLUSTERS,
  CODE_AXIS,
  CODE_ASSIGN,
  CODE_DISTANCE,
  CODE_SIMD
};

#define LIST_WORD(name, value, words) " " words
static const name_list cell_hashes = {graze_hash_count, graze_hash_name, graze_hash_value};
static const name_list dedups = {graze_dedup_count, graze_dedup_name, graze_dedup_value};
static const name_list tree_builders = {graze_tree_builder_count, graze_tree_builder_name, graze_tree_builder_value};
static const name_list axes = {graze_axis_count, graze_axis_name, graze_axis_value};
static const name_list assignments = {graze_assign_count, graze_assign_name, graze_assign_value};
static const name_list distances = {graze_distance_count, graze_distance_name, graze_distance_value};
static const name_list tests = {graze_test_count, graze_test_name, graze_test_value};
static const name_list neighbour_rules = {graze_neighbours_count, graze_neighbours_name, graze_neighbours_value};
static const name_list vector_widths = {graze_simd_count, graze_simd_name, graze_simd_value};

static size_t switch_count(void) {
  return 2;
}

static const char *switch_name(size_t number) {
  return number == 0 ? "off" : number == 1 ? "on" : NULL;
}

static int switch_value(size_t number) {
  return (int)number;
}

static const name_list switches = {switch_count, switch_name, switch_value};

const command_option check_option_table[] = {
    {"self", CODE_SELF, NULL, "with several files: pairs within each of them as well"},
    {"separate", CODE_SEPARATE, NULL,
     "groups of an OBJ file and solids of an STL file are objects of their\n"
     "own, tested against each other as well"},
    {"move", CODE_MOVE, "N=x,y,z", "shift object N (the first is 0); may be given several times"},
    {"neighbours", CODE_NEIGHBOURS, "RULE",
     "primitives of one object that share a vertex: skip (default) passes\n"
     "them over, beyond tests whether they meet beyond what they share,\n"
     "as one wants it for checking a surface"},
    {"candidates", CODE_CANDIDATES, NULL, "pairs whose boxes meet, without the exact test"},
    {"test", CODE_TEST, "NAME",
     "how pairs with a solid in them are decided:" GRAZE_TEST_LIST(
         LIST_WORD) ";\n"
                    "sat_no_edges lists some pairs that do not meet, and says how many"},
    {"limit", CODE_LIMIT, "N", "list the first N pairs only"},
    {"json", CODE_JSON, "FILE", "write everything as JSON; - is standard output"},
    {"csv", CODE_CSV, "FILE", "write the pairs as CSV; - is standard output"},
    {"contacts", CODE_CONTACTS, "FILE",
     "write what each pair shares as CSV: depth, normal, volume, centroid;\n"
     "- is standard output"},
    {"picture", CODE_PICTURE, "FILE.png", "draw the scene, primitives that intersect marked"},
    {"method", CODE_METHOD, "NAME", "auto (default) or one of the methods below; all give the same pairs"},
    {"hash", CODE_HASH, "NAME", "how the grid hashes its cells:" GRAZE_HASH_LIST(LIST_WORD)},
    {"dedup", CODE_DEDUP, "NAME", "how the grid comes to name each candidate once:" GRAZE_DEDUP_LIST(LIST_WORD)},
    {"tree-builder", CODE_TREE_BUILDER, "NAME", "how the tree orders primitives:" GRAZE_TREE_BUILDER_LIST(LIST_WORD)},
    {"tree-entrance", CODE_TREE_ENTRANCE, "on|off", "whether the tree begins at the level where most nodes met before"},
    {"clusters", CODE_CLUSTERS, "N", "how many clusters the method clusters has; without it their number adapts"},
    {"axis", CODE_AXIS, "NAME", "along which axis clusters are swept:" GRAZE_AXIS_LIST(LIST_WORD)},
    {"assign", CODE_ASSIGN, "NAME",
     "how clusters get their members:" GRAZE_ASSIGN_LIST(LIST_WORD) ";\n"
                                                                    "only covering, the default, finds all pairs"},
    {"distance", CODE_DISTANCE, "NAME", "by which distance a cluster is nearest:" GRAZE_DISTANCE_LIST(LIST_WORD)},
    {"explain", CODE_EXPLAIN, NULL, "say which method searched, why, and what its parts cost"},
    {"simd", CODE_SIMD, "WIDTH", "auto (default), scalar, 128 or 256 bits"},
    BACKEND_OPTION_ROWS,
    ALLOW_LARGE_ROW,
    {"quiet", 'q', NULL, "say nothing; the exit status is the answer"},
    {"help", 'h', NULL, "this text"},
    {0},
};

/* The options of the method clusters; false with *known_out false for any other. */
static bool read_cluster_option(int code, graze_method_def *method, bool *known_out) {
  int meaning = 0;
  uint64_t number = 0;
  *known_out = true;
  switch (code) {
  case CODE_CLUSTERS:
    if (!read_whole_number("clusters", optarg, 1, 1024, &number)) return false;
    method->clusters = (uint32_t)number;
    return true;
  case CODE_AXIS:
    if (!read_choice("axis", optarg, &axes, &meaning)) return false;
    method->axis = (graze_axis)meaning;
    return true;
  case CODE_ASSIGN:
    if (!read_choice("assign", optarg, &assignments, &meaning)) return false;
    method->assign = (graze_assign)meaning;
    return true;
  case CODE_DISTANCE:
    if (!read_choice("distance", optarg, &distances, &meaning)) return false;
    method->distance = (graze_distance)meaning;
    return true;
  default:
    return *known_out = false;
  }
}

static bool read_search_option(int code, check_options *options) {
  int meaning = 0;
  bool known;
  const bool read = read_cluster_option(code, &options->method, &known);
  if (known) return read;
  switch (code) {
  case CODE_NEIGHBOURS:
    if (!read_choice("neighbours", optarg, &neighbour_rules, &meaning)) return false;
    options->query.neighbours = (graze_neighbours)meaning;
    return true;
  case CODE_TEST:
    if (!read_choice("test", optarg, &tests, &meaning)) return false;
    options->query.test = (graze_test)meaning;
    return true;
  case CODE_HASH:
    if (!read_choice("hash", optarg, &cell_hashes, &meaning)) return false;
    options->method.hash = (graze_hash)meaning;
    return true;
  case CODE_DEDUP:
    if (!read_choice("dedup", optarg, &dedups, &meaning)) return false;
    options->method.dedup = (graze_dedup)meaning;
    return true;
  case CODE_TREE_BUILDER:
    if (!read_choice("tree-builder", optarg, &tree_builders, &meaning)) return false;
    options->method.tree_builder = (graze_tree_builder)meaning;
    return true;
  case CODE_TREE_ENTRANCE:
    if (!read_choice("tree-entrance", optarg, &switches, &meaning)) return false;
    options->method.tree_entrance = (uint32_t)meaning;
    return true;
  case CODE_SIMD:
    if (!read_choice("simd", optarg, &vector_widths, &meaning)) return false;
    options->method.simd = (graze_simd)meaning;
    return true;
  case CODE_METHOD:
    options->method.name = optarg;
    return read_method("method", optarg);
  default:
    return read_backend_option(code, optarg, &options->scene);
  }
}

static bool read_option(int code, void *context) {
  check_options *options = context;
  uint64_t number = 0;
  switch (code) {
  case CODE_SELF:
    return options->self = true;
  case CODE_SEPARATE:
    return options->separate = true;
  case CODE_EXPLAIN:
    return options->explain = true;
  case CODE_ALLOW_LARGE:
    return options->allow_large = true;
  case CODE_CANDIDATES:
    return options->query.candidates_only = true;
  case 'q':
    return options->quiet = true;
  case CODE_JSON:
    return (options->json = optarg) != NULL;
  case CODE_CSV:
    return (options->csv = optarg) != NULL;
  case CODE_CONTACTS:
    return (options->contacts = optarg) != NULL;
  case CODE_PICTURE:
    return (options->picture = optarg) != NULL;
  case CODE_MOVE:
    if (!read_shift("move", optarg, &options->shifts[options->shift_count])) return false;
    ++options->shift_count;
    return true;
  case CODE_LIMIT:
    if (!read_whole_number("limit", optarg, 1, SIZE_MAX, &number)) return false;
    options->query.pair_limit = (size_t)number;
    return true;
  default:
    return read_search_option(code, options);
  }
}

static bool outputs_make_sense(const check_options *options) {
  const named_output outputs[] = {{"json", options->json, "JSON", ".json", false},
                                  {"csv", options->csv, "CSV", ".csv", false},
                                  {"contacts", options->contacts, "CSV", ".csv", false},
                                  {"picture", options->picture, "PNG", ".png", true}};
  const size_t count = sizeof outputs / sizeof outputs[0];
  return named_outputs_are_apart(outputs, count, options->files, options->file_count, "checked") &&
         named_outputs_end_well(outputs, count);
}

/* Two primitives that do not meet share nothing that could be written down. */
static bool contacts_exist(const check_options *options) {
  if (options->contacts == NULL) return true;
  if (options->query.candidates_only) {
    complain("--contacts needs pairs that meet; --candidates does not ask whether they do");
    return false;
  }
  if (options->query.test == GRAZE_TEST_SAT_NO_EDGES) {
    complain("--contacts needs pairs that meet; --test sat_no_edges finds some that do not");
    return false;
  }
  return true;
}

static bool combination_makes_sense(const check_options *options) {
  if (options->file_count == 0) {
    complain("check needs a file to check");
    return false;
  }
  for (size_t file = 0; file < options->file_count; ++file) {
    if (strcmp(options->files[file], "-") != 0) continue;
    complain("check reads files, not standard input");
    return false;
  }
  if (!outputs_make_sense(options) || !contacts_exist(options)) return false;
  if (options->picture != NULL && strcmp(options->picture, "-") == 0) {
    complain("--picture takes the name of a file; a picture does not go to standard output");
    return false;
  }
  return true;
}

options_state check_options_read(const command *self, int argument_count, char **arguments, check_options *options) {
  *options = (check_options){.scene = backend_options_start(),
                             .method = graze_method_def_default(),
                             .query = graze_query_default(),
                             .shifts = calloc((size_t)argument_count, sizeof(shift))};
  if (options->shifts == NULL) {
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

void check_options_release(check_options *options) {
  free(options->shifts);
  options->shifts = NULL;
}
