/* Members of clusters; see clusters_cover.h.
 *
 * Primitives are processed in chunks, one per task, and within them in blocks. Clusters that the box around a block
 * cannot reach are unreachable for its primitives, and most blocks are in one cluster: then no distance is computed
 * for single primitives. Members are first counted, then written to the places that the counts determine; only those
 * in several clusters are tested again. */
#include "broad/clusters_cover.h"

#include "base/prefix_sum.h"

#include <float.h>
#include <string.h>

enum { CHUNK_PRIMITIVES = 4096, BLOCK_PRIMITIVES = 32 };

/* The scratch of a worker: one number per cluster. */
typedef struct cover_lane {
  float *measures;
  uint16_t *block, *reached;
} cover_lane;

typedef struct cover_chunk {
  double side_sum;
  uint32_t searched, huge;
} cover_chunk;

typedef struct cover_work {
  cluster_cover *cover;
  const search *search;
  float huge_side;
  uint32_t chunk_count;
  cover_chunk *chunks;
  uint16_t *nearest; /* one per primitive: its cluster, if it has only one */
  uint32_t *places;  /* per chunk and cluster: the members in the chunk, then the place of the next one */
  cover_lane *lanes;
  uint32_t lane_count;
  char *lane_memory;
} cover_work;

static size_t chunk_begin(uint32_t chunk) {
  return (size_t)chunk * CHUNK_PRIMITIVES;
}

static size_t chunk_end(const cover_work *work, uint32_t chunk) {
  const size_t count = work->cover->primitive_count;
  return count - chunk_begin(chunk) < CHUNK_PRIMITIVES ? count : chunk_begin(chunk) + CHUNK_PRIMITIVES;
}

/* ---------------------------------------------------------------------------------------------- sizes */

static float longest_side(const primitive_box *box) {
  const float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1], z = box->max[2] - box->min[2];
  const float longer = x > y ? x : y;
  return longer > z ? longer : z;
}

static void measure_chunk(void *context, uint32_t chunk, uint32_t worker) {
  cover_work *work = context;
  const primitive_view *view = work->search->view;
  cover_chunk sums = {0};
  (void)worker;
  if (stop_is_requested(work->search->stop)) return;
  for (size_t i = chunk_begin(chunk); i < chunk_end(work, chunk); i++) {
    if (view->searched[i] == 0) continue;
    sums.searched++;
    sums.side_sum += longest_side(&view->boxes[i]);
  }
  work->chunks[chunk] = sums;
}

static uint64_t measure_sizes(cover_work *work) {
  workers_run_by_shares(work->search->workers, measure_chunk, work, work->chunk_count);
  double side_sum = 0.0;
  uint64_t searched = 0;
  if (stop_was_requested(work->search->stop)) return 0;
  for (uint32_t chunk = 0; chunk < work->chunk_count; chunk++) {
    side_sum += work->chunks[chunk].side_sum;
    searched += work->chunks[chunk].searched;
  }
  const bool divides = work->cover->centers.count > 1;
  work->huge_side = divides && searched > 0 ? (float)(HUGE_MEAN_SIDES * side_sum / (double)searched) : HUGE_VALF;
  return searched;
}

static bool is_huge(const cover_work *work, size_t primitive) {
  return longest_side(&work->search->view->boxes[primitive]) > work->huge_side;
}

/* ---------------------------------------------------------------------------------------------- lists */

static uint32_t *places_of(const cover_work *work, uint32_t chunk) {
  return work->places + (size_t)chunk * work->cover->centers.count;
}

/* The clusters that the box around a block may reach, for those of its primitives that are searched and not huge. */
static uint32_t reach_of_block(const cover_work *work, const cover_lane *lane, size_t first, size_t end) {
  const primitive_view *view = work->search->view;
  const cluster_centers *centers = &work->cover->centers;
  primitive_box around = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
  for (size_t i = first; i < end; i++) {
    if (view->searched[i] == 0 || is_huge(work, i)) continue;
    const primitive_box *box = &view->boxes[i];
    for (int axis = 0; axis < 3; axis++) {
      around.min[axis] = box->min[axis] < around.min[axis] ? box->min[axis] : around.min[axis];
      around.max[axis] = box->max[axis] > around.max[axis] ? box->max[axis] : around.max[axis];
    }
  }
  return clusters_reached(centers, NULL, centers->count, &around, lane->measures, lane->block);
}

