/* Runs `graze-lab papers` in a temporary folder of one test, and reads its output. */
#ifndef GRAZE_PAPER_RUNNER_H
#define GRAZE_PAPER_RUNNER_H

#include "testing.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES_MAX = 1 << 20 };

static char words[BYTES_MAX], file_text[BYTES_MAX];
static char folder[64];

static inline int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/graze_papers_XXXXXX");
  return mkdtemp(folder) == NULL;
}

/* Reading a file removes it: the folder must be empty at the end. */
static inline int remove_folder(void **state) {
  (void)state;
  return rmdir(folder);
}

static inline int run_papers(const char *before, const char *names) {
  char line[1024];
  snprintf(line, sizeof line,
           "%s env -u GRAZE_DATA '%s' papers --quick --figure %s --rounds 1 --threads 1 --figures %s 2>&1", before,
           getenv("GRAZE_LAB"), names, folder);
  FILE *const pipe = popen(line, "r");
  assert_non_null(pipe);
  words[fread(words, 1, BYTES_MAX - 1, pipe)] = '\0';
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline void make_figures(const char *names) {
  const int status = run_papers("", names);
  if (status != 0) fprintf(stderr, "%s", words);
  assert_int_equal(status, 0);
  assert_null(strstr(words, "nan"));
}

static inline void read_and_remove(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *const file = fopen(path, "r");
  if (file == NULL) fail_msg("%s is not there", name);
  file_text[fread(file_text, 1, BYTES_MAX - 1, file)] = '\0';
  fclose(file);
  remove(path);
  assert_null(strstr(file_text, "nan"));
}

static inline size_t line_count(const char *text) {
  size_t count = 0;
  for (; *text != '\0'; text++) count += *text == '\n';
  return count;
}

static inline size_t comma_count(const char *line) {
  size_t count = 0;
  for (; *line != '\0' && *line != '\n'; line++) count += *line == ',';
  return count;
}

/* So many lines below the heading, all of as many cells as it. */
static inline void check_table(const char *name, size_t lines) {
  char file[128];
  snprintf(file, sizeof file, "paper_%s.csv", name);
  read_and_remove(file);
  assert_int_equal(line_count(file_text), lines + 1);
  for (const char *line = file_text; line != NULL && *line != '\0';) {
    assert_int_equal(comma_count(line), comma_count(file_text));
    line = strchr(line, '\n');
    line = line != NULL ? line + 1 : NULL;
  }
}

/* A drawing that has the words. */
static inline void check_drawing(const char *name, const char *wanted) {
  char file[128];
  snprintf(file, sizeof file, "paper_%s.svg", name);
  read_and_remove(file);
  assert_non_null(strstr(file_text, wanted));
  assert_non_null(strstr(file_text, "</svg>"));
}

/* Returns the number in a cell of the table that was read last, line 1 below the heading; NaN if empty. */
static inline double cell_of(size_t line, size_t cell) {
  const char *at = file_text;
  for (; line > 0; line--) at = strchr(at, '\n') + 1;
  for (; cell > 0; cell--) at = strchr(at, ',') + 1;
  return *at == ',' ? (double)NAN : strtod(at, NULL);
}

#endif
