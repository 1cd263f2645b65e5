/* The search: each entry visits the cells that may contain boxes that meet its own.
 *
 * Cells are visited by lines: the cells of one level, y and z that a box may need, consecutive along x. Their entries
 * are one run, or two if the line crosses a block boundary of the hash.
 *
 * On an entry's own level, the lines are that of its own cell and those after it in the order of z, then y. The first
 * of two entries of one cell finds the second; of two cells, the entry of the first cell finds the entry of the second.
 * On every coarser level, all lines that may own a box that meets its own are visited; finer entries find it from their
 * level. So each pair is visited once. A bucket may contain entries of other cells: an entry counts only if its key
 * matches the line and block.
 *
 * A device processes lines and entries in separate steps (cuda_search.cu): one thread per level of an entry finds runs,
 * one thread per entry of a run compares boxes, one thread per pair of boxes that meet decides, so that adjacent
 * threads have equal work for any entries. Here all of it is one loop.
 *
 * Workload: two to twenty lines per entry, of which two to five have entries; 15 to 60 boxes of 16 bytes,
 * hundreds inside solids; some two to five candidates. */
#ifndef GRAZE_CUDA_STAGE_SEARCH_H
#define GRAZE_CUDA_STAGE_SEARCH_H

#include "cuda/device_lists.h"
#include "cuda/pair_view.h"
#include "geometry/bits.h"

/* ---------------------------------------------------------------------------------------------- bundles
 *
 * Consecutive entries with a box around them, for scenes whose cells are crowded.
 *
 * Slivers of CAD models are stored at the level of their length, many per cell, and smaller primitives test all of
 * those around them. Entries of a cell are mostly in the order of their primitives, and neighbors in a mesh are close
 * in space: a box around sixteen of them is barely longer than each, and one test of it replaces sixteen. If cells are
 * not crowded, ranges are short and there are no bundles: device_search.c decides by the comparisons of the previous
 * query.
 *
 * Boxes are in normalized coordinates, as floats. The lower corner of an entry's box is stored, the upper one follows
 * from the sides of its cell box: l and h in units satisfy low < l and h < high + 1, so that the box is shorter than
 * high + 1 - low units. This is an exact float, and rounding to nearest is monotonic, so that the rounded sum is not
 * below any float that the exact sum is not below.
 *
 * Workload: every entry once, 32 bytes; 2 bytes written. */

/* A box around that of an entry, from the data that the search reads anyway. */
GEOMETRY_FUNCTION primitive_box box_around_entry(const pair_view *v, uint32_t entry) {
  const cell_box stored = v->entries.cell_boxes[entry];
  primitive_box box;
  for (int axis = 0; axis < 3; axis++) {
    const float low = lower_half(stored.halves[axis]), high = -upper_half(stored.halves[axis]);
    box.min[axis] = v->lists.entries[entry].min[axis];
    box.max[axis] =
        box.min[axis] + (high - low + 1.0f) * unit_length(key_level(stored.cell_key), axis, v->entries.reach_bits);
  }
  return box;
}

GEOMETRY_FUNCTION void stage_bundle(uint32_t bundle, const grid_view *v) {
  const uint32_t first = bundle * BUNDLE_ENTRIES, left = v->pairs.lists.totals->entry_count - first;
  const uint32_t count = left < BUNDLE_ENTRIES ? left : (uint32_t)BUNDLE_ENTRIES;
  primitive_box around = box_around_entry(&v->pairs, first);
  for (uint32_t i = 1; i < count; i++) {
    const primitive_box box = box_around_entry(&v->pairs, first + i);
    for (int axis = 0; axis < 3; axis++) {
      around.min[axis] = box.min[axis] < around.min[axis] ? box.min[axis] : around.min[axis];
      around.max[axis] = box.max[axis] > around.max[axis] ? box.max[axis] : around.max[axis];
    }
  }
  v->bundle_boxes[bundle].box = around;
}

/* Whether a run of this many entries is tested by its bundles first. */
GEOMETRY_FUNCTION bool is_bundled(const grid_view *v, uint32_t entries) {
  return v->bundle_boxes != NULL && entries >= 2 * BUNDLE_ENTRIES;
}

