/* Compares search structures of graze/inspect.h with their definitions: boxes that contain the boxes of all members,
 * cells that own the lower corners, children within parents, every searched primitive in a node, and counts that agree
 * with those of the query. Covers each method, each kind, badly spread scenes, and errors. */
#include "base/number_sequence.h"
#include "graze/inside/parts.h"
#include "graze/inspect.h"
#include "graze/shape.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "spread_soup.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const char *const methods[] = {"grid", "tree", "clusters"};
enum { METHODS = sizeof methods / sizeof methods[0], CELLS = 300 };

/* ---------------------------------------------------------------------------------------------- scenes */

/* Unit tetrahedra at random places of random sizes, as each kind sees them. */
static graze_object add_kind(graze_scene *scene, graze_kind kind, uint64_t seed) {
  static const double unit[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  static double positions[12 * CELLS], radii[4 * CELLS];
  static uint32_t triangles[12 * CELLS], tetrahedra[4 * CELLS], face_sizes[4 * CELLS], cell_sizes[CELLS];
  uint64_t sequence = seed;
  for (uint32_t cell = 0; cell < CELLS; cell++) {
    const double size = ldexp(1.0, -(int)sequence_below(&sequence, 6));
    double origin[3];
    for (int axis = 0; axis < 3; axis++) origin[axis] = (double)sequence_below(&sequence, 1000000) / 1e5;
    for (int i = 0; i < 12; i++) {
      positions[12 * cell + i] = origin[i % 3] + size * unit[i];
      triangles[12 * cell + i] = 4 * cell + faces[i];
    }
    for (uint32_t i = 0; i < 4; i++) {
      tetrahedra[4 * cell + i] = 4 * cell + i;
      radii[4 * cell + i] = 0.3 * size;
      face_sizes[4 * cell + i] = 3;
    }
    cell_sizes[cell] = 4;
  }
  graze_mesh_def def = graze_mesh_def_default();
  graze_object object;
  def.positions = double_view(positions, 4 * CELLS);
  def.radii = (graze_view){radii, 4 * CELLS, 0, GRAZE_FORMAT_DOUBLE};
  def.triangles = index_view(triangles, 4 * CELLS);
  def.tetrahedra = (graze_view){tetrahedra, CELLS, 0, GRAZE_FORMAT_UINT32_4};
  if (kind == GRAZE_KIND_POLYGON || kind == GRAZE_KIND_POLYHEDRON) {
    def.corners = (graze_view){triangles, 12 * CELLS, 0, GRAZE_FORMAT_UINT32};
    def.face_sizes = (graze_view){face_sizes, 4 * CELLS, 0, GRAZE_FORMAT_UINT32};
  }
  if (kind == GRAZE_KIND_POLYHEDRON) def.cell_sizes = (graze_view){cell_sizes, CELLS, 0, GRAZE_FORMAT_UINT32};
  assert_ok(graze_scene_add(scene, kind, &def, NULL, &object));
  return object;
}

static const graze_pose tilted = {{0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6}, {0.5, 100.25, -3}};

static graze_scene *new_scene(const char *method_name) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 2;
  graze_scene *scene = create_scene(&def);
  graze_method_def method = graze_method_def_default();
  method.name = method_name;
  if (strcmp(method_name, "clusters") == 0) method.clusters = 7;
  assert_ok(graze_scene_set_method(scene, &method));
  return scene;
}

static void update(graze_scene *scene) {
  assert_ok(graze_scene_update(scene));
}

static graze_structure inspect(const graze_scene *scene, const graze_query *query) {
  graze_structure structure = {0};
  assert_ok(graze_scene_inspect(scene, query, NULL, &structure));
  return structure;
}

/* ---------------------------------------------------------------------------------------------- definitions */

typedef struct box {
  double min[3], max[3];
} box;

/* The box of a primitive from graze_object_get_boxes, by its numbers in pairs. */
static box box_of(const graze_scene *scene, const graze_structure_member *member) {
  graze_object object;
  uint32_t primitive;
  double sides[6];
  assert_ok(graze_scene_find_primitive(scene, member->object, member->primitive, &object, &primitive));
  assert_ok(graze_object_get_boxes(scene, object, primitive, 1, sides));
  box result;
  memcpy(result.min, sides, sizeof result.min);
  memcpy(result.max, sides + 3, sizeof result.max);
  return result;
}

