/* Tests the glTF reader, text and binary: the same model as in OBJ in every form of the format, transforms of nodes,
 * scenes, parts, and errors with their location. */
#include "mesh_set.h"
#include "reading_tools.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASSET "{\"asset\":{\"version\":\"2.0\"}"

static const char box_obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                              "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\n"
                              "f 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";

/* ------------------------------------------------------------------------------------------------ making files */

typedef struct binary {
  unsigned char bytes[4096];
  size_t size;
} binary;

static void put(binary *to, uint32_t bits, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) to->bytes[to->size++] = (unsigned char)(bits >> 8 * i);
}

static void put_float(binary *to, double value) {
  const float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  put(to, bits, 4);
}

static void put_text(binary *to, const char *text, char filling) {
  while (*text) to->bytes[to->size++] = (unsigned char)*text++;
  while (to->size % 4 != 0) to->bytes[to->size++] = (unsigned char)filling;
}

/* The header counts all, as it should. */
static binary make_glb(const char *text, const binary *data) {
  binary file = {.size = 20};
  put_text(&file, text, ' ');
  const size_t text_size = file.size - 20;
  if (data) {
    put(&file, (uint32_t)data->size, 4);
    put(&file, 0x004E4942, 4);
    memcpy(file.bytes + file.size, data->bytes, data->size);
    file.size += data->size;
  }
  binary head = {.size = 0};
  put_text(&head, "glTF", ' ');
  put(&head, 2, 4);
  put(&head, (uint32_t)file.size, 4);
  put(&head, (uint32_t)text_size, 4);
  put(&head, 0x4E4F534A, 4);
  memcpy(file.bytes, head.bytes, 20);
  return file;
}

static reading_result read_glb(const char *text, const binary *data, bool separate) {
  const binary file = make_glb(text, data);
  return read_bytes(mesh_read_gltf, (const char *)file.bytes, file.size, separate);
}

static reading_result read_well(const char *text, const binary *data, bool separate) {
  reading_result result = read_glb(text, data, separate);
  if (!result.done) fail_msg("%s: %s", text, result.error);
  return result;
}

/* ------------------------------------------------------------------------------------------------ one model */

/* The corners of all triangles by their coordinates, in order. */
static void expect_same_triangles(const mesh *m, const mesh *expected) {
  assert_int_equal(m->triangle_count, expected->triangle_count);
  for (size_t i = 0; i < 3 * m->triangle_count; i++) {
    for (size_t axis = 0; axis < 3; axis++) {
      const double a = m->positions[3 * m->triangles[i] + axis];
      const double b = expected->positions[3 * expected->triangles[i] + axis];
      if (a != b) fail_msg("corner %zu: %g is not %g", i, a, b);
    }
  }
}

/* Indices of so many bytes, none when 0; positions so many bytes apart; both behind `offset` bytes of no meaning. */
static void make_box(const mesh *box, size_t index_bytes, size_t stride, size_t offset, bool in_view, char *text,
                     size_t text_bytes, binary *data) {
  const size_t vertex_count = index_bytes ? box->vertex_count : 3 * box->triangle_count;
  *data = (binary){.size = offset};
  for (size_t i = 0; i < vertex_count; i++) {
    const size_t vertex = index_bytes ? i : box->triangles[i];
    const size_t start = data->size;
    for (size_t axis = 0; axis < 3; axis++) put_float(data, box->positions[3 * vertex + axis]);
    if (i + 1 < vertex_count) data->size = start + stride;
  }
  const size_t first_index = data->size;
  for (size_t i = 0; index_bytes && i < 3 * box->triangle_count; i++) put(data, box->triangles[i], index_bytes);
  int used =
      snprintf(text, text_bytes,
               ASSET ",\"buffers\":[{\"byteLength\":%zu}],\"nodes\":[{\"mesh\":0}],\"bufferViews\":"
                     "[{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"byteStride\":%zu},"
                     "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}],\"accessors\":["
                     "{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":5126,\"count\":%zu,\"type\":\"VEC3\"}",
               data->size, in_view ? offset : 0, first_index - (in_view ? offset : 0), stride, first_index,
               data->size - first_index, in_view ? 0 : offset, vertex_count);
  if (index_bytes) {
    used += snprintf(text + used, text_bytes - (size_t)used,
                     ",{\"bufferView\":1,\"componentType\":%d,\"count\":%zu,\"type\":\"SCALAR\"}",
                     index_bytes == 1   ? 5121
                     : index_bytes == 2 ? 5123
                                        : 5125,
                     3 * box->triangle_count);
  }
  snprintf(text + used, text_bytes - (size_t)used,
           "],\"meshes\":[{\"name\":\"box\",\"primitives\":[{\"attributes\":{\"POSITION\":0}%s}]}]}",
           index_bytes ? ",\"indices\":1" : "");
}

