/* `graze-mpi bench`; see bench_ranks.h.
 *
 * For each number of ranks, rank 0 plays the frames twice: on as many threads of its own, while all other ranks sleep,
 * and on that many ranks. Both must find the same pairs. */
#include "bench_ranks.h"

#include "crew.h"
#include "graze/names.h"
#include "output_file.h"
#include "play_frames.h"
#include "rank_options.h"
#include "record_columns.h"
#include "shared_frames.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---------------------------------------------------------------------------------------------- lines of output */

/* The measurements of `graze-mpi bench`: a line for each frame and number of ranks, as text and as JSON. */

typedef struct rank_line {
  int ranks;
  size_t frame; /* from 1 */
  double milliseconds;
  double threads_ms; /* with as many threads of one process */
  graze_timings stages;
  graze_mpi_totals totals;
} rank_line;

typedef struct rank_lines {
  rank_line *lines; /* owned; by ranks, then by frame */
  size_t count, capacity;
} rank_lines;

/* Appends a zeroed line; NULL when out of memory. */
static rank_line *rank_lines_add(rank_lines *lines) {
  if (lines->count == lines->capacity) {
    const size_t capacity = 2 * lines->capacity + 64;
    rank_line *moved = realloc(lines->lines, capacity * sizeof *moved);
    if (moved == NULL) return NULL;
    lines->lines = moved;
    lines->capacity = capacity;
  }
  lines->lines[lines->count] = (rank_line){0};
  return &lines->lines[lines->count++];
}

static void rank_lines_release(rank_lines *lines) {
  free(lines->lines);
  *lines = (rank_lines){0};
}

/* The time of the slowest rank over the mean. */
static double rank_line_imbalance(const rank_line *line) {
  const double mean = (double)line->totals.sum_us / line->ranks;
  return mean > 0 ? (double)line->totals.greatest_us / mean : 1;
}

static double sum_of_stages(const graze_timings *stages) {
  double sum = 0;
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++) sum += graze_timings_value(stages, i);
  return sum;
}

/* The time outside the stages of the slowest ranks: boxes, portions, waiting and sending. */
static double exchange_ms(const rank_line *line) {
  const double rest = line->milliseconds - sum_of_stages(&line->stages);
  return rest > 0 ? rest : 0;
}

static double bytes_each(const rank_line *line) {
  return line->totals.sent_count > 0 ? (double)line->totals.sent_bytes / (double)line->totals.sent_count : 0;
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Over the frames of one number of ranks, except the first. */
static double median(const rank_line *lines, size_t count, bool of_threads) {
  double *values = malloc((count + 1) * sizeof *values);
  if (values == NULL) return 0;
  const size_t first = count > 1 ? 1 : 0;
  for (size_t i = first; i < count; i++) values[i - first] = of_threads ? lines[i].threads_ms : lines[i].milliseconds;
  qsort(values, count - first, sizeof *values, compare_doubles);
  const double middle = values[(count - first) / 2];
  free(values);
  return middle;
}

static size_t count_alike(const rank_lines *lines, size_t first) {
  size_t end = first;
  while (end < lines->count && lines->lines[end].ranks == lines->lines[first].ranks) end++;
  return end - first;
}

static void write_line(const rank_line *line, FILE *stream) {
  fprintf(stream, "%5d %5zu %9.2f", line->ranks, line->frame, line->milliseconds);
  const double all = line->milliseconds > 0 ? line->milliseconds : 1;
  const double stages[] = {line->stages.update_ms + line->stages.bounds_ms,
                           line->stages.build_ms,
                           line->stages.search_ms,
                           line->stages.test_ms,
                           line->stages.order_ms,
                           exchange_ms(line)};
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) fprintf(stream, " %5.0f%%", 100 * stages[i] / all);
  fprintf(stream, " %9.2f %10" PRIu64 " %10" PRIu64 " %11" PRIu64 " %7.1f %10" PRIu64 "\n", rank_line_imbalance(line),
          line->totals.ghost_count, line->totals.sent_count, line->totals.sent_bytes, bytes_each(line),
          line->totals.pair_count);
}

static void rank_lines_write(const rank_lines *lines, FILE *stream) {
  fprintf(stream, "%5s %5s %9s %6s %6s %6s %6s %6s %6s %9s %10s %10s %11s %7s %10s\n", "ranks", "frame", "ms", "update",
          "build", "search", "test", "order", "other", "imbalance", "ghosts", "sent", "bytes", "each", "pairs");
  for (size_t i = 0; i < lines->count; i++) write_line(&lines->lines[i], stream);
  fputc('\n', stream);
  for (size_t first = 0, count; first < lines->count; first += count) {
    count = count_alike(lines, first);
    const double own = median(lines->lines + first, count, false), threads = median(lines->lines + first, count, true);
    fprintf(stream, "%s: %.2f ms, %s; %s of one process: %.2f ms, ratio %.2f\n",
            counted((uint64_t)lines->lines[first].ranks, "rank").text, own,
            count > 1 ? "median of the frames after the first" : "the only frame",
            counted((uint64_t)lines->lines[first].ranks, "thread").text, threads, own > 0 ? threads / own : 0);
  }
}

