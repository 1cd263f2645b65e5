/* The segments of a crowded range: its tiers, and the contents of each. */
#ifndef GRAZE_BROAD_GRID_SEGMENTS_H
#define GRAZE_BROAD_GRID_SEGMENTS_H

#include "broad/grid_data.h"

static inline bool grid_has_tier(const cell_range *run, int tier) {
  return tier < SEGMENT_TIERS && (run[1].first - run->first) >> (SEGMENT_BITS * tier) >= CROWDED_ENTRIES;
}

/* The first segment of a range: of n entries it has n / 16 at tier 0, n / 256 at tier 1 and so on, rounded down,
 * with the remainder in the last, so that no two ranges share one. Tier -1 is the entries. */
static inline size_t grid_first_segment(const cell_range *run, int tier) {
  return run->first >> (SEGMENT_BITS * (tier + 1));
}
static inline size_t grid_segments_of(const cell_range *run, int tier) {
  return (run[1].first - run->first) >> (SEGMENT_BITS * (tier + 1));
}

/* Whether it has segments of segments: 1,024 entries and more. */
static inline bool grid_range_is_large(const cell_range *run) {
  return grid_has_tier(run, 1);
}

/* The parts of segment i of a tier, segments of the tier below or entries, begin at i * SEGMENT_PARTS and end here;
 * numbers are within the range. */
static inline size_t grid_segment_end(const cell_range *run, int tier, size_t segment) {
  return segment + 1 < grid_segments_of(run, tier) ? (segment + 1) * SEGMENT_PARTS : grid_segments_of(run, tier - 1);
}

#endif
