/* The options of `graze check` and `graze play` that work over ranks. */
#ifndef GRAZE_MPI_RANK_OPTIONS_H
#define GRAZE_MPI_RANK_OPTIONS_H

#include "command_line.h"

#include <stdbool.h>

/* Each table is valid until the next call. */
const command_option *check_options_of_ranks(void);
const command_option *play_options_of_ranks(bool for_bench);

#endif
