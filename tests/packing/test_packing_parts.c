/* Tests the parts of the packer: nearest obstacles against a loop over all, windings at known points, exact volumes
 * against GMP, prototypes where the largest sphere is known. */
#include "packing/closed_mesh.h"
#include "packing/obstacle_tree.h"
#include "packing/obstacle_tree_build.h"
#include "packing/packer.h"
#include "packing/prototype.h"
#include "small_bodies.h"
#include "testing.h"

#include <gmp.h>
#include <string.h>

enum { SOUP = 500, POINTS = 400 };

static double random_in(uint64_t *state, double least, double greatest) {
  return least + (greatest - least) * scrambled_fraction(7, (*state)++);
}

/* Triangles of all shapes, among them points, needles and repeated ones; spheres of all sizes. */
static void fill_items(double *items, uint32_t numbers, uint64_t *state) {
  for (size_t i = 0; i < SOUP; i++) {
    double *item = items + i * numbers;
    for (uint32_t k = 0; k < numbers; k++) item[k] = random_in(state, -1.0, 1.0);
    if (numbers == OBSTACLE_SPHERE_NUMBERS) item[3] = 0.1 * fabs(item[3]);
    if (numbers != OBSTACLE_TRIANGLE_NUMBERS) continue;
    if (i % 5 == 1) memcpy(item + 3, item, 3 * sizeof *item);
    if (i % 7 == 2) memcpy(item, item - 9, 9 * sizeof *item);
    for (int k = 3; k < 9 && i % 3 == 0; k++) item[k] = item[k % 3] + 0.05 * item[k];
  }
}

static double brute_distance(const double *items, uint32_t numbers, vector3 point) {
  double least = HUGE_VAL;
  for (size_t i = 0; i < SOUP; i++) {
    const double *item = items + i * numbers;
    const bool is_sphere = numbers == OBSTACLE_SPHERE_NUMBERS;
    const vector3 from = is_sphere ? vector3_load(item) : triangle_nearest_carefully(item, point);
    const double distance = vector3_length(vector3_subtract(point, from)) - (is_sphere ? item[3] : 0.0);
    if (distance < least) least = distance;
  }
  return least;
}

TEST(nearest_is_that_of_a_loop) {
  static double items[SOUP * OBSTACLE_TRIANGLE_NUMBERS];
  static const uint32_t kinds[] = {OBSTACLE_TRIANGLE_NUMBERS, OBSTACLE_SPHERE_NUMBERS};
  uint64_t random = 0;
  memory heap;
  memory_init(&heap, NULL);
  for (int kind = 0; kind < 2; kind++) {
    obstacle_tree_memory room;
    obstacle_tree tree;
    obstacle_tree_memory_init(&room);
    fill_items(items, kinds[kind], &random);
    assert_true(obstacle_tree_build(&room, &heap, NULL, items, SOUP, kinds[kind], &tree));
    for (int i = 0; i < POINTS; i++) {
      const vector3 point =
          vector3_make(random_in(&random, -1.2, 1.2), random_in(&random, -1.2, 1.2), random_in(&random, -1.2, 1.2));
      near_list near;
      near_list_begin(&near, 1.0, 1e-6);
      near.careful = true;
      obstacle_tree_search(&tree, point, &near);
      assert_true(near.count > 0);
      const double known = brute_distance(items, kinds[kind], point);
      if (known > 0.0) assert_true(near.distance[0] == known);
      if (known <= 0.0) assert_true(near.distance[0] <= 0.0);
    }
    obstacle_tree_memory_release(&room, &heap);
  }
  assert_int_equal(heap.bytes_now, 0);
}

