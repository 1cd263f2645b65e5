/* Closed meshes for the tests of packings. */
#ifndef GRAZE_TESTS_SMALL_BODIES_H
#define GRAZE_TESTS_SMALL_BODIES_H

#include "graze/graze.h"

typedef struct small_body {
  double positions[64][3];
  uint32_t triangles[96][3];
  size_t vertex_count, triangle_count;
} small_body;

/* Adds a box; inverted: its triangles face inward. */
void small_body_add_box(small_body *body, const double least[3], const double greatest[3], bool inverted);

/* A tetrahedron with the corners (0, 0, 0), (3, 0, 0), (0, 4, 0) and (0, 0, 5). */
void small_body_add_tetrahedron(small_body *body);

graze_view small_body_positions(const small_body *body);
graze_view small_body_triangles(const small_body *body);

#endif
