/* Tests the parts of the simulator: nearest points, edges, skins; and its guarantees for bodies that are pushed
 * together. */
#include "model_set.h"
#include "scene_calls.h"
#include "simulation/particle_math.h"
#include "simulation/simulation_parts.h"
#include "simulation/surface_edges.h"
#include "simulation/tetrahedra_skin.h"
#include "testing.h"

#include "graze/triangle.h"
#include "models/model.h"
#include "models/seeded_random.h"
#include "test_scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

DESTROY_OWNED(simulation)

static point3 random_point(random_stream *draw) {
  return point3_make(random_between(draw, -1, 1), random_between(draw, -1, 1), random_between(draw, -1, 1));
}

static void put(double *out, point3 p) {
  out[0] = p.x;
  out[1] = p.y;
  out[2] = p.z;
}

/* The library's distance of triangles, given one that is a point or two that are segments. */
static double reference_distance(point3 a0, point3 a1, point3 a2, point3 b0, point3 b1, point3 b2) {
  double a[9], b[9], p[3], q[3];
  put(a, a0);
  put(a + 3, a1);
  put(a + 6, a2);
  put(b, b0);
  put(b + 3, b1);
  put(b + 6, b2);
  return graze_triangles_distance(a, b, p, q);
}

TEST(nearest_points_are_those_of_the_library) {
  random_stream draw = random_stream_make(1, 2);
  for (int i = 0; i < 20000; ++i) {
    const point3 a = random_point(&draw), b = random_point(&draw), c = random_point(&draw), d = random_point(&draw);
    double w[3], s, t;
    nearest_of_triangle(a, b, c, d, w);
    const point3 q = point3_add(point3_add(point3_scale(b, w[0]), point3_scale(c, w[1])), point3_scale(d, w[2]));
    const double one = point3_length(point3_minus(a, q)), other = reference_distance(a, a, a, b, c, d);
    assert_true(fabs(one - other) < 1e-9);
    nearest_of_segments(a, b, c, d, &s, &t);
    const point3 p = point3_add(a, point3_scale(point3_minus(b, a), s)),
                 r = point3_add(c, point3_scale(point3_minus(d, c), t));
    assert_true(fabs(point3_length(point3_minus(p, r)) - reference_distance(a, b, b, c, d, d)) < 1e-9);
  }
}

