/* Checks that every JSON record of the tool matches its schema in docs/schema, for every command that writes one. */
#include "command_line.h"
#include "json_schema.h"
#include "testing.h"
#include "tool_runner.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The record goes to record.json. */
typedef struct recorded_line {
  const char *record, *line;
} recorded_line;

static const recorded_line lines[] = {
    {"check", "graze check one.obj two.obj --json record.json -q"},
    {"check", "graze check groups.obj far.obj --separate --self --json record.json -q"},
    {"check", "graze check one.obj two.obj far.obj --touching --json record.json -q"},
    {"check", "graze check crossing.obj --candidates --limit 1 --json record.json -q"},
    {"check", "graze check one.obj two.obj --regions r.csv --json record.json -q"},
    {"check", "graze check corner.mesh inner.mesh cube.vtk --json record.json -q"},
    {"check", "graze check apart.obj --method tree --json record.json -q"},
    {"check",
     "graze check one.obj two.obj balls.csv --clearance 0.5 --units mm --details --self --json record.json -q"},
    {"check", "graze check one.obj two.obj balls.csv --details --self --json record.json -q"},
    {"check", "graze check large.obj small.obj --solid --touching --json record.json -q"},
    {"check", "graze check scene.json --json record.json -q"},
    {"check_each", "graze check crossing.obj apart.obj corner.mesh balls.csv broken.obj --each --json record.json -q"},
    {"regions", "graze check one.obj two.obj fan.obj --self --regions record.json -q"},
    {"regions", "graze check apart.obj --regions record.json -q"},
    {"distance", "graze distance one.obj two.obj far.obj corner.mesh --all --units mm --json record.json -q"},
    {"distance", "graze distance scene.json --each --json record.json -q"},
    {"distance", "graze distance one.obj far.obj --within 1e-9 --json record.json -q"},
    {"distance", "graze distance large.obj small.obj one.obj two.obj --all --depths --json record.json -q"},
    {"analyze", "graze analyze one.obj corner.mesh cube.vtk --json record.json -q"},
    {"analyze", "graze analyze one.obj broken.obj --json record.json -q"},
    {"pack", "graze make torus --triangles 200 -o torus.obj -q; graze pack torus.obj --count 20 --json record.json -q"},
    {"pack",
     "rm -f record.json; for seconds in 1 4 16 64; do timeout -s INT $seconds graze pack torus.obj --count 1000000 "
     "--smallest 1e-6 --json record.json -q; test -s record.json && break; done"},
    {"pack", "graze pack corner.mesh corner.mesh --count 5 --json record.json -q"},
    {"play", "graze play cloth-ball --primitives 200 --frames 2 --json record.json -q"},
    {"play", "graze play one.obj two.obj broken.obj --keep-going --compare-methods --json record.json -q"},
    {"play", "cp one.obj f1.obj; cp two.obj f4.obj; graze play f%d.obj --json record.json -q"},
    {"play", "graze play scene.json --compare-methods --json record.json -q"},
    {"bench", "graze bench --scene rods --size 400 --rounds 1 --json record.json -q"},
#ifdef GRAZE_MPI_TOOL
    {"mpi_bench", GRAZE_MPI_TOOL " bench n-body --primitives 300 --frames 2 --json record.json -q"},
#endif
};
enum { LINE_COUNT = sizeof lines / sizeof lines[0] };

static void read_document(const char *bytes, size_t size, const char *name, json_document *document) {
  char error[256];
  *document = (json_document){0};
  if (!json_read(bytes, size, document, error, sizeof error)) fail_msg("%s:%s", name, error);
}

static void read_schema(const char *record, json_document *schema) {
  char path[1024];
  static char bytes[1 << 17];
  snprintf(path, sizeof path, "%s/%s.json", GRAZE_SCHEMA_FOLDER, record);
  FILE *file = fopen(path, "r");
  if (file == NULL) fail_msg("%s cannot be read", path);
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  read_document(bytes, size, path, schema);
}

static void write_text(void **state, const char *name, const char *text) {
  folder_write(state, name, text, strlen(text));
}

