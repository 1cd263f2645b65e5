/* Tests configurations of two rigid bodies: the number of ways is that of the thesis, brute force and geometry confirm
 * distances, volumes are reached and not exceeded, and files are read back bit by bit or rejected. */
#include "bench/configuration_search.h"
#include "testing.h"

#include "graze/packing.h"
#include "models/seeded_random.h"
#include "test_scale.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TEST(ways_are_those_of_the_thesis) {
  assert_int_equal(configuration_ways(CONFIGURATION_SPHERE, CONFIGURATION_DISTANCE), 1991808);
  assert_int_equal(configuration_ways(CONFIGURATION_SPHERE, CONFIGURATION_VOLUME), 268128);
  assert_int_equal(configuration_ways(CONFIGURATION_GRID, CONFIGURATION_VOLUME), 12 * 12 * 12 * 12 * 12 * 7);
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Unit vectors, no two of them equal; neighbors on the equator and along a meridian are 15 degrees apart. */
TEST(directions_are_apart) {
  configuration_way ways[CONFIGURATION_DIRECTIONS];
  double nearest_of_all = -1.0;
  for (size_t i = 0; i < CONFIGURATION_DIRECTIONS; ++i) {
    assert_true(configuration_way_at(CONFIGURATION_SPHERE, CONFIGURATION_DISTANCE, i, 2.0, &ways[i]));
    assert_true(fabs(dot(ways[i].direction, ways[i].direction) - 1.0) < 1e-14);
    assert_true(ways[i].begin == 3.0);
    double nearest = -1.0;
    for (size_t j = 0; j < i; ++j) nearest = fmax(nearest, dot(ways[i].direction, ways[j].direction));
    assert_true(nearest < 1.0 - 1e-4);
    if (fabs(ways[i].direction[2]) < 1e-9) nearest_of_all = fmax(nearest_of_all, nearest);
  }
  assert_true(fabs(nearest_of_all - cos(atan(1.0) / 3.0)) < 1e-12);
}

TEST(rotations_are_rotations) {
  random_stream stream = random_stream_make(3, 4);
  for (int i = 0; i < 2000; ++i) {
    const configuration_kind kind = (configuration_kind)(i % 2);
    configuration_way way;
    const uint64_t number = random_bits(&stream) % configuration_ways(CONFIGURATION_SPHERE, kind);
    assert_true(configuration_way_at(CONFIGURATION_SPHERE, kind, number, 1.0, &way));
    const double *r = way.rotation;
    for (int j = 0; j < 3; ++j) {
      assert_true(fabs(dot(r + 3 * j, r + 3 * j) - 1.0) < 1e-14);
      assert_true(fabs(dot(r + 3 * j, r + 3 * ((j + 1) % 3))) < 1e-14);
    }
    const double determinant =
        r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) + r[2] * (r[3] * r[7] - r[4] * r[6]);
    assert_true(fabs(determinant - 1.0) < 1e-14);
  }
}

/* ---------------------------------------------------------------------------------------------- distances */

/* Points of both triangles on a fine grid: never nearer than the distance, and hardly further than a step. */
static double sampled_distance(const double a[3][3], const double b[3][3]) {
  enum { STEPS = 24 };
  double least = HUGE_VAL;
  for (int i = 0; i <= STEPS; ++i)
    for (int j = 0; i + j <= STEPS; ++j) {
      double p[3];
      for (int k = 0; k < 3; ++k) p[k] = (a[0][k] * i + a[1][k] * j + a[2][k] * (STEPS - i - j)) / STEPS;
      for (int m = 0; m <= STEPS; ++m)
        for (int n = 0; m + n <= STEPS; ++n) {
          double square = 0.0;
          for (int k = 0; k < 3; ++k) {
            const double q = (b[0][k] * m + b[1][k] * n + b[2][k] * (STEPS - m - n)) / STEPS;
            square += (p[k] - q) * (p[k] - q);
          }
          least = fmin(least, sqrt(square));
        }
    }
  return least;
}

TEST(triangles_are_as_far_as_their_points) {
  random_stream stream = random_stream_make(5, 6);
  uint32_t corners[3] = {0, 1, 2};
  const bench_pose still = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  for (int i = 0; i < 60; ++i) {
    double a[3][3], b[3][3];
    for (int k = 0; k < 9; ++k) {
      a[k / 3][k % 3] = random_unit(&stream);
      b[k / 3][k % 3] = random_unit(&stream) + (k % 3 == i % 3 ? 1.2 : 0.0); /* apart along an axis */
    }
    const bench_shape first = {&a[0][0], 3, corners, 1}, second = {&b[0][0], 3, corners, 1};
    mesh_balls *const x = mesh_balls_make(&first), *const y = mesh_balls_make(&second);
    assert_true(x != NULL && y != NULL);
    const double distance = mesh_balls_distance(x, y, &still), sampled = sampled_distance(a, b);
    assert_true(distance <= sampled + 1e-12 && distance > sampled - 0.13);
    mesh_balls_free(x);
    mesh_balls_free(y);
  }
}

