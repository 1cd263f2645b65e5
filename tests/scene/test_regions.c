/* Tests regions and curves of thousands of small scenes on an integer grid, where touching, coplanar, duplicate and
 * shared parts are frequent, against the reference of region_oracle.h: the grouping of pairs, the class of each, and
 * every piece of every curve by the names of its ends. */
#include "base/number_sequence.h"
#include "region_oracle.h"
#include "scene_calls.h"
#include "test_effort.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef TEST_IS_SANITIZED
enum { SCENES = 300 };
#else
enum { SCENES = 3000 };
#endif

/* ---------------------------------------------------------------------------------------------- scenes */

static uint32_t add_vertex(oracle_mesh *mesh, int x, int y, int z) {
  assert_true(mesh->vertex_count < ORACLE_VERTICES);
  int *vertex = mesh->vertex[mesh->vertex_count];
  vertex[0] = x;
  vertex[1] = y;
  vertex[2] = z;
  return (uint32_t)mesh->vertex_count++;
}

static bool is_degenerate(const oracle_mesh *mesh, const uint32_t *corner) {
  const int *a = mesh->vertex[corner[0]], *b = mesh->vertex[corner[1]], *c = mesh->vertex[corner[2]];
  for (int x = 0; x < 3; x++) {
    const int y = (x + 1) % 3;
    if ((b[x] - a[x]) * (c[y] - a[y]) != (b[y] - a[y]) * (c[x] - a[x])) return false;
  }
  return true;
}

/* Random triangles over few vertices of a small grid, of which some lie at one place. */
static void make_soup(oracle_mesh *mesh, uint64_t *random, bool degenerate) {
  const uint64_t size = 2 + sequence_below(random, 3), vertices = 5 + sequence_below(random, 8);
  *mesh = (oracle_mesh){0};
  for (uint64_t i = 0; i < vertices; i++)
    add_vertex(mesh, (int)sequence_below(random, size), (int)sequence_below(random, size),
               (int)sequence_below(random, size));
  const uint64_t triangles = 4 + sequence_below(random, 10);
  for (uint64_t i = 0; i < 20 * triangles && mesh->triangle_count < triangles; i++) {
    uint32_t *corner = mesh->triangle[mesh->triangle_count];
    for (int j = 0; j < 3; j++) corner[j] = (uint32_t)sequence_below(random, vertices);
    if (degenerate || !is_degenerate(mesh, corner)) mesh->triangle_count++;
  }
}

/* A box of twelve triangles on the grid; a soup has corners of its own for each triangle. */
static void make_box(oracle_mesh *mesh, uint64_t *random) {
  int low[3], high[3];
  const bool soup = sequence_below(random, 3) == 0;
  *mesh = (oracle_mesh){0};
  for (int i = 0; i < 3; i++) {
    low[i] = (int)sequence_below(random, 3);
    high[i] = low[i] + 1 + (int)sequence_below(random, 2);
  }
  for (int i = 0; i < 8 && !soup; i++)
    add_vertex(mesh, i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]);
  for (int axis = 0; axis < 3; axis++)
    for (int side = 0; side < 2; side++) {
      const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
      const int ring[4] = {base, base | u, base | u | v, base | v};
      const int turn = (int)sequence_below(random, 2);
      for (int half = 0; half < 2; half++) {
        uint32_t *corner = mesh->triangle[mesh->triangle_count++];
        for (int i = 0; i < 3; i++) {
          const int n = ring[(turn + 2 * half + i) % 4];
          corner[i] =
              soup ? add_vertex(mesh, n & 1 ? high[0] : low[0], n & 2 ? high[1] : low[1], n & 4 ? high[2] : low[2])
                   : (uint32_t)n;
        }
      }
    }
}

