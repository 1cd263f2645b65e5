/* A failure of one rank that all ranks report; see rank_failure.h. */
#include "distributed/rank_failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

graze_result rank_failure_note(rank_failure *failure, graze_result result) {
  return result == GRAZE_OK ? GRAZE_OK : rank_failure_say(failure, result, "%s", graze_error_text());
}

graze_result rank_failure_say(rank_failure *failure, graze_result result, const char *format, ...) {
  if (failure->result != GRAZE_OK) return failure->result;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(failure->text, sizeof failure->text, format, arguments);
  va_end(arguments);
  failure->result = result;
  return result;
}

graze_result rank_failure_say_memory(rank_failure *failure) {
  return rank_failure_say(failure, GRAZE_OUT_OF_MEMORY, "out of memory");
}

graze_result rank_failure_agree(rank_failure *failure, const transport *net) {
  const uint64_t none = UINT64_MAX;
  const uint64_t root =
      transport_reduced(net, TRANSPORT_LEAST, failure->result != GRAZE_OK ? (uint64_t)net->rank : none);
  if (root == none) return GRAZE_OK;
  if (root == net->rank && net->rank_count > 1 && !failure->names_ranks) {
    char text[sizeof failure->text];
    memcpy(text, failure->text, sizeof text);
    snprintf(failure->text, sizeof failure->text, "rank %u: %.440s", net->rank, text);
  }
  net->broadcast(net->context, (uint32_t)root, failure, sizeof *failure);
  return failure->result;
}
