/* The search: each entry looks at the entries of the cells where boxes that meet its own can be stored.
 *
 * Cells are looked at by lines: those of one level, y and z that a box can need, side by side along x. Their entries
 * are one run, or two where the line leaves a block of the hash.
 *
 * On an entry's own level the lines are those of its own cell and of those after it in the order of z, then y. Two
 * entries of one cell meet from the one that comes first, two entries of different cells from the one whose cell is
 * before the other's. On every coarser level they are all lines that can own a box meeting its own; finer entries come
 * to it from below. So each pair is looked at once. A bucket may hold other cells' entries: an entry counts only where
 * its key says that it is of the very line and block looked at.
 *
 * A device takes lines and entries apart (cuda_search.cu): one thread a level of an entry finds runs, one thread an
 * entry of a run compares boxes, one thread a pair of boxes that meet decides, so that threads side by side have equal
 * work whatever the entries are. Here all of it is one loop.
 *
 * Workload: two to twenty lines an entry, of which two to five have entries; some 15 to 60 boxes of 16 bytes, hundreds
 * inside solids; some two to five candidates. */
#ifndef GRAZE_CUDA_STAGE_SEARCH_H
#define GRAZE_CUDA_STAGE_SEARCH_H

#include "cuda/device_lists.h"
#include "cuda/stage_bundles.h"
#include "geometry/bits.h"

/* The cells of one level that an entry looks at: a box of them; on its own level without the lines before its own. */
typedef struct level_cells {
  uint32_t level;
  bool own_level;        /* of the entry */
  device_cell corner;    /* that the entry's lower corner lies in */
  device_cell low, high; /* the first and the last */
  unit_box box;          /* of the entry */
} level_cells;

/* A line of cells of a level: how far its y and z are from those of the entry's own cell there, -2 to 2. As a number:
 * both from as many lines before the own one as boxes reach, z times MARK_ROW and y. */
typedef struct search_line {
  int32_t y, z;
} search_line;

/* Entries that lie together, and the box that looks for some of them. */
typedef struct entry_range {
  uint32_t first, count;
  cell_box looking;
} entry_range;

/* What an entry is to another one that lies in a line of it. */
typedef enum entry_relation { ENTRIES_APART, ENTRIES_NEIGHBORS, ENTRIES_CANDIDATE } entry_relation;

/* ---------------------------------------------------------------------------------------------- lines */

/* The levels that an entry looks at. */
typedef struct search_levels {
  uint32_t bits; /* levels that have any entries */
  uint32_t side; /* that they are of */
} search_levels;

/* Its own and those above. Where two objects are kept apart, those of the other object: of two entries at one level the
 * first object's looks at the second's. */
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

/* So many cells on a side of these units ends; not further than boxes reach, however it was rounded: marks have no bits
 * for lines beyond. */
GEOMETRY_FUNCTION int32_t cells_reached(float units, int bits, int32_t reach) {
  const int32_t cells = (int32_t)units >> bits;
  return cells < reach ? cells : reach;
}

/* From as many cells before the entry's as boxes of the level reach to those that its own reaches: five lines each way
 * at most. */
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

/* Lines that may have entries: a bit for each, by its number. A block has marks of all lines that are near it. On its
 * own level an entry looks only at its own line and those after it. */
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

/* The entries of a line in the block that it begins in, and where it leaves that block in the next. Those of the
 * entry's own line only where they come after it. */
typedef struct line_ranges {
  entry_range first, second;
} line_ranges;

/* Those of one block, from a cell of the line to the one with the last x. */
GEOMETRY_FUNCTION entry_range range_of_block(const grid_view *v, const level_cells *cells, search_line line,
                                             int32_t first_x, int32_t last_x) {
  const device_cell cell = {first_x, cells->corner.y + line.y, cells->corner.z + line.z};
  const cell_place place = device_cell_place(cell, cells->level);
  const uint32_t bucket = device_bucket(place, v->bucket_count);
  const int32_t block_x = cells->corner.x - (first_x - (int32_t)place.x);
  entry_range range;
  range.first = v->bucket_start[bucket];
  range.count = v->bucket_start[bucket + (uint32_t)(last_x - first_x) + 1u] - range.first;
  range.looking = looking_cell_box(&cells->box, block_x, line.y, line.z,
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

/* Of one object. The corners of tetrahedra lie beside their entries; longer lists of corners are looked up. */
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

/* Vertices are numbered through all objects: a common one tells that the object is common too. */
GEOMETRY_FUNCTION bool entries_share_corner(const pair_view *v, uint32_t index, uint32_t place) {
  if (v->scene.only_tetrahedra != 0) {
    const solid_corners a = v->entries.entry_solids[index], b = v->entries.entry_solids[place];
    return solids_share_corner(&a, &b);
  }
  const primitive_header a = v->lists.entries[index].header, b = v->lists.entries[place].header;
  return headers_share_corner(&a, &b);
}

/* Entries at two places, whose boxes meet. */
GEOMETRY_FUNCTION entry_relation relate_entries(const pair_view *v, uint32_t index, uint32_t place) {
  if (v->query.pair_rule == PAIRS_ALL) return ENTRIES_CANDIDATE;
  if (v->query.pair_rule == PAIRS_BUT_NEIGHBORS)
    return entries_share_corner(v, index, place) ? ENTRIES_NEIGHBORS : ENTRIES_CANDIDATE;
  const primitive_header a = v->lists.entries[index].header, b = v->lists.entries[place].header;
  if (v->query.focus != NULL && !focus_has(&v->query.focus->asked, a.object, b.object)) return ENTRIES_APART;
  if (!rules_meet(v->scene.rules, v->scene.excluded, a.object, b.object, v->query.between != 0, v->query.within != 0))
    return ENTRIES_APART;
  const bool skip = v->query.skip_neighbors != 0 && a.object == b.object && are_neighbors(v, index, &a, place, &b);
  return skip ? ENTRIES_NEIGHBORS : ENTRIES_CANDIDATE;
}

/* ---------------------------------------------------------------------------------------------- all of it in loops */

GEOMETRY_FUNCTION void search_run(uint32_t index, entry_range range, const grid_view *v) {
  uint32_t neighbors = 0;
  for (uint32_t place = range.first; place < range.first + range.count; place++) {
    const cell_box stored = v->pairs.entries.cell_boxes[place];
    const entry_relation relation =
        cell_boxes_meet(&stored, &range.looking) ? relate_entries(&v->pairs, index, place) : ENTRIES_APART;
    const index_pair as_seen = {index, place};
    append_entries(&v->pairs.lists, LIST_CANDIDATES, relation == ENTRIES_CANDIDATE, as_seen);
    neighbors += relation == ENTRIES_NEIGHBORS ? 1u : 0u;
  }
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_BOX_TESTS, index), range.count);
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_NEIGHBORS, index), neighbors);
}

/* A long one by its bundles. */
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
    const entry_range met = {run.first, run.count, range.looking};
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

#endif
