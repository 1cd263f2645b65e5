/* The life of a simulation, its bodies, and its frames. */
#include "simulation/simulation_parts.h"

#include "simulation/tetrahedra_skin.h"

#include <stdlib.h>
#include <string.h>

simulation_settings simulation_settings_default(void) {
  return (simulation_settings){.gravity = {0.0, -1.0, 0.0},
                               .thickness = 0.0,
                               .frame_seconds = 1.0 / 30.0,
                               .drag = 0.5,
                               .friction = 0.3,
                               .iterations = 4,
                               .least_steps = 6,
                               .most_steps = 40};
}

simulation *simulation_create(const simulation_settings *settings) {
  simulation *world = calloc(1, sizeof *world);
  if (world == NULL) return NULL;
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = settings->worker_count;
  if (graze_scene_create(&def, &world->scene) != GRAZE_OK) {
    free(world);
    return NULL;
  }
  world->settings = *settings;
  world->reach = 2.0 * settings->thickness;
  return world;
}

void simulation_destroy(simulation *world) {
  if (world == NULL) return;
  for (size_t i = 0; i < world->body_count; ++i) free(world->bodies[i].rest);
  graze_pairs_free(&world->candidates);
  graze_scene_destroy(world->scene);
  free(world->bodies);
  free(world->positions);
  free(world->predicted);
  free(world->velocities);
  free(world->weights);
  free(world->body_of);
  free(world->searched);
  free(world->bounds);
  free(world->triangles);
  free(world->owned);
  free(world->boxes);
  free(world->lengths);
  free(world->volumes);
  free(world->near);
  free(world);
}

/* Grows an array in place; false when memory is out, with the old one kept. */
#define GROW(array, count)                                                                                             \
  ((grown = realloc((array), ((count) + 1) * sizeof *(array))) != NULL && ((array) = grown, true))

static bool reserve_particles(simulation *world, size_t count) {
  void *grown;
  return GROW(world->positions, 3 * count) && GROW(world->predicted, 3 * count) && GROW(world->velocities, 3 * count) &&
         GROW(world->searched, 3 * count) && GROW(world->weights, count) && GROW(world->bounds, count) &&
         GROW(world->body_of, count);
}

static bool reserve_triangles(simulation *world, size_t count) {
  void *grown;
  return GROW(world->triangles, 3 * count) && GROW(world->owned, count) && GROW(world->boxes, 6 * count);
}

static void add_particles(simulation *world, simulated_body *body, point3 velocity) {
  const bool free_ones = !body_keeps_shape(body);
  memcpy(world->positions + 3 * body->first_particle, body->shape->positions,
         3 * body->particle_count * sizeof(double));
  for (size_t i = body->first_particle; i < body->first_particle + body->particle_count; ++i) {
    particle_set(world->velocities, i, free_ones ? velocity : point3_make(0.0, 0.0, 0.0));
    world->weights[i] = free_ones ? 1.0 : 0.0;
    world->body_of[i] = (uint32_t)(world->body_count);
  }
  world->particle_count += body->particle_count;
  memcpy(world->predicted, world->positions, 3 * world->particle_count * sizeof(double));
}

/* The surface that collides, by the numbers of particles, and which corners and sides count as whose. */
static bool add_surface(simulation *world, simulated_body *body, const uint32_t *triangles, size_t count,
                        surface_edge **edges_out, size_t *edge_count_out) {
  if (!reserve_triangles(world, world->triangle_count + count)) return false;
  uint32_t *added = world->triangles + 3 * world->triangle_count;
  for (size_t i = 0; i < 3 * count; ++i) added[i] = (uint32_t)body->first_particle + triangles[i];
  uint8_t *owned = world->owned + world->triangle_count;
  uint8_t *seen = calloc(body->particle_count + 1, 1);
  if (seen == NULL || !surface_edges_make(added, count, edges_out, edge_count_out)) {
    free(seen);
    return false;
  }
  memset(owned, 0, count);
  for (size_t i = 0; i < 3 * count; ++i) {
    if (seen[triangles[i]]) continue;
    seen[triangles[i]] = 1;
    owned[i / 3] |= (uint8_t)(1U << (i % 3));
  }
  for (size_t i = 0; i < *edge_count_out; ++i) {
    const surface_edge *edge = &(*edges_out)[i];
    owned[edge->owner] |= (uint8_t)(1U << (3 + edge->side));
  }
  free(seen);
  body->first_triangle = world->triangle_count;
  body->triangle_count = count;
  memset(world->boxes + 6 * world->triangle_count, 0, 6 * count * sizeof(double));
  world->triangle_count += count;
  return true;
}

