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
 * Workload: two to twenty lines an entry, of which two to five have entries; some 15 to 60 boxes of 32 bytes, hundreds
 * inside solids; some two to five candidates. */
#ifndef GRAZE_CUDA_STAGE_SEARCH_H
#define GRAZE_CUDA_STAGE_SEARCH_H

#include "cuda/device_cell.h"
#include "cuda/device_lists.h"
#include "geometry/bits.h"

/* The cells of one level that an entry looks at: a box of them; on its own level without the lines before its own. */
typedef struct level_cells {
  uint32_t level;
  bool own_level;        /* of the entry */
  device_cell corner;    /* that the entry's lower corner lies in */
  device_cell low, high; /* the first and the last */
} level_cells;

/* A line of cells of a level: how far its y and z are from those of the entry's own cell there, -2 to 2. */
typedef struct search_line {
  int32_t y, z;
} search_line;

/* Entries that lie together; those of them that are looked for have this key. */
typedef struct entry_range {
  uint32_t first, count, cell_key;
} entry_range;

/* What an entry is to another one that lies in a line of it. */
typedef enum entry_relation { ENTRIES_APART, ENTRIES_NEIGHBOURS, ENTRIES_CANDIDATE } entry_relation;

/* ---------------------------------------------------------------------------------------------- lines */

/* The levels that an entry looks at. */
typedef struct search_levels {
  uint32_t bits; /* levels that have any entries */
  uint32_t side; /* that they are of */
} search_levels;

/* Its own and those above. Where two objects are kept apart, those of the other object: of two entries at one level the
 * first object's looks at the second's. */
GEOMETRY_FUNCTION search_levels search_levels_of(const device_view *v, const device_entry *entry) {
  const uint32_t own = key_level(entry->cell_key), level = own % SECOND_SIDE, from_own = ~((1u << level) - 1u);
  search_levels levels;
  if (v->sides == SIDES_NONE) {
    levels.bits = v->totals->level_mask[0] & from_own;
    levels.side = 0;
  } else if (own < SECOND_SIDE) {
    levels.bits = v->totals->level_mask[1] & from_own;
    levels.side = SECOND_SIDE;
  } else {
    levels.bits = v->totals->level_mask[0] & from_own & ~(1u << level);
    levels.side = 0;
  }
  return levels;
}

/* How many levels the entry looks at. */
GEOMETRY_FUNCTION uint32_t search_level_count(const device_view *v, const device_entry *entry) {
  return count_bits(search_levels_of(v, entry).bits);
}

GEOMETRY_FUNCTION uint32_t search_level_of(const device_view *v, const device_entry *entry, uint32_t number) {
  search_levels levels = search_levels_of(v, entry);
  for (uint32_t i = 0; i < number; i++) levels.bits &= levels.bits - 1u;
  return lowest_bit(levels.bits) + levels.side;
}

/* From as many cells before the entry's as boxes of the level reach to those that its own reaches: five lines each way
 * at most. */
GEOMETRY_FUNCTION level_cells level_cells_of(const device_view *v, const device_entry *entry, uint32_t level) {
  const float inverse_side = device_inverse_side(level);
  const int32_t reach = 1 << v->reach_bits;
  level_cells cells;
  cells.level = level;
  cells.own_level = level == key_level(entry->cell_key);
  cells.corner = device_cell_of(entry->min, inverse_side);
  cells.high = device_cell_of(entry->max, inverse_side);
  cells.low.x = cells.corner.x - (reach << CELL_X_BITS);
  cells.low.y = cells.corner.y - reach;
  cells.low.z = cells.corner.z - (cells.own_level ? 0 : reach);
  return cells;
}

