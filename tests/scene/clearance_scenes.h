/* Scenes for queries with a clearance, and their pairs by definition, in integers of any size (GMP).
 *
 * Every kind is on a small lattice, so that distances often equal the clearance exactly. For the reference, every
 * primitive is described as a hull with a radius. */
#ifndef GRAZE_TESTS_CLEARANCE_SCENES_H
#define GRAZE_TESTS_CLEARANCE_SCENES_H

#include "scene_runner.h"

enum { LATTICE_PRIMITIVES = 14, LATTICE_VERTICES = LATTICE_PRIMITIVES * 8, LATTICE_KINDS = 5, PIECE_CORNERS = 8 };

/* A primitive as the reference sees it: all points within a radius of the hull of its corners. */
typedef struct reference_piece {
  uint32_t count;
  double corners[3 * PIECE_CORNERS];
  uint32_t vertices[PIECE_CORNERS];
  double radius;
} reference_piece;

typedef struct lattice_object {
  mesh mesh; /* its arrays are those below */
  reference_piece pieces[LATTICE_PRIMITIVES];
  size_t count;
  double positions[3 * LATTICE_VERTICES], radii[LATTICE_PRIMITIVES];
  uint32_t indices[24 * LATTICE_PRIMITIVES], firsts[6 * LATTICE_PRIMITIVES + 1], cells[LATTICE_PRIMITIVES + 1];
} lattice_object;

/* Kinds: triangles, parallelograms, tetrahedra, parallelepipeds, spheres. Corners are multiples of `step` in a cube of
 * 9 of them, and some of triangles and of tetrahedra are shared. */
void lattice_object_make(lattice_object *object, int kind, double step, uint64_t seed);

/* The same object of triangles or tetrahedra of a mesh; the pieces are to be freed. */
reference_piece *pieces_of_mesh(const mesh *m);

/* Moves the corners as a pose does. */
void pieces_pose(reference_piece *pieces, size_t count, const graze_pose *pose);

typedef struct piece_list {
  const reference_piece *pieces;
  size_t count;
} piece_list;

/* All pairs that a query of scope both lists; neighbors are left out. */
pair_answer reference_within(const piece_list *objects, size_t object_count, double clearance);

bool pieces_share_vertex(const reference_piece *a, const reference_piece *b);

#endif
