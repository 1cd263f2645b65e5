/* processor_count: affinity and control groups; see processor_count.h. */
/* For sched_getaffinity, which POSIX does not have. */
#define _GNU_SOURCE

#include "base/processor_count.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_QUOTA UINT32_MAX

/* All buffers are on the caller's stack. Groups with longer paths count as groups without a quota. */
enum { PATH_BYTES = 1024, GROUP_TEXT_BYTES = 4096, NUMBER_TEXT_BYTES = 64 };

static uint32_t lower(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* ------------------------------------------------------------------------------------------------ texts */

/* Reads a positive integer; `rest_out` is the text after it. */
static bool read_positive(const char *text, uint64_t *number_out, const char **rest_out) {
  char *rest;
  const long long number = strtoll(text, &rest, 10);
  if (rest == text || number <= 0) return false;
  *number_out = (uint64_t)number;
  *rest_out = rest;
  return true;
}

static uint32_t whole_processors(uint64_t quota, uint64_t period) {
  const uint64_t processors = (quota - 1) / period + 1;
  return processors < NO_QUOTA ? (uint32_t)processors : NO_QUOTA;
}

uint32_t processor_quota_from_times(const char *quota_text, const char *period_text) {
  uint64_t quota, period;
  const char *rest;
  if (!read_positive(quota_text, &quota, &rest) || !read_positive(period_text, &period, &rest)) return NO_QUOTA;
  return whole_processors(quota, period);
}

uint32_t processor_quota_from_max(const char *text) {
  uint64_t quota;
  const char *period_text;
  if (!read_positive(text, &quota, &period_text)) return NO_QUOTA;
  return processor_quota_from_times(text, period_text);
}

/* Whether a list such as "cpu,cpuacct" contains the controller `cpu`. */
static bool lists_cpu(const char *list, size_t length) {
  for (const char *end = list + length; list < end;) {
    const char *comma = memchr(list, ',', (size_t)(end - list));
    const size_t name_length = comma != NULL ? (size_t)(comma - list) : (size_t)(end - list);
    if (name_length == 3 && memcmp(list, "cpu", 3) == 0) return true;
    list += name_length + 1;
  }
  return false;
}

/* A line is "number:controllers:path". */
static bool line_is_of(const char *line, size_t length, int version, const char **path_out) {
  const char *first = memchr(line, ':', length);
  if (first == NULL) return false;
  const char *second = memchr(first + 1, ':', (size_t)(line + length - first - 1));
  if (second == NULL || second + 1 == line + length || second[1] != '/') return false;
  *path_out = second + 1;
  const size_t list_length = (size_t)(second - first - 1);
  return version == 2 ? list_length == 0 && line[0] == '0' : lists_cpu(first + 1, list_length);
}

bool processor_group_path(const char *text, int version, char *path_out, size_t path_bytes) {
  while (*text != '\0') {
    const size_t length = strcspn(text, "\n");
    const char *path;
    if (line_is_of(text, length, version, &path)) {
      const size_t path_length = (size_t)(text + length - path);
      if (path_length >= path_bytes) return false;
      memcpy(path_out, path, path_length);
      path_out[path_length] = '\0';
      return true;
    }
    text += length + (text[length] == '\n');
  }
  return false;
}

/* ------------------------------------------------------------------------------------------------ files */

static bool read_text(const char *path, char *text_out, size_t text_bytes) {
  FILE *const file = fopen(path, "re");
  if (file == NULL) return false;
  const size_t length = fread(text_out, 1, text_bytes - 1, file);
  text_out[length] = '\0';
  fclose(file);
  return length > 0;
}

static bool read_group_file(const char *root, const char *group, const char *name, char text_out[NUMBER_TEXT_BYTES]) {
  char path[PATH_BYTES];
  const int length = snprintf(path, sizeof path, "%s%s/%s", root, group, name);
  return length > 0 && (size_t)length < sizeof path && read_text(path, text_out, NUMBER_TEXT_BYTES);
}

static uint32_t quota_of_group(const char *root, const char *group, int version) {
  char quota[NUMBER_TEXT_BYTES], period[NUMBER_TEXT_BYTES];
  if (version == 2) return read_group_file(root, group, "cpu.max", quota) ? processor_quota_from_max(quota) : NO_QUOTA;
  const bool both = read_group_file(root, group, "cpu.cfs_quota_us", quota) &&
                    read_group_file(root, group, "cpu.cfs_period_us", period);
  return both ? processor_quota_from_times(quota, period) : NO_QUOTA;
}

/* The quota of the group and its ancestors, up to the root; shortens `group` on the way. */
static uint32_t quota_of_chain(const char *root, char *group, int version) {
  uint32_t quota = NO_QUOTA;
  for (;;) {
    quota = lower(quota, quota_of_group(root, group, version));
    char *const slash = strrchr(group, '/');
    if (slash == NULL) return quota;
    *slash = '\0';
  }
}

uint32_t processor_group_quota(const char *group_text, const char *root) {
  char group[PATH_BYTES], mount[PATH_BYTES];
  uint32_t quota = NO_QUOTA;
  if (processor_group_path(group_text, 2, group, sizeof group)) quota = quota_of_chain(root, group, 2);
  if (!processor_group_path(group_text, 1, group, sizeof group)) return quota;
  const int length = snprintf(mount, sizeof mount, "%s/cpu", root);
  return length > 0 && (size_t)length < sizeof mount ? lower(quota, quota_of_chain(mount, group, 1)) : quota;
}

/* ------------------------------------------------------------------------------------------------ this process */

static uint32_t online_processors(void) {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count < (long)UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static uint32_t processors_by_affinity(void) {
#if defined(__linux__)
  /* Wider than cpu_set_t, whose 1024 bits are too few for large machines: there the call would fail. */
  union {
    cpu_set_t set;
    uint64_t words[256];
  } mask = {.words = {0}};
  if (sched_getaffinity(0, sizeof mask, &mask.set) == 0) {
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof mask.words / sizeof mask.words[0]; i++)
      for (uint64_t word = mask.words[i]; word != 0; word &= word - 1) count++;
    if (count > 0) return count;
  }
#endif
  return online_processors();
}

uint32_t processor_count(void) {
  char groups[GROUP_TEXT_BYTES];
  const uint32_t allowed = processors_by_affinity();
  return read_text("/proc/self/cgroup", groups, sizeof groups)
             ? lower(allowed, processor_group_quota(groups, "/sys/fs/cgroup"))
             : allowed;
}
