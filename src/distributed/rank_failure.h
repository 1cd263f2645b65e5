/* A failure of one rank that all ranks report. */
#ifndef GRAZE_DISTRIBUTED_RANK_FAILURE_H
#define GRAZE_DISTRIBUTED_RANK_FAILURE_H

#include "division/transport.h"
#include "graze/graze.h"

#include <stdbool.h>

typedef struct rank_failure {
  graze_result result; /* GRAZE_OK: none */
  bool names_ranks;    /* the message names the ranks itself */
  char text[480];
} rank_failure;

/* Keeps the first failure, with its message from graze_error_text; returns the result. */
graze_result rank_failure_note(rank_failure *failure, graze_result result);

/* The same with the given message. */
graze_result rank_failure_say(rank_failure *failure, graze_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
graze_result rank_failure_say_memory(rank_failure *failure);

/* Spreads the failure of the lowest rank that has one to all, with the rank before its message, unless
 * that names ranks. Called by all ranks; needs no memory. */
graze_result rank_failure_agree(rank_failure *failure, const transport *net);

#endif
