/* Bodies that keep their shape: kinematic ones, and stiff ones, which contacts push and rotate (Mueller, Macklin,
 * Chentanez, Jeschke, Kim: "Detailed rigid body simulation with extended position based dynamics", 2020). The inertia
 * of a stiff body is that of a ball of the same width. Rotations use Cayley's formula instead of sines. */
#include "simulation/simulation_parts.h"

#include <stdlib.h>

enum { HALVINGS_MOST = 12 };

bool body_keeps_shape(const simulated_body *body) {
  return body->kind == BODY_STIFF || body->kind == BODY_KINEMATIC;
}

static point3 turn(const double q[4], point3 v) {
  const point3 u = point3_make(q[1], q[2], q[3]);
  const point3 across = point3_scale(point3_cross(u, v), 2.0);
  return point3_add(point3_add(v, point3_scale(across, q[0])), point3_cross(u, across));
}

/* (1, by / 2) times q, normalized: rotates by about |by| radians. */
static void turn_further(double q[4], point3 by) {
  const point3 h = point3_scale(by, 0.5), u = point3_make(q[1], q[2], q[3]);
  const point3 vector = point3_add(point3_add(u, point3_scale(h, q[0])), point3_cross(h, u));
  const double scalar = q[0] - point3_dot(h, u);
  const double length = sqrt(scalar * scalar + point3_dot(vector, vector));
  q[0] = scalar / length;
  q[1] = vector.x / length;
  q[2] = vector.y / length;
  q[3] = vector.z / length;
}

bool posed_body_start(simulation *world, simulated_body *body) {
  const size_t count = body->particle_count;
  body->rest = malloc((3 * count + 1) * sizeof(double));
  if (body->rest == NULL) return false;
  point3 sum = point3_make(0.0, 0.0, 0.0);
  for (size_t i = 0; i < count; ++i) sum = point3_add(sum, particle_at(world->positions, body->first_particle + i));
  body->pose = (body_pose){point3_scale(sum, 1.0 / (double)(count > 0 ? count : 1)), {1.0, 0.0, 0.0, 0.0}};
  double squares = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const point3 from = point3_minus(particle_at(world->positions, body->first_particle + i), body->pose.center);
    particle_set(body->rest, i, from);
    squares += point3_dot(from, from);
  }
  body->searched = body->predicted = body->pose;
  const bool stiff = body->kind == BODY_STIFF && count > 0;
  body->inverse_mass = stiff ? 1.0 / (double)count : 0.0;
  body->inverse_inertia = stiff && squares > 0.0 ? 1.5 / squares : 0.0;
  return true;
}

void posed_body_place(simulation *world, const simulated_body *body) {
  for (size_t i = 0; i < body->particle_count; ++i) {
    const point3 from = turn(body->predicted.turned, particle_at(body->rest, i));
    particle_set(world->predicted, body->first_particle + i, point3_add(body->predicted.center, from));
  }
}

static bool is_zero(point3 a) {
  return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}

/* A body at rest keeps its exact bits. */
void posed_body_predict(simulation *world, simulated_body *body, double seconds) {
  if (body->kind == BODY_STIFF) {
    body->velocity = point3_add(body->velocity, point3_scale(world->settings.gravity, seconds));
    const double kept = 1.0 - world->settings.drag * seconds;
    body->velocity = point3_scale(body->velocity, kept);
    body->spin = point3_scale(body->spin, kept);
  }
  body->predicted = body->pose;
  if (is_zero(body->velocity) && is_zero(body->spin)) return;
  body->predicted.center = point3_add(body->pose.center, point3_scale(body->velocity, seconds));
  if (!is_zero(body->spin)) turn_further(body->predicted.turned, point3_scale(body->spin, seconds));
  posed_body_place(world, body);
}

point3 posed_body_particle(const simulated_body *body, size_t particle) {
  const point3 from = turn(body->predicted.turned, particle_at(body->rest, particle - body->first_particle));
  return point3_add(body->predicted.center, from);
}

void posed_body_push(simulated_body *body, point3 from, point3 push) {
  body->predicted.center = point3_add(body->predicted.center, point3_scale(push, body->inverse_mass));
  turn_further(body->predicted.turned, point3_scale(point3_cross(from, push), body->inverse_inertia));
}

/* The least fraction by which the motion of a particle stays within its bound; 1 if all do. */
static double allowed_part(const simulation *world, const simulated_body *body) {
  double part = 1.0;
  for (size_t i = body->first_particle; i < body->first_particle + body->particle_count; ++i) {
    const point3 way = point3_minus(particle_at(world->predicted, i), particle_at(world->searched, i));
    const double length = point3_length(way);
    if (length > world->bounds[i] && world->bounds[i] / length < part) part = world->bounds[i] / length;
  }
  return part;
}

static body_pose pose_between(const body_pose *from, const body_pose *to, double part) {
  body_pose pose = {point3_add(from->center, point3_scale(point3_minus(to->center, from->center), part)), {0}};
  double dot = 0.0, square = 0.0;
  for (size_t k = 0; k < 4; ++k) dot += from->turned[k] * to->turned[k];
  for (size_t k = 0; k < 4; ++k) {
    const double other = dot < 0.0 ? -to->turned[k] : to->turned[k];
    pose.turned[k] = from->turned[k] + part * (other - from->turned[k]);
    square += pose.turned[k] * pose.turned[k];
  }
  const double length = sqrt(square);
  for (size_t k = 0; k < 4; ++k) pose.turned[k] /= length;
  return pose;
}

static void stay_at_search(simulation *world, simulated_body *body) {
  body->predicted = body->searched;
  for (size_t i = 3 * body->first_particle; i < 3 * (body->first_particle + body->particle_count); ++i) {
    world->predicted[i] = world->searched[i];
  }
}

void posed_body_hold_back(simulation *world, simulated_body *body) {
  const body_pose wanted = body->predicted;
  double part = 1.0, allowed = allowed_part(world, body);
  for (int round = 0; allowed < 1.0; ++round) {
    if (round == HALVINGS_MOST) {
      stay_at_search(world, body);
      return;
    }
    /* Rotation makes the motion of particles slightly unequal, so less than the bound is allowed. */
    part *= 0.99 * allowed;
    body->predicted = pose_between(&body->searched, &wanted, part);
    posed_body_place(world, body);
    allowed = allowed_part(world, body);
  }
}

/* From one rotation to another, as a vector of radians for small ones. */
static point3 turn_between(const double from[4], const double to[4]) {
  const point3 u = point3_make(from[1], from[2], from[3]), v = point3_make(to[1], to[2], to[3]);
  const double scalar = to[0] * from[0] + point3_dot(v, u);
  const point3 vector =
      point3_minus(point3_minus(point3_scale(v, from[0]), point3_scale(u, to[0])), point3_cross(v, u));
  return scalar == 0.0 ? point3_make(0.0, 0.0, 0.0) : point3_scale(vector, 2.0 / scalar);
}

void posed_body_arrive(simulated_body *body, double seconds) {
  if (body->kind == BODY_STIFF) {
    body->velocity = point3_scale(point3_minus(body->predicted.center, body->pose.center), 1.0 / seconds);
    body->spin = point3_scale(turn_between(body->pose.turned, body->predicted.turned), 1.0 / seconds);
  }
  body->pose = body->predicted;
}
