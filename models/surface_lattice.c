/* Inside tests, crossings, and points moved onto the surface.
 *
 * A point is inside if a line along x from far below crosses the surface an odd number of times before it. Whether the
 * line intersects a triangle is decided in the plane of y and z by the three edges of the triangle: how many of them
 * pass on one side of the point of the line. The decision for an edge depends only on the edge and is the same for all
 * its triangles, regardless of rounding; in a closed surface every edge has an even number of triangles, so every line
 * leaves the surface as often as it enters it. Only the position of a crossing along the line is rounded, and points
 * that close to the surface are moved onto it.
 *
 * Points near a crossing of one of their edges are moved there, so that no sliver is cut off: within a quarter of the
 * long edges and two fifths of the short ones, which keeps all tetrahedra of the lattice well shaped (Labelle and
 * Shewchuk, "Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral Angles", 2007). */
#include "models/surface_lattice.h"

#include <stdlib.h>
#include <string.h>

static const double near_long = 0.2499, near_short = 0.4118;

lattice_place lattice_edge_end(const lattice_place *place, int edge) {
  lattice_place end = *place;
  if (edge < EDGE_TO_CORNER) {
    ++end.at[edge];
    return end;
  }
  end.middle = 0;
  for (int axis = 0; axis < 3; ++axis) end.at[axis] += (uint64_t)((edge - EDGE_TO_CORNER) >> axis & 1);
  return end;
}

uint64_t lattice_edge_between(const surface_lattice *lattice, uint64_t a, uint64_t b) {
  const bool is_short = a % 2 != b % 2;
  const uint64_t from = is_short ? (a % 2 == 1 ? a : b) : (a < b ? a : b);
  const lattice_place start = lattice_place_of(lattice, from), end = lattice_place_of(lattice, from == a ? b : a);
  int edge = is_short ? EDGE_TO_CORNER : 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (end.at[axis] == start.at[axis]) continue;
    edge += is_short ? 1 << axis : axis;
  }
  return from * POINT_EDGES + (uint64_t)edge;
}

static point3 place_position(const surface_lattice *lattice, const lattice_place *place) {
  const double half = 0.5 * (double)place->middle, side = lattice->side;
  return point3_make(lattice->origin[0] + side * ((double)place->at[0] + half),
                     lattice->origin[1] + side * ((double)place->at[1] + half),
                     lattice->origin[2] + side * ((double)place->at[2] + half));
}

point3 lattice_cut_position(const surface_lattice *lattice, uint64_t edge_number) {
  const uint64_t point = edge_number / POINT_EDGES;
  const lattice_place start = lattice_place_of(lattice, point);
  const lattice_place end = lattice_edge_end(&start, (int)(edge_number % POINT_EDGES));
  const point3 from = place_position(lattice, &start), to = place_position(lattice, &end);
  const double share = (double)lattice->cut[edge_number];
  const double along = lattice->state[point] == POINT_INSIDE ? share : 1.0 - share;
  return point3_add(from, point3_scale(point3_add(to, point3_scale(from, -1.0)), along));
}

/* ------------------------------------------------------------------------------------------------ the surface's parts
 */

static point3 surface_corner(const mesh *surface, size_t triangle, int corner) {
  const double *p = surface->positions + 3 * (size_t)surface->triangles[3 * triangle + (size_t)corner];
  return point3_make(p[0], p[1], p[2]);
}

static double coordinate(point3 p, int axis) {
  return axis == 0 ? p.x : (axis == 1 ? p.y : p.z);
}

/* The cubes from `first` to `last` along an axis that a triangle overlaps; clamped to the lattice. */
typedef struct cube_range {
  uint64_t first[3], last[3];
} cube_range;

