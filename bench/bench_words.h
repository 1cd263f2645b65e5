/* Names selected from a list, such as "grid,tree". */
#ifndef GRAZE_BENCH_WORDS_H
#define GRAZE_BENCH_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { BENCH_WORDS_MAX = 16 };

/* Borrowed. Empty: all names. */
typedef struct bench_words {
  const char *words[BENCH_WORDS_MAX];
  size_t count;
} bench_words;

/* Whether the name is one of them. */
static inline bool bench_words_have(const bench_words *chosen, const char *name) {
  for (size_t i = 0; i < chosen->count; i++)
    if (strcmp(chosen->words[i], name) == 0) return true;
  return chosen->count == 0;
}

/* Whether the name contains one of them. */
static inline bool bench_words_are_part_of(const bench_words *chosen, const char *name) {
  for (size_t i = 0; i < chosen->count; i++)
    if (strstr(name, chosen->words[i]) != NULL) return true;
  return chosen->count == 0;
}

#endif
