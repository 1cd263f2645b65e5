/* Affine maps, which place meshes in nodes of glTF and components of 3MF. In double precision, without fused
 * operations, so that positions are identical on every machine. */
#ifndef GRAZE_AFFINE_H
#define GRAZE_AFFINE_H

#include <stdbool.h>

/* Row i gives coordinate i: the product of its first three numbers with the point, plus the fourth. */
typedef struct affine {
  double row[3][4];
} affine;

static inline affine affine_identity(void) {
  return (affine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

static inline void affine_apply(const affine *map, const double point[3], double point_out[3]) {
  for (int i = 0; i < 3; i++) {
    const double *r = map->row[i];
    point_out[i] = r[0] * point[0] + r[1] * point[1] + r[2] * point[2] + r[3];
  }
}

/* Returns the composition: first `inner`, then `outer`. */
static inline affine affine_compose(const affine *outer, const affine *inner) {
  affine both;
  for (int i = 0; i < 3; i++) {
    const double *r = outer->row[i];
    for (int j = 0; j < 4; j++) {
      both.row[i][j] = r[0] * inner->row[0][j] + r[1] * inner->row[1][j] + r[2] * inner->row[2][j];
    }
    both.row[i][3] += r[3];
  }
  return both;
}

/* Whether the map reverses the orientation of surfaces. */
static inline bool affine_is_mirror(const affine *map) {
  const double *a = map->row[0], *b = map->row[1], *c = map->row[2];
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]) <
         0;
}

#endif