static void write_number(json_writer *json, const char *key, uint64_t number) {
  json_key(json, key);
  json_unsigned(json, number);
}

static void write_decimal(json_writer *json, const char *key, double number) {
  json_key(json, key);
  json_decimal(json, number, 4);
}

static void write_json_line(json_writer *json, const rank_line *line) {
  char hash[17];
  json_break_line(json);
  json_begin_object(json);
  write_number(json, "ranks", (uint64_t)line->ranks);
  write_number(json, "frame", line->frame);
  write_decimal(json, "total_ms", line->milliseconds);
  write_decimal(json, "threads_ms", line->threads_ms);
  json_key(json, "stages_ms");
  json_begin_object(json);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++)
    write_decimal(json, graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)i), graze_timings_value(&line->stages, i));
  json_end_object(json);
  write_decimal(json, "imbalance", rank_line_imbalance(line));
  write_number(json, "primitives", line->totals.primitive_count);
  write_number(json, "held", line->totals.held_count);
  write_number(json, "greatest_held", line->totals.greatest_held_count);
  write_number(json, "ghosts", line->totals.ghost_count);
  write_number(json, "sent", line->totals.sent_count);
  write_number(json, "sent_bytes", line->totals.sent_bytes);
  write_number(json, "divisions", line->totals.division_count);
  write_number(json, "pairs", line->totals.pair_count);
  snprintf(hash, sizeof hash, "%016" PRIx64, line->totals.hash);
  json_key(json, "hash");
  json_string(json, hash);
  json_end_object(json);
}

static void rank_lines_write_json(const rank_lines *lines, FILE *stream) {
  json_writer json = record_begin("mpi_bench", stream);
  json_break_line(&json);
  json_key_array(&json, "rows");
  for (size_t i = 0; i < lines->count; i++) write_json_line(&json, &lines->lines[i]);
  json_end_array(&json);
  record_end(&json);
}

/* Ranks that wait inside MPI poll, and so take processor time from those that work. This wait sleeps. */
static int receive_quietly(int value) {
  MPI_Request request;
  int done = 0;
  MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
    const struct timespec moment = {.tv_nsec = 1000000};
    nanosleep(&moment, NULL);
  }
  return value;
}

/* The first `count` ranks; MPI_COMM_NULL on the others. */
static MPI_Comm first_ranks(int count) {
  int rank;
  MPI_Comm ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < count ? 0 : MPI_UNDEFINED, rank, &ranks);
  return ranks;
}

static void follow(void) {
  for (int count; (count = receive_quietly(0)) > 0;) {
    MPI_Comm ranks = first_ranks(count);
    crew team;
    if (ranks == MPI_COMM_NULL) continue;
    if (crew_open(&team, ranks, NULL)) {
      crew_follow(&team);
      crew_close(&team);
    }
    MPI_Comm_free(&ranks);
  }
}

/* ---------------------------------------------------------------------------------------------- rank 0 */

/* The results of the threads by frame, and whether those of the ranks differ. */
typedef struct bench_run {
  shared_frames frames; /* must be first: the context of the searcher */
  rank_lines lines;
  size_t first; /* the first line of this number of ranks */
  size_t noted; /* frames so far */
  int ranks;
  bool out_of_memory, disagrees;
} bench_run;

static void note_threads(void *context, const graze_pairs *pairs, double milliseconds) {
  bench_run *run = context;
  rank_line *line = rank_lines_add(&run->lines);
  run->out_of_memory = run->out_of_memory || line == NULL;
  if (line == NULL) return;
  line->ranks = run->ranks;
  line->frame = run->lines.count - run->first;
  line->threads_ms = milliseconds;
  line->totals.hash = pairs->hash;
}

static void note_ranks(void *context, const graze_pairs *pairs, double milliseconds) {
  bench_run *run = context;
  const size_t at = run->first + run->noted++;
  if (at >= run->lines.count) return;
  rank_line *line = &run->lines.lines[at];
  if (line->totals.hash != pairs->hash) {
    complain("frame %zu: %d ranks find pairs with hash %016" PRIx64 ", but %d threads with %016" PRIx64, line->frame,
             run->ranks, pairs->hash, run->ranks, line->totals.hash);
    run->disagrees = true;
  }
  const crew_answer *answer = &run->frames.crew->answer;
  line->milliseconds = milliseconds;
  line->stages = answer->timings;
  line->totals = answer->totals;
}

