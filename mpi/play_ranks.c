/* `graze-mpi play`; see play_ranks.h. Rank 0 plays as `graze play` does; the crew searches its frames. */
#include "play_ranks.h"

#include "interruption.h"
#include "play_frames.h"
#include "rank_options.h"
#include "shared_frames.h"

#include <mpi.h>

static command play_command_of_ranks(void) {
  return (command){.program = "mpirun -np N graze-mpi",
                   .name = "play",
                   .summary = "find the pairs of every frame of a sequence, over the ranks of MPI",
                   .synopsis = "FOLDER|PATTERN|FILE ...|SCENE|SCENE.json [options]",
                   .description =
                       "Finds all intersecting pairs in every frame of a sequence, as 'graze play' does, over the\n"
                       "ranks of MPI, and prints the same lines and the same hash. Each rank reads its own range of\n"
                       "binary PLY and STL files of triangles. Rank 0 reads or generates everything else and sends\n"
                       "each rank its share. The times of stages are those of the slowest rank. Rank 0 keeps the\n"
                       "pairs of a frame.\n"
                       "\n"
                       "--threads is the number of threads of each rank (default 1). With --backend cuda the ranks\n"
                       "of a machine use the devices of --device in turn.\n"
                       "\n"
                       "Exit status: 0 if nothing intersects in any frame; 1 if something does; 2 on an error, or if\n"
                       "a frame could not be played.\n",
                   .options = play_options_of_ranks(false),
                   .write_more = play_write_names,
                   .examples = "  mpirun -np 4 graze-mpi play 'cloth*.ply' --csv frames.csv\n"
                               "  mpirun -np 2 graze-mpi play cloth-ball --primitives 1000 --frames 10\n"};
}

static int play_as_leader(int argument_count, char **arguments) {
  const command self = play_command_of_ranks();
  play_options options;
  crew team;
  complain_as("graze-mpi");
  const options_state state = play_options_read(&self, argument_count, arguments, &options);
  exit_code code = command_end(state);
  if (crew_start(&team, MPI_COMM_WORLD, state == OPTIONS_READY ? &options.search : NULL)) {
    shared_frames frames = {.crew = &team};
    const frame_searcher searcher = shared_frames_searcher(&frames);
    code = play_frames_of(&options, &searcher);
    crew_end(&team);
    shared_frames_release(&frames);
    crew_close(&team);
  }
  play_options_release(&options);
  return code;
}

int play_on_ranks(int argument_count, char **arguments) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) return play_as_leader(argument_count, arguments);
  interruption_watch(); /* rank 0 ends the frames */
  crew_join(MPI_COMM_WORLD);
  return 0;
}
