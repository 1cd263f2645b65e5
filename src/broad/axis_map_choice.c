/* Finds the clusters of an unevenly spread scene, and the map that gives each of them sufficient resolution.
 *
 * With a single scale, one far vertex makes everything else so small that it shares one cell. A sample shows whether
 * this is the case: the probability that two sampled primitives share a small cell is nearly zero for surfaces and
 * solids. Where it is not, the fullest cell, with the cells around it, is split from the sample as a cluster of its
 * own; the remainder and the cluster, each in units of its own size, are examined again. Each cluster then requests a
 * scale along each axis; the segments of an axis lie between the ends of clusters, and where clusters overlap the
 * smallest one decides. A cluster has the same scale on all axes, so that its cells remain cubes.
 *
 * The map affects only the speed, never the results: any monotone map is correct. So a map may be kept while the scene
 * moves, as long as a sample shows that it still fits.
 *
 * Workload: 256 samples, counted once per update. Only unevenly spread scenes continue, with 1,024 samples, to two
 * or three clusters; at most 120. */
#include "broad/axis_map_choice.h"

#include "base/cell_hash.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  NORMALIZATION_CELLS = 1 << 14, /* per unit of the normalized cube: primitives that share one are crowded */
  CLUSTER_CELLS = 1024,          /* per size of a cluster: many samples in one of them are another cluster */
  MAP_CELLS = 1 << 16,           /* per unit of the map; its clusters are a few sixteenths of it */
  FEWEST_SHARES = 256,           /* crowded: one in this many pairs of samples shares a cell */
  CROWD_SHARE = 128,             /* the part of the sample that makes a cluster */
  CROWD_LEAST = 6,
  MORE_SHARES = 16,          /* a map is kept until this many more pairs of samples, plus a quarter, share its cells */
  LIKE_EXPONENTS = 3,        /* clusters whose sizes differ by less than 2^3 get one scale */
  LEAST_EXPONENT = -1024,    /* so that scales stay finite */
  GAP = LEAST_EXPONENT - 100 /* the exponent where there is no cluster */
};

/* ---------------------------------------------------------------------------------------------- the sample */

size_t axis_sample_count(size_t primitive_count) {
  const size_t count = primitive_count / SAMPLE_SHARE;
  if (count < SAMPLE_LEAST) return 0;
  return count < SAMPLE_MOST ? count : SAMPLE_MOST;
}

size_t axis_sample_primitive(size_t primitive_count, size_t number) {
  return (size_t)((uint64_t)cell_hash_mix((uint32_t)number + 1u) * primitive_count >> 32);
}

sampled_corner axis_sample_corner(const primitive_header *header, size_t number) {
  return (sampled_corner){header->corner[number % 3], header->object};
}

/* ---------------------------------------------------------------------------------------------- cells */

/* A table of cells, at most half full. Cells are compared by 32 bits of hash: a rare collision is harmless. */
typedef struct cell_table {
  uint32_t *key;
  uint16_t *count;
  uint32_t slot_mask;
} cell_table;

static cell_table empty_table(axis_map_work *work, size_t cell_count) {
  uint32_t slots = 64;
  while (slots < 2 * cell_count) slots *= 2;
  memset(work->cell_count, 0, slots * sizeof *work->cell_count);
  return (cell_table){work->cell_key, work->cell_count, slots - 1};
}

static uint32_t cell_key(const int32_t cell[3]) {
  return cell_hash_mix((uint32_t)cell[0] + cell_hash_mix((uint32_t)cell[1] + cell_hash_mix((uint32_t)cell[2])));
}

/* Increments the count of a cell; returns the previous count. */
static uint32_t count_in_cell(const cell_table *table, uint32_t key) {
  uint32_t slot = key & table->slot_mask;
  while (table->count[slot] != 0 && table->key[slot] != key) slot = (slot + 1) & table->slot_mask;
  table->key[slot] = key;
  return table->count[slot]++;
}

/* Unordered pairs of equal samples, such as common corners of neighbors: no map separates them. */
static uint64_t equal_pairs(axis_map_work *work, size_t count) {
  const cell_table table = empty_table(work, count);
  uint64_t pairs = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t words[6], key = 0;
    memcpy(words, work->sample[i], sizeof words);
    for (int k = 0; k < 6; k++) key = cell_hash_mix(words[k] + key);
    pairs += count_in_cell(&table, key);
  }
  return pairs;
}