/* Lines that may have entries, a bit each as in the marks of the block of the entry's corner. */
GEOMETRY_FUNCTION uint64_t marked_lines(const device_view *v, const level_cells *cells) {
  const device_cell block = device_block_of(cells->corner);
  const uint64_t marked = v->marks[device_marks_of(block, cells->level, v->marked_blocks)];
  const uint32_t first_y = device_mark_place(cells->low.y, block.y, BLOCK_Y_BITS);
  const uint32_t last_y = device_mark_place(cells->high.y, block.y, BLOCK_Y_BITS);
  const uint32_t first_z = device_mark_place(cells->low.z, block.z, BLOCK_Z_BITS);
  const uint32_t last_z = device_mark_place(cells->high.z, block.z, BLOCK_Z_BITS);
  const uint32_t row = (2u << last_y) - (1u << first_y), rows = row * 0x01010101u;
  uint64_t wanted = (uint64_t)rows << 32 | rows;
  wanted &= ~UINT64_C(0) << first_z * MARK_ROW & ~UINT64_C(0) >> (MARK_ROW - 1u - last_z) * MARK_ROW;
  if (cells->own_level) { /* its own row, the first, from its own line on */
    const uint32_t own_y = device_mark_place(cells->corner.y, block.y, BLOCK_Y_BITS);
    wanted &= ~((uint64_t)((1u << own_y) - 1u) << first_z * MARK_ROW);
  }
  return marked & wanted;
}

/* The line of a bit. */
GEOMETRY_FUNCTION search_line line_of_mark(const level_cells *cells, uint32_t bit) {
  const device_cell block = device_block_of(cells->corner);
  search_line line;
  line.y = (int32_t)(bit % MARK_ROW) - (int32_t)device_mark_place(cells->corner.y, block.y, BLOCK_Y_BITS);
  line.z = (int32_t)(bit / MARK_ROW) - (int32_t)device_mark_place(cells->corner.z, block.z, BLOCK_Z_BITS);
  return line;
}

/* The entries of a line in the block that it begins in, and where it leaves that block in the next. Those of the
 * entry's own line only where they come after it. */
typedef struct line_ranges {
  entry_range first, second;
} line_ranges;

GEOMETRY_FUNCTION line_ranges ranges_of_line(const device_view *v, uint32_t index, const level_cells *cells,
                                             search_line line) {
  const bool own_line = cells->own_level && line.y == 0 && line.z == 0;
  const int32_t first_x = own_line ? cells->corner.x : cells->low.x, last_x = cells->high.x;
  const int32_t first_block = first_x >> BLOCK_X_BITS, last_block = last_x >> BLOCK_X_BITS;
  const int32_t end_x = first_block == last_block ? last_x : last_block * (1 << BLOCK_X_BITS) - 1;
  device_cell cell = {first_x, cells->corner.y + line.y, cells->corner.z + line.z};
  const uint32_t bucket = device_bucket(device_cell_place(cell, cells->level), v->bucket_count);
  line_ranges ranges = {{0, 0, 0}, {0, 0, 0}};
  ranges.first.first = own_line ? index + 1u : v->bucket_start[bucket];
  ranges.first.count = v->bucket_start[bucket + (uint32_t)(end_x - first_x) + 1u] - ranges.first.first;
  ranges.first.cell_key = device_cell_key(cell, cells->level);
  if (first_block != last_block) {
    cell.x = last_block * (1 << BLOCK_X_BITS);
    const uint32_t next = device_bucket(device_cell_place(cell, cells->level), v->bucket_count);
    ranges.second.first = v->bucket_start[next];
    ranges.second.count = v->bucket_start[next + (uint32_t)(last_x - cell.x) + 1u] - ranges.second.first;
    ranges.second.cell_key = device_cell_key(cell, cells->level);
  }
  return ranges;
}

/* ---------------------------------------------------------------------------------------------- entries of a line */

GEOMETRY_FUNCTION bool entries_meet(const device_entry *a, const device_entry *b) {
  return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] && b->min[1] <= a->max[1] &&
         a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

GEOMETRY_FUNCTION bool solids_share_corner(const solid_corners *a, const solid_corners *b) {
  bool share = false;
  for (int i = 0; i < 4; i++)
    share = share || a->vertex[i] == b->vertex[0] || a->vertex[i] == b->vertex[1] || a->vertex[i] == b->vertex[2] ||
            a->vertex[i] == b->vertex[3];
  return share;
}