enum { MOST_OBJECTS = 8 };

/* Takes all poses off, or gives them back; the scene is updated. */
static void exchange_poses(graze_scene *scene, graze_pose poses[MOST_OBJECTS]) {
  size_t count = 0;
  for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0; count++) {
    assert_true(count < MOST_OBJECTS);
    graze_object_info info = {0};
    assert_ok(graze_object_get_info(scene, o, &info));
    assert_ok(graze_object_set_pose(scene, o, &poses[count]));
    poses[count] = info.pose;
  }
  update(scene);
}

static void assert_within(const double min[3], const double max[3], const double outer_min[3],
                          const double outer_max[3]) {
  for (int axis = 0; axis < 3; axis++)
    if (!(outer_min[axis] <= min[axis] && max[axis] <= outer_max[axis]))
      fail_msg("axis %d: [%.17g, %.17g] is not within [%.17g, %.17g]", axis, min[axis], max[axis], outer_min[axis],
               outer_max[axis]);
}

/* Boxes hold their members. The box of a node is not larger than `slack` times what its members need, where it is
 * checked. */
static void check_members(graze_scene *scene, const graze_structure *structure, double slack) {
  const bool is_tree = strcmp(structure->method, "tree") == 0;
  graze_pose poses[MOST_OBJECTS];
  for (size_t i = 0; i < MOST_OBJECTS; i++) poses[i] = graze_pose_identity();
  if (is_tree) exchange_poses(scene, poses);
  for (size_t i = 0; i < structure->count; i++) {
    const graze_structure_node *node = &structure->nodes[i];
    box around = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    assert_true(node->member_count > 0 && node->first_member + node->member_count <= structure->member_count);
    for (size_t k = 0; k < node->member_count; k++) {
      const graze_structure_member *member = &structure->members[node->first_member + k];
      const box inner = box_of(scene, member);
      assert_within(inner.min, inner.max, node->min, node->max);
      for (int axis = 0; axis < 3; axis++) {
        around.min[axis] = fmin(around.min[axis], inner.min[axis]);
        around.max[axis] = fmax(around.max[axis], inner.max[axis]);
      }
      if (is_tree) assert_int_equal(member->object, node->object);
    }
    for (int axis = 0; axis < 3 && slack > 0.0; axis++)
      assert_true(node->max[axis] - node->min[axis] <= around.max[axis] - around.min[axis] + slack);
    if (!is_tree) assert_int_equal(node->object, UINT32_MAX);
  }
  if (is_tree) exchange_poses(scene, poses);
}

/* A box, grown by half of the clearance, begins in its cell, and ends in it or in the next one; cells of a level are
 * disjoint. */
static void check_cells(const graze_scene *scene, const graze_structure *structure, double clearance) {
  for (size_t i = 0; i < structure->count; i++) {
    const graze_structure_node *node = &structure->nodes[i];
    for (size_t k = 0; k < node->member_count; k++) {
      const box inner = box_of(scene, &structure->members[node->first_member + k]);
      for (int axis = 0; axis < 3; axis++) {
        const double side = node->cell_max[axis] - node->cell_min[axis], lower = inner.min[axis] - 0.5 * clearance;
        assert_true(node->cell_min[axis] <= lower + side * 0.0001);
        assert_true(inner.max[axis] <= node->cell_max[axis] + side * 1.0001);
        assert_true(lower <= node->cell_max[axis] + side * 0.0001);
      }
    }
    assert_int_equal(node->child_count, 0);
    if (i == 0) continue;
    const graze_structure_node *before = node - 1;
    assert_true(node->level <= before->level);
    const double sides = (before->cell_max[0] - before->cell_min[0]) / (node->cell_max[0] - node->cell_min[0]);
    assert_true(fabs(sides / ldexp(1.0, (int)before->level - (int)node->level) - 1.0) < 1e-6);
    assert_true(node->level < before->level || memcmp(node->cell_min, before->cell_min, sizeof node->cell_min) != 0);
  }
}

