/* Reads the mesh to be filled; see closed_mesh.h. */
#include "packing/closed_mesh.h"

#include "base/error_text.h"
#include "base/view.h"
#include "geometry/binary_scale.h"
#include "packing/mesh_edges.h"
#include "packing/mesh_volume.h"

#include <string.h>

static graze_result fail_memory(size_t triangles) {
  return fail(GRAZE_OUT_OF_MEMORY, "out of memory while packing a mesh of %zu triangles", triangles);
}

static const char *element(const graze_view *view, size_t i, size_t bytes) {
  const ptrdiff_t stride = view->stride_bytes != 0 ? view->stride_bytes : (ptrdiff_t)bytes;
  return (const char *)view->data + (ptrdiff_t)i * stride;
}

static void read_position(const graze_view *view, size_t i, double position_out[3]) {
  if (view->format == GRAZE_FORMAT_DOUBLE3) {
    memcpy(position_out, element(view, i, 3 * sizeof(double)), 3 * sizeof(double));
    return;
  }
  float position[3];
  memcpy(position, element(view, i, sizeof position), sizeof position);
  for (int k = 0; k < 3; k++) position_out[k] = (double)position[k];
}

static graze_result check_views(const graze_view *positions, const graze_view *triangles) {
  if (positions->format != GRAZE_FORMAT_FLOAT3 && positions->format != GRAZE_FORMAT_DOUBLE3)
    return fail(GRAZE_INVALID_ARGUMENT, "positions must be GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3");
  const graze_result result = view_check(triangles, GRAZE_FORMAT_UINT32_3, "triangles");
  if (result != GRAZE_OK) return result;
  if (triangles->count == 0 || positions->count == 0) return fail(GRAZE_INVALID_ARGUMENT, "the mesh has no triangles");
  if (positions->data == NULL || triangles->data == NULL)
    return fail(GRAZE_INVALID_ARGUMENT, "the mesh's %s are NULL", positions->data == NULL ? "positions" : "triangles");
  if (positions->count > UINT32_MAX || triangles->count > UINT32_MAX / 3)
    return fail(GRAZE_TOO_LARGE, "%zu triangles are more than can be packed", triangles->count);
  return GRAZE_OK;
}

/* Copies the corners of all triangles as given. */
static graze_result copy_corners(closed_mesh *target, const graze_view *positions, const graze_view *triangles) {
  for (size_t t = 0; t < target->triangle_count; t++) {
    uint32_t numbers[3];
    view_read_indices(triangles, t, t + 1, numbers);
    for (size_t corner = 0; corner < 3; corner++) {
      double *position = target->corners + 9 * t + 3 * corner;
      if (numbers[corner] >= positions->count)
        return fail(GRAZE_INDEX_OUT_OF_RANGE, "triangle %zu has vertex %s, but there are %zu vertices", t,
                    view_index_text(triangles, t, corner).text, positions->count);
      read_position(positions, numbers[corner], position);
      for (int k = 0; k < 3; k++) {
        if (!isfinite(position[k]))
          return fail(GRAZE_NOT_FINITE, "vertex %u of triangle %zu has the coordinate %g", (unsigned)numbers[corner], t,
                      position[k]);
        position[k] += 0.0; /* -0 becomes 0 */
      }
    }
  }
  return GRAZE_OK;
}

static void scale_corners(closed_mesh *target) {
  const size_t count = 9 * target->triangle_count;
  double largest = 0.0;
  for (size_t i = 0; i < count; i++) largest = fabs(target->corners[i]) > largest ? fabs(target->corners[i]) : largest;
  target->exponent = scaling_exponent(largest);
  const double factor = power_of_two(-target->exponent);
  for (size_t i = 0; i < count; i++) target->corners[i] *= factor;
}

static void measure_box(closed_mesh *target) {
  for (int k = 0; k < 3; k++) {
    target->least[k] = HUGE_VAL;
    target->greatest[k] = -HUGE_VAL;
  }
  for (size_t i = 0; i < 3 * target->triangle_count; i++) {
    for (int k = 0; k < 3; k++) {
      const double at = target->corners[3 * i + (size_t)k];
      if (at < target->least[k]) target->least[k] = at;
      if (at > target->greatest[k]) target->greatest[k] = at;
    }
  }
  double squared = 0.0;
  for (int k = 0; k < 3; k++) {
    const double side = target->greatest[k] - target->least[k];
    squared += side * side;
  }
  target->diagonal = sqrt(squared);
}

static void turn_over(closed_mesh *target) {
  for (size_t t = 0; t < target->triangle_count; t++) {
    double kept[3], *corners = target->corners + 9 * t;
    memcpy(kept, corners, sizeof kept);
    memmove(corners, corners + 3, sizeof kept);
    memcpy(corners + 3, kept, sizeof kept);
    uint32_t *vertices = target->vertices + 3 * t;
    const uint32_t vertex = vertices[0];
    vertices[0] = vertices[1];
    vertices[1] = vertex;
  }
  const uint64_t outward = target->outward_shells;
  target->outward_shells = target->inward_shells;
  target->inward_shells = outward;
}

static graze_result measure_volume(closed_mesh *target) {
  target->volume = mesh_volume(target->corners, target->triangle_count);
  target->inverted = target->volume < 0.0;
  if (target->inverted) {
    turn_over(target);
    target->volume = -target->volume;
  }
  return target->volume > 0.0 ? GRAZE_OK : fail(GRAZE_INVALID_ARGUMENT, "the mesh has no volume");
}

graze_result closed_mesh_read(closed_mesh *target, memory *heap, const graze_view *positions,
                              const graze_view *triangles) {
  *target = (closed_mesh){.corners = NULL};
  graze_result result = check_views(positions, triangles);
  if (result != GRAZE_OK) return result;
  target->triangle_count = triangles->count;
  target->corners = memory_allocate(heap, 9 * triangles->count, sizeof(double));
  target->vertices = memory_allocate(heap, 3 * triangles->count, sizeof(uint32_t));
  if (target->corners == NULL || target->vertices == NULL) return fail_memory(triangles->count);
  result = copy_corners(target, positions, triangles);
  if (result != GRAZE_OK) return result;
  scale_corners(target);
  measure_box(target);
  mesh_hole hole;
  if (!mesh_edges_check(target, heap, &hole)) return fail_memory(triangles->count);
  if (hole.edges > 0) return mesh_hole_fail(target, &hole);
  return measure_volume(target);
}

void closed_mesh_release(closed_mesh *target, memory *heap) {
  memory_release(heap, target->corners, 9 * target->triangle_count, sizeof(double));
  memory_release(heap, target->vertices, 3 * target->triangle_count, sizeof(uint32_t));
  target->corners = NULL;
  target->vertices = NULL;
}