static exit_code play_both(bench_run *run, play_options *options, int ranks) {
  const frame_searcher by_threads = {.context = run, .note = note_threads};
  const uint32_t rank_threads = options->search.scene.thread_count;
  run->ranks = ranks;
  run->first = run->lines.count;
  run->noted = 0;
  options->search.scene.thread_count = (uint32_t)ranks * rank_threads;
  const exit_code first = play_frames_of(options, &by_threads);
  options->search.scene.thread_count = rank_threads;
  if (first == EXIT_CODE_STOPPED) return first;
  if (first == EXIT_CODE_TROUBLE || run->out_of_memory) return EXIT_CODE_TROUBLE;
  receive_quietly(ranks);
  MPI_Comm team_ranks = first_ranks(ranks);
  crew team;
  exit_code second = EXIT_CODE_TROUBLE;
  if (crew_open(&team, team_ranks, &options->search)) {
    run->frames = (shared_frames){.crew = &team};
    frame_searcher by_ranks = shared_frames_searcher(&run->frames);
    by_ranks.note = note_ranks;
    second = play_frames_of(options, &by_ranks);
    crew_end(&team);
    shared_frames_release(&run->frames);
    crew_close(&team);
  }
  MPI_Comm_free(&team_ranks);
  if (run->disagrees) return EXIT_CODE_TROUBLE;
  return second == EXIT_CODE_SOMETHING ? EXIT_CODE_NOTHING : second;
}

static bool write_json(const rank_lines *lines, const char *path) {
  if (strcmp(path, "-") == 0) {
    rank_lines_write_json(lines, stdout);
    return true;
  }
  output_file file = {0};
  bool written = output_file_open(&file, path);
  if (written) rank_lines_write_json(lines, file.stream);
  written = written && output_file_close(&file) && output_file_publish(&file);
  output_file_discard(&file);
  return written;
}

static exit_code bench(play_options *options) {
  bench_run run = {0};
  int rank_count;
  const char *json = options->json;
  const bool quiet = options->quiet;
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  options->json = NULL;
  options->quiet = true;
  if (options->search.scene.thread_count == 0) options->search.scene.thread_count = 1;
  exit_code code = EXIT_CODE_NOTHING;
  for (int ranks = 1; code == EXIT_CODE_NOTHING && ranks <= rank_count; ranks++) code = play_both(&run, options, ranks);
  const bool measured = code == EXIT_CODE_NOTHING, is_used = json != NULL && strcmp(json, "-") == 0;
  if (measured && !quiet) rank_lines_write(&run.lines, is_used ? stderr : stdout);
  if (measured && json != NULL && !write_json(&run.lines, json)) code = EXIT_CODE_TROUBLE;
  rank_lines_release(&run.lines);
  return finish_standard_output() == EXIT_CODE_NOTHING ? code : EXIT_CODE_TROUBLE;
}

static exit_code lead(int argument_count, char **arguments) {
  const command self = {
      .program = "mpirun -np N graze-mpi",
      .name = "bench",
      .summary = "measure the frames of a sequence on 1 to N ranks",
      .synopsis = "FOLDER|PATTERN|FILE ...|SCENE|SCENE.json [options]",
      .description = "Plays the frames on 1, 2, ... N ranks, and on as many threads of one process, and compares\n"
                     "the hashes. Prints a line for each frame: its time, the shares of the stages on the slowest\n"
                     "rank and of everything else (boxes, messages, waiting), the imbalance (time of the slowest\n"
                     "rank over the mean), the ghosts (copies of primitives on ranks that do not own them), the\n"
                     "ghosts sent in this frame, the bytes sent, and the bytes for each primitive sent. The ratio\n"
                     "at the end is the time of threads over the time of ranks.\n"
                     "\n"
                     "Exit status: 0 if the hashes are equal; 2 if they differ, or on an error.\n",
      .options = play_options_of_ranks(true),
      .write_more = play_write_names,
      .examples = "  mpirun -np 2 graze-mpi bench n-body --primitives 20000 --frames 8\n"};
  play_options options;
  complain_as("graze-mpi");
  const options_state state = play_options_read(&self, argument_count, arguments, &options);
  const exit_code code = state == OPTIONS_READY ? bench(&options) : command_end(state);
  receive_quietly(0); /* ends the other ranks */
  play_options_release(&options);
  return code;
}

int bench_ranks(int argument_count, char **arguments) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) return lead(argument_count, arguments);
  follow();
  return 0;
}
