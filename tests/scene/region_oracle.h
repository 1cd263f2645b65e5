/* An independent reference for regions and curves of small scenes of triangles on an integer grid. It follows the
 * definitions in graze/regions.h: regions by comparing all pairs with each other, classes by every plane through three
 * corners, common parts by clipping one triangle with the other in rational arithmetic (GMP), and names of points by
 * their location. It shares no signs, cases or tables with the library. */
#ifndef GRAZE_TESTS_REGION_ORACLE_H
#define GRAZE_TESTS_REGION_ORACLE_H

#include "graze/regions.h"

enum { ORACLE_VERTICES = 64, ORACLE_TRIANGLES = 48, ORACLE_PAIRS = 4096, ORACLE_EDGES = 16384 };

typedef struct oracle_mesh {
  int vertex[ORACLE_VERTICES][3];
  size_t vertex_count;
  uint32_t triangle[ORACLE_TRIANGLES][3];
  size_t triangle_count;
  bool used[ORACLE_VERTICES]; /* some pair has the vertex; written by oracle_curves */
} oracle_mesh;

typedef struct oracle_node {
  graze_face a, b;
} oracle_node;

/* A piece of a curve between two points, the lesser first. */
typedef struct oracle_edge {
  uint32_t objects[2];
  oracle_node end[2];
  double position[2][3]; /* of the ends, rounded */
} oracle_edge;

typedef struct oracle_edges {
  oracle_edge edges[ORACLE_EDGES];
  size_t count;
} oracle_edges;

/* The first pair of each pair's region. */
void oracle_regions(const oracle_mesh *meshes, const graze_pair *pairs, size_t count, uint32_t *first_of);

graze_clash oracle_clash(const oracle_mesh *meshes, const graze_pair *pair);

/* The pieces of all lines and of all boundaries; no triangle is degenerate. */
void oracle_curves(oracle_mesh *meshes, const graze_pair *pairs, size_t count, oracle_edges *lines,
                   oracle_edges *boundaries);

int oracle_compare_nodes(const oracle_node *p, const oracle_node *q);
int oracle_compare_edges(const void *p, const void *q);

#endif
