/* Sheets: a cloth with slight waves that never intersects itself, and a folded one that does so everywhere.
 *
 * Workload: a bad frame of a cloth simulation. The folded sheet lies back and forth in layers whose ripples are deeper
 * than their distance, so that neighboring layers cross along many curves: pairs grow with the square root of the
 * triangles, to tens of thousands at 90,000 triangles. */
#include "models/model_table.h"
#include "models/seeded_random.h"
#include "models/smooth_noise.h"

static mesh *add_sheet(model_output *output, const char *name, const grid_shape *shape) {
  if (!model_output_reserve(output, 1)) return NULL;
  mesh *m = model_output_add(output, name, grid_vertex_count(shape), 2 * shape->rows * shape->columns);
  if (m != NULL) grid_write_triangles(shape, m, 0);
  return m;
}

/* The height is a function of the position, so the sheet cannot intersect itself. */
bool make_cloth(const model_parameters *parameters, model_output *output) {
  const grid_shape shape = grid_shape_fit((double)parameters->primitives, 1.0, 1, 1);
  mesh *m = add_sheet(output, "cloth", &shape);
  if (m == NULL) return false;
  const uint64_t seed = random_mix(parameters->seed + 11);
  for (uint64_t row = 0; row <= shape.rows; ++row) {
    for (uint64_t column = 0; column <= shape.columns; ++column) {
      const double x = 2.0 * (double)column / (double)shape.columns - 1.0;
      const double z = 1.0 - 2.0 * (double)row / (double)shape.rows;
      const double swell = 0.16 * smooth_noise(point3_make(1.3 * x, 0.5, 1.3 * z), seed);
      const double ripple = 0.045 * smooth_noise(point3_make(5.0 * x + 1.5 * z, 3.5, 3.0 * z), random_mix(seed));
      mesh_set_vertex(m, grid_vertex(&shape, row, column), point3_make(x, swell + ripple, z));
    }
  }
  return true;
}

enum { LAYER_COUNT = 14 };

/* Half the distance between two layers, and the radius of the bends between them. */
static const double bend_radius = 0.012;

/* A point of the folded line at a fraction of its length: straight runs of length 2 joined by half circles. `across` is
 * its position between the bends, `up` its height. */
static void folded_line(double share, double *across_out, double *up_out) {
  const double run = 2.0, bend = bend_radius * 3.14159265358979323846;
  const double length = LAYER_COUNT * run + (LAYER_COUNT - 1) * bend;
  const double traveled = share * length;
  uint64_t layer = (uint64_t)(traveled / (run + bend));
  if (layer >= LAYER_COUNT) layer = LAYER_COUNT - 1;
  const double within = traveled - (double)layer * (run + bend);
  const double direction = layer % 2 == 0 ? 1.0 : -1.0;
  double across = within - 1.0, up = 2.0 * bend_radius * (double)layer;
  if (within > run) {
    const double half_turns = (within - run) / bend;
    across = 1.0 + bend_radius * sine_of_turns(0.5 * half_turns);
    up += bend_radius * (1.0 - cosine_of_turns(0.5 * half_turns));
  }
  *across_out = direction * across;
  *up_out = up;
}

bool make_folded_cloth(const model_parameters *parameters, model_output *output) {
  const grid_shape shape = grid_shape_fit((double)parameters->primitives, LAYER_COUNT, 1, 1);
  mesh *m = add_sheet(output, "folded-cloth", &shape);
  if (m == NULL) return false;
  const uint64_t seed = random_mix(parameters->seed + 12);
  for (uint64_t column = 0; column <= shape.columns; ++column) {
    double across, up;
    folded_line((double)column / (double)shape.columns, &across, &up);
    for (uint64_t row = 0; row <= shape.rows; ++row) {
      const double along = 1.0 - 2.0 * (double)row / (double)shape.rows;
      /* The third coordinate of the noise follows the cloth, not space: each layer ripples differently. */
      const double cloth = 1.7 * (double)column / (double)shape.columns * LAYER_COUNT;
      const double swell = 0.10 * smooth_noise(point3_make(1.2 * across, 1.2 * along, 0.25 * cloth), seed);
      const double ripple =
          0.13 * fractal_noise(point3_make(3.2 * across, 3.2 * along, cloth), random_mix(seed + 1), 2);
      const double drift = 0.09 * smooth_noise(point3_make(0.5 * across, 1.5 * along, cloth), random_mix(seed + 2));
      const double slide = 0.06 * smooth_noise(point3_make(1.5 * across, 1.5 * along, cloth), random_mix(seed + 3));
      const point3 p = point3_make(across + drift, up + swell + ripple, along + slide);
      mesh_set_vertex(m, grid_vertex(&shape, row, column), p);
    }
  }
  return true;
}