/* Children lie within their parents and share its members among them. */
static void check_trees(const graze_structure *structure) {
  size_t roots = 0, children = 0;
  for (size_t i = 0; i < structure->count; i++) {
    const graze_structure_node *node = &structure->nodes[i];
    const bool is_root = i == 0 || node->object != node[-1].object;
    roots += is_root;
    assert_int_equal(node->child_count == 0, node->level == 0);
    assert_true(node->child_count <= 4);
    if (node->level == 0) assert_int_equal(node->member_count, 1);
    size_t next = node->first_member;
    for (size_t k = 0; k < node->child_count; k++) {
      const graze_structure_node *child = &structure->nodes[node->first_child + k];
      assert_true(child->level + 1 == node->level && child->object == node->object);
      assert_int_equal(child->first_member, next);
      next += child->member_count;
      assert_within(child->min, child->max, node->min, node->max);
      children++;
    }
    if (node->level > 0) assert_int_equal(next, node->first_member + node->member_count);
  }
  assert_int_equal(roots + children, structure->count);
}

static int by_number(const void *a, const void *b) {
  const graze_structure_member *p = a, *q = b;
  if (p->object != q->object) return p->object < q->object ? -1 : 1;
  return p->primitive < q->primitive ? -1 : p->primitive > q->primitive;
}

/* How many different primitives are members; each once, unless it may be in several clusters. */
static size_t count_members(const graze_structure *structure) {
  const size_t count = structure->member_count;
  OWNED_MEMORY graze_structure_member *sorted = malloc((count + 1) * sizeof *sorted);
  assert_non_null(sorted);
  if (count > 0) memcpy(sorted, structure->members, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, by_number);
  size_t different = 0;
  for (size_t i = 0; i < count; i++) different += i == 0 || by_number(&sorted[i - 1], &sorted[i]) != 0;
  if (strcmp(structure->method, "clusters") != 0) assert_int_equal(different, count);
  return different;
}

static void check_counts(const graze_scene *scene, const graze_query *query, const graze_structure *structure) {
  OWNED(graze_pairs) pairs = find_pairs(scene, query);
  uint64_t levels = 0, nodes = 0;
  for (size_t level = 0; level < structure->level_count; level++) {
    uint64_t of_level = 0;
    for (size_t i = 0; i < structure->count; i++) of_level += structure->nodes[i].level == level;
    assert_int_equal(of_level, structure->level_counts[level]);
    nodes += of_level;
    levels += of_level > 0;
  }
  assert_int_equal(nodes, structure->count);
  if (structure->level_count > 0) assert_true(structure->level_counts[structure->level_count - 1] > 0);
  if (strcmp(structure->method, "grid") == 0) {
    assert_int_equal(pairs.counters->levels, levels);
    assert_int_equal(pairs.counters->searched, structure->member_count);
    assert_int_equal(structure->counters->searched, structure->member_count);
  }
  if (strcmp(structure->method, "clusters") == 0) {
    assert_int_equal(pairs.counters->clusters, structure->counters->clusters);
    assert_int_equal(pairs.counters->searched, count_members(structure));
    assert_true(structure->level_count == 0 || structure->level_counts[0] <= pairs.counters->clusters);
    uint64_t in_clusters = 0;
    for (size_t i = 0; i < structure->count; i++)
      if (structure->nodes[i].level == 0) in_clusters += structure->nodes[i].member_count;
    assert_int_equal(structure->counters->members, in_clusters);
  }
}

static void check(graze_scene *scene, const graze_query *query, size_t wanted_members, double slack) {
  OWNED(graze_structure) structure = inspect(scene, query);
  const char *method = graze_scene_method(scene, NULL);
  assert_string_equal(structure.method, method);
  check_counts(scene, query, &structure);
  assert_int_equal(count_members(&structure), wanted_members);
  check_members(scene, &structure, slack);
  if (strcmp(method, "grid") == 0) check_cells(scene, &structure, query != NULL ? query->clearance : 0.0);
  if (strcmp(method, "tree") == 0) check_trees(&structure);
}

