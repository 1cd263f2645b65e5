/* graze_robot: measures configurations per second of a robot with 30 links in a room.
 *
 *     graze_robot [CONFIGURATIONS [BACKEND [THREADS [JOINT_RANGE]]]]
 *
 * Configurations are random. A link has 1,000 triangles, the room 99,840. The joint range, in radians, is 0.3 by
 * default. Each rate is the best of three calls. With one thread on the processor, rates use processor time, which
 * excludes other work on the machine. In a build with GRAZE_PEERS, one thread of FCL answers the same queries,
 * interleaved with graze. */
#include "bench/robot_peer.h"
#include "graze/batch.h"
#include "models/seeded_random.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINKS = 30, AROUND = 25, ALONG = 20, WALL_CELLS = 80, COLUMNS = 6, ROOM_MOST = 100000 };

static const double link_length = 0.1, link_radius = 0.03, room_half = 3.0;

typedef struct soup {
  double *positions;
  uint32_t *triangles;
  size_t vertex_count, triangle_count;
} soup;

static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "graze_robot: %s\n", graze_error_text());
  exit(2);
}

static void *need(void *block) {
  if (block != NULL) return block;
  fprintf(stderr, "graze_robot: out of memory\n");
  exit(2);
}

static soup make_soup(size_t vertices, size_t triangles) {
  return (soup){need(malloc(3 * vertices * sizeof(double))), need(malloc(3 * triangles * sizeof(uint32_t))), 0, 0};
}

static void free_soup(soup *made) {
  free(made->positions);
  free(made->triangles);
}

static void add_vertex(soup *made, double x, double y, double z) {
  double *at = made->positions + 3 * made->vertex_count++;
  at[0] = x;
  at[1] = y;
  at[2] = z;
}

static void add_cell(soup *made, size_t a, size_t b, size_t c, size_t d) {
  const size_t corners[6] = {a, b, c, c, b, d};
  for (int i = 0; i < 6; i++) made->triangles[3 * made->triangle_count + (size_t)i] = (uint32_t)corners[i];
  made->triangle_count += 2;
}

/* ------------------------------------------------------------------------------------------------ bodies */

/* A tube with narrow ends. */
static soup make_link(void) {
  soup made = make_soup(AROUND * (ALONG + 1), 2 * AROUND * ALONG);
  for (int j = 0; j <= ALONG; j++) {
    const int end = j < ALONG - j ? j : ALONG - j;
    const double radius = link_radius * (end == 0 ? 0.2 : end == 1 ? 0.75 : 1.0);
    for (int i = 0; i < AROUND; i++) {
      const double angle = 2.0 * acos(-1.0) * i / AROUND;
      add_vertex(&made, radius * cos(angle), radius * sin(angle), link_length * j / ALONG);
    }
  }
  for (size_t j = 0; j < ALONG; j++)
    for (size_t i = 0; i < AROUND; i++) {
      const size_t next = (i + 1) % AROUND, row = AROUND * j;
      add_cell(&made, row + i, row + next, row + AROUND + i, row + AROUND + next);
    }
  return made;
}

/* A slightly bumpy rectangle. */
static void add_wall(soup *made, const double from[3], int axis_u, double u, int axis_v, double v, int cells_u,
                     int cells_v) {
  const size_t first = made->vertex_count, row = (size_t)cells_v + 1;
  const int across = 3 - axis_u - axis_v;
  for (int i = 0; i <= cells_u; i++)
    for (int j = 0; j <= cells_v; j++) {
      const double a = (double)i / cells_u, b = (double)j / cells_v;
      double at[3] = {from[0], from[1], from[2]};
      at[axis_u] += a * u;
      at[axis_v] += b * v;
      at[across] += 0.01 * sin(20.0 * a) * cos(17.0 * b);
      add_vertex(made, at[0], at[1], at[2]);
    }
  for (size_t i = 0; i < (size_t)cells_u; i++)
    for (size_t j = 0; j < (size_t)cells_v; j++) {
      const size_t at = first + row * i + j;
      add_cell(made, at, at + row, at + 1, at + row + 1);
    }
}

