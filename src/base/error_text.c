/* One buffer per thread: a failure on one thread does not affect another. */
#include "base/error_text.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[ERROR_TEXT_BYTES];

graze_result fail(graze_result result, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_error, sizeof last_error, format, arguments);
  va_end(arguments);
  return result;
}

const char *error_text(void) {
  return last_error;
}