/* Level by level in parallel, the tree is the one that a single thread builds. */
TEST(tree_is_the_same_for_all_workers) {
  enum { ITEMS = 20000 };
  static double items[ITEMS * OBSTACLE_SPHERE_NUMBERS];
  for (uint64_t i = 0; i < ITEMS * OBSTACLE_SPHERE_NUMBERS; i++) items[i] = floor(64.0 * scrambled_fraction(9, i));
  memory heap;
  memory_init(&heap, NULL);
  obstacle_tree_memory alone_room, room;
  obstacle_tree alone, tree;
  obstacle_tree_memory_init(&alone_room);
  obstacle_tree_memory_init(&room);
  assert_true(obstacle_tree_build(&alone_room, &heap, NULL, items, ITEMS, OBSTACLE_SPHERE_NUMBERS, &alone));
  for (uint32_t count = 1; count <= 4; count++) {
    workers *team;
    graze_workers_def def = {.struct_bytes = sizeof def, .worker_count = count};
    assert_ok(workers_create(&heap, &def, &team));
    assert_true(obstacle_tree_build(&room, &heap, team, items, ITEMS, OBSTACLE_SPHERE_NUMBERS, &tree));
    workers_destroy(&heap, team);
    assert_int_equal(tree.leaf_count, alone.leaf_count);
    assert_memory_equal(tree.items, alone.items, sizeof items);
    assert_memory_equal(tree.boxes + 6, alone.boxes + 6, 6 * (2 * (size_t)tree.leaf_count - 1) * sizeof *tree.boxes);
  }
  obstacle_tree_memory_release(&room, &heap);
  obstacle_tree_memory_release(&alone_room, &heap);
  assert_int_equal(heap.bytes_now, 0);
}

/* The quick nearest point is as near as the careful one, but for roundings. */
TEST(quick_is_as_near_as_careful) {
  static double items[SOUP * OBSTACLE_TRIANGLE_NUMBERS];
  uint64_t random = 100;
  fill_items(items, OBSTACLE_TRIANGLE_NUMBERS, &random);
  for (int i = 0; i < SOUP; i++) {
    const double *triangle = items + 9 * i;
    for (int j = 0; j < 20; j++) {
      const vector3 point =
          vector3_make(random_in(&random, -2.0, 2.0), random_in(&random, -2.0, 2.0), random_in(&random, -2.0, 2.0));
      const double quick = vector3_length(vector3_subtract(point, triangle_nearest(triangle, point)));
      const double careful = vector3_length(vector3_subtract(point, triangle_nearest_carefully(triangle, point)));
      assert_true(fabs(quick - careful) < 1e-9);
    }
  }
}

static graze_result read_body(const small_body *body, memory *heap, closed_mesh *mesh) {
  const graze_view positions = small_body_positions(body), triangles = small_body_triangles(body);
  return closed_mesh_read(mesh, heap, &positions, &triangles);
}

/* A box with a cavity; points on lines through its corners, edges and diagonals. */
TEST(windings_are_known) {
  memory heap;
  memory_init(&heap, NULL);
  static small_body body;
  memset(&body, 0, sizeof body);
  small_body_add_box(&body, (double[]){-1, -1, -1}, (double[]){1, 1, 1}, false);
  small_body_add_box(&body, (double[]){-0.5, -0.5, -0.5}, (double[]){0.5, 0.5, 0.5}, true);
  closed_mesh mesh;
  assert_ok(read_body(&body, &heap, &mesh));
  assert_int_equal(mesh.shells, 2);
  assert_true(mesh.volume == 7.0);
  obstacle_tree_memory room;
  obstacle_tree tree;
  obstacle_tree_memory_init(&room);
  assert_true(obstacle_tree_build(&room, &heap, NULL, mesh.corners, (uint32_t)mesh.triangle_count, 9, &tree));
  for (int i = 0; i < 11 * 11 * 11; i++) {
    const double point[3] = {(i % 11) * 0.25 - 1.25, (i / 11 % 11) * 0.25 - 1.25, (i / 121) * 0.25 - 1.25};
    const double reach = vector3_largest_magnitude(vector3_load(point));
    orientation_tally tally = {0};
    if (reach == 1.0 || reach == 0.5) continue; /* on the surface */
    assert_int_equal(mesh_winding(&tree, point, &tally), reach < 1.0 && reach > 0.5 ? 1 : 0);
  }
  obstacle_tree_memory_release(&room, &heap);
  closed_mesh_release(&mesh, &heap);
  assert_int_equal(heap.bytes_now, 0);
}

/* A ceiling of eight triangles with edges along both axes and both diagonals: a line through any of them, or through a
 * corner, leaves by one triangle. */
TEST(lines_through_edges_count_once) {
  static const double rim[9][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}};
  for (int i = 0; i < 15 * 15; i++) {
    const double point[3] = {(i % 15) * 0.125 - 0.875, (i / 15) * 0.125 - 0.875, 0.0};
    int winding = 0;
    for (int t = 0; t < 8; t++) {
      const double corners[9] = {0, 0, 1, rim[t][0], rim[t][1], 1, rim[t + 1][0], rim[t + 1][1], 1};
      orientation_tally tally = {0};
      winding += triangle_winding(corners, point, &tally);
    }
    assert_int_equal(winding, 1);
  }
}

