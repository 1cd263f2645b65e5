/* The simulation from inside: its arrays, and what its files do for each other. */
#ifndef GRAZE_SIMULATION_PARTS_H
#define GRAZE_SIMULATION_PARTS_H

#include "simulation/particle_math.h"
#include "simulation/simulation.h"
#include "simulation/surface_edges.h"

typedef enum body_kind { BODY_CLOTH, BODY_SOFT, BODY_STIFF, BODY_TOLD } body_kind;

/* Two particles that keep a distance. */
typedef struct length_constraint {
  uint32_t a, b;
  double rest, stiffness;
} length_constraint;

typedef struct volume_constraint {
  uint32_t corners[4];
  double rest; /* six times the volume */
} volume_constraint;

/* Where a body that keeps its shape is: its centre, and how it is turned from its rest (a unit quaternion). */
typedef struct body_pose {
  point3 centre;
  double turned[4];
} body_pose;

typedef struct simulated_body {
  body_kind kind;
  mesh *shape;
  size_t first_particle, particle_count;
  size_t first_triangle, triangle_count;
  graze_object object;
  /* Of bodies that keep their shape: positions of particles from the centre while it is not turned; where it is, where
   * it was at the last search, where it is to be; how it moves, and how fast it turns, in radians a second. */
  double *rest;
  body_pose pose, searched, predicted;
  point3 velocity, spin;
  /* Of stiff ones: inverse mass and inertia, that of a ball as wide. */
  double inverse_mass, inverse_inertia;
} simulated_body;

/* Two features that are near each other: a corner and a triangle, or two edges. */
typedef struct near_pair {
  uint32_t particles[4];
  bool edges;
} near_pair;

struct simulation {
  simulation_settings settings;
  simulated_body *bodies;
  size_t body_count;

  size_t particle_count;
  double *positions, *predicted, *velocities; /* three a particle */
  double *weights;                            /* inverse masses: 0 for what nothing pushes, and for stiff bodies */
  uint32_t *body_of;
  double *searched; /* positions at the last search, */
  double *bounds;   /* and how far each may be from there */

  size_t triangle_count;
  uint32_t *triangles;
  uint8_t *owned; /* bits 0 to 2: corners that count as the triangle's, bits 3 to 5: sides */
  double *boxes;  /* six a triangle: grown by half the reach */

  length_constraint *lengths;
  size_t length_count;
  volume_constraint *volumes;
  size_t volume_count;

  near_pair *near;
  size_t near_count, near_capacity;
  double reach; /* within which pairs are near */

  graze_scene *scene;
  graze_pairs candidates;
  simulation_costs costs;
};

/* The part of a distance that two sides may use up together until the next search, below 1; and the part of the
 * thickness that they may never. */
#define BOUND_PART 0.9
#define UNUSED_PART 1e-4

/* Finds all near pairs at the present positions, and the bounds. */
graze_result near_pairs_find(simulation *world);

/* The body's triangles as boxes in the scene of the search. */
graze_result near_pairs_add_body(simulation *world, size_t body);

/* Moves predicted positions towards what the constraints ask for, once. */
void constraints_project(simulation *world);

/* Bodies that keep their shape. */
bool posed_body_start(simulation *world, simulated_body *body);
bool body_keeps_shape(const simulated_body *body);
void posed_body_predict(simulation *world, simulated_body *body, double seconds);
/* Makes predicted positions what the predicted pose says. */
void posed_body_place(simulation *world, const simulated_body *body);
/* Where a particle of the body is by its predicted pose, whether it was placed or not. */
point3 posed_body_particle(const simulated_body *body, size_t particle);
/* A push at a point from the centre, already divided by what it meets: moves and turns the predicted pose. */
void posed_body_push(simulated_body *body, point3 from, point3 push);
/* Goes back towards the pose of the last search, as far as the bounds of the body's particles ask for. */
void posed_body_hold_back(simulation *world, simulated_body *body);
/* The predicted pose becomes the pose; velocities of stiff bodies follow from the way. */
void posed_body_arrive(simulated_body *body, double seconds);

#endif
