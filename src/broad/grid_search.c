/* Searches the grid of the broad phase: finds every candidate once, without a table of pairs and without a sort.
 *
 * The entries are divided into blocks of primitives of one cell. A block of cell C at level l meets
 *   - the primitives of its own cell that follow it in the entries,
 *   - those of level l in the half of the 26 neighbor cells after C: the other half finds C from its side,
 *   - those of all higher levels: they come from the chain of ancestors (see below).
 * All of these are first culled into one list by the box around the block. A long list is culled again by the box
 * around each part of the block. Each primitive of the part then sweeps the remaining list. So look-ups are paid once
 * per block instead of per primitive, and the vector units read contiguous entries. If all primitives are triangles,
 * and those that share a corner are no candidates, the sweep compares corners, too. If one pair per pair of objects is
 * enough, blocks whose pairs of objects are all known are skipped.
 *
 * The chain: for each level g above, the list of the primitives of level >= g that meet the reach of the block's
 * ancestor cell P at level g. The reach is P's cube and half a side more upward: no primitive of a lower level that is
 * owned by a cell inside P can reach further. The list for P at g consists of that of P's parent at g + 1, culled, and
 * of the 27 cells around P at g. Blocks are in Morton order, so that the ancestors rarely change, and a long list of
 * large primitives becomes shorter with each step down. Its last link, at l + 1, is not built for the reach of P but
 * for the box around the ranges of P at level l: most of a surface's cells and boxes are outside. Ranges that have
 * segments of segments are in no list of the chain, which each task would copy: the last link reads them by their
 * segments.
 *
 * Workload: 20 to 40 primitives per block, 50 to 120 in its list, 25 to 60 in that of a part; most boxes that meet are
 * those of neighbors in the mesh. */
#include "broad/grid_search.h"

#include "base/cell_hash.h"
#include "base/prefetch.h"
#include "broad/candidate_batch.h"
#include "broad/grid_data.h"
#include "broad/grid_range_reader.h"
#include "broad/partner_rule.h"

#include <float.h>
#include <stddef.h>
#include <stdlib.h>

enum {
  BLOCK_ENTRIES = 64,          /* of a block at most */
  PART_ENTRIES = 8,            /* of a part at most */
  LONG_LIST = 48,              /* a list of this length is culled again for each part */
  LIST_BETWEEN_LEAVING = 4096, /* with a longer list a block may take long, and checks for the end between entries */
  MET_HANDED_OVER = 256,       /* passed on at once */
  MET_PADDING = 16,            /* space after the last of them */
  /* If one pair per pair of objects is enough: */
  CROWDED_LIST = 1024,   /* a list of this length is a crowd: boxes of objects known to touch are dropped from it */
  BLOCK_OBJECTS = 8,     /* a block with more objects is searched like any other */
  SETTLED_OBJECTS = 1024 /* with more objects, the check whether a block can be skipped costs more than the block */
};

typedef struct ancestor {
  grid_cell cell;
  bool known;
  box_list lists[2]; /* of each side; only the first if there is one */
} ancestor;

/* Ranges [first, end) of one level, all in one cell of the next, and the boxes of the levels above that meet the box
 * around them. */
typedef struct siblings {
  const cell_range *first, *end; /* equal: none yet */
  box_list lists[2];             /* of each side, like those of an ancestor */
} siblings;

/* The ranges that the blocks of one range visit on its level. */
typedef struct near_ranges {
  const cell_range *of; /* NULL: none yet */
  uint32_t ranges[13];
  size_t count;
} near_ranges;

/* The state of one worker during a search. */
typedef struct searcher {
  const grid *grid;
  search *search;
  range_reader reader;
  ancestor chain[GRID_LEVEL_COUNT];
  siblings siblings;
  near_ranges near;
  box_list of_block, of_part; /* lists */
  const box_list *list;       /* the one that is swept */
  uint32_t *corners[3];       /* of the list's primitives, if the sweep drops neighbors; one block of memory */
  size_t corner_capacity;
  met_boxes met; /* numbers of entries, which become candidates; one block of memory */
  size_t met_capacity;
  bool drops_neighbors; /* during the sweep: all primitives are triangles, of one side */
  bool accepts_all;     /* everything that the sweep leaves is a candidate */
  bool in_crowd;        /* one pair per pair of objects is enough, and the last list was a crowd */
  size_t known_count;   /* the number of known pairs of objects when boxes were last dropped from a list */
  uint64_t neighbors;
  candidate_batch batch; /* last: its candidates need not be cleared, and separate the counters of workers */
} searcher;