TEST(all_layouts_are_the_box) {
  OWNED_BY(free_result) reading_result box = read_bytes(mesh_read_obj, box_obj, sizeof box_obj - 1, false);
  static const size_t index_bytes[] = {0, 1, 2, 4}, strides[] = {12, 16, 252};
  for (size_t i = 0; i < 4; i++) {
    for (size_t j = 0; j < 3; j++) {
      for (size_t offset = 0; offset < 9; offset += 4) {
        char text[2048];
        static binary data;
        if (index_bytes[i] == 0 && strides[j] > 100) continue; /* more than a binary holds */
        make_box(box.meshes, index_bytes[i], strides[j], offset, offset % 8 == 0, text, sizeof text, &data);
        OWNED_BY(free_result) reading_result result = read_well(text, &data, false);
        assert_int_equal(result.mesh_count, 1);
        assert_int_equal(result.meshes->vertex_count, 8);
        assert_string_equal(result.meshes->name, "file");
        expect_same_triangles(result.meshes, box.meshes);
      }
    }
  }
}

/* ------------------------------------------------------------------------------------------------ transforms */

/* One triangle, (0 0 0) (1 0 0) (0 1 0), in the binary chunk; what follows its mesh is given. */
#define TRIANGLE                                                                                                       \
  ASSET ",\"buffers\":[{\"byteLength\":36}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":["        \
        "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"meshes\":["                        \
        "{\"name\":\"m\",\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"

static const binary *triangle_data(void) {
  static binary data;
  static const double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  data.size = 0;
  for (int i = 0; i < 9; i++) put_float(&data, positions[i]);
  return &data;
}

TEST(nodes_are_placed) {
  static const struct {
    const char *rest;
    double corners[9]; /* of the one triangle */
  } rows[] = {
      {"\"nodes\":[{\"mesh\":0}]}", {0, 0, 0, 1, 0, 0, 0, 1, 0}},
      {"\"nodes\":[{\"mesh\":0,\"translation\":[10,20,30]}]}", {10, 20, 30, 11, 20, 30, 10, 21, 30}},
      {"\"nodes\":[{\"mesh\":0,\"scale\":[2,3,4]}]}", {0, 0, 0, 2, 0, 0, 0, 3, 0}},
      /* A quarter turn about z: x goes to y, y to -x. */
      {"\"nodes\":[{\"mesh\":0,\"rotation\":[0,0,1,1]}]}", {0, 0, 0, 0, 1, 0, -1, 0, 0}},
      {"\"nodes\":[{\"mesh\":0,\"rotation\":[0,0,1,1],\"scale\":[2,3,4],\"translation\":[1,1,1]}]}",
       {1, 1, 1, 1, 3, 1, -2, 1, 1}},
      /* By columns: x goes to (0 2 0), y to (0 0 3), z to (4 0 0). */
      {"\"nodes\":[{\"mesh\":0,\"matrix\":[0,2,0,0,0,0,3,0,4,0,0,0,5,6,7,1]}]}", {5, 6, 7, 5, 8, 7, 5, 6, 10}},
      /* The parent after the child: translated, then turned. */
      {"\"nodes\":[{\"rotation\":[0,0,1,1],\"children\":[1]},{\"mesh\":0,\"translation\":[5,0,0]}]}",
       {0, 5, 0, 0, 6, 0, -1, 5, 0}},
      /* A mirror turns the triangle around. */
      {"\"nodes\":[{\"mesh\":0,\"scale\":[-1,1,1]}]}", {0, 0, 0, 0, 1, 0, -1, 0, 0}},
      {"\"nodes\":[{\"scale\":[-1,1,1],\"children\":[1]},{\"mesh\":0,\"scale\":[1,-1,1]}]}",
       {0, 0, 0, -1, 0, 0, 0, -1, 0}},
      /* The default scene, the first one. */
      {"\"scene\":1,\"scenes\":[{},{\"nodes\":[1]}],\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"translation\":[1,0,0]}]}",
       {1, 0, 0, 2, 0, 0, 1, 1, 0}},
      {"\"scenes\":[{\"nodes\":[1]},{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"translation\":[1,0,0]}]}",
       {1, 0, 0, 2, 0, 0, 1, 1, 0}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s", TRIANGLE, rows[i].rest);
    OWNED_BY(free_result) reading_result result = read_well(text, triangle_data(), false);
    const mesh *m = result.meshes;
    assert_int_equal(m->triangle_count, 1);
    for (size_t j = 0; j < 9; j++) {
      const double value = m->positions[3 * m->triangles[j / 3] + j % 3];
      if (value != rows[i].corners[j]) fail_msg("row %zu: number %zu is %g", i, j, value);
    }
  }
}

/* Names are those of the nodes, else of the meshes, else of the file; equal names stay apart. */
TEST(nodes_are_parts) {
  static const char *const names[] = {"root", "same", "same", "m", "m"};
  const char *rest = "\"nodes\":[{\"mesh\":0,\"name\":\"root\",\"children\":[3,1]},{\"name\":\"same\",\"mesh\":0,"
                     "\"children\":[2]},{\"mesh\":0},{\"name\":\"same\",\"mesh\":0},{\"mesh\":0}]}";
  char text[2048];
  snprintf(text, sizeof text, "%s%s", TRIANGLE, rest);
  reading_result result = read_well(text, triangle_data(), true);
  assert_int_equal(result.mesh_count, 5);
  for (size_t i = 0; i < 5; i++) {
    assert_string_equal(result.meshes[i].name, names[i]);
    assert_int_equal(result.meshes[i].vertex_count, 3);
  }
  free_result(&result);
  result = read_well(text, triangle_data(), false);
  assert_int_equal(result.mesh_count, 1);
  assert_int_equal(result.meshes->vertex_count, 15); /* placed meshes share no vertex, even in one place */
  free_result(&result);
}

TEST(long_names_are_cut_between_characters) {
  char name[301], text[2048];
  for (int i = 0; i < 300; i += 2) memcpy(name + i, "\xC3\xA9", 2);
  name[300] = '\0';
  snprintf(text, sizeof text, "%s\"nodes\":[{\"mesh\":0,\"name\":\"%s\"}]}", TRIANGLE, name);
  OWNED_BY(free_result) reading_result result = read_well(text, triangle_data(), true);
  assert_int_equal(strlen(result.meshes->name), 254);
  assert_memory_equal(result.meshes->name, name, 254);
}

/* KHR_mesh_quantization: integers of 8 and 16 bits, as they are or as fractions. */
TEST(integers_are_positions) {
  static const struct {
    int component;
    bool normalized;
    size_t bytes;
    uint32_t values[3];
    double expected[3];
  } rows[] = {
      {5120, false, 1, {0x80, 0x7F, 1}, {-128, 127, 1}},
      {5120, true, 1, {0x80, 0x7F, 0}, {-1, 1, 0}},
      {5121, false, 1, {0xFF, 0, 1}, {255, 0, 1}},
      {5121, true, 1, {0xFF, 0, 51}, {1, 0, 0.2}},
      {5122, false, 2, {0x8000, 0x7FFF, 1}, {-32768, 32767, 1}},
      {5122, true, 2, {0x8000, 0x7FFF, 0}, {-1, 1, 0}},
      {5123, false, 2, {0xFFFF, 0, 1}, {65535, 0, 1}},
      {5123, true, 2, {0xFFFF, 0, 13107}, {1, 0, 0.2}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    binary data = {.size = 0};
    for (size_t j = 0; j < 3; j++) {
      for (size_t k = 0; k < 3; k++) put(&data, rows[i].values[k], rows[i].bytes);
      data.size = 8 * (j + 1);
    }
    char text[1024];
    snprintf(text, sizeof text,
             ASSET ",\"extensionsRequired\":[\"KHR_mesh_quantization\",\"KHR_texture_transform\"],"
                   "\"buffers\":[{\"byteLength\":24}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":24,"
                   "\"byteStride\":8}],\"accessors\":[{\"bufferView\":0,\"componentType\":%d,\"count\":3,\"type\":"
                   "\"VEC3\",\"normalized\":%s}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                   "\"nodes\":[{\"mesh\":0}]}",
             rows[i].component, rows[i].normalized ? "true" : "false");
    OWNED_BY(free_result) reading_result result = read_well(text, &data, false);
    for (size_t k = 0; k < 3; k++) {
      if (result.meshes->positions[k] != rows[i].expected[k]) fail_msg("row %zu", i);
    }
  }
}

/* Points and lines beside triangles, placed twice; their data is not there, and not needed. */
TEST(points_and_lines_are_skipped) {
  static const char text[] = ASSET
      ",\"buffers\":[{\"byteLength\":36},{\"byteLength\":9,\"uri\":\"missing.bin\"}],\"bufferViews\":[{\"buffer\":0,"
      "\"byteLength\":36},{\"buffer\":1,\"byteLength\":9}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
      "\"count\":3,\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5121,\"count\":7,\"type\":\"SCALAR\"}],"
      "\"meshes\":[{\"primitives\":[{\"mode\":0,\"attributes\":{\"POSITION\":0}},{\"mode\":1,\"indices\":1,"
      "\"attributes\":{\"POSITION\":0}},{\"attributes\":{\"POSITION\":0}},{\"mode\":2,\"indices\":1,\"attributes\":"
      "{\"POSITION\":0}},{\"mode\":3,\"indices\":1,\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0},"
      "{\"mesh\":0,\"translation\":[0,0,1]}]}";
  for (int separate = 0; separate < 2; separate++) {
    reading_result result = read_well(text, triangle_data(), separate != 0);
    assert_int_equal(result.mesh_count, separate ? 2 : 1);
    assert_int_equal(result.meshes->triangle_count, separate ? 1 : 2);
    assert_int_equal(result.meshes->skipped, 38);
    assert_string_equal(result.meshes->note, "skipped 32 lines and 6 points");
    free_result(&result);
  }
}

/* ------------------------------------------------------------------------------------------------ refusals */

typedef struct refusal {
  const char *text, *message;
} refusal;

static void check_refusals(const refusal *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    reading_result result = read_glb(rows[i].text, triangle_data(), false);
    if (result.done) fail_msg("%s was read", rows[i].text);
    assert_string_equal(result.error, rows[i].message);
  }
}

TEST(texts_are_refused) {
  static const refusal rows[] = {
      {"", "file:1: the text is incomplete"},
      {"[]", "file: the JSON text is not an object"},
      {"{\n}", "file: asset.version is missing; this is not a glTF file"},
      {"{\n\"asset\":{\"version\":2.0}}", "file: asset.version is missing; this is not a glTF file"},
      {"{\n\n\"asset\":}", "file:3: a value is missing"},
      {"{\"asset\":{\"version\":\"1.0\"}}", "file: asset.version is \"1.0\"; only glTF 2.x is supported"},
      {ASSET ",\"extensionsRequired\":[\"KHR_materials_unlit\",\"KHR_draco_mesh_compression\"]}",
       "file: extensionsRequired[1] is \"KHR_draco_mesh_compression\", an unsupported extension"},
      {ASSET ",\"extensionsRequired\":[7]}", "file: extensionsRequired[0] is 7, an unsupported extension"},
      {ASSET ",\"nodes\":3}", "file: nodes is 3, not an array"},
      {ASSET ",\"nodes\":[{},\"x\"]}", "file: nodes[1] is \"x\", not an object"},
      {ASSET ",\"scenes\":[{}],\"scene\":1}", "file: scene is 1, but there are 1 scenes"},
      {ASSET ",\"scenes\":[{}],\"scene\":-1}", "file: scene is -1, but there are 1 scenes"},
      {ASSET ",\"scenes\":[{\"nodes\":[0]}]}", "file: scenes[0].nodes refers to nodes 0, but there are 0"},
      {ASSET ",\"scenes\":[{\"nodes\":{}}]}", "file: scenes[0].nodes is an object, not an array"},
      {ASSET ",\"nodes\":[{\"mesh\":0}]}", "file: nodes[0].mesh refers to meshes 0, but there are 0"},
      {ASSET ",\"nodes\":[{\"mesh\":0}],\"meshes\":[{}]}", "file: meshes[0] has no array \"primitives\""},
      {ASSET ",\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{}]}]}",
       "file: meshes[0].primitives[0].attributes has no \"POSITION\""},
      {ASSET ",\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1.5}}]}]}",
       "file: meshes[0].primitives[0].attributes.POSITION refers to accessors 1.5, but there are 0"},
      {ASSET ",\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"extensions\":{\"KHR_draco_mesh_compression\":"
             "{}},\"attributes\":{\"POSITION\":0}}]}]}",
       "file: meshes[0].primitives[0] is compressed by KHR_draco_mesh_compression, which is not supported"},
      {ASSET ",\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"mode\":5}]}]}",
       "file: meshes[0].primitives[0].mode is 5: triangle strips are not supported, only triangles (mode 4)"},
      {ASSET ",\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"mode\":7}]}]}",
       "file: meshes[0].primitives[0].mode is 7, not a whole number from 0 to 6"},
  };
  check_refusals(rows, sizeof rows / sizeof *rows);
}

TEST(nodes_are_refused) {
  static const refusal rows[] = {
      {TRIANGLE "\"nodes\":[{\"mesh\":0,\"children\":[0]}]}", "file: nodes[0] is its own ancestor"},
      {TRIANGLE "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}",
       "file: nodes[0] is reached twice: it has two parents or is its own ancestor"},
      {TRIANGLE "\"nodes\":[{\"children\":[2]},{\"children\":[2]},{}]}",
       "file: nodes[2] is reached twice: it has two parents or is its own ancestor"},
      {TRIANGLE "\"nodes\":[{\"children\":[1]}]}", "file: nodes[0].children refers to nodes 1, but there are 1"},
      {TRIANGLE "\"nodes\":[{\"children\":7}]}", "file: nodes[0].children is 7, not an array"},
      {TRIANGLE "\"nodes\":[{\"mesh\":0,\"skin\":0}]}", "file: nodes[0].skin: skinned meshes are not supported"},
      {TRIANGLE "\"nodes\":[{\"mesh\":0,\"weights\":[0,0.5]}]}",
       "file: nodes[0].weights: morph targets are not supported"},
      {TRIANGLE "\"nodes\":[{\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{}}}]}",
       "file: nodes[0] has instances by EXT_mesh_gpu_instancing, which is not supported"},
      {TRIANGLE "\"nodes\":[{\"matrix\":[1,2]}]}",
       "file: nodes[0].matrix is an array of 2, not an array of 16 numbers"},
      {TRIANGLE "\"nodes\":[{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0.5,2]}]}",
       "file: nodes[0].matrix has the last row 0 0 0 2, not 0 0 0 1"},
      {TRIANGLE "\"nodes\":[{\"translation\":[1,\"2\",3]}]}", "file: nodes[0].translation[1] is \"2\", not a number"},
      {TRIANGLE "\"nodes\":[{\"rotation\":[0,0,0,0]}]}", "file: nodes[0].rotation is not a quaternion of length 1"},
      {TRIANGLE "\"nodes\":[{\"mesh\":0,\"scale\":[1e200,1,1],\"children\":[1]},{\"mesh\":0,\"scale\":[1e200,1,1]}]}",
       "file: nodes[1] places vertex 0 of accessors[0] at the x coordinate nan, which is not a finite number"},
  };
  check_refusals(rows, sizeof rows / sizeof *rows);
}

#define PLACED                                                                                                         \
  "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
#define ACCESSOR(view, component, count, type)                                                                         \
  "{\"bufferView\":" #view ",\"componentType\":" #component ",\"count\":" #count ",\"type\":\"" type "\"}"
#define BUFFER "\"buffers\":[{\"byteLength\":36}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"

TEST(data_are_refused) {
  static const refusal rows[] = {
      {ASSET "," PLACED BUFFER "\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") ",{\"sparse\":{}}]}",
       "file: accessors[1].sparse: sparse accessors are not supported"},
      {ASSET "," PLACED BUFFER "\"accessors\":[" ACCESSOR(0, 5126, 4, "VEC3") ",{}]}",
       "file: accessors[0] has 4 elements in bytes 0 to 48, but bufferViews[0] has 36 bytes"},
      {ASSET "," PLACED BUFFER "\"accessors\":[" ACCESSOR(0, 5126, 4e15, "VEC3") ",{}]}",
       "file: accessors[0].count is 4000000000000000, not a whole number from 0 to 4294967294"},
      {ASSET "," PLACED BUFFER "\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC2") ",{}]}",
       "file: accessors[0] holds positions, but is not a VEC3 of floats or of integers of 8 or 16 bits"},
      {ASSET "," PLACED BUFFER "\"accessors\":[" ACCESSOR(0, 5124, 3, "VEC3") ",{}]}",
       "file: accessors[0].componentType is 5124, which is unknown"},
      {ASSET "," PLACED BUFFER "\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") "," ACCESSOR(0, 5126, 3, "SCALAR") "]}",
       "file: accessors[1] holds indices, but is not a SCALAR of unsigned integers of 8, 16 or 32 bits"},
      {ASSET "," PLACED BUFFER "\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") "," ACCESSOR(0, 5121, 4, "SCALAR") "]}",
       "file: meshes[0].primitives[0] has 4 corners, which is not a multiple of 3"},
      {ASSET "," PLACED BUFFER "\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") "," ACCESSOR(0, 5121, 36, "SCALAR") "]}",
       "file: accessors[1]: index 14 refers to vertex 128, but accessors[0] has 3"},
      {ASSET "," PLACED BUFFER "\"accessors\":[{\"componentType\":5126,\"count\":3},{}]}",
       "file: accessors[0] has no \"bufferView\""},
      {ASSET "," PLACED BUFFER "\"accessors\":[" ACCESSOR(1, 5126, 3, "VEC3") ",{}]}",
       "file: accessors[0].bufferView refers to bufferViews 1, but there are 1"},
      {ASSET "," PLACED "\"buffers\":[{\"byteLength\":37}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
             "\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") ",{}]}",
       "file: buffers[0].byteLength is 37, but there are 36 bytes"},
      {ASSET "," PLACED
             "\"buffers\":[{\"byteLength\":36}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":1,\"byteLength\":"
             "36}],\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") ",{}]}",
       "file: bufferViews[0] has bytes 1 to 37, but buffers[0] has 36"},
      {ASSET "," PLACED
             "\"buffers\":[{\"byteLength\":36}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36,\"byteStride\":"
             "8}],\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") ",{}]}",
       "file: accessors[0] has elements of 12 bytes, but bufferViews[0].byteStride is 8"},
      {ASSET "," PLACED "\"bufferViews\":[{\"extensions\":{\"EXT_meshopt_compression\":{}}}],"
             "\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") ",{}]}",
       "file: bufferViews[0] is compressed by EXT_meshopt_compression, which is not supported"},
      {ASSET "," PLACED "\"buffers\":[{},{\"byteLength\":1}],\"bufferViews\":[{\"buffer\":1,\"byteLength\":1}],"
             "\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") ",{}]}",
       "file: buffers[1] has no \"uri\" and is not the binary chunk of a GLB file"},
      {ASSET "," PLACED "\"buffers\":[{\"byteLength\":1,\"uri\":7}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":1}],"
             "\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") ",{}]}",
       "file: buffers[0].uri is 7, not a string"},
      {ASSET "," PLACED "\"buffers\":[{\"byteLength\":1,\"uri\":\"data:text/plain,abc\"}],\"bufferViews\":"
             "[{\"buffer\":0,\"byteLength\":1}],\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") ",{}]}",
       "file: buffers[0].uri is \"data:text/plain,abc\", data that is not in base64"},
      {ASSET "," PLACED "\"buffers\":[{\"byteLength\":1,\"uri\":\"data:;base64,AB-D\"}],\"bufferViews\":"
             "[{\"buffer\":0,\"byteLength\":1}],\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") ",{}]}",
       "file: buffers[0].uri has \"-\" at byte 2 of its data, which is not base64"},
      {ASSET "," PLACED "\"buffers\":[{\"byteLength\":1,\"uri\":\"%2e./x.bin\"}],\"bufferViews\":"
             "[{\"buffer\":0,\"byteLength\":1}],\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") ",{}]}",
       "file: buffers[0].uri is \"%2e./x.bin\", which leaves the folder of the file by \"..\"; buffers must be in "
       "the folder of the file or below it"},
  };
  check_refusals(rows, sizeof rows / sizeof *rows);
}

