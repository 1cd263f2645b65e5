/* `graze-mpi check`; see check_ranks.h. Rank 0 reads the options, and writes the outcome in the formats of `graze
 * check`; the crew reads files by ranges, and searches.
 *
 * Workload: one search. Rank 0 holds the meshes that it reads only until it has sent some millions of primitives, and
 * all pairs only if an output lists them. */
#include "check_ranks.h"

#include "check_outcome.h"
#include "crew.h"
#include "rank_options.h"
#include "scene_file.h"

#include <stdlib.h>
#include <string.h>

/* Primitives that rank 0 reads before it sends them. */
enum { HAND_OUT_AT = 1 << 22 };

typedef struct rank_check {
  check_options *options;
  crew *crew;
  object_list objects;
  scene_file scene;
  bool *taken; /* by object: the ranks have it; owned */
  size_t taken_capacity;
  uint64_t waiting; /* primitives that rank 0 has not yet sent */
  check_outcome outcome;
} rank_check;

static bool complain_of_ranks(void) {
  return decline("%s", graze_mpi_error_text());
}

static bool complain_of_memory(void) {
  return decline("out of memory");
}

/* ---------------------------------------------------------------------------------------------- reading */

static bool mark_taken(rank_check *run, size_t first, bool taken) {
  const size_t count = run->objects.count;
  if (count > run->taken_capacity) {
    bool *moved = realloc(run->taken, 2 * count * sizeof *moved);
    if (moved == NULL) return complain_of_memory();
    run->taken = moved;
    run->taken_capacity = 2 * count;
  }
  for (size_t i = first; i < count; i++) run->taken[i] = taken;
  return true;
}

static bool hand_out(rank_check *run) {
  if (run->waiting == 0) return true;
  if (crew_hand_out(run->crew, &run->objects, run->taken) != GRAZE_OK) return complain_of_ranks();
  object_list_release_meshes(&run->objects);
  run->waiting = 0;
  return mark_taken(run, 0, true);
}

static bool is_placed(const check_options *options, uint64_t object) {
  for (size_t i = 0; i < options->moves.rotation_count; i++)
    if (options->moves.rotations[i].object == object) return true;
  for (size_t i = 0; i < options->moves.shift_count; i++)
    if (options->moves.shifts[i].object == object) return true;
  return false;
}

/* Places the objects from `first` on; at the end, complains about objects that do not exist. */
static bool place_objects(rank_check *run, size_t first, bool at_end) {
  const check_options *options = run->options;
  const uint64_t begin = at_end ? run->objects.count : first, end = at_end ? UINT64_MAX : run->objects.count;
  for (size_t i = 0; i < options->moves.rotation_count; i++) {
    const uint64_t object = options->moves.rotations[i].object;
    if (object >= begin && object < end && !object_list_rotate(&run->objects, &options->moves.rotations[i]))
      return false;
  }
  for (size_t i = 0; i < options->moves.shift_count; i++) {
    const uint64_t object = options->moves.shifts[i].object;
    if (object >= begin && object < end && !object_list_shift(&run->objects, &options->moves.shifts[i])) return false;
  }
  return true;
}

/* Takes the objects that rank 0 has read. */
static bool take_read(rank_check *run, size_t first) {
  for (size_t i = first; i < run->objects.count; i++) run->waiting += run->objects.entries[i].primitive_count;
  return place_objects(run, first, false) && mark_taken(run, first, false) &&
         (run->waiting < HAND_OUT_AT || hand_out(run));
}

/* Ranges are not split, merged or placed: then rank 0 reads the file. */
static bool load_file(rank_check *run, const char *file, progress *steps) {
  object_list *objects = &run->objects;
  const size_t first = objects->count;
  const bool is_whole = objects->separate || objects->components || objects->weld || is_placed(run->options, first);
  uint64_t counts[2] = {0};
  bool taken = false;
  if (!is_whole && crew_take_file(run->crew, file, (uint32_t)first, true, &taken, counts) != GRAZE_OK)
    return complain_of_ranks();
  if (!taken) return object_list_read(objects, file, steps) && take_read(run, first);
  if (!object_list_note(objects, file, GRAZE_KIND_TRIANGLE, counts[0], counts[1])) return complain_of_memory();
  return mark_taken(run, first, true);
}

