/* The axis along which a cluster is swept: the covariance of its points, its eigenvectors, and the interval of a box
 * along an axis.
 *
 * The axis need be neither exact nor normalized: for any axis, boxes that share a point have overlapping intervals,
 * because each contains the projection of the point. A bad axis costs time but loses nothing.
 *
 * Eigenvectors by Jacobi rotations (Jacobi, "Über ein leichtes Verfahren...", 1846; cyclic, as in Golub and Van Loan,
 * "Matrix Computations", 1983): they are orthogonal for every symmetric matrix, also for equal eigenvalues.
 *
 * Workload: one matrix per cluster, one interval per primitive of it. For the processor and for GPUs. */
#ifndef GRAZE_BROAD_CLUSTERS_AXIS_H
#define GRAZE_BROAD_CLUSTERS_AXIS_H

#include "broad/primitive_view.h"

#include <math.h>
#include <string.h>

/* Sums over points, relative to one of them; the order of points affects the last bits. */
typedef struct point_spread {
  double origin[3];
  double count, sum[3];
  double product[6]; /* xx, yy, zz, xy, xz, yz */
} point_spread;

GEOMETRY_FUNCTION point_spread point_spread_begin(const float origin[3]) {
  point_spread spread = {{origin[0], origin[1], origin[2]}, 0.0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  return spread;
}

GEOMETRY_FUNCTION void point_spread_add(point_spread *spread, const float point[3]) {
  const double x = point[0] - spread->origin[0], y = point[1] - spread->origin[1], z = point[2] - spread->origin[2];
  spread->count += 1.0;
  spread->sum[0] += x;
  spread->sum[1] += y;
  spread->sum[2] += z;
  spread->product[0] += x * x;
  spread->product[1] += y * y;
  spread->product[2] += z * z;
  spread->product[3] += x * y;
  spread->product[4] += x * z;
  spread->product[5] += y * z;
}

/* The covariance matrix of at least one point. */
GEOMETRY_FUNCTION void point_covariance(const point_spread *spread, double matrix_out[3][3]) {
  double mean[3];
  for (int i = 0; i < 3; i++) mean[i] = spread->sum[i] / spread->count;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const double product = i == j ? spread->product[i] : spread->product[i + j + 2];
      matrix_out[i][j] = product / spread->count - mean[i] * mean[j];
    }
  }
}

/* Rotates rows and columns p and q of a symmetric matrix so that their common element vanishes, and the vectors with
 * them. */
GEOMETRY_FUNCTION void jacobi_rotate(double matrix[3][3], double vectors[3][3], int p, int q) {
  if (matrix[p][q] == 0.0) return;
  const double ratio = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
  const double tangent = (ratio < 0.0 ? -1.0 : 1.0) / (fabs(ratio) + sqrt(ratio * ratio + 1.0));
  const double cosine = 1.0 / sqrt(tangent * tangent + 1.0), sine = tangent * cosine;
  for (int i = 0; i < 3; i++) {
    const double a = matrix[i][p], b = matrix[i][q];
    matrix[i][p] = cosine * a - sine * b;
    matrix[i][q] = sine * a + cosine * b;
  }
  for (int i = 0; i < 3; i++) {
    const double a = matrix[p][i], b = matrix[q][i];
    matrix[p][i] = cosine * a - sine * b;
    matrix[q][i] = sine * a + cosine * b;
  }
  for (int i = 0; i < 3; i++) {
    const double a = vectors[p][i], b = vectors[q][i];
    vectors[p][i] = cosine * a - sine * b;
    vectors[q][i] = sine * a + cosine * b;
  }
}

/* Eigenvalues and unit eigenvectors, the largest first; for equal ones any orthogonal vectors. The matrix is
 * overwritten. With NaN or infinite elements, the result is the coordinate axes. */