/* ---------------------------------------------------------------------------------------------- cells and runs */

/* The 27 cells around a cell. Morton codes are combined from nine spread numbers. */
typedef struct neighborhood {
  const grid *grid;
  int level;
  grid_cell center;
  uint64_t spread[3][3]; /* axis, offset + 1 */
} neighborhood;

static neighborhood neighborhood_of(const grid *g, int level, grid_cell center) {
  neighborhood n;
  n.grid = g;
  n.level = level;
  n.center = center;
  for (int offset = -1; offset <= 1; offset++) {
    n.spread[0][offset + 1] = cell_hash_spread((uint32_t)(center.x + offset));
    n.spread[1][offset + 1] = cell_hash_spread((uint32_t)(center.y + offset)) << 1;
    n.spread[2][offset + 1] = cell_hash_spread((uint32_t)(center.z + offset)) << 2;
  }
  return n;
}

typedef struct cell_offset {
  int8_t x, y, z;
} cell_offset;

/* Writes the numbers of the ranges at the given offsets, if they exist; returns their count. All look-ups are
 * prefetched before the first is used. */
static size_t neighbor_ranges(const neighborhood *n, const cell_offset *offsets, size_t count, uint32_t *ranges_out) {
  const grid *g = n->grid;
  const grid_level *level = &g->levels[n->level];
  uint64_t hash[27];
  for (size_t i = 0; i < count; i++) {
    const cell_offset o = offsets[i];
    hash[i] = n->spread[0][o.x + 1] | n->spread[1][o.y + 1] | n->spread[2][o.z + 1];
    prefetch(&g->slots[level->first_slot + grid_slot(level, hash[i])]);
  }
  for (size_t i = 0; i < count; i++) {
    const uint32_t run = g->slots[level->first_slot + grid_slot(level, hash[i])];
    if (run != GRID_NO_RANGE) prefetch(&g->ranges[run]);
  }
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    const grid_cell cell = {n->center.x + offsets[i].x, n->center.y + offsets[i].y, n->center.z + offsets[i].z};
    const uint32_t run = grid_find_range(g, n->level, cell, hash[i]);
    if (run != GRID_NO_RANGE) ranges_out[found++] = run;
  }
  return found;
}

/* Appends the entries of one side of the ranges that meet the box. */
static bool cull_side(searcher *w, const uint32_t *ranges, size_t count, uint32_t side, const float bound[6],
                      box_list *list) {
  for (size_t i = 0; i < count; i++) {
    const cell_range *run = &w->grid->ranges[ranges[i]];
    const size_t first = grid_side_first(run, side), end = grid_side_end(run, side);
    if (first < end && bounds_meet(run->bound, bound) && !cull_range(&w->reader, run, first, end, bound, list))
      return false;
  }
  return true;
}

/* Appends the boxes of a list, from an index on, that meet the box. */
static bool cull_list(searcher *w, const box_list *source, size_t first, const float bound[6], box_list *list) {
  const size_t count = source->count - first;
  if (count == 0) return true;
  if (!reserve_boxes(&w->reader, list, count)) return false;
  w->reader.kernels->cull(source, first, source->count, bound, list);
  w->reader.box_tests += count;
  return true;
}

/* ---------------------------------------------------------------------------------------------- the chain */

/* Fills lists from those of the ancestor above `level`, and from the ranges of that level, all culled by the reach. */
static bool fill_lists(searcher *w, int level, const uint32_t *ranges, size_t count, const float reach[6],
                       box_list *lists) {
  for (uint32_t side = 0; side < (uint32_t)w->grid->sides.count; side++) {
    lists[side].count = 0;
    if (level < w->grid->highest && !cull_list(w, &w->chain[level + 1].lists[side], 0, reach, &lists[side]))
      return false;
    if (!cull_side(w, ranges, count, side, reach, &lists[side])) return false;
  }
  return true;
}

