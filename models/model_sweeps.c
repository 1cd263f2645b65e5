/* Solids swept by a disc along a curve: ring and coil, of tetrahedra of positive volume.
 *
 * The disc is the diamond |x| + |y| <= n of lattice points, each moved along its ray to the distance (|x| + |y|) / n: 4
 * n^2 triangles. Between two positions of the disc every triangle sweeps a prism, which is cut into three tetrahedra by
 * the numbers of its vertices, so that neighbors agree. */
#include "models/model_table.h"
#include "models/prism_split.h"

/* A position of the disc on the curve: its center and two unit vectors that span it; first x second points ahead. */
typedef struct disc_place {
  point3 center, first, second;
} disc_place;

typedef struct sweep {
  uint64_t n;     /* rings of the disc */
  uint64_t steps; /* prisms along the curve */
  bool is_closed; /* the last position is the first */
  double radius;  /* of the disc */
  disc_place (*at)(double share);
} sweep;

static uint64_t disc_points(uint64_t n) {
  return 2 * n * n + 2 * n + 1;
}

/* By rows of y, then x: k rows from the end hold k^2 points. */
static uint64_t disc_vertex(int64_t n, int64_t x, int64_t y) {
  const int64_t row = n - (y < 0 ? -y : y);
  const int64_t before = y <= 0 ? (n + y) * (n + y) : 2 * n * n + 2 * n + 1 - (row + 1) * (row + 1);
  return (uint64_t)(before + x + row);
}

static void write_disc(const sweep *shape, uint64_t step, mesh *m) {
  const disc_place place = shape->at((double)step / (double)shape->steps);
  const int64_t n = (int64_t)shape->n;
  size_t vertex = (size_t)(step * disc_points(shape->n));
  for (int64_t y = -n; y <= n; ++y) {
    const int64_t row = n - (y < 0 ? -y : y);
    for (int64_t x = -row; x <= row; ++x) {
      const double level = fabs((double)x) + fabs((double)y), length = sqrt((double)(x * x + y * y));
      const double factor = level == 0.0 ? 0.0 : shape->radius * level / (length * (double)n);
      const point3 offset =
          point3_add(point3_scale(place.first, factor * (double)x), point3_scale(place.second, factor * (double)y));
      mesh_set_vertex(m, vertex++, point3_add(place.center, offset));
    }
  }
}

static void write_prism(mesh *m, size_t first, const uint64_t lower[3], const uint64_t upper[3]) {
  uint64_t pieces[3][4];
  prism_split(lower, upper, pieces);
  for (size_t i = 0; i < 3; ++i) {
    mesh_set_tetrahedron(m, first + i, pieces[i][0], pieces[i][1], pieces[i][2], pieces[i][3]);
  }
}

static void write_prisms(const sweep *shape, const int64_t xy[3][2], mesh *m, size_t *written) {
  for (uint64_t step = 0; step < shape->steps; ++step) {
    const uint64_t ahead = shape->is_closed && step + 1 == shape->steps ? 0 : step + 1;
    uint64_t lower[3], upper[3];
    for (int i = 0; i < 3; ++i) {
      const uint64_t vertex = disc_vertex((int64_t)shape->n, xy[i][0], xy[i][1]);
      lower[i] = step * disc_points(shape->n) + vertex;
      upper[i] = ahead * disc_points(shape->n) + vertex;
    }
    write_prism(m, *written, lower, upper);
    *written += 3;
  }
}

/* Quadrants mirror each other; in each, squares are cut by the lines x + y = constant. */
static void write_quadrant(const sweep *shape, int64_t sx, int64_t sy, mesh *m, size_t *written) {
  const int64_t n = (int64_t)shape->n;
  for (int64_t y = 0; y < n; ++y) {
    for (int64_t x = 0; x + y < n; ++x) {
      const int64_t inner[3][2] = {{sx * x, sy * y}, {sx * (x + 1), sy * y}, {sx * x, sy * (y + 1)}};
      const int64_t outer[3][2] = {{sx * (x + 1), sy * (y + 1)}, {sx * x, sy * (y + 1)}, {sx * (x + 1), sy * y}};
      for (int piece = 0; piece < (x + y + 2 <= n ? 2 : 1); ++piece) {
        int64_t turned[3][2];
        for (int i = 0; i < 3; ++i) {
          const int from = sx * sy < 0 ? (3 - i) % 3 : i;
          turned[i][0] = (piece == 0 ? inner : outer)[from][0];
          turned[i][1] = (piece == 0 ? inner : outer)[from][1];
        }
        write_prisms(shape, turned, m, written);
      }
    }
  }
}

static bool add_sweep(const sweep *shape, const char *name, uint64_t seed, model_output *output) {
  const uint64_t discs = shape->steps + !shape->is_closed;
  if (!model_output_reserve(output, 1)) return false;
  mesh *m =
      model_output_add_tetrahedra(output, name, discs * disc_points(shape->n), 12 * shape->n * shape->n * shape->steps);
  if (m == NULL) return false;
  for (uint64_t step = 0; step < discs; ++step) write_disc(shape, step, m);
  size_t written = 0;
  for (int quadrant = 0; quadrant < 4; ++quadrant) {
    write_quadrant(shape, quadrant & 1 ? -1 : 1, quadrant & 2 ? -1 : 1, m, &written);
  }
  mesh_turn(m, seed);
  return true;
}

/* About target tetrahedra with steps as long as the triangles of the disc are wide: length / steps = radius / n. */
static void sweep_fit(sweep *shape, double target, double length, uint64_t least_steps) {
  shape->n = rounded_count(cube_root(1.0 + target / 12.0 * shape->radius / length), 1);
  shape->steps = rounded_count(target / (double)(12 * shape->n * shape->n), least_steps);
}

static disc_place ring_place(double share) {
  const double cosine = cosine_of_turns(share), sine = sine_of_turns(share);
  const disc_place place = {point3_make(cosine, 0.0, sine), point3_make(cosine, 0.0, sine), point3_make(0.0, 1.0, 0.0)};
  return place;
}

bool make_tet_torus(const model_parameters *parameters, model_output *output) {
  sweep shape = {0, 0, true, 0.4, ring_place};
  sweep_fit(&shape, (double)parameters->primitives, 6.28, 5);
  return add_sweep(&shape, "torus", parameters->seed, output);
}

/* A coil of radius 1 with turns 0.34 apart; the rod is 0.4 thick. */
static const double coil_turns = 5.0, coil_rise = 0.34, coil_rod = 0.2;

static disc_place coil_place(double share) {
  const double turns = share * coil_turns, cosine = cosine_of_turns(turns), sine = sine_of_turns(turns);
  const point3 outward = point3_make(cosine, 0.0, sine);
  const point3 ahead = point3_unit(point3_make(-sine, coil_rise / 6.283185307179586, cosine));
  const disc_place place = {point3_make(cosine, coil_rise * (turns - 0.5 * coil_turns), sine), outward,
                            point3_cross(ahead, outward)};
  return place;
}

bool make_tet_rod(const model_parameters *parameters, model_output *output) {
  sweep shape = {0, 0, false, coil_rod, coil_place};
  sweep_fit(&shape, (double)parameters->primitives, 6.28 * coil_turns, 25);
  return add_sweep(&shape, "rod", parameters->seed, output);
}
