/* Compares culling by shared space with its definition: a map of cells for each object, filled cell by cell, and a
 * check of every cell of every primitive. Covers vertices on borders of cells, outside the region and at its ends;
 * primitives of three, four and varying numbers of corners, alone and crowded in one cell. */
#include "broad/primitive_selection.h"
#include "testing.h"

#include "base/number_sequence.h"
#include "base/worker_teams.h"
#include "test_scale.h"

#include <stdlib.h>

enum { CELLS = 64, OBJECTS_MOST = 4, PRIMITIVES = 2600, VERTICES = 4 * PRIMITIVES, CORNERS_MOST = 6, CROWD = 32 };

typedef struct corner_scene {
  rounded_vertex vertices[VERTICES];
  primitive_header headers[PRIMITIVES];
  uint32_t corners[OBJECTS_MOST][CORNERS_MOST * PRIMITIVES], corner_first[OBJECTS_MOST][PRIMITIVES + 1];
  object_source sources[OBJECTS_MOST];
  uint8_t searched[PRIMITIVES];
  primitive_box region;
  primitive_view view;
} corner_scene;

/* ---------------------------------------------------------------------------------------------- scenes */

static float in_range(uint64_t *sequence, float low, float high) {
  return low + (float)(sequence_next(sequence) >> 40) * 0x1p-24f * (high - low);
}

/* A place around which a crowd lies: anywhere in and around the region, at its ends, on a border of cells, which are a
 * 62nd of it. */
static float make_place(const primitive_box *region, int axis, uint64_t *sequence) {
  const float low = region->min[axis], high = region->max[axis];
  switch (sequence_below(sequence, 6)) {
  case 0:
    return sequence_below(sequence, 2) == 0 ? low : high;
  case 1:
    return low + (high - low) * (float)sequence_below(sequence, 63) / 62.0f;
  default:
    return in_range(sequence, low - 0.05f, high + 0.05f);
  }
}

/* Few crowds reach over many cells: with more of them the marks would be given up. Some vertices lie at the very place.
 */
static void make_vertices(corner_scene *scene, uint64_t *sequence) {
  static const float reaches[] = {0.0005f, 0.005f, 0.02f, 0.3f}, errors[] = {0.0f, 1e-5f, 0.02f};
  for (size_t i = 0; i < VERTICES;) {
    const float reach = reaches[sequence_below(sequence, 40) == 0 ? 3 : sequence_below(sequence, 3)];
    float place[3], at[3];
    for (int axis = 0; axis < 3; axis++) place[axis] = make_place(&scene->region, axis, sequence);
    for (size_t member = 0; member < CROWD && i < VERTICES; member++, i++) {
      for (int axis = 0; axis < 3; axis++)
        at[axis] = place[axis] + (sequence_below(sequence, 4) == 0 ? 0.0f : in_range(sequence, -reach, reach));
      const float error = in_range(sequence, 0.0f, errors[sequence_below(sequence, 3)]);
      scene->vertices[i] = (rounded_vertex){at[0], at[1], at[2], error};
    }
  }
}

/* The corners of a primitive are vertices of one crowd, and so are those of some primitives before and after it. */
static void make_object(corner_scene *scene, uint32_t object, uint32_t first, uint32_t end, uint64_t *sequence) {
  static const uint8_t numbers[] = {3, 4, CORNERS_VARY};
  object_source *source = &scene->sources[object];
  const uint8_t number = scene->view.only_triangles ? 3 : numbers[sequence_below(sequence, 3)];
  const uint32_t crowds = VERTICES / CROWD / (uint32_t)scene->view.object_count;
  *source = (object_source){.first_primitive = first,
                            .primitive_count = end - first,
                            .first_vertex = object * crowds * CROWD,
                            .corners = scene->corners[object],
                            .corner_first = number == CORNERS_VARY ? scene->corner_first[object] : NULL,
                            .corner_count = number};
  uint32_t *corners = scene->corners[object];
  uint32_t written = 0, crowd = 0;
  for (uint32_t i = 0; i < end - first; i++) {
    const uint32_t count = number == CORNERS_VARY ? 3 + (uint32_t)sequence_below(sequence, 4) : number;
    if (sequence_below(sequence, 3) == 0) crowd = (uint32_t)sequence_below(sequence, crowds);
    scene->corner_first[object][i] = written;
    for (uint32_t k = 0; k < count; k++) corners[written++] = crowd * CROWD + (uint32_t)sequence_below(sequence, CROWD);
    scene->headers[first + i] = (primitive_header){.object = object};
    for (uint32_t k = 0; k < 3; k++)
      scene->headers[first + i].corner[k] = source->first_vertex + corners[written - count + k];
    scene->searched[first + i] = sequence_below(sequence, 30) != 0;
  }
  scene->corner_first[object][end - first] = written;
}