/* Unordered pairs of samples that share a cell of the normalized cube. */
static uint64_t normalization_shares(axis_map_work *work, size_t count, const normalizing_transform *normalization) {
  const cell_table table = empty_table(work, count);
  uint64_t shares = 0;
  for (size_t i = 0; i < count; i++) {
    int32_t cell[3];
    for (int axis = 0; axis < 3; axis++)
      cell[axis] = (int32_t)floor((work->sample[i][axis] - normalization->origin[axis]) * normalization->scale *
                                  NORMALIZATION_CELLS);
    shares += count_in_cell(&table, cell_key(cell));
  }
  return shares;
}

static uint64_t map_shares(axis_map_work *work, size_t count, const axis_map *map) {
  const cell_table table = empty_table(work, count);
  uint64_t shares = 0;
  for (size_t i = 0; i < count; i++) {
    int32_t cell[3];
    double error;
    for (int axis = 0; axis < 3; axis++)
      cell[axis] = (int32_t)floor(mapped_coordinate(map, axis, work->sample[i][axis], &error) * MAP_CELLS);
    shares += count_in_cell(&table, cell_key(cell));
  }
  return shares;
}

/* Samples outside of all clusters on some axis, when the map was chosen. */
static uint32_t stray_samples(const axis_map_work *work, size_t count, const axis_map *map) {
  uint32_t strays = 0;
  for (size_t i = 0; i < count; i++) {
    bool stray = false;
    for (int axis = 0; axis < 3; axis++)
      stray = stray || map->empty[axis][segment_of(map, axis, work->sample[i][axis]) - map->segments[axis]];
    strays += stray ? 1 : 0;
  }
  return strays;
}

/* ---------------------------------------------------------------------------------------------- clusters */

/* Halves are subtracted, so that nothing overflows. */
static void cell_in_cluster(const sample_cluster *cluster, const double position[3], int32_t cell_out[3]) {
  for (int axis = 0; axis < 3; axis++)
    cell_out[axis] =
        (int32_t)((position[axis] * 0.5 - cluster->low[axis] * 0.5) / cluster->half * (double)CLUSTER_CELLS);
}