GEOMETRY_FUNCTION void symmetric_eigenvectors(double matrix[3][3], double values_out[3], double vectors_out[3][3]) {
  double size = 0.0;
  bool finite = true;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      finite = finite && fabs(matrix[i][j]) <= 0x1p1000;
      size = fmax(size, fabs(matrix[i][j]));
      vectors_out[i][j] = i == j ? 1.0 : 0.0;
    }
    values_out[i] = 0.0;
  }
  if (!finite || size == 0.0) return;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) matrix[i][j] /= size;
  enum { SWEEPS = 12 }; /* convergence is quadratic: five are enough for doubles */
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    jacobi_rotate(matrix, vectors_out, 0, 1);
    jacobi_rotate(matrix, vectors_out, 0, 2);
    jacobi_rotate(matrix, vectors_out, 1, 2);
  }
  for (int i = 0; i < 3; i++) values_out[i] = matrix[i][i] * size;
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 2; i++) {
      if (!(values_out[i] < values_out[i + 1])) continue;
      const double value = values_out[i];
      values_out[i] = values_out[i + 1];
      values_out[i + 1] = value;
      for (int j = 0; j < 3; j++) {
        const double element = vectors_out[i][j];
        vectors_out[i][j] = vectors_out[i + 1][j];
        vectors_out[i + 1][j] = element;
      }
    }
  }
}

typedef struct sweep_axis {
  double direction[3];
  int coordinate; /* 0, 1 or 2 if the direction is that of a coordinate; otherwise -1 */
} sweep_axis;

GEOMETRY_FUNCTION sweep_axis coordinate_axis(int coordinate) {
  sweep_axis axis = {{0, 0, 0}, coordinate};
  axis.direction[coordinate] = 1.0;
  return axis;
}

/* The direction of the largest spread of the points. */
GEOMETRY_FUNCTION sweep_axis principal_axis(const point_spread *spread) {
  if (spread->count == 0.0) return coordinate_axis(0);
  double matrix[3][3], values[3], vectors[3][3];
  point_covariance(spread, matrix);
  symmetric_eigenvectors(matrix, values, vectors);
  sweep_axis axis = {{vectors[0][0], vectors[0][1], vectors[0][2]}, -1};
  return axis;
}

/* The sum of three products minus a bound of all rounding errors, including that of the conversion to float: less
 * than 2^-50 times the magnitudes for products and sums, and 2^-24 times the sum, or 2^-150, for the float. */
GEOMETRY_FUNCTION float sum_rounded_down(double a, double b, double c) {
  const double sum = a + b + c;
  return (float)(sum - ((fabs(a) + fabs(b) + fabs(c)) * 0x1p-50 + fabs(sum) * 0x1.01p-24 + 0x1p-149));
}

/* The interval of a box along an axis, rounded outward. */
GEOMETRY_FUNCTION void interval_along(const sweep_axis *axis, const primitive_box *box, float *low_out,
                                      float *high_out) {
  if (axis->coordinate >= 0) {
    *low_out = box->min[axis->coordinate];
    *high_out = box->max[axis->coordinate];
    return;
  }
  double lower[3], upper[3];
  for (int i = 0; i < 3; i++) {
    const double a = axis->direction[i] * box->min[i], b = axis->direction[i] * box->max[i];
    lower[i] = a < b ? a : b;
    upper[i] = a < b ? b : a;
  }
  *low_out = sum_rounded_down(lower[0], lower[1], lower[2]);
  *high_out = -sum_rounded_down(-upper[0], -upper[1], -upper[2]);
  if (*low_out <= *high_out) return;
  *low_out = -HUGE_VALF; /* NaN overlaps everything */
  *high_out = HUGE_VALF;
}

/* Maps floats to integers of the same order; both zeros are equal. */
GEOMETRY_FUNCTION uint32_t ordered_float_bits(float value) {
  uint32_t bits;
  value += 0.0f;
  memcpy(&bits, &value, sizeof bits);
  return (bits & UINT32_C(0x80000000)) != 0 ? ~bits : bits | UINT32_C(0x80000000);
}

#endif
