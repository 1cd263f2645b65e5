/* The message of the calling thread's last failure: what graze_error_text returns.
 *
 * Workload: written when something is refused, hardly ever; read when somebody wants to know why. */
#ifndef GRAZE_BASE_ERROR_TEXT_H
#define GRAZE_BASE_ERROR_TEXT_H

#include "graze/graze.h"

enum { ERROR_TEXT_BYTES = 512 };

/* Writes the message and returns the code. */
graze_result fail(graze_result result, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
