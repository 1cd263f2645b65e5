/* A gear wheel: flat faces, sharp edges, a concave outline.
 *
 * The wheel is a ring whose section is a rectangle from the bore to an outline radius that depends on the angle; the
 * grid of angle x section has the topology of a torus and shares all its vertices. Corners of teeth and of the section
 * always fall on grid lines, so edges are sharp at every resolution. */
#include "models/model_table.h"

enum { TOOTH_COUNT = 16, PIECES_PER_TOOTH = 4 };

static const double bore_radius = 0.35, root_radius = 0.8, tip_radius = 1.0, half_thickness = 0.16;

/* A tooth has four pieces: root, rising flank, tip, falling flank, with these fractions of its angle. */
static const double piece_share[PIECES_PER_TOOTH] = {0.28, 0.17, 0.38, 0.17};

typedef struct gear_shape {
  uint64_t steps_per_piece;
  uint64_t radial_steps; /* across each of the two faces */
  uint64_t axial_steps;  /* across the rim and across the bore */
} gear_shape;

static gear_shape choose_shape(double target) {
  gear_shape shape;
  const double unit = 4.0 * TOOTH_COUNT * PIECES_PER_TOOTH;
  shape.steps_per_piece = rounded_count(sqrt(target / unit / 6.0), 1);
  const uint64_t half_section = rounded_count(target / (unit * (double)shape.steps_per_piece), 2);
  shape.axial_steps = rounded_count((double)half_section / 3.0, 1);
  shape.radial_steps = half_section - shape.axial_steps;
  return shape;
}

/* The angle in turns and the radius of the outline at a step around the wheel. */
static double outline(const gear_shape *shape, uint64_t step, double *turns_out) {
  const uint64_t piece_number = step / shape->steps_per_piece;
  const double along = (double)(step % shape->steps_per_piece) / (double)shape->steps_per_piece;
  const uint64_t tooth = piece_number / PIECES_PER_TOOTH, piece = piece_number % PIECES_PER_TOOTH;
  double share = piece_share[piece] * along;
  for (uint64_t i = 0; i < piece; ++i) share += piece_share[i];
  *turns_out = ((double)tooth + share) / TOOTH_COUNT;
  switch (piece) {
  case 0:
    return root_radius;
  case 1:
    return root_radius + (tip_radius - root_radius) * along;
  case 2:
    return tip_radius;
  default:
    return tip_radius - (tip_radius - root_radius) * along;
  }
}

/* The section goes outward over the back face, along the rim to the front, inward over the front face, and back through
 * the bore: `radius_share` is 0 at the bore and 1 at the outline. */
static void section_point(const gear_shape *shape, uint64_t step, double *radius_share_out, double *height_out) {
  const double radial = (double)shape->radial_steps, axial = (double)shape->axial_steps;
  if (step < shape->radial_steps) {
    *radius_share_out = (double)step / radial;
    *height_out = -half_thickness;
    return;
  }
  step -= shape->radial_steps;
  if (step < shape->axial_steps) {
    *radius_share_out = 1.0;
    *height_out = half_thickness * (2.0 * (double)step / axial - 1.0);
    return;
  }
  step -= shape->axial_steps;
  if (step < shape->radial_steps) {
    *radius_share_out = 1.0 - (double)step / radial;
    *height_out = half_thickness;
    return;
  }
  step -= shape->radial_steps;
  *radius_share_out = 0.0;
  *height_out = half_thickness * (1.0 - 2.0 * (double)step / axial);
}

bool make_gear(const model_parameters *parameters, model_output *output) {
  const gear_shape gear = choose_shape((double)parameters->primitives);
  const grid_shape shape = {2 * (gear.radial_steps + gear.axial_steps),
                            TOOTH_COUNT * PIECES_PER_TOOTH * gear.steps_per_piece, true, true};
  if (!model_output_reserve(output, 1)) return false;
  mesh *m = model_output_add(output, "gear", grid_vertex_count(&shape), 2 * shape.rows * shape.columns);
  if (m == NULL) return false;
  for (uint64_t column = 0; column < shape.columns; ++column) {
    double turns;
    const double rim = outline(&gear, column, &turns);
    const double cosine = cosine_of_turns(turns), sine = sine_of_turns(turns);
    for (uint64_t row = 0; row < shape.rows; ++row) {
      double share, height;
      section_point(&gear, row, &share, &height);
      const double radius = bore_radius + (rim - bore_radius) * share;
      mesh_set_vertex(m, grid_vertex(&shape, row, column), point3_make(radius * cosine, radius * sine, height));
    }
  }
  grid_write_triangles(&shape, m, 0);
  mesh_turn(m, parameters->seed);
  return true;
}