static double distance_of(const simulation *world, uint32_t a, uint32_t b) {
  return point3_length(point3_minus(particle_at(world->positions, b), particle_at(world->positions, a)));
}

static void add_length(simulation *world, uint32_t a, uint32_t b, double stiffness) {
  world->lengths[world->length_count++] = (length_constraint){a, b, distance_of(world, a, b), stiffness};
}

static bool add_cloth_lengths(simulation *world, const surface_edge *edges, size_t edge_count, double bending) {
  void *grown;
  if (!GROW(world->lengths, world->length_count + 2 * edge_count)) return false;
  for (size_t i = 0; i < edge_count; ++i) add_length(world, edges[i].a, edges[i].b, 1.0);
  for (size_t i = 0; bending > 0.0 && i < edge_count; ++i) {
    if (edges[i].opposite[1] != SURFACE_EDGE_NONE)
      add_length(world, edges[i].opposite[0], edges[i].opposite[1], bending);
  }
  return true;
}

static double six_volumes(const simulation *world, const uint32_t corners[4]) {
  const point3 a = particle_at(world->positions, corners[0]);
  const point3 ab = point3_minus(particle_at(world->positions, corners[1]), a);
  const point3 ac = point3_minus(particle_at(world->positions, corners[2]), a);
  const point3 ad = point3_minus(particle_at(world->positions, corners[3]), a);
  return point3_dot(point3_cross(ab, ac), ad);
}