static const cell_offset first_offset = {-1, -1, -1}, last_offset = {1, 1, 1};

/* Finds the ranges of cells at offsets from `low` to `high` around one: each -1, 0 or 1. */
static size_t ranges_around(const grid *g, int level, grid_cell cell, cell_offset low, cell_offset high,
                            uint32_t ranges_out[27]) {
  if (!grid_level_occupied(g, level)) return 0;
  const neighborhood n = neighborhood_of(g, level, cell);
  cell_offset offsets[27];
  size_t count = 0;
  for (int8_t z = low.z; z <= high.z; z++)
    for (int8_t y = low.y; y <= high.y; y++)
      for (int8_t x = low.x; x <= high.x; x++) offsets[count++] = (cell_offset){x, y, z};
  return neighbor_ranges(&n, offsets, count, ranges_out);
}

/* Keeps the ranges that have segments of segments, or the others; returns their count. */
static size_t keep_ranges(const grid *g, bool large, uint32_t *ranges, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (grid_range_is_large(&g->ranges[ranges[i]]) == large) ranges[kept++] = ranges[i];
  return kept;
}

static bool fill_ancestor(searcher *w, int level, grid_cell cell) {
  ancestor *a = &w->chain[level];
  const float width = grid_cell_side(level);
  const float low[3] = {(float)cell.x * width, (float)cell.y * width, (float)cell.z * width};
  /* Cell numbers of up to 31 bits are not exact in float: the reach is rounded outward. */
  float reach[6];
  for (int axis = 0; axis < 3; axis++) {
    const float slack = 0.0625f * width + fabsf(low[axis]) * FLT_EPSILON;
    reach[axis] = low[axis] - slack;
    reach[axis + 3] = low[axis] + 1.5f * width + slack;
  }
  a->known = false;
  uint32_t ranges[27];
  const size_t around = ranges_around(w->grid, level, cell, first_offset, last_offset, ranges);
  const size_t count = keep_ranges(w->grid, false, ranges, around);
  if (!fill_lists(w, level, ranges, count, reach, a->lists)) return false;
  a->cell = cell;
  a->known = true;
  return true;
}

/* Updates chain[level] for the cell, and all levels above it. A valid ancestor has valid ancestors. */
static bool climb_levels(searcher *w, int level, grid_cell cell) {
  if (level > w->grid->highest) return true;
  const ancestor *a = &w->chain[level];
  if (a->known && grid_cells_equal(a->cell, cell)) return true;
  return climb_levels(w, level + 1, grid_cell_parent(cell)) && fill_ancestor(w, level, cell);
}

/* The siblings of a range, from it on, their least cell and the box around them. */
static void bound_siblings(const grid *g, int level, const cell_range *run, siblings *siblings_out,
                           grid_cell *least_out, float bound_out[6]) {
  const cell_range *end = g->ranges + g->levels[level].end_range, *next = run;
  const grid_cell parent = grid_cell_parent(run->cell);
  *least_out = run->cell;
  memcpy(bound_out, run->bound, sizeof run->bound);
  for (next++; next < end && grid_cells_equal(grid_cell_parent(next->cell), parent); next++) {
    if (next->cell.x < least_out->x) least_out->x = next->cell.x;
    if (next->cell.y < least_out->y) least_out->y = next->cell.y;
    if (next->cell.z < least_out->z) least_out->z = next->cell.z;
    for (int axis = 0; axis < 3; axis++) {
      bound_out[axis] = fminf(bound_out[axis], next->bound[axis]);
      bound_out[axis + 3] = fmaxf(bound_out[axis + 3], next->bound[axis + 3]);
    }
  }
  siblings_out->first = run;
  siblings_out->end = next;
}

