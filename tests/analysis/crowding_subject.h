/* Small objects of every kind for tests of the k-free measure, without a scene, and their k by definition. */
#ifndef GRAZE_TESTS_CROWDING_SUBJECT_H
#define GRAZE_TESTS_CROWDING_SUBJECT_H

#include "analysis/crowding.h"

/* Room for what the tests make. */
enum {
  SUBJECT_VERTICES = 1024,
  SUBJECT_PRIMITIVES = 256,
  SUBJECT_CORNERS = 8,
  SUBJECT_TRIANGULATION = SUBJECT_CORNERS - 2
};

typedef struct crowding_subject {
  graze_kind kind;
  size_t vertex_count, count;
  double positions[3 * SUBJECT_VERTICES];
  uint32_t corners[SUBJECT_CORNERS * SUBJECT_PRIMITIVES];
  uint32_t corner_first[SUBJECT_PRIMITIVES + 1];
  uint32_t triangulation[3 * SUBJECT_TRIANGULATION * SUBJECT_PRIMITIVES]; /* polygons: triangles, a fan */
  uint32_t
      cubes[8 * SUBJECT_PRIMITIVES]; /* polyhedra: the corners of an affine image of a cube, x fastest, z slowest */
  uint8_t removed[SUBJECT_PRIMITIVES];
  /* Made by subject_finish. */
  double scale;
  rounded_vertex rounded_vertices[SUBJECT_VERTICES];
  primitive_header headers[SUBJECT_PRIMITIVES];
} crowding_subject;

void subject_start(crowding_subject *subject, graze_kind kind);

/* The number of a vertex at this place: an old one if `share` and there is one, else a new one. */
uint32_t subject_vertex(crowding_subject *subject, const double position[3], bool share);

/* Appends a primitive. A polyhedron has eight corners, in the order of the cube. */
void subject_add(crowding_subject *subject, const uint32_t *corners, uint32_t corner_count);

/* Chooses the frame; due before the subject is asked about. */
void subject_finish(crowding_subject *subject);

typedef struct subject_counts {
  uint32_t k_of[SUBJECT_PRIMITIVES], neighbors_of[SUBJECT_PRIMITIVES];
  double diameter_of[SUBJECT_PRIMITIVES];
} subject_counts;

/* Measures with the library. `levels_out` may be NULL. Returns false if out of memory. */
bool subject_measure(const crowding_subject *subject, const method *chosen, graze_simd simd, memory *heap,
                     workers *team, subject_counts *counts_out);

/* Measures by the definition: all pairs, exact distances, exact balls. */
void subject_reference(const crowding_subject *subject, subject_counts *counts_out);

#endif
