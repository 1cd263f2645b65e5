/* Runs the tables of graze-lab and the suite of forces on small scenes: rows contain the data of the figures, complete
 * variants agree (otherwise the program fails), hard clusters lose pairs, and drawings are written. */
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

/* The output of the program goes to `words`. */
static void run_tool(const char *folder, const char *options) {
  char line[4096];
  snprintf(line, sizeof line, "env -u GRAZE_DATA '%s' %s --quick --rounds 1 --threads %s --figures %s 2>&1",
           getenv("GRAZE_LAB"), options, test_scale() < 1.0 ? "1" : "1,2", folder);
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
  if (getenv("GRAZE_LAB") == NULL) skip();
  char folder[] = "/tmp/graze_studies_XXXXXX";
  assert_non_null(mkdtemp(folder));
  run_study(folder, "tables --table clusters");
  check_drawing(folder, "clusters.svg", "principal, 1 thread<");
  check_drawing(folder, "cluster_members.svg", "percent of primitives");
  assert_int_equal(rmdir(folder), 0);

  static const char *const scenes[] = {"draped-cloth", "cloth", "folded-cloth"};
  for (size_t i = 0; i < 3; i++) {
    const char *const grid = find_line(scenes[i], "grid", "0");
    const char *const one = find_line(scenes[i], "clusters", "1");
    const char *const four = find_line(scenes[i], "clusters", "4");
    const char *const hard = find_line(scenes[i], "clusters-hard", "16");
    assert_true(grid != NULL && one != NULL && four != NULL && hard != NULL);
    assert_non_null(find_line(scenes[i], "clusters-thesis", "16"));
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
    assert_int_equal(number_of(hard, "members_1"), primitives);
    if (number_of(grid, "pairs") > 0) assert_true(number_of(hard, "pairs") < number_of(grid, "pairs"));
  }
}

/* Rows of a table, by method. */
static size_t rows_of(const char *method) {
  size_t count = 0;
  for (const char *line = next_line(rows); line != NULL; line = next_line(line)) count += has(line, "method", method);
  return count;
}

TEST(variants_of_the_grid_have_their_tables) {
  if (getenv("GRAZE_LAB") == NULL) skip();
  char folder[] = "/tmp/graze_studies_XXXXXX";
  assert_non_null(mkdtemp(folder));
  run_study(folder, "tables --table dedup,hashes,tests");
  check_drawing(folder, "hashes.svg", ">primes<");
  check_drawing(folder, "tests.svg", ">sat_no_edges<");
  assert_int_equal(rows_of("grid-sort"), 2 * 3 + 1);
  assert_int_equal(rows_of("grid-map"), 2 * 3);
  assert_int_equal(rows_of("grid-sort-djb2"), 1);
  assert_int_equal(rows_of("grid-sort-primes"), 1);
  run_study(folder, "tables --table depth,memory");
  check_drawing(folder, "depth.svg", ">grid-map<");
  check_drawing(folder, "memory.svg", ">grid-sort<");
  assert_int_equal(rows_of("grid-sort"), 21 + 4);
  assert_int_equal(rmdir(folder), 0);
}

/* Under sanitizers test_principal_curve learns: this takes half a minute there. */
TEST(curves_are_learned) {
  if (test_scale() < 1.0) skip();
  if (getenv("GRAZE_LAB") == NULL) skip();
  char folder[] = "/tmp/graze_studies_XXXXXX";
  assert_non_null(mkdtemp(folder));
  run_study(folder, "tables --table curve");
  assert_int_equal(rmdir(folder), 0);
  for (int segments = 0; segments <= 10; segments++) {
    char begin[64];
    snprintf(begin, sizeof begin, "\nfolded-cloth        1024 %8d", segments);
    assert_non_null(strstr(words, begin));
  }
}

TEST(forces_have_their_figures) {
  if (getenv("GRAZE_LAB") == NULL) skip();
  char folder[] = "/tmp/graze_studies_XXXXXX", path[256];
  assert_non_null(mkdtemp(folder));
  run_tool(folder, "quality --scenario III");
  assert_non_null(strstr(words, "\nIII      spheres, volume "));
  assert_non_null(strstr(words, "\nIII      voxmap "));
  assert_non_null(strstr(words, "middle, most of 2 packings; sigma 0."));
  assert_null(strstr(words, "\nII "));
  assert_null(strstr(words, "nan"));
  check_drawing(folder, "quality_III_torque.svg", "ideal, gradient<");
  check_drawing(folder, "quality_III_noise.svg", "shade_5\"");
  assert_non_null(strstr(words, "\nsigma_T(III)                     0.112 "));
  assert_null(strstr(words, "gamma_F(II)"));
  static const char *const tables[] = {"quality.csv", "quality_III_volume.csv", "quality_III_gradient.csv",
                                       "quality_III_voxmap.csv", "quality_thesis.csv"};
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, tables[i]);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    rows[fread(rows, 1, BYTES_MAX - 1, file)] = '\0';
    fclose(file);
    remove(path);
    size_t lines = 0;
    for (const char *line = next_line(rows); line != NULL; line = next_line(line)) lines++;
    assert_int_equal(lines, i == 0 ? 3 * (9 + 3) + 2 * 2 : i == 4 ? 2 : 40);
    assert_null(strstr(rows, "nan"));
  }
  assert_int_equal(rmdir(folder), 0);
}
