/* Messages on stderr.
 *
 * They quote file names, option values and names of groups, which may be arbitrary: control characters are replaced, so
 * that no file can move the cursor or recolor the terminal. Messages are cut at a few thousand bytes, because a file
 * may contain a line of megabytes. */
#include "complaint.h"

#include "plain_words.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 8192 };

static const char *program = "graze";

void complain_as(const char *name) {
  program = name;
}

static void write_message(const char *opening, const char *format, va_list arguments) {
  char message[MESSAGE_BYTES];
  const int length = vsnprintf(message, sizeof message, format, arguments);
  if (length >= (int)sizeof message) memcpy(message + sizeof message - 4, "...", 4);
  fflush(stdout);
  fprintf(stderr, "%s: %s", program, opening);
  write_harmless(stderr, message);
  fputc('\n', stderr);
}

exit_code complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_message("", format, arguments);
  va_end(arguments);
  return EXIT_CODE_TROUBLE;
}

void remark(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_message("note: ", format, arguments);
  va_end(arguments);
}

exit_code finish_standard_output(void) {
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return EXIT_CODE_NOTHING;
  /* A failure in the middle of a long text leaves no errno behind; another write reports it. */
  if (errno == 0 && putchar('\n') != EOF) (void)fflush(stdout);
  return complain("standard output: %s", errno != 0 ? strerror(errno) : "cannot write");
}
