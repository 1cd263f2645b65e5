/* Tests the number of available processors: intact and damaged kernel texts, folders that imitate mounted control
 * groups, and the affinity of this thread. */
/* For sched_setaffinity, which POSIX does not have. */
#define _GNU_SOURCE

#include "base/processor_count.h"
#include "base/workers.h"
#include "testing.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NONE UINT32_MAX

TEST(quotas_of_version_2) {
  static const struct {
    const char *text;
    uint32_t processors;
  } rows[] = {{"max 100000\n", NONE}, {"max\n", NONE},          {"200000 100000\n", 2},
              {"200001 100000\n", 3}, /* a part of a processor is one more worker */
              {"199999 100000\n", 2}, {"1 100000\n", 1},        {"50000 100000\n", 1},
              {"100000 100000", 1},   {"1600000 100000\n", 16}, {"9223372036854775807 1\n", NONE},
              {"0 100000\n", NONE},   {"-1 100000\n", NONE},    {"100000\n", NONE},
              {"100000 0\n", NONE},   {"100000 max\n", NONE},   {"", NONE},
              {"\n", NONE},           {"two 3", NONE}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (processor_quota_from_max(rows[i].text) != rows[i].processors)
      fail_msg("\"%s\" is %u processors", rows[i].text, processor_quota_from_max(rows[i].text));
}

TEST(quotas_of_version_1) {
  assert_int_equal(processor_quota_from_times("-1\n", "100000\n"), NONE);
  assert_int_equal(processor_quota_from_times("150000\n", "100000\n"), 2);
  assert_int_equal(processor_quota_from_times("400000\n", "100000\n"), 4);
  assert_int_equal(processor_quota_from_times("400000\n", "0\n"), NONE);
  assert_int_equal(processor_quota_from_times("400000\n", ""), NONE);
  assert_int_equal(processor_quota_from_times("", "100000\n"), NONE);
}

static void check_path(const char *text, int version, const char *expected_or_null) {
  char path[32] = "untouched";
  const bool found = processor_group_path(text, version, path, sizeof path);
  assert_int_equal(found, expected_or_null != NULL);
  if (found) assert_string_equal(path, expected_or_null);
}

TEST(paths_of_groups) {
  const char *const hybrid = "12:cpuset:/set\n4:cpu,cpuacct:/old/way\n1:name=systemd:/x\n0::/new/way\n";
  check_path(hybrid, 2, "/new/way");
  check_path(hybrid, 1, "/old/way");
  check_path("0::/\n", 2, "/");
  check_path("0::/\n", 1, NULL);
  check_path("3:cpuacct,cpu:/b\n", 1, "/b");
  check_path("3:cpuacct,cpuset:/b\n", 1, NULL);
  check_path("3:cpuacct,cpuset:/b\n", 2, NULL);
  check_path("0::/with:colon\n", 2, "/with:colon");
  check_path("0::/no/end", 2, "/no/end");
  check_path("0::/thirty-two-bytes-with-its-end-00", 2, NULL);
  check_path("0::/thirty-one-bytes-and-its-end-0", 2, "/thirty-one-bytes-and-its-end-0");
  check_path("", 2, NULL);
  check_path("\n\n0::/late\n", 2, "/late");
  check_path("0:\n0\n0::\n::\n", 2, NULL);
}

/* ------------------------------------------------------------------------------------------------ folders */

static char root[] = "/tmp/graze_groups_XXXXXX";

static void write_file(const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", root, name);
  for (char *slash = strchr(path + sizeof root, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *const file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void remove_tree(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", root);
  assert_int_equal(system(command), 0);
}

TEST(the_lowest_of_all_groups_around) {
  assert_non_null(mkdtemp(root));
  assert_int_equal(processor_group_quota("0::/a/b\n", root), NONE);
  write_file("a/b/cpu.max", "800000 100000\n");
  assert_int_equal(processor_group_quota("0::/a/b\n", root), 8);
  write_file("a/cpu.max", "300000 100000\n");
  assert_int_equal(processor_group_quota("0::/a/b\n", root), 3);
  write_file("a/cpu.max", "max 100000\n");
  assert_int_equal(processor_group_quota("0::/a/b\n", root), 8);
  write_file("cpu.max", "200000 100000\n"); /* what a container sees of its own group */
  assert_int_equal(processor_group_quota("0::/a/b\n", root), 2);
  assert_int_equal(processor_group_quota("0::/not/shown\n", root), 2);
  assert_int_equal(processor_group_quota("0::/\n", root), 2);
  write_file("cpu/job/cpu.cfs_quota_us", "100000\n");
  assert_int_equal(processor_group_quota("3:cpu,cpuacct:/job\n", root), NONE); /* without its period */
  write_file("cpu/job/cpu.cfs_period_us", "100000\n");
  assert_int_equal(processor_group_quota("3:cpu,cpuacct:/job\n", root), 1);
  assert_int_equal(processor_group_quota("3:cpu,cpuacct:/job/step\n0::/a\n", root), 1);
  write_file("cpu/job/cpu.cfs_quota_us", "-1\n");
  assert_int_equal(processor_group_quota("3:cpu,cpuacct:/job/step\n0::/a\n", root), 2);
  assert_int_equal(processor_group_quota("", root), NONE);
  remove_tree();
}

/* ------------------------------------------------------------------------------------------------ this thread */

TEST(affinity_counts) {
  const uint32_t before = processor_count();
  assert_true(before >= 1 && before <= (uint32_t)sysconf(_SC_NPROCESSORS_CONF));
  cpu_set_t all, one;
  if (sched_getaffinity(0, sizeof all, &all) != 0) skip();
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
    if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) skip();
  assert_int_equal(processor_count(), 1);
  graze_workers *team;
  assert_int_equal(graze_workers_create(NULL, &team), GRAZE_OK);
  assert_int_equal(graze_workers_count(team), 1);
  graze_workers_destroy(team);
  assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
  assert_int_equal(processor_count(), before);
}