/* Of one object. The corners of tetrahedra lie beside their entries; longer lists of corners are looked up. */
GEOMETRY_FUNCTION bool are_neighbours(const device_view *v, uint32_t place_a, const primitive_header *a,
                                      uint32_t place_b, const primitive_header *b) {
  if (headers_share_corner(a, b)) return true;
  if (v->only_triangles != 0) return false;
  const object_source *source = &v->sources[a->object];
  if (headers_have_all_corners(source)) return false;
  if (kind_batch_of(source->kind) != BATCH_TETRAHEDRA)
    return share_corner(source, v->entries[place_a].primitive, v->entries[place_b].primitive);
  const solid_corners a_solid = v->entry_solids[place_a], b_solid = v->entry_solids[place_b];
  return solids_share_corner(&a_solid, &b_solid);
}

/* Entries at two places, whose boxes meet. */
GEOMETRY_FUNCTION entry_relation relate_entries(const device_view *v, uint32_t index, uint32_t place) {
  const primitive_header a = v->entry_headers[index], b = v->entry_headers[place];
  if (v->focus != NULL && !focus_has(&v->focus->asked, a.object, b.object)) return ENTRIES_APART;
  if (!rules_meet(v->rules, a.object, b.object, v->between != 0, v->within != 0)) return ENTRIES_APART;
  const bool skip = v->skip_neighbours != 0 && a.object == b.object && are_neighbours(v, index, &a, place, &b);
  return skip ? ENTRIES_NEIGHBOURS : ENTRIES_CANDIDATE;
}

/* Entries of a candidate, the lower primitive's first. */
GEOMETRY_FUNCTION index_pair candidate_of(uint32_t index, const device_entry *entry, uint32_t place,
                                          const device_entry *other) {
  const bool lower = entry->primitive < other->primitive;
  index_pair pair;
  pair.a = lower ? index : place;
  pair.b = lower ? place : index;
  return pair;
}

/* The same of the search: the entry that looks comes first where the filter of tetrahedra is next, so that threads side
 * by side read the same vertices. */
GEOMETRY_FUNCTION index_pair candidate_of_search(const device_view *v, uint32_t index, const device_entry *entry,
                                                 uint32_t place, const device_entry *other) {
  const index_pair as_seen = {index, place};
  return v->as_seen != 0 ? as_seen : candidate_of(index, entry, place, other);
}

/* ---------------------------------------------------------------------------------------------- all of it in loops */

GEOMETRY_FUNCTION void search_range(uint32_t index, const device_entry *entry, entry_range range,
                                    const device_view *v) {
  uint32_t neighbours = 0;
  for (uint32_t place = range.first; place < range.first + range.count; place++) {
    const device_entry other = v->entries[place];
    const bool meet = entries_meet(entry, &other) && other.cell_key == range.cell_key;
    const entry_relation relation = meet ? relate_entries(v, index, place) : ENTRIES_APART;
    append_entries(v, LIST_CANDIDATES, relation == ENTRIES_CANDIDATE,
                   candidate_of_search(v, index, entry, place, &other));
    neighbours += relation == ENTRIES_NEIGHBOURS ? 1u : 0u;
  }
  device_tally(device_tally_slot(v, TALLY_BOX_TESTS, index), range.count);
  device_tally(device_tally_slot(v, TALLY_NEIGHBOURS, index), neighbours);
}

GEOMETRY_FUNCTION void search_level(uint32_t index, const device_entry *entry, uint32_t level, const device_view *v) {
  const level_cells cells = level_cells_of(v, entry, level);
  for (uint64_t marked = marked_lines(v, &cells); marked != 0; marked &= marked - 1u) {
    const search_line line = line_of_mark(&cells, lowest_bit_long(marked));
    const line_ranges ranges = ranges_of_line(v, index, &cells, line);
    search_range(index, entry, ranges.first, v);
    search_range(index, entry, ranges.second, v);
  }
}

GEOMETRY_FUNCTION void stage_search(uint32_t index, const device_view *v) {
  const uint32_t place = v->first_entry + index;
  const device_entry entry = v->entries[place];
  const uint32_t levels = search_level_count(v, &entry);
  for (uint32_t i = 0; i < levels; i++) search_level(place, &entry, search_level_of(v, &entry, i), v);
}

#endif
