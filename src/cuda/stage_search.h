/* The search: each row looks at the rows of the cells where boxes that meet its own can be stored.
 *
 * On its own level these are its own cell and the neighbours; two rows of one cell meet from the one that comes first,
 * two rows of different cells from the one whose cell is before the other's in the order of x, then y, then z. On every
 * coarser level they are all cells that can own a box meeting its own; finer rows come to it from below. So each pair
 * is looked at once. A bucket may hold other cells' rows: a row counts only where it is of the very cell looked for.
 *
 * A cell above on an axis is looked at when the box reaches into it. A cell below can matter only where its boxes can
 * reach: they are shorter than 2^-DEVICE_LEVEL_SHIFT of the cell.
 *
 * Workload: 14 buckets at most on the own level, 8 on each coarser one; some 20 to 60 boxes of 32 bytes a row; some
 * five candidates, kept by the thread and written together. */
#ifndef GRAZE_CUDA_STAGE_SEARCH_H
#define GRAZE_CUDA_STAGE_SEARCH_H

#include "cuda/device_atomic.h"
#include "cuda/device_cell.h"
#include "cuda/device_view.h"

enum { FOUND_ROOM = 16 };

typedef struct row_search {
  const device_view *view;
  uint32_t index;
  device_row row;
  primitive_tag tag;
  uint32_t found_count;
  uint32_t found[FOUND_ROOM]; /* rows */
  uint32_t box_tests, neighbours;
} row_search;

/* Cells of one level that can own a box meeting the row's: [first, last] an axis, `own` being that of its corner. */
typedef struct cell_range {
  device_cell first, own, last;
} cell_range;

GEOMETRY_FUNCTION void write_found(row_search *s) {
  const device_view *v = s->view;
  uint64_t place = device_reserve(&v->totals->list[LIST_CANDIDATES], s->found_count);
  for (uint32_t i = 0; i < s->found_count; i++, place++) {
    if (place >= v->list_capacity[LIST_CANDIDATES]) break;
    index_pair pair;
    const bool lower = s->row.primitive < v->rows[s->found[i]].primitive;
    pair.a = lower ? s->index : s->found[i];
    pair.b = lower ? s->found[i] : s->index;
    v->list[LIST_CANDIDATES][place] = pair;
  }
  s->found_count = 0;
}

GEOMETRY_FUNCTION bool tags_share_corner(const primitive_tag *a, const primitive_tag *b) {
  bool share = false;
  for (int i = 0; i < 3; i++)
    share = share || a->corner[i] == b->corner[0] || a->corner[i] == b->corner[1] || a->corner[i] == b->corner[2];
  return share;
}

GEOMETRY_FUNCTION bool device_objects_meet(const device_view *v, uint32_t a, uint32_t b) {
  if (a == b) return v->within != 0 && v->rules[a].self;
  return v->between != 0 && (v->rules[a].category & v->rules[b].mask) != 0 &&
         (v->rules[b].category & v->rules[a].mask) != 0;
}

GEOMETRY_FUNCTION bool are_neighbours(const row_search *s, const device_row *other, const primitive_tag *tag) {
  const device_view *v = s->view;
  if (tags_share_corner(&s->tag, tag)) return true;
  return v->only_triangles == 0 && share_corner(&v->sources[tag->object], s->row.primitive, other->primitive);
}

GEOMETRY_FUNCTION void consider_row(row_search *s, uint32_t place, const device_row *other) {
  const device_view *v = s->view;
  const primitive_tag tag = v->row_tags[place];
  if (!device_objects_meet(v, s->tag.object, tag.object)) return;
  if (v->skip_neighbours != 0 && tag.object == s->tag.object && are_neighbours(s, other, &tag)) {
    s->neighbours++;
    return;
  }
  if (s->found_count == FOUND_ROOM) write_found(s);
  s->found[s->found_count++] = place;
}

GEOMETRY_FUNCTION bool rows_meet(const device_row *a, const device_row *b) {
  return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] && b->min[1] <= a->max[1] &&
         a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