/* Appends the entries that meet the box from large ranges, which are not in the chain, of this level and above. */
static bool add_large_ranges(searcher *w, int level, grid_cell cell, const float bound[6], box_list *lists) {
  const grid *g = w->grid;
  for (; level <= g->highest; level++, cell = grid_cell_parent(cell)) {
    if ((g->large_levels >> level & 1) == 0) continue;
    uint32_t ranges[27];
    const size_t around = ranges_around(g, level, cell, first_offset, last_offset, ranges);
    const size_t count = keep_ranges(g, true, ranges, around);
    for (uint32_t side = 0; side < (uint32_t)g->sides.count; side++)
      if (!cull_side(w, ranges, count, side, bound, &lists[side])) return false;
  }
  return true;
}

/* Updates the lists for the siblings of a range below the highest level. Boxes of a cell before the parent along an
 * axis end in the parent's lower half: they matter only if a sibling begins there. Boxes of a cell after the parent
 * matter only if the box around the siblings reaches that cell. */
static bool update_siblings(searcher *w, int level, const cell_range *run) {
  siblings *s = &w->siblings;
  if (run >= s->first && run < s->end) return true;
  const grid_cell parent = grid_cell_parent(run->cell);
  if (!climb_levels(w, level + 2, grid_cell_parent(parent))) return false;
  grid_cell least;
  float bound[6];
  bound_siblings(w->grid, level, run, s, &least, bound);
  const grid_cell top = grid_cell_of(bound[3], bound[4], bound[5], 1.0f / grid_cell_side(level + 1));
  const cell_offset low = {(int8_t)((least.x & 1) - 1), (int8_t)((least.y & 1) - 1), (int8_t)((least.z & 1) - 1)};
  const cell_offset high = {top.x > parent.x, top.y > parent.y, top.z > parent.z};
  uint32_t ranges[27];
  const size_t count = ranges_around(w->grid, level + 1, parent, low, high, ranges);
  if (fill_lists(w, level + 1, ranges, count, bound, s->lists) &&
      add_large_ranges(w, level + 2, grid_cell_parent(parent), bound, s->lists))
    return true;
  s->end = s->first;
  return false;
}

/* ---------------------------------------------------------------------------------------------- blocks */

/* The pair of two entries' primitives. */
static inline candidate candidate_of(const uint32_t *ids, const primitive_header *headers, uint32_t entry,
                                     uint32_t hit) {
  const uint32_t a = ids[entry], b = ids[hit];
  return a < b ? (candidate){{a, b}, &headers[entry], &headers[hit]}
               : (candidate){{b, a}, &headers[hit], &headers[entry]};
}

static inline partner_rule rule_of_entry(const searcher *w, uint32_t entry) {
  const grid *g = w->grid;
  return partner_rule_of(w->search->view, &g->headers[entry], g->ids[entry], grid_fourth_corner(g, entry));
}

/* Whether the query requests the pair of the rule's primitive and that of an entry. */
static inline bool is_candidate(searcher *w, const partner_rule *rule, uint32_t hit) {
  const grid *g = w->grid;
  const primitive_view *view = w->search->view;
  const primitive_header *other = &g->headers[hit];
  if (!partner_is_requested(view, rule, other)) return false;
  if (w->drops_neighbors || !partner_is_skipped(view, rule, other, g->ids[hit], grid_fourth_corner(g, hit)))
    return true;
  w->neighbors++;
  return false;
}

/* Passes on the pairs that were met. Most entries meet few or none, so a loop over the hits of one entry would end
 * unpredictably: this loop is over those of many. Returns whether the task continues. */
static bool hand_over_all(searcher *w, size_t count) {
  const uint32_t *ids = w->grid->ids, *owners = w->met.owners, *numbers = w->met.numbers;
  const primitive_header *headers = w->grid->headers;
  for (size_t i = 0; i < count;) {
    const size_t first = i, left = CANDIDATE_BATCH - w->batch.count, end = count - i < left ? count : i + left;
    candidate *to = w->batch.candidates + w->batch.count;
    for (; i < end; i++) *to++ = candidate_of(ids, headers, owners[i], numbers[i]);
    if (!candidate_batch_take(&w->batch, end - first)) return false;
  }
  return true;
}

