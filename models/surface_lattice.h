/* A body-centered cubic lattice around a closed surface: which of its points lie inside, where its edges cross the
 * surface, and its points moved onto the surface where a crossing is near. What lattice_fill.c makes tetrahedra of.
 *
 * The lattice is made of cubes: point (i, j, k, 0) is the lowest corner of cube (i, j, k) and (i, j, k, 1) its middle.
 * Edges of length `side` join neighboring corners and neighboring middles, shorter ones join a middle to the eight
 * corners around it. All points of the outermost cubes lie outside.
 *
 * Workload: up to some million cubes; a surface of up to some million triangles, each of which is small compared with
 * the whole or of which there are few. */
#ifndef GRAZE_SURFACE_LATTICE_H
#define GRAZE_SURFACE_LATTICE_H

#include "mesh_io/mesh.h"
#include "models/portable_math.h"

/* Edges by the point from which they lead: to the next point along x, y, z; from middles also to the eight corners,
 * whose bits are steps along x, y, z. */
enum { EDGE_TO_CORNER = 3, POINT_EDGES = 11 };

/* Most points: numbers of points and crossings together fit 32 bits. */
#define LATTICE_POINTS_MOST (UINT64_C(1) << 28)

enum { POINT_OUTSIDE = 0, POINT_INSIDE = 1, POINT_ON_SURFACE = 2 };

typedef struct surface_lattice {
  double origin[3];
  double side;
  uint64_t count[3]; /* cubes along each axis */
  uint64_t point_count;
  uint8_t *state;      /* of each point */
  uint16_t *cut_edges; /* of each point: which of its edges have one end inside and one outside, as bits */
  float *cut;          /* of each point and edge: where it crosses, as a share of the way from the inner end */
  double (*moved)[3];  /* of each point: where it is */
} surface_lattice;

/* A point by its place. */
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

/* The other end of an edge; only for edges that stay within the lattice. */
lattice_place lattice_edge_end(const lattice_place *place, int edge);

/* The edge between two points that are joined: its number is point * POINT_EDGES + edge. */
uint64_t lattice_edge_between(const surface_lattice *lattice, uint64_t a, uint64_t b);

/* Where a crossing lies. */
point3 lattice_cut_position(const surface_lattice *lattice, uint64_t edge_number);

/* Makes the lattice with the given length of its cubes; false when memory runs out or there would be more points than
 * LATTICE_POINTS_MOST. Release it in all cases. */
bool surface_lattice_make(surface_lattice *lattice, const mesh *surface, double side);
void surface_lattice_release(surface_lattice *lattice);

#endif