/* Rows [first, end) as far as they are of the cell. */
GEOMETRY_FUNCTION void look_at_rows(row_search *s, uint32_t first, uint32_t end, device_cell cell, uint32_t level) {
  const float inverse_side = device_inverse_side(level);
  for (uint32_t place = first; place < end; place++) {
    const device_row other = s->view->rows[place];
    if (rows_meet(&s->row, &other) && other.level == level &&
        device_cells_equal(device_cell_of(other.min, inverse_side), cell))
      consider_row(s, place, &other);
  }
  s->box_tests += first < end ? end - first : 0u;
}

GEOMETRY_FUNCTION void look_at_cell(row_search *s, device_cell cell, uint32_t level) {
  const device_view *v = s->view;
  const uint32_t bucket = device_bucket(cell, level, v->bucket_count);
  look_at_rows(s, v->bucket_start[bucket], v->bucket_start[bucket + 1], cell, level);
}

/* Whether boxes owned by the cell below reach up to the coordinate. */
GEOMETRY_FUNCTION bool cell_below_reaches(float coordinate, float inverse_side) {
  const float scaled = coordinate * inverse_side;
  return scaled - floorf(scaled) < float_power_of_two(-DEVICE_LEVEL_SHIFT);
}

GEOMETRY_FUNCTION cell_range cell_range_of(const device_row *row, uint32_t level) {
  const float inverse_side = device_inverse_side(level);
  cell_range range;
  range.own = device_cell_of(row->min, inverse_side);
  range.last = device_cell_of(row->max, inverse_side);
  range.first = range.own;
  range.first.x -= cell_below_reaches(row->min[0], inverse_side) ? 1 : 0;
  range.first.y -= cell_below_reaches(row->min[1], inverse_side) ? 1 : 0;
  range.first.z -= cell_below_reaches(row->min[2], inverse_side) ? 1 : 0;
  return range;
}

/* The half of the neighbours that is after the own cell. */
GEOMETRY_FUNCTION void look_after(row_search *s, const cell_range *range, uint32_t level) {
  device_cell cell;
  for (cell.x = range->own.x; cell.x <= range->last.x; cell.x++) {
    const bool later_x = cell.x > range->own.x;
    for (cell.y = later_x ? range->first.y : range->own.y; cell.y <= range->last.y; cell.y++) {
      const bool later_y = later_x || cell.y > range->own.y;
      for (cell.z = later_y ? range->first.z : range->own.z + 1; cell.z <= range->last.z; cell.z++)
        look_at_cell(s, cell, level);
    }
  }
}

GEOMETRY_FUNCTION void look_above(row_search *s, uint32_t level) {
  const cell_range range = cell_range_of(&s->row, level);
  device_cell cell;
  for (cell.x = range.first.x; cell.x <= range.last.x; cell.x++)
    for (cell.y = range.first.y; cell.y <= range.last.y; cell.y++)
      for (cell.z = range.first.z; cell.z <= range.last.z; cell.z++) look_at_cell(s, cell, level);
}

GEOMETRY_FUNCTION void stage_search(uint32_t index, const device_view *v) {
  row_search s;
  s.view = v;
  s.index = index;
  s.row = v->rows[index];
  s.tag = v->row_tags[index];
  s.found_count = s.box_tests = s.neighbours = 0;
  const uint32_t own_level = s.row.level;
  const cell_range range = cell_range_of(&s.row, own_level);
  const uint32_t bucket = device_bucket(range.own, own_level, v->bucket_count);
  look_at_rows(&s, index + 1, v->bucket_start[bucket + 1], range.own, own_level);
  look_after(&s, &range, own_level);
  for (uint32_t level = own_level + 1; level < GRID_LEVEL_COUNT && v->totals->level_mask >> level != 0; level++)
    if ((v->totals->level_mask >> level & 1u) != 0) look_above(&s, level);
  write_found(&s);
  device_tally(device_tally_slot(v, TALLY_BOX_TESTS, index), s.box_tests);
  device_tally(device_tally_slot(v, TALLY_NEIGHBOURS, index), s.neighbours);
}

#endif
