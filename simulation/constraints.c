/* Solves constraints one after the other (Gauss-Seidel), each by its full correction. Constraints without common
 * particles run concurrently, in an order that does not depend on the workers (work_order.h). Workload: three lengths
 * per triangle, as many bending constraints, and a hundred to a hundred thousand contacts, several times per step. */
#include "simulation/simulation_parts.h"

static void project_lengths(void *context, size_t first, size_t end) {
  simulation *world = context;
  double *p = world->predicted;
  for (size_t i = first; i < end; ++i) {
    const length_constraint *c = &world->lengths[i];
    const double sum = world->weights[c->a] + world->weights[c->b];
    const point3 along = point3_minus(particle_at(p, c->b), particle_at(p, c->a));
    const double length = point3_length(along);
    if (sum <= 0.0 || length <= 0.0) continue;
    const double by = c->stiffness * (length - c->rest) / (length * sum);
    particle_move(p, c->a, along, world->weights[c->a] * by);
    particle_move(p, c->b, along, -world->weights[c->b] * by);
  }
}

static void project_volumes(void *context, size_t first, size_t end) {
  simulation *world = context;
  double *p = world->predicted;
  for (size_t i = first; i < end; ++i) {
    const volume_constraint *c = &world->volumes[i];
    const point3 a = particle_at(p, c->corners[0]);
    const point3 ab = point3_minus(particle_at(p, c->corners[1]), a);
    const point3 ac = point3_minus(particle_at(p, c->corners[2]), a);
    const point3 ad = point3_minus(particle_at(p, c->corners[3]), a);
    point3 gradients[4];
    gradients[1] = point3_cross(ac, ad);
    gradients[2] = point3_cross(ad, ab);
    gradients[3] = point3_cross(ab, ac);
    gradients[0] = point3_scale(point3_add(point3_add(gradients[1], gradients[2]), gradients[3]), -1.0);
    double sum = 0.0;
    for (size_t k = 0; k < 4; ++k) sum += world->weights[c->corners[k]] * point3_dot(gradients[k], gradients[k]);
    if (sum <= 0.0) continue;
    const double by = (c->rest - point3_dot(gradients[1], ab)) / sum;
    for (size_t k = 0; k < 4; ++k) particle_move(p, c->corners[k], gradients[k], by * world->weights[c->corners[k]]);
  }
}

/* A near pair at present: its particles, and their signed weights, whose weighted sum is the vector between the nearest
 * points. */
typedef struct pair_state {
  point3 points[4];
  double shares[4];
} pair_state;

static point3 present_position(const simulation *world, uint32_t particle) {
  const simulated_body *body = &world->bodies[world->body_of[particle]];
  return body->kind == BODY_STIFF ? posed_body_particle(body, particle) : particle_at(world->predicted, particle);
}

static pair_state state_of(const simulation *world, const near_pair *pair) {
  pair_state state;
  point3 *p = state.points;
  for (size_t k = 0; k < 4; ++k) p[k] = present_position(world, pair->particles[k]);
  if (pair->edges) {
    double s, t;
    nearest_of_segments(p[0], p[1], p[2], p[3], &s, &t);
    state.shares[0] = 1.0 - s;
    state.shares[1] = s;
    state.shares[2] = t - 1.0;
    state.shares[3] = -t;
    return state;
  }
  double w[3];
  nearest_of_triangle(p[0], p[1], p[2], p[3], w);
  state.shares[0] = 1.0;
  for (size_t k = 0; k < 3; ++k) state.shares[k + 1] = -w[k];
  return state;
}

static point3 shared_sum(const point3 points[4], const double shares[4]) {
  point3 sum = point3_scale(points[0], shares[0]);
  for (size_t k = 1; k < 4; ++k) sum = point3_add(sum, point3_scale(points[k], shares[k]));
  return sum;
}

/* One side of a pair: some of its particles, and its compliance. */
typedef struct pair_side {
  size_t first, end;
  simulated_body *stiff; /* NULL: free particles */
  point3 from;           /* the nearest point, relative to the center of the stiff body */
  double weight, sign;
} pair_side;

static pair_side side_of(simulation *world, const near_pair *pair, const pair_state *state, bool second,
                         point3 normal) {
  const size_t middle = pair->edges ? 2 : 1;
  pair_side side = {second ? middle : 0, second ? 4 : middle, NULL, {0, 0, 0}, 0.0, second ? -1.0 : 1.0};
  simulated_body *body = &world->bodies[world->body_of[pair->particles[side.first]]];
  if (body->kind != BODY_STIFF) {
    for (size_t k = side.first; k < side.end; ++k) {
      side.weight += world->weights[pair->particles[k]] * state->shares[k] * state->shares[k];
    }
    return side;
  }
  point3 point = point3_make(0.0, 0.0, 0.0);
  for (size_t k = side.first; k < side.end; ++k) {
    point = point3_add(point, point3_scale(state->points[k], side.sign * state->shares[k]));
  }
  side.stiff = body;
  side.from = point3_minus(point, body->predicted.center);
  const point3 arm = point3_cross(side.from, normal);
  side.weight = body->inverse_mass + body->inverse_inertia * point3_dot(arm, arm);
  return side;
}

static void push_side(simulation *world, const near_pair *pair, const pair_state *state, const pair_side *side,
                      point3 by) {
  if (side->stiff != NULL) {
    posed_body_push(side->stiff, side->from, point3_scale(by, side->sign));
    return;
  }
  for (size_t k = side->first; k < side->end; ++k) {
    particle_move(world->predicted, pair->particles[k], by, world->weights[pair->particles[k]] * state->shares[k]);
  }
}

/* Separates features nearer than the thickness, and applies friction by a fraction of that push. */
static void project_contact(simulation *world, const near_pair *pair) {
  const double thickness = world->settings.thickness;
  const pair_state state = state_of(world, pair);
  const point3 apart = shared_sum(state.points, state.shares);
  const double square = point3_dot(apart, apart);
  if (square >= thickness * thickness || square <= 0.0) return;
  const double distance = sqrt(square), depth = thickness - distance;
  const point3 normal = point3_scale(apart, 1.0 / distance);
  const pair_side first = side_of(world, pair, &state, false, normal),
                  second = side_of(world, pair, &state, true, normal);
  const double sum = first.weight + second.weight;
  if (sum <= 0.0) return;
  point3 before[4];
  for (size_t k = 0; k < 4; ++k) before[k] = particle_at(world->positions, pair->particles[k]);
  point3 slide = point3_minus(apart, shared_sum(before, state.shares));
  slide = point3_minus(slide, point3_scale(normal, point3_dot(slide, normal)));
  const double length = point3_length(slide), hold = world->settings.friction * depth;
  const double held = length <= 0.0 ? 0.0 : length <= hold ? 1.0 : hold / length;
  const point3 by = point3_scale(point3_minus(point3_scale(normal, depth), point3_scale(slide, held)), 1.0 / sum);
  push_side(world, pair, &state, &first, by);
  push_side(world, pair, &state, &second, by);
}

static void project_contacts(void *context, size_t first, size_t end) {
  simulation *world = context;
  for (size_t i = first; i < end; ++i) project_contact(world, &world->contacts[i]);
}

void constraints_project(simulation *world) {
  work_order_run(&world->length_order, world->workers, project_lengths, world);
  work_order_run(&world->volume_order, world->workers, project_volumes, world);
  work_order_run(&world->contact_order, world->workers, project_contacts, world);
}
