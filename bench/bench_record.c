/* Where and when a benchmark ran. A line without commit and machine is not a result; git and /proc are asked once a
 * run. */
#include "bench/bench_record.h"

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

/* The ceiling keeps git from answering for a repository around a source tree that has none of its own. */
#define DESCRIBE_COMMIT                                                                                                \
  "cd '" GRAZE_SOURCE_FOLDER "' && GIT_CEILING_DIRECTORIES=\"$(cd .. && pwd -P)\" git describe --always --dirty "      \
  "2>/dev/null"

static void read_commit(char *commit_out, size_t bytes) {
  const char *const told = getenv("GRAZE_COMMIT");
  snprintf(commit_out, bytes, "%s", told != NULL && told[0] != '\0' ? told : "unknown");
  FILE *const pipe = told == NULL || told[0] == '\0' ? popen(DESCRIBE_COMMIT, "r") : NULL;
  if (pipe == NULL) return;
  char line[64];
  if (fgets(line, sizeof line, pipe) != NULL) {
    strip_line(line);
    snprintf(commit_out, bytes, "%s", line);
  }
  pclose(pipe);
}

/* The model name of the first processor; many ARM kernels give none. */
static void read_processor(char *name_out, size_t bytes) {
  name_out[0] = '\0';
  FILE *const file = fopen("/proc/cpuinfo", "r");
  if (file == NULL) return;
  char line[256];
  while (fgets(line, sizeof line, file) != NULL) {
    const char *const colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
      strip_line(line);
      snprintf(name_out, bytes, "%s ", colon + 2);
      break;
    }
  }
  fclose(file);
}

void bench_record_fill(bench_record *record_out) {
  read_commit(record_out->commit, sizeof record_out->commit);
  struct utsname system;
  char processor[80];
  read_processor(processor, sizeof processor);
  const char *const architecture = uname(&system) == 0 ? system.machine : "unknown";
  snprintf(record_out->machine, sizeof record_out->machine, "%.20s %s%ld processors", architecture, processor,
           sysconf(_SC_NPROCESSORS_ONLN));
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

double bench_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}