/* The same if the query may not request some of them. */
static bool hand_over_some(searcher *w, size_t count) {
  const grid *g = w->grid;
  partner_rule rule = rule_of_entry(w, w->met.owners[0]);
  for (size_t i = 0; i < count; i++) {
    const uint32_t entry = w->met.owners[i], hit = w->met.numbers[i];
    if (i > 0 && entry != w->met.owners[i - 1]) rule = rule_of_entry(w, entry);
    if (!is_candidate(w, &rule, hit)) continue;
    w->batch.candidates[w->batch.count] = candidate_of(g->ids, g->headers, entry, hit);
    if (!candidate_batch_take(&w->batch, 1)) return false;
  }
  return true;
}

static bool hand_over(searcher *w) {
  const size_t count = w->met.count;
  w->met.count = 0;
  return count == 0 || (w->accepts_all ? hand_over_all(w, count) : hand_over_some(w, count));
}

/* Finds the ranges of the 13 neighbors after the cell in the order of x, then y, then z. Neighbors above it along an
 * axis are omitted unless the range's box crosses the border there. */
static void update_near_ranges(searcher *w, int level, const cell_range *run) {
  if (w->near.of == run) return;
  const grid_cell cell = run->cell;
  const float inverse_side = 1.0f / grid_cell_side(level);
  const grid_cell top = grid_cell_of(run->bound[3], run->bound[4], run->bound[5], inverse_side);
  const int reach_x = top.x > cell.x, reach_y = top.y > cell.y, reach_z = top.z > cell.z;
  const neighborhood n = neighborhood_of(w->grid, level, cell);
  cell_offset offsets[13];
  size_t count = 0;
  for (int8_t x = 0; x <= reach_x; x++)
    for (int8_t y = x > 0 ? -1 : 0; y <= reach_y; y++)
      for (int8_t z = x > 0 || y > 0 ? -1 : 1; z <= reach_z; z++) offsets[count++] = (cell_offset){x, y, z};
  w->near.count = neighbor_ranges(&n, offsets, count, w->near.ranges);
  w->near.of = run;
}

/* Appends the boxes of one side that meet a block with this box, in later cells of its level and on higher levels. */
static bool gather_around(searcher *w, int level, const cell_range *run, uint32_t side, const float bound[6]) {
  update_near_ranges(w, level, run);
  if (!cull_side(w, w->near.ranges, w->near.count, side, bound, &w->of_block)) return false;
  if (level == w->grid->highest) return true;
  return update_siblings(w, level, run) && cull_list(w, &w->siblings.lists[side], 0, bound, &w->of_block);
}

/* With one side, the list of a block begins with the block itself, in order, so that primitive i meets what follows
 * it. With two, it contains only the other side, of which the first meets that of its own cell. */
static bool gather_boxes(searcher *w, int level, const cell_range *run, size_t first, size_t end) {
  float bound[6];
  bound_block(w->grid, run, first, end, bound);
  w->of_block.count = 0;
  if (w->grid->sides.count == 1)
    return cull_range(&w->reader, run, first, end, bound, &w->of_block) &&
           cull_range(&w->reader, run, end, run[1].first, bound, &w->of_block) &&
           gather_around(w, level, run, 0, bound);
  if (first >= run->middle) return gather_around(w, level, run, 0, bound);
  return (run->middle == run[1].first || cull_range(&w->reader, run, run->middle, run[1].first, bound, &w->of_block)) &&
         gather_around(w, level, run, 1, bound);
}

static void release_met(searcher *w) {
  memory_release(w->search->memory, w->met.owners, 2 * (w->met_capacity + MET_PADDING), sizeof *w->met.owners);
  w->met.owners = w->met.numbers = NULL;
  w->met_capacity = 0;
}

static void release_corners(searcher *w) {
  memory_release(w->search->memory, w->corners[0], 3 * (w->corner_capacity + BOX_LIST_PADDING), sizeof *w->corners[0]);
  w->corners[0] = NULL;
  w->corner_capacity = 0;
}

