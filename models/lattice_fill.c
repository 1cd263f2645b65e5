/* Builds tetrahedra from the points of a lattice and its crossings with the surface.
 *
 * Two neighboring cube centers and an edge of the square between their cubes span a tetrahedron; there are twelve per
 * cube, all of one shape. One with points inside and outside is cut: the rest is a tetrahedron, a pyramid or a prism,
 * split by the numbers of its vertices so that neighbors agree. Because no crossing lies near an end of its edge, the
 * rest is not a sliver.
 *
 * Workload: 10^4 to 10^7 tetrahedra. The number for a given size of cubes is known only after counting, so a few sizes
 * are tried. */
#include "models/lattice_fill.h"

#include "models/prism_split.h"
#include "models/surface_lattice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES_MOST = 8 };
#define NEAR_ENOUGH 1.1

/* ------------------------------------------------------------------------------------------------ closed or open */

static int compare_edges(const void *left, const void *right) {
  const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static void say_open_edge(const mesh *surface, uint64_t edge, size_t uses, char *error, size_t error_bytes) {
  const size_t a = (size_t)(edge >> 32), b = (size_t)(edge & UINT32_MAX);
  const double *p = surface->positions + 3 * a, *q = surface->positions + 3 * b;
  snprintf(error, error_bytes,
           "the surface is not closed: the edge from vertex %zu (%.9g, %.9g, %.9g) to vertex %zu (%.9g, %.9g, %.9g) "
           "belongs to %zu triangle%s, an odd number",
           a, p[0], p[1], p[2], b, q[0], q[1], q[2], uses, uses == 1 ? "" : "s");
}

static bool check_closed(const mesh *surface, char *error, size_t error_bytes) {
  const size_t count = 3 * surface->triangle_count;
  uint64_t *edges = malloc((count + 1) * sizeof *edges);
  if (edges == NULL) {
    snprintf(error, error_bytes, "out of memory: the edges of the surface need %.3g bytes", 8.0 * (double)count);
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    const uint64_t a = surface->triangles[i], b = surface->triangles[i % 3 == 2 ? i - 2 : i + 1];
    edges[i] = a < b ? a << 32 | b : b << 32 | a;
  }
  qsort(edges, count, sizeof *edges, compare_edges);
  size_t open = count;
  for (size_t i = 0, same; i < count && open == count; i += same) {
    for (same = 1; i + same < count && edges[i + same] == edges[i];) ++same;
    /* Both ends are one vertex: a zero-length edge of a degenerate triangle. */
    if (same % 2 == 0 || edges[i] >> 32 == (edges[i] & UINT32_MAX)) continue;
    say_open_edge(surface, edges[i], same, error, error_bytes);
    open = i;
  }
  free(edges);
  return open == count;
}

/* ------------------------------------------------------------------------------------------------ tetrahedra */

/* The output of tetrahedra; without a mesh they are only counted. While they are cut, vertices are points or crossings
 * of the lattice: point, or point_count + edge number. They are numbered in order of use. */
typedef struct fill_writer {
  const surface_lattice *lattice;
  mesh *m;
  uint32_t *vertex_of; /* for points and crossings; UINT32_MAX: unused */
  uint64_t vertex_count, tetrahedron_count;
} fill_writer;

static uint64_t use_count(const surface_lattice *lattice) {
  return lattice->point_count * (1 + POINT_EDGES);
}

static uint32_t use_vertex(fill_writer *writer, uint64_t use) {
  uint32_t *vertex = &writer->vertex_of[use];
  if (*vertex != UINT32_MAX) return *vertex;
  const surface_lattice *lattice = writer->lattice;
  double *p = writer->m->positions + 3 * writer->vertex_count;
  if (use < lattice->point_count) {
    memcpy(p, lattice->moved[use], sizeof lattice->moved[use]);
  } else {
    const point3 place = lattice_cut_position(lattice, use - lattice->point_count);
    p[0] = place.x;
    p[1] = place.y;
    p[2] = place.z;
  }
  *vertex = (uint32_t)writer->vertex_count++;
  return *vertex;
}

static void add_tetrahedron(fill_writer *writer, const uint64_t uses[4]) {
  if (writer->m != NULL) {
    uint32_t *corners = writer->m->tetrahedra + 4 * writer->tetrahedron_count;
    for (int i = 0; i < 4; ++i) corners[i] = use_vertex(writer, uses[i]);
  }
  ++writer->tetrahedron_count;
}

static void add_four(fill_writer *writer, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  const uint64_t uses[4] = {a, b, c, d};
  add_tetrahedron(writer, uses);
}

static void add_prism(fill_writer *writer, const uint64_t lower[3], const uint64_t upper[3]) {
  uint64_t pieces[3][4];
  prism_split(lower, upper, pieces);
  for (int i = 0; i < 3; ++i) add_tetrahedron(writer, pieces[i]);
}

/* The end of the kept part of an edge from an inner point: the other point, or the crossing before it. */
static uint64_t inner_end(const surface_lattice *lattice, uint64_t inner, uint64_t other) {
  if (lattice->state[other] != POINT_OUTSIDE) return other;
  return lattice->point_count + lattice_edge_between(lattice, inner, other);
}

/* Sorts inner points first, then those on the surface, then outer ones, by an even number of swaps, so that the volume
 * stays positive: of four points in three classes, two are in one class and can be swapped freely. */
static void sort_by_state(const surface_lattice *lattice, uint64_t point[4]) {
  static const uint8_t rank[3] = {2, 0, 1};
  bool is_odd = false;
  for (int pass = 0; pass < 3; ++pass) {
    for (int i = 0; i < 3; ++i) {
      if (rank[lattice->state[point[i]]] <= rank[lattice->state[point[i + 1]]]) continue;
      const uint64_t kept = point[i];
      point[i] = point[i + 1];
      point[i + 1] = kept;
      is_odd = !is_odd;
    }
  }
  for (int i = 0; is_odd && i < 3; ++i) {
    if (lattice->state[point[i]] != lattice->state[point[i + 1]]) continue;
    const uint64_t kept = point[i];
    point[i] = point[i + 1];
    point[i + 1] = kept;
    is_odd = false;
  }
}

/* Two inner points a and b, c on the surface, d outside: a pyramid over the quad of a, b and their crossings. As in a
 * prism, the diagonal at the lowest number cuts the quad; points have lower numbers than crossings. */
static void add_pyramid(fill_writer *writer, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  const uint64_t from_a = inner_end(writer->lattice, a, d), from_b = inner_end(writer->lattice, b, d);
  if (a < b) {
    add_four(writer, a, b, c, from_b);
    add_four(writer, a, from_b, c, from_a);
  } else {
    add_four(writer, a, b, c, from_a);
    add_four(writer, from_a, b, c, from_b);
  }
}

/* The inner part of a tetrahedron of the lattice with positive volume. */
static void add_inner_part(fill_writer *writer, uint64_t point[4]) {
  const surface_lattice *lattice = writer->lattice;
  int count[3] = {0, 0, 0};
  for (int i = 0; i < 4; ++i) ++count[lattice->state[point[i]]];
  if (count[POINT_INSIDE] == 0) return;
  if (count[POINT_OUTSIDE] == 0) {
    add_tetrahedron(writer, point);
    return;
  }
  sort_by_state(lattice, point);
  const uint64_t a = point[0], b = point[1], c = point[2], d = point[3];
  if (count[POINT_INSIDE] == 1) {
    add_four(writer, a, inner_end(lattice, a, b), inner_end(lattice, a, c), inner_end(lattice, a, d));
  } else if (count[POINT_INSIDE] == 3) {
    const uint64_t upper[3] = {inner_end(lattice, a, d), inner_end(lattice, b, d), inner_end(lattice, c, d)};
    add_prism(writer, point, upper);
  } else if (count[POINT_ON_SURFACE] == 1) {
    add_pyramid(writer, a, b, c, d);
  } else {
    const uint64_t lower[3] = {a, inner_end(lattice, a, c), inner_end(lattice, a, d)};
    const uint64_t upper[3] = {b, inner_end(lattice, b, c), inner_end(lattice, b, d)};
    add_prism(writer, lower, upper);
  }
}

/* The four tetrahedra around the edge from the center of a cube to the next center along an axis. */
static void add_around_middles(fill_writer *writer, const lattice_place *middle, int axis) {
  static const uint8_t around[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
  const surface_lattice *lattice = writer->lattice;
  const lattice_place next = lattice_edge_end(middle, axis);
  for (int i = 0; i < 4; ++i) {
    uint64_t point[4] = {lattice_point(lattice, middle), lattice_point(lattice, &next), 0, 0};
    for (int k = 0; k < 2; ++k) {
      lattice_place corner = next;
      corner.middle = 0;
      corner.at[(axis + 1) % 3] += around[i + k][0];
      corner.at[(axis + 2) % 3] += around[i + k][1];
      point[2 + k] = lattice_point(lattice, &corner);
    }
    add_inner_part(writer, point);
  }
}

/* Cubes at the end of a row contain nothing. */
static void add_all(fill_writer *writer) {
  const uint64_t *count = writer->lattice->count;
  lattice_place middle = {{0, 0, 0}, 1};
  for (middle.at[2] = 0; middle.at[2] + 1 < count[2]; ++middle.at[2]) {
    for (middle.at[1] = 0; middle.at[1] + 1 < count[1]; ++middle.at[1]) {
      for (middle.at[0] = 0; middle.at[0] + 1 < count[0]; ++middle.at[0]) {
        for (int axis = 0; axis < 3; ++axis) add_around_middles(writer, &middle, axis);
      }
    }
  }
}

/* ------------------------------------------------------------------------------------------------ the mesh */

static uint64_t count_tetrahedra(const surface_lattice *lattice) {
  fill_writer writer = {lattice, NULL, NULL, 0, 0};
  add_all(&writer);
  return writer.tetrahedron_count;
}

/* Allocates vertices for tetrahedra that share none; the excess is released afterwards. */
static bool write_mesh(const surface_lattice *lattice, uint64_t tetrahedron_count, mesh *m) {
  const size_t uses = (size_t)use_count(lattice);
  fill_writer writer = {lattice, m, malloc(uses * sizeof(uint32_t)), 0, 0};
  m->kind = MESH_TETRAHEDRA;
  m->tetrahedra = malloc((size_t)tetrahedron_count * 4 * sizeof *m->tetrahedra);
  m->positions = malloc((size_t)tetrahedron_count * 4 * 3 * sizeof *m->positions);
  const bool has_memory = writer.vertex_of != NULL && m->tetrahedra != NULL && m->positions != NULL;
  if (has_memory) {
    memset(writer.vertex_of, 0xff, uses * sizeof(uint32_t));
    add_all(&writer);
    m->tetrahedron_count = (size_t)writer.tetrahedron_count;
    m->vertex_count = (size_t)writer.vertex_count;
    double *fitted = realloc(m->positions, 3 * m->vertex_count * sizeof *fitted);
    if (fitted != NULL) m->positions = fitted;
  }
  free(writer.vertex_of);
  return has_memory;
}

static bool copy_name(const mesh *surface, mesh *m) {
  const char *name = surface->name == NULL ? "filled" : surface->name;
  m->name = malloc(strlen(name) + 1);
  if (m->name != NULL) memcpy(m->name, name, strlen(name) + 1);
  return m->name != NULL;
}

/* The enclosed volume: the sum of signed tetrahedra of all triangles from the first vertex. */
static double enclosed_volume(const mesh *surface) {
  const double *o = surface->positions + 3 * (size_t)surface->triangles[0];
  const point3 back = point3_make(-o[0], -o[1], -o[2]);
  double sum = 0.0;
  for (size_t i = 0; i < surface->triangle_count; ++i) {
    point3 corner[3];
    for (size_t k = 0; k < 3; ++k) {
      const double *p = surface->positions + 3 * (size_t)surface->triangles[3 * i + k];
      corner[k] = point3_add(point3_make(p[0], p[1], p[2]), back);
    }
    sum += point3_dot(point3_cross(corner[0], corner[1]), corner[2]);
  }
  return fabs(sum) / 6.0;
}

/* The cube root of any positive number, by powers of eight into the range of cube_root. */
static double any_cube_root(double value) {
  double factor = 1.0;
  while (value < 1.0) {
    value *= 8.0;
    factor *= 0.5;
  }
  while (value > 0x1p50) {
    value *= 0.125;
    factor *= 2.0;
  }
  return factor * cube_root(value);
}

/* The search for a cube size: `coarse` is the least size known to give too few tetrahedra, `fine` the greatest known to
 * give too many, `best` the one with the number nearest to the target, by the factor `miss`. */
typedef struct side_search {
  double coarse, fine, best, miss;
} side_search;

/* The next size to try: from the cube root of the ratio of numbers, within the remaining range. */
static double next_side(side_search *search, double side, double count, double target) {
  const double miss = count == 0.0 ? INFINITY : (count > target ? count / target : target / count);
  if (miss < search->miss) {
    search->miss = miss;
    search->best = side;
  }
  if (count > target) search->fine = side;
  if (count <= target) search->coarse = side;
  const double next = count == 0.0 ? 0.5 * side : side * any_cube_root(count / target);
  return next > search->fine && next < search->coarse ? next : 0.5 * (search->fine + search->coarse);
}

static bool find_side(const mesh *surface, double target, double volume, side_search *search, char *error,
                      size_t error_bytes) {
  double side = any_cube_root(12.0 * volume / target);
  for (int try = 0; try < TRIES_MOST && search->miss > NEAR_ENOUGH; ++try) {
    surface_lattice lattice;
    const bool is_made = surface_lattice_make(&lattice, surface, side);
    const double count = is_made ? (double)count_tetrahedra(&lattice) : 0.0;
    surface_lattice_release(&lattice);
    if (!is_made) {
      snprintf(error, error_bytes, "out of memory: a lattice of cubes with sides of %.3g around the surface", side);
      return false;
    }
    side = next_side(search, side, count, target);
  }
  if (search->miss < INFINITY) return true;
  snprintf(error, error_bytes, "nothing inside the surface is as thick as %.3g", side);
  return false;
}

static bool fill_with_cubes(const mesh *surface, double side, mesh *filled, char *error, size_t error_bytes) {
  surface_lattice lattice;
  const bool is_made = surface_lattice_make(&lattice, surface, side);
  const uint64_t count = is_made ? count_tetrahedra(&lattice) : 0;
  const bool is_filled =
      is_made && count < MESH_ELEMENTS_MAX / 4 && write_mesh(&lattice, count, filled) && copy_name(surface, filled);
  surface_lattice_release(&lattice);
  if (!is_filled) snprintf(error, error_bytes, "out of memory: %llu tetrahedra", (unsigned long long)count);
  return is_filled;
}

bool lattice_fill(const mesh *surface, uint64_t target, mesh *filled_out, char *error, size_t error_bytes) {
  memset(filled_out, 0, sizeof *filled_out);
  if (surface->kind != MESH_POLYGONS || surface->triangle_count == 0) {
    snprintf(error, error_bytes, "there is no surface to fill: no polygons");
    return false;
  }
  if (!check_closed(surface, error, error_bytes)) return false;
  const double volume = enclosed_volume(surface);
  if (!(volume > 0.0) || volume > 1e300) {
    snprintf(error, error_bytes, "the surface encloses a volume of %.3g, which cannot be filled", volume);
    return false;
  }
  side_search search = {INFINITY, 0.0, 0.0, INFINITY};
  if (!find_side(surface, target == 0 ? 1.0 : (double)target, volume, &search, error, error_bytes)) return false;
  if (fill_with_cubes(surface, search.best, filled_out, error, error_bytes)) return true;
  mesh_free(filled_out);
  return false;
}