TEST(coordinates_are_refused) {
  binary data = *triangle_data();
  memcpy(data.bytes + 16, "\0\0\x80\xFF", 4);
  reading_result result = read_glb(TRIANGLE "\"nodes\":[{\"mesh\":0}]}", &data, false);
  assert_false(result.done);
  assert_string_equal(result.error,
                      "file: accessors[0]: vertex 1 has the y coordinate -inf, which is not a finite number");
}

TEST(containers_are_refused) {
  static const struct {
    size_t at;
    unsigned char byte;
    const char *message;
  } rows[] = {
      {4, 1, "file: GLB version 1 is not supported; only version 2 is"},
      {8, 0, "file: the GLB header declares 256 bytes, but the file has 332 bytes"},
      {16, 'B', "file: chunk 0 of the GLB file is not JSON"},
      {14, 1, "file: chunk 0 declares 65804 bytes, but 312 are left"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    binary file = make_glb(TRIANGLE "\"nodes\":[{\"mesh\":0}]}", triangle_data());
    file.bytes[rows[i].at] = rows[i].byte;
    reading_result result = read_bytes(mesh_read_gltf, (const char *)file.bytes, file.size, false);
    assert_false(result.done);
    assert_string_equal(result.error, rows[i].message);
  }
  /* Cut at every place: never read as something else. */
  const binary whole = make_glb(TRIANGLE "\"nodes\":[{\"mesh\":0}]}", triangle_data());
  for (size_t size = 0; size < whole.size; size++) {
    reading_result result = read_bytes(mesh_read_gltf, (const char *)whole.bytes, size, false);
    assert_false(result.done);
  }
}

/* A thousand nodes that place a mesh of 12,000 equal primitives of 1000 triangles: billions from little. */
TEST(bombs_are_refused) {
  enum { NODES = 1000, PRIMITIVES = 12000, ROOM = 1000000 };
  OWNED_MEMORY char *const text = malloc(ROOM);
  int used =
      snprintf(text, ROOM,
               ASSET ",\"buffers\":[{\"byteLength\":3036,\"uri\":\"data:;base64,%04048d\"}],\"bufferViews\":"
                     "[{\"buffer\":0,\"byteLength\":3036}],\"accessors\":[" ACCESSOR(0, 5126, 3, "VEC3") "," ACCESSOR(
                         0, 5121, 3000, "SCALAR") "],\"meshes\":[{\"primitives\":[",
               0);
  for (char *p = strstr(text, "base64,") + 7; *p != '"'; p++) *p = 'A';
  const char *primitive = "{\"attributes\":{\"POSITION\":0},\"indices\":1}";
  for (int i = 0; i < PRIMITIVES; i++) {
    used += snprintf(text + used, (size_t)(ROOM - used), "%s%s", i ? "," : "", primitive);
  }
  used += snprintf(text + used, (size_t)(ROOM - used), "]}],\"nodes\":[");
  for (int i = 0; i < NODES; i++) used += snprintf(text + used, (size_t)(ROOM - used), "%s{\"mesh\":0}", i ? "," : "");
  used += snprintf(text + used, (size_t)(ROOM - used), "]}");
  reading_result result = read_bytes(mesh_read_gltf, text, (size_t)used, false);
  assert_false(result.done);
  const char *expected = "file: places meshes so often that they have 12,000,000 triangles or more, too many for ";
  assert_memory_equal(result.error, expected, strlen(expected));
}

/* A chain of nodes deeper than any stack: walked without recursion. */
TEST(deep_hierarchies_are_read) {
  enum { NODES = 300000, NODE_BYTES = 64 };
  OWNED_MEMORY char *const text = malloc(sizeof TRIANGLE + (size_t)NODES * NODE_BYTES);
  char *p = text + sprintf(text, "%s\"nodes\":[", ASSET ",\"meshes\":[{\"primitives\":[]}],");
  for (int i = 0; i + 1 < NODES; i++) p += sprintf(p, "{\"children\":[%d]},", i + 1);
  p += sprintf(p, "{\"mesh\":0}]}");
  OWNED_BY(free_result) reading_result result = read_bytes(mesh_read_gltf, text, (size_t)(p - text), false);
  if (!result.done) fail_msg("%s", result.error);
  assert_int_equal(result.meshes->triangle_count, 0);
}

/* ------------------------------------------------------------------------------------------------ files */

TEST_WITH(files_beside_are_read, enter_scratch_folder, leave_scratch_folder) {
  OWNED_BY(free_result) reading_result box = read_bytes(mesh_read_obj, box_obj, sizeof box_obj - 1, false);
  char text[2048], file[2200], error[256];
  static binary data;
  make_box(box.meshes, 2, 12, 0, true, text, sizeof text, &data);
  const char *const after = strstr(text, "[{") + 2;
  snprintf(file, sizeof file, "\xEF\xBB\xBF%.*s\"uri\":\"b%%20x.bin\",%s", (int)(after - text), text, after);
  write_bytes("box.gltf", file, strlen(file));
  write_bytes("b x.bin", data.bytes, data.size);
  const binary whole = make_glb(text, &data);
  write_bytes("BOX.GLB", whole.bytes, whole.size);
  write_bytes("unnamed", whole.bytes, whole.size);
  static const char *const names[] = {"box.gltf", "BOX.GLB", "unnamed"};
  for (size_t i = 0; i < 3; i++) {
    OWNED(mesh_set) made = read_set(names[i], NULL);
    expect_same_triangles(made.meshes, box.meshes);
  }
  /* Bytes that begin as gzip files do are taken as they are. */
  memcpy(data.bytes, "\x1F\x8B\x08\x00", 4);
  write_bytes("b x.bin", data.bytes, data.size);
  mesh *meshes;
  size_t count;
  if (!mesh_file_read("box.gltf", NULL, &meshes, &count, error, sizeof error)) fail_msg("%s", error);
  mesh_list_free(meshes, count);
  write_bytes("b x.bin", data.bytes, 100);
  assert_false(mesh_file_read("box.gltf", NULL, &meshes, &count, error, sizeof error));
  assert_string_equal(error, "box.gltf: buffers[0].byteLength is 168, but there are 100 bytes");
  remove("b x.bin");
  assert_false(mesh_file_read("box.gltf", NULL, &meshes, &count, error, sizeof error));
  assert_string_equal(error, "b x.bin: cannot be opened: No such file or directory");
}