static cube_range range_of_triangle(const surface_lattice *lattice, const point3 corner[3]) {
  cube_range range;
  for (int axis = 0; axis < 3; ++axis) {
    double low = coordinate(corner[0], axis), high = low;
    for (int i = 1; i < 3; ++i) {
      const double value = coordinate(corner[i], axis);
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    const double first = floor((low - lattice->origin[axis]) / lattice->side) - 1.0;
    const double last = floor((high - lattice->origin[axis]) / lattice->side) + 1.0;
    const double most = (double)(lattice->count[axis] - 1);
    range.first[axis] = (uint64_t)(first < 0.0 ? 0.0 : (first > most ? most : first));
    range.last[axis] = (uint64_t)(last < 0.0 ? 0.0 : (last > most ? most : last));
  }
  return range;
}

/* ------------------------------------------------------------------------------------------------ inside or outside */

/* Whether the line through (y, z) has the edge from a to b on its far side in y. Edges with equal ends in z never
 * count, and the lower end counts, so at every height a closed outline passes an even number of times. The ends are
 * taken in a fixed order, independent of the triangle. */
static bool edge_passes(point3 a, point3 b, double y, double z) {
  if (b.z < a.z || (b.z == a.z && b.y < a.y)) {
    const point3 kept = a;
    a = b;
    b = kept;
  }
  if (!(a.z <= z && z < b.z)) return false;
  return (b.y - a.y) * (z - a.z) - (y - a.y) * (b.z - a.z) > 0.0;
}

/* The position of the triangle plane at (y, z), clamped to the extent of the triangle. */
static double height_at(const point3 corner[3], double y, double z) {
  const point3 u = point3_add(corner[1], point3_scale(corner[0], -1.0));
  const point3 v = point3_add(corner[2], point3_scale(corner[0], -1.0));
  const point3 normal = point3_cross(u, v);
  double low = corner[0].x, high = corner[0].x;
  for (int i = 1; i < 3; ++i) {
    low = corner[i].x < low ? corner[i].x : low;
    high = corner[i].x > high ? corner[i].x : high;
  }
  const double height = corner[0].x - (normal.y * (y - corner[0].y) + normal.z * (z - corner[0].z)) / normal.x;
  return height >= low ? (height <= high ? height : high) : low;
}

/* Toggles the state of the first point of the row beyond the crossing; a running sum along the row then gives all
 * others. */
static void turn_beyond(surface_lattice *lattice, lattice_place place, double height) {
  const double half = 0.5 * (double)place.middle;
  const double first = ceil((height - lattice->origin[0]) / lattice->side - half);
  const double most = (double)(lattice->count[0] - 1);
  place.at[0] = (uint64_t)(first < 0.0 ? 0.0 : (first > most ? most : first));
  lattice->state[lattice_point(lattice, &place)] ^= POINT_INSIDE;
}

static void turn_rows(surface_lattice *lattice, const point3 corner[3]) {
  const cube_range range = range_of_triangle(lattice, corner);
  lattice_place place = {{0, 0, 0}, 0};
  for (place.middle = 0; place.middle < 2; ++place.middle) {
    for (place.at[2] = range.first[2]; place.at[2] <= range.last[2]; ++place.at[2]) {
      for (place.at[1] = range.first[1]; place.at[1] <= range.last[1]; ++place.at[1]) {
        const point3 p = place_position(lattice, &place);
        int passed = 0;
        for (int i = 0; i < 3; ++i) passed += edge_passes(corner[i], corner[(i + 1) % 3], p.y, p.z);
        if (passed % 2 == 1) turn_beyond(lattice, place, height_at(corner, p.y, p.z));
      }
    }
  }
}

static void find_states(surface_lattice *lattice, const mesh *surface) {
  for (size_t i = 0; i < surface->triangle_count; ++i) {
    const point3 corner[3] = {surface_corner(surface, i, 0), surface_corner(surface, i, 1),
                              surface_corner(surface, i, 2)};
    turn_rows(lattice, corner);
  }
  for (uint64_t point = 2; point < lattice->point_count; ++point) {
    if (point / 2 % lattice->count[0] != 0) lattice->state[point] ^= lattice->state[point - 2];
  }
}

/* ------------------------------------------------------------------------------------------------ crossings */

/* Whether all edges of a point have their other end within the lattice. */
static bool has_all_edges(const surface_lattice *lattice, const lattice_place *place) {
  return place->at[0] + 1 < lattice->count[0] && place->at[1] + 1 < lattice->count[1] &&
         place->at[2] + 1 < lattice->count[2];
}

/* Crossings without a triangle, which only rounding can cause, are placed in the middle. */
static void find_cut_edges(surface_lattice *lattice) {
  for (uint64_t point = 0; point < lattice->point_count; ++point) {
    const lattice_place place = lattice_place_of(lattice, point);
    lattice->cut_edges[point] = 0;
    if (!has_all_edges(lattice, &place)) continue;
    for (int edge = 0; edge < (place.middle == 1 ? POINT_EDGES : EDGE_TO_CORNER); ++edge) {
      const lattice_place end = lattice_edge_end(&place, edge);
      if (lattice->state[point] == lattice->state[lattice_point(lattice, &end)]) continue;
      lattice->cut_edges[point] = (uint16_t)(lattice->cut_edges[point] | 1u << edge);
      lattice->cut[point * POINT_EDGES + (uint64_t)edge] = 2.0f;
    }
  }
}

/* The fraction of the way from `from` to `to` at which the triangle lies, or 2. The triangle is slightly enlarged, so
 * that nothing passes between neighbors. */
static double triangle_crossing(const point3 corner[3], point3 from, point3 to) {
  const point3 u = point3_add(corner[1], point3_scale(corner[0], -1.0));
  const point3 v = point3_add(corner[2], point3_scale(corner[0], -1.0));
  const point3 normal = point3_cross(u, v);
  const double start = point3_dot(normal, point3_add(from, point3_scale(corner[0], -1.0)));
  const double end = point3_dot(normal, point3_add(to, point3_scale(corner[0], -1.0)));
  if ((start > 0.0 && end > 0.0) || (start < 0.0 && end < 0.0) || start == end) return 2.0;
  const double share = start / (start - end);
  const point3 place = point3_add(from, point3_scale(point3_add(to, point3_scale(from, -1.0)), share));
  const double slack = -1e-9 * point3_dot(normal, normal);
  for (int i = 0; i < 3; ++i) {
    const point3 along = point3_add(corner[(i + 1) % 3], point3_scale(corner[i], -1.0));
    const point3 across = point3_cross(along, point3_add(place, point3_scale(corner[i], -1.0)));
    if (point3_dot(across, normal) < slack) return 2.0;
  }
  return share;
}

/* Of several crossings of an edge, the one nearest to its inner end counts; beyond it nothing is filled. */
static void cut_edges_of_point(surface_lattice *lattice, const lattice_place *place, uint64_t point,
                               const point3 corner[3]) {
  const point3 from = place_position(lattice, place);
  for (int edge = 0; lattice->cut_edges[point] >> edge != 0; ++edge) {
    if ((lattice->cut_edges[point] >> edge & 1) == 0) continue;
    const lattice_place end = lattice_edge_end(place, edge);
    const point3 to = place_position(lattice, &end);
    const bool is_inner = lattice->state[point] == POINT_INSIDE;
    const double share = triangle_crossing(corner, is_inner ? from : to, is_inner ? to : from);
    float *cut = &lattice->cut[point * POINT_EDGES + (uint64_t)edge];
    if (share < (double)*cut) *cut = (float)share;
  }
}

static void find_cuts(surface_lattice *lattice, const mesh *surface) {
  for (size_t i = 0; i < surface->triangle_count; ++i) {
    const point3 corner[3] = {surface_corner(surface, i, 0), surface_corner(surface, i, 1),
                              surface_corner(surface, i, 2)};
    const cube_range range = range_of_triangle(lattice, corner);
    lattice_place place;
    for (place.at[2] = range.first[2]; place.at[2] <= range.last[2]; ++place.at[2]) {
      for (place.at[1] = range.first[1]; place.at[1] <= range.last[1]; ++place.at[1]) {
        for (place.at[0] = range.first[0]; place.at[0] <= range.last[0]; ++place.at[0]) {
          for (place.middle = 0; place.middle < 2; ++place.middle) {
            const uint64_t point = lattice_point(lattice, &place);
            if (lattice->cut_edges[point] != 0) cut_edges_of_point(lattice, &place, point, corner);
          }
        }
      }
    }
  }
}

/* ------------------------------------------------------------------------------------------------ moving */

/* The nearest crossing of the edges of a point, during the search. */
typedef struct nearest_cut {
  uint64_t edge_number;
  double distance; /* from the point, in sides */
} nearest_cut;

/* An edge counts while neither end has been moved; `is_start` states at which end the point is. */
static void consider_edge(const surface_lattice *lattice, uint64_t start, int edge, bool is_start,
                          nearest_cut *nearest) {
  if ((lattice->cut_edges[start] >> edge & 1) == 0) return;
  const lattice_place place = lattice_place_of(lattice, start), end = lattice_edge_end(&place, edge);
  const uint64_t other = lattice_point(lattice, &end);
  if (lattice->state[start] == POINT_ON_SURFACE || lattice->state[other] == POINT_ON_SURFACE) return;
  const uint64_t edge_number = start * POINT_EDGES + (uint64_t)edge;
  const double inner = (double)lattice->cut[edge_number];
  const bool is_inner = lattice->state[is_start ? start : other] == POINT_INSIDE;
  const double share = is_inner ? inner : 1.0 - inner;
  const double length = edge < EDGE_TO_CORNER ? 1.0 : 0.8660254037844386;
  if (share > (edge < EDGE_TO_CORNER ? near_long : near_short) || share * length >= nearest->distance) return;
  nearest->edge_number = edge_number;
  nearest->distance = share * length;
}

/* The edges that lead to the point: along the axes from the previous points, and to a corner from the centers around
 * it. */
static void consider_edges_before(const surface_lattice *lattice, const lattice_place *place, nearest_cut *nearest) {
  for (int edge = 0; edge < (place->middle == 0 ? POINT_EDGES : EDGE_TO_CORNER); ++edge) {
    lattice_place start = *place;
    bool is_within = true;
    for (int axis = 0; axis < 3; ++axis) {
      const uint64_t step = edge < EDGE_TO_CORNER ? edge == axis : (uint64_t)((edge - EDGE_TO_CORNER) >> axis & 1);
      is_within = is_within && start.at[axis] >= step;
      start.at[axis] -= step;
    }
    if (edge >= EDGE_TO_CORNER) start.middle = 1;
    if (is_within) consider_edge(lattice, lattice_point(lattice, &start), edge, false, nearest);
  }
}

static void move_points(surface_lattice *lattice) {
  for (uint64_t point = 0; point < lattice->point_count; ++point) {
    const lattice_place place = lattice_place_of(lattice, point);
    const point3 unmoved = place_position(lattice, &place);
    nearest_cut nearest = {UINT64_MAX, 1.0};
    for (int edge = 0; lattice->cut_edges[point] >> edge != 0; ++edge) {
      consider_edge(lattice, point, edge, true, &nearest);
    }
    consider_edges_before(lattice, &place, &nearest);
    const bool is_near = nearest.edge_number != UINT64_MAX;
    const point3 p = is_near ? lattice_cut_position(lattice, nearest.edge_number) : unmoved;
    lattice->moved[point][0] = p.x;
    lattice->moved[point][1] = p.y;
    lattice->moved[point][2] = p.z;
    if (is_near) lattice->state[point] = POINT_ON_SURFACE;
  }
}

/* ------------------------------------------------------------------------------------------------ life */

/* At least one and a half cubes more on every side than the surface needs. Slightly off center: with a symmetric
 * surface, many points would cross it at once as the size changes. */
static bool choose_extent(surface_lattice *lattice, const mesh *surface, double side) {
  static const double aside[3] = {0.13, 0.29, 0.41};
  double points = 2.0;
  lattice->side = side;
  for (int axis = 0; axis < 3; ++axis) {
    double low = surface->positions[3 * (size_t)surface->triangles[0] + (size_t)axis], high = low;
    for (size_t i = 0; i < 3 * surface->triangle_count; ++i) {
      const double value = surface->positions[3 * (size_t)surface->triangles[i] + (size_t)axis];
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    const double cubes = ceil((high - low) / side) + 4.0;
    points *= cubes;
    if (!(points <= (double)LATTICE_POINTS_MOST)) return false;
    lattice->count[axis] = (uint64_t)cubes;
    lattice->origin[axis] = 0.5 * (low + high) - side * (0.5 * cubes + aside[axis]);
  }
  lattice->point_count = 2 * lattice->count[0] * lattice->count[1] * lattice->count[2];
  return true;
}

bool surface_lattice_make(surface_lattice *lattice, const mesh *surface, double side) {
  memset(lattice, 0, sizeof *lattice);
  if (!choose_extent(lattice, surface, side)) return false;
  const size_t points = (size_t)lattice->point_count;
  lattice->state = calloc(points, sizeof *lattice->state);
  lattice->cut_edges = calloc(points, sizeof *lattice->cut_edges);
  lattice->cut = malloc(points * POINT_EDGES * sizeof *lattice->cut);
  lattice->moved = malloc(points * sizeof *lattice->moved);
  if (lattice->state == NULL || lattice->cut_edges == NULL || lattice->cut == NULL || lattice->moved == NULL) {
    return false;
  }
  find_states(lattice, surface);
  find_cut_edges(lattice);
  find_cuts(lattice, surface);
  for (uint64_t point = 0; point < lattice->point_count; ++point) {
    for (int edge = 0; lattice->cut_edges[point] >> edge != 0; ++edge) {
      float *cut = &lattice->cut[point * POINT_EDGES + (uint64_t)edge];
      if ((lattice->cut_edges[point] >> edge & 1) != 0 && *cut > 1.0f) *cut = 0.5f;
    }
  }
  move_points(lattice);
  return true;
}

void surface_lattice_release(surface_lattice *lattice) {
  free(lattice->state);
  free(lattice->cut_edges);
  free(lattice->cut);
  free(lattice->moved);
  memset(lattice, 0, sizeof *lattice);
}
