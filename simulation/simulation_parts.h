/* The internals of the simulation: its arrays, and the functions of its files. */
#ifndef GRAZE_SIMULATION_PARTS_H
#define GRAZE_SIMULATION_PARTS_H

#include "simulation/particle_math.h"
#include "simulation/simulation.h"
#include "simulation/surface_edges.h"
#include "simulation/work_order.h"

typedef enum body_kind { BODY_CLOTH, BODY_SOFT, BODY_STIFF, BODY_KINEMATIC } body_kind;

/* Two particles that keep a distance. */
typedef struct length_constraint {
  uint32_t a, b;
  double rest, stiffness;
} length_constraint;

typedef struct volume_constraint {
  uint32_t corners[4];
  double rest;   /* six times the volume */
  double height; /* the least height, at the last search */
} volume_constraint;

/* The pose of a body that keeps its shape: its center, and its rotation from rest (a unit quaternion). */
typedef struct body_pose {
  point3 center;
  double turned[4];
} body_pose;

typedef struct simulated_body {
  body_kind kind;
  mesh *shape;
  size_t first_particle, particle_count;
  size_t first_triangle, triangle_count;
  size_t first_patch, patch_count;
  graze_object object;
  /* For bodies that keep their shape: positions of particles relative to the center, unrotated; the pose now, at the
   * last search, and predicted; the velocity, and the spin in radians per second. */
  double *rest;
  body_pose pose, searched, predicted;
  point3 velocity, spin;
  /* For stiff bodies: inverse mass and inertia, that of a ball of the same width. */
  double inverse_mass, inverse_inertia;
} simulated_body;

/* Triangles of one body that are close together, and the corners and edges that belong to them: ranges of the world's
 * arrays. */
enum { PATCH_TRIANGLES = 8 };

typedef struct surface_patch {
  uint32_t first_triangle, triangle_end, first_corner, corner_end, first_edge, edge_end;
} surface_patch;

/* Two features near each other: a corner and a triangle, or two edges. */
typedef struct near_pair {
  uint32_t particles[4];
  double distance; /* at the last search */
  bool edges;
} near_pair;

/* Two patches, a <= b, that may have near features. */
typedef struct patch_pair {
  uint32_t a, b;
} patch_pair;

typedef struct near_list {
  near_pair *pairs;
  size_t count, capacity;
  bool failed; /* out of memory */
} near_list;

/* The cached results of a search, for later searches: see near_pairs.c. */
typedef struct patch_memory {
  double *positions; /* positions then, three per particle */
  double *moves;     /* six per patch: the least and greatest displacement of its corners since, on each axis */
  patch_pair *pairs; /* pairs of patches then, */
  size_t *firsts;    /* and the first near pair of each; one more than pairs */
  size_t pair_count, pair_capacity;
  near_pair *near; /* features within the reach plus the excess */
  size_t near_capacity;
  /* The current search: its pairs of patches, and the cached pair of each. */
  patch_pair *present;
  uint32_t *known;
  size_t present_capacity;
} patch_memory;

struct simulation {
  simulation_settings settings;
  simulated_body *bodies;
  size_t body_count;

  size_t particle_count;
  double *positions, *predicted, *velocities; /* three per particle */
  double *weights;                            /* inverse masses: 0 for kinematic particles, and for stiff bodies */
  uint32_t *body_of;
  double *searched; /* positions at the last search, */
  double *bounds;   /* and the bound of each particle's motion from there */

  /* Surfaces: three particles per triangle, two per edge; boxes as six numbers, those of patches grown by half the
   * reach. */
  size_t triangle_count, corner_count, edge_count, patch_count;
  uint32_t *triangles, *corners, *edges;
  surface_patch *patches;
  double *triangle_boxes, *patch_boxes;

  length_constraint *lengths;
  size_t length_count;
  volume_constraint *volumes;
  size_t volume_count;

  /* Concurrent writes: see constraint_blocks.c. */
  uint32_t *block_of;
  size_t block_count, ordered_bodies;
  item_blocks *items;
  size_t item_capacity;
  work_order length_order, volume_order, contact_order;

  near_pair *near;
  size_t near_count, near_capacity;
  near_pair *contacts; /* the same in working order */
  size_t contact_capacity;
  near_list *found; /* the parts of `near`, one list per range of pairs of patches */
  size_t found_capacity;
  patch_memory memory;
  double reach; /* the distance of near pairs */

  graze_workers *workers; /* the same as that of the scene */
  graze_scene *scene;
  graze_pairs candidates;
  simulation_costs costs;
};

/* The fraction of a distance that two sides together may use up until the next search, below 1; and the fraction of the
 * thickness that they never may. */
#define BOUND_PART 0.9
#define UNUSED_PART 1e-4

/* Grows an array in place; false when out of memory, with the old one kept. */
#define GROW(array, count)                                                                                             \
  ((grown = realloc((array), ((count) + 1) * sizeof *(array))) != NULL && ((array) = grown, true))

/* Sorts triangles so that neighbors are together. False when out of memory, as below. */
bool surface_order(const double *positions, uint32_t *triangles, size_t count);

/* Divides the triangles of the body into patches; space for them exists. */
bool surface_patches_add(simulation *world, simulated_body *body, const surface_edge *edges, size_t edge_count);

/* Appends features within a distance of each other, of two patches or within one. */
bool patch_pair_find(const simulation *world, patch_pair pair, double within, near_list *out);

/* Appends those within the reach now, given that none has come nearer than its distance minus `moved`. */
bool near_list_take(const simulation *world, const near_pair *pairs, size_t count, double moved, near_list *out);

/* Finds all near pairs at the current positions, and the bounds. */
graze_result near_pairs_find(simulation *world);

/* Adds the patches of the body as boxes to the scene of the search. */
graze_result near_pairs_add_body(simulation *world, size_t body);

/* Divides the particles of the body into blocks; sorts all lengths and volumes, and the near pairs, in working
 * order. */
bool constraint_blocks_add(simulation *world, const simulated_body *body);
bool constraint_blocks_order(simulation *world);
bool constraint_blocks_order_contacts(simulation *world);

/* Moves predicted positions once towards satisfying the constraints. */
void constraints_project(simulation *world);

/* For bodies that keep their shape. */
bool posed_body_start(simulation *world, simulated_body *body);
bool body_keeps_shape(const simulated_body *body);
void posed_body_predict(simulation *world, simulated_body *body, double seconds);
/* Sets predicted positions from the predicted pose. */
void posed_body_place(simulation *world, const simulated_body *body);
/* Returns the position of a particle by the predicted pose of its body. */
point3 posed_body_particle(const simulated_body *body, size_t particle);
/* Applies a push at a point relative to the center, already divided by the effective mass: moves and rotates the
 * predicted pose. */
void posed_body_push(simulated_body *body, point3 from, point3 push);
/* Moves the predicted pose back towards the pose of the last search as far as the bounds of its particles require. */
void posed_body_hold_back(simulation *world, simulated_body *body);
/* Makes the predicted pose current; velocities of stiff bodies follow from the motion. */
void posed_body_arrive(simulated_body *body, double seconds);

#endif
