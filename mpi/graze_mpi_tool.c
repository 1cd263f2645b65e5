/* The tool graze-mpi: dispatches play and bench, and contains check. Rank 0 prints the verdict. */
#include "bench_ranks.h"
#include "file_share.h"
#include "pair_gather.h"
#include "pair_order.h"
#include "plain_words.h"
#include "play_ranks.h"

#include "graze/io.h"
#include "graze/mpi.h"
#include "graze/names.h"

#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_NOTHING = 0, EXIT_FOUND = 1, EXIT_TROUBLE = 2 };

static const char help[] =
    "usage: mpirun -np N graze-mpi check FILE [FILE ...] [options]\n"
    "       mpirun -np N graze-mpi play FRAMES|SCENE [options]; see 'graze-mpi play --help'\n"
    "       mpirun -np N graze-mpi bench FRAMES|SCENE [options]; see 'graze-mpi bench --help'\n"
    "\n"
    "check: finds all pairs of triangles, polygons, tetrahedra, polyhedra or spheres that have a point in common, as\n"
    "'graze check' does, over the ranks of MPI: the same pairs, and the same hash. One file is tested against itself,\n"
    "several files against each other. Binary PLY and STL files of triangles are read by ranges; any other file is\n"
    "read by rank 0, which sends each rank its share.\n"
    "\n"
    "Exit status: 0 if nothing intersects, 1 if something does, 2 on an error.\n"
    "\n"
    "Options:\n"
    "  --self            with several files: also find the pairs within each of them\n"
    "  --neighbors RULE  skip or beyond; see 'graze check --help'\n"
    "  --clearance D     find all pairs whose distance is at most D\n"
    "  --csv FILE        write the pairs as CSV, sorted; rank 0 keeps all of them; - is standard output\n"
    "  --threads N       number of threads of each rank (default 1)\n"
    "  --method NAME     search method of each rank\n"
    "  --backend NAME    cpu (default) or cuda; the ranks of a machine use its devices in turn\n"
    "  --devices N       number of devices of each machine (default 1)\n"
    "  --details         report what the ranks held and sent\n"
    "  -q, --quiet       print only errors; the exit status is the result\n"
    "  -h, --help        show this help\n"
    "      --version     show the version\n"
    "\n"
    "Examples:\n"
    "  mpirun -np 4 graze-mpi check huge.ply\n"
    "  mpirun -np 4 graze-mpi check part.stl tool.stl --clearance 0.5\n";

typedef struct tool_options {
  graze_query query;
  graze_method_def method;
  graze_backend_def backend;
  uint32_t threads;
  int devices;
  bool self, neighbors_given, quiet, details;
  const char *csv;
  char **files;
  int file_count;
} tool_options;

static int rank, rank_count;

