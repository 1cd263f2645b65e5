/* A small position-based simulator: cloth, soft bodies of tetrahedra, stiff bodies, and kinematic bodies, which push
 * each other and never pass through each other. graze finds its collisions.
 *
 * Particles have positions and velocities; a step predicts positions, moves them until constraints hold (Mueller,
 * Heidelberger, Hennix, Ratcliff: "Position based dynamics", 2007), and derives velocities from the result. Features
 * nearer than a thickness are pushed apart.
 *
 * A bound guarantees that nothing passes through anything: every search finds all pairs of a corner and a triangle and
 * of two edges within a reach. Until the next search, no particle may move further than gamma / 2 times its least
 * distance in such a pair, or than the reach if it is in none; gamma is below 1. Within these bounds the two sides of a
 * pair cannot meet, so the first crossing never happens (the bounds of Chen, Hsu, Yang, et al.: "Offset geometric
 * contact", 2025). Likewise no corner may move farther than gamma / 2 times the least height of its tetrahedra, so that
 * tetrahedra of ordinary shape do not invert; flat ones may.
 *
 * The same bits everywhere: + - * / and sqrt in a fixed order, and candidate lists of graze, which are the same and
 * sorted for every number of threads. Units are arbitrary; y is up. */
#ifndef GRAZE_SIMULATION_H
#define GRAZE_SIMULATION_H

#include "mesh_io/mesh.h"
#include "models/portable_math.h"

#include "graze/graze.h"

typedef struct simulation simulation;

typedef struct simulation_settings {
  point3 gravity;                     /* default (0, -1, 0) */
  double thickness;                   /* features nearer than this are pushed apart; above 0. No default */
  double frame_seconds;               /* default 1/30 */
  double drag;                        /* fraction of the velocity lost per second; default 0.5 */
  double friction;                    /* friction as a fraction of the push; default 0.3 */
  uint32_t iterations;                /* iterations in a long step, fewer in short ones; default 4 */
  uint32_t least_steps;               /* least steps per frame; more if particles are fast; default 6 */
  uint32_t most_steps;                /* default 40: beyond, particles are slower than they should be */
  uint32_t worker_count;              /* of graze and of the simulator; 0: one per processor. Does not change any bit */
  bool (*should_stop)(void *context); /* as in graze_query; may be NULL */
} simulation_settings;

simulation_settings simulation_settings_default(void);

/* On failure NULL; graze_error_text has the reason, unless memory is out. */
simulation *simulation_create(const simulation_settings *settings);
void simulation_destroy(simulation *world);

/* Bodies. A mesh is borrowed for the lifetime of the simulation: its positions are those of the particles and change
 * with every frame. Surfaces must not intersect themselves or each other when added. Bodies are numbered from 0. False
 * when out of memory. */

/* Triangles that keep the lengths of their edges; `bending` from 0 to 1 is the resistance to folding. */
bool simulation_add_cloth(simulation *world, mesh *body, double bending);

/* Tetrahedra that keep the lengths of their edges, by `stiffness` from 0 to 1, and their volumes. */
bool simulation_add_soft(simulation *world, mesh *body, double stiffness, point3 velocity);

/* Triangles, or tetrahedra, that keep their shape. */
bool simulation_add_stiff(simulation *world, mesh *body, point3 velocity);

/* Kinematic triangles, which nothing pushes. They stand still until they are moved. */
bool simulation_add_kinematic(simulation *world, mesh *body);

/* Sets the velocity of a kinematic body and its spin about its center, the mean of its vertices, as a vector of radians
 * per second. It waits rather than pass through something immovable. */
void simulation_set_motion(simulation *world, size_t body, point3 velocity, point3 spin);

/* Makes a particle of a cloth kinematic: it stays, or moves by the velocity. It waits rather than pass through
 * something. */
void simulation_pin(simulation *world, size_t body, size_t vertex, point3 velocity);

/* Returns the center of a body that keeps its shape, the mean of its vertices. */
point3 simulation_center(const simulation *world, size_t body);

/* Changes the velocity and the spin of a stiff body. */
void simulation_push(simulation *world, size_t body, point3 velocity, point3 spin);

/* Changes the velocity of all particles of a cloth or soft body. */
void simulation_drive(simulation *world, size_t body, point3 velocity);

/* Advances by a frame. Fails as graze does; GRAZE_STOPPED if stopped, with the meshes between two frames. */
graze_result simulation_advance(simulation *world);

/* The cost so far. */
typedef struct simulation_costs {
  uint64_t steps, searches, contacts; /* steps of all frames, searches for pairs, contacts that they listed */
  double search_ms;                   /* times of update and query of graze */
} simulation_costs;

simulation_costs simulation_get_costs(const simulation *world);

#endif