static bool load_scene(rank_check *run, progress *steps) {
  return scene_file_read(run->options->files[0], &run->scene) &&
         scene_file_load(&run->scene, run->options->allow_large, steps) &&
         scene_file_append(&run->scene, NULL, &run->objects) && take_read(run, 0);
}

static bool load_objects(rank_check *run) {
  const check_options *options = run->options;
  progress steps = {.quiet = options->quiet, .silent = true};
  run->objects = (object_list){.separate = options->separate,
                               .weld = options->weld,
                               .components = options->components,
                               .allow_large = options->allow_large};
  if (crew_begin_frame(run->crew) != GRAZE_OK) return complain_of_ranks();
  if (options->is_scene) {
    const bool handed = load_scene(run, &steps) && place_objects(run, 0, true) && hand_out(run);
    scene_file_release_meshes(&run->scene);
    return handed;
  }
  for (size_t i = 0; i < options->file_count; i++)
    if (!load_file(run, options->files[i], &steps)) return false;
  return place_objects(run, 0, true) && hand_out(run);
}

/* ---------------------------------------------------------------------------------------------- searching */

static int compare_exclusions(const void *a, const void *b) {
  const size_t *x = a, *y = b;
  return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Sorts the pairs, and drops repetitions. */
static void sort_exclusions(exclusion_list *list) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    const size_t a = list->pairs[i][0], b = list->pairs[i][1];
    list->pairs[i][0] = a < b ? a : b;
    list->pairs[i][1] = a < b ? b : a;
  }
  if (list->count > 0) qsort(list->pairs, list->count, sizeof *list->pairs, compare_exclusions);
  for (size_t i = 0; i < list->count; i++)
    if (kept == 0 || compare_exclusions(list->pairs[kept - 1], list->pairs[i]) != 0)
      memcpy(list->pairs[kept++], list->pairs[i], sizeof *list->pairs);
  list->count = kept;
}

static bool exclude(rank_check *run) {
  const check_options *options = run->options;
  exclusion_list list;
  bool done = exclusion_list_read(&options->exclusions, &run->objects, &list) &&
              exclusion_list_append(&list, (const size_t(*)[2])run->scene.exclusions, run->scene.exclusion_count);
  if (done && list.count > 0) {
    sort_exclusions(&list);
    const graze_result result = crew_exclude(run->crew, (const size_t(*)[2])list.pairs, list.count);
    done = result == GRAZE_OK || (result == GRAZE_OUT_OF_MEMORY ? complain_of_memory() : complain_of_ranks());
  }
  run->outcome.excluded_count = list.count;
  exclusion_list_release(&list);
  return done;
}

static void take_touching(check_outcome *outcome, const crew_answer *answer) {
  outcome->touching.pairs = answer->touching->pairs;
  outcome->touching.count = outcome->count = answer->touching->count;
  outcome->touching.hash = outcome->hash = answer->touching->hash;
}

static void take_pairs(check_outcome *outcome, const crew_answer *answer) {
  const graze_mpi_totals *totals = &answer->totals;
  const size_t limit = outcome->options->search.query.pair_limit;
  outcome->count = totals->pair_count;
  outcome->hash = totals->hash;
  outcome->limit_reached = limit > 0 && outcome->count > limit;
  if (outcome->limit_reached) {
    outcome->count = limit;
    outcome->hash = graze_pairs_hash(answer->pairs, limit);
  }
  outcome->pairs.pairs = answer->pairs;
  outcome->pairs.count = answer->pairs != NULL ? outcome->count : 0;
  outcome->pairs.hash = outcome->hash;
  outcome->timings = answer->timings;
  outcome->counters = answer->counters;
  outcome->ranks.held = totals->held_count;
  outcome->ranks.greatest_held = totals->greatest_held_count;
  outcome->ranks.ghosts = totals->ghost_count;
  outcome->ranks.sent_bytes = totals->sent_bytes;
  outcome->ranks.work_ms = (double)totals->sum_us / 1e3;
  outcome->ranks.greatest_ms = (double)totals->greatest_us / 1e3;
}

