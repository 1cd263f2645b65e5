/* Formats numbers, times, names and colors for people. */
#ifndef GRAZE_PLAIN_WORDS_H
#define GRAZE_PLAIN_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Space for any number or duration below, with its terminating zero. */
enum { PLAIN_WORDS_BYTES = 48 };
typedef struct plain_words {
  char text[PLAIN_WORDS_BYTES];
} plain_words;

/* 1742612 -> "1,742,612". */
plain_words grouped_number(uint64_t number);

/* "1 triangle", "1,742,612 triangles": adds an s unless the number is one. `noun` has at most 15 letters. */
plain_words counted(uint64_t number, const char *noun);

/* "1 tetrahedron", "12 tetrahedra": for nouns with an irregular plural. */
plain_words counted_as(uint64_t number, const char *one, const char *many);

/* Milliseconds -> "0.31 ms", "13.2 ms", "12.3 s". */
plain_words spelled_duration(double milliseconds);

/* Returns milliseconds of a monotonic clock. */
double clock_milliseconds(void);

/* Writes the text with control characters replaced by '?'; bytes from 0x80 are unchanged, which preserves UTF-8. */
void write_harmless(FILE *stream, const char *text);

/* A stream for people: `color` only if it is a terminal with colors and NO_COLOR is not set. */
typedef struct console {
  FILE *stream;
  bool terminal;
  bool color;
} console;

typedef enum tint { TINT_GOOD, TINT_BAD, TINT_FAINT, TINT_HEADING } tint;

console console_on(FILE *stream);
void console_begin(const console *screen, tint color);
void console_end(const console *screen);

#endif
