/* Formats numbers, times, names and colors for people. The tool never calls setlocale, so logs of different machines
 * are comparable. */
#include "plain_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

plain_words grouped_number(uint64_t number) {
  char digits[24];
  const int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
  plain_words words;
  size_t written = 0;
  for (int i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0) words.text[written++] = ',';
    words.text[written++] = digits[i];
  }
  words.text[written] = '\0';
  return words;
}

plain_words counted(uint64_t number, const char *noun) {
  const plain_words grouped = grouped_number(number);
  plain_words words;
  snprintf(words.text, sizeof words.text, "%.26s %.15s%s", grouped.text, noun, number == 1 ? "" : "s");
  return words;
}

plain_words counted_as(uint64_t number, const char *one, const char *many) {
  const plain_words grouped = grouped_number(number);
  plain_words words;
  snprintf(words.text, sizeof words.text, "%.26s %.16s", grouped.text, number == 1 ? one : many);
  return words;
}

plain_words spelled_duration(double milliseconds) {
  plain_words words;
  if (milliseconds < 10) {
    snprintf(words.text, sizeof words.text, "%.2f ms", milliseconds);
  } else if (milliseconds < 10000) {
    snprintf(words.text, sizeof words.text, "%.1f ms", milliseconds);
  } else {
    snprintf(words.text, sizeof words.text, "%.1f s", milliseconds / 1000);
  }
  return words;
}

double clock_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

void write_harmless(FILE *stream, const char *text) {
  for (; *text != '\0'; text++) {
    const unsigned char byte = (unsigned char)*text;
    fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, stream);
  }
}

console console_on(FILE *stream) {
  const char *no_color = getenv("NO_COLOR");
  const char *terminal_kind = getenv("TERM");
  const bool refused = no_color != NULL && no_color[0] != '\0';
  const bool dumb = terminal_kind == NULL || strcmp(terminal_kind, "dumb") == 0;
  const bool terminal = isatty(fileno(stream)) == 1;
  return (console){.stream = stream, .terminal = terminal, .color = terminal && !refused && !dumb};
}

void console_begin(const console *screen, tint color) {
  static const char *const codes[] = {
      [TINT_GOOD] = "\033[1;32m", [TINT_BAD] = "\033[1;31m", [TINT_FAINT] = "\033[2m", [TINT_HEADING] = "\033[1m"};
  if (screen->color) fputs(codes[color], screen->stream);
}

void console_end(const console *screen) {
  if (screen->color) fputs("\033[0m", screen->stream);
}