/* Six walls, and columns around the robot. */
static soup make_room(void) {
  soup made = make_soup(ROOM_MOST, ROOM_MOST);
  const double size = 2.0 * room_half, low[3] = {-room_half, -room_half, -room_half};
  for (int axis = 0; axis < 3; axis++)
    for (int side = 0; side < 2; side++) {
      double from[3] = {low[0], low[1], low[2]};
      from[axis] += side * size;
      add_wall(&made, from, (axis + 1) % 3, size, (axis + 2) % 3, size, WALL_CELLS, WALL_CELLS);
    }
  for (int i = 0; i < COLUMNS; i++) {
    const double angle = 0.3 + 2.0 * acos(-1.0) * i / COLUMNS, half = 0.08 * room_half, width = 2.0 * half;
    const double x = 0.62 * room_half * cos(angle) - half, y = 0.62 * room_half * sin(angle) - half;
    for (int side = 0; side < 2; side++) {
      const double along_x[3] = {x, y + side * width, -room_half}, along_y[3] = {x + side * width, y, -room_half};
      add_wall(&made, along_x, 0, width, 2, size, 8, 60);
      add_wall(&made, along_y, 1, width, 2, size, 8, 60);
    }
  }
  return made;
}

static graze_object add_soup(graze_scene *scene, const soup *made) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){made->positions, made->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){made->triangles, made->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  graze_object object;
  expect_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  return object;
}

/* ------------------------------------------------------------------------------------------------ configurations */

/* Multiplies a by a rotation about axis x or y. */
static void turn(double a[9], int axis, double angle) {
  const double c = cos(angle), s = sin(angle), about_x[9] = {1, 0, 0, 0, c, -s, 0, s, c};
  const double about_y[9] = {c, 0, s, 0, 1, 0, -s, 0, c}, *b = axis == 0 ? about_x : about_y;
  double product[9] = {0};
  for (int i = 0; i < 9; i++)
    for (int k = 0; k < 3; k++) product[i] += a[3 * (i / 3) + k] * b[3 * k + i % 3];
  memcpy(a, product, sizeof product);
}

/* A chain from the center of the room upward, in a random direction; joints rotate about x and y alternately. */
static void pose_robot(random_stream *stream, double range, graze_pose poses_out[LINKS]) {
  const double angle = random_between(stream, 0.0, 2.0 * acos(-1.0)), c = cos(angle), s = sin(angle);
  graze_pose at = {{c, -s, 0, s, c, 0, 0, 0, 1}, {0.0, 0.0, -0.5}};
  for (int i = 0; i < LINKS; i++) {
    turn(at.rotation, i % 2, random_between(stream, -range, range));
    poses_out[i] = at;
    for (int axis = 0; axis < 3; axis++) at.translation[axis] += link_length * at.rotation[3 * axis + 2];
  }
}

