/* Soups of triangles or tetrahedra at any position and of any size, for tests of badly spread scenes. The numbers
 * follow from a seed, so every run is the same. */
#ifndef GRAZE_TESTS_SPREAD_SOUP_H
#define GRAZE_TESTS_SPREAD_SOUP_H

#include "mesh_io/mesh.h"

typedef struct soup {
  mesh mesh;
  size_t capacity; /* elements */
  size_t corners;  /* of each */
  uint64_t random;
} soup;

/* Without elements yet; three or four corners each. */
soup soup_make(size_t capacity, size_t corners);
void soup_free(soup *s);

/* Takes all elements out, and begins with the seed again. */
void soup_clear(soup *s);

/* In [0, 1). */
double soup_random(soup *s);

/* One element around a place. */
void soup_add(soup *s, double x, double y, double z, double edge);

/* Elements in a cube, of edges in units of its size. */
void soup_add_cube(soup *s, size_t count, double x, double y, double z, double size, double edge);

/* That no element has. */
void soup_add_stray_vertex(soup *s, double at);

#endif
