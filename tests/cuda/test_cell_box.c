/* Compares boxes in the small integers of the search with the same boxes in floats: intersecting boxes are always
 * found, in the cells that are searched; boxes that are farther apart than rounding can explain never are; and a half
 * can represent every number. */
#include "cuda/stage_entries.h"
#include "cuda/stage_search.h"
#include "testing.h"

#include "base/number_sequence.h"
#include "test_scale.h"

#include <stddef.h>

static float fraction(uint64_t *sequence) {
  return (float)sequence_below(sequence, UINT64_C(1) << 24) / (float)(1 << 24);
}

/* Below one, at any level; one side in four is of no length, one in eight ends where cells do. */
static primitive_box random_box(uint64_t *sequence, const float near[3], float side) {
  primitive_box box;
  for (int axis = 0; axis < 3; axis++) {
    box.min[axis] = near[axis] + (fraction(sequence) * 3.0f - 1.5f) * side;
    if (sequence_below(sequence, 8) == 0) box.min[axis] = floorf(box.min[axis] / side) * side;
    box.max[axis] = box.min[axis] + (sequence_below(sequence, 4) == 0 ? 0.0f : fraction(sequence) * side);
    if (sequence_below(sequence, 64) == 0) { /* the next float would end a cell further on */
      box.min[axis] = -1e-20f;
      box.max[axis] = nextafterf(float_power_of_two(ilogbf(side) + 1), 0.0f);
    }
  }
  return box;
}

/* Moves a box so that it touches another along some axes, from either side. */
static void let_touch(uint64_t *sequence, primitive_box *box, const primitive_box *other) {
  for (int axis = 0; axis < 3; axis++) {
    const uint64_t how = sequence_below(sequence, 4);
    const float length = box->max[axis] - box->min[axis];
    if (how > 1) continue;
    box->min[axis] = how == 0 ? other->max[axis] : other->min[axis] - length;
    box->max[axis] = how == 0 ? box->min[axis] + length : other->min[axis];
    if (box->max[axis] < box->min[axis]) box->max[axis] = box->min[axis];
  }
}

static float longest_side_of(const primitive_box *box) {
  float longest = 0.0f;
  for (int axis = 0; axis < 3; axis++) longest = fmaxf(longest, box->max[axis] - box->min[axis]);
  return longest;
}

/* The result of the stage of entries for a box. */
static cell_box store(const primitive_box *box, uint32_t level, uint32_t reach_bits) {
  const float inverse_side = device_inverse_side(level);
  const device_cell cell = device_cell_of(box->min, inverse_side);
  const uint32_t key = device_cell_key(cell, level, device_block_hash(device_block_of(cell), level));
  return stored_cell_box(box, cell, key, inverse_side, reach_bits);
}

static void check_halves(const cell_box *box) {
  for (int axis = 0; axis < 3; axis++) {
    assert_true(fabsf(lower_half(box->halves[axis])) <= 2048.0f);
    assert_true(fabsf(upper_half(box->halves[axis])) <= 2048.0f);
  }
}

/* How far apart two boxes are along an axis, in cells of a level. */
static double gap_in_cells(const primitive_box *a, const primitive_box *b, int axis, uint32_t level) {
  const double gap = fmax((double)a->min[axis] - b->max[axis], (double)b->min[axis] - a->max[axis]);
  return gap * device_inverse_side(level);
}

/* An entry that searches a cell finds its line marked, unless the entries of that line search the entry's cell. Blocks
 * that share a word may add other marks. */
static void check_marks(const grid_view *v, const level_cells *cells, device_cell cell) {
  const int32_t reach = 1 << v->pairs.entries.reach_bits, y = cell.y - cells->corner.y, z = cell.z - cells->corner.z;
  const uint32_t number = (uint32_t)((z + reach) * MARK_ROW + y + reach);
  const bool looks = !cells->own_level || z > 0 || (z == 0 && y >= 0);
  for (size_t i = 0; i < v->marked_blocks; i++) v->marks[i] = 0;
  assert_int_equal(marked_lines(v, cells), 0);
  mark_line(v, cell, cells->level);
  assert_int_equal(marked_lines(v, cells) >> number & 1u, looks ? 1 : 0);
  const search_line line = line_of_number(&v->pairs, number);
  assert_true(line.y == y && line.z == z);
}

/* Whether the first entry finds another of its own level or a higher one; `seen` if it searches that cell. */
static bool finds(const grid_view *v, const primitive_box *other, uint32_t level, bool *seen) {
  const level_cells cells = level_cells_of(&v->pairs, 0, level);
  const device_cell cell = device_cell_of(other->min, device_inverse_side(level));
  const device_cell block = device_block_of(cells.corner);
  assert_true(device_mark_place(cells.high.y, block.y, BLOCK_Y_BITS) < MARK_ROW);
  assert_true(device_mark_place(cells.high.z, block.z, BLOCK_Z_BITS) < MARK_ROW);
  const int32_t low_z =
      cells.corner.z - (1 << v->pairs.entries.reach_bits); /* those before it look at it on its own level */
  *seen = cell.x >= cells.low.x && cell.x <= cells.high.x && cell.y >= cells.low.y && cell.y <= cells.high.y &&
          cell.z >= low_z && cell.z <= cells.high.z;
  if (!*seen) return false;
  check_marks(v, &cells, cell);
  const int32_t block_x = (cell.x >> BLOCK_X_BITS) * (1 << BLOCK_X_BITS);
  const cell_box visiting = visiting_cell_box(
      &cells.box, cells.corner.x - block_x, cell.y - cells.corner.y, cell.z - cells.corner.z,
      device_cell_key(cell, level, device_block_hash(device_block_of(cell), level)), v->pairs.entries.reach_bits);
  check_halves(&visiting);
  return cell_boxes_meet(&v->pairs.entries.cell_boxes[1], &visiting);
}