/* The number of boxes with which boxes [first, end) of the block are compared. */
static uint64_t swept_boxes(const searcher *w, size_t first, size_t end, bool own) {
  const uint64_t all = (uint64_t)(end - first) * w->list->count;
  return own ? all - (uint64_t)(end - first) * (first + end + 1) / 2 : all;
}

/* Sweeps the list with boxes [first, end) of the block: with one side the block is the beginning of the list,
 * otherwise they are entries. Returns the first that was not swept because enough had been met. */
static size_t sweep_boxes(searcher *w, size_t first, size_t end, bool own) {
  size_t next;
  uint64_t shared = 0;
  if (w->drops_neighbors)
    next = w->reader.kernels->sweep_apart(w->list, w->corners, first, end, &w->met, &shared);
  else
    next = w->reader.kernels->sweep_block(w->list, own ? w->list : &w->grid->entries, first, end, &w->met);
  w->reader.box_tests += swept_boxes(w, first, next, own);
  w->neighbors += shared;
  return next;
}

/* The same for one box, if the query may not request pairs of its object. */
static void sweep_one(searcher *w, size_t place, uint32_t entry, bool own) {
  const primitive_view *view = w->search->view;
  const uint32_t object = w->grid->headers[entry].object;
  if (!object_has_partners(view, object)) return;
  const uint64_t neighbors = w->neighbors;
  sweep_boxes(w, place, place + 1, own);
  if (!objects_meet(view, object, object)) w->neighbors = neighbors;
}

/* Returns whether the task continues. */
static bool sweep_all(searcher *w, size_t first, size_t end) {
  const bool own = w->grid->sides.count == 1, long_list = w->list->count > LIST_BETWEEN_LEAVING;
  const size_t before = own ? first : 0; /* entries before the block, if it is in the list */
  for (size_t place = first - before; place < end - before;) {
    if (w->accepts_all) {
      place = sweep_boxes(w, place, long_list ? place + 1 : end - before, own);
    } else {
      sweep_one(w, place, (uint32_t)(place + before), own);
      place++;
    }
    if (w->met.count >= w->met.enough && !hand_over(w)) return false;
    if (long_list && search_leaves(w->search, w->batch.task)) return false;
  }
  return true;
}

/* Reserves memory for the hits of one sweep of the list, in addition to those not passed on yet. */
static bool reserve_met(searcher *w) {
  if (MET_HANDED_OVER + w->list->count <= w->met_capacity) return true;
  const size_t capacity = MET_HANDED_OVER + w->list->capacity;
  uint32_t *block = memory_allocate(w->search->memory, 2 * (capacity + MET_PADDING), sizeof *block);
  if (block == NULL) return false;
  uint32_t *numbers = block + capacity + MET_PADDING;
  if (w->met.count > 0) {
    memcpy(block, w->met.owners, w->met.count * sizeof *block);
    memcpy(numbers, w->met.numbers, w->met.count * sizeof *block);
  }
  release_met(w);
  w->met.owners = block;
  w->met.numbers = numbers;
  w->met_capacity = capacity;
  return true;
}

/* Gathers the corners of the list's primitives. */
static bool gather_corners(searcher *w) {
  if (w->list->count > w->corner_capacity || w->corners[0] == NULL) {
    const size_t stride = w->list->capacity + BOX_LIST_PADDING;
    uint32_t *block = memory_allocate(w->search->memory, 3 * stride, sizeof *block);
    if (block == NULL) return false;
    release_corners(w);
    for (int i = 0; i < 3; i++) w->corners[i] = block + i * stride;
    w->corner_capacity = w->list->capacity;
  }
  for (size_t i = 0; i < w->list->count; i++) {
    const primitive_header *header = &w->grid->headers[w->list->number[i]];
    for (int corner = 0; corner < 3; corner++) w->corners[corner][i] = header->corner[corner];
  }
  return true;
}

static bool stop_without_memory(searcher *w) {
  search_stop_out_of_memory(w->search);
  return false;
}