/* All ranks read the same options, so only rank 0 prints the message. */
__attribute__((format(printf, 1, 2))) static int complain(const char *format, ...) {
  va_list values;
  va_start(values, format);
  if (rank == 0) {
    fputs("graze-mpi: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
  }
  va_end(values);
  return EXIT_TROUBLE;
}

/* ---------------------------------------------------------------------------------------------- options */

enum {
  CODE_SELF = 256,
  CODE_NEIGHBORS,
  CODE_CLEARANCE,
  CODE_CSV,
  CODE_THREADS,
  CODE_METHOD,
  CODE_BACKEND,
  CODE_DEVICES,
  CODE_DETAILS,
  CODE_VERSION
};

static const struct option option_table[] = {{"self", no_argument, NULL, CODE_SELF},
                                             {"neighbors", required_argument, NULL, CODE_NEIGHBORS},
                                             {"clearance", required_argument, NULL, CODE_CLEARANCE},
                                             {"csv", required_argument, NULL, CODE_CSV},
                                             {"threads", required_argument, NULL, CODE_THREADS},
                                             {"method", required_argument, NULL, CODE_METHOD},
                                             {"backend", required_argument, NULL, CODE_BACKEND},
                                             {"devices", required_argument, NULL, CODE_DEVICES},
                                             {"details", no_argument, NULL, CODE_DETAILS},
                                             {"quiet", no_argument, NULL, 'q'},
                                             {"help", no_argument, NULL, 'h'},
                                             {"version", no_argument, NULL, CODE_VERSION},
                                             {NULL, 0, NULL, 0}};

static bool read_number(const char *text, double least, double most, double *number_out) {
  char *end;
  *number_out = strtod(text, &end);
  return end != text && *end == '\0' && *number_out >= least && *number_out <= most;
}

/* False if the value is invalid. */
static bool read_option(int code, const char *value, tool_options *options) {
  double number = 0;
  int neighbors;
  switch (code) {
  case CODE_SELF:
    options->self = true;
    return true;
  case CODE_NEIGHBORS:
    if (!graze_enumeration_find(GRAZE_ENUMERATION_NEIGHBORS, value, &neighbors)) return false;
    options->query.neighbors = (graze_neighbors)neighbors;
    options->neighbors_given = true;
    return true;
  case CODE_CLEARANCE:
    return read_number(value, 0, 1e300, &options->query.clearance);
  case CODE_CSV:
    options->csv = value;
    return true;
  case CODE_THREADS:
    if (!read_number(value, 0, 4096, &number)) return false;
    options->threads = (uint32_t)number;
    return true;
  case CODE_METHOD:
    options->method.name = value;
    return true;
  case CODE_BACKEND:
    options->backend.name = value;
    return true;
  case CODE_DEVICES:
    if (!read_number(value, 1, 1024, &number)) return false;
    options->devices = (int)number;
    return true;
  case CODE_DETAILS:
    options->details = true;
    return true;
  default:
    options->quiet = true;
    return true;
  }
}

static const char *name_of_option(int code) {
  const struct option *row = option_table;
  while (row->name != NULL && row->val != code) row++;
  return row->name;
}

/* Returns the exit code if there is nothing to do, else -1. */
static int read_options(int count, char **words, tool_options *options) {
  *options = (tool_options){.query = graze_query_default(),
                            .method = graze_method_def_default(),
                            .backend = graze_backend_def_default(),
                            .threads = 1,
                            .devices = 1};
  opterr = rank == 0;
  for (int code; (code = getopt_long(count, words, "qh", option_table, NULL)) != -1;) {
    if (code == 'h' || code == CODE_VERSION) {
      if (rank == 0) fputs(code == 'h' ? help : "graze-mpi " GRAZE_VERSION_TEXT "\n", stdout);
      return EXIT_NOTHING;
    }
    if (code == '?') return EXIT_TROUBLE;
    if (!read_option(code, optarg, options)) return complain("--%s does not take \"%s\"", name_of_option(code), optarg);
  }
  if (optind >= count) return complain("a command is missing; see 'graze-mpi --help'");
  if (strcmp(words[optind], "check") != 0)
    return complain("there is no command \"%s\"; see 'graze-mpi --help'", words[optind]);
  options->files = words + optind + 1;
  options->file_count = count - optind - 1;
  return options->file_count > 0 ? -1 : complain("check needs a file to check");
}

/* ---------------------------------------------------------------------------------------------- the query */

static graze_result load_files(const tool_options *options, file_share *share, graze_scene *scene) {
  graze_result result = GRAZE_OK;
  for (int i = 0; result == GRAZE_OK && i < options->file_count; i++)
    result = file_share_add(share, options->files[i], scene);
  return result;
}

/* The query of graze check: within one file, or between several; the neighbor rule beyond where it is defined. */
static graze_query query_of(const tool_options *options, const file_share *share) {
  graze_query query = options->query;
  query.scope = options->file_count == 1 ? GRAZE_SCOPE_WITHIN : options->self ? GRAZE_SCOPE_BOTH : GRAZE_SCOPE_BETWEEN;
  if (share->object_count > 1 && options->file_count == 1) query.scope = GRAZE_SCOPE_BOTH;
  if (!options->neighbors_given)
    query.neighbors =
        (query.scope & GRAZE_SCOPE_WITHIN) != 0 && !share->has_solids ? GRAZE_NEIGHBORS_BEYOND : GRAZE_NEIGHBORS_SKIP;
  return query;
}

static void write_names(const tool_options *options) {
  for (int i = 0; i < options->file_count; i++)
    printf("%s%s", i == 0 ? "" : i + 1 < options->file_count ? ", " : " and ", options->files[i]);
}

static void write_verdict(const tool_options *options, const file_share *share, const graze_mpi_totals *totals,
                          double milliseconds) {
  const bool near = options->query.clearance > 0;
  const char *one = share->is_mixed ? "primitive" : graze_kind_text(share->kind, 1);
  const char *many = share->is_mixed ? "primitives" : graze_kind_text(share->kind, 2);
  write_names(options);
  if (totals->pair_count == 0)
    printf(": no %s %s another", one, near ? "is within the clearance of" : "intersects");
  else
    printf(": %s of %s %s", counted(totals->pair_count, "pair").text, many, near ? "within the clearance" : "intersect");
  printf(" (%s, %s, %s), hash %016llx\n", counted_as(share->primitive_count, one, many).text,
         counted(rank_count, "rank").text, spelled_duration(milliseconds).text, (unsigned long long)totals->hash);
  if (options->details)
    printf("ranks held %s primitives, at most %s on one; sent %s bytes; worked %s, the slowest %s\n",
           grouped_number(totals->held_count).text, grouped_number(totals->greatest_held_count).text,
           grouped_number(totals->sent_bytes).text, spelled_duration((double)totals->sum_us / 1e3).text,
           spelled_duration((double)totals->greatest_us / 1e3).text);
}

/* ---------------------------------------------------------------------------------------------- pairs as CSV */

static bool write_pairs(const char *path, graze_pair *all, size_t count) {
  FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  if (file == NULL) return false;
  sort_pairs(all, count);
  fputs("object_a,primitive_a,object_b,primitive_b\n", file);
  for (size_t i = 0; i < count; i++)
    fprintf(file, "%u,%u,%u,%u\n", all[i].object_a, all[i].primitive_a, all[i].object_b, all[i].primitive_b);
  const bool fine = ferror(file) == 0;
  return (file == stdout ? fflush(file) : fclose(file)) == 0 && fine;
}

static graze_result write_csv(graze_mpi *all, const tool_options *options, const graze_pairs *pairs,
                              const graze_mpi_totals *totals) {
  graze_pair *joined = rank == 0 ? malloc(totals->pair_count * sizeof *joined + 1) : NULL;
  graze_result result = graze_mpi_agree(all, rank == 0 && joined == NULL ? GRAZE_OUT_OF_MEMORY : GRAZE_OK, NULL);
  if (result == GRAZE_OK) gather_pairs(MPI_COMM_WORLD, pairs->pairs, pairs->count, joined);
  if (result == GRAZE_OK) {
    char trouble[512];
    const bool written = rank != 0 || write_pairs(options->csv, joined, totals->pair_count);
    snprintf(trouble, sizeof trouble, "%s: cannot be written", options->csv);
    result = graze_mpi_agree(all, written ? GRAZE_OK : GRAZE_FILE_FAILED, trouble);
  }
  free(joined);
  return result;
}

/* ---------------------------------------------------------------------------------------------- the command */

static graze_result ask(graze_mpi *all, const tool_options *options, graze_scene *scene, int *found_out) {
  file_share share = {.all = all, .ranks = MPI_COMM_WORLD, .rank = (uint32_t)rank, .rank_count = (uint32_t)rank_count};
  graze_pairs pairs = {0};
  graze_mpi_totals totals = {0};
  graze_result result = load_files(options, &share, scene);
  const double begin = MPI_Wtime();
  if (result == GRAZE_OK) {
    const graze_query query = query_of(options, &share);
    result = graze_mpi_find_pairs(all, scene, &query, &pairs, &totals);
  }
  const double milliseconds = (MPI_Wtime() - begin) * 1e3;
  if (result == GRAZE_OK && options->csv != NULL) result = write_csv(all, options, &pairs, &totals);
  const bool csv_is_output = options->csv != NULL && strcmp(options->csv, "-") == 0;
  if (result == GRAZE_OK && rank == 0 && !options->quiet && !csv_is_output)
    write_verdict(options, &share, &totals, milliseconds);
  *found_out = totals.pair_count > 0;
  graze_pairs_free(&pairs);
  return result;
}

/* The ranks of a machine use its devices in turn. */
static int device_of(const tool_options *options) {
  MPI_Comm machine;
  int place;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_rank(machine, &place);
  MPI_Comm_free(&machine);
  return place % options->devices;
}

static int run_check(tool_options *options) {
  const int device = device_of(options);
  if (strcmp(options->backend.name, "cpu") != 0) {
    options->backend.devices = &device;
    options->backend.device_count = 1;
  }
  graze_scene_def scene_def = graze_scene_def_default();
  scene_def.worker_count = options->threads;
  scene_def.backend = &options->backend;
  graze_mpi_def def = graze_mpi_def_default();
  def.scene = &scene_def;
  def.method = &options->method;
  graze_mpi *all;
  graze_scene *scene = NULL;
  if (graze_mpi_create(MPI_COMM_WORLD, &def, &all) != GRAZE_OK) return complain("%s", graze_mpi_error_text());
  graze_scene_def own_def = graze_scene_def_default();
  own_def.worker_count = options->threads;
  const graze_result created = graze_scene_create(&own_def, &scene);
  int found = 0;
  graze_result result = graze_mpi_agree(all, created, created == GRAZE_OK ? NULL : graze_error_text());
  if (result == GRAZE_OK) result = ask(all, options, scene, &found);
  if (result != GRAZE_OK) complain("%s", graze_mpi_error_text());
  graze_scene_destroy(scene);
  graze_mpi_destroy(all);
  return result != GRAZE_OK ? EXIT_TROUBLE : found ? EXIT_FOUND : EXIT_NOTHING;
}

int main(int argument_count, char **arguments) {
  tool_options options;
  MPI_Init(&argument_count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  int code;
  if (argument_count > 1 && strcmp(arguments[1], "play") == 0) {
    code = play_on_ranks(argument_count - 1, arguments + 1);
  } else if (argument_count > 1 && strcmp(arguments[1], "bench") == 0) {
    code = bench_ranks(argument_count - 1, arguments + 1);
  } else {
    code = read_options(argument_count, arguments, &options);
    if (code < 0) code = run_check(&options);
  }
  fflush(stdout);
  MPI_Finalize();
  return code;
}