static void bound_cluster(axis_map_work *work, size_t count, uint32_t index) {
  sample_cluster *cluster = &work->clusters[index];
  *cluster = (sample_cluster){.low = {DBL_MAX, DBL_MAX, DBL_MAX}, .high = {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
  for (size_t i = 0; i < count; i++) {
    if (work->cluster_of[i] != index) continue;
    cluster->members++;
    for (int axis = 0; axis < 3; axis++) {
      cluster->low[axis] = fmin(cluster->low[axis], work->sample[i][axis]);
      cluster->high[axis] = fmax(cluster->high[axis], work->sample[i][axis]);
    }
  }
  for (int axis = 0; axis < 3 && cluster->members > 0; axis++)
    cluster->half = fmax(cluster->half, cluster->high[axis] * 0.5 - cluster->low[axis] * 0.5);
}

/* Finds the fullest cell of a cluster. */
static void find_fullest_cell(axis_map_work *work, size_t count, uint32_t index) {
  bound_cluster(work, count, index);
  sample_cluster *cluster = &work->clusters[index];
  if (!(cluster->half > 0.0)) return;
  const cell_table table = empty_table(work, cluster->members);
  for (size_t i = 0; i < count; i++) {
    if (work->cluster_of[i] != index) continue;
    int32_t cell[3];
    cell_in_cluster(cluster, work->sample[i], cell);
    const uint32_t crowd = count_in_cell(&table, cell_key(cell)) + 1;
    if (crowd <= cluster->crowd) continue;
    cluster->crowd = crowd;
    memcpy(cluster->cell, cell, sizeof cell);
  }
}

/* Makes the fullest cell and those around it a cluster of their own. It is a hundred times smaller than the original
 * one, so some samples always remain there. */
static void carve_cluster(axis_map_work *work, size_t count, uint32_t from) {
  const sample_cluster *cluster = &work->clusters[from];
  const uint32_t carved = work->cluster_count++;
  for (size_t i = 0; i < count; i++) {
    if (work->cluster_of[i] != from) continue;
    int32_t cell[3];
    cell_in_cluster(cluster, work->sample[i], cell);
    bool inside = true;
    for (int axis = 0; axis < 3; axis++)
      inside = inside && cell[axis] >= cluster->cell[axis] - 1 && cell[axis] <= cluster->cell[axis] + 1;
    if (inside) work->cluster_of[i] = (uint8_t)carved;
  }
  find_fullest_cell(work, count, from);
  find_fullest_cell(work, count, carved);
}

static void find_clusters(axis_map_work *work, size_t count) {
  const uint32_t needed = count / CROWD_SHARE > CROWD_LEAST ? (uint32_t)(count / CROWD_SHARE) : (uint32_t)CROWD_LEAST;
  memset(work->cluster_of, 0, sizeof work->cluster_of);
  work->cluster_count = 1;
  find_fullest_cell(work, count, 0);
  while (work->cluster_count < SAMPLE_CLUSTERS_MOST) {
    uint32_t fullest = 0;
    for (uint32_t i = 1; i < work->cluster_count; i++)
      if (work->clusters[i].crowd > work->clusters[fullest].crowd) fullest = i;
    if (work->clusters[fullest].crowd < needed) break;
    carve_cluster(work, count, fullest);
  }
}

/* A single sample has no size, and equal samples need no scale. */
static bool has_size(const sample_cluster *cluster) {
  return cluster->members > 1 && cluster->half > 0.0;
}

/* Clusters of similar size share an exponent, from the largest down. */
static void choose_exponents(axis_map_work *work) {
  sample_cluster *clusters = work->clusters;
  for (uint32_t i = 0; i < work->cluster_count; i++) {
    if (!has_size(&clusters[i])) continue;
    (void)frexp(clusters[i].half, &clusters[i].exponent);
    clusters[i].exponent = clusters[i].exponent + 1 > LEAST_EXPONENT ? clusters[i].exponent + 1 : LEAST_EXPONENT;
  }
  for (int ceiling = 2 * DBL_MAX_EXP;;) {
    int largest = GAP;
    for (uint32_t i = 0; i < work->cluster_count; i++)
      if (has_size(&clusters[i]) && clusters[i].exponent < ceiling && clusters[i].exponent > largest)
        largest = clusters[i].exponent;
    if (largest == GAP) return;
    for (uint32_t i = 0; i < work->cluster_count; i++)
      if (has_size(&clusters[i]) && clusters[i].exponent <= largest && clusters[i].exponent > largest - LIKE_EXPONENTS)
        clusters[i].exponent = largest;
    ceiling = largest;
  }
}

/* ---------------------------------------------------------------------------------------------- segments */

/* The interval of a cluster on an axis: larger than its samples, which may not include the outermost primitives. */
static double cluster_low(const axis_map_work *work, uint32_t index, int axis) {
  const sample_cluster *cluster = &work->clusters[index];
  return fmax(cluster->low[axis] - cluster->half * 0.25, AXIS_MAP_LOWEST);
}

static double cluster_high(const axis_map_work *work, uint32_t index, int axis) {
  const sample_cluster *cluster = &work->clusters[index];
  return fmin(cluster->high[axis] + cluster->half * 0.25, DBL_MAX);
}

/* Lists the ends of segments in ascending order, without duplicates. All doubles are between the first and the last;
 * the parts of the scene outside of the samples are separated from the space outside of the scene. */
static uint32_t find_knots(axis_map_work *work, int axis, const vertex_bounds *bounds) {
  double *knots = work->knots;
  uint32_t count = 0, kept = 0;
  knots[count++] = AXIS_MAP_LOWEST;
  knots[count++] = fmax(bounds->low[axis], AXIS_MAP_LOWEST);
  knots[count++] = bounds->high[axis];
  knots[count++] = DBL_MAX;
  for (uint32_t i = 0; i < work->cluster_count; i++) {
    if (!has_size(&work->clusters[i])) continue;
    knots[count++] = cluster_low(work, i, axis);
    knots[count++] = cluster_high(work, i, axis);
  }
  for (uint32_t i = 1; i < count; i++) {
    const double knot = knots[i];
    uint32_t place = i;
    for (; place > 0 && knots[place - 1] > knot; place--) knots[place] = knots[place - 1];
    knots[place] = knot;
  }
  for (uint32_t i = 0; i < count; i++)
    if (kept == 0 || knots[i] > knots[kept - 1]) knots[kept++] = knots[i];
  return kept;
}

/* The exponent of the smallest cluster that covers an interval of an axis. */
static int exponent_between(const axis_map_work *work, int axis, double low, double high) {
  int least = GAP;
  for (uint32_t i = 0; i < work->cluster_count; i++)
    if (has_size(&work->clusters[i]) && cluster_low(work, i, axis) <= low && cluster_high(work, i, axis) >= high)
      if (least == GAP || work->clusters[i].exponent < least) least = work->clusters[i].exponent;
  return least;
}

/* Adds a segment as (start, exponent); `scale` holds the exponent until the slots are known. */
static void add_segment(axis_map *map, int axis, double start, double end, int exponent) {
  int needed;
  (void)frexp(end - start, &needed);
  /* Three quarters of a slot hold 3 * 2^exponent. Longer segments, and those without a cluster, are scaled by their
   * length. */
  const bool fits = exponent != GAP && end - start <= ldexp(3.0, exponent);
  const int least = needed > LEAST_EXPONENT ? needed : LEAST_EXPONENT;
  map->empty[axis][map->count[axis]] = exponent == GAP;
  map->segments[axis][map->count[axis]++] = (axis_segment){start, 0.0, (double)(fits ? exponent : least)};
}

static void add_stretch(axis_map *map, int axis, double start, double end, int exponent) {
  if (end - start <= DBL_MAX) {
    add_segment(map, axis, start, end, exponent);
  } else { /* avoids overflow of the difference */
    add_segment(map, axis, start, 0.0, exponent);
    add_segment(map, axis, 0.0, end, exponent);
  }
}

static void make_segments(axis_map_work *work, int axis, const vertex_bounds *bounds) {
  axis_map *map = &work->map;
  const uint32_t knot_count = find_knots(work, axis, bounds);
  const double *knots = work->knots;
  map->count[axis] = 0;
  for (uint32_t first = 0, next; first + 1 < knot_count; first = next) {
    const int exponent = exponent_between(work, axis, knots[first], knots[first + 1]);
    for (next = first + 1; next + 1 < knot_count; next++)
      if (exponent == GAP || exponent_between(work, axis, knots[next], knots[next + 1]) != exponent) break;
    add_stretch(map, axis, knots[first], knots[next], exponent);
  }
  map->segments[axis][map->count[axis]] = (axis_segment){HUGE_VAL, 0.0, 0.0};
}

/* Assigns slots to the segments, the middle ones around zero, where floats are finest. The free eighth before and
 * after an image keeps it, including its error, in its slot. */
static void place_segments(axis_map *map) {
  uint32_t most = 0;
  for (int axis = 0; axis < 3; axis++) most = map->count[axis] > most ? map->count[axis] : most;
  map->slot_bits = 1;
  while (2u << map->slot_bits < most) map->slot_bits++;
  const double slot = ldexp(1.0, -(int)map->slot_bits);
  for (int axis = 0; axis < 3; axis++) {
    const uint32_t first = ((2u << map->slot_bits) - map->count[axis]) / 2;
    for (uint32_t i = 0; i < map->count[axis]; i++) {
      axis_segment *segment = &map->segments[axis][i];
      segment->base = (first + i + 0.125) * slot - 1.0;
      segment->scale = ldexp(slot * 0.25, -(int)segment->scale);
    }
  }
}

bool axis_sample_is_crowded(axis_map_work *work, size_t first_count, const normalizing_transform *normalization) {
  const uint64_t pairs = (uint64_t)first_count * (first_count - 1) / 2;
  const uint64_t shares = normalization_shares(work, first_count, normalization);
  return shares * FEWEST_SHARES > pairs && (shares - equal_pairs(work, first_count)) * FEWEST_SHARES > pairs;
}

/* Records the values with which axis_map_fits compares. */
static void record_fit(axis_map_work *work, size_t first_count) {
  work->map.strays = stray_samples(work, first_count, &work->map);
  work->map.shares = (uint32_t)(map_shares(work, first_count, &work->map) - equal_pairs(work, first_count));
}

bool axis_map_choose(axis_map_work *work, size_t sample_count, const normalizing_transform *normalization,
                     const vertex_bounds *bounds) {
  const uint64_t shares = normalization_shares(work, sample_count, normalization);
  find_clusters(work, sample_count);
  choose_exponents(work);
  for (int axis = 0; axis < 3; axis++) make_segments(work, axis, bounds);
  place_segments(&work->map);
  record_fit(work, axis_first_samples(sample_count));
  const uint64_t equal = equal_pairs(work, sample_count);
  return (map_shares(work, sample_count, &work->map) - equal) * 2 < shares - equal;
}

bool axis_map_fits(axis_map_work *work, size_t first_count, const axis_map *map) {
  if (stray_samples(work, first_count, map) > map->strays + first_count / CROWD_SHARE) return false;
  const uint64_t most = map->shares + map->shares / 4 + MORE_SHARES, shares = map_shares(work, first_count, map);
  return shares <= most || shares - equal_pairs(work, first_count) <= most;
}
