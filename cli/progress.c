/* Progress on a terminal. Work shorter than about a quarter of a second prints nothing; the duration is estimated from
 * bytes of a file or primitives of a scene. */
#include "progress.h"

#include <string.h>
#include <sys/stat.h>

enum { LONG_FILE_BYTES = 8 << 20, LONG_COMPRESSED_BYTES = 2 << 20, MANY_PRIMITIVES = 500000 };

progress progress_start(bool quiet) {
  const console screen = console_on(stderr);
  return (progress){.screen = screen, .quiet = quiet, .silent = quiet || !screen.terminal};
}

static bool takes_long_to_read(const char *file) {
  struct stat about;
  if (stat(file, &about) != 0) return false;
  const size_t length = strlen(file);
  const bool compressed = length > 3 && strcmp(file + length - 3, ".gz") == 0;
  return about.st_size >= (compressed ? LONG_COMPRESSED_BYTES : LONG_FILE_BYTES);
}

static void begin_line(progress *steps, const char *verb, const char *object) {
  console_begin(&steps->screen, TINT_FAINT);
  fprintf(stderr, "%s ", verb);
  write_harmless(stderr, object);
  fputs(" ...", stderr);
  console_end(&steps->screen);
  fflush(stderr);
  steps->open = true;
}

void progress_reading(progress *steps, const char *file) {
  if (!steps->silent && takes_long_to_read(file)) begin_line(steps, "reading", file);
}

void progress_working(progress *steps, const char *verb, uint64_t count, const char *amount) {
  if (!steps->silent && count >= MANY_PRIMITIVES) begin_line(steps, verb, amount);
}

void progress_done(progress *steps, const char *outcome) {
  if (!steps->open) return;
  console_begin(&steps->screen, TINT_FAINT);
  fprintf(stderr, " %s\n", outcome);
  console_end(&steps->screen);
  steps->open = false;
}

/* Redraws a bar with text after it; false if it is too early. */
static bool draw_bar(progress *steps, size_t done, size_t total) {
  enum { WIDTH = 30, EVERY_MS = 50 };
  const double now = clock_milliseconds();
  if (steps->silent || (done < total && now - steps->drawn_ms < EVERY_MS)) return false;
  const int filled = (int)(WIDTH * done / total);
  fprintf(stderr, "\r[%.*s%*s] ", filled, "##############################", WIDTH - filled, "");
  steps->drawn_ms = now;
  return true;
}

void progress_bar(progress *steps, size_t done, size_t total) {
  if (total < 2 || !draw_bar(steps, done, total)) return;
  fprintf(stderr, "%zu of %zu files", done, total);
  fflush(stderr);
}

/* Prints nothing while an estimate would be wrong. */
static plain_words time_left(double gone_ms, double part) {
  enum { SOON_MS = 1000, MINUTE = 60, MANY_MINUTES = 90 * MINUTE };
  const double seconds = 1e-3 * gone_ms * (1.0 - part) / (part > 0.0 ? part : 1.0);
  plain_words words = {""};
  if (gone_ms < SOON_MS || part < 0.01) return words;
  if (seconds < 2 * MINUTE)
    snprintf(words.text, sizeof words.text, ", %.0f s left", seconds);
  else if (seconds < MANY_MINUTES)
    snprintf(words.text, sizeof words.text, ", %.0f min left", seconds / MINUTE);
  else
    snprintf(words.text, sizeof words.text, ", %.1f h left", seconds / (MINUTE * MINUTE));
  return words;
}

void progress_filling(progress *steps, size_t done, size_t total, double fill_rate, double part) {
  enum { WORDS_BYTES = 96 };
  static const char task[] = "filling";
  const double now = clock_milliseconds();
  if (steps->task != task) steps->begun_ms = now;
  steps->task = task;
  if (!draw_bar(steps, done, total)) return;
  char words[WORDS_BYTES];
  snprintf(words, sizeof words, "%zu of %zu spheres, %.0f %% full%s", done, total, 100.0 * fill_rate,
           time_left(now - steps->begun_ms, part).text);
  fprintf(stderr, "%-46.46s", words);
  fflush(stderr);
}

void progress_measuring(progress *steps, const char *task, const char *place, double part) {
  enum { PARTS = 1000, WORDS_BYTES = 96 };
  const double now = clock_milliseconds();
  if (steps->task != task) steps->begun_ms = now;
  steps->task = task;
  if (!draw_bar(steps, (size_t)(PARTS * part), PARTS)) return;
  char words[WORDS_BYTES];
  snprintf(words, sizeof words, "%.30s%s", place, time_left(now - steps->begun_ms, part).text);
  fprintf(stderr, "%-36.36s", words);
  fflush(stderr);
}

void progress_frames(progress *steps, size_t done, size_t total, double left_ms) {
  if (total < 2 || !draw_bar(steps, done, total)) return;
  fprintf(stderr, "%zu of %zu frames, %s left", done, total, spelled_duration(left_ms).text);
  fflush(stderr);
}

void progress_bar_done(progress *steps) {
  if (steps->drawn_ms <= 0.0) return;
  fprintf(stderr, "\r%79s\r", "");
  fflush(stderr);
  steps->drawn_ms = 0.0;
}