TEST(boxes_that_meet_are_found) {
  uint64_t sequence = 77, met = 0, found_apart = 0, apart = 0;
  for (size_t round = 0; round < test_scaled(2000000, 20000); round++) {
    const float center[3] = {fraction(&sequence), fraction(&sequence) - 0.5f, fraction(&sequence) * 1e-3f};
    const float side = float_power_of_two(-(int)sequence_below(&sequence, 26)) * 0.999f;
    const float smaller = side * float_power_of_two(-(int)sequence_below(&sequence, 8));
    const uint32_t reach_bits = (uint32_t)sequence_below(&sequence, 2);
    const primitive_box larger = random_box(&sequence, center, side);
    primitive_box own = random_box(&sequence, sequence_below(&sequence, 2) == 0 ? center : larger.max, smaller);
    if (round % 2 == 0) let_touch(&sequence, &own, &larger);
    const uint32_t level = device_level_of(longest_side_of(&larger), reach_bits);
    const uint32_t own_level = device_level_of(longest_side_of(&own), reach_bits);
    if (own_level > level) continue;
    device_entry entry = {.min = {own.min[0], own.min[1], own.min[2]}};
    cell_box boxes[2] = {store(&own, own_level, reach_bits), store(&larger, level, reach_bits)};
    uint64_t marks[1 << 6];
    const grid_view view = {
        .pairs = {.lists = {.entries = &entry}, .entries = {.cell_boxes = boxes, .reach_bits = reach_bits}},
        .marks = marks,
        .marked_blocks = 1 << 6};
    bool seen;
    const bool found = finds(&view, &larger, level, &seen);
    check_halves(&boxes[0]);
    check_halves(&boxes[1]);
    if (boxes_meet(&own, &larger)) {
      met++;
      assert_true(seen);
      assert_true(found);
      continue;
    }
    apart++;
    found_apart += found ? 1 : 0;
    /* Units: of 128 in a cell along x, of 512 or 256 along y and z. */
    for (int axis = 0; axis < 3; axis++)
      if (gap_in_cells(&own, &larger, axis, level) > 3.0 / (axis == 0 ? 128.0 : 512 >> reach_bits)) assert_false(found);
  }
  print_message("%llu meet; of %llu that do not %llu are found\n", (unsigned long long)met, (unsigned long long)apart,
                (unsigned long long)found_apart);
  assert_true(met > apart / 50 && found_apart < apart / 10);
}

/* The search's version of a float box contains it, and is hardly larger. */
TEST(boxes_around_entries) {
  uint64_t sequence = 78;
  for (size_t round = 0; round < test_scaled(2000000, 20000); round++) {
    const float center[3] = {fraction(&sequence), fraction(&sequence) - 0.5f, fraction(&sequence) * 1e-3f};
    const float side = float_power_of_two(-(int)sequence_below(&sequence, 30)) * 0.999f;
    const uint32_t reach_bits = (uint32_t)sequence_below(&sequence, 2);
    const primitive_box box = random_box(&sequence, center, side);
    const uint32_t level = device_level_of(longest_side_of(&box), reach_bits) + (uint32_t)sequence_below(&sequence, 3);
    device_entry entry = {.min = {box.min[0], box.min[1], box.min[2]}};
    cell_box stored = store(&box, level + (round % 2 == 0 ? SECOND_SIDE : 0), reach_bits);
    const pair_view view = {.lists = {.entries = &entry}, .entries = {.cell_boxes = &stored, .reach_bits = reach_bits}};
    const primitive_box around = box_around_entry(&view, 0);
    for (int axis = 0; axis < 3; axis++) {
      const double unit = unit_length(level, axis, reach_bits), longer = (double)around.max[axis] - box.max[axis];
      assert_true(around.min[axis] == box.min[axis]);
      assert_true(longer >= 0.0);
      assert_true(longer <= 2.0 * unit + fabs((double)around.max[axis]) * FLT_EPSILON);
    }
  }
}

/* Lines and blocks side by side, and levels, have keys of their own. */
TEST(cells_nearby_have_other_keys) {
  uint64_t sequence = 5;
  for (size_t round = 0; round < test_scaled(20000, 500); round++) {
    const int32_t x = (int32_t)sequence_below(&sequence, 1u << 20), y = (int32_t)sequence_below(&sequence, 1u << 20);
    const device_cell cell = {x - (1 << 19), y - (1 << 19), (int32_t)sequence_below(&sequence, 1u << 20)};
    const uint32_t level = (uint32_t)sequence_below(&sequence, 28);
    const uint32_t key = device_cell_key(cell, level, device_block_hash(device_block_of(cell), level));
    for (int32_t i = 0; i < 5 * 5 * 3; i++) {
      const device_cell other = {cell.x + (i / 25 - 1) * (1 << BLOCK_X_BITS), cell.y + i % 5 - 2,
                                 cell.z + i / 5 % 5 - 2};
      const uint32_t other_key = device_cell_key(other, level, device_block_hash(device_block_of(other), level));
      assert_int_equal(other_key == key, other.x == cell.x && other.y == cell.y && other.z == cell.z);
    }
    assert_int_not_equal(device_cell_key(cell, level + 1, device_block_hash(device_block_of(cell), level + 1)), key);
    assert_int_equal(key_level(key), level);
  }
}
