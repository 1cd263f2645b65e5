/* The choice of the grid's floor on a device; see device_floor.h.
 *
 * Workload: 256 samples, once per update. */
#include "cuda/device_floor.h"

#include "cuda/device_cell.h"
#include "cuda/stage_vertices.h"

/* A level is a floor if the levels below it have at most this multiple of its own primitives. The current floor
 * stays one up to twice the multiple: otherwise, for a scene with samples near the limit, queries would alternate
 * between two floors, and each change requires a new graph capture. */
enum { MOST_BELOW = 3, MOST_BELOW_LAST = 2 * MOST_BELOW };

static bool is_floor(const size_t counts[], uint32_t level, size_t most) {
  size_t below = 0;
  for (uint32_t i = 0; i < level; i++) below += counts[i];
  return below > 0 && below <= most * counts[level];
}

uint32_t device_floor_level(const device_scene *scene, uint32_t floor_before) {
  const device_extent *extent = &scene->extent;
  const uint32_t reach_bits = scene->kinds.has_batch[BATCH_TETRAHEDRA] ? 1 : 0;
  const size_t samples = axis_first_samples(scene->sample_count);
  size_t counts[GRID_LEVEL_COUNT] = {0};
  if (samples == 0 || scene->slot_bits != 0) return 0; /* mapped sides differ from the original ones */
  const double scale = measured_state(extent).scale;
  for (size_t i = 0; i < samples; i++) {
    const uint32_t level = device_level_of((float)(extent->sample_side[i] * scale), reach_bits);
    counts[level <= LEVEL_BIAS ? level : LEVEL_BIAS]++;
  }
  uint32_t floor = 0;
  for (uint32_t level = 0; level <= LEVEL_BIAS; level++)
    if (is_floor(counts, level, MOST_BELOW)) floor = level;
  return floor <= floor_before && is_floor(counts, floor_before, MOST_BELOW_LAST) ? floor_before : floor;
}
