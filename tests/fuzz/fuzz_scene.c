/* Any bytes as a sequence of calls on a scene of small meshes, with hostile values among the coordinates, numbers and
 * ids. No call may break the scene; a refused one changes nothing; and whenever the scene is updated, the grid gives
 * the list of the judge. */
#include "graze/graze.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VERTICES = 24, MOST_TRIANGLES = 24, MOST_OBJECTS = 6, MOST_CALLS = 40, HOST_WORKERS = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Ends the process, which is how a fuzz target reports. */
static void require(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "broken promise: %s\n", what);
  abort();
}

typedef struct byte_reader {
  const uint8_t *bytes;
  size_t left;
} byte_reader;

/* Zero past the end, so that every input is a whole sequence. */
static uint32_t take(byte_reader *reader) {
  if (reader->left == 0) return 0;
  reader->left--;
  return *reader->bytes++;
}

typedef struct fuzz_scene {
  graze_scene *scene;
  graze_object objects[MOST_OBJECTS];
  bool updated;
  uint64_t hash; /* of the answer of the updated scene to the default query */
} fuzz_scene;

/* Mostly a small lattice, on which everything touches; else its neighbours, other scales, or any bits. */
static double take_coordinate(byte_reader *reader) {
  const uint32_t byte = take(reader);
  const double place = (double)(byte & 7) - 3.0;
  switch (byte >> 4) {
  case 15: {
    uint8_t raw[8];
    for (int i = 0; i < 8; i++) raw[i] = (uint8_t)take(reader);
    double value;
    memcpy(&value, raw, sizeof value);
    return value;
  }
  case 14:
    return ldexp(place, (int)(take(reader) * 8) - 1074);
  case 13:
    return nextafter(place, byte & 8 ? HUGE_VAL : -HUGE_VAL);
  case 12:
    return place / 3.0;
  case 11:
    return ldexp(place, -(int)take(reader) / 4);
  default:
    return place;
  }
}

/* Exactly as long as it says, so that a read past its end is seen. */
typedef struct fuzz_view {
  void *memory;
  graze_view view;
} fuzz_view;

static fuzz_view take_positions(byte_reader *reader, size_t most) {
  const size_t count = take(reader) % (most + 1);
  const bool is_float = take(reader) % 2 == 0;
  double *values = malloc(3 * count * sizeof *values + 1);
  float *floats = malloc(3 * count * sizeof *floats + 1);
  require(values != NULL && floats != NULL, "memory for the input");
  for (size_t i = 0; i < 3 * count; i++) {
    values[i] = take_coordinate(reader);
    floats[i] = fabs(values[i]) <= 3e38 ? (float)values[i] : (float)copysign(INFINITY, values[i]);
  }
  free(is_float ? (void *)values : floats);
  void *kept = is_float ? (void *)floats : values;
  return (fuzz_view){kept, {kept, count, 0, is_float ? GRAZE_FLOAT3 : GRAZE_DOUBLE3}};
}

static fuzz_view take_triangles(byte_reader *reader) {
  const size_t count = take(reader) % (MOST_TRIANGLES + 1);
  uint32_t *corners = malloc(3 * count * sizeof *corners + 1);
  require(corners != NULL, "memory for the input");
  for (size_t i = 0; i < 3 * count; i++) {
    const uint32_t byte = take(reader);
    corners[i] = byte == 255 ? UINT32_MAX : byte % MOST_VERTICES;
  }
  return (fuzz_view){corners, {corners, count, 0, GRAZE_UINT32_3}};
}

/* Runs tasks backwards, as any of some workers. */
static void run_tasks(void *context, graze_task *task, void *task_context, uint32_t count) {
  (void)context;
  for (uint32_t i = count; i-- > 0;) task(task_context, i, i % HOST_WORKERS);
}

static uint64_t find_hash(graze_scene *scene, const graze_query *query) {
  graze_pairs pairs;
  require(graze_scene_find_pairs(scene, query, &pairs) == GRAZE_OK, "an updated scene answers");
  require(pairs.hash == graze_pairs_hash(pairs.pairs, pairs.count), "the hash is that of the list");
  return pairs.hash;
}

