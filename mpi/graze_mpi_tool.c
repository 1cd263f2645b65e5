/* The tool graze-mpi: dispatches check, play and bench. */
#include "bench_ranks.h"
#include "check_ranks.h"
#include "play_ranks.h"

#include "complaint.h"

#include "graze/graze.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "usage: mpirun -np N graze-mpi check FILE [FILE ...] [options]\n"
                           "       mpirun -np N graze-mpi play FRAMES|SCENE [options]\n"
                           "       mpirun -np N graze-mpi bench FRAMES|SCENE [options]\n"
                           "\n"
                           "Finds all pairs of primitives that have a point in common over the ranks of MPI: the same\n"
                           "pairs and the same hash as 'graze'. See 'graze-mpi COMMAND --help' for the options.\n"
                           "\n"
                           "Exit status: 0 if nothing intersects, 1 if something does, 2 on an error.\n"
                           "\n"
                           "  -h, --help    show this help\n"
                           "  --version     show the version\n";

/* All ranks read the same arguments; rank 0 answers. */
static int answer(const char *word_or_null) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool asks_version = word_or_null != NULL && strcmp(word_or_null, "--version") == 0;
  const bool asks_help =
      word_or_null != NULL && (strcmp(word_or_null, "--help") == 0 || strcmp(word_or_null, "-h") == 0);
  if (rank == 0 && word_or_null == NULL) complain("a command is missing; see 'graze-mpi --help'");
  if (rank == 0 && word_or_null != NULL && !asks_version && !asks_help)
    complain("there is no command \"%s\"; see 'graze-mpi --help'", word_or_null);
  if (!asks_version && !asks_help) return EXIT_CODE_TROUBLE;
  if (rank == 0) fputs(asks_help ? help : "graze-mpi " GRAZE_VERSION_TEXT "\n", stdout);
  return EXIT_CODE_NOTHING;
}

static int run_command(int argument_count, char **arguments) {
  static const struct {
    const char *name;
    int (*run)(int argument_count, char **arguments);
  } commands[] = {{"check", check_on_ranks}, {"play", play_on_ranks}, {"bench", bench_ranks}};
  for (size_t i = 0; argument_count > 1 && i < sizeof commands / sizeof *commands; i++)
    if (strcmp(arguments[1], commands[i].name) == 0) return commands[i].run(argument_count - 1, arguments + 1);
  return answer(argument_count > 1 ? arguments[1] : NULL);
}

/* The threads of a rank never call MPI. mpirun gives ranks a terminal of its own, even if its output is a file, so that
 * colors would end up there. */
int main(int argument_count, char **arguments) {
  int provided;
  setenv("NO_COLOR", "1", 0);
  MPI_Init_thread(&argument_count, &arguments, MPI_THREAD_FUNNELED, &provided);
  complain_as("graze-mpi");
  const int code = provided < MPI_THREAD_FUNNELED
                       ? (int)complain("this MPI library does not support threads (MPI_THREAD_FUNNELED)")
                       : run_command(argument_count, arguments);
  fflush(stdout);
  MPI_Finalize();
  return code;
}
