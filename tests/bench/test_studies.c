/* Runs the studies of clusters and methods, and the suite of rigid bodies, on small scenes: rows contain the data of
 * the figures, ways agree (otherwise the program fails), and drawings are written. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_scale.h"
#include "testing.h"

enum { BYTES_MAX = 1 << 20, FIELD_BYTES = 160 };

static char words[BYTES_MAX], rows[BYTES_MAX], drawing[BYTES_MAX];

/* The output of the tool goes to `words`. */
static void run_tool(const char *folder, const char *options) {
  char line[4096];
  snprintf(line, sizeof line, "env -u GRAZE_DATA '%s' bench --quick --rounds 1 --threads %s %s --figures %s 2>&1",
           getenv("GRAZE_TOOL"), test_scale() < 1.0 ? "1" : "1,2", options, folder);
  FILE *const pipe = popen(line, "r");
  assert_non_null(pipe);
  words[fread(words, 1, BYTES_MAX - 1, pipe)] = '\0';
  const int status = pclose(pipe);
  if (status != 0) fprintf(stderr, "%s", words);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* The rows of a table go to `rows`. */
static void run_study(const char *folder, const char *options) {
  char line[1024], path[256];
  snprintf(line, sizeof line, "%s --csv %s/rows.csv", options, folder);
  run_tool(folder, line);
  snprintf(path, sizeof path, "%s/rows.csv", folder);
  FILE *const file = fopen(path, "r");
  assert_non_null(file);
  rows[fread(rows, 1, BYTES_MAX - 1, file)] = '\0';
  fclose(file);
  remove(path);
}

static const char *next_line(const char *line) {
  const char *const end = strchr(line, '\n');
  return end != NULL && end[1] != '\0' ? end + 1 : NULL;
}

static const char *field_at(const char *line, size_t number, char field_out[FIELD_BYTES]) {
  for (; number > 0; number--) line += strcspn(line, ",\n") + 1;
  snprintf(field_out, FIELD_BYTES, "%.*s", (int)strcspn(line, ",\n"), line);
  return field_out;
}

/* The field of a line that stands under the heading. */
static const char *text_of(const char *line, const char *heading, char field_out[FIELD_BYTES]) {
  const size_t columns = strcspn(rows, "\n");
  for (size_t begin = 0, number = 0; begin < columns; begin += strcspn(rows + begin, ",\n") + 1, number++)
    if (strcmp(field_at(rows, number, field_out), heading) == 0) return field_at(line, number, field_out);
  fail_msg("no column %s", heading);
  return NULL;
}

static uint64_t number_of(const char *line, const char *heading) {
  char field[FIELD_BYTES];
  return strtoull(text_of(line, heading, field), NULL, 10);
}

static bool has(const char *line, const char *heading, const char *wanted) {
  char field[FIELD_BYTES];
  return strcmp(text_of(line, heading, field), wanted) == 0;
}

/* The first line of a cluster study that is so, or NULL. */
static const char *find_line(const char *scene, const char *method, const char *clusters) {
  for (const char *line = next_line(rows); line != NULL; line = next_line(line))
    if (has(line, "scene", scene) && has(line, "method", method) && has(line, "clusters", clusters)) return line;
  return NULL;
}

static void check_drawing(const char *folder, const char *name, const char *word) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *const file = fopen(path, "r");
  assert_non_null(file);
  drawing[fread(drawing, 1, BYTES_MAX - 1, file)] = '\0';
  fclose(file);
  assert_non_null(strstr(drawing, word));
  assert_non_null(strstr(drawing, "</svg>"));
  assert_null(strstr(drawing, "nan"));
  remove(path);
}

TEST(clusters_have_their_figures) {
  if (getenv("GRAZE_TOOL") == NULL) skip();
  char folder[] = "/tmp/graze_studies_XXXXXX";
  assert_non_null(mkdtemp(folder));
  run_study(folder, "--table clusters");
  check_drawing(folder, "clusters.svg", "principal, 1 thread<");
  check_drawing(folder, "cluster_members.svg", "percent of primitives");
  assert_int_equal(rmdir(folder), 0);

  static const char *const scenes[] = {"draped-cloth", "cloth", "folded-cloth"};
  for (size_t i = 0; i < 3; i++) {
    const char *const grid = find_line(scenes[i], "grid", "0");
    const char *const one = find_line(scenes[i], "clusters", "1");
    const char *const four = find_line(scenes[i], "clusters", "4");
    assert_true(grid != NULL && one != NULL && four != NULL);
    const uint64_t primitives = number_of(grid, "primitives");
    assert_true(has(four, "frame", "positions") && has(four, "steady", "yes"));
    assert_int_equal(number_of(four, "clusters_made"), 4);
    assert_int_equal(number_of(one, "members_1"), primitives);
    assert_int_equal(number_of(four, "members_1") + number_of(four, "members_2") + number_of(four, "members_3") +
                         number_of(four, "members_4"),
                     primitives);
    assert_true(number_of(four, "members_2") > 0);
    assert_true(number_of(four, "box_tests") < number_of(one, "box_tests"));
    assert_int_equal(number_of(four, "pairs"), number_of(grid, "pairs"));
  }
}