static void choose_method(graze_scene *scene, const char *name, uint32_t choice) {
  graze_method_def method = graze_method_def_default();
  method.name = name;
  method.hash = (graze_hash)(choice % 4);
  method.simd = choice / 4 % 2 == 0 ? GRAZE_SIMD_AUTO : GRAZE_SIMD_SCALAR;
  require(graze_scene_set_method(scene, &method) == GRAZE_OK, "methods of the list are taken");
}

static void compare_methods(fuzz_scene *fuzz, uint32_t choice) {
  graze_query query = graze_query_default();
  for (int round = 0; round < 2; round++) {
    choose_method(fuzz->scene, "brute", 0);
    const uint64_t judged = find_hash(fuzz->scene, &query);
    choose_method(fuzz->scene, "grid", choice);
    require(find_hash(fuzz->scene, &query) == judged, "the grid gives the list of the judge");
    if (round == 0) fuzz->hash = judged;
    query.scope = (graze_scope)(1 + choice % 3);
    query.neighbours = (graze_neighbours)(choice / 8 % 2);
    query.candidates_only = choice / 16 % 2 == 1;
    query.pair_limit = choice / 32;
  }
}

static void check_any(fuzz_scene *fuzz) {
  bool found;
  graze_pair pair;
  graze_pairs pairs;
  require(graze_scene_any_pair(fuzz->scene, NULL, &found, &pair) == GRAZE_OK, "an updated scene answers");
  require(graze_scene_find_pairs(fuzz->scene, NULL, &pairs) == GRAZE_OK, "an updated scene answers");
  require(found == (pairs.count > 0), "any pair is found exactly when there is one");
  if (!found) return;
  graze_contacts contacts;
  require(graze_scene_make_contacts(fuzz->scene, &pair, 1, &contacts) == GRAZE_OK, "a found pair has a contact");
  require(contacts.count == 1 && contacts.point_count == contacts.contacts[0].point_count, "with its points");
}

/* Accepted changes make the answer stale; refused ones leave it, and a sentence. */
static void settle(fuzz_scene *fuzz, graze_result result, bool changes) {
  if (result == GRAZE_OK) {
    fuzz->updated = fuzz->updated && !changes;
    return;
  }
  require(graze_scene_error_text(fuzz->scene)[0] != '\0', "a refusal has a sentence");
  if (fuzz->updated) require(find_hash(fuzz->scene, NULL) == fuzz->hash, "a refused call changes nothing");
}

static void add_object(fuzz_scene *fuzz, byte_reader *reader) {
  const fuzz_view positions = take_positions(reader, MOST_VERTICES), triangles = take_triangles(reader);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = positions.view;
  def.triangles = triangles.view;
  graze_object object;
  const graze_result result = graze_scene_add_triangles(fuzz->scene, &def, &object);
  if (result == GRAZE_OK) {
    if (object.index < MOST_OBJECTS)
      fuzz->objects[object.index] = object;
    else
      require(graze_scene_remove_object(fuzz->scene, object) == GRAZE_OK, "what was made can be removed");
  }
  settle(fuzz, result, true);
  free(positions.memory);
  free(triangles.memory);
}

static void set_positions(fuzz_scene *fuzz, byte_reader *reader, graze_object object) {
  const size_t first = take(reader) % MOST_VERTICES;
  const fuzz_view positions = take_positions(reader, 6);
  settle(fuzz, graze_object_set_positions(fuzz->scene, object, first, positions.view), positions.view.count > 0);
  free(positions.memory);
}

static void append_positions(fuzz_scene *fuzz, byte_reader *reader, graze_object object) {
  const fuzz_view positions = take_positions(reader, 6);
  settle(fuzz, graze_object_append_positions(fuzz->scene, object, positions.view, NULL), positions.view.count > 0);
  free(positions.memory);
}

static void insert_triangles(fuzz_scene *fuzz, byte_reader *reader, graze_object object) {
  const fuzz_view triangles = take_triangles(reader);
  settle(fuzz, graze_object_insert(fuzz->scene, object, triangles.view, NULL), triangles.view.count > 0);
  free(triangles.memory);
}