/* Edges of tetrahedra by those of their faces, each once. */
static bool add_soft_constraints(simulation *world, const simulated_body *body, double stiffness) {
  const mesh *shape = body->shape;
  uint32_t *faces = malloc((12 * shape->tetrahedron_count + 1) * sizeof *faces);
  surface_edge *edges = NULL;
  size_t edge_count = 0;
  void *grown;
  bool added = faces != NULL;
  for (size_t i = 0; added && i < shape->tetrahedron_count; ++i) {
    static const uint8_t sides[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    for (size_t k = 0; k < 12; ++k) {
      faces[12 * i + k] = (uint32_t)body->first_particle + shape->tetrahedra[4 * i + sides[k]];
    }
  }
  added = added && surface_edges_make(faces, 4 * shape->tetrahedron_count, &edges, &edge_count) &&
          GROW(world->lengths, world->length_count + edge_count) &&
          GROW(world->volumes, world->volume_count + shape->tetrahedron_count);
  for (size_t i = 0; added && i < edge_count; ++i) add_length(world, edges[i].a, edges[i].b, stiffness);
  for (size_t i = 0; added && i < shape->tetrahedron_count; ++i) {
    volume_constraint *volume = &world->volumes[world->volume_count++];
    for (size_t k = 0; k < 4; ++k) volume->corners[k] = (uint32_t)body->first_particle + shape->tetrahedra[4 * i + k];
    volume->rest = six_volumes(world, volume->corners);
  }
  free(faces);
  free(edges);
  return added;
}

/* A new body with its particles and surface; NULL when memory is out. */
static simulated_body *add_body(simulation *world, body_kind kind, mesh *shape, point3 velocity,
                                surface_edge **edges_out, size_t *edge_count_out) {
  void *grown;
  if (!GROW(world->bodies, world->body_count + 1)) return NULL;
  if (!reserve_particles(world, world->particle_count + shape->vertex_count)) return NULL;
  simulated_body *body = &world->bodies[world->body_count];
  *body = (simulated_body){
      .kind = kind, .shape = shape, .first_particle = world->particle_count, .particle_count = shape->vertex_count};
  add_particles(world, body, velocity);
  uint32_t *skin = NULL;
  size_t skin_count = 0;
  const bool solid = shape->kind == MESH_TETRAHEDRA;
  bool added = !solid || tetrahedra_skin_make(shape, &skin, &skin_count);
  added = added && add_surface(world, body, solid ? skin : shape->triangles, solid ? skin_count : shape->triangle_count,
                               edges_out, edge_count_out);
  free(skin);
  if (!added) return NULL;
  ++world->body_count;
  return near_pairs_add_body(world, world->body_count - 1) == GRAZE_OK ? body : NULL;
}

static const point3 no_motion = {0.0, 0.0, 0.0};

bool simulation_add_cloth(simulation *world, mesh *shape, double bending) {
  surface_edge *edges = NULL;
  size_t edge_count = 0;
  const bool added = add_body(world, BODY_CLOTH, shape, no_motion, &edges, &edge_count) != NULL &&
                     add_cloth_lengths(world, edges, edge_count, bending);
  free(edges);
  return added;
}

bool simulation_add_soft(simulation *world, mesh *shape, double stiffness, point3 velocity) {
  surface_edge *edges = NULL;
  size_t edge_count = 0;
  const simulated_body *body = add_body(world, BODY_SOFT, shape, velocity, &edges, &edge_count);
  free(edges);
  return body != NULL && add_soft_constraints(world, body, stiffness);
}

static bool add_posed(simulation *world, body_kind kind, mesh *shape, point3 velocity) {
  surface_edge *edges = NULL;
  size_t edge_count = 0;
  simulated_body *body = add_body(world, kind, shape, velocity, &edges, &edge_count);
  free(edges);
  if (body == NULL || !posed_body_start(world, body)) return false;
  body->velocity = velocity;
  return true;
}

bool simulation_add_stiff(simulation *world, mesh *shape, point3 velocity) {
  return add_posed(world, BODY_STIFF, shape, velocity);
}

bool simulation_add_told(simulation *world, mesh *shape) {
  return add_posed(world, BODY_TOLD, shape, no_motion);
}

void simulation_tell(simulation *world, size_t number, point3 velocity, point3 spin) {
  world->bodies[number].velocity = velocity;
  world->bodies[number].spin = spin;
}

void simulation_pin(simulation *world, size_t number, size_t vertex, point3 velocity) {
  world->weights[world->bodies[number].first_particle + vertex] = 0.0;
  particle_set(world->velocities, world->bodies[number].first_particle + vertex, velocity);
}

point3 simulation_centre(const simulation *world, size_t number) {
  return world->bodies[number].pose.centre;
}

void simulation_push(simulation *world, size_t number, point3 velocity, point3 spin) {
  world->bodies[number].velocity = point3_add(world->bodies[number].velocity, velocity);
  world->bodies[number].spin = point3_add(world->bodies[number].spin, spin);
}

void simulation_drive(simulation *world, size_t number, point3 velocity) {
  const simulated_body *body = &world->bodies[number];
  for (size_t i = body->first_particle; i < body->first_particle + body->particle_count; ++i) {
    if (world->weights[i] > 0.0) particle_move(world->velocities, i, velocity, 1.0);
  }
}

static void predict(simulation *world, double seconds) {
  const point3 fall = point3_scale(world->settings.gravity, seconds);
  const double kept = 1.0 - world->settings.drag * seconds;
  memcpy(world->predicted, world->positions, 3 * world->particle_count * sizeof(double));
  for (size_t i = 0; i < world->particle_count; ++i) {
    if (world->weights[i] <= 0.0) {
      /* Of bodies that keep their shape it is zero. */
      particle_move(world->predicted, i, particle_at(world->velocities, i), seconds);
      continue;
    }
    const point3 velocity = point3_scale(point3_add(particle_at(world->velocities, i), fall), kept);
    particle_set(world->velocities, i, velocity);
    particle_move(world->predicted, i, velocity, seconds);
  }
  for (size_t i = 0; i < world->body_count; ++i) {
    if (body_keeps_shape(&world->bodies[i])) posed_body_predict(world, &world->bodies[i], seconds);
  }
}

/* The greatest part of its bound that a particle would use up. */
static double used_part(const simulation *world) {
  double most = 0.0;
  for (size_t i = 0; i < world->particle_count; ++i) {
    const double length =
        point3_length(point3_minus(particle_at(world->predicted, i), particle_at(world->searched, i)));
    if (length > most * world->bounds[i]) most = world->bounds[i] > 0.0 ? length / world->bounds[i] : 1e9;
  }
  return most;
}

static graze_result search(simulation *world) {
  const graze_result result = near_pairs_find(world);
  for (size_t i = 0; i < world->body_count; ++i) world->bodies[i].searched = world->bodies[i].pose;
  return result;
}

static void hold_back(simulation *world) {
  for (size_t i = 0; i < world->body_count; ++i) {
    if (world->bodies[i].kind == BODY_STIFF) posed_body_place(world, &world->bodies[i]);
  }
  for (size_t i = 0; i < world->particle_count; ++i) {
    const point3 from = particle_at(world->searched, i), way = point3_minus(particle_at(world->predicted, i), from);
    const double length = point3_length(way);
    if (length <= world->bounds[i] || body_keeps_shape(&world->bodies[world->body_of[i]])) continue;
    particle_set(world->predicted, i, point3_add(from, point3_scale(way, world->bounds[i] / length)));
  }
  for (size_t i = 0; i < world->body_count; ++i) {
    if (body_keeps_shape(&world->bodies[i])) posed_body_hold_back(world, &world->bodies[i]);
  }
}

static void arrive(simulation *world, double seconds) {
  for (size_t i = 0; i < world->particle_count; ++i) {
    if (world->weights[i] <= 0.0) continue;
    const point3 way = point3_minus(particle_at(world->predicted, i), particle_at(world->positions, i));
    particle_set(world->velocities, i, point3_scale(way, 1.0 / seconds));
  }
  memcpy(world->positions, world->predicted, 3 * world->particle_count * sizeof(double));
  for (size_t i = 0; i < world->body_count; ++i) {
    if (body_keeps_shape(&world->bodies[i])) posed_body_arrive(&world->bodies[i], seconds);
  }
}

/* Half of a bound may be used up before a search is due: then nothing that was out of reach is nearer than the
 * thickness yet. */
static graze_result step(simulation *world, double seconds) {
  predict(world, seconds);
  if (world->costs.searches == 0 || used_part(world) > 0.5) {
    const graze_result result = search(world);
    if (result != GRAZE_OK) return result;
  }
  for (uint32_t i = 0; i < world->settings.iterations; ++i) constraints_project(world);
  hold_back(world);
  arrive(world, seconds);
  ++world->costs.steps;
  return GRAZE_OK;
}

static double greatest_speed(const simulation *world) {
  double most = 0.0;
  for (size_t i = 0; i < world->particle_count; ++i) {
    const double speed = point3_length(particle_at(world->velocities, i));
    most = speed > most ? speed : most;
  }
  for (size_t i = 0; i < world->body_count; ++i) {
    const double speed = point3_length(world->bodies[i].velocity);
    most = speed > most ? speed : most;
  }
  return most + point3_length(world->settings.gravity) * world->settings.frame_seconds;
}

static uint32_t step_count(const simulation *world) {
  const double wanted = greatest_speed(world) * world->settings.frame_seconds / (0.5 * BOUND_PART * world->reach);
  const double most = (double)world->settings.most_steps;
  const uint32_t count = wanted < most ? (uint32_t)wanted + 1 : world->settings.most_steps;
  return count > world->settings.least_steps ? count : world->settings.least_steps;
}

graze_result simulation_advance(simulation *world) {
  const uint32_t steps = step_count(world);
  graze_result result = GRAZE_OK;
  for (uint32_t i = 0; result == GRAZE_OK && i < steps; ++i)
    result = step(world, world->settings.frame_seconds / (double)steps);
  for (size_t i = 0; i < world->body_count; ++i) {
    const simulated_body *body = &world->bodies[i];
    memcpy(body->shape->positions, world->positions + 3 * body->first_particle,
           3 * body->particle_count * sizeof(double));
  }
  return result;
}

simulation_costs simulation_get_costs(const simulation *world) {
  return world->costs;
}
