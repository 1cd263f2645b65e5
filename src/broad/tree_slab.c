/* Fits slabs; see tree_slab.h and tree_body.h.
 *
 * Workload: once per rigid body, each leaf once for every level that has slabs. */
#include "broad/tree_body.h"

#include "geometry/float_rounding.h"

#include <float.h>

/* Nodes above this level are too large to be flat. */
enum { SLAB_TOP = 5, SLAB_GRAIN = 64 };

/* The normal of a primitive, with a length of twice its area: of the first three corners, which are one face of a
 * solid. */
static void normal_of_leaf(const body_work *work, uint32_t leaf, double normal_out[3]) {
  const object_source *source = work->source;
  const corner_list corners = corners_of(source, source->first_primitive + work->leaves[leaf]);
  const double per_unit = 1.0 / work->body->space.unit;
  double p[3][3];
  for (uint32_t i = 0; i < 3; i++) {
    read_position(source->positions, source->is_double, corners.vertices[i < corners.count ? i : 0], p[i]);
    for (int axis = 0; axis < 3; axis++) p[i][axis] = (p[i][axis] - work->body->space.origin[axis]) * per_unit;
  }
  for (int axis = 0; axis < 3; axis++) {
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    normal_out[axis] = (p[1][a] - p[0][a]) * (p[2][b] - p[0][b]) - (p[1][b] - p[0][b]) * (p[2][a] - p[0][a]);
  }
}

/* The sum of the leaves' normals, each flipped to the side of the sum before it, so that both faces of a sheet
 * contribute. */
static void normal_of_node(const body_work *work, uint32_t first, uint32_t end, float normal_out[3]) {
  double sum[3] = {0, 0, 0};
  for (uint32_t leaf = first; leaf < end; leaf++) {
    double normal[3];
    normal_of_leaf(work, leaf, normal);
    const double along = normal[0] * sum[0] + normal[1] * sum[1] + normal[2] * sum[2];
    for (int axis = 0; axis < 3; axis++) sum[axis] += along < 0.0 ? -normal[axis] : normal[axis];
  }
  const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  for (int axis = 0; axis < 3; axis++)
    normal_out[axis] = length > 0x1p-400 ? (float)(sum[axis] / length) : axis == 2 ? 1.0f : 0.0f;
}

/* Own coordinates are at most 2 with an error of 2^-51, and three products of them and of floats of at most 1 are
 * summed in double: the total error is less than this. */
static const double SLAB_ERROR = 0x1p-46;

/* Own coordinates are at most 2, so every point is between these planes. */
static const float SLAB_OF_ALL = 4.0f;

/* Fits a slab; on failure it remains that of all points. */
static void fit_slab(const body_work *work, uint32_t first, uint32_t end, tree_slab *slab, int lane) {
  const object_source *source = work->source;
  const body_space *space = &work->body->space;
  const double per_unit = 1.0 / space->unit;
  float normal[3];
  normal_of_node(work, first, end, normal);
  double low = DBL_MAX, high = -DBL_MAX;
  for (uint32_t leaf = first; leaf < end; leaf++) {
    const corner_list corners = corners_of(source, source->first_primitive + work->leaves[leaf]);
    for (uint32_t corner = 0; corner < corners.count; corner++) {
      double position[3], along = 0.0;
      read_position(source->positions, source->is_double, corners.vertices[corner], position);
      for (int axis = 0; axis < 3; axis++)
        along += float_value(normal[axis]) * ((position[axis] - space->origin[axis]) * per_unit);
      const double reach = own_radius_at(source, corners.vertices[corner]) * per_unit * (1.0 + 0x1p-20);
      low = along - reach < low ? along - reach : low;
      high = along + reach > high ? along + reach : high;
    }
  }
  if (!(low >= -SLAB_OF_ALL && high <= SLAB_OF_ALL))
    return; /* balls with the largest radii extend beyond these planes */
  const float middle = (float)(0.5 * (low + high));
  const double below = float_value(middle) - low, above = high - float_value(middle);
  for (int axis = 0; axis < 3; axis++) slab->normal[axis][lane] = normal[axis];
  slab->middle[lane] = middle;
  slab->half[lane] = float_round_up((below > above ? below : above) + SLAB_ERROR);
}

static void clear_slab(tree_slab *slab) {
  for (int lane = 0; lane < TREE_FANOUT; lane++) {
    for (int axis = 0; axis < 3; axis++) slab->normal[axis][lane] = axis == 2 ? 1.0f : 0.0f;
    slab->middle[lane] = 0.0f;
    slab->half[lane] = SLAB_OF_ALL;
  }
}

typedef struct slab_work {
  const body_work *body;
  tree_slab *slabs; /* of the level */
  uint32_t level, node_count;
} slab_work;

static void slab_range(void *context, size_t first, size_t end, uint32_t worker) {
  const slab_work *work = context;
  const uint64_t leaf_count = work->body->body->leaf_count, leaves = (uint64_t)1 << 2 * work->level;
  (void)worker;
  for (size_t block = first; block < end; block++) {
    clear_slab(&work->slabs[block]);
    for (uint32_t lane = 0; lane < TREE_FANOUT && work->level <= SLAB_TOP; lane++) {
      const uint64_t from = (TREE_FANOUT * block + lane) * leaves, to = from + leaves;
      if (from >= leaf_count) break;
      fit_slab(work->body, (uint32_t)from, (uint32_t)(to < leaf_count ? to : leaf_count), &work->slabs[block],
               (int)lane);
    }
  }
}

void tree_fit_slabs(const body_work *work) {
  const tree_layout layout = tree_layout_of(work->body->leaf_count);
  slab_work fit = {.body = work, .node_count = work->body->leaf_count};
  for (uint32_t level = 0; level <= layout.top; level++) {
    const uint32_t block_count = tree_parents(fit.node_count);
    fit.slabs = work->slabs + layout.first[level];
    fit.level = level;
    if (work->team_or_null != NULL)
      workers_for(work->team_or_null, block_count, SLAB_GRAIN, slab_range, &fit);
    else
      slab_range(&fit, 0, block_count, 0);
    fit.node_count = block_count;
  }
}