static double seconds(bool of_processor) {
  struct timespec now;
  (void)clock_gettime(of_processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The time of one round of FCL, and its answers. */
typedef struct rival {
  robot_peer *peer; /* may be NULL */
  double rate;
  uint8_t *any;
} rival;

static void measure_rival(rival *other, const graze_pose *poses, size_t count) {
  if (other->peer == NULL) return;
  const double begin = seconds(true);
  for (size_t i = 0; i < count; i++) other->any[i] = robot_peer_test(other->peer, poses + LINKS * i);
  other->rate = fmax(other->rate, (double)count / (seconds(true) - begin));
}

/* Returns configurations per second, the best of three, with hits or counts. */
static double measure(const graze_scene *scene, const graze_object *links, const graze_pose *poses, size_t count,
                      bool of_processor, uint8_t *hits, uint64_t *counts, rival *other) {
  graze_batch_def batch = graze_batch_def_default();
  batch.moving = links;
  batch.moving_count = LINKS;
  batch.poses = poses;
  batch.pose_count = LINKS * count;
  batch.hits_out = hits;
  batch.counts_out = counts;
  double best = 0.0;
  for (int round = 0; round < 3; round++) {
    const double begin = seconds(of_processor);
    expect_ok(graze_scene_run_batch(scene, &batch));
    best = fmax(best, (double)count / (seconds(of_processor) - begin));
    if (hits != NULL) measure_rival(other, poses, count);
  }
  return best;
}

static graze_scene *make_scene(const char *backend, uint32_t threads, graze_object links_out[LINKS],
                               robot_peer **peer_out) {
  graze_backend_def chosen = graze_backend_def_default();
  chosen.name = backend;
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = threads;
  def.backend = &chosen;
  graze_scene *scene;
  expect_ok(graze_scene_create(&def, &scene));
  graze_method_def method = graze_method_def_default();
  method.name = "tree";
  expect_ok(graze_scene_set_method(scene, &method));
  soup link = make_link(), room = make_room();
  (void)add_soup(scene, &room);
  for (int i = 0; i < LINKS; i++) links_out[i] = add_soup(scene, &link);
  for (int i = 0; i + 1 < LINKS; i++) expect_ok(graze_scene_exclude(scene, links_out[i], links_out[i + 1], true));
  expect_ok(graze_scene_update(scene));
  printf("room of %zu triangles, %d links of %zu\n", room.triangle_count, LINKS, link.triangle_count);
  const robot_mesh room_mesh = {room.positions, room.triangles, room.vertex_count, room.triangle_count};
  const robot_mesh link_mesh = {link.positions, link.triangles, link.vertex_count, link.triangle_count};
  *peer_out = robot_peer_open(&room_mesh, &link_mesh, LINKS);
  free_soup(&link);
  free_soup(&room);
  return scene;
}

int main(int argument_count, char **arguments) {
  const size_t count = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : 5000;
  const char *backend = argument_count > 2 ? arguments[2] : "cpu";
  const uint32_t threads = argument_count > 3 ? (uint32_t)strtoul(arguments[3], NULL, 10) : 1;
  const double range = argument_count > 4 ? strtod(arguments[4], NULL) : 0.3;
  if (count == 0) {
    fprintf(stderr, "usage: graze_robot [CONFIGURATIONS [BACKEND [THREADS [JOINT_RANGE]]]]\n");
    return 2;
  }
  const bool of_processor = threads == 1 && strcmp(backend, "cpu") == 0;
  graze_object links[LINKS];
  rival other = {NULL, 0.0, need(malloc(count))};
  graze_scene *scene = make_scene(backend, threads, links, &other.peer);
  random_stream stream = random_stream_make(1, 0);
  graze_pose *poses = need(malloc(LINKS * count * sizeof *poses));
  for (size_t i = 0; i < count; i++) pose_robot(&stream, range, poses + LINKS * i);
  uint8_t *any = need(malloc(count));
  uint64_t *counts = need(malloc(count * sizeof *counts)), hits = 0, pairs = 0, others = 0;
  const double any_rate = measure(scene, links, poses, count, of_processor, any, NULL, &other);
  const double count_rate = measure(scene, links, poses, count, of_processor, NULL, counts, &other);
  for (size_t i = 0; i < count; i++) {
    hits += any[i];
    pairs += counts[i];
    others += other.peer != NULL && other.any[i] != any[i];
  }
  printf("any: %.0f configurations/s, %llu of %zu collide\n", any_rate, (unsigned long long)hits, count);
  printf("counts: %.0f configurations/s, %llu pairs\n", count_rate, (unsigned long long)pairs);
  if (other.peer != NULL)
    printf("%s, any: %.0f configurations/s by one thread, graze %.2f times as many; %llu answers differ\n",
           robot_peer_name(), other.rate, any_rate / other.rate, (unsigned long long)others);
  robot_peer_close(other.peer);
  free(other.any);
  free(counts);
  free(any);
  free(poses);
  graze_scene_destroy(scene);
  return 0;
}
