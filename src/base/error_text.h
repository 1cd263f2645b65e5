/* The message of the last failure on the calling thread, which graze_error_text returns. Libraries beside libgraze have
 * a copy of this file: they share no state, and each returns its own message.
 *
 * Workload: written rarely, when a call is refused; read when the caller reports the failure. */
#ifndef GRAZE_BASE_ERROR_TEXT_H
#define GRAZE_BASE_ERROR_TEXT_H

#include "graze/graze.h"

enum { ERROR_TEXT_BYTES = 512 };

/* Writes the message and returns the code. */
graze_result fail(graze_result result, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The message; "": none. */
const char *error_text(void);

#endif
