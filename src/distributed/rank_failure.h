/* A failure of one rank, and how it becomes that of all. */
#ifndef GRAZE_DISTRIBUTED_RANK_FAILURE_H
#define GRAZE_DISTRIBUTED_RANK_FAILURE_H

#include "distributed/transport.h"
#include "graze/graze.h"

typedef struct rank_failure {
  graze_result result; /* GRAZE_OK: none */
  char text[480];
} rank_failure;

/* Keeps the first failure, with the message that graze_error_text has of it; returns the result. */
graze_result rank_failure_note(rank_failure *failure, graze_result result);

/* The same with a message of its own. */
graze_result rank_failure_say(rank_failure *failure, graze_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
graze_result rank_failure_say_memory(rank_failure *failure);

/* The failure of the lowest rank that has one becomes that of all, its message preceded by the rank. Called by all
 * ranks; it needs no memory. */
graze_result rank_failure_agree(rank_failure *failure, const transport *net);

#endif
