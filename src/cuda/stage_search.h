/* The search: each entry looks at the entries of the cells where boxes that meet its own can be stored.
 *
 * Cells are looked at by lines: those of one level, y and z that a box can need, side by side along x. Their entries
 * are one run, or two where the line leaves a block of the hash.
 *
 * On an entry's own level the lines are those of its own cell and of those after it in the order of z, then y. Two
 * entries of one cell meet from the one that comes first, two entries of different cells from the one whose cell is
 * before the other's. On every coarser level they are all lines that can own a box meeting its own; finer entries come
 * to it from below. So each pair is looked at once. A bucket may hold other cells' entries: an entry counts only where
 * it is of the very line looked at.
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

/* The lines of one level that an entry looks at. */
typedef struct level_lines {
  uint32_t level;
  uint32_t reach;     /* how many cells before their own boxes of the level are looked for */
  bool own_level;     /* of the entry: only lines from its own on */
  device_cell corner; /* that the entry's lower corner lies in */
  uint32_t x_cells;   /* that its box reaches along x, from there on */
  uint32_t width;     /* lines along y */
  uint32_t count;     /* in all */
} level_lines;

/* One of them: its level, and how far its y and z are from those of the entry's own cell there. Of one of its parts
 * also how far the block along x is from that of the entry's own cell. */
typedef struct search_line {
  uint32_t level;
  int32_t y, z;    /* -2 to 2 */
  int32_t block_x; /* -1, 0 or 1 */
} search_line;

/* Cells of a line that lie in one block, from `place` on. */
typedef struct line_part {
  cell_place place;
  uint32_t cells; /* 0: the line has no such part */
} line_part;

enum { SECOND_PARTS = 16 }; /* lines of a level are at most so many */