TEST(methods_are_compared) {
  if (getenv("GRAZE_TOOL") == NULL) skip();
  char folder[] = "/tmp/graze_studies_XXXXXX";
  assert_non_null(mkdtemp(folder));
  run_study(folder, "--table methods --scene knots");
  assert_int_equal(rmdir(folder), 0);
  assert_non_null(strstr(words, "\nfirst     of 1 scenes:"));
  assert_non_null(strstr(words, "\nposes     of 1 scenes:"));
  assert_non_null(strstr(words, "\nmoving    of 1 scenes:"));
  size_t lines = 0, trees = 0, posed = 0;
  for (const char *line = next_line(rows); line != NULL; line = next_line(line)) {
    lines++;
    trees += has(line, "method", "tree");
    posed += has(line, "frame", "poses");
    assert_true(number_of(line, "pairs") > 0);
  }
  assert_int_equal(lines, 4 + 3 + 2 + 3);
  assert_int_equal(trees, 2 + 1 + 1 + 1);
  assert_int_equal(posed, 2);
}

/* The suite of rigid bodies, and its configurations once more from their file, for it and for graze_rigid's engines. */
TEST(rigid_bodies_have_their_figures) {
  if (getenv("GRAZE_TOOL") == NULL) skip();
  char folder[] = "/tmp/graze_studies_XXXXXX", path[256], options[512];
  assert_non_null(mkdtemp(folder));
  snprintf(options, sizeof options, "--suite rigid --scene gear --size 300 --share 2 --configurations %s/gear.txt",
           folder);
  run_tool(folder, options);
  assert_non_null(strstr(words, " spheres, "));
  assert_non_null(strstr(words, "; 2 of 1991808 ways by distance, 2 of 268128 by volume, seed 1\n"));
  assert_non_null(strstr(words, " configurations found in "));
  assert_non_null(strstr(words, "\n     30      2       0      0.0 "));
  assert_non_null(strstr(words, "\n     10 "));
  assert_null(strstr(words, "nan"));
  run_tool(folder, options);
  assert_non_null(strstr(words, " configurations read from "));
  if (getenv("GRAZE_RIGID") != NULL) {
    snprintf(options, sizeof options, "'%s' --triangles 300 --rounds 1 --configurations %s/gear.txt 2>&1",
             getenv("GRAZE_RIGID"), folder);
    FILE *const pipe = popen(options, "r");
    assert_non_null(pipe);
    words[fread(words, 1, BYTES_MAX - 1, pipe)] = '\0';
    assert_int_equal(pclose(pipe), 0);
    assert_non_null(strstr(words, " volume 3 all       clusters "));
    assert_non_null(strstr(words, "graze_rigid: blob: "));
  }
  static const char *const drawings[] = {"distance_any", "distance_all", "volume_any", "volume_all"};
  for (size_t i = 0; i < 4; i++) {
    char name[64];
    snprintf(name, sizeof name, "rigid_gear_%s.svg", drawings[i]);
    check_drawing(folder, name, ">clusters<");
  }
  snprintf(path, sizeof path, "%s/rigid.csv", folder);
  FILE *const file = fopen(path, "r");
  assert_non_null(file);
  rows[fread(rows, 1, BYTES_MAX - 1, file)] = '\0';
  fclose(file);
  remove(path);
  assert_non_null(strstr(rows, ",distance,0,2,0,0,any,tree,"));
  assert_non_null(strstr(rows, ",volume,0,2,2,"));
  assert_null(strstr(rows, "nan"));
  snprintf(path, sizeof path, "%s/gear.txt", folder);
  assert_int_equal(remove(path), 0);
  assert_int_equal(rmdir(folder), 0);
}
