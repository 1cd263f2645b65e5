/* The message of the last failure of a thread in libgraze_io. libgraze has its own: the two libraries share no
 * state. */
#include "base/error_text.h"

#include "graze/io.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char error_text[ERROR_TEXT_BYTES];

graze_result fail(graze_result result, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error_text, sizeof error_text, format, arguments);
  va_end(arguments);
  return result;
}

const char *graze_io_error_text(void) {
  return error_text;
}