/* The number of bundles that contain these entries, at least one; the first and the last may have others too. */
GEOMETRY_FUNCTION uint32_t bundles_of(uint32_t first_entry, uint32_t entries) {
  return (first_entry + entries - 1u) / BUNDLE_ENTRIES - first_entry / BUNDLE_ENTRIES + 1u;
}

/* A run of entries. */
typedef struct entry_run {
  uint32_t first, count;
} entry_run;

/* The entries of a run that are in a given bundle. */
GEOMETRY_FUNCTION entry_run run_in_bundle(uint32_t bundle, uint32_t first_entry, uint32_t entries) {
  const uint32_t first = bundle * BUNDLE_ENTRIES, end = first + BUNDLE_ENTRIES, last_end = first_entry + entries;
  entry_run run;
  run.first = first > first_entry ? first : first_entry;
  run.count = (end < last_end ? end : last_end) - run.first;
  return run;
}

/* The cells of one level that an entry visits: a box of cells; on its own level without the lines before its own. */
typedef struct level_cells {
  uint32_t level;
  bool own_level;        /* the level is that of the entry */
  device_cell corner;    /* the cell of the entry's lower corner */
  device_cell low, high; /* the first and the last */
  unit_box box;          /* of the entry */
} level_cells;

/* A line of cells of a level: the offsets of its y and z from those of the entry's cell there, -2 to 2. Its number
 * is z times MARK_ROW plus y, both counted from the first line that boxes may reach. */
typedef struct search_line {
  int32_t y, z;
} search_line;

/* Consecutive entries, and the box to compare them with. */
typedef struct entry_range {
  uint32_t first, count;
  cell_box visiting;
} entry_range;

/* The relation of an entry to another one in one of its lines. */
typedef enum entry_relation { ENTRIES_APART, ENTRIES_NEIGHBORS, ENTRIES_CANDIDATE } entry_relation;

/* ---------------------------------------------------------------------------------------------- lines */

/* The levels that an entry visits. */
typedef struct search_levels {
  uint32_t bits; /* levels with entries */
  uint32_t side; /* the side of these levels, if two objects are searched separately */
} search_levels;

/* Its own level and those above. If two objects are searched separately, those of the other object: if two entries
 * have one level, the first object's finds the second's. */
GEOMETRY_FUNCTION search_levels search_levels_of(const pair_view *v, uint32_t cell_key) {
  const uint32_t own = key_level(cell_key), level = own % SECOND_SIDE, from_own = ~((1u << level) - 1u);
  search_levels levels;
  if (v->query.sides == SIDES_NONE) {
    levels.bits = v->lists.totals->level_mask[0] & from_own;
    levels.side = 0;
  } else if (own < SECOND_SIDE) {
    levels.bits = v->lists.totals->level_mask[1] & from_own;
    levels.side = SECOND_SIDE;
  } else {
    levels.bits = v->lists.totals->level_mask[0] & from_own & ~(1u << level);
    levels.side = 0;
  }
  return levels;
}

GEOMETRY_FUNCTION uint32_t search_level_of(const pair_view *v, uint32_t cell_key, uint32_t number) {
  search_levels levels = search_levels_of(v, cell_key);
  for (uint32_t i = 0; i < number; i++) levels.bits &= levels.bits - 1u;
  return lowest_bit(levels.bits) + levels.side;
}

/* The number of cells to which this many units reach. It is limited to the reach of boxes, regardless of rounding:
 * there are no mark bits for lines beyond. */
GEOMETRY_FUNCTION int32_t cells_reached(float units, int bits, int32_t reach) {
  const int32_t cells = (int32_t)units >> bits;
  return cells < reach ? cells : reach;
}

/* The cells from the reach of the level's boxes before the entry's cell to the last cell that its own box reaches:
 * at most five lines in each direction. */