static bool find_pairs(rank_check *run) {
  check_options *options = run->options;
  check_outcome *outcome = &run->outcome;
  options->search.query.scope = check_scope(options, &run->objects);
  options->search.query.neighbors = search_neighbors(&options->search, object_list_solid_count(&run->objects) > 0);
  const bool lists = options->json != NULL || options->csv != NULL || options->search.query.pair_limit > 0;
  graze_query query = options->search.query;
  query.pair_limit = 0; /* the first pairs are known when all are */
  const graze_result result =
      options->touching ? crew_find_touching(run->crew, &query) : crew_find(run->crew, &query, lists);
  if (result != GRAZE_OK) return complain_of_ranks();
  const crew_answer *answer = &run->crew->answer;
  outcome->ranks.count = run->crew->share.rank_count;
  outcome->frame_ms = answer->milliseconds;
  if (options->touching)
    take_touching(outcome, answer);
  else
    take_pairs(outcome, answer);
  const bool has_table =
      options->touching
          ? pair_table_take(outcome->touching.pairs, outcome->touching.count, &outcome->table)
          : pair_table_count(outcome->pairs.pairs, outcome->pairs.count, run->objects.count, &outcome->table);
  return has_table || complain_of_memory();
}

/* ---------------------------------------------------------------------------------------------- writing */

static bool write_record(const check_outcome *outcome, const char *path, output_file *file,
                         void (*write)(const check_outcome *, FILE *)) {
  if (path == NULL) return true;
  if (strcmp(path, "-") == 0) {
    write(outcome, stdout);
    return true;
  }
  if (!output_file_open(file, path)) return false;
  write(outcome, file->stream);
  return output_file_close(file);
}

/* Both files are complete before one gets its name. */
static bool write_records(const check_outcome *outcome) {
  output_file json = {0}, csv = {0};
  bool written = write_record(outcome, outcome->options->json, &json, check_outcome_write_json) &&
                 write_record(outcome, outcome->options->csv, &csv, check_outcome_write_csv);
  written = written && (json.path == NULL || output_file_publish(&json));
  written = written && (csv.path == NULL || output_file_publish(&csv));
  output_file_discard(&json);
  output_file_discard(&csv);
  return written;
}

static void write_ranks(const rank_costs *ranks, FILE *stream) {
  fprintf(stream, "ranks held %s primitives, at most %s on one; sent %s bytes; worked %s, the slowest %s\n",
          grouped_number(ranks->held).text, grouped_number(ranks->greatest_held).text,
          grouped_number(ranks->sent_bytes).text, spelled_duration(ranks->work_ms).text,
          spelled_duration(ranks->greatest_ms).text);
}

static void write_verdict(const check_outcome *outcome, FILE *stream) {
  const check_options *options = outcome->options;
  const bool near = options->search.query.clearance > 0;
  const primitive_words words = object_list_words(outcome->objects);
  for (size_t i = 0; i < options->file_count; i++)
    fprintf(stream, "%s%s", i == 0 ? "" : i + 1 < options->file_count ? ", " : " and ", options->files[i]);
  if (outcome->count == 0)
    fprintf(stream, ": no %s %s another", options->touching ? "object" : words.one,
            near ? "is within the clearance of" : "intersects");
  else
    fprintf(stream, ": %s%s of %s %s", outcome->limit_reached ? "more than " : "", counted(outcome->count, "pair").text,
            options->touching ? "objects" : words.many, near ? "within the clearance" : "intersect");
  fprintf(stream, " (%s, %s, %s), hash %016llx\n",
          counted_as(object_list_primitive_count(outcome->objects), words.one, words.many).text,
          counted(outcome->ranks.count, "rank").text, spelled_duration(outcome->frame_ms).text,
          (unsigned long long)outcome->hash);
  if (options->explain && !options->touching) write_ranks(&outcome->ranks, stream);
}

