/* A small position-based simulator: cloth, soft bodies of tetrahedra, stiff bodies, and bodies that move as they are
 * told, which push each other and never run through each other. Its collisions are found by graze.
 *
 * Particles with positions and velocities; a step predicts positions, moves them until constraints hold (Mueller,
 * Heidelberger, Hennix, Ratcliff: "Position based dynamics", 2007), and takes velocities from what came of it. What
 * lies nearer than a thickness is pushed apart.
 *
 * Nothing runs through anything, by a bound and not by luck: at every search, all pairs of a corner and a triangle and
 * of two edges within a reach are found, and until the next search no particle may move further than gamma / 2 times
 * its least distance in such a pair, or the reach where it is in none; gamma is below 1. The two sides of a pair cannot
 * meet on that way, so that the crossing that would have to come first never comes (the bounds of Chen, Hsu, Yang, et
 * al.: "Offset geometric contact", 2025). Likewise no tetrahedron can turn inside out, as its corners may not come up
 * to the sides opposite to them.
 *
 * The same bits everywhere: + - * / and sqrt in a fixed order, and graze's lists of candidates, which are the same and
 * sorted for every number of threads. Units are arbitrary; y is up. */
#ifndef GRAZE_SIMULATION_H
#define GRAZE_SIMULATION_H

#include "mesh_io/mesh.h"
#include "models/portable_math.h"

#include "graze/graze.h"

typedef struct simulation simulation;

typedef struct simulation_settings {
  point3 gravity;                     /* default (0, -1, 0) */
  double thickness;                   /* nearer than this is pushed apart; above 0. No default */
  double frame_seconds;               /* default 1/30 */
  double drag;                        /* part of the velocity that is lost in a second; default 0.5 */
  double friction;                    /* part of the push that holds along the surface; default 0.3 */
  uint32_t iterations;                /* of constraints in a long step, fewer in short ones; default 4 */
  uint32_t least_steps;               /* of a frame; more where particles are fast; default 6 */
  uint32_t most_steps;                /* default 40: beyond, particles are slower than they should be */
  uint32_t worker_count;              /* of graze and of the simulator; 0: one for each processor. Changes no bit */
  bool (*should_stop)(void *context); /* as in graze_query; may be NULL */
} simulation_settings;

simulation_settings simulation_settings_default(void);

/* On failure NULL; graze_error_text says why, where memory is not out. */
simulation *simulation_create(const simulation_settings *settings);
void simulation_destroy(simulation *world);

/* Bodies. A mesh is borrowed for as long as the simulation lives: its positions are those of the particles and change
 * with every frame. Surfaces must not cross themselves or each other when they are added. Numbers are given out from 0
 * on. False when memory is out. */

/* Triangles that keep their edges' lengths; `bending` from 0 to 1: how much they resist folding. */
bool simulation_add_cloth(simulation *world, mesh *body, double bending);

/* Tetrahedra that keep their edges' lengths, by `stiffness` from 0 to 1, and their volumes. */
bool simulation_add_soft(simulation *world, mesh *body, double stiffness, point3 velocity);

/* Triangles, or tetrahedra, that keep their shape. */
bool simulation_add_stiff(simulation *world, mesh *body, point3 velocity);

/* Triangles that nothing pushes. They stand still until they are told to move. */
bool simulation_add_told(simulation *world, mesh *body);

/* From now on the body, which must be one that is told, goes by the velocity and turns about its center, the mean of
 * its vertices, by the spin, a vector of radians a second. It waits where it would run through something that does not
 * give way. */
void simulation_tell(simulation *world, size_t body, point3 velocity, point3 spin);

/* A particle of a cloth that nothing pushes: it stays, or goes by the velocity from now on. It waits where it would run
 * through something. */
void simulation_pin(simulation *world, size_t body, size_t vertex, point3 velocity);

/* Where a body that keeps its shape has its center, the mean of its vertices. */
point3 simulation_center(const simulation *world, size_t body);

/* Changes the velocity and the spin of a stiff body. */
void simulation_push(simulation *world, size_t body, point3 velocity, point3 spin);

/* Changes the velocity of all particles of a cloth or soft body. */
void simulation_drive(simulation *world, size_t body, point3 velocity);

/* A frame further. Fails as graze does; GRAZE_STOPPED where it was stopped: the meshes are then somewhere between two
 * frames. */
graze_result simulation_advance(simulation *world);

/* What it took so far. */
typedef struct simulation_costs {
  uint64_t steps, searches, contacts; /* steps of all frames, searches for pairs, contacts that they listed */
  double search_ms;                   /* of update and query of graze */
} simulation_costs;

simulation_costs simulation_get_costs(const simulation *world);

#endif