GEOMETRY_FUNCTION level_cells cells_around(const pair_view *v, uint32_t index, const cell_box *stored, uint32_t level) {
  const float min[3] = {v->lists.entries[index].min[0], v->lists.entries[index].min[1], v->lists.entries[index].min[2]};
  const int32_t reach = 1 << v->entries.reach_bits;
  level_cells cells;
  cells.level = level;
  cells.own_level = level == key_level(stored->cell_key);
  cells.corner = device_cell_of(min, device_inverse_side(level));
  cells.box = unit_box_of(min, stored, cells.corner, level, v->entries.reach_bits);
  cells.high.x =
      cells.corner.x + cells_reached(cells.box.high[0], unit_bits(0, v->entries.reach_bits), reach << CELL_X_BITS);
  cells.high.y = cells.corner.y + cells_reached(cells.box.high[1], unit_bits(1, v->entries.reach_bits), reach);
  cells.high.z = cells.corner.z + cells_reached(cells.box.high[2], unit_bits(2, v->entries.reach_bits), reach);
  cells.low.x = cells.corner.x - (reach << CELL_X_BITS);
  cells.low.y = cells.corner.y - reach;
  cells.low.z = cells.corner.z - reach;
  return cells;
}

GEOMETRY_FUNCTION level_cells level_cells_of(const pair_view *v, uint32_t index, uint32_t level) {
  const cell_box stored = v->entries.cell_boxes[index];
  return cells_around(v, index, &stored, level);
}

GEOMETRY_FUNCTION level_cells own_level_cells(const pair_view *v, uint32_t index) {
  const cell_box stored = v->entries.cell_boxes[index];
  return cells_around(v, index, &stored, key_level(stored.cell_key));
}

/* Lines that may have entries: one bit each, by number. A block has marks of all lines near it. On its own level an
 * entry visits only its own line and those after it. */
GEOMETRY_FUNCTION uint64_t marked_lines(const grid_view *v, const level_cells *cells) {
  const device_cell block = device_marked_block_of(cells->corner, v->pairs.entries.reach_bits);
  const uint64_t marked = v->marks[device_marks_of(block, cells->level, v->marked_blocks)];
  const uint32_t reach = 1u << v->pairs.entries.reach_bits, own_line = reach * MARK_ROW + reach;
  const uint32_t first_y = device_mark_place(cells->low.y, block.y, BLOCK_Y_BITS);
  const uint32_t first_z = device_mark_place(cells->low.z, block.z, BLOCK_Z_BITS);
  const uint32_t last_y = (uint32_t)(cells->high.y - cells->low.y), last_z = (uint32_t)(cells->high.z - cells->low.z);
  const uint64_t rows = ((2u << last_y) - 1u) * UINT64_C(0x0101010101);
  const uint64_t wanted = rows & ~UINT64_C(0) >> (MARK_ROW - 1u - last_z) * MARK_ROW;
  const uint64_t after = ~UINT64_C(0) << (cells->own_level ? own_line : 0u);
  return marked >> (first_z * MARK_ROW + first_y) & wanted & after;
}

GEOMETRY_FUNCTION search_line line_of_number(const pair_view *v, uint32_t number) {
  const int32_t reach = 1 << v->entries.reach_bits;
  const search_line line = {(int32_t)(number % MARK_ROW) - reach, (int32_t)(number / MARK_ROW) - reach};
  return line;
}

/* The entries of a line in its first block, and in the next if it crosses the boundary. The entry's own line
 * contributes only the entries after it. */
typedef struct line_ranges {
  entry_range first, second;
} line_ranges;

/* The range in one block, from a cell of the line to the one with the last x. */
GEOMETRY_FUNCTION entry_range range_of_block(const grid_view *v, const level_cells *cells, search_line line,
                                             int32_t first_x, int32_t last_x) {
  const device_cell cell = {first_x, cells->corner.y + line.y, cells->corner.z + line.z};
  const cell_place place = device_cell_place(cell, cells->level);
  const uint32_t bucket = device_bucket(place, v->bucket_count);
  const int32_t block_x = cells->corner.x - (first_x - (int32_t)place.x);
  entry_range range;
  range.first = v->bucket_start[bucket];
  range.count = v->bucket_start[bucket + (uint32_t)(last_x - first_x) + 1u] - range.first;
  range.visiting = visiting_cell_box(&cells->box, block_x, line.y, line.z,
                                     device_cell_key(cell, cells->level, place.block), v->pairs.entries.reach_bits);
  return range;
}

