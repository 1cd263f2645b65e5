/* Closed smooth surfaces: sphere, torus, knot, blob, blobs.
 *
 * All share their vertices and face outward. The sphere is the icosahedron with every edge divided into f parts,
 * projected to the sphere (Fuller's geodesic dome): any f, not only powers of two, so that every target is met. The
 * blob scales the radii of the sphere by a positive function, which keeps it star-shaped and so free of
 * self-intersections. */
#include "models/model_table.h"
#include "models/seeded_random.h"
#include "models/smooth_noise.h"

#include <stdio.h>

/* ------------------------------------------------------------------------------------------------ geodesic sphere */

typedef struct icosahedron {
  point3 corner[12];
  uint8_t edge[30][2];
  uint8_t face[20][3];
  uint8_t edge_of[12][12];
} icosahedron;

/* Edges and faces follow from the corners: two corners are joined if they are 2 apart; three joined corners are a face.
 * Any other two corners are at least 2 * 1.618 apart. */
static bool is_joined(const icosahedron *solid, int a, int b) {
  const point3 difference = point3_add(solid->corner[a], point3_scale(solid->corner[b], -1.0));
  return point3_dot(difference, difference) < 5.0;
}

static void make_icosahedron(icosahedron *solid) {
  const double golden = (1.0 + sqrt(5.0)) / 2.0;
  for (int i = 0; i < 4; ++i) {
    const double a = i & 1 ? 1.0 : -1.0, b = i & 2 ? golden : -golden;
    solid->corner[i] = point3_make(0.0, a, b);
    solid->corner[4 + i] = point3_make(a, b, 0.0);
    solid->corner[8 + i] = point3_make(b, 0.0, a);
  }
  int edges = 0, faces = 0;
  for (int a = 0; a < 12; ++a) {
    for (int b = a + 1; b < 12; ++b) {
      if (!is_joined(solid, a, b)) continue;
      solid->edge_of[a][b] = solid->edge_of[b][a] = (uint8_t)edges;
      solid->edge[edges][0] = (uint8_t)a;
      solid->edge[edges++][1] = (uint8_t)b;
      for (int c = b + 1; c < 12; ++c) {
        if (!is_joined(solid, a, c) || !is_joined(solid, b, c)) continue;
        const bool outward = point3_dot(point3_cross(solid->corner[a], solid->corner[b]), solid->corner[c]) > 0.0;
        solid->face[faces][0] = (uint8_t)a;
        solid->face[faces][1] = (uint8_t)(outward ? b : c);
        solid->face[faces++][2] = (uint8_t)(outward ? c : b);
      }
    }
  }
}

static uint64_t edge_vertex(const icosahedron *solid, uint64_t f, int from, int to, uint64_t step) {
  const uint64_t edge = solid->edge_of[from][to];
  return 12 + edge * (f - 1) + (from < to ? step : f - step) - 1;
}

/* The number of the vertex i steps from the first corner of the face to its second and j steps to its third. Corners
 * come first, then the inner vertices of edges, then those of faces row by row. */
static uint64_t face_vertex(const icosahedron *solid, uint64_t f, int face, uint64_t i, uint64_t j) {
  const int a = solid->face[face][0], b = solid->face[face][1], c = solid->face[face][2];
  if (i == 0 && j == 0) return (uint64_t)a;
  if (i == f) return (uint64_t)b;
  if (j == f) return (uint64_t)c;
  if (j == 0) return edge_vertex(solid, f, a, b, i);
  if (i == 0) return edge_vertex(solid, f, a, c, j);
  if (i + j == f) return edge_vertex(solid, f, b, c, j);
  const uint64_t inner = (f - 1) * (f - 2) / 2;
  const uint64_t rows_before = (j - 1) * (f - 1) - j * (j - 1) / 2;
  return 12 + 30 * (f - 1) + (uint64_t)face * inner + rows_before + i - 1;
}

static void write_geodesic_vertices(const icosahedron *solid, uint64_t f, mesh *m) {
  for (size_t i = 0; i < 12; ++i) mesh_set_vertex(m, i, point3_unit(solid->corner[i]));
  for (int edge = 0; edge < 30; ++edge) {
    const int a = solid->edge[edge][0], b = solid->edge[edge][1];
    for (uint64_t step = 1; step < f; ++step) {
      const point3 p =
          point3_add(point3_scale(solid->corner[a], (double)(f - step)), point3_scale(solid->corner[b], (double)step));
      mesh_set_vertex(m, edge_vertex(solid, f, a, b, step), point3_unit(p));
    }
  }
  for (int face = 0; face < 20; ++face) {
    const point3 a = solid->corner[solid->face[face][0]], b = solid->corner[solid->face[face][1]];
    const point3 c = solid->corner[solid->face[face][2]];
    for (uint64_t j = 1; j < f; ++j) {
      for (uint64_t i = 1; i + j < f; ++i) {
        const point3 p = point3_add(point3_add(point3_scale(a, (double)(f - i - j)), point3_scale(b, (double)i)),
                                    point3_scale(c, (double)j));
        mesh_set_vertex(m, face_vertex(solid, f, face, i, j), point3_unit(p));
      }
    }
  }
}

