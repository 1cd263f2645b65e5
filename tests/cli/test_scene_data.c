/* Tests published scenes, converted to scene files, with known numbers of pairs: rigid bodies of rigid-ipc, with scale
 * and degrees, and pairs of the EMBER benchmark, with scaling matrices. Requires the folder GRAZE_DATA; skipped without
 * it. */
#include "json_members.h"
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 1024 };

static const json_value *first_of(const json_file *file, const json_value *value) {
  return value == NULL || value->first == 0 ? NULL : &file->document.values[value->first];
}

static const json_value *next_of(const json_file *file, const json_value *value) {
  return value->next == 0 ? NULL : &file->document.values[value->next];
}

/* Reads an array of numbers or a single number; the default if there is no value. */
static void write_numbers(FILE *stream, const json_file *file, const json_value *value, const char *none) {
  if (value == NULL) fputs(none, stream);
  if (value != NULL && value->kind == JSON_NUMBER) fprintf(stream, "%.17g", value->number);
  for (const json_value *at = first_of(file, value); at != NULL; at = next_of(file, at))
    fprintf(stream, "%s%.17g%s", at == first_of(file, value) ? "[" : ", ", at->number, at->next == 0 ? "]" : "");
}

/* A vertex goes to Rz Ry Rx (scale * v) + position. */
static void write_bodies(FILE *stream, const json_file *file, const char *folder) {
  const json_value *problem = json_member(file, json_file_root(file), "rigid_body_problem");
  const json_value *bodies = json_member(file, problem, "rigid_bodies");
  size_t number = 0;
  for (const json_value *body = first_of(file, bodies); body != NULL; body = next_of(file, body)) {
    fprintf(stream,
            "%s{\"name\": \"body %zu\", \"file\": \"%s/scenes/%s/meshes/%s\", \"scale\": ", number == 0 ? "" : ",\n",
            number, getenv("GRAZE_DATA"), folder, json_member(file, body, "mesh")->text);
    write_numbers(stream, file, json_member(file, body, "scale"), "1");
    fputs(", \"pose\": {\"translation\": ", stream);
    write_numbers(stream, file, json_member(file, body, "position"), "[0, 0, 0]");
    fputs(", \"xyz_degrees\": ", stream);
    write_numbers(stream, file, json_member(file, body, "rotation"), "[0, 0, 0]");
    fputs("}}", stream);
    ++number;
  }
}

/* The matrix comes by its columns. */
static void write_operand(FILE *stream, const json_file *file, const json_value *pair, char which) {
  static const char *const rows[] = {"x", "y", "z", "w"};
  char id[] = "id_?", transform[] = "transform_?", column[] = "col?";
  id[3] = transform[10] = which;
  fprintf(stream, "{\"name\": \"%c\", \"file\": \"%s/meshes/thingi_%.0f.stl.gz\", \"pose\": [", which,
          getenv("GRAZE_DATA"), json_member(file, pair, id)->number);
  for (int row = 0; row < 4; ++row) {
    for (int i = 0; i < 4; ++i) {
      column[3] = (char)('0' + i);
      const json_value *of_column = json_member(file, json_member(file, pair, transform), column);
      fprintf(stream, "%s%.17g", row + i == 0 ? "" : ", ", json_member(file, of_column, rows[row])->number);
    }
  }
  fputs("]}", stream);
}

/* A scene file that is being written. */
typedef struct scene_text {
  char *text;
  size_t bytes;
  FILE *stream;
} scene_text;

static void begin_scene(scene_text *scene) {
  scene->stream = open_memstream(&scene->text, &scene->bytes);
  assert_non_null(scene->stream);
  fputs("{\"format\": \"graze-scene\", \"version\": 1, \"objects\": [\n", scene->stream);
}

static void end_scene(void **state, scene_text *scene) {
  fputs("]}\n", scene->stream);
  fclose(scene->stream);
  folder_write(state, "scene.json", scene->text, scene->bytes);
  free(scene->text);
}

static void read_data(const char *name, char path[PATH_BYTES], json_file *file) {
  snprintf(path, PATH_BYTES, "%s/scenes/%s", getenv("GRAZE_DATA"), name);
  if (!json_file_read(path, "a scene", file)) fail_msg("%s cannot be read", path);
}

TOOL_TEST(rigid_bodies_are_where_their_scene_puts_them) {
  static const struct {
    const char *folder, *file, *between, *with_self;
  } scenes[] = {{"bolt", "bolt/bolt.json", "0\n", "0\n"},
                {"wrecking-ball", "wrecking-ball/wrecking-ball.json", "0\n", "0\n"},
                {"fracture-wall", "fracture-wall/wall.json", "0\n", "12342\n"}};
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
    char path[PATH_BYTES];
    json_file file;
    scene_text scene;
    read_data(scenes[i].file, path, &file);
    begin_scene(&scene);
    write_bodies(scene.stream, &file, scenes[i].folder);
    end_scene(state, &scene);
    json_file_free(&file);
    expect_run(state, "graze play scene.json --csv - --quiet | awk -F, 'NR>1{print $8}'", 0, scenes[i].between, "");
    expect_run(state, "graze play scene.json --csv - --quiet --self | awk -F, 'NR>1{print $8}'", 0, scenes[i].with_self,
               "");
    expect_run(state, "graze check scene.json --quiet", 0, "", "");
  }
}

TOOL_TEST(matrices_that_scale_give_the_known_pairs) {
  static const char *const verdicts[] = {"4,351 pairs", "8,131 pairs", "2,259 pairs"};
  char path[PATH_BYTES];
  OWNED(json_file) file;
  size_t number = 0;
  read_data("ember-pairs/ember-benchmark-cases.json", path, &file);
  for (const json_value *pair = first_of(&file, json_file_root(&file)); pair != NULL; pair = next_of(&file, pair)) {
    scene_text scene;
    begin_scene(&scene);
    write_operand(scene.stream, &file, pair, 'a');
    fputs(",\n", scene.stream);
    write_operand(scene.stream, &file, pair, 'b');
    end_scene(state, &scene);
    tool_run run = run_line(state, "graze check scene.json");
    expect_status(&run, 1);
    if (number == 3 || strstr(run.output, verdicts[number]) == NULL) fail_msg("case %zu: %s", number, run.output);
    tool_run_release(&run);
    ++number;
  }
  assert_int_equal(number, 3);
}

TEST_REQUIRES("GRAZE_DATA")