GEOMETRY_FUNCTION line_ranges ranges_of_line(const grid_view *v, uint32_t index, const level_cells *cells,
                                             search_line line) {
  const bool own_line = cells->own_level && line.y == 0 && line.z == 0;
  const int32_t first_x = own_line ? cells->corner.x : cells->low.x, last_x = cells->high.x;
  const int32_t first_block = first_x >> BLOCK_X_BITS, last_block = last_x >> BLOCK_X_BITS;
  const int32_t next_x = last_block * (1 << BLOCK_X_BITS);
  line_ranges ranges = {{0, 0, {{0, 0, 0}, 0}}, {0, 0, {{0, 0, 0}, 0}}};
  ranges.first = range_of_block(v, cells, line, first_x, first_block == last_block ? last_x : next_x - 1);
  if (own_line) {
    ranges.first.count -= index + 1u - ranges.first.first;
    ranges.first.first = index + 1u;
  }
  if (first_block != last_block) ranges.second = range_of_block(v, cells, line, next_x, last_x);
  return ranges;
}

/* ---------------------------------------------------------------------------------------------- entries of a line */

GEOMETRY_FUNCTION bool solids_share_corner(const solid_corners *a, const solid_corners *b) {
  bool share = false;
  for (int i = 0; i < 4; i++)
    share = share || a->vertex[i] == b->vertex[0] || a->vertex[i] == b->vertex[1] || a->vertex[i] == b->vertex[2] ||
            a->vertex[i] == b->vertex[3];
  return share;
}

/* For entries of one object. The corners of tetrahedra are stored next to their entries; longer lists of corners are
 * looked up. */
GEOMETRY_FUNCTION bool are_neighbors(const pair_view *v, uint32_t place_a, const primitive_header *a, uint32_t place_b,
                                     const primitive_header *b) {
  if (headers_share_corner(a, b)) return true;
  if (v->scene.only_triangles != 0) return false;
  const object_source *source = &v->scene.sources[a->object];
  if (headers_have_all_corners(source)) return false;
  if (kind_batch_of(source->kind) != BATCH_TETRAHEDRA)
    return share_corner(source, v->lists.entries[place_a].primitive, v->lists.entries[place_b].primitive);
  const solid_corners a_solid = v->entries.entry_solids[place_a], b_solid = v->entries.entry_solids[place_b];
  return solids_share_corner(&a_solid, &b_solid);
}

/* Vertices are numbered across all objects, so a common one implies a common object. */
GEOMETRY_FUNCTION bool entries_share_corner(const pair_view *v, uint32_t index, uint32_t place) {
  if (v->scene.only_tetrahedra != 0) {
    const solid_corners a = v->entries.entry_solids[index], b = v->entries.entry_solids[place];
    return solids_share_corner(&a, &b);
  }
  const primitive_header a = v->lists.entries[index].header, b = v->lists.entries[place].header;
  return headers_share_corner(&a, &b);
}

/* The relation of two entries whose boxes meet, by index. */
GEOMETRY_FUNCTION entry_relation relate_entries(const pair_view *v, uint32_t index, uint32_t place) {
  if (v->query.pair_rule == PAIRS_ALL) return ENTRIES_CANDIDATE;
  if (v->query.pair_rule == PAIRS_BUT_NEIGHBORS)
    return entries_share_corner(v, index, place) ? ENTRIES_NEIGHBORS : ENTRIES_CANDIDATE;
  const primitive_header a = v->lists.entries[index].header, b = v->lists.entries[place].header;
  if (v->query.focus != NULL && !focus_has(&v->query.focus->query, a.object, b.object)) return ENTRIES_APART;
  if (!rules_meet(v->scene.rules, v->scene.excluded, a.object, b.object, v->query.between != 0, v->query.within != 0))
    return ENTRIES_APART;
  const bool skip = v->query.skip_neighbors != 0 && a.object == b.object && are_neighbors(v, index, &a, place, &b);
  return skip ? ENTRIES_NEIGHBORS : ENTRIES_CANDIDATE;
}