/* ---------------------------------------------------------------------------------------------- tests */

TEST(test_each_kind_and_method) {
  for (size_t method = 0; method < METHODS; method++)
    for (int kind = GRAZE_KIND_TRIANGLE; kind <= GRAZE_KIND_SPHERE; kind++) {
      OWNED_SCENE *scene = new_scene(methods[method]);
      add_kind(scene, (graze_kind)kind, 1);
      const graze_object posed = add_kind(scene, (graze_kind)kind, 2);
      assert_ok(graze_object_set_pose(scene, posed, &tilted));
      update(scene);
      graze_counters counters = {0};
      assert_ok(graze_scene_get_counters(scene, &counters));
      check(scene, NULL, counters.primitives, 1e-4);
    }
}

TEST(test_all_kinds_together) {
  for (size_t method = 0; method < METHODS; method++) {
    OWNED_SCENE *scene = new_scene(methods[method]);
    size_t count = 0;
    for (int kind = GRAZE_KIND_TRIANGLE; kind <= GRAZE_KIND_SPHERE; kind++) {
      graze_object_info info = {0};
      const graze_object object = add_kind(scene, (graze_kind)kind, (uint64_t)kind);
      assert_ok(graze_object_get_info(scene, object, &info));
      count += info.primitive_count;
    }
    update(scene);
    check(scene, NULL, count, 1e-4);
    graze_query query = graze_query_default();
    query.clearance = 0.25;
    check(scene, &query, count, 0.0);
  }
}

/* Erased primitives are no members, one that is larger than all others is; numbers are those of pairs. */
TEST(test_edited_objects) {
  for (size_t method = 0; method < METHODS; method++) {
    OWNED_SCENE *scene = new_scene(methods[method]);
    const graze_object removed = add_kind(scene, GRAZE_KIND_TRIANGLE, 1);
    const graze_object erased = add_kind(scene, GRAZE_KIND_TETRAHEDRON, 2);
    const double large[9] = {-50, 0, 0, 50, 0, 0, 0, 60, 5};
    const uint32_t corners[3] = {0, 1, 2}, gone[3] = {0, 17, CELLS - 1};
    graze_mesh_def def = graze_mesh_def_default();
    graze_object_def placed = graze_object_def_default();
    def.positions = double_view(large, 3);
    def.triangles = index_view(corners, 1);
    placed.global_numbers = true;
    placed.global_object = 77;
    placed.global_primitive = 1000;
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL));
    assert_ok(graze_scene_remove_object(scene, removed));
    assert_ok(graze_object_remove_primitives(scene, erased, gone, 3));
    update(scene);
    check(scene, NULL, CELLS - 3 + 1, 1e-3);
    OWNED(graze_structure) structure = inspect(scene, NULL);
    size_t large_ones = 0;
    for (size_t i = 0; i < structure.member_count; i++) {
      const graze_structure_member *member = &structure.members[i];
      large_ones += member->object == 77 && member->primitive == 1000;
      assert_true(member->object == 77 || (member->object == 1 && member->primitive != 17));
    }
    assert_true(large_ones > 0);
    if (strcmp(methods[method], "clusters") == 0) assert_int_equal(structure.level_counts[1], 1);
  }
}

/* Objects whose primitives have numbers in an order of their own. */
TEST(test_numbered_primitives) {
  const uint32_t reversed[3] = {9, 5, 1};
  for (size_t method = 0; method < METHODS; method++) {
    OWNED_SCENE *scene = new_scene(methods[method]);
    graze_mesh_def def = crossing_def();
    graze_object_def placed = graze_object_def_default();
    placed.global_numbers = true;
    placed.global_object = 4;
    placed.global_primitives = (graze_view){reversed, 3, 0, GRAZE_FORMAT_UINT32};
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL));
    update(scene);
    check(scene, NULL, 3, 1e-3);
  }
}

