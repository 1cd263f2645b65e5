/* Makes poses from seeded random numbers. At most ten thousand per call, outside of measured times. */
#include "bench/rigid_poses.h"

#include "models/seeded_random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCATTER_STREAM = 1, GRAZE_STREAM = 2, SWARM_STREAM = 3, MOVE_STREAM = 4, RIGID_SEED = 10 };

static const double full_turn = 6.283185307179586;

static void turn_about(point3 axis, double angle, double rotation_out[9]) {
  const double c = cos(angle), s = sin(angle), d = 1.0 - c;
  const double x = axis.x, y = axis.y, z = axis.z;
  const double values[9] = {c + d * x * x,     d * x * y - s * z, d * x * z + s * y, d * x * y + s * z, c + d * y * y,
                            d * y * z - s * x, d * x * z - s * y, d * y * z + s * x, c + d * z * z};
  memcpy(rotation_out, values, sizeof values);
}

void rigid_poses_revolve(double distance, bench_pose *poses_out, size_t count) {
  const point3 vertical = point3_make(0.0, 1.0, 0.0);
  for (size_t i = 0; i < count; i++) {
    turn_about(vertical, full_turn * (double)i / (double)count, poses_out[i].rotation);
    memcpy(poses_out[i].translation, (const double[3]){distance, 0.0, 0.0}, sizeof poses_out[i].translation);
  }
}

/* Random axis and angle: approximately uniform over all rotations. */
static void turn_somehow(random_stream *stream, double rotation_out[9]) {
  const point3 axis = random_direction(stream);
  turn_about(axis, full_turn * random_unit(stream), rotation_out);
}

void rigid_poses_scatter(bench_pose *poses_out, size_t count) {
  random_stream stream = random_stream_make(RIGID_SEED, SCATTER_STREAM);
  for (size_t i = 0; i < count; i++) {
    turn_somehow(&stream, poses_out[i].rotation);
    for (int k = 0; k < 3; k++) poses_out[i].translation[k] = random_between(&stream, -2.0, 2.0);
  }
}

static void place(point3 direction, double distance, bench_pose *pose) {
  pose->translation[0] = distance * direction.x;
  pose->translation[1] = distance * direction.y;
  pose->translation[2] = distance * direction.z;
}

/* Steps inward from a separate position until the bodies intersect, then bisects. Returns false without a message if
 * they never intersect on this way. */
static bool approach(const rigid_engine *engine, void *pair, point3 direction, bool touching, bench_pose *pose,
                     rigid_error *error) {
  double outside = 4.0, inside = outside;
  rigid_answer answer = {0};
  while (!answer.found) {
    outside = inside;
    inside -= 0.0625;
    if (inside < 0.0) return false;
    place(direction, inside, pose);
    if (!engine->ask_pair(pair, pose, RIGID_ANY, &answer, error)) return false;
  }
  while (outside - inside > RIGID_GRAZE_GAP) {
    const double middle = 0.5 * (outside + inside);
    place(direction, middle, pose);
    if (!engine->ask_pair(pair, pose, RIGID_ANY, &answer, error)) return false;
    if (answer.found)
      inside = middle;
    else
      outside = middle;
  }
  place(direction, touching ? inside : outside, pose);
  return true;
}

bool rigid_poses_graze(const rigid_engine *engine, void *pair, bench_pose *poses_out, size_t count,
                       rigid_error *error) {
  random_stream stream = random_stream_make(RIGID_SEED, GRAZE_STREAM);
  error->text[0] = '\0';
  for (size_t i = 0, tries = 0; i < count; tries++) {
    if (tries == 10 * count + 100) {
      snprintf(error->text, sizeof error->text, "the bodies rarely touch");
      return false;
    }
    turn_somehow(&stream, poses_out[i].rotation);
    const point3 direction = random_direction(&stream);
    if (approach(engine, pair, direction, i % 2 == 0, &poses_out[i], error))
      i++;
    else if (error->text[0] != '\0')
      return false;
  }
  return true;
}

void rigid_poses_swarm(double radius, double neighbors, bench_pose *poses_out, size_t count) {
  random_stream stream = random_stream_make(RIGID_SEED, SWARM_STREAM);
  const double reach = 2.0 * radius, ball = full_turn * 2.0 / 3.0 * reach * reach * reach;
  const double side = cbrt((double)count * ball / neighbors);
  for (size_t i = 0; i < count; i++) {
    turn_somehow(&stream, poses_out[i].rotation);
    for (int k = 0; k < 3; k++) poses_out[i].translation[k] = random_between(&stream, 0.0, side);
  }
}

/* Returns the pose of b in the coordinates of a. */
static bench_pose relative_pose(const bench_pose *a, const bench_pose *b) {
  bench_pose pose;
  for (int i = 0; i < 3; i++) {
    pose.translation[i] = 0.0;
    for (int k = 0; k < 3; k++) pose.translation[i] += a->rotation[3 * k + i] * (b->translation[k] - a->translation[k]);
    for (int j = 0; j < 3; j++) {
      pose.rotation[3 * i + j] = 0.0;
      for (int k = 0; k < 3; k++) pose.rotation[3 * i + j] += a->rotation[3 * k + i] * b->rotation[3 * k + j];
    }
  }
  return pose;
}

static bool loosen(const rigid_engine *engine, void *pair, double depth, const bench_pose *a, bench_pose *b,
                   rigid_error *error) {
  bench_pose pose = relative_pose(a, b);
  rigid_answer answer;
  if (!engine->ask_pair(pair, &pose, RIGID_ANY, &answer, error)) return false;
  if (!answer.found) return true;
  const double *const t = pose.translation;
  const double before = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
  if (before == 0.0) return true;
  const point3 direction = point3_make(t[0] / before, t[1] / before, t[2] / before);
  if (!approach(engine, pair, direction, true, &pose, error)) return false;
  const double after = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]) - depth;
  for (int k = 0; k < 3; k++)
    b->translation[k] = a->translation[k] + (b->translation[k] - a->translation[k]) * (after / before);
  return true;
}

bool rigid_poses_loosen(const rigid_engine *engine, void *const *pairs, size_t shape_count, double depth,
                        bench_pose *poses, size_t count, rigid_error *error) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count; j++) {
      double square = 0.0;
      for (int k = 0; k < 3; k++) {
        const double difference = poses[j].translation[k] - poses[i].translation[k];
        square += difference * difference;
      }
      if (square > 12.0) continue; /* twice the half diagonal of the cube of side 2 */
      void *const pair = pairs[i % shape_count * shape_count + j % shape_count];
      if (!loosen(engine, pair, depth, &poses[i], &poses[j], error)) return false;
    }
  return true;
}

void rigid_poses_move(double step, size_t frame, const bench_pose *poses, bench_pose *poses_out, size_t count) {
  random_stream stream = random_stream_make(RIGID_SEED + frame, MOVE_STREAM);
  for (size_t i = 0; i < count; i++) {
    double turn[9];
    const bench_pose old = poses[i];
    turn_about(random_direction(&stream), step * random_unit(&stream), turn);
    for (int row = 0; row < 3; row++) {
      for (int column = 0; column < 3; column++) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++) sum += turn[3 * row + k] * old.rotation[3 * k + column];
        poses_out[i].rotation[3 * row + column] = sum;
      }
      poses_out[i].translation[row] = old.translation[row] + random_between(&stream, -step, step);
    }
  }
}
