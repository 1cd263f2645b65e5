/* `graze-mpi bench`; see bench_ranks.h.
 *
 * For each number of ranks, rank 0 plays the frames twice: on as many threads of its own, while all other ranks sleep,
 * and on that many ranks. Both must find the same pairs. */
#include "bench_ranks.h"

#include "output_file.h"
#include "play_frames.h"
#include "rank_lines.h"
#include "rank_options.h"
#include "shared_frames.h"

#include <inttypes.h>
#include <mpi.h>
#include <string.h>
#include <time.h>

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
  exit_code code = EXIT_CODE_TROUBLE;
  complain_as("graze-mpi");
  const options_state state = play_options_read(&self, argument_count, arguments, &options);
  if (state == OPTIONS_READY)
    code = bench(&options);
  else if (state == OPTIONS_ANSWERED)
    code = finish_standard_output();
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