TEST(test_shared_shapes) {
  const graze_mesh_def crossing = crossing_def();
  graze_shape_def def = graze_shape_def_default();
  def.mesh = &crossing;
  graze_shape *shape;
  assert_ok(graze_shape_create(&def, &shape));
  for (size_t method = 0; method < METHODS; method++) {
    OWNED_SCENE *scene = new_scene(methods[method]);
    for (int i = 0; i < 5; i++) {
      graze_object_def placed = graze_object_def_default();
      graze_pose pose = tilted;
      pose.translation[0] = i;
      placed.pose = &pose;
      assert_ok(graze_scene_add_shape(scene, shape, &placed, NULL));
    }
    update(scene);
    check(scene, NULL, 15, 1e-3);
  }
  graze_shape_destroy(shape);
}

/* Coordinates bent by segments are taken back. */
TEST(test_badly_spread_scenes) {
  OWNED_BY(soup_free) soup s = soup_make(900, 3);
  soup_add_cube(&s, 400, 0, 0, 0, 1, 0.05);
  soup_add_cube(&s, 400, 1e9, 0.25, -1e9, 1, 0.05);
  soup_add_cube(&s, 96, 1e100, 0, 0, 1e90, 0.05);
  soup_add(&s, 1.7e308, -1.7e308, 1.7e308, 1);
  soup_add(&s, 0.5, 0.5, 0.5, 1e9);
  soup_add(&s, -1, -1, -1, 1e-300);
  for (size_t method = 0; method < METHODS; method++) {
    OWNED_SCENE *scene = new_scene(methods[method]);
    runner_add(scene, &s.mesh, false, NULL);
    update(scene);
    OWNED(graze_structure) structure = inspect(scene, NULL);
    assert_int_equal(count_members(&structure), s.mesh.triangle_count);
    check_members(scene, &structure, 0.0);
    check_counts(scene, NULL, &structure);
  }
}

/* A query about one box searches less, and its grid has less. */
TEST(test_structures_of_narrow_queries) {
  for (size_t method = 0; method < METHODS; method++) {
    OWNED_SCENE *scene = new_scene(methods[method]);
    add_kind(scene, GRAZE_KIND_TETRAHEDRON, 1);
    update(scene);
    graze_query query = graze_query_default();
    query.in_box = true;
    for (int axis = 0; axis < 3; axis++) {
      query.box_min[axis] = 2.0;
      query.box_max[axis] = 5.0;
    }
    OWNED(graze_structure) structure = inspect(scene, &query);
    check_members(scene, &structure, 0.0);
    check_counts(scene, &query, &structure);
    const bool keeps_all = strcmp(methods[method], "tree") == 0;
    assert_int_equal(structure.member_count == CELLS, keeps_all);
    size_t wanted = 0;
    for (uint32_t i = 0; i < CELLS; i++) {
      const box inner = box_of(scene, &(graze_structure_member){0, i});
      bool meets = true;
      for (int axis = 0; axis < 3; axis++) meets = meets && inner.min[axis] <= 5.0 && inner.max[axis] >= 2.0;
      wanted += meets;
    }
    assert_true(wanted > 0);
    if (!keeps_all) assert_int_equal(count_members(&structure), wanted);
  }
}

/* Levels that are left out change nothing of the others but their places. */
TEST(test_options) {
  for (size_t method = 0; method < METHODS; method++) {
    OWNED_SCENE *scene = new_scene(methods[method]);
    add_kind(scene, GRAZE_KIND_TRIANGLE, 1);
    update(scene);
    OWNED(graze_structure) all = inspect(scene, NULL), some = {0};
    size_t seen = 0;
    for (uint32_t level = 0; level < all.level_count; level++) {
      graze_inspect_options options = graze_inspect_options_default();
      options.lowest_level = options.highest_level = level;
      options.members = level % 2 == 0;
      assert_ok(graze_scene_inspect(scene, NULL, &options, &some));
      assert_int_equal(some.count, all.level_counts[level]);
      assert_int_equal(some.level_count, all.level_count);
      assert_memory_equal(some.level_counts, all.level_counts, all.level_count * sizeof *all.level_counts);
      assert_int_equal(some.members != NULL, options.members);
      if (!options.members) assert_int_equal(some.member_count, 0);
      for (size_t i = 0, k = 0; i < all.count; i++) {
        if (all.nodes[i].level != level) continue;
        const graze_structure_node *wanted = &all.nodes[i], *found = &some.nodes[k++];
        assert_memory_equal(found->min, wanted->min, sizeof found->min);
        assert_memory_equal(found->cell_max, wanted->cell_max, sizeof found->cell_max);
        assert_int_equal(found->member_count, wanted->member_count);
        assert_int_equal(found->child_count, 0);
        if (options.members)
          assert_memory_equal(&some.members[found->first_member], &all.members[wanted->first_member],
                              found->member_count * sizeof *some.members);
        seen++;
      }
    }
    assert_int_equal(seen, all.count);
  }
}