/* Writes the clusters of a primitive to lane->reached, given those of its block. */
static uint32_t clusters_of(const cover_work *work, const cover_lane *lane, uint32_t block_count, size_t primitive) {
  return clusters_reached(&work->cover->centers, lane->block, block_count, &work->search->view->boxes[primitive],
                          lane->measures, lane->reached);
}

static void count_block(const cover_work *work, const cover_lane *lane, uint32_t chunk, size_t first, size_t end) {
  const primitive_view *view = work->search->view;
  const uint32_t block_count = reach_of_block(work, lane, first, end);
  uint32_t *places = places_of(work, chunk);
  if (block_count == 1) lane->reached[0] = lane->block[0];
  for (size_t i = first; i < end; i++) {
    uint32_t count = 0;
    if (view->searched[i] != 0 && !is_huge(work, i)) {
      count = block_count == 1 ? 1 : clusters_of(work, lane, block_count, i);
      work->nearest[i] = lane->reached[0];
    } else {
      work->chunks[chunk].huge += view->searched[i] != 0;
    }
    work->cover->first[i] = count;
    for (uint32_t k = 0; k < count; k++) places[lane->reached[k]]++;
  }
}

static void write_block(const cover_work *work, const cover_lane *lane, uint32_t chunk, size_t first, size_t end) {
  cluster_cover *cover = work->cover;
  uint32_t *places = places_of(work, chunk), block_count = 0;
  bool knows_block = false;
  for (size_t i = first; i < end; i++) {
    const uint32_t count = clusters_of_primitive(cover, (uint32_t)i);
    uint16_t *clusters = cover->clusters + cover->first[i];
    if (count == 1) clusters[0] = work->nearest[i];
    if (count > 1) {
      if (!knows_block) block_count = reach_of_block(work, lane, first, end);
      knows_block = true;
      clusters_of(work, lane, block_count, i);
      memcpy(clusters, lane->reached, count * sizeof *clusters);
    }
    for (uint32_t k = 0; k < count; k++) cover->members[places[clusters[k]]++] = (uint32_t)i;
    if (count == 0 && work->search->view->searched[i] != 0 && is_huge(work, i))
      cover->huge[work->chunks[chunk].huge++] = (uint32_t)i; /* the count is now the place of the next one */
  }
}

typedef void block_body(const cover_work *work, const cover_lane *lane, uint32_t chunk, size_t first, size_t end);

static void for_blocks(const cover_work *work, uint32_t chunk, uint32_t worker, block_body *body) {
  const size_t end = chunk_end(work, chunk);
  for (size_t first = chunk_begin(chunk); first < end; first += BLOCK_PRIMITIVES) {
    if (stop_is_requested(work->search->stop)) return;
    body(work, &work->lanes[worker], chunk, first, end - first < BLOCK_PRIMITIVES ? end : first + BLOCK_PRIMITIVES);
  }
}

static void count_chunk(void *context, uint32_t chunk, uint32_t worker) {
  const cover_work *work = context;
  memset(places_of(work, chunk), 0, work->cover->centers.count * sizeof(uint32_t));
  for_blocks(work, chunk, worker, count_block);
}

static void write_chunk(void *context, uint32_t chunk, uint32_t worker) {
  for_blocks(context, chunk, worker, write_block);
}

/* Converts counts to places: cluster by cluster, chunk by chunk in each. */
static void lay_out(cover_work *work) {
  cluster_cover *cover = work->cover;
  uint32_t place = 0, huge = 0;
  for (uint32_t k = 0; k < cover->centers.count; k++) {
    cover->member_first[k] = place;
    for (uint32_t chunk = 0; chunk < work->chunk_count; chunk++) {
      uint32_t *of_chunk = &places_of(work, chunk)[k];
      const uint32_t count = *of_chunk;
      *of_chunk = place;
      place += count;
    }
  }
  cover->member_first[cover->centers.count] = place;
  for (uint32_t chunk = 0; chunk < work->chunk_count; chunk++) {
    const uint32_t count = work->chunks[chunk].huge;
    work->chunks[chunk].huge = huge;
    huge += count;
  }
  cover->huge_count = huge;
}

/* ---------------------------------------------------------------------------------------------- the whole cover */

enum { LANE_BYTES = sizeof(float) + 2 * sizeof(uint16_t) };