/* Entries that lie together. */
typedef struct entry_range {
  uint32_t first, count;
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
  const uint32_t level = entry->level % SECOND_SIDE, from_own = ~((1u << level) - 1u);
  search_levels levels;
  if (v->sides == SIDES_NONE) {
    levels.bits = v->totals->level_mask[0] & from_own;
    levels.side = 0;
  } else if (entry->level < SECOND_SIDE) {
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

/* How many cells the box reaches beyond that of its lower corner, along y or z. */
GEOMETRY_FUNCTION uint32_t cells_beyond(const device_entry *entry, int axis, float inverse_side) {
  return (uint32_t)(device_cell_number(entry->max[axis], inverse_side) -
                    device_cell_number(entry->min[axis], inverse_side));
}

/* Along y and z the lines are those before, from which boxes reach the entry's, its own, and those after that it
 * reaches; on its own level, those from its own line on. Where boxes reach two cells, one from a finer level reaches
 * one beyond: four lines each way at most. */
GEOMETRY_FUNCTION level_lines level_lines_of(const device_view *v, const device_entry *entry, uint32_t level) {
  const float inverse_side = device_inverse_side(level);
  const uint32_t beyond_y = cells_beyond(entry, 1, inverse_side), beyond_z = cells_beyond(entry, 2, inverse_side);
  level_lines lines;
  lines.level = level;
  lines.reach = 1u << v->reach_bits;
  lines.own_level = level == entry->level;
  lines.corner = device_cell_of(entry->min, inverse_side);
  lines.x_cells = (uint32_t)(device_cell_x(entry->max[0], inverse_side) - lines.corner.x) + 1u;
  lines.width = lines.reach + 1u + beyond_y;
  lines.count = lines.own_level ? 1u + beyond_y + beyond_z * lines.width : lines.width * (lines.reach + 1u + beyond_z);
  return lines;
}

/* The line with a number below the count. */
GEOMETRY_FUNCTION search_line level_line(const level_lines *lines, uint32_t number) {
  /* On the own level the lines before it along y are left out. */
  const uint32_t counted = lines->own_level ? number + lines->reach : number, width = lines->width;
  const uint32_t z =
      (counted >= width ? 1u : 0u) + (counted >= 2u * width ? 1u : 0u) + (counted >= 3u * width ? 1u : 0u);
  search_line line;
  line.level = lines->level;
  line.y = (int32_t)(counted - z * width) - (int32_t)lines->reach;
  line.z = (int32_t)z - (lines->own_level ? 0 : (int32_t)lines->reach);
  line.block_x = 0;
  return line;
}

/* Cells of a line before the entry's own. On its own line an entry has no use for them. */
GEOMETRY_FUNCTION uint32_t cells_before(const level_lines *lines, uint32_t number) {
  return lines->own_level && number == 0 ? 0u : lines->reach << CELL_X_BITS;
}

/* The line of a part, by its bit. */
GEOMETRY_FUNCTION search_line level_part_line(const level_lines *lines, uint32_t bit) {
  const uint32_t number = bit % SECOND_PARTS, part = bit / SECOND_PARTS;
  const int32_t first = lines->corner.x - (int32_t)cells_before(lines, number);
  search_line line = level_line(lines, number);
  line.block_x = (first >> BLOCK_X_BITS) + (int32_t)part - (lines->corner.x >> BLOCK_X_BITS);
  return line;
}

/* The cells of a line in the block that it begins in, or in the next. */
GEOMETRY_FUNCTION line_part level_line_part(const level_lines *lines, uint32_t number, uint32_t part) {
  const search_line line = level_line(lines, number);
  const uint32_t before = cells_before(lines, number), cells = lines->x_cells + before;
  device_cell cell;
  cell.x = lines->corner.x - (int32_t)before;
  cell.y = lines->corner.y + line.y;
  cell.z = lines->corner.z + line.z;
  const uint32_t left = (1u << BLOCK_X_BITS) - ((uint32_t)cell.x & ((1u << BLOCK_X_BITS) - 1u));
  const uint32_t here = cells < left ? cells : left;
  cell.x += part != 0 ? (int32_t)here : 0;
  line_part result;
  result.place = device_cell_place(cell, lines->level);
  result.cells = part != 0 ? cells - here : here;
  return result;
}

/* Parts of lines that may have entries: bit i for the first part of line i, bit i + SECOND_PARTS for the second. */
GEOMETRY_FUNCTION uint32_t marked_parts(const device_view *v, const level_lines *lines) {
  uint32_t marked = 0;
  for (uint32_t i = 0; i < lines->count; i++) {
    const search_line line = level_line(lines, i);
    device_cell cell;
    cell.x = lines->corner.x;
    cell.y = lines->corner.y + line.y;
    cell.z = lines->corner.z + line.z;
    const uint32_t mark = device_line_mark(device_cell_place(cell, lines->level), v->mark_count);
    marked |= (v->marks[mark / 32] >> mark % 32 & 1u) << i;
  }
  const uint32_t corner = (uint32_t)lines->corner.x, first = corner - (lines->reach << CELL_X_BITS);
  const bool leaves_block = first >> BLOCK_X_BITS != (corner + lines->x_cells - 1u) >> BLOCK_X_BITS;
  return leaves_block ? marked | marked << SECOND_PARTS : marked;
}

/* The entries of a part, by its bit. Those of the entry's own cell only where they come after it. */
GEOMETRY_FUNCTION entry_range rows_of_part(const device_view *v, uint32_t index, const level_lines *lines,
                                           uint32_t bit) {
  const uint32_t number = bit % SECOND_PARTS, part = bit / SECOND_PARTS;
  const line_part cells = level_line_part(lines, number, part);
  const uint32_t bucket = device_bucket(cells.place, v->bucket_count);
  const bool starts_here = lines->own_level && number == 0 && part == 0;
  entry_range run;
  run.first = starts_here ? index + 1u : v->bucket_start[bucket];
  run.count = v->bucket_start[bucket + cells.cells] - run.first;
  return run;
}

/* ---------------------------------------------------------------------------------------------- entries of a line */

GEOMETRY_FUNCTION bool entries_meet(const device_entry *a, const device_entry *b) {
  return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] && b->min[1] <= a->max[1] &&
         a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

/* Whether an entry whose box meets is of the cells of this part of the line, and not of others that share their
 * buckets: those of the line's other part may. Boxes that meet have cells that are not too far along x. */
GEOMETRY_FUNCTION bool entry_is_of_line(const device_entry *entry, const device_entry *other, search_line line) {
  const float inverse_side = device_inverse_side(line.level);
  const device_cell own = device_cell_of(entry->min, inverse_side), its = device_cell_of(other->min, inverse_side);
  return other->level == line.level && its.y == own.y + line.y && its.z == own.z + line.z &&
         its.x >> BLOCK_X_BITS == (own.x >> BLOCK_X_BITS) + line.block_x &&
         (line.level != entry->level || line.y != 0 || line.z != 0 || its.x >= own.x);
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
GEOMETRY_FUNCTION entry_relation relate_any_entries(const device_view *v, uint32_t index, uint32_t place) {
  const primitive_header a = v->entry_headers[index], b = v->entry_headers[place];
  if (v->focus != NULL && !focus_has(&v->focus->asked, a.object, b.object)) return ENTRIES_APART;
  if (!rules_meet(v->rules, a.object, b.object, v->between != 0, v->within != 0)) return ENTRIES_APART;
  const bool skip = v->skip_neighbours != 0 && a.object == b.object && are_neighbours(v, index, &a, place, &b);
  return skip ? ENTRIES_NEIGHBOURS : ENTRIES_CANDIDATE;
}

/* An entry, at `index`, and one at `place` in a run of one of its lines; their boxes meet. */
GEOMETRY_FUNCTION entry_relation relate_entries(const device_view *v, uint32_t index, const device_entry *entry,
                                                search_line line, uint32_t place, const device_entry *other) {
  return entry_is_of_line(entry, other, line) ? relate_any_entries(v, index, place) : ENTRIES_APART;
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

/* ---------------------------------------------------------------------------------------------- all of it in loops */

GEOMETRY_FUNCTION void search_range(uint32_t index, const device_entry *entry, search_line line, entry_range run,
                                    const device_view *v) {
  uint32_t neighbours = 0;
  for (uint32_t place = run.first; place < run.first + run.count; place++) {
    const device_entry other = v->entries[place];
    const entry_relation relation =
        entries_meet(entry, &other) ? relate_entries(v, index, entry, line, place, &other) : ENTRIES_APART;
    append_entries(v, LIST_CANDIDATES, relation == ENTRIES_CANDIDATE, candidate_of(index, entry, place, &other));
    neighbours += relation == ENTRIES_NEIGHBOURS ? 1u : 0u;
  }
  device_tally(device_tally_slot(v, TALLY_BOX_TESTS, index), run.count);
  device_tally(device_tally_slot(v, TALLY_NEIGHBOURS, index), neighbours);
}

GEOMETRY_FUNCTION void search_level(uint32_t index, const device_entry *entry, uint32_t level, const device_view *v) {
  const level_lines lines = level_lines_of(v, entry, level);
  for (uint32_t marked = marked_parts(v, &lines); marked != 0; marked &= marked - 1u) {
    const uint32_t bit = lowest_bit(marked);
    search_range(index, entry, level_part_line(&lines, bit), rows_of_part(v, index, &lines, bit), v);
  }
}

GEOMETRY_FUNCTION void stage_search(uint32_t index, const device_view *v) {
  const uint32_t place = v->first_entry + index;
  const device_entry entry = v->entries[place];
  const uint32_t levels = search_level_count(v, &entry);
  for (uint32_t i = 0; i < levels; i++) search_level(place, &entry, search_level_of(v, &entry, i), v);
}

#endif
