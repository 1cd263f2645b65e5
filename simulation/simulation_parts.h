/* The simulation from inside: its arrays, and what its files do for each other. */
#ifndef GRAZE_SIMULATION_PARTS_H
#define GRAZE_SIMULATION_PARTS_H

#include "simulation/particle_math.h"
#include "simulation/simulation.h"
#include "simulation/surface_edges.h"
#include "simulation/work_order.h"

typedef enum body_kind { BODY_CLOTH, BODY_SOFT, BODY_STIFF, BODY_TOLD } body_kind;

/* Two particles that keep a distance. */
typedef struct length_constraint {
  uint32_t a, b;
  double rest, stiffness;
} length_constraint;

typedef struct volume_constraint {
  uint32_t corners[4];
  double rest;   /* six times the volume */
  double height; /* the least one, at the last search */
} volume_constraint;

/* Where a body that keeps its shape is: its center, and how it is turned from its rest (a unit quaternion). */
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
  /* Of bodies that keep their shape: positions of particles from the center while it is not turned; where it is, where
   * it was at the last search, where it is to be; how it moves, and how fast it turns, in radians a second. */
  double *rest;
  body_pose pose, searched, predicted;
  point3 velocity, spin;
  /* Of stiff ones: inverse mass and inertia, that of a ball as wide. */
  double inverse_mass, inverse_inertia;
} simulated_body;

/* Triangles of one body that lie together, and the corners and edges that count as theirs: ranges of the world's. */
enum { PATCH_TRIANGLES = 8 };

typedef struct surface_patch {
  uint32_t first_triangle, triangle_end, first_corner, corner_end, first_edge, edge_end;
} surface_patch;

/* Two features that are near each other: a corner and a triangle, or two edges. */
typedef struct near_pair {
  uint32_t particles[4];
  double distance; /* at the last search */
  bool edges;
} near_pair;

/* Two patches, a <= b, that may have something near each other. */
typedef struct patch_pair {
  uint32_t a, b;
} patch_pair;

typedef struct near_list {
  near_pair *pairs;
  size_t count, capacity;
  bool failed; /* memory is out */
} near_list;

/* What is remembered of a search, for those that follow: see near_pairs.c. */
typedef struct patch_memory {
  double *positions; /* three a particle, as they were then */
  double *moves;     /* six a patch: the least and the greatest way of its corners since, on each axis */
  patch_pair *pairs; /* of patches, as they came up then, */
  size_t *firsts;    /* and where their near ones begin; one more than pairs */
  size_t pair_count, pair_capacity;
  near_pair *near; /* nearer than the reach and some more */
  size_t near_capacity;
  /* Of the search that is made now: its pairs of patches, and which of the remembered ones each still is. */
  patch_pair *present;
  uint32_t *known;
  size_t present_capacity;
} patch_memory;

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

  /* Surfaces: three particles a triangle, two an edge; boxes as six numbers, those of patches grown by half the
   * reach. */
  size_t triangle_count, corner_count, edge_count, patch_count;
  uint32_t *triangles, *corners, *edges;
  surface_patch *patches;
  double *triangle_boxes, *patch_boxes;

  length_constraint *lengths;
  size_t length_count;
  volume_constraint *volumes;
  size_t volume_count;

  /* What is written at the same time: see constraint_blocks.c. */
  uint32_t *block_of;
  size_t block_count, ordered_bodies;
  item_blocks *items;
  size_t item_capacity;
  work_order length_order, volume_order, contact_order;

  near_pair *near;
  size_t near_count, near_capacity;
  near_pair *contacts; /* the same in the order of work */
  size_t contact_capacity;
  near_list *found; /* what makes up `near`, one list for each range of pairs of patches */
  size_t found_capacity;
  patch_memory memory;
  double reach; /* within which pairs are near */

  graze_workers *workers; /* the scene has the same */
  graze_scene *scene;
  graze_pairs candidates;
  simulation_costs costs;
};

/* The part of a distance that two sides may use up together until the next search, below 1; and the part of the
 * thickness that they may never. */
#define BOUND_PART 0.9
#define UNUSED_PART 1e-4

/* Grows an array in place; false when memory is out, with the old one kept. */
#define GROW(array, count)                                                                                             \
  ((grown = realloc((array), ((count) + 1) * sizeof *(array))) != NULL && ((array) = grown, true))

/* Puts triangles into an order in which neighbors are together. False when memory is out, as below. */
bool surface_order(const double *positions, uint32_t *triangles, size_t count);

/* The body's triangles as patches; room for them is there. */
bool surface_patches_add(simulation *world, simulated_body *body, const surface_edge *edges, size_t edge_count);

/* Appends what is nearer than a distance between two patches, or within one. */
bool patch_pair_find(const simulation *world, patch_pair pair, double within, near_list *out);

/* Appends those that are within the reach now, given that none has come nearer than its distance less `moved`. */
bool near_list_take(const simulation *world, const near_pair *pairs, size_t count, double moved, near_list *out);

/* Finds all near pairs at the present positions, and the bounds. */
graze_result near_pairs_find(simulation *world);

/* The body's patches as boxes in the scene of the search. */
graze_result near_pairs_add_body(simulation *world, size_t body);

/* The body's particles as blocks; all lengths and volumes in their order of work, and what is near in its. */
bool constraint_blocks_add(simulation *world, const simulated_body *body);
bool constraint_blocks_order(simulation *world);
bool constraint_blocks_order_contacts(simulation *world);

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
/* A push at a point from the center, already divided by what it meets: moves and turns the predicted pose. */
void posed_body_push(simulated_body *body, point3 from, point3 push);
/* Goes back towards the pose of the last search, as far as the bounds of the body's particles ask for. */
void posed_body_hold_back(simulation *world, simulated_body *body);
/* The predicted pose becomes the pose; velocities of stiff bodies follow from the way. */
void posed_body_arrive(simulated_body *body, double seconds);

#endif