static bool work_init(cover_work *work) {
  memory *heap = work->search->memory;
  const size_t clusters = work->cover->centers.count;
  work->chunks = memory_allocate(heap, work->chunk_count, sizeof *work->chunks);
  work->nearest = memory_allocate(heap, work->cover->primitive_count, sizeof *work->nearest);
  work->places = memory_allocate(heap, work->chunk_count * clusters, sizeof *work->places);
  work->lanes = memory_allocate(heap, work->lane_count, sizeof *work->lanes);
  work->lane_memory = memory_allocate(heap, work->lane_count * clusters, LANE_BYTES);
  if (work->chunks == NULL || work->nearest == NULL || work->places == NULL || work->lanes == NULL ||
      work->lane_memory == NULL)
    return false;
  for (size_t i = 0; i < work->lane_count; i++) {
    char *own = work->lane_memory + i * clusters * LANE_BYTES;
    uint16_t *numbers = (uint16_t *)(void *)(own + clusters * sizeof(float));
    work->lanes[i] = (cover_lane){(float *)(void *)own, numbers, numbers + clusters};
  }
  return true;
}

static void work_release(cover_work *work) {
  memory *heap = work->search->memory;
  const size_t clusters = work->cover->centers.count;
  memory_release(heap, work->chunks, work->chunk_count, sizeof *work->chunks);
  memory_release(heap, work->nearest, work->cover->primitive_count, sizeof *work->nearest);
  memory_release(heap, work->places, work->chunk_count * clusters, sizeof *work->places);
  memory_release(heap, work->lanes, work->lane_count, sizeof *work->lanes);
  memory_release(heap, work->lane_memory, work->lane_count * clusters, LANE_BYTES);
}

/* False if out of memory, stopped, or if there are too many members: *too_many_out. */
static bool fill_cover(cover_work *work, bool *too_many_out) {
  cluster_cover *cover = work->cover;
  const search *s = work->search;
  const uint64_t searched = measure_sizes(work);
  if (stop_was_requested(s->stop)) return false;
  workers_run_by_shares(s->workers, count_chunk, work, work->chunk_count);
  if (stop_was_requested(s->stop)) return false;
  cover->first[cover->primitive_count] = 0;
  const uint64_t member_count = prefix_sum_parallel(cover->first, cover->primitive_count + 1, s->workers);
  *too_many_out = cover->centers.count > 1 && (member_count > COVER_MOST * searched || member_count > UINT32_MAX);
  if (*too_many_out) return false;
  cover->member_count = (uint32_t)member_count;
  lay_out(work);
  cover->clusters = memory_allocate(s->memory, cover->member_count, sizeof *cover->clusters);
  cover->members = memory_allocate(s->memory, cover->member_count, sizeof *cover->members);
  cover->huge = memory_allocate(s->memory, cover->huge_count, sizeof *cover->huge);
  if (cover->clusters == NULL || cover->members == NULL || cover->huge == NULL) return false;
  workers_run_by_shares(s->workers, write_chunk, work, work->chunk_count);
  return !stop_was_requested(s->stop);
}

static bool make_cover(cluster_cover *cover, const search *s, bool *too_many_out) {
  *too_many_out = false;
  cover->primitive_count = s->view->primitive_count;
  cover->first = memory_allocate(s->memory, cover->primitive_count + 1, sizeof *cover->first);
  cover->member_first = memory_allocate(s->memory, cover->centers.count + 1, sizeof *cover->member_first);
  cover_work work = {.cover = cover,
                     .search = s,
                     .chunk_count = (uint32_t)((cover->primitive_count + CHUNK_PRIMITIVES - 1) / CHUNK_PRIMITIVES),
                     .lane_count = workers_count(s->workers)};
  const bool made =
      cover->first != NULL && cover->member_first != NULL && work_init(&work) && fill_cover(&work, too_many_out);
  work_release(&work);
  return made;
}

bool cover_make(cluster_cover *cover_out, const search *s, const cluster_centers *centers) {
  *cover_out = (cluster_cover){.centers = *centers};
  bool too_many;
  const bool made = make_cover(cover_out, s, &too_many);
  if (!too_many) return made;
  cover_release(cover_out, s->memory);
  *cover_out = (cluster_cover){.centers = *centers};
  cover_out->centers.count = 1;
  return make_cover(cover_out, s, &too_many);
}

void cover_release(cluster_cover *cover, memory *heap) {
  memory_release(heap, cover->first, cover->primitive_count + 1, sizeof *cover->first);
  memory_release(heap, cover->clusters, cover->member_count, sizeof *cover->clusters);
  memory_release(heap, cover->members, cover->member_count, sizeof *cover->members);
  memory_release(heap, cover->member_first, cover->centers.count + 1, sizeof *cover->member_first);
  memory_release(heap, cover->huge, cover->huge_count, sizeof *cover->huge);
  *cover = (cluster_cover){0};
}