/* Compares entries [first, end) with a list; with one side they are its beginning. */
static bool sweep_list(searcher *w, box_list *list, size_t first, size_t end) {
  if (list->count == 0) return true;
  w->list = list;
  if (!reserve_met(w) || (w->drops_neighbors && !gather_corners(w))) return stop_without_memory(w);
  box_list_close(list);
  return sweep_all(w, first, end);
}

/* ---------------------------------------------------------------------------------------------- crowds of objects */

/* The objects of a block; more than BLOCK_OBJECTS are not listed. */
typedef struct block_objects {
  size_t count;
  uint32_t object[BLOCK_OBJECTS];
} block_objects;

/* False if there are more than can be listed. Entries of crowded cells are in spatial order, so objects alternate. */
static bool list_objects(const searcher *w, size_t first, size_t end, block_objects *objects_out) {
  objects_out->count = 0;
  for (size_t entry = first; entry < end; entry++) {
    const uint32_t object = w->grid->headers[entry].object;
    size_t at = 0;
    while (at < objects_out->count && objects_out->object[at] != object) at++;
    if (at == BLOCK_OBJECTS) return false;
    if (at == objects_out->count) objects_out->object[objects_out->count++] = object;
  }
  return true;
}

static bool some_are_open(const searcher *w, const block_objects *objects, uint32_t other) {
  const search *s = w->search;
  bool open = false;
  for (size_t i = 0; i < objects->count && !open; i++)
    open = objects_are_open(s->view, &s->known[w->batch.worker], objects->object[i], other);
  return open;
}

/* If the list of the block is long, drops boxes of objects that all objects of the block are known to touch. The
 * block itself stays if the list begins with it. */
static void drop_known(searcher *w, size_t first, size_t end) {
  const search *s = w->search;
  box_list *list = &w->of_block;
  block_objects objects;
  if (s->known == NULL || list->count < CROWDED_LIST || !list_objects(w, first, end, &objects)) return;
  const primitive_header *headers = w->grid->headers;
  uint32_t last = headers[first].object;
  bool open = some_are_open(w, &objects, last);
  w->known_count = s->known[w->batch.worker].pairs.count;
  size_t kept = w->grid->sides.count == 1 ? end - first : 0;
  for (size_t i = kept; i < list->count; i++) {
    const uint32_t other = headers[list->number[i]].object;
    if (other != last) open = some_are_open(w, &objects, other);
    last = other;
    if (!open) continue;
    for (int k = 0; k < 6; k++) list->bound[k][kept] = list->bound[k][i];
    list->number[kept++] = list->number[i];
  }
  list->count = kept;
}

/* In a crowd, tests the hits of a part before the next part is swept, which then skips the objects that were found to
 * touch. Returns whether the task continues. */
static bool test_part_hits(searcher *w, size_t first, size_t end) {
  if (w->search->known == NULL || w->of_block.count < CROWDED_LIST) return true;
  if (!hand_over(w) || !candidate_batch_flush(&w->batch)) return false;
  if (w->search->known[w->batch.worker].pairs.count > w->known_count) drop_known(w, first, end);
  return true;
}

static bool block_is_settled(const searcher *w, const cell_range *run, size_t first, size_t end) {
  const search *s = w->search;
  block_objects objects;
  if (s->view->object_count > SETTLED_OBJECTS || !list_objects(w, first, end, &objects)) return false;
  float bound[6];
  bound_block(w->grid, run, first, end, bound);
  const primitive_box box = {{bound[0], bound[1], bound[2]}, {bound[3], bound[4], bound[5]}};
  bool settled = true;
  for (size_t i = 0; i < objects.count && settled; i++)
    settled = object_is_settled(s->view, &s->known[w->batch.worker], objects.object[i], &box);
  return settled;
}

/* ---------------------------------------------------------------------------------------------- parts */

/* Culls the list of the block for each part of it. With one side, a part begins at its own place in the list, and
 * meets what follows it. */