static void write_files(void **state) {
#define FACES "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
  write_text(state, "broken.obj", "f 1 2 3\n");
  write_text(state, "large.obj", "v 0 0 0\nv 8 0 0\nv 0 8 0\nv 0 0 8\n" FACES);
  write_text(state, "small.obj", "v 1 1 1\nv 2 1 1\nv 1 2 1\nv 1 1 2\n" FACES);
  write_text(state, "balls.csv", "x,y,z,radius\n0,0,0,1\n1,0,0,1\n");
  write_text(state, "scene.json",
             "{\"format\":\"graze-scene\",\"version\":1,\"objects\":[{\"name\":\"a\",\"file\":\"one.obj\"},"
             "{\"name\":\"b\",\"file\":\"two.obj\"},{\"name\":\"c\",\"file\":\"two.obj\"}],"
             "\"exclude\":[[\"b\",\"c\"]],\"frames\":[{},{\"a\":{\"translation\":[9,0,0]}}]}");
#undef FACES
}

TEST(records_fit_their_schemas) {
  write_files(state);
  for (size_t i = 0; i < LINE_COUNT; ++i) {
    char error[512];
    json_document schema, record;
    tool_run run = run_line(state, lines[i].line);
    size_t size = 0;
    char *bytes = folder_read(state, "record.json", &size);
    if (bytes == NULL) fail_msg("%s wrote no record: %s", lines[i].line, run.errors);
    read_schema(lines[i].record, &schema);
    read_document(bytes, size, lines[i].line, &record);
    if (!json_fits(&schema, &record, error, sizeof error)) {
      fail_msg("%s\nwrites what docs/schema/%s.json does not have: %s", lines[i].line, lines[i].record, error);
    }
    json_document_free(&schema);
    json_document_free(&record);
    free(bytes);
    tool_run_release(&run);
    run = run_line(state, "rm -f record.json");
    tool_run_release(&run);
  }
}

static void expect_fit(const char *text, const char *message_or_null) {
  static const char rules[] =
      "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/few\"},\"b\":{\"enum\":[\"x\",\"y\"]},"
      "\"c\":{\"pattern\":\"^[0-9a-f]{2}$\"},\"d\":{\"const\":1}},\"required\":[\"a\"],\"additionalProperties\":false,"
      "\"$defs\":{\"few\":{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":0},\"minItems\":1,"
      "\"maxItems\":2}}}";
  char error[512] = "";
  OWNED(json_document) schema, document;
  read_document(rules, sizeof rules - 1, "schema", &schema);
  read_document(text, strlen(text), text, &document);
  assert_int_equal(json_fits(&schema, &document, error, sizeof error), message_or_null == NULL);
  if (message_or_null != NULL && strstr(error, message_or_null) == NULL) fail_msg("%s: %s", text, error);
}

TEST(the_validator_refuses) {
  expect_fit("{\"a\":[1],\"b\":\"x\",\"c\":\"0f\",\"d\":1}", NULL);
  expect_fit("[]", "type object");
  expect_fit("{}", "lacks the member a");
  expect_fit("{\"a\":[1],\"e\":1}", "no member e");
  expect_fit("{\"a\":[]}", ".a: has too few");
  expect_fit("{\"a\":[1,2,3]}", ".a: has too many");
  expect_fit("{\"a\":[1.5]}", ".a[0]: is not of the type integer");
  expect_fit("{\"a\":[1,-1]}", ".a[1]: is too small");
  expect_fit("{\"a\":[1],\"b\":\"z\"}", ".b: is none of");
  expect_fit("{\"a\":[1],\"c\":\"0g\"}", ".c: does not match");
  expect_fit("{\"a\":[1],\"d\":2}", ".d: is not the constant");
}

static bool is_run(const char *record) {
  for (size_t i = 0; i < LINE_COUNT; ++i)
    if (strcmp(lines[i].record, record) == 0) return true;
  return false;
}

TEST(every_record_and_schema_is_covered) {
  static const command *const commands[] = {&check_command, &distance_command, &play_command, &analyze_command,
                                            &make_command,  &pack_command,     &bench_command};
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
    for (const command_option *option = commands[i]->options; option->name != NULL; ++option)
      if (strcmp(option->name, "json") == 0 && !is_run(commands[i]->name)) fail_msg("%s", commands[i]->name);
  }
  DIR *folder = opendir(GRAZE_SCHEMA_FOLDER);
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    char *dot = strstr(entry->d_name, ".json");
    if (dot == NULL) continue;
    *dot = '\0';
#ifndef GRAZE_MPI_TOOL
    if (strcmp(entry->d_name, "mpi_bench") == 0) continue;
#endif
    if (!is_run(entry->d_name))
      fail_msg("no line of this test writes the record of docs/schema/%s.json", entry->d_name);
  }
  closedir(folder);
}

TEST_GROUP(tool_folder_make, tool_folder_remove)