static void write_geodesic_triangles(const icosahedron *solid, uint64_t f, mesh *m) {
  size_t triangle = 0;
  for (int face = 0; face < 20; ++face) {
    for (uint64_t j = 0; j < f; ++j) {
      for (uint64_t i = 0; i + j < f; ++i) {
        const uint64_t right = face_vertex(solid, f, face, i + 1, j), above = face_vertex(solid, f, face, i, j + 1);
        mesh_set_triangle(m, triangle++, face_vertex(solid, f, face, i, j), right, above);
        if (i + j + 1 < f) mesh_set_triangle(m, triangle++, right, face_vertex(solid, f, face, i + 1, j + 1), above);
      }
    }
  }
}

mesh *add_geodesic_sphere(model_output *output, const char *name, double target) {
  const uint64_t f = target > 20.0 ? rounded_count(sqrt(target / 20.0), 1) : 1;
  mesh *m = model_output_add(output, name, 10 * f * f + 2, 20 * f * f);
  if (m == NULL) return NULL;
  icosahedron solid;
  make_icosahedron(&solid);
  write_geodesic_vertices(&solid, f, m);
  write_geodesic_triangles(&solid, f, m);
  return m;
}

bool make_sphere(const model_parameters *parameters, model_output *output) {
  if (!model_output_reserve(output, 1)) return false;
  mesh *m = add_geodesic_sphere(output, "sphere", (double)parameters->primitives);
  if (m == NULL) return false;
  mesh_turn(m, parameters->seed);
  return true;
}

/* ------------------------------------------------------------------------------------------------ blobs */

/* A lobe around a unit axis: 1 on it, 0 where the cosine is at most `edge`, smooth there and on the axis. */
static double lobe(point3 direction, point3 axis, double edge) {
  const double t = (point3_dot(direction, axis) - edge) / (1.0 - edge);
  if (t <= 0.0) return 0.0;
  return t * t;
}

/* The radius in a direction, between 0.3 and 2.6: a lump, a head, two ears. Detail is noise at the displaced position,
 * not at the direction, so that it is as fine on the ears as on the body. */
static double blob_radius(point3 d, uint64_t seed, const point3 ears[2], point3 head) {
  const double lump = 0.26 * smooth_noise(point3_scale(d, 1.4), random_mix(seed + 1));
  const double limbs = 0.50 * lobe(d, head, 0.30) + 1.2 * (lobe(d, ears[0], 0.925) + lobe(d, ears[1], 0.925));
  const double coarse = 0.85 + lump + limbs;
  const double folds = 0.07 * fractal_noise(point3_scale(d, 3.0 * coarse), random_mix(seed + 2), 3);
  const double grain = 0.007 * smooth_noise(point3_scale(d, 22.0 * coarse), random_mix(seed + 3));
  const double radius = coarse + folds + grain;
  return radius < 0.3 ? 0.3 : radius;
}

mesh *add_blob(model_output *output, const char *name, double target, uint64_t seed) {
  mesh *m = add_geodesic_sphere(output, name, target);
  if (m == NULL) return NULL;
  random_stream stream = random_stream_make(seed, 5);
  const double lean = random_between(&stream, 0.3, 0.45), tilt = random_between(&stream, 0.05, 0.3);
  const point3 ears[2] = {point3_unit(point3_make(-lean, 1.0, tilt)), point3_unit(point3_make(lean, 1.0, tilt))};
  const point3 head = point3_unit(point3_make(random_between(&stream, -0.2, 0.2), 0.6, 0.8));
  for (size_t i = 0; i < m->vertex_count; ++i) {
    const point3 direction = mesh_vertex(m, i);
    mesh_set_vertex(m, i, point3_scale(direction, blob_radius(direction, seed, ears, head)));
  }
  return m;
}

bool make_blob(const model_parameters *parameters, model_output *output) {
  return model_output_reserve(output, 1) &&
         add_blob(output, "blob", (double)parameters->primitives, parameters->seed) != NULL;
}

/* Eight blobs at the corners of a cube whose edge is less than the width of a blob, each slightly displaced, so that
 * each overlaps its neighbors but none lies inside another. */
