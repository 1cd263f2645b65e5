/* The options of `graze play` that work over ranks. */
#ifndef GRAZE_MPI_FRAME_OPTIONS_H
#define GRAZE_MPI_FRAME_OPTIONS_H

#include "command_line.h"

#include <stdbool.h>

/* The table is valid until the next call. */
const command_option *frame_options_of_ranks(bool for_bench);

#endif
