/* Reads arbitrary bytes as a scene file and a table of frames: both are accepted with valid values, or rejected.
 * Accepted scenes are played with a small mesh in place of every file, so that no name in the input is opened. */
#include "fuzz/fuzz_bytes.h"
#include "scene_frames.h"

#include "pose_targets.h"

int LLVMFuzzerInitialize(int *argument_count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Ends the scene file; the rest is the table. No JSON has it outside of texts, and no UTF-8 at all. */
enum { SEPARATOR = 0xff, BODIES_MOST = 64, FRAMES_MOST = 16 };

static void check_placement(const placement *placed) {
  require(placement_defect(placed) == NULL, "a placement is finite and flattens nothing");
}

static void check_scene(const scene_file *scene) {
  require(scene->body_count > 0 && scene->part_count > 0, "a scene has objects");
  for (size_t i = 0; i < scene->body_count; ++i) {
    require(scene->bodies[i].part < scene->part_count && scene->bodies[i].name[0] != '\0', "an object has a mesh");
    check_placement(&scene->bodies[i].placed);
  }
  for (size_t i = 0; i < scene->exclusion_count; ++i)
    require(scene->exclusions[i][0] < scene->body_count && scene->exclusions[i][1] < scene->body_count &&
                scene->exclusions[i][0] != scene->exclusions[i][1],
            "two objects are excluded");
  for (size_t i = 0; i < scene->frame_count; ++i)
    require(i == 0 || scene->frame_ends[i] >= scene->frame_ends[i - 1], "frames follow each other");
  for (size_t i = 0; scene->frame_count > 0 && i < scene->frame_ends[scene->frame_count - 1]; ++i) {
    require(scene->poses[i].body < scene->body_count, "a frame places objects of the scene");
    check_placement(&scene->poses[i].placed);
  }
}

static const mesh *small_mesh(size_t number) {
  static double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, radii[3] = {1, 0, 0.5};
  static uint32_t corners[3] = {0, 1, 2};
  static const mesh meshes[2] = {
      {.name = (char *)"surface",
       .positions = positions,
       .vertex_count = 3,
       .polygon_count = 1,
       .triangles = corners,
       .triangle_count = 1},
      {.name = (char *)"balls", .kind = MESH_SPHERES, .positions = positions, .vertex_count = 3, .radii = radii}};
  return &meshes[number % 2];
}

/* An object list takes the copy, which then becomes the mesh of the part. */
static void load_parts(scene_file *scene) {
  for (size_t i = 0; i < scene->part_count; ++i) {
    object_list copies = {0};
    require(object_list_copy(&copies, "small", small_mesh(i), 1), "memory for a triangle");
    scene->parts[i].shared.mesh = copies.meshes[0];
    copies.meshes[0] = (mesh){0};
    object_list_release(&copies);
  }
}

static void play(scene_file *scene) {
  scene_frames frames = {0};
  if (scene->body_count > BODIES_MOST) return;
  load_parts(scene);
  require(scene_frames_open(&frames, scene), "memory for the frames");
  const frame_source source = frame_source_of_scene_file(&frames);
  for (size_t i = 0; i < source.count && i < FRAMES_MOST; ++i) {
    object_list objects = {0};
    if (source.load(source.context, i, &objects, false)) {
      require(objects.count == scene->body_count, "a frame has all objects");
      for (size_t k = 0; k < objects.count; ++k) {
        double *placed = object_list_placed_positions(&objects, k);
        require(placed != NULL && objects.entries[k].primitive_count > 0, "an object has positions");
        free(placed);
      }
    }
    object_list_release(&objects);
  }
  scene_frames_close(&frames);
}

static void read_table(const uint8_t *bytes, size_t size) {
  pose_table table;
  char *copy = malloc(size + 1);
  require(copy != NULL, "memory for a copy");
  memcpy(copy, bytes, size);
  copy[size] = '\0';
  if (pose_table_read_csv("table.csv", copy, size, &table)) {
    for (size_t i = 0; i < table.count; ++i) {
      require(i == 0 || table.rows[i].frame >= table.rows[i - 1].frame, "frames never go back");
      check_placement(&table.rows[i].placed);
    }
  }
  pose_table_release(&table);
  free(copy);
}

/* Complaints are to be made, and read by nobody; the sanitizers write to the descriptor itself. */
int LLVMFuzzerInitialize(int *argument_count, char ***arguments) {
  (void)argument_count;
  (void)arguments;
  FILE *nowhere = fopen("/dev/null", "w");
  require(nowhere != NULL, "somewhere to complain to");
  stderr = nowhere;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  const uint8_t *end = size == 0 ? NULL : memchr(bytes, SEPARATOR, size);
  const size_t length = end == NULL ? size : (size_t)(end - bytes);
  scene_file scene;
  if (scene_file_take("scene.json", (const char *)bytes, length, &scene)) {
    check_scene(&scene);
    play(&scene);
  }
  scene_file_release(&scene);
  if (end != NULL) read_table(end + 1, size - length - 1);
  return 0;
}