bool make_blobs(const model_parameters *parameters, model_output *output) {
  if (!model_output_reserve(output, 8)) return false;
  random_stream stream = random_stream_make(parameters->seed, 8);
  /* The deficit of one sphere is added to the next, because single spheres of few triangles are far from any target. */
  double remaining = (double)parameters->primitives;
  for (int i = 0; i < 8; ++i) {
    char name[32];
    snprintf(name, sizeof name, "blob_%d", i);
    const uint64_t seed = random_bits(&stream);
    mesh *m = add_blob(output, name, remaining / (8 - i), seed);
    if (m == NULL) return false;
    remaining -= (double)m->triangle_count;
    mesh_turn(m, seed | 1);
    const double x = (i & 1 ? 0.75 : -0.75) + random_between(&stream, -0.15, 0.15);
    const double y = (i & 2 ? 0.75 : -0.75) + random_between(&stream, -0.15, 0.15);
    const double z = (i & 4 ? 0.75 : -0.75) + random_between(&stream, -0.15, 0.15);
    mesh_place(m, 1.0, point3_make(x, y, z));
  }
  return true;
}

/* ------------------------------------------------------------------------------------------------ torus and knot */

bool make_torus(const model_parameters *parameters, model_output *output) {
  const double tube = 0.4;
  grid_shape shape = grid_shape_fit((double)parameters->primitives, 1.0 / tube, 3, 3);
  shape.wrap_rows = shape.wrap_columns = true;
  if (!model_output_reserve(output, 1)) return false;
  mesh *m = model_output_add(output, "torus", grid_vertex_count(&shape), 2 * shape.rows * shape.columns);
  if (m == NULL) return false;
  for (uint64_t column = 0; column < shape.columns; ++column) {
    const double along = (double)column / (double)shape.columns;
    const double along_cosine = cosine_of_turns(along), along_sine = sine_of_turns(along);
    for (uint64_t row = 0; row < shape.rows; ++row) {
      const double around = -(double)row / (double)shape.rows;
      const double radius = 1.0 + tube * cosine_of_turns(around);
      const point3 p = point3_make(radius * along_cosine, tube * sine_of_turns(around), radius * along_sine);
      mesh_set_vertex(m, grid_vertex(&shape, row, column), p);
    }
  }
  grid_write_triangles(&shape, m, 0);
  mesh_turn(m, parameters->seed);
  return true;
}

/* A knot that winds p times around the axis and q times around the tube of a torus with radii 1 and `ring`; `tube` is
 * less than half the least distance of its strands, so that the surface does not intersect itself. */
typedef struct knot_kind {
  int p, q;
  double ring, tube;
} knot_kind;

static const knot_kind knot_kinds[] = {
    {2, 3, 0.45, 0.20}, {3, 2, 0.50, 0.16}, {2, 5, 0.50, 0.15}, {3, 4, 0.55, 0.14}, {3, 5, 0.55, 0.12},
};

/* The torus normal at the curve is perpendicular to its tangent and periodic with it, so the frame of the tube needs no
 * twist correction at the seam. */
static void write_knot_ring(const knot_kind *kind, const grid_shape *shape, uint64_t column, mesh *m) {
  const double t = (double)column / (double)shape->columns;
  const double cp = cosine_of_turns(kind->p * t), sp = sine_of_turns(kind->p * t);
  const double cq = cosine_of_turns(kind->q * t), sq = sine_of_turns(kind->q * t);
  const double radius = 1.0 + kind->ring * cq;
  const point3 center = point3_make(radius * cp, kind->ring * sq, radius * sp);
  const double radius_rate = -kind->ring * kind->q * sq;
  const point3 tangent = point3_unit(point3_make(radius_rate * cp - radius * kind->p * sp, kind->ring * kind->q * cq,
                                                 radius_rate * sp + radius * kind->p * cp));
  const point3 normal = point3_make(cq * cp, sq, cq * sp);
  const point3 binormal = point3_cross(tangent, normal);
  for (uint64_t row = 0; row < shape->rows; ++row) {
    const double around = (double)row / (double)shape->rows;
    const point3 offset = point3_add(point3_scale(normal, kind->tube * cosine_of_turns(around)),
                                     point3_scale(binormal, -kind->tube * sine_of_turns(around)));
    mesh_set_vertex(m, grid_vertex(shape, row, column), point3_add(center, offset));
  }
}

bool make_knot(const model_parameters *parameters, model_output *output) {
  const knot_kind *kind = &knot_kinds[parameters->seed % (sizeof knot_kinds / sizeof knot_kinds[0])];
  const double length = sqrt((double)(kind->p * kind->p) + kind->ring * kind->ring * kind->q * kind->q);
  grid_shape shape = grid_shape_fit((double)parameters->primitives, length / kind->tube, 3, 16);
  shape.wrap_rows = shape.wrap_columns = true;
  if (!model_output_reserve(output, 1)) return false;
  mesh *m = model_output_add(output, "knot", grid_vertex_count(&shape), 2 * shape.rows * shape.columns);
  if (m == NULL) return false;
  for (uint64_t column = 0; column < shape.columns; ++column) write_knot_ring(kind, &shape, column, m);
  grid_write_triangles(&shape, m, 0);
  mesh_turn(m, parameters->seed);
  return true;
}
