/* The edges of triangles, each once, with the triangles on both sides. */
#ifndef GRAZE_SURFACE_EDGES_H
#define GRAZE_SURFACE_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SURFACE_EDGE_NONE = 0xFFFFFFFF };

typedef struct surface_edge {
  uint32_t a, b;        /* a < b */
  uint32_t owner;       /* the first triangle with this edge, */
  uint32_t side;        /* and its side: side k goes from corner k to the next */
  uint32_t opposite[2]; /* opposite corners of its first two triangles; the second is SURFACE_EDGE_NONE at a border */
} surface_edge;

/* Returns the edges in the order of (a, b); release the list with free. False when out of memory. */
bool surface_edges_make(const uint32_t *triangles, size_t triangle_count, surface_edge **edges_out, size_t *count_out);

#endif
