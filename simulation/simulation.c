/* The lifetime of a simulation, its bodies, and its frames. */
#include "simulation/simulation_parts.h"

#include "simulation/parallel_ranges.h"
#include "simulation/tetrahedra_skin.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { PARTICLE_GRAIN = 4096, BODY_GRAIN = 16 };

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
  graze_workers_def workers_def = graze_workers_def_default();
  workers_def.worker_count = settings->worker_count;
  graze_scene_def def = graze_scene_def_default();
  if (graze_workers_create(&workers_def, &world->workers) != GRAZE_OK ||
      (def.workers = world->workers, graze_scene_create(&def, &world->scene)) != GRAZE_OK) {
    simulation_destroy(world);
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
  graze_workers_destroy(world->workers);
  for (size_t i = 0; i < world->found_capacity; ++i) free(world->found[i].pairs);
  free(world->found);
  free(world->block_of);
  free(world->items);
  free(world->contacts);
  work_order_free(&world->length_order);
  work_order_free(&world->volume_order);
  work_order_free(&world->contact_order);
  free(world->memory.positions);
  free(world->memory.moves);
  free(world->memory.pairs);
  free(world->memory.firsts);
  free(world->memory.near);
  free(world->memory.present);
  free(world->memory.known);
  free(world->bodies);
  free(world->positions);
  free(world->predicted);
  free(world->velocities);
  free(world->weights);
  free(world->body_of);
  free(world->searched);
  free(world->bounds);
  free(world->triangles);
  free(world->corners);
  free(world->edges);
  free(world->patches);
  free(world->triangle_boxes);
  free(world->patch_boxes);
  free(world->lengths);
  free(world->volumes);
  free(world->near);
  free(world);
}

static bool reserve_particles(simulation *world, size_t count) {
  void *grown;
  return GROW(world->positions, 3 * count) && GROW(world->predicted, 3 * count) && GROW(world->velocities, 3 * count) &&
         GROW(world->searched, 3 * count) && GROW(world->memory.positions, 3 * count) && GROW(world->weights, count) &&
         GROW(world->bounds, count) && GROW(world->body_of, count) && GROW(world->block_of, count);
}

static bool reserve_triangles(simulation *world, size_t count) {
  void *grown;
  return GROW(world->triangles, 3 * count) && GROW(world->triangle_boxes, 6 * count);
}

static bool reserve_patches(simulation *world, size_t patches, size_t corners, size_t edges) {
  void *grown;
  return GROW(world->patches, patches) && GROW(world->patch_boxes, 6 * patches) &&
         GROW(world->memory.moves, 6 * patches) && GROW(world->corners, corners) && GROW(world->edges, 2 * edges);
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

/* The colliding surface, by the numbers of particles, in patches. */
static bool add_surface(simulation *world, simulated_body *body, const uint32_t *triangles, size_t count,
                        surface_edge **edges_out, size_t *edge_count_out) {
  if (!reserve_triangles(world, world->triangle_count + count)) return false;
  uint32_t *added = world->triangles + 3 * world->triangle_count;
  for (size_t i = 0; i < 3 * count; ++i) added[i] = (uint32_t)body->first_particle + triangles[i];
  if (!surface_order(world->positions, added, count)) return false;
  if (!surface_edges_make(added, count, edges_out, edge_count_out)) return false;
  body->first_triangle = world->triangle_count;
  body->triangle_count = count;
  world->triangle_count += count;
  return reserve_patches(world, world->patch_count + count / PATCH_TRIANGLES + 1,
                         world->corner_count + body->particle_count, world->edge_count + *edge_count_out) &&
         surface_patches_add(world, body, *edges_out, *edge_count_out);
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

/* Edges of tetrahedra from those of their faces, each once. */
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
    volume->height = 0.0;
  }
  free(faces);
  free(edges);
  return added;
}

