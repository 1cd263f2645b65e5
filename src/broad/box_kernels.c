/* The box kernels; compiled once per vector width. */
#include "broad/box_kernels.h"

#include "base/simd.h"

/* Lanes of a vector at `at` that are before `end`. */
static inline uint32_t lanes_before(size_t at, size_t end) {
  return end - at >= SIMD_WIDTH ? (1u << SIMD_WIDTH) - 1u : (1u << (end - at)) - 1u;
}

static inline simd_word meets_bounds(float *const boxes[6], size_t at, const simd_float bound[6]) {
  simd_word mask = simd_less_equal(simd_load(boxes[0] + at), bound[3]);
  mask = simd_and(mask, simd_less_equal(simd_load(boxes[1] + at), bound[4]));
  mask = simd_and(mask, simd_less_equal(simd_load(boxes[2] + at), bound[5]));
  mask = simd_and(mask, simd_less_equal(bound[0], simd_load(boxes[3] + at)));
  mask = simd_and(mask, simd_less_equal(bound[1], simd_load(boxes[4] + at)));
  return simd_and(mask, simd_less_equal(bound[2], simd_load(boxes[5] + at)));
}

static uint32_t meet_box(float *const boxes[6], size_t first, const float bound[6]) {
  simd_float limit[6];
  for (int i = 0; i < 6; i++) limit[i] = simd_set(bound[i]);
  return simd_bits(meets_bounds(boxes, first, limit));
}

/* The last vector reads past `end`, possibly uninitialized memory. Those lanes are masked, so their values do not
 * matter. Valgrind on ARM reports them nevertheless: it treats all bits of the sum in simd_bits as undefined if one
 * lane is. */
static void cull_boxes(const box_list *source, size_t first, size_t end, const float bound[6], box_list *target) {
  simd_float limit[6];
  for (int i = 0; i < 6; i++) limit[i] = simd_set(bound[i]);
  size_t count = target->count;
  const bool by_place = source->number == NULL;
  for (size_t at = first; at < end; at += SIMD_WIDTH) {
    const uint32_t bits = simd_bits(meets_bounds(source->bound, at, limit)) & lanes_before(at, end);
    if (bits == 0) continue;
    for (int i = 0; i < 6; i++) simd_compress(target->bound[i] + count, simd_load(source->bound[i] + at), bits);
    const simd_word numbers = by_place ? simd_count_from((uint32_t)at) : simd_load_word(source->number + at);
    simd_compress_word(target->number + count, numbers, bits);
    count += simd_count_bits(bits);
  }
  target->count = count;
}

/* About half of the vectors have a hit, unpredictably: each is written, and counted if it is one. The list ends in
 * boxes that meet nothing, so no lane needs a mask. */
static size_t sweep_list(const box_list *list, size_t first, const float bound[6], uint32_t *numbers_out) {
  simd_float limit[6];
  for (int i = 0; i < 6; i++) limit[i] = simd_set(bound[i]);
  size_t count = 0;
  for (size_t at = first; at < list->count; at += SIMD_WIDTH) {
    const uint32_t bits = simd_bits(meets_bounds(list->bound, at, limit));
    simd_compress_word(numbers_out + count, simd_load_word(list->number + at), bits);
    count += simd_count_bits(bits);
  }
  return count;
}

static size_t sweep_block(const box_list *list, const box_list *block, size_t first, size_t end, met_boxes *met) {
  const box_list in = *list; /* a copy, so that it is not reloaded after each store */
  size_t count = met->count, i = first;
  for (; i < end && count < met->enough; i++) {
    simd_float limit[6];
    for (int k = 0; k < 6; k++) limit[k] = simd_set(block->bound[k][i]);
    const simd_word owner = simd_set_word(block->number == NULL ? (uint32_t)i : block->number[i]);
    for (size_t at = block == list ? i + 1 : 0; at < in.count; at += SIMD_WIDTH) {
      const uint32_t bits = simd_bits(meets_bounds(in.bound, at, limit));
      simd_compress_word(met->numbers + count, simd_load_word(in.number + at), bits);
      simd_store_word(met->owners + count, owner);
      count += simd_count_bits(bits);
    }
  }
  met->count = count;
  return i;
}

/* Lanes with one of the corners `own`, each of which is broadcast to all lanes. */
static inline simd_word shares_corner(uint32_t *const corners[3], size_t at, const simd_word own[3]) {
  simd_word shared = simd_set_word(0);
  for (int i = 0; i < 3; i++) {
    const simd_word corner = simd_load_word(corners[i] + at);
    for (int j = 0; j < 3; j++) shared = simd_or(shared, simd_equal_words(corner, own[j]));
  }
  return shared;
}

/* In a mesh nine in ten of the boxes that meet belong to neighbors: they are dropped here, without a branch. Corners
 * after the last box are undefined: the boxes there meet nothing, so their bits are 0 in any case. Valgrind on ARM
 * reports them, as in cull. */
static size_t sweep_apart(const box_list *list, uint32_t *const corners[3], size_t first, size_t end, met_boxes *met,
                          uint64_t *shared) {
  const box_list in = *list;
  uint32_t *const columns[3] = {corners[0], corners[1], corners[2]};
  const size_t count_before = met->count;
  size_t count = count_before, all = 0, i = first;
  for (; i < end && count < met->enough; i++) {
    simd_float limit[6];
    simd_word own[3];
    for (int k = 0; k < 6; k++) limit[k] = simd_set(in.bound[k][i]);
    for (int k = 0; k < 3; k++) own[k] = simd_set_word(columns[k][i]);
    const simd_word owner = simd_set_word(in.number[i]);
    for (size_t at = i + 1; at < in.count; at += SIMD_WIDTH) {
      const uint32_t bits = simd_bits(meets_bounds(in.bound, at, limit));
      const uint32_t apart_bits = bits & ~simd_bits(shares_corner(columns, at, own));
      simd_compress_word(met->numbers + count, simd_load_word(in.number + at), apart_bits);
      simd_store_word(met->owners + count, owner);
      count += simd_count_bits(apart_bits);
      all += simd_count_bits(bits);
    }
  }
  *shared += all - (count - count_before);
  met->count = count;
  return i;
}

const box_kernels SIMD_NAMED(box_kernels) = {meet_box, SIMD_WIDTH, cull_boxes, sweep_list, sweep_block, sweep_apart};
