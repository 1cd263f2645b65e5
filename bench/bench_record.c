/* Records where and when a benchmark ran. A line without commit and machine is not a result. */
#include "bench/bench_record.h"

#include "build_commit.h"
#include "build_compiler.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void strip_line(char *text) {
  text[strcspn(text, "\r\n")] = '\0';
  for (char *c = text; *c != '\0'; c++) {
    if (*c == ',') *c = ' ';
  }
}

static void read_commit(char *commit_out, size_t bytes) {
  const char *const told = getenv("GRAZE_COMMIT");
  snprintf(commit_out, bytes, "%s", told != NULL && told[0] != '\0' ? told : GRAZE_BUILD_COMMIT);
  strip_line(commit_out);
}

/* The model name of the first processor; many ARM kernels report none. */
static void read_processor(char *name_out, size_t bytes) {
  name_out[0] = '\0';
  FILE *const file = fopen("/proc/cpuinfo", "r");
  if (file == NULL) return;
  char line[256];
  while (fgets(line, sizeof line, file) != NULL) {
    const char *const colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
      strip_line(line);
      snprintf(name_out, bytes, "%s", colon + 2);
      break;
    }
  }
  fclose(file);
}

static uint64_t read_memory(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;
}

static void read_machine(bench_record *record) {
  struct utsname system;
  const bool known = uname(&system) == 0;
  snprintf(record->architecture, sizeof record->architecture, "%.20s", known ? system.machine : "unknown");
  snprintf(record->system, sizeof record->system, "%.20s %.50s", known ? system.sysname : "unknown",
           known ? system.release : "");
  read_processor(record->processor, sizeof record->processor);
  record->processors = sysconf(_SC_NPROCESSORS_ONLN);
  record->memory_bytes = read_memory();
  snprintf(record->machine, sizeof record->machine, "%s %s%s%ld processors", record->architecture, record->processor,
           record->processor[0] != '\0' ? " " : "", record->processors);
}

void bench_record_fill(bench_record *record_out) {
  *record_out = (bench_record){.compiler = GRAZE_COMPILER, .flags = GRAZE_COMPILER_FLAGS};
  read_commit(record_out->commit, sizeof record_out->commit);
  read_machine(record_out);
  const time_t now = time(NULL);
  struct tm parts;
  gmtime_r(&now, &parts);
  strftime(record_out->date, sizeof record_out->date, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(double *values, size_t count) {
  if (count == 0) return 0.0;
  qsort(values, count, sizeof *values, compare_doubles);
  return values[(count - 1) / 2];
}

double bench_quartile(const double *sorted, size_t count, int quarter) {
  const double place = 0.25 * quarter * (double)(count - 1);
  const size_t below = (size_t)place;
  const double part = place - (double)below;
  return part > 0.0 ? sorted[below] + part * (sorted[below + 1] - sorted[below]) : sorted[below];
}

static double milliseconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

double bench_milliseconds(void) {
  return milliseconds_of(CLOCK_MONOTONIC);
}

double bench_processor_milliseconds(void) {
  return milliseconds_of(CLOCK_PROCESS_CPUTIME_ID);
}