/* The sum of determinants in rational arithmetic, rounded once. */
static double rational_volume_of(const double *corners, size_t count) {
  mpq_t sum, product, factor;
  mpq_inits(sum, product, factor, NULL);
  for (size_t i = 0; i < 6 * count; i++) {
    const double *triangle = corners + 9 * (i / 6);
    const size_t term = i % 6, x = term % 3, y = (x + (term < 3 ? 1 : 2)) % 3, z = (x + (term < 3 ? 2 : 1)) % 3;
    mpq_set_d(product, triangle[x]);
    mpq_set_d(factor, triangle[3 + y]);
    mpq_mul(product, product, factor);
    mpq_set_d(factor, triangle[6 + z]);
    mpq_mul(product, product, factor);
    if (term < 3)
      mpq_add(sum, sum, product);
    else
      mpq_sub(sum, sum, product);
  }
  mpq_set_d(factor, 6.0);
  mpq_div(sum, sum, factor);
  const double rounded = mpq_get_d(sum);
  mpq_clears(sum, product, factor, NULL);
  return rounded;
}

TEST(volume_is_exact) {
  static double items[SOUP * OBSTACLE_TRIANGLE_NUMBERS];
  uint64_t random = 1000;
  fill_items(items, OBSTACLE_TRIANGLE_NUMBERS, &random);
  for (size_t i = 0; i < SOUP * 9; i += 11) items[i] *= 0x1p-60;
  for (size_t count = 1; count <= SOUP; count += 83) {
    const double known = rational_volume_of(items, count);
    assert_true(fabs(mesh_volume(items, count) - known) <= 0x1p-50 * fabs(known));
  }
}

/* The largest ball in a tetrahedron, from many places. */
TEST(prototypes_find_the_largest_ball) {
  memory heap;
  memory_init(&heap, NULL);
  static small_body body;
  memset(&body, 0, sizeof body);
  small_body_add_tetrahedron(&body);
  closed_mesh mesh;
  assert_ok(read_body(&body, &heap, &mesh));
  assert_true(fabs(mesh.volume - 10.0 / 64.0) < 1e-15); /* scaled by 1/4 */
  packing_space space;
  memset(&space, 0, sizeof space);
  obstacle_tree_memory room;
  obstacle_tree_memory_init(&room);
  assert_true(obstacle_tree_build(&room, &heap, NULL, mesh.corners, (uint32_t)mesh.triangle_count, 9, &space.mesh));
  const double surface = 6.0 + 7.5 + 10.0 + 0.5 * sqrt(20.0 * 20.0 + 15.0 * 15.0 + 12.0 * 12.0);
  const double known = 3.0 * 10.0 / surface / 4.0;
  uint64_t random = 5;
  for (int i = 0; i < 200; i++) {
    orientation_tally tally = {0};
    prototype found;
    for (int k = 0; k < 3; k++) found.center[k] = random_in(&random, 0.0, 1.25);
    if (mesh_winding(&space.mesh, found.center, &tally) <= 0) continue;
    prototype_ascend(&space, &found);
    assert_true(fabs(found.radius - known) < 1e-6 * known);
    for (int k = 0; k < 3; k++) assert_true(fabs(found.center[k] - known) < 1e-5);
  }
  obstacle_tree_memory_release(&room, &heap);
  closed_mesh_release(&mesh, &heap);
  assert_int_equal(heap.bytes_now, 0);
}

TEST(heap_gives_the_largest_first) {
  memory heap;
  memory_init(&heap, NULL);
  pore_heap pores;
  static pore sorted[200];
  pore_heap_init(&pores);
  for (uint64_t i = 0; i < 200; i++) {
    sorted[i] = (pore){.sphere.radius = floor(20.0 * scrambled_fraction(3, i)), .number = i};
    assert_true(pore_heap_add(&pores, &heap, &sorted[i]));
  }
  pores_sort(sorted, 200);
  for (size_t i = 0; i < 200; i++) {
    if (i > 0) assert_true(pore_comes_before(&sorted[i - 1], &sorted[i]));
    assert_int_equal(pore_heap_top(&pores)->number, sorted[i].number);
    pore_heap_drop_top(&pores);
  }
  assert_null(pore_heap_top(&pores));
  pore_heap_release(&pores, &heap);
  assert_int_equal(heap.bytes_now, 0);
}