static void make_scene(corner_scene *scene, uint64_t *sequence) {
  const uint32_t objects = 2 + (uint32_t)sequence_below(sequence, OBJECTS_MOST - 1);
  scene->region = (primitive_box){{-0.5f, 0.0f, -1.0f}, {0.25f, 1.0f, sequence_below(sequence, 8) == 0 ? -1.0f : 1.0f}};
  make_vertices(scene, sequence);
  scene->view = (primitive_view){.primitive_count = PRIMITIVES,
                                 .vertex_count = VERTICES,
                                 .headers = scene->headers,
                                 .rounded_vertices = scene->vertices,
                                 .sources = scene->sources,
                                 .object_count = objects,
                                 .between = true,
                                 .only_triangles = sequence_below(sequence, 2) == 0};
  for (uint32_t i = 0; i < objects; i++)
    make_object(scene, i, PRIMITIVES * i / objects, PRIMITIVES * (i + 1) / objects, sequence);
}

/* ---------------------------------------------------------------------------------------------- the definition */

typedef struct cell_box {
  int low[3], high[3];
} cell_box;

/* Cells 1 to 62 are those of the region; 0 and 63 what lies before and behind it. */
static int cell_of(const primitive_box *region, int axis, float coordinate) {
  const float size = region->max[axis] - region->min[axis];
  const float inverse = size > 0.0f ? (62.0f - 0x1p-8f) / size : 0.0f;
  const float steps = (coordinate - region->min[axis]) * inverse + 1.0f;
  return steps < 0.0f ? 0 : steps > 63.0f ? 63 : (int)steps;
}

static cell_box cells_of(const corner_scene *scene, uint32_t primitive) {
  const object_source *source = &scene->sources[scene->headers[primitive].object];
  const corner_list corners = corners_of(source, primitive);
  cell_box cells = {{63, 63, 63}, {0, 0, 0}};
  for (uint32_t i = 0; i < corners.count; i++) {
    const rounded_vertex v = scene->vertices[source->first_vertex + corners.vertices[i]];
    const float at[3] = {v.x, v.y, v.z};
    for (int axis = 0; axis < 3; axis++) {
      const int low = cell_of(&scene->region, axis, at[axis] - v.error);
      const int high = cell_of(&scene->region, axis, at[axis] + v.error);
      if (low < cells.low[axis]) cells.low[axis] = low;
      if (high > cells.high[axis]) cells.high[axis] = high;
    }
  }
  for (int axis = 0; axis < 3; axis++) {
    if (cells.low[axis] < 1) cells.low[axis] = 1;
    if (cells.high[axis] > 62) cells.high[axis] = 62;
  }
  return cells;
}

#define FOR_CELLS(cells, cell)                                                                                         \
  for (int z = (cells).low[2]; z <= (cells).high[2]; z++)                                                              \
    for (int y = (cells).low[1]; y <= (cells).high[1]; y++)                                                            \
      for (int x = (cells).low[0], cell; cell = (z * CELLS + y) * CELLS + x, x <= (cells).high[0]; x++)

/* The rest of `searched`. */
static size_t expect(const corner_scene *scene, uint8_t *expected) {
  OWNED_MEMORY uint8_t *objects = calloc(CELLS * CELLS * CELLS, 1); /* a bit for each */
  assert_non_null(objects);
  for (uint32_t i = 0; i < PRIMITIVES; i++) {
    if (scene->searched[i] == 0) continue;
    const cell_box cells = cells_of(scene, i);
    FOR_CELLS(cells, cell) objects[cell] |= (uint8_t)(1u << scene->headers[i].object);
  }
  size_t left = 0;
  for (uint32_t i = 0; i < PRIMITIVES; i++) {
    expected[i] = 0;
    const cell_box cells = cells_of(scene, i);
    if (scene->searched[i] != 0) FOR_CELLS(cells, cell) if ((objects[cell] & (objects[cell] - 1)) != 0) expected[i] = 1;
    left += expected[i];
  }
  return left;
}

static void check_team(const corner_scene *scene, const uint8_t *expected, memory *heap, workers *team) {
  uint8_t searched[PRIMITIVES];
  memcpy(searched, scene->searched, sizeof searched);
  search s = {.view = &scene->view, .memory = heap, .workers = team};
  search_init_ends(&s);
  shared_space_thin_out(&scene->view, &s, &scene->region, searched);
  for (uint32_t i = 0; i < PRIMITIVES; i++) assert_int_equal(searched[i], expected[i]);
}

TEST(thins_out_as_defined) {
  memory heap;
  memory_init(&heap, NULL);
  workers *one = team_of_threads(&heap, 1), *three = team_of_threads(&heap, 3);
  corner_scene *scene = calloc(1, sizeof *scene);
  assert_true(one != NULL && three != NULL && scene != NULL);
  uint64_t sequence = 1;
  size_t left = 0, rounds = test_scaled(60, 6);
  for (size_t round = 0; round < rounds; round++) {
    uint8_t expected[PRIMITIVES];
    make_scene(scene, &sequence);
    left += expect(scene, expected);
    check_team(scene, expected, &heap, one);
    check_team(scene, expected, &heap, three);
  }
  assert_in_range(left, rounds * PRIMITIVES / 20, rounds * PRIMITIVES * 19 / 20); /* both answers are common */
  free(scene);
  workers_destroy(&heap, one);
  workers_destroy(&heap, three);
}
