/* Voxmap and pointshell: the classical method for haptic forces, with which the force benchmark compares packings.
 *
 * A voxmap is a grid of voxels that store their depth in layers inside a closed mesh; a pointshell is a set of points
 * on the surface of another body with normals that point inward. McNeely, Puterbaugh, Troy, "Six degree-of-freedom
 * haptic rendering using voxel sampling" (1999); layers after Sagardia, Hulin, Preusche, Hirzinger, "Improvements of
 * the voxmap-pointshell algorithm" (2008). Workload: up to half a billion voxels of a byte each, about ten thousand
 * points. */
#ifndef GRAZE_VOXMAP_H
#define GRAZE_VOXMAP_H

#include "lab/quality_spheres.h"

#include <stdint.h>

enum { VOXMAP_LAYERS_MOST = 127 };

typedef struct voxmap {
  double origin[3]; /* the lowest corner */
  double side;
  size_t count[3];
  /* The layer v of each, x first: the depth of its center in sides, rounded; what is outside is -1. */
  int8_t *layers;
} voxmap;

/* `voxels` along x; what is deeper than `depth` need not be told apart, and VOXMAP_LAYERS_MOST layers are at most. The
 * lowest and highest layers have their centers on the mesh's box, so that flat sides are of layer 0. False where memory
 * runs out; voxmap_free releases it. */
bool voxmap_make(const mesh *body, size_t voxels, double depth, voxmap *map_out);
void voxmap_free(voxmap *map);
int voxmap_layer(const voxmap *map, const double point[3]); /* of the voxel that has the point; -1 beyond the grid */

typedef struct pointshell {
  double (*points)[3], (*normals)[3]; /* normals are of length 1 and point inward */
  size_t count;
} pointshell;

/* Distributes points by a low-discrepancy sequence. Returns false if out of memory. */
bool pointshell_make(const mesh *body, size_t count, pointshell *shell_out);
void pointshell_free(pointshell *shell);

/* Computes force and torque of the voxmap on the posed shell: each point in a voxel of layer v >= 0 contributes
 * n (n . e + v s), with e from the point to the voxel's center and the side s, if positive; otherwise the point is in
 * front of the plane through the center. The torque is about the shell's origin; the penalty is the deepest point. */
void voxmap_push(const voxmap *map, const pointshell *shell, const quality_pose *pose, quality_sample *sample_out);

void voxmap_run(const quality_scenario *scenario, const voxmap *map, const pointshell *shell, size_t steps,
                quality_sample *samples_out);

#endif
