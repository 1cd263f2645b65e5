/* The edges of triangles, each once, with the triangles on its two sides. */
#ifndef GRAZE_SURFACE_EDGES_H
#define GRAZE_SURFACE_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SURFACE_EDGE_NONE = 0xFFFFFFFF };

typedef struct surface_edge {
  uint32_t a, b;        /* a < b */
  uint32_t owner;       /* the first triangle that has it, */
  uint32_t side;        /* and as which of its sides: side k goes from corner k to the next */
  uint32_t opposite[2]; /* corners across it, of its first two triangles; the second is SURFACE_EDGE_NONE at a rim */
} surface_edge;

/* Edges in the order of (a, b); release the list by free. False when memory is out. */
bool surface_edges_make(const uint32_t *triangles, size_t triangle_count, surface_edge **edges_out, size_t *count_out);

#endif
