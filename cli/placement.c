/* Affine maps of positions. */
#include "placement.h"

#include "models/portable_math.h"

#include <math.h>
#include <string.h>

/* The deviation of R times its transpose from the identity that graze_pose allows, and that allowed for spheres. */
static const double most_defect = 1e-6;

placement placement_identity(void) {
  return (placement){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

placement placement_of_pose(const graze_pose *pose) {
  placement placed;
  for (int row = 0; row < 3; row++) {
    memcpy(placed.rows[row], pose->rotation + 3 * row, 3 * sizeof(double));
    placed.rows[row][3] = pose->translation[row];
  }
  return placed;
}

placement placement_after(const placement *then, const placement *first) {
  placement both;
  for (int row = 0; row < 3; row++) {
    const double *r = then->rows[row];
    for (int column = 0; column < 4; column++)
      both.rows[row][column] =
          (r[0] * first->rows[0][column] + r[1] * first->rows[1][column]) + r[2] * first->rows[2][column];
    both.rows[row][3] += r[3];
  }
  return both;
}

/* The largest element is scaled to 1 before squaring, which could overflow. */
static double length_of_row(const double row[3]) {
  const double largest = fmax(fabs(row[0]), fmax(fabs(row[1]), fabs(row[2])));
  const double x = row[0] / largest, y = row[1] / largest, z = row[2] / largest;
  return largest * sqrt((x * x + y * y) + z * z);
}

/* Rodrigues' rotation formula. */
placement placement_about_axis(const double axis[3], double degrees) {
  const double length = length_of_row(axis), x = axis[0] / length, y = axis[1] / length, z = axis[2] / length;
  const double turns = degrees / 360.0, s = sine_of_turns(turns), c = cosine_of_turns(turns), rest = 1.0 - c;
  return (placement){{{c + x * x * rest, x * y * rest - z * s, x * z * rest + y * s, 0},
                      {y * x * rest + z * s, c + y * y * rest, y * z * rest - x * s, 0},
                      {z * x * rest - y * s, z * y * rest + x * s, c + z * z * rest, 0}}};
}

placement placement_about_xyz(const double degrees[3]) {
  placement placed = placement_identity();
  for (int i = 0; i < 3; i++) {
    const double axis[3] = {i == 0, i == 1, i == 2};
    const placement turned = placement_about_axis(axis, degrees[i]);
    placed = placement_after(&turned, &placed);
  }
  return placed;
}

bool placement_is_identity(const placement *placed) {
  for (int i = 0; i < 12; i++)
    if (placed->rows[i / 4][i % 4] != (i / 4 == i % 4 ? 1.0 : 0.0)) return false;
  return true;
}

static double determinant(const placement *placed) {
  const double *a = placed->rows[0], *b = placed->rows[1], *c = placed->rows[2];
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Whether the rows are orthogonal and of this length, within the deviation. */
static bool rows_have_length(const placement *placed, double length) {
  for (int i = 0; i < 3; i++) {
    const double *a = placed->rows[i];
    for (int j = i; j < 3; j++) {
      const double *b = placed->rows[j];
      const double product =
          (a[0] / length) * (b[0] / length) + (a[1] / length) * (b[1] / length) + (a[2] / length) * (b[2] / length);
      if (!(fabs(product - (i == j ? 1.0 : 0.0)) <= most_defect)) return false;
    }
  }
  return true;
}

bool placement_is_rigid(const placement *placed, graze_pose *pose_out) {
  if (!rows_have_length(placed, 1.0) || !(determinant(placed) > 0.0)) return false;
  for (int row = 0; row < 3; row++) {
    memcpy(pose_out->rotation + 3 * row, placed->rows[row], 3 * sizeof(double));
    pose_out->translation[row] = placed->rows[row][3];
    if (!isfinite(placed->rows[row][3])) return false;
  }
  return true;
}

/* Rows are scaled to a length near 1, so that a small scale does not count as zero. */
const char *placement_defect(const placement *placed) {
  placement even = *placed;
  for (int row = 0; row < 3; row++) {
    double largest = 0.0;
    for (int column = 0; column < 4; column++)
      if (!isfinite(placed->rows[row][column])) return "an element is not finite";
    for (int column = 0; column < 3; column++) largest = fmax(largest, fabs(placed->rows[row][column]));
    for (int column = 0; column < 3 && largest > 0.0; column++) even.rows[row][column] /= largest;
  }
  return determinant(&even) != 0.0 ? NULL : "it flattens objects: its determinant is 0";
}

bool placement_apply_positions(const placement *placed, const double *from, size_t count, double *to,
                               size_t *vertex_out) {
  for (size_t i = 0; i < count; i++) {
    const double x = from[3 * i], y = from[3 * i + 1], z = from[3 * i + 2];
    for (int row = 0; row < 3; row++) {
      const double *r = placed->rows[row];
      to[3 * i + (size_t)row] = ((r[0] * x + r[1] * y) + r[2] * z) + r[3];
    }
    if (isfinite(to[3 * i]) && isfinite(to[3 * i + 1]) && isfinite(to[3 * i + 2])) continue;
    *vertex_out = i;
    return false;
  }
  return true;
}

placement_result placement_apply(const placement *placed, mesh *moved, size_t *vertex_out) {
  graze_pose pose;
  const bool scaled = moved->kind == MESH_SPHERES && !placement_is_rigid(placed, &pose);
  const double scale = scaled ? length_of_row(placed->rows[0]) : 1.0;
  if (scaled && !rows_have_length(placed, scale)) return PLACEMENT_BENDS_SPHERES;
  if (!placement_apply_positions(placed, moved->positions, moved->vertex_count, moved->positions, vertex_out))
    return PLACEMENT_LEAVES_RANGE;
  for (size_t i = 0; scaled && i < moved->vertex_count; i++) {
    moved->radii[i] *= scale;
    if (isfinite(moved->radii[i])) continue;
    *vertex_out = i;
    return PLACEMENT_LEAVES_RANGE;
  }
  return PLACEMENT_DONE;
}