static graze_scene *make_scene(const oracle_mesh *meshes, size_t mesh_count, uint32_t workers) {
  graze_scene_def scene_def = graze_scene_def_default();
  scene_def.worker_count = workers;
  graze_scene *scene = create_scene(&scene_def);
  for (size_t i = 0; i < mesh_count; i++) {
    double positions[ORACLE_VERTICES][3];
    for (size_t j = 0; j < 3 * meshes[i].vertex_count; j++) positions[j / 3][j % 3] = meshes[i].vertex[j / 3][j % 3];
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = (graze_view){positions, meshes[i].vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    def.triangles = (graze_view){meshes[i].triangle, meshes[i].triangle_count, 0, GRAZE_FORMAT_UINT32_3};
    graze_object object;
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  }
  assert_ok(graze_scene_update(scene));
  return scene;
}

/* ---------------------------------------------------------------------------------------------- regions */

static size_t place_of(const graze_pairs *pairs, const graze_pair *pair) {
  for (size_t i = 0; i < pairs->count; i++)
    if (memcmp(&pairs->pairs[i], pair, sizeof *pair) == 0) return i;
  fail_msg("a region has a pair that is none");
  return 0;
}

/* Every pair once, in the region that the reference has it in, with its class; regions in order. */
static void check_regions(const oracle_mesh *meshes, const graze_pairs *pairs, const graze_regions *regions) {
  static uint32_t first_of[ORACLE_PAIRS];
  assert_true(pairs->count < ORACLE_PAIRS);
  oracle_regions(meshes, pairs->pairs, pairs->count, first_of);
  size_t wanted = 0, seen = 0;
  for (size_t i = 0; i < pairs->count; i++) wanted += first_of[i] == i;
  assert_int_equal(regions->count, wanted);
  assert_int_equal(regions->pair_count, pairs->count);
  assert_true(regions->hash == pairs->hash);
  for (size_t i = 0; i < regions->count; i++) {
    const graze_region *region = &regions->regions[i];
    const graze_pair *own = regions->pairs + region->first_pair;
    const uint32_t first = first_of[place_of(pairs, &own[0])];
    size_t counts[GRAZE_CLASH_KINDS] = {0};
    graze_clash strongest = GRAZE_CLASH_TOUCHING;
    assert_int_equal(region->first_pair, seen);
    for (size_t j = 0; j < i; j++) assert_true(regions->regions[j].id != region->id);
    for (size_t j = 0; j < region->pair_count; j++, seen++) {
      const size_t place = place_of(pairs, &own[j]);
      assert_int_equal(first_of[place], first);
      if (j > 0) assert_true(place > place_of(pairs, &own[j - 1]));
      assert_int_equal(own[j].object_a, region->object_a);
      assert_int_equal(own[j].object_b, region->object_b);
      const graze_clash clash = oracle_clash(meshes, &own[j]);
      if ((graze_clash)regions->clashes[seen] != clash)
        fail_msg("triangles %u and %u of objects %u and %u: class %d instead of %d", own[j].primitive_a,
                 own[j].primitive_b, own[j].object_a, own[j].object_b, regions->clashes[seen], clash);
      counts[clash] += 1;
      strongest = clash > strongest ? clash : strongest;
    }
    assert_memory_equal(counts, region->clash_counts, sizeof counts);
    assert_int_equal(region->clash, strongest);
    if (i == 0) continue;
    const graze_region *last = &regions->regions[i - 1];
    assert_true(last->object_a < region->object_a ||
                (last->object_a == region->object_a && last->object_b <= region->object_b));
    if (last->object_a == region->object_a && last->object_b == region->object_b)
      assert_true(place_of(pairs, &regions->pairs[last->first_pair]) < place_of(pairs, &own[0]));
  }
  assert_int_equal(seen, pairs->count);
}

/* ---------------------------------------------------------------------------------------------- curves */

static oracle_edges wanted_lines, wanted_boundaries, found_lines, found_boundaries;

static void take_edge(const graze_region *region, const graze_curve_vertex *p, const graze_curve_vertex *q,
                      oracle_edges *edges) {
  assert_true(edges->count < ORACLE_EDGES);
  oracle_edge *edge = &edges->edges[edges->count++];
  const oracle_node from = {p->face_a, p->face_b}, to = {q->face_a, q->face_b};
  const int turned = oracle_compare_nodes(&to, &from) < 0;
  edge->objects[0] = region->object_a;
  edge->objects[1] = region->object_b;
  edge->end[turned] = from;
  edge->end[!turned] = to;
  memcpy(edge->position[turned], p->position, sizeof edge->position[0]);
  memcpy(edge->position[!turned], q->position, sizeof edge->position[0]);
}

static void print_edge(const oracle_edge *edge) {
  for (int i = 0; i < 2; i++)
    print_error("objects %u, %u: faces (%d %u %u), (%d %u %u) at %g %g %g\n", edge->objects[0], edge->objects[1],
                (int)edge->end[i].a.kind, edge->end[i].a.first, edge->end[i].a.second, (int)edge->end[i].b.kind,
                edge->end[i].b.first, edge->end[i].b.second, edge->position[i][0], edge->position[i][1],
                edge->position[i][2]);
}

static void compare_edges(const oracle_edges *wanted, oracle_edges *found, const char *what) {
  qsort(found->edges, found->count, sizeof found->edges[0], oracle_compare_edges);
  if (wanted->count != found->count) fail_msg("%zu %s instead of %zu", found->count, what, wanted->count);
  for (size_t i = 0; i < wanted->count; i++) {
    if (oracle_compare_edges(&wanted->edges[i], &found->edges[i]) != 0) {
      print_edge(&wanted->edges[i]);
      print_edge(&found->edges[i]);
      fail_msg("other %s: the first of these in place of the second", what);
    }
    for (int j = 0; j < 6; j++) {
      const double difference = wanted->edges[i].position[j / 3][j % 3] - found->edges[i].position[j / 3][j % 3];
      assert_true(fabs(difference) <= 0x1p-48);
    }
  }
}

/* How many pieces of lines end in a point. */
static size_t degree_of(const oracle_edges *edges, const graze_region *region, const graze_curve_vertex *vertex) {
  const oracle_node node = {vertex->face_a, vertex->face_b};
  size_t degree = 0;
  for (size_t i = 0; i < edges->count; i++) {
    if (edges->edges[i].objects[0] != region->object_a || edges->edges[i].objects[1] != region->object_b) continue;
    for (int j = 0; j < 2; j++) degree += oracle_compare_nodes(&edges->edges[i].end[j], &node) == 0;
  }
  return degree;
}

/* A line passes every point where two pieces meet, and ends in every other. */
static void check_line(const graze_regions *regions, const graze_curve *curve, const graze_region *region) {
  for (size_t i = 0; i < curve->vertex_count; i++) {
    const bool at_end = i == 0 || (i + 1 == curve->vertex_count && curve->closed == 0);
    const size_t degree = degree_of(&wanted_lines, region, &regions->vertices[curve->first_vertex + i]);
    if (!at_end) assert_int_equal(degree, 2);
    if (at_end && curve->closed == 0) assert_int_not_equal(degree, 2);
  }
}

static void check_curves(oracle_mesh *meshes, const graze_regions *regions) {
  oracle_curves(meshes, regions->pairs, regions->pair_count, &wanted_lines, &wanted_boundaries);
  found_lines.count = found_boundaries.count = 0;
  size_t next_vertex = 0, next_curve = 0;
  for (size_t i = 0; i < regions->count; i++) {
    assert_int_equal(regions->regions[i].first_curve, next_curve);
    next_curve += regions->regions[i].curve_count;
  }
  assert_int_equal(next_curve, regions->curve_count);
  for (size_t i = 0; i < regions->curve_count; i++) {
    const graze_curve *curve = &regions->curves[i];
    const graze_region *region = &regions->regions[curve->region];
    const graze_curve_vertex *vertices = regions->vertices + curve->first_vertex;
    assert_true(i >= region->first_curve && i < region->first_curve + region->curve_count);
    assert_int_equal(curve->first_vertex, next_vertex);
    next_vertex += curve->vertex_count;
    assert_true(curve->vertex_count >= 2);
    for (size_t j = 0; j + 1 < curve->vertex_count + curve->closed; j++)
      take_edge(region, &vertices[j], &vertices[(j + 1) % curve->vertex_count],
                curve->kind == GRAZE_CURVE_LINE ? &found_lines : &found_boundaries);
    if (curve->kind == GRAZE_CURVE_LINE)
      check_line(regions, curve, region);
    else
      assert_int_equal(curve->closed, 1);
  }
  assert_int_equal(next_vertex, regions->vertex_count);
  compare_edges(&wanted_lines, &found_lines, "pieces of lines");
  compare_edges(&wanted_boundaries, &found_boundaries, "pieces of boundaries");
}

/* ---------------------------------------------------------------------------------------------- tests */

static void check_scene(oracle_mesh *meshes, graze_neighbors neighbors, bool curves, size_t *class_counts) {
  OWNED_SCENE *scene = make_scene(meshes, 2, 1);
  graze_query query = graze_query_default();
  query.neighbors = neighbors;
  OWNED(graze_pairs) pairs = find_pairs(scene, &query);
  OWNED(graze_regions) regions = find_regions(scene, &query, NULL);
  check_regions(meshes, &pairs, &regions);
  if (curves) check_curves(meshes, &regions);
  for (size_t i = 0; i < regions.pair_count; i++) class_counts[regions.clashes[i]] += 1;
  class_counts[GRAZE_CLASH_KINDS] += wanted_boundaries.count;
}

static void every_class_came(const size_t *class_counts) {
  for (int i = 0; i < GRAZE_CLASH_KINDS; i++) assert_true(class_counts[i] > 0);
}

TEST(soups_agree) {
  size_t counts[GRAZE_CLASH_KINDS + 1] = {0};
  for (uint64_t seed = 0; seed < SCENES; seed++) {
    uint64_t random = seed;
    oracle_mesh meshes[2];
    make_soup(&meshes[0], &random, false);
    make_soup(&meshes[1], &random, false);
    check_scene(meshes, seed % 2 == 0 ? GRAZE_NEIGHBORS_SKIP : GRAZE_NEIGHBORS_BEYOND, true, counts);
  }
  every_class_came(counts);
}

TEST(boxes_agree) {
  size_t counts[GRAZE_CLASH_KINDS + 1] = {0};
  for (uint64_t seed = 0; seed < SCENES / 4; seed++) {
    uint64_t random = seed + 1000000;
    oracle_mesh meshes[2];
    make_box(&meshes[0], &random);
    make_box(&meshes[1], &random);
    check_scene(meshes, GRAZE_NEIGHBORS_SKIP, true, counts);
  }
  every_class_came(counts);
  assert_true(counts[GRAZE_CLASH_KINDS] > 100);
}

/* Curves through degenerate triangles are not compared: a point there has several names. */
TEST(degenerate_soups_agree) {
  size_t counts[GRAZE_CLASH_KINDS + 1] = {0};
  for (uint64_t seed = 0; seed < SCENES / 2; seed++) {
    uint64_t random = seed + 2000000;
    oracle_mesh meshes[2];
    make_soup(&meshes[0], &random, true);
    make_soup(&meshes[1], &random, true);
    check_scene(meshes, GRAZE_NEIGHBORS_SKIP, false, counts);
  }
  every_class_came(counts);
}