static exit_code write_outcome(const check_outcome *outcome) {
  const check_options *options = outcome->options;
  if (!write_records(outcome)) return EXIT_CODE_TROUBLE;
  const bool is_used = (options->json != NULL && strcmp(options->json, "-") == 0) ||
                       (options->csv != NULL && strcmp(options->csv, "-") == 0);
  if (!options->quiet) write_verdict(outcome, is_used ? stderr : stdout);
  if (finish_standard_output() != EXIT_CODE_NOTHING) return EXIT_CODE_TROUBLE;
  return outcome->count > 0 ? EXIT_CODE_SOMETHING : EXIT_CODE_NOTHING;
}

/* ---------------------------------------------------------------------------------------------- the command */

static exit_code check_frames(check_options *options, crew *team) {
  rank_check run = {.options = options, .crew = team};
  run.outcome = (check_outcome){.options = options, .objects = &run.objects};
  const double start = clock_milliseconds();
  bool done = load_objects(&run);
  run.outcome.reading_ms = clock_milliseconds() - start;
  done = done && exclude(&run) && find_pairs(&run);
  const exit_code code = done ? write_outcome(&run.outcome) : EXIT_CODE_TROUBLE;
  pair_table_release(&run.outcome.table);
  object_list_release(&run.objects);
  scene_file_release(&run.scene);
  free(run.taken);
  return code;
}

static command check_command_of_ranks(void) {
  return (command){
      .program = "mpirun -np N graze-mpi",
      .name = "check",
      .summary = "find all intersecting primitives of one or more meshes, over the ranks of MPI",
      .synopsis = "FILE|FOLDER [FILE|FOLDER ...]|SCENE.json [options]",
      .description = "Finds all pairs of triangles, polygons, tetrahedra, polyhedra or spheres that have a\n"
                     "point in common, as 'graze check' does, over the ranks of MPI: the same pairs, hash and\n"
                     "exit status. Each rank reads its own range of binary PLY and STL files of triangles.\n"
                     "Rank 0 reads all other files, and those that --move, --rotate, --separate, --components\n"
                     "or --weld changes, and sends each rank its share. With --json, --csv and --limit, rank 0\n"
                     "keeps all pairs; it measures neither points nor distances of pairs.\n"
                     "\n"
                     "Exit status: 0 if nothing intersects; 1 if something does; 2 on an error.\n",
      .options = check_options_of_ranks(),
      .write_more = write_methods,
      .examples = "  mpirun -np 4 graze-mpi check huge.ply\n"
                  "  mpirun -np 4 graze-mpi check part.stl tool.stl --clearance 0.5 --json pairs.json\n"
                  "  mpirun -np 4 graze-mpi check a.obj b.obj c.obj --move 1=0.5,0,0 --exclude 0,1 --touching\n"};
}

static options_state read_options(int argument_count, char **arguments, check_options *options) {
  const command self = check_command_of_ranks();
  const options_state state = check_options_read(&self, argument_count, arguments, options);
  if (state != OPTIONS_READY || !options->touching || options->search.query.pair_limit == 0) return state;
  complain("--limit lists only the first pairs; it cannot be combined with --touching");
  return OPTIONS_REFUSED;
}

static int check_as_leader(int argument_count, char **arguments) {
  check_options options;
  crew team;
  complain_as("graze-mpi");
  const options_state state = read_options(argument_count, arguments, &options);
  exit_code code = command_end(state);
  if (crew_start(&team, MPI_COMM_WORLD, state == OPTIONS_READY ? &options.search : NULL)) {
    code = check_frames(&options, &team);
    crew_end(&team);
    crew_close(&team);
  }
  check_options_release(&options);
  return code;
}

int check_on_ranks(int argument_count, char **arguments) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) return check_as_leader(argument_count, arguments);
  crew_join(MPI_COMM_WORLD);
  return 0;
}