/* The structure is the same for any number of workers. */
TEST(test_workers_change_nothing) {
  for (size_t method = 0; method < METHODS; method++) {
    graze_structure structures[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
      graze_scene_def def = graze_scene_def_default();
      def.worker_count = i == 0 ? 1 : 5;
      OWNED_SCENE *scene = create_scene(&def);
      graze_method_def chosen = graze_method_def_default();
      chosen.name = methods[method];
      assert_ok(graze_scene_set_method(scene, &chosen));
      add_kind(scene, GRAZE_KIND_TRIANGLE, 1);
      update(scene);
      structures[i] = inspect(scene, NULL);
    }
    assert_int_equal(structures[0].count, structures[1].count);
    assert_memory_equal(structures[0].nodes, structures[1].nodes, structures[0].count * sizeof *structures[0].nodes);
    assert_memory_equal(structures[0].members, structures[1].members,
                        structures[0].member_count * sizeof *structures[0].members);
    graze_structure_free(&structures[0]);
    graze_structure_free(&structures[1]);
  }
}

TEST(test_scenes_without_structure) {
  for (size_t method = 0; method < METHODS; method++) {
    OWNED_SCENE *scene = new_scene(methods[method]);
    update(scene);
    check(scene, NULL, 0, 0.0);
  }
  OWNED_SCENE *scene = new_scene("brute");
  add_kind(scene, GRAZE_KIND_TRIANGLE, 1);
  update(scene);
  OWNED(graze_structure) structure = inspect(scene, NULL);
  assert_string_equal(structure.method, "brute");
  assert_int_equal(structure.count, 0);
  assert_int_equal(structure.level_count, 0);
}

static bool stop(void *context) {
  (void)context;
  return true;
}

TEST(test_refusals) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  graze_structure structure = inspect(scene, NULL);
  graze_inspect_options options = graze_inspect_options_default();
  options.lowest_level = 3;
  options.highest_level = 2;
  assert_refused(graze_scene_inspect(scene, NULL, &options, &structure), GRAZE_INVALID_ARGUMENT,
                 "the lowest level is 3, above the highest, 2");
  assert_true(structure.nodes == NULL && structure.method == NULL && structure.count == 0 && structure.timings == NULL);
  assert_int_equal(graze_scene_inspect(scene, &(graze_query){0}, NULL, &structure), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_inspect(NULL, NULL, NULL, &structure), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_inspect(scene, NULL, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  for (size_t method = 0; method < METHODS; method++) {
    graze_method_def chosen = graze_method_def_default();
    chosen.name = methods[method];
    assert_ok(graze_scene_set_method(scene, &chosen));
    graze_query query = graze_query_default();
    query.should_stop = stop;
    assert_int_equal(graze_scene_inspect(scene, &query, NULL, &structure), GRAZE_STOPPED);
    assert_true(structure.nodes == NULL && structure.count == 0);
    assert_ok(graze_scene_inspect(scene, NULL, NULL, &structure));
  }
  const graze_pose identity = graze_pose_identity();
  assert_ok(graze_object_set_pose(scene, object, &tilted));
  assert_int_equal(graze_scene_inspect(scene, NULL, NULL, &structure), GRAZE_NOT_UPDATED);
  assert_ok(graze_object_set_pose(scene, object, &identity));
  graze_structure_free(&structure);
  graze_structure_free(NULL);
}