/* Parallel, overlapping, behind each other, of no length. */
TEST(nearest_points_of_odd_segments) {
  static const double cases[][13] = {
      {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 2, 1, 0, 1}, {0, 0, 0, 1, 0, 0, 3, 0, 0, 2, 0, 0, 1},
      {0, 0, 0, 1, 0, 0, -1, 2, 0, 2, 2, 0, 2},  {0, 0, 0, 0, 0, 0, -1, 1, 0, 1, 1, 0, 1},
      {0, 0, 0, 1, 0, 0, 2, 0, 0, 2, 0, 0, 1},   {1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 3, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    const double *x = cases[i];
    const point3 a = point3_make(x[0], x[1], x[2]), b = point3_make(x[3], x[4], x[5]);
    const point3 c = point3_make(x[6], x[7], x[8]), d = point3_make(x[9], x[10], x[11]);
    double s, t;
    nearest_of_segments(a, b, c, d, &s, &t);
    const point3 p = point3_add(a, point3_scale(point3_minus(b, a), s)),
                 q = point3_add(c, point3_scale(point3_minus(d, c), t));
    assert_true(fabs(point3_length(point3_minus(p, q)) - x[12]) < 1e-12);
  }
}

TEST(edges_of_a_tetrahedron) {
  const uint32_t triangles[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
  surface_edge *edges = NULL;
  size_t count = 0;
  assert_true(surface_edges_make(triangles, 4, &edges, &count));
  assert_int_equal(count, 6);
  for (size_t i = 0; i < count; ++i) {
    assert_true(edges[i].a < edges[i].b);
    assert_true(edges[i].opposite[1] != SURFACE_EDGE_NONE);
    assert_int_equal(edges[i].a + edges[i].b + edges[i].opposite[0] + edges[i].opposite[1], 6);
  }
  free(edges);
  assert_true(surface_edges_make(triangles, 1, &edges, &count));
  assert_int_equal(count, 3);
  for (size_t i = 0; i < count; ++i) assert_true(edges[i].opposite[1] == SURFACE_EDGE_NONE);
  free(edges);
}

static mesh make_model(const char *name, uint64_t primitives) {
  const model_parameters parameters = {primitives, 0};
  OWNED(mesh_set) set = model_set(model_find(name), &parameters);
  const mesh first = set.meshes[0];
  set.meshes[0] = (mesh){0};
  return first;
}

/* The skin of a ball is closed: every edge has two triangles. */
TEST(skins_are_closed) {
  OWNED(mesh) ball = make_model("tet-ball", 500);
  OWNED_MEMORY uint32_t *skin = NULL;
  OWNED_MEMORY surface_edge *edges = NULL;
  size_t count = 0, edge_count = 0;
  assert_true(tetrahedra_skin_make(&ball, &skin, &count));
  assert_true(surface_edges_make(skin, count, &edges, &edge_count));
  assert_int_equal(2 * edge_count, 3 * count);
  for (size_t i = 0; i < edge_count; ++i) assert_true(edges[i].opposite[1] != SURFACE_EDGE_NONE);
}

static void place(mesh *part, double scale, double x, double y, double z) {
  for (size_t i = 0; i < part->vertex_count; ++i) {
    part->positions[3 * i] = scale * part->positions[3 * i] + x;
    part->positions[3 * i + 1] = scale * part->positions[3 * i + 1] + y;
    part->positions[3 * i + 2] = scale * part->positions[3 * i + 2] + z;
  }
}

static size_t pairs_between(const mesh *a, const mesh *b) {
  const mesh *parts[2] = {a, b};
  OWNED_SCENE *scene = NULL;
  OWNED(graze_pairs) pairs = {0};
  assert_ok(graze_scene_create(NULL, &scene));
  for (size_t i = 0; i < 2; ++i) {
    graze_mesh_def def = graze_mesh_def_default();
    graze_object object;
    def.positions = (graze_view){parts[i]->positions, parts[i]->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    def.triangles = (graze_view){parts[i]->triangles, parts[i]->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  }
  assert_ok(graze_scene_update(scene));
  assert_ok(graze_scene_find_pairs(scene, NULL, &pairs));
  const size_t count = pairs.count;
  return count;
}

/* Shot at each other far faster than steps can follow: they are slowed down, turned aside, and never cross. */
TEST(fast_bodies_do_not_pass_through_each_other) {
  OWNED(mesh) left = make_model("sphere", 200), right = make_model("sphere", 200);
  place(&left, 0.5, -1.0, 0.05, 0.0);
  place(&right, 0.5, 1.0, -0.05, 0.0);
  simulation_settings settings = simulation_settings_default();
  settings.gravity = point3_make(0, 0, 0);
  settings.thickness = 0.02;
  OWNED(simulation) *world = simulation_create(&settings);
  assert_non_null(world);
  assert_true(simulation_add_stiff(world, &left, point3_make(50, 0, 0)));
  assert_true(simulation_add_stiff(world, &right, point3_make(-50, 0, 0)));
  for (int frame = 0; frame < 60; ++frame) {
    assert_ok(simulation_advance(world));
    assert_int_equal(pairs_between(&left, &right), 0);
  }
  const simulation_costs costs = simulation_get_costs(world);
  assert_true(costs.steps >= 60 * settings.least_steps && costs.searches > 0);
}

/* A body that is moved through an immovable one, with a sheet between them, waits. */
TEST(told_bodies_wait) {
  OWNED(mesh) hammer = make_model("sphere", 200), anvil = make_model("sphere", 200), sheet = make_model("cloth", 200);
  place(&hammer, 0.5, 0.0, 0.9, 0.0);
  place(&anvil, 0.5, 0.0, -0.9, 0.0);
  simulation_settings settings = simulation_settings_default();
  settings.thickness = 0.04;
  OWNED(simulation) *world = simulation_create(&settings);
  assert_non_null(world);
  assert_true(simulation_add_kinematic(world, &hammer) && simulation_add_kinematic(world, &anvil));
  assert_true(simulation_add_cloth(world, &sheet, 0.05));
  simulation_set_motion(world, 0, point3_make(0, -1, 0), point3_make(0, 0, 0));
  double least = 1e9;
  for (int frame = 0; frame < 60; ++frame) {
    assert_ok(simulation_advance(world));
    assert_int_equal(pairs_between(&hammer, &sheet), 0);
    assert_int_equal(pairs_between(&anvil, &sheet), 0);
    const double y = simulation_center(world, 0).y;
    least = y < least ? y : least;
  }
  /* 0.9 less two seconds would be -1.1; the anvil's top is at -0.4, and the sheet has two thicknesses. */
  assert_true(least > 0.1 - 0.01 && least < 0.6);
}

/* Two corners hold a sheet: they stay, the others fall and do not fall far. */
TEST(pinned_particles_stay) {
  OWNED(mesh) sheet = make_model("cloth", 200);
  const size_t last = sheet.vertex_count - 1;
  double held[3];
  memcpy(held, sheet.positions + 3 * last, sizeof held);
  simulation_settings settings = simulation_settings_default();
  settings.thickness = 0.04;
  OWNED(simulation) *world = simulation_create(&settings);
  assert_non_null(world);
  assert_true(simulation_add_cloth(world, &sheet, 0.05));
  simulation_pin(world, 0, last, point3_make(0, 0, 0));
  simulation_pin(world, 0, 0, point3_make(0, 0, 0));
  for (int frame = 0; frame < 90; ++frame) assert_ok(simulation_advance(world));
  assert_memory_equal(held, sheet.positions + 3 * last, sizeof held);
  double lowest = 1e9;
  for (size_t i = 0; i <= last; ++i) lowest = sheet.positions[3 * i + 1] < lowest ? sheet.positions[3 * i + 1] : lowest;
  assert_true(lowest < -0.5 && lowest > -2.5);
}

/* Six times the volume; every tetrahedron has some. */
static double six_volumes(const mesh *ball) {
  double sum = 0.0;
  for (size_t i = 0; i < ball->tetrahedron_count; ++i) {
    const uint32_t *t = ball->tetrahedra + 4 * i;
    const point3 a = particle_at(ball->positions, t[0]), ab = point3_minus(particle_at(ball->positions, t[1]), a);
    const point3 ac = point3_minus(particle_at(ball->positions, t[2]), a);
    const double six = point3_dot(point3_cross(ab, ac), point3_minus(particle_at(ball->positions, t[3]), a));
    assert_true(six > 0.0);
    sum += six;
  }
  return sum;
}

static void drop_soft_ball(double speed, double least_part) {
  OWNED(mesh) ball = make_model("tet-ball", 600), plate = make_model("sphere", 500);
  place(&ball, 0.5, 0.0, 0.8, 0.0);
  place(&plate, 2.0, 0.0, -1.9, 0.0);
  simulation_settings settings = simulation_settings_default();
  settings.gravity = point3_make(0, -5, 0);
  settings.thickness = 0.03;
  OWNED(simulation) *world = simulation_create(&settings);
  assert_non_null(world);
  assert_true(simulation_add_soft(world, &ball, 0.01, point3_make(0, -speed, 0)) &&
              simulation_add_kinematic(world, &plate));
  const double begun_with = six_volumes(&ball);
  for (int frame = 0; frame < 60; ++frame) {
    assert_ok(simulation_advance(world));
    const double now = six_volumes(&ball);
    assert_true(now > least_part * begun_with && now < 1.1 * begun_with);
  }
}

/* A soft ball that falls on a plate keeps its volume within a tenth. One that is thrown at it is pressed flat, and all
 * the same no tetrahedron turns inside out. */
TEST(soft_bodies_keep_their_volume) {
  drop_soft_ball(0.0, 0.9);
}

/* No corner of a tetrahedron, inside the body or not, may go as far as half the way to the side across. */
TEST(bounds_keep_tetrahedra_from_turning_inside_out) {
  OWNED(mesh) ball = make_model("tet-ball", 600);
  simulation_settings settings = simulation_settings_default();
  settings.thickness = 1.0;
  OWNED(simulation) *world = simulation_create(&settings);
  assert_non_null(world);
  assert_true(simulation_add_soft(world, &ball, 0.1, point3_make(0, 0, 0)));
  assert_ok(near_pairs_find(world));
  for (size_t i = 0; i < 4 * ball.tetrahedron_count; ++i) {
    const uint32_t *t = ball.tetrahedra + 4 * (i / 4);
    const uint32_t corner = t[i % 4];
    const point3 a = particle_at(ball.positions, t[(i + 1) % 4]), b = particle_at(ball.positions, t[(i + 2) % 4]);
    const point3 normal =
        point3_unit(point3_cross(point3_minus(b, a), point3_minus(particle_at(ball.positions, t[(i + 3) % 4]), a)));
    const double height = fabs(point3_dot(normal, point3_minus(particle_at(ball.positions, corner), a)));
    assert_true(world->bounds[corner] > 0.0 && world->bounds[corner] < 0.5 * height);
  }
}

TEST(thrown_soft_bodies_stay_whole) {
  drop_soft_ball(200.0, 0.0);
}

/* ------------------------------------------------------------------------------------------------ near pairs */

static bool may_be_near(const simulation *world, const near_pair *pair) {
  const uint32_t *p = pair->particles;
  for (size_t i = 0; i < 4; ++i) {
    for (size_t k = i + 1; k < 4; ++k)
      if (p[i] == p[k]) return false;
  }
  const simulated_body *a = &world->bodies[world->body_of[p[0]]], *b = &world->bodies[world->body_of[p[3]]];
  if (a == b) return a->kind == BODY_CLOTH || a->kind == BODY_SOFT;
  return a->kind != BODY_KINEMATIC || b->kind != BODY_KINEMATIC;
}

static double feature_distance(const simulation *world, const near_pair *pair) {
  point3 p[4];
  for (size_t k = 0; k < 4; ++k) p[k] = particle_at(world->positions, pair->particles[k]);
  if (pair->edges) return reference_distance(p[0], p[1], p[1], p[2], p[3], p[3]);
  return reference_distance(p[0], p[0], p[0], p[1], p[2], p[3]);
}

/* Whether the two are further apart than the reach by their first corners and how long they are, which spares most of
 * the distances. */
static bool is_far(const simulation *world, const near_pair *pair) {
  point3 p[4];
  for (size_t k = 0; k < 4; ++k) p[k] = particle_at(world->positions, pair->particles[k]);
  const double own = pair->edges ? point3_length(point3_minus(p[1], p[0])) : 0.0;
  const double last = point3_length(point3_minus(p[2], p[3]));
  const double other = pair->edges ? last : fmax(last, point3_length(point3_minus(p[1], p[3])));
  return point3_length(point3_minus(p[3], p[0])) - own - other > 1.001 * world->reach;
}

static bool is_near(const simulation *world, const near_pair *pair) {
  return may_be_near(world, pair) && !is_far(world, pair) && feature_distance(world, pair) < world->reach;
}

/* How many of all corners and triangles, and of all edges with each other, are nearer than the reach. */
static size_t count_near(const simulation *world) {
  size_t count = 0;
  for (size_t i = 0; i < world->corner_count; ++i) {
    for (size_t k = 0; k < world->triangle_count; ++k) {
      const uint32_t *t = world->triangles + 3 * k;
      const near_pair pair = {{world->corners[i], t[0], t[1], t[2]}, 0.0, false};
      count += is_near(world, &pair);
    }
  }
  for (size_t i = 0; i < world->edge_count; ++i) {
    for (size_t k = i + 1; k < world->edge_count; ++k) {
      const uint32_t *e = world->edges + 2 * i, *f = world->edges + 2 * k;
      const near_pair pair = {{e[0], e[1], f[0], f[1]}, 0.0, true};
      count += is_near(world, &pair);
    }
  }
  return count;
}

static int by_particles(const void *left, const void *right) {
  return memcmp(((const near_pair *)left)->particles, ((const near_pair *)right)->particles, 4 * sizeof(uint32_t));
}

/* Each is near, none is there twice, and there are as many as there should be. */
static void expect_all_near(const simulation *world) {
  near_pair *sorted = malloc((world->near_count + 1) * sizeof *sorted);
  assert_non_null(sorted);
  if (world->near_count > 0) memcpy(sorted, world->near, world->near_count * sizeof *sorted);
  qsort(sorted, world->near_count, sizeof *sorted, by_particles);
  for (size_t i = 0; i < world->near_count; ++i) {
    assert_true(may_be_near(world, &sorted[i]));
    assert_true(fabs(feature_distance(world, &sorted[i]) - sorted[i].distance) < 1e-9);
    assert_true(i == 0 || by_particles(&sorted[i - 1], &sorted[i]) != 0);
  }
  free(sorted);
  assert_int_equal(world->near_count, count_near(world));
}

/* While bodies of every kind fall on each other, what a search finds by patches, and by what it remembers of the one
 * before, is all there is. */
TEST(searches_find_all_that_is_near) {
  OWNED(mesh) sheet = make_model("cloth", 300), plate = make_model("sphere", 150), stone = make_model("sphere", 100);
  OWNED(mesh) ball = make_model("tet-ball", 100);
  place(&plate, 0.5, 0.0, -0.6, 0.0);
  place(&stone, 0.2, 0.3, 0.35, 0.0);
  place(&ball, 0.2, -0.3, 0.35, 0.1);
  simulation_settings settings = simulation_settings_default();
  settings.thickness = 0.04;
  settings.gravity = point3_make(0, -4, 0);
  OWNED(simulation) *world = simulation_create(&settings);
  assert_non_null(world);
  assert_true(simulation_add_cloth(world, &sheet, 0.05) && simulation_add_kinematic(world, &plate) &&
              simulation_add_stiff(world, &stone, point3_make(0, 0, 0)) &&
              simulation_add_soft(world, &ball, 0.01, point3_make(0, 0, 0)));
  size_t found = 0;
  for (int frame = 0; frame < 24; ++frame) {
    assert_ok(simulation_advance(world));
    assert_ok(near_pairs_find(world));
    if (test_scale() == 1.0 || frame % 4 == 0) expect_all_near(world);
    found += world->near_count;
  }
  assert_true(found > 1000);
}

/* ------------------------------------------------------------------------------------------------ order of work */

enum { ITEMS = 5000, BLOCKS = 40 };

typedef struct worked {
  const work_order *order;
  const item_blocks *blocks;
  uint64_t state[BLOCKS + 1]; /* of each block: what was done to it, in order */
  uint8_t done[ITEMS];
} worked;

static void work(void *context, size_t first, size_t end) {
  worked *w = context;
  for (size_t i = first; i < end; ++i) {
    const uint32_t item = w->order->items[i];
    ++w->done[item];
    const item_blocks blocks = w->blocks[item];
    const uint64_t both = w->state[blocks.a] ^ w->state[blocks.b] << 7 ^ item;
    w->state[blocks.a] = w->state[blocks.b] = both * UINT64_C(0x9e3779b97f4a7c15) + 1;
  }
}

/* Every item runs once, no block is in two groups of a color, and the result does not depend on the workers. */
TEST(work_does_not_depend_on_the_workers) {
  static item_blocks blocks[ITEMS];
  static worked runs[3];
  random_stream draw = random_stream_make(3, 4);
  for (size_t i = 0; i < ITEMS; ++i) {
    const uint32_t a = (uint32_t)random_between(&draw, 0, BLOCKS), b = (uint32_t)random_between(&draw, 0, BLOCKS);
    blocks[i] = i % 50 == 0 ? (item_blocks){BLOCKS, BLOCKS} : a < b ? (item_blocks){a, b} : (item_blocks){b, a};
    if (i % 3 == 0 && a < BLOCKS) blocks[i] = (item_blocks){a, a};
  }
  OWNED_BY(work_order_free) work_order order = {0};
  assert_true(work_order_make(&order, blocks, ITEMS, BLOCKS));
  for (size_t i = 0; i < order.group_count; ++i) {
    const item_blocks one = blocks[order.items[order.groups[i].first]];
    for (size_t k = i + 1; k < order.group_count && order.groups[i].color < WORK_COLORS; ++k) {
      const item_blocks other = blocks[order.items[order.groups[k].first]];
      if (order.groups[k].color != order.groups[i].color) continue;
      assert_true(one.a != other.a && one.a != other.b && one.b != other.a && one.b != other.b);
    }
  }
  for (uint32_t workers = 0; workers < 3; ++workers) {
    graze_workers_def def = graze_workers_def_default();
    def.worker_count = workers + 1;
    OWNED(graze_workers) *team = NULL;
    assert_ok(graze_workers_create(&def, &team));
    runs[workers] = (worked){.order = &order, .blocks = blocks};
    work_order_run(&order, team, work, &runs[workers]);
    for (size_t i = 0; i < ITEMS; ++i) assert_int_equal(runs[workers].done[i], 1);
    assert_memory_equal(runs[workers].state, runs[0].state, sizeof runs[0].state);
  }
  assert_true(work_order_make(&order, NULL, 0, 0));
  work_order_run(&order, NULL, work, NULL);
}
