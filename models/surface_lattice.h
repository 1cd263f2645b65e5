/* A body-centered cubic lattice around a closed surface: its inner points, the crossings of its edges with the surface,
 * and its points moved onto nearby crossings. lattice_fill.c makes tetrahedra of it.
 *
 * The lattice consists of cubes: point (i, j, k, 0) is the lowest corner of cube (i, j, k) and (i, j, k, 1) its center.
 * Edges of length `side` join neighboring corners and neighboring centers; shorter ones join a center to the eight
 * corners around it. All points of the outermost cubes are outside.
 *
 * Workload: up to millions of cubes, and a surface of up to millions of triangles that are either small compared with
 * the whole or few. */
#ifndef GRAZE_SURFACE_LATTICE_H
#define GRAZE_SURFACE_LATTICE_H

#include "mesh_io/mesh.h"
#include "models/portable_math.h"

/* Edges by their starting point: to the next point along x, y, z; from centers also to the eight corners, whose bits
 * are steps along x, y, z. */
enum { EDGE_TO_CORNER = 3, POINT_EDGES = 11 };

/* The maximum number of points: points and crossings together fit 32 bits. */
#define LATTICE_POINTS_MOST (UINT64_C(1) << 28)

enum { POINT_OUTSIDE = 0, POINT_INSIDE = 1, POINT_ON_SURFACE = 2 };

typedef struct surface_lattice {
  double origin[3];
  double side;
  uint64_t count[3]; /* cubes along each axis */
  uint64_t point_count;
  uint8_t *state;      /* of each point */
  uint16_t *cut_edges; /* for each point: the edges with one end inside and one outside, as bits */
  float *cut;          /* for each point and edge: the crossing, as a fraction of the way from the inner end */
  double (*moved)[3];  /* for each point: its position */
} surface_lattice;

/* The position of a point in the lattice. */
typedef struct lattice_place {
  uint64_t at[3];
  uint64_t middle; /* 0 or 1 */
} lattice_place;

static inline uint64_t lattice_point(const surface_lattice *lattice, const lattice_place *place) {
  const uint64_t row = place->at[2] * lattice->count[1] + place->at[1];
  return 2 * (row * lattice->count[0] + place->at[0]) + place->middle;
}

static inline lattice_place lattice_place_of(const surface_lattice *lattice, uint64_t point) {
  const uint64_t cube = point / 2, row = cube / lattice->count[0];
  const lattice_place place = {{cube % lattice->count[0], row % lattice->count[1], row / lattice->count[1]}, point % 2};
  return place;
}

/* Returns the other end of an edge; only for edges within the lattice. */
lattice_place lattice_edge_end(const lattice_place *place, int edge);

/* Returns the edge between two joined points: its number is point * POINT_EDGES + edge. */
uint64_t lattice_edge_between(const surface_lattice *lattice, uint64_t a, uint64_t b);

/* Returns the position of a crossing. */
point3 lattice_cut_position(const surface_lattice *lattice, uint64_t edge_number);

/* Makes the lattice with cubes of the given size; false when out of memory or if there would be more points than
 * LATTICE_POINTS_MOST. Release it in any case. */
bool surface_lattice_make(surface_lattice *lattice, const mesh *surface, double side);
void surface_lattice_release(surface_lattice *lattice);

#endif