static bool sweep_by_parts(searcher *w, const cell_range *run, size_t first, size_t end) {
  const bool own = w->grid->sides.count == 1;
  for (size_t at = first, next; at < end; at = next) {
    next = end - at < PART_ENTRIES ? end : at + PART_ENTRIES;
    float bound[6];
    bound_block(w->grid, run, at, next, bound);
    w->of_part.count = 0;
    if (!cull_list(w, &w->of_block, own ? at - first : 0, bound, &w->of_part)) return stop_without_memory(w);
    if (!sweep_list(w, &w->of_part, at, next) || !test_part_hits(w, first, end)) return false;
  }
  return true;
}

/* In a crowd, settled blocks are skipped. */
static bool search_block(void *context, int level, const cell_range *run, size_t first, size_t end) {
  searcher *w = context;
  if (w->in_crowd && block_is_settled(w, run, first, end)) return true;
  if (!gather_boxes(w, level, run, first, end)) return stop_without_memory(w);
  w->in_crowd = w->search->known != NULL && w->of_block.count >= CROWDED_LIST;
  if (w->in_crowd) w->search->known[w->batch.worker].in_use = true;
  drop_known(w, first, end);
  return w->of_block.count < LONG_LIST ? sweep_list(w, &w->of_block, first, end) : sweep_by_parts(w, run, first, end);
}

/* ---------------------------------------------------------------------------------------------- tasks */

static void run_task(void *context, uint32_t index, uint32_t worker) {
  searcher *w = (searcher *)context + worker;
  candidate_batch_begin(&w->batch, index);
  w->met.count = 0;
  if (grid_walk_task(w->grid, w->search, index, BLOCK_ENTRIES, search_block, w) && hand_over(w))
    candidate_batch_flush(&w->batch);
}

static void release_searcher(searcher *w, memory *heap) {
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) {
    box_list_release(&w->chain[level].lists[0], heap);
    box_list_release(&w->chain[level].lists[1], heap);
  }
  box_list_release(&w->siblings.lists[0], heap);
  box_list_release(&w->siblings.lists[1], heap);
  box_list_release(&w->of_block, heap);
  box_list_release(&w->of_part, heap);
  release_met(w);
  release_corners(w);
}

/* Whether a query requests all pairs of primitives. */
static bool accepts_all(const primitive_view *view) {
  if (view->rules_differ || (!view->between && view->object_count > 1)) return false;
  for (uint32_t object = 0; object < view->object_count; object++)
    if (!objects_meet(view, object, object)) return false;
  return true;
}

bool grid_search(const grid *g, search *s) {
  const uint32_t worker_count = workers_count(s->workers);
  searcher *searchers = memory_allocate(s->memory, worker_count, sizeof *searchers);
  if (searchers == NULL) return false;
  const primitive_view *view = s->view;
  const bool drops_neighbors = g->sides.count == 1 && view->only_triangles && view->skip_neighbors;
  const bool keeps_or_drops_all = drops_neighbors || !view->skip_neighbors;
  const bool all = g->sides.count == 2 ? view->between && !view->rules_differ : keeps_or_drops_all && accepts_all(view);
  for (uint32_t i = 0; i < worker_count; i++) {
    searcher *w = &searchers[i];
    memset(w, 0, offsetof(searcher, batch));
    w->grid = g;
    w->search = s;
    w->reader = range_reader_of(g, s);
    w->drops_neighbors = drops_neighbors;
    w->accepts_all = all;
    w->met.enough = MET_HANDED_OVER;
    candidate_batch_init(&w->batch, s, i);
  }
  /* In order if one pair is enough: all earlier tasks have then begun. */
  if (s->one_is_enough)
    workers_run(s->workers, run_task, searchers, grid_task_count(g));
  else
    workers_run_by_shares(s->workers, run_task, searchers, grid_task_count(g));
  for (uint32_t i = 0; i < worker_count; i++) {
    searcher *w = &searchers[i];
    s->counts.box_tests += w->reader.box_tests;
    s->counts.candidates += w->batch.handed_over;
    s->counts.neighbors += w->neighbors;
    release_searcher(w, s->memory);
  }
  memory_release(s->memory, searchers, worker_count, sizeof *searchers);
  return search_result(s) == GRAZE_OK;
}
