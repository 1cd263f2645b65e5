/* Fuzzes a scene of small objects of every kind: bytes become calls, with hostile coordinates, numbers, ids, sizes,
 * formats and strides. No call may break the scene, and a rejected call changes nothing. After every update, the grid
 * gives the list of the reference with each way of listing candidates once, each exact pair test agrees, and measures
 * are within their bounds. */
#include "fuzz/fuzz_bytes.h"
#include "graze/regions.h"
#include "posed_object.h"

enum { MOST_TRIANGLES = 24, MOST_FACES = 12, MOST_OBJECTS = 6, MOST_CALLS = 40, HOST_WORKERS = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct fuzz_scene {
  graze_scene *scene;
  graze_object objects[MOST_OBJECTS];
  bool updated;
  uint64_t hash;   /* of the answer of the updated scene to the default query */
  graze_test test; /* of the queries that are compared with the reference's */
} fuzz_scene;

/* Runs tasks backwards, as any of some workers. */
static void run_tasks(void *context, graze_task *task, void *task_context, uint32_t count) {
  (void)context;
  for (uint32_t i = count; i-- > 0;) task(task_context, i, i % HOST_WORKERS);
}

static bool is_below(const graze_pair *a, const graze_pair *b) {
  if (a->object_a != b->object_a) return a->object_a < b->object_a;
  if (a->primitive_a != b->primitive_a) return a->primitive_a < b->primitive_a;
  return a->object_b != b->object_b ? a->object_b < b->object_b : a->primitive_b < b->primitive_b;
}

/* GRAZE_UNSUPPORTED is a right answer about neighbors in solids; the hash is then one that no list here has. */
static uint64_t find_hash(graze_scene *scene, const graze_query *query) {
  graze_pairs pairs = {0};
  const graze_result result = graze_scene_find_pairs(scene, query, &pairs);
  const bool unsupported = result == GRAZE_UNSUPPORTED && query != NULL && query->neighbors == GRAZE_NEIGHBORS_BEYOND;
  require(result == GRAZE_OK || unsupported, "an updated scene answers");
  require(unsupported || pairs.hash == graze_pairs_hash(pairs.pairs, pairs.count), "the hash is that of the list");
  require(!unsupported || (pairs.count == 0 && pairs.hash == 0), "a refusal leaves an empty list");
  for (size_t i = 1; i < pairs.count; i++) require(is_below(&pairs.pairs[i - 1], &pairs.pairs[i]), "pairs are sorted");
  const uint64_t hash = unsupported ? UINT64_MAX : pairs.hash;
  graze_pairs_free(&pairs);
  return hash;
}

static void choose_method(graze_scene *scene, const char *name, uint32_t choice) {
  graze_method_def method = graze_method_def_default();
  method.name = name;
  method.simd = choice / 4 % 2 == 0 ? GRAZE_SIMD_AUTO : GRAZE_SIMD_SCALAR;
  if (strcmp(name, "tree") == 0) {
    method.tree_builder = (graze_tree_builder)(choice / 8 % 3);
    method.tree_update = (graze_tree_update)(choice / 24 % 3);
  }
  require(graze_scene_set_method(scene, &method) == GRAZE_OK, "methods of the list are taken");
}

static void compare_methods(fuzz_scene *fuzz, uint32_t choice) {
  graze_query query = graze_query_default();
  for (int round = 0; round < 2; round++) {
    query.test = GRAZE_TEST_SAT; /* judged by separating planes */
    choose_method(fuzz->scene, "brute", 0);
    const uint64_t wanted = find_hash(fuzz->scene, &query);
    if (round == 0) fuzz->hash = wanted;
    if (round == 1) query.test = fuzz->test;
    choose_method(fuzz->scene, "grid", choice);
    require(find_hash(fuzz->scene, &query) == wanted, "the grid gives the list of the reference");
    choose_method(fuzz->scene, "tree", choice);
    require(find_hash(fuzz->scene, &query) == wanted, "trees give the list of the reference");
    choose_method(fuzz->scene, "clusters", choice);
    require(find_hash(fuzz->scene, &query) == wanted, "clusters give the list of the reference");
    query.scope = (graze_scope)(1 + choice % 3);
    query.neighbors = (graze_neighbors)(choice / 8 % 2);
    query.candidates_only = choice / 16 % 2 == 1;
    query.pair_limit = choice / 32;
  }
}

/* ---------------------------------------------------------------------------------------------- measures */

static void check_numbers(const double *numbers, size_t count, const char *what) {
  for (size_t i = 0; i < count; i++) require(isfinite(numbers[i]), what);
}

static void check_contact(const graze_contacts *contacts, size_t number, size_t first_point) {
  const graze_contact *contact = &contacts->contacts[number];
  const uint32_t count = contact->point_count;
  require(contact->kind >= GRAZE_CONTACT_KIND_POINT && contact->kind <= GRAZE_CONTACT_KIND_PARTS,
          "a contact has a kind");
  require(contact->first_point == first_point, "points lie one contact after the other");
  require(contact->kind == GRAZE_CONTACT_KIND_VOLUME ? count == 0 : count > 0, "surfaces meet in points");
  if (contact->kind < GRAZE_CONTACT_KIND_VOLUME) require(count <= 7, "a flat part has seven corners at most");
  require(contact->depth >= 0.0 && contact->volume >= 0.0, "depths and volumes are not negative");
  double length = 0.0;
  for (int axis = 0; axis < 3; axis++) length += contact->normal[axis] * contact->normal[axis];
  require(fabs(length - 1.0) < 1e-6, "normals have length one");
  check_numbers(contact->centroid, 3, "centroids lie in the scene");
  for (size_t i = first_point; i < first_point + count; i++)
    check_numbers(contacts->points[i], 3, "points lie in the scene");
}

static void check_contacts(fuzz_scene *fuzz, const graze_pair *pairs, size_t count, graze_test test) {
  graze_contacts contacts = {0};
  graze_contact_options options = graze_contact_options_default();
  options.test = test;
  require(graze_scene_make_contacts(fuzz->scene, pairs, count, &options, &contacts) == GRAZE_OK,
          "a found pair has a contact");
  require(contacts.count == count, "each its own");
  size_t point_count = 0;
  for (size_t i = 0; i < count; point_count += contacts.contacts[i++].point_count)
    check_contact(&contacts, i, point_count);
  require(contacts.point_count == point_count, "with its points");
  graze_contacts_free(&contacts);
}

static void check_wrenches(fuzz_scene *fuzz, const graze_pairs *pairs, double stiffness) {
  graze_wrenches wrenches = {0};
  graze_contact_options options = graze_contact_options_default();
  options.stiffness = stiffness;
  options.test = fuzz->test;
  const graze_result result = graze_scene_make_wrenches(fuzz->scene, pairs->pairs, pairs->count, &options, &wrenches);
  require(result == (isfinite(stiffness) ? GRAZE_OK : GRAZE_INVALID_ARGUMENT), "wrenches need a finite stiffness");
  for (size_t i = 0; i < wrenches.count; i++) {
    const graze_wrench *wrench = &wrenches.wrenches[i];
    require(wrench->object_a < wrench->object_b && wrench->pair_count > 0,
            "a wrench is of two objects and their pairs");
    require(i == 0 || wrench[-1].object_a < wrench->object_a ||
                (wrench[-1].object_a == wrench->object_a && wrench[-1].object_b < wrench->object_b),
            "wrenches are sorted, each once");
  }
  graze_wrenches_free(&wrenches);
}

static void check_crowding(fuzz_scene *fuzz, graze_object object) {
  graze_crowding wanted = {0}, found = {0};
  choose_method(fuzz->scene, "brute", 0);
  if (graze_scene_measure_crowding(fuzz->scene, object, &wanted) != GRAZE_OK) {
    graze_crowding_free(&wanted);
    return;
  }
  choose_method(fuzz->scene, "grid", 0);
  require(graze_scene_measure_crowding(fuzz->scene, object, &found) == GRAZE_OK, "every method measures");
  require(found.count == wanted.count && found.k == wanted.k, "k does not depend on the method");
  require(found.primitive_count <= found.count && (found.k > 0) == (found.primitive_count > 0), "each counts itself");
  for (size_t i = 0; i < wanted.count; i++) require(wanted.k_of[i] == found.k_of[i], "nor does that of a primitive");
  graze_crowding_free(&wanted);
  graze_crowding_free(&found);
}

static void measure(fuzz_scene *fuzz, byte_reader *reader, graze_object object) {
  const double stiffness = take_coordinate(reader);
  graze_query query = graze_query_default();
  query.test = fuzz->test;
  graze_pairs pairs = {0};
  if (graze_scene_find_pairs(fuzz->scene, &query, &pairs) == GRAZE_OK) {
    check_contacts(fuzz, pairs.pairs, pairs.count, query.test);
    check_wrenches(fuzz, &pairs, stiffness);
    check_crowding(fuzz, object);
  }
  graze_pairs_free(&pairs);
}

static void check_any(fuzz_scene *fuzz) {
  bool found;
  graze_pairs pair = {0}, pairs = {0};
  graze_object_pairs touching = {0};
  graze_regions regions = {0};
  require(graze_scene_any_pair(fuzz->scene, NULL, &found, &pair) == GRAZE_OK, "an updated scene answers");
  require(graze_scene_find_pairs(fuzz->scene, NULL, &pairs) == GRAZE_OK, "an updated scene answers");
  require(found == (pairs.count > 0), "any pair is found exactly when there is one");
  require(pair.count == (found ? 1 : 0), "the pair comes with the answer");
  require(graze_scene_find_object_pairs(fuzz->scene, NULL, &touching) == GRAZE_OK, "an updated scene answers");
  require(found == (touching.count > 0), "objects touch exactly when there is a pair");
  require(graze_scene_find_regions(fuzz->scene, NULL, NULL, &regions) == GRAZE_OK, "an updated scene answers");
  require(regions.hash == pairs.hash && found == (regions.count > 0), "regions have all pairs");
  if (found) check_contacts(fuzz, pair.pairs, 1, GRAZE_TEST_SAT);
  graze_object_pairs_free(&touching);
  graze_regions_free(&regions);
  graze_pairs_free(&pair);
  graze_pairs_free(&pairs);
}

/* ---------------------------------------------------------------------------------------------- changes */

/* Accepted changes make the answer stale; refused ones leave it, and a message. */
static void settle(fuzz_scene *fuzz, graze_result result, bool changes) {
  if (result == GRAZE_OK) {
    fuzz->updated = fuzz->updated && !changes;
    return;
  }
  require(graze_error_text()[0] != '\0', "a refusal has a message");
  if (fuzz->updated) require(find_hash(fuzz->scene, NULL) == fuzz->hash, "a refused call changes nothing");
}

static void keep_object(fuzz_scene *fuzz, graze_result result, graze_object object) {
  if (result == GRAZE_OK) {
    if (object.index < MOST_OBJECTS)
      fuzz->objects[object.index] = object;
    else
      require(graze_scene_remove_object(fuzz->scene, object) == GRAZE_OK, "what was made can be removed");
  }
  settle(fuzz, result, true);
}

static void add_triangles(fuzz_scene *fuzz, byte_reader *reader) {
  const fuzz_view positions = take_positions(reader, MOST_VERTICES);
  const fuzz_view triangles = take_elements(reader, MOST_TRIANGLES, 3, LAYOUT_PACKED);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = positions.view;
  def.triangles = triangles.view;
  graze_object object = {0, 0};
  keep_object(fuzz, graze_scene_add(fuzz->scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object), object);
  free(positions.memory);
  free(triangles.memory);
}

/* An object whose views are all filled, some in strange layouts or of a wrong format: each kind reads its own. */
static void add_any(fuzz_scene *fuzz, byte_reader *reader) {
  const uint32_t choice = take(reader), layouts = take(reader);
  const fuzz_view positions = take_positions(reader, MOST_VERTICES);
  size_t corner_count, face_count;
  const fuzz_view elements = choice % 2 == 0
                                 ? take_elements(reader, MOST_TRIANGLES, choice / 2 % 2 + 3, layouts % LAYOUT_COUNT)
                                 : (fuzz_view){NULL, {NULL, 0, 0, GRAZE_FORMAT_UINT32}};
  const fuzz_view cells = take_sizes(reader, choice / 4 % 4, 4, layouts / 8 % LAYOUT_COUNT, &face_count);
  const fuzz_view faces = take_sizes(reader, MOST_FACES, 3, layouts / 64 % LAYOUT_COUNT, &corner_count);
  const fuzz_view corners = take_corners(reader, corner_count, layouts / 16 % LAYOUT_COUNT);
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = positions.view;
  def.triangles = def.tetrahedra = elements.view;
  def.corners = corners.view;
  def.face_sizes = faces.view;
  def.cell_sizes = cells.view;
  def.name =
      choice / 16 % 2 == 0 ? NULL : "%s%n of any kind, with a name that is longer than what a message has room for";
  placed.self = choice / 32 % 2 == 0;
  if (choice / 64 == 3) def.struct_bytes = layouts;
  graze_object object = {0, 0};
  keep_object(fuzz, graze_scene_add(fuzz->scene, (graze_kind)(choice % 4), &def, &placed, &object), object);
  free(positions.memory);
  free(elements.memory);
  free(cells.memory);
  free(faces.memory);
  free(corners.memory);
}

/* Adds cells, or their faces as polygons. */
static void add_cells(fuzz_scene *fuzz, byte_reader *reader) {
  const uint32_t choice = take(reader);
  const fuzz_cells cells = take_cells(reader, choice);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = cells.positions.view;
  def.corners = cells.corners.view;
  def.face_sizes = cells.face_sizes.view;
  def.cell_sizes = cells.cell_sizes.view;
  graze_object object = {0, 0};
  keep_object(
      fuzz,
      graze_scene_add(fuzz->scene, choice < 192 ? GRAZE_KIND_POLYHEDRON : GRAZE_KIND_POLYGON, &def, NULL, &object),
      object);
  free(cells.positions.memory);
  free(cells.corners.memory);
  free(cells.face_sizes.memory);
  free(cells.cell_sizes.memory);
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

static void insert_elements(fuzz_scene *fuzz, byte_reader *reader, graze_object object, size_t width) {
  const fuzz_view elements = take_elements(reader, MOST_TRIANGLES, width, LAYOUT_PACKED);
  settle(fuzz, graze_object_append_primitives(fuzz->scene, object, elements.view, NULL), elements.view.count > 0);
  free(elements.memory);
}

static void erase_elements(fuzz_scene *fuzz, byte_reader *reader, graze_object object) {
  uint32_t numbers[4];
  const size_t count = take(reader) % 5;
  for (size_t i = 0; i < count; i++) numbers[i] = take(reader) % (2 * MOST_TRIANGLES);
  settle(fuzz, graze_object_remove_primitives(fuzz->scene, object, numbers, count), count > 0);
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
  settle(fuzz, pose_object(fuzz->scene, object, rotation, translation), true);
}

static void exclude(fuzz_scene *fuzz, uint32_t bits, graze_object object) {
  const graze_id_pair pairs[2] = {{object, fuzz->objects[bits % MOST_OBJECTS]},
                                  {object, fuzz->objects[bits / MOST_OBJECTS % MOST_OBJECTS]}};
  const size_t before = graze_scene_exclusion_count(fuzz->scene);
  const graze_result result = graze_scene_exclude_pairs(fuzz->scene, pairs, 1 + bits % 2, bits % 16 < 11);
  require(result == GRAZE_OK || graze_scene_exclusion_count(fuzz->scene) == before, "all exclusions or none");
  settle(fuzz, result, true);
}

static void set_filter(fuzz_scene *fuzz, byte_reader *reader, graze_object object) {
  const uint32_t bits = take(reader);
  if (bits >= 128) {
    exclude(fuzz, bits, object);
    return;
  }
  settle(fuzz, graze_object_set_filter(fuzz->scene, object, bits & 3, bits >> 2 & 3, (bits >> 4 & 1) == 0), true);
}

static void update(fuzz_scene *fuzz, byte_reader *reader) {
  const graze_result result = graze_scene_update(fuzz->scene);
  fuzz->updated = result == GRAZE_OK;
  /* Coordinates are checked when they come in: only a pose can make one that is not finite. */
  require(result == GRAZE_OK || result == GRAZE_NOT_FINITE, "an update takes in what was accepted");
  if (!fuzz->updated) {
    graze_pairs pairs = {0};
    require(graze_scene_find_pairs(fuzz->scene, NULL, &pairs) == GRAZE_NOT_UPDATED, "no answer without an update");
    graze_pairs_free(&pairs);
    return;
  }
  compare_methods(fuzz, take(reader));
  check_any(fuzz);
}

static void choose_test(fuzz_scene *fuzz, byte_reader *reader) {
  fuzz->test = take(reader) % 2 == 0 ? GRAZE_TEST_SAT : GRAZE_TEST_GJK;
}

static void ask_wild_contact(fuzz_scene *fuzz, byte_reader *reader) {
  const graze_pair pair = {take(reader) % 8, take(reader) % 32, take(reader) % 8, take(reader) % 32};
  graze_contacts contacts = {0};
  settle(fuzz, graze_scene_make_contacts(fuzz->scene, &pair, 1, NULL, &contacts), false);
  graze_contacts_free(&contacts);
}

static void make_call(fuzz_scene *fuzz, byte_reader *reader) {
  const uint32_t call = take(reader);
  const graze_object object = fuzz->objects[call / 16 % MOST_OBJECTS];
  switch (call % 16) {
  case 0:
  case 1:
    add_triangles(fuzz, reader);
    break;
  case 2:
  case 3:
    set_positions(fuzz, reader, object);
    break;
  case 4:
    append_positions(fuzz, reader, object);
    break;
  case 5:
    insert_elements(fuzz, reader, object, 3);
    break;
  case 6:
    erase_elements(fuzz, reader, object);
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
  case 11:
    update(fuzz, reader);
    break;
  case 12:
    add_any(fuzz, reader);
    break;
  case 13:
    add_cells(fuzz, reader);
    break;
  case 14:
    choose_test(fuzz, reader);
    measure(fuzz, reader, object);
    break;
  default:
    insert_elements(fuzz, reader, object, 4);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  const graze_task_system tasks = {sizeof tasks, NULL, HOST_WORKERS, run_tasks};
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