/* A new body with its particles and surface; NULL when out of memory. */
static simulated_body *add_body(simulation *world, body_kind kind, mesh *shape, point3 velocity,
                                surface_edge **edges_out, size_t *edge_count_out) {
  void *grown;
  if (!GROW(world->bodies, world->body_count + 1)) return NULL;
  if (!reserve_particles(world, world->particle_count + shape->vertex_count)) return NULL;
  simulated_body *body = &world->bodies[world->body_count];
  *body = (simulated_body){
      .kind = kind, .shape = shape, .first_particle = world->particle_count, .particle_count = shape->vertex_count};
  add_particles(world, body, velocity);
  if (!constraint_blocks_add(world, body)) return NULL;
  uint32_t *skin = NULL;
  size_t skin_count = 0;
  const bool solid = shape->kind == MESH_TETRAHEDRA;
  bool added = !solid || tetrahedra_skin_make(shape, &skin, &skin_count);
  added = added && add_surface(world, body, solid ? skin : shape->triangles, solid ? skin_count : shape->triangle_count,
                               edges_out, edge_count_out);
  free(skin);
  if (!added) return NULL;
  ++world->body_count;
  world->memory.pair_count = 0;
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

bool simulation_add_kinematic(simulation *world, mesh *shape) {
  return add_posed(world, BODY_KINEMATIC, shape, no_motion);
}

void simulation_set_motion(simulation *world, size_t number, point3 velocity, point3 spin) {
  world->bodies[number].velocity = velocity;
  world->bodies[number].spin = spin;
}

void simulation_pin(simulation *world, size_t number, size_t vertex, point3 velocity) {
  world->weights[world->bodies[number].first_particle + vertex] = 0.0;
  particle_set(world->velocities, world->bodies[number].first_particle + vertex, velocity);
}

point3 simulation_center(const simulation *world, size_t number) {
  return world->bodies[number].pose.center;
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

/* ------------------------------------------------------------------------------------------------ a step */

typedef struct step_job {
  simulation *world;
  double seconds;
  atomic_bool search_is_due;
} step_job;

static void predict_particles(void *context, size_t first, size_t end) {
  const step_job *job = context;
  simulation *world = job->world;
  const point3 fall = point3_scale(world->settings.gravity, job->seconds);
  const double kept = 1.0 - world->settings.drag * job->seconds;
  memcpy(world->predicted + 3 * first, world->positions + 3 * first, 3 * (end - first) * sizeof(double));
  for (size_t i = first; i < end; ++i) {
    if (world->weights[i] <= 0.0) {
      /* Zero for bodies that keep their shape. */
      particle_move(world->predicted, i, particle_at(world->velocities, i), job->seconds);
      continue;
    }
    const point3 velocity = point3_scale(point3_add(particle_at(world->velocities, i), fall), kept);
    particle_set(world->velocities, i, velocity);
    particle_move(world->predicted, i, velocity, job->seconds);
  }
}

static void predict_bodies(void *context, size_t first, size_t end) {
  const step_job *job = context;
  for (size_t i = first; i < end; ++i) {
    simulated_body *body = &job->world->bodies[i];
    if (body_keeps_shape(body)) posed_body_predict(job->world, body, job->seconds);
  }
}

/* Half of a bound may be used up before a search is due: until then, nothing that was out of reach is nearer than the
 * thickness. */
static void check_bounds(void *context, size_t first, size_t end) {
  step_job *job = context;
  const simulation *world = job->world;
  bool due = false;
  for (size_t i = first; i < end; ++i) {
    const point3 way = point3_minus(particle_at(world->predicted, i), particle_at(world->searched, i));
    due = due || point3_length(way) > 0.5 * world->bounds[i];
  }
  if (due) atomic_store_explicit(&job->search_is_due, true, memory_order_relaxed);
}

static graze_result search(simulation *world) {
  const graze_result result = near_pairs_find(world);
  for (size_t i = 0; i < world->body_count; ++i) world->bodies[i].searched = world->bodies[i].pose;
  return result;
}

static void hold_back_particles(void *context, size_t first, size_t end) {
  const step_job *job = context;
  simulation *world = job->world;
  for (size_t i = first; i < end; ++i) {
    const point3 from = particle_at(world->searched, i), way = point3_minus(particle_at(world->predicted, i), from);
    const double length = point3_length(way);
    if (length <= world->bounds[i] || body_keeps_shape(&world->bodies[world->body_of[i]])) continue;
    particle_set(world->predicted, i, point3_add(from, point3_scale(way, world->bounds[i] / length)));
  }
}

static void hold_back_bodies(void *context, size_t first, size_t end) {
  const step_job *job = context;
  for (size_t i = first; i < end; ++i) {
    simulated_body *body = &job->world->bodies[i];
    if (body->kind == BODY_STIFF) posed_body_place(job->world, body);
    if (body_keeps_shape(body)) posed_body_hold_back(job->world, body);
  }
}

static void arrive_particles(void *context, size_t first, size_t end) {
  const step_job *job = context;
  simulation *world = job->world;
  for (size_t i = first; i < end; ++i) {
    if (world->weights[i] <= 0.0) continue;
    const point3 way = point3_minus(particle_at(world->predicted, i), particle_at(world->positions, i));
    particle_set(world->velocities, i, point3_scale(way, 1.0 / job->seconds));
  }
  memcpy(world->positions + 3 * first, world->predicted + 3 * first, 3 * (end - first) * sizeof(double));
}

static void arrive_bodies(void *context, size_t first, size_t end) {
  const step_job *job = context;
  for (size_t i = first; i < end; ++i) {
    if (body_keeps_shape(&job->world->bodies[i])) posed_body_arrive(&job->world->bodies[i], job->seconds);
  }
}

static void for_particles(step_job *job, range_body *body) {
  parallel_ranges(job->world->workers, job->world->particle_count, PARTICLE_GRAIN, body, job);
}

static void for_bodies(step_job *job, range_body *body) {
  parallel_ranges(job->world->workers, job->world->body_count, BODY_GRAIN, body, job);
}

static graze_result step(simulation *world, double seconds, uint32_t iterations) {
  step_job job = {.world = world, .seconds = seconds};
  for_particles(&job, predict_particles);
  for_bodies(&job, predict_bodies);
  if (world->costs.searches > 0) for_particles(&job, check_bounds);
  if (world->costs.searches == 0 || atomic_load(&job.search_is_due)) {
    const graze_result result = search(world);
    if (result != GRAZE_OK) return result;
  }
  for (uint32_t i = 0; i < iterations; ++i) constraints_project(world);
  for_particles(&job, hold_back_particles);
  for_bodies(&job, hold_back_bodies);
  for_particles(&job, arrive_particles);
  for_bodies(&job, arrive_bodies);
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

/* As many in a frame of many steps as in one of few, but at least two per step: short steps need fewer (Macklin,
 * Storey, Lu, et al.: "Small steps in physics simulation", 2019). */
static uint32_t iteration_count(const simulation *world, uint32_t steps) {
  const uint32_t most = world->settings.iterations, few = most < 2 ? most : 2;
  const uint32_t count = (most * world->settings.least_steps + steps - 1) / steps;
  return count < few ? few : count > most ? most : count;
}

graze_result simulation_advance(simulation *world) {
  const uint32_t steps = step_count(world), iterations = iteration_count(world, steps);
  graze_result result = constraint_blocks_order(world) ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
  for (uint32_t i = 0; result == GRAZE_OK && i < steps; ++i)
    result = step(world, world->settings.frame_seconds / (double)steps, iterations);
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
