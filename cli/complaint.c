/* Messages on stderr.
 *
 * They quote file names, option values and names of groups, which may be arbitrary: control characters are replaced, so
 * that no file can move the cursor or recolor the terminal. A path may have thousands of bytes, and a file lines of
 * megabytes: of a long word, and of a long message, the start and the end are shown. */
#include "complaint.h"

#include "plain_words.h"

#include "mesh_io/mesh_name.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1 << 14, WORDS_SHOWN = 1 << 11 };

static const char *program = "graze";

void complain_as(const char *name) {
  program = name;
}

/* Shortens words in place, and returns the length of the message. */
static size_t shorten_words(char *message) {
  char *to = message;
  for (const char *from = message; *from != '\0';) {
    const size_t blanks = strspn(from, " "), length = strcspn(from + blanks, " ");
    const mesh_shown word = mesh_shown_bytes(from + blanks, length);
    const size_t shown = length > MESH_NAME_SHOWN ? strlen(word.text) : length;
    memmove(to, from, blanks);
    memmove(to + blanks, length > MESH_NAME_SHOWN ? word.text : from + blanks, shown);
    to += blanks + shown;
    from += blanks + length;
  }
  *to = '\0';
  return (size_t)(to - message);
}

static void write_message(const char *opening, const char *format, va_list arguments) {
  char message[MESSAGE_BYTES];
  if (vsnprintf(message, sizeof message, format, arguments) >= (int)sizeof message)
    memcpy(message + sizeof message - 4, "...", 4);
  const size_t length = shorten_words(message);
  fflush(stdout);
  fprintf(stderr, "%s: %s", program, opening);
  if (length > WORDS_SHOWN) {
    const size_t half = WORDS_SHOWN / 2;
    memmove(message + half, message + length - half, half + 1);
    memcpy(message + half, "...", 3);
  }
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

bool decline(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_message("", format, arguments);
  va_end(arguments);
  return false;
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
