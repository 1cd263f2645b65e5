/* The text of the box kernels; included once by each file that compiles them for one vector width. */
#include "base/simd.h"
#include "broad/box_kernels.h"

/* Lanes of a vector at `at` that lie before `end`. */
static inline uint32_t lanes_before(size_t at, size_t end) {
  return end - at >= SIMD_WIDTH ? (1u << SIMD_WIDTH) - 1u : (1u << (end - at)) - 1u;
}

static inline simd_word meets_bounds(const box_rows *rows, size_t at, const simd_float bound[6]) {
  simd_word mask = simd_less_equal(simd_load(rows->bound[0] + at), bound[3]);
  mask = simd_and(mask, simd_less_equal(simd_load(rows->bound[1] + at), bound[4]));
  mask = simd_and(mask, simd_less_equal(simd_load(rows->bound[2] + at), bound[5]));
  mask = simd_and(mask, simd_less_equal(bound[0], simd_load(rows->bound[3] + at)));
  mask = simd_and(mask, simd_less_equal(bound[1], simd_load(rows->bound[4] + at)));
  return simd_and(mask, simd_less_equal(bound[2], simd_load(rows->bound[5] + at)));
}

static void cull(const box_rows *source, size_t first, size_t end, const float bound[6], box_rows *target) {
  simd_float limit[6];
  for (int i = 0; i < 6; i++) limit[i] = simd_set(bound[i]);
  size_t count = target->count;
  for (size_t at = first; at < end; at += SIMD_WIDTH) {
    const uint32_t bits = simd_bits(meets_bounds(source, at, limit)) & lanes_before(at, end);
    if (bits == 0) continue;
    for (int i = 0; i < 6; i++) simd_compress(target->bound[i] + count, simd_load(source->bound[i] + at), bits);
    for (int i = 0; i < 3; i++)
      simd_compress_word(target->corner[i] + count, simd_load_word(source->corner[i] + at), bits);
    simd_compress_word(target->object + count, simd_load_word(source->object + at), bits);
    simd_compress_word(target->id + count, simd_load_word(source->id + at), bits);
    count += (size_t)__builtin_popcount(bits);
  }
  target->count = count;
}

static inline simd_word shares_corner(const box_rows *list, size_t at, const simd_word corner[3]) {
  simd_word mask = simd_set_word(0);
  for (int i = 0; i < 3; i++) {
    const simd_word other = simd_load_word(list->corner[i] + at);
    mask = simd_or(mask, simd_or(simd_equal_word(other, corner[0]),
                                 simd_or(simd_equal_word(other, corner[1]), simd_equal_word(other, corner[2]))));
  }
  return mask;
}

static size_t sweep(const box_rows *list, size_t first, const sweep_rule *rule, uint32_t *ids_out,
                    uint64_t *neighbours_out) {
  simd_float limit[6];
  simd_word corner[3];
  for (int i = 0; i < 6; i++) limit[i] = simd_set(rule->bound[i]);
  for (int i = 0; i < 3; i++) corner[i] = simd_set_word(rule->corner[i]);
  const simd_word object = simd_set_word(rule->object);
  const simd_word same = simd_set_word(rule->same_object ? ~0u : 0u);
  const simd_word other = simd_set_word(rule->other_object ? ~0u : 0u);
  size_t count = 0, neighbours = 0;
  for (size_t at = first; at < list->count; at += SIMD_WIDTH) {
    const simd_word is_same = simd_equal_word(simd_load_word(list->object + at), object);
    const simd_word asked = simd_or(simd_and(is_same, same), simd_and_not(other, is_same));
    const simd_word mask = simd_and(meets_bounds(list, at, limit), asked);
    uint32_t bits = simd_bits(mask) & lanes_before(at, list->count);
    if (bits == 0) continue;
    if (rule->skip_neighbours) {
      const uint32_t shared = bits & simd_bits(shares_corner(list, at, corner));
      neighbours += (size_t)__builtin_popcount(shared);
      bits &= ~shared;
    }
    simd_compress_word(ids_out + count, simd_load_word(list->id + at), bits);
    count += (size_t)__builtin_popcount(bits);
  }
  *neighbours_out += neighbours;
  return count;
}