static void erase_triangles(fuzz_scene *fuzz, byte_reader *reader, graze_object object) {
  uint32_t numbers[4];
  const size_t count = take(reader) % 5;
  for (size_t i = 0; i < count; i++) numbers[i] = take(reader) % (2 * MOST_TRIANGLES);
  settle(fuzz, graze_object_erase(fuzz->scene, object, numbers, count), count > 0);
}

static void set_pose(fuzz_scene *fuzz, byte_reader *reader, graze_object object) {
  static const double turns[4][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                     {0, -1, 0, 1, 0, 0, 0, 0, 1},
                                     {0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1},
                                     {0, 0, 1, 1, 0, 0, 0, 1, 0}};
  double rotation[9], translation[3];
  const uint32_t turn = take(reader);
  for (int i = 0; i < 9; i++) rotation[i] = turn < 240 ? turns[turn % 4][i] : take_coordinate(reader);
  for (int i = 0; i < 3; i++) translation[i] = take_coordinate(reader);
  settle(fuzz, graze_object_set_pose(fuzz->scene, object, rotation, translation), true);
}

static void set_filter(fuzz_scene *fuzz, byte_reader *reader, graze_object object) {
  const uint32_t bits = take(reader);
  settle(fuzz, graze_object_set_filter(fuzz->scene, object, bits & 3, bits >> 2 & 3, (bits >> 4 & 1) == 0), true);
}

static void update(fuzz_scene *fuzz, byte_reader *reader) {
  const graze_result result = graze_scene_update(fuzz->scene);
  fuzz->updated = result == GRAZE_OK;
  /* Coordinates are checked when they come in: only a pose can make one that is not finite. */
  require(result == GRAZE_OK || result == GRAZE_NOT_FINITE, "an update takes in what was accepted");
  if (!fuzz->updated) {
    graze_pairs pairs;
    require(graze_scene_find_pairs(fuzz->scene, NULL, &pairs) == GRAZE_NOT_UPDATED, "no answer without an update");
    return;
  }
  compare_methods(fuzz, take(reader));
  check_any(fuzz);
}

static void ask_wild_contact(fuzz_scene *fuzz, byte_reader *reader) {
  const graze_pair pair = {take(reader) % 8, take(reader) % 32, take(reader) % 8, take(reader) % 32};
  graze_contacts contacts;
  settle(fuzz, graze_scene_make_contacts(fuzz->scene, &pair, 1, &contacts), false);
}

static void make_call(fuzz_scene *fuzz, byte_reader *reader) {
  const uint32_t call = take(reader);
  const graze_object object = fuzz->objects[call / 16 % MOST_OBJECTS];
  switch (call % 16) {
  case 0:
  case 1:
    add_object(fuzz, reader);
    break;
  case 2:
  case 3:
    set_positions(fuzz, reader, object);
    break;
  case 4:
    append_positions(fuzz, reader, object);
    break;
  case 5:
    insert_triangles(fuzz, reader, object);
    break;
  case 6:
    erase_triangles(fuzz, reader, object);
    break;
  case 7:
    settle(fuzz, graze_scene_remove_object(fuzz->scene, object), true);
    break;
  case 8:
    set_pose(fuzz, reader, object);
    break;
  case 9:
    set_filter(fuzz, reader, object);
    break;
  case 10:
    ask_wild_contact(fuzz, reader);
    break;
  default:
    update(fuzz, reader);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  const graze_task_system tasks = {NULL, HOST_WORKERS, run_tasks};
  graze_scene_def def = graze_scene_def_default();
  def.tasks = &tasks;
  fuzz_scene fuzz = {.updated = false};
  require(graze_scene_create(&def, &fuzz.scene) == GRAZE_OK, "a scene is made");
  byte_reader reader = {bytes, size};
  for (int calls = 0; calls < MOST_CALLS && reader.left > 0; calls++) make_call(&fuzz, &reader);
  update(&fuzz, &reader);
  graze_scene_destroy(fuzz.scene);
  return 0;
}