/* A body and its copy, as the suite holds them. */
typedef struct held_body {
  bench_scene scene;
  bench_shape shapes[2];
  mesh_balls *balls;
  graze_packing packing;
  graze_sphere_tree *tree;
  configuration_search search;
} held_body;

static void hold(held_body *body, const char *model, size_t triangles) {
  char message[256];
  rigid_error error;
  size_t engines;
  *body = (held_body){0};
  assert_true(bench_scene_make_model(model, triangles, &body->scene, message, sizeof message));
  bench_shape *const shape = &body->scene.shapes[0];
  bench_shape_fit(shape, 2.0);
  bench_shape_round_to_float(shape);
  body->shapes[0] = body->shapes[1] = *shape;
  body->balls = mesh_balls_make(shape);
  assert_non_null(body->balls);
  graze_mesh_def mesh_def = graze_mesh_def_default();
  mesh_def.positions = (graze_view){shape->positions, shape->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  mesh_def.triangles = (graze_view){shape->triangles, shape->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  graze_packing_options options = graze_packing_options_default();
  options.count = 100;
  assert_ok(graze_pack_spheres(&mesh_def, &options, &body->packing));
  graze_sphere_tree_def def = graze_sphere_tree_def_default();
  def.centers =
      (graze_view){body->packing.spheres[0].center, body->packing.count, sizeof(graze_sphere), GRAZE_FORMAT_DOUBLE3};
  def.radii =
      (graze_view){&body->packing.spheres[0].radius, body->packing.count, sizeof(graze_sphere), GRAZE_FORMAT_DOUBLE};
  assert_ok(graze_sphere_tree_create(&def, &body->tree));
  const rigid_engine *const engine = rigid_graze_engines(&engines);
  void *const pair = engine->open_pair(engine, body->shapes, &error);
  assert_non_null(pair);
  body->search = (configuration_search){CONFIGURATION_SPHERE,       sqrt(12.0), body->balls, engine, pair, body->tree,
                                        body->packing.sphere_volume};
}

static void let_go(held_body *body) {
  body->search.engine->close_pair(body->search.pair);
  graze_sphere_tree_destroy(body->tree);
  graze_packing_free(&body->packing);
  mesh_balls_free(body->balls);
  bench_scene_free(&body->scene);
}

/* Every pair of triangles, without a tree. */
static double brute_distance(const bench_shape *shape, const bench_pose *pose) {
  double least = HUGE_VAL;
  for (size_t i = 0; i < shape->triangle_count; ++i)
    for (size_t j = 0; j < shape->triangle_count; ++j) {
      const bench_shape one = {shape->positions, shape->vertex_count, shape->triangles + 3 * i, 1};
      const bench_shape two = {shape->positions, shape->vertex_count, shape->triangles + 3 * j, 1};
      mesh_balls *const x = mesh_balls_make(&one), *const y = mesh_balls_make(&two);
      least = fmin(least, mesh_balls_distance(x, y, pose));
      mesh_balls_free(x);
      mesh_balls_free(y);
    }
  return least;
}

TEST(distances_are_reached) {
  held_body body;
  hold(&body, "gear", 120);
  configuration_list list = {0};
  rigid_error error;
  const size_t ways = test_scaled(5, 1);
  for (size_t way = 0; way < ways; ++way)
    assert_true(configuration_search_way(&body.search, CONFIGURATION_DISTANCE, 1 + 400000 * way, &list, &error));
  assert_int_equal(list.count, ways * CONFIGURATION_DISTANCES);
  for (size_t i = 0; i < list.count; i += 77) {
    rigid_answer answer;
    const double target = 0.01 * list.items[i].percent * body.search.diagonal;
    assert_true(fabs(brute_distance(&body.shapes[0], &list.items[i].pose) - target) < 1.1e-5 * body.search.diagonal);
    assert_true(body.search.engine->ask_pair(body.search.pair, &list.items[i].pose, RIGID_ANY, &answer, &error));
    assert_false(answer.found);
  }
  configuration_list_free(&list);
  let_go(&body);
}

TEST(volumes_are_reached) {
  held_body body;
  hold(&body, "blob", 300);
  configuration_list list = {0};
  rigid_error error;
  for (uint64_t number = 5; number < 268128; number += 60000)
    assert_true(configuration_search_way(&body.search, CONFIGURATION_VOLUME, number, &list, &error));
  assert_int_equal(list.count, 5 * CONFIGURATION_VOLUMES);
  for (size_t i = 0; i < list.count; ++i) {
    graze_pose pose;
    rigid_answer answer;
    graze_sphere_volume volume = {.struct_bytes = sizeof volume};
    memcpy(pose.rotation, list.items[i].pose.rotation, sizeof pose.rotation);
    memcpy(pose.translation, list.items[i].pose.translation, sizeof pose.translation);
    assert_ok(graze_sphere_trees_volume(body.tree, NULL, body.tree, &pose, NULL, &volume));
    const double part = 100.0 * volume.volume / body.packing.sphere_volume;
    assert_true(fabs(part - list.items[i].percent) < 1e-4);
    assert_true(body.search.engine->ask_pair(body.search.pair, &list.items[i].pose, RIGID_ANY, &answer, &error));
    assert_true(answer.found);
  }
  configuration_list_free(&list);
  let_go(&body);
}

/* Cells that lie within the body give nothing; the others are apart as they should be. */
TEST(cells_of_the_grid_work) {
  held_body body;
  hold(&body, "blob", 300);
  body.search.method = CONFIGURATION_GRID;
  configuration_list list = {0};
  rigid_error error;
  const uint64_t middle = 6 + 12 * (6 + 12 * 6), corner = 0;
  assert_true(configuration_search_way(&body.search, CONFIGURATION_DISTANCE, middle, &list, &error));
  assert_int_equal(list.count, 0);
  assert_true(configuration_search_way(&body.search, CONFIGURATION_DISTANCE, corner, &list, &error));
  assert_int_equal(list.count, CONFIGURATION_DISTANCES);
  configuration_list_free(&list);
  /* From a cell that is nearer than the larger distances the smaller ones alone are found. */
  const uint64_t beside = 8 + 12 * (6 + 12 * 6);
  assert_true(configuration_search_way(&body.search, CONFIGURATION_DISTANCE, beside, &list, &error));
  assert_in_range(list.count, 1, CONFIGURATION_DISTANCES - 1);
  for (size_t i = 0; i < list.count; ++i) {
    const double distance = mesh_balls_distance(body.balls, body.balls, &list.items[i].pose);
    assert_true(fabs(distance - 0.01 * list.items[i].percent * body.search.diagonal) < 1.1e-5 * body.search.diagonal);
  }
  configuration_list_free(&list);
  let_go(&body);
}

/* ---------------------------------------------------------------------------------------------- files */

static void write_text(const char *path, const char *text) {
  FILE *const stream = fopen(path, "w");
  assert_non_null(stream);
  fputs(text, stream);
  assert_int_equal(fclose(stream), 0);
}

TEST(files_are_read_back) {
  char path[] = "/tmp/graze_configurations_XXXXXX", error[512];
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
  const configuration_heading heading = {"gear", 12, 0.1 + 0.2}, other = {"gear", 13, 0.1 + 0.2};
  configuration_list list = {0}, read;
  random_stream stream = random_stream_make(7, 8);
  for (uint32_t i = 0; i < 300; ++i) {
    configuration item = {(configuration_kind)(i % 2), i % 11, random_bits(&stream) % 1991808, {{0}, {0}}};
    for (int k = 0; k < 9; ++k) item.pose.rotation[k] = random_between(&stream, -1.0, 1.0);
    for (int k = 0; k < 3; ++k) item.pose.translation[k] = random_between(&stream, -1e9, 1e-9);
    assert_true(configuration_list_add(&list, &item));
  }
  assert_true(configurations_write(path, &heading, &list, error, sizeof error));
  assert_true(configurations_read(path, &heading, &read, error, sizeof error));
  assert_int_equal(read.count, list.count);
  for (size_t i = 0; i < read.count; ++i) {
    assert_int_equal(read.items[i].kind, list.items[i].kind);
    assert_int_equal(read.items[i].percent, list.items[i].percent);
    assert_int_equal(read.items[i].number, list.items[i].number);
    assert_memory_equal(&read.items[i].pose, &list.items[i].pose, sizeof read.items[i].pose);
  }
  configuration_list_free(&read);
  assert_false(configurations_read(path, &other, &read, error, sizeof error));
  assert_non_null(strstr(error, ":2: these configurations belong to another body"));
  configuration_list_free(&list);

#define HEAD "graze configurations 1\nbody gear triangles 12 diagonal 0.30000000000000004\n"
#define POSE " 1 0 0 0 1 0 0 0 1 0 0 0\n"
  static const char *const bad[] = {"",
                                    "graze configurations 2\n",
                                    HEAD,
                                    HEAD "distance 1 2" POSE "distance 1\n",
                                    HEAD "distance 31 2" POSE,
                                    HEAD "volume 11 2" POSE,
                                    HEAD "distance -1 2" POSE,
                                    HEAD "distance 1.5 2" POSE,
                                    HEAD "length 1 2" POSE,
                                    HEAD "distance 1 2 nan" POSE,
                                    HEAD "distance 1 2 1 0 0 0 1 0 0 0 1 0 0 inf\n",
                                    HEAD "distance 1 2 0" POSE,
                                    HEAD "distance 1 2 1 0 0 0 1 0 0 0 1 0 0 0"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    write_text(path, bad[i]);
    error[0] = '\0';
    assert_false(configurations_read(path, &heading, &read, error, sizeof error));
    assert_true(strncmp(error, path, strlen(path)) == 0);
    assert_true(read.items == NULL && read.count == 0);
  }
  remove(path);
  assert_false(configurations_read(path, &heading, &read, error, sizeof error));
}