/* ---------------------------------------------------------------------------------------------- the search as loops */

GEOMETRY_FUNCTION void search_run(uint32_t index, entry_range range, const grid_view *v) {
  uint32_t neighbors = 0;
  for (uint32_t place = range.first; place < range.first + range.count; place++) {
    const cell_box stored = v->pairs.entries.cell_boxes[place];
    const entry_relation relation =
        cell_boxes_meet(&stored, &range.visiting) ? relate_entries(&v->pairs, index, place) : ENTRIES_APART;
    const index_pair as_seen = {index, place};
    append_entries(&v->pairs.lists, LIST_CANDIDATES, relation == ENTRIES_CANDIDATE, as_seen);
    neighbors += relation == ENTRIES_NEIGHBORS ? 1u : 0u;
  }
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_BOX_TESTS, index), range.count);
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_NEIGHBORS, index), neighbors);
}

/* Searches a range, by bundles if it is long. */
GEOMETRY_FUNCTION void search_range(uint32_t index, entry_range range, const grid_view *v) {
  if (!is_bundled(v, range.count)) {
    search_run(index, range, v);
    return;
  }
  const primitive_box box = box_around_entry(&v->pairs, index);
  const uint32_t bundles = bundles_of(range.first, range.count), first = range.first / BUNDLE_ENTRIES;
  uint32_t spared = range.count;
  for (uint32_t i = 0; i < bundles; i++) {
    const entry_run run = run_in_bundle(first + i, range.first, range.count);
    const entry_range met = {run.first, run.count, range.visiting};
    if (!boxes_meet(&v->bundle_boxes[first + i].box, &box)) continue;
    search_run(index, met, v);
    spared -= run.count;
  }
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_BOX_TESTS, index), bundles);
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_SPARED, index), spared);
}

GEOMETRY_FUNCTION void search_level(uint32_t index, uint32_t level, const grid_view *v) {
  const level_cells cells = level_cells_of(&v->pairs, index, level);
  for (uint64_t lines = marked_lines(v, &cells); lines != 0; lines &= lines - 1u) {
    const line_ranges ranges = ranges_of_line(v, index, &cells, line_of_number(&v->pairs, lowest_bit_long(lines)));
    search_range(index, ranges.first, v);
    search_range(index, ranges.second, v);
  }
}

GEOMETRY_FUNCTION void stage_search(uint32_t index, const grid_view *v) {
  const uint32_t place = v->first_entry + index;
  search_levels levels = search_levels_of(&v->pairs, v->pairs.entries.cell_boxes[place].cell_key);
  for (; levels.bits != 0; levels.bits &= levels.bits - 1u)
    search_level(place, lowest_bit(levels.bits) + levels.side, v);
}

/* ---------------------------------------------------------------------------------------------- the method "brute"
 *
 * A test of every pair of boxes, one thread each. It is the reference on the device,
 * without cells or trees.
 *
 * Workload: up to about 10^5 primitives; n^2 box tests, half of which end at once. */

GEOMETRY_FUNCTION void stage_brute(uint32_t index, const brute_view *v) {
  const uint64_t number = v->first_pair + index, entries = v->pairs.lists.totals->entry_count;
  const uint32_t place = (uint32_t)(number / entries), other_place = (uint32_t)(number % entries);
  const entry_box entry = v->pairs.entries.entry_boxes[place], other = v->pairs.entries.entry_boxes[other_place];
  const bool tested = place < other_place;
  const entry_relation relation =
      tested && boxes_meet(&entry.box, &other.box) ? relate_entries(&v->pairs, place, other_place) : ENTRIES_APART;
  const index_pair pair = {place, other_place};
  append_entries(&v->pairs.lists, LIST_CANDIDATES, relation == ENTRIES_CANDIDATE, pair);
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_BOX_TESTS, index), tested ? 1u : 0u);
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_NEIGHBORS, index), relation == ENTRIES_NEIGHBORS ? 1u : 0u);
}

#endif
