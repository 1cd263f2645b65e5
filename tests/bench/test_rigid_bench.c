/* Runs the benchmark of rigid bodies on tiny bodies: every part runs, methods agree (otherwise the program fails),
 * poses have the intended properties, and the drawing is written. */
#include "testing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES_MAX = 1 << 18 };

/* Runs the program; its words, both streams. Returns the exit status. */
static int run_program(const char *options, char *words, size_t words_bytes) {
  char line[4096];
  snprintf(line, sizeof line, "'%s' %s 2>&1", getenv("GRAZE_RIGID"), options);
  FILE *const pipe = popen(line, "r");
  assert_non_null(pipe);
  words[fread(words, 1, words_bytes - 1, pipe)] = '\0';
  const int status = pclose(pipe);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

/* The fields of the first row of the file that begins with these words; false where there is none. */
typedef struct row {
  unsigned long steps, meeting, pairs;
  double mean_us, median_us, worst_us;
} row;

static bool find_row(const char *text, const char *part, const char *state, const char *engine, row *row_out) {
  char middle[128];
  snprintf(middle, sizeof middle, ",%s,%s,", state, engine);
  for (const char *at = text; (at = strstr(at, middle)) != NULL; at++) {
    const char *begin = at;
    while (begin > text && begin[-1] != '\n') begin--;
    if (strncmp(begin, part, strlen(part)) != 0) continue;
    return sscanf(at + strlen(middle), "%lu,%lf,%lf,%lf,%*f,%*f,%lu,%lu,%*16s", &row_out->steps, &row_out->mean_us,
                  &row_out->median_us, &row_out->worst_us, &row_out->meeting, &row_out->pairs) == 6;
  }
  return false;
}

static void read_text(const char *path, char *text_out) {
  FILE *const file = fopen(path, "r");
  assert_non_null(file);
  text_out[fread(text_out, 1, BYTES_MAX - 1, file)] = '\0';
  fclose(file);
}

TEST(every_part_runs) {
  if (getenv("GRAZE_RIGID") == NULL) skip();
  char folder[] = "/tmp/graze_rigid_XXXXXX", options[512], path[256];
  assert_non_null(mkdtemp(folder));
  static char words[BYTES_MAX], rows[BYTES_MAX], drawing[BYTES_MAX];
  snprintf(options, sizeof options,
           "--quick --triangles 300 --steps 8 --rounds 2 --bodies 200 --csv %s/rows.csv --figures %s", folder, folder);
  const int status = run_program(options, words, sizeof words);
  if (status != 0) fprintf(stderr, "%s", words);
  assert_int_equal(status, 0);
  snprintf(path, sizeof path, "%s/rows.csv", folder);
  read_text(path, rows);
  remove(path);
  snprintf(path, sizeof path, "%s/rigid_rotation_gear.svg", folder);
  read_text(path, drawing);
  assert_non_null(strstr(drawing, "</svg>"));
  remove(path);
  snprintf(path, sizeof path, "%s/rigid_rotation_cloth.svg", folder);
  assert_int_equal(remove(path), 0);
  assert_int_equal(rmdir(folder), 0);

  row found;
  static const char *const engines[] = {"tree", "grid"};
  for (int i = 0; i < 2; i++) {
    assert_true(find_row(rows, "rotation", "distance 0.00", engines[i], &found));
    assert_true(found.steps > 0 && found.pairs > 0 && found.mean_us > 0.0 && found.worst_us >= found.mean_us);
    assert_true(find_row(rows, "queries", "random any", engines[i], &found));
    /* Every second pose touches. */
    assert_true(find_row(rows, "queries", "grazing any", "tree", &found));
    assert_int_equal(found.steps, 8);
    assert_int_equal(found.meeting, 4);
    assert_true(find_row(rows, "queries", "grazing all", "tree", &found));
    assert_int_equal(found.meeting, 4);
    assert_true(find_row(rows, "build", "deforming all", engines[i], &found));
    assert_true(found.pairs > 0);
    assert_true(find_row(rows, "world", "all", engines[i], &found));
    assert_true(find_row(rows, "world", "any", engines[i], &found));
  }
  assert_true(find_row(rows, "build", "two bodies", "tree-morton", &found));
  /* About a tenth of the 200 bodies in touch with another, in each of three frames: some 30 pairs of bodies. */
  assert_true(find_row(rows, "world", "bodies", "tree", &found));
  assert_true(found.pairs > 8 && found.pairs < 90);
}

TEST(nonsense_is_refused) {
  if (getenv("GRAZE_RIGID") == NULL) skip();
  static char words[BYTES_MAX];
  assert_int_equal(run_program("--rounds none", words, sizeof words), 2);
  assert_int_equal(run_program("--csv /no/such/folder/rows.csv", words, sizeof words), 2);
  assert_non_null(strstr(words, "/no/such/folder/rows.csv"));
  assert_int_equal(run_program("--part rotation --mesh /no/such/mesh.obj", words, sizeof words), 1);
  assert_non_null(strstr(words, "/no/such/mesh.obj"));
}
