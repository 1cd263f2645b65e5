/* Finds intersecting triangles of meshes with a separate search, which shares only the exact triangle test with the
 * library's. */
#ifndef GRAZE_TESTS_CROSSING_SEARCH_H
#define GRAZE_TESTS_CROSSING_SEARCH_H

#include "mesh_io/mesh.h"

#include <stdint.h>

typedef struct crossing_search {
  uint64_t between; /* pairs of different meshes */
  uint64_t within;  /* pairs of one mesh that share no vertex index */
  uint8_t **marked; /* per mesh and triangle: 1 when it takes part in a pair */
} crossing_search;

/* Sorts by x and sweeps: for meshes of some ten thousand triangles. Returns false when memory runs out. */
bool crossing_search_run(const mesh *meshes, size_t mesh_count, crossing_search *search_out);
void crossing_search_free(crossing_search *search, size_t mesh_count);

#endif
