/* Compares growable arrays with a plain array of the same numbers. */
#include "base/array.h"
#include "testing.h"

#include "checked_allocator.h"
#include "number_sequence.h"

#include <stddef.h>

#define MODEL_CAPACITY 4096

TEST(random_calls_keep_the_elements) {
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  static uint64_t model[MODEL_CAPACITY];
  array list;
  array_init(&list, sizeof(uint64_t));
  uint64_t seed = 1;
  size_t count = 0;
  for (int step = 0; step < 20000; step++) {
    const uint64_t choice = sequence_below(&seed, 100);
    if (choice == 0) {
      array_release(&list, &heap);
      count = 0;
    } else if (choice < 10) {
      const size_t wanted = sequence_below(&seed, MODEL_CAPACITY);
      assert_true(array_resize(&list, &heap, wanted));
      for (; count < wanted; count++) ARRAY_AS(uint64_t, &list)[count] = model[count] = sequence_next(&seed);
      count = wanted;
    } else if (choice < 15) {
      const size_t wanted = sequence_below(&seed, MODEL_CAPACITY);
      assert_true(array_reserve(&list, &heap, wanted));
      assert_true(list.capacity >= wanted);
    } else if (count < MODEL_CAPACITY) {
      model[count] = sequence_next(&seed);
      assert_true(array_push(&list, &heap, &model[count]));
      count++;
    }
    assert_int_equal(list.count, count);
    assert_true(list.capacity >= count);
    if (count > 0) assert_memory_equal(list.data, model, count * sizeof(uint64_t));
  }
  array_release(&list, &heap);
  assert_true(checked_is_clean(&allocator, &heap));
}

TEST(growth_is_exact_then_geometric) {
  memory heap;
  memory_init(&heap, NULL);
  array list;
  array_init(&list, 12);
  assert_true(array_resize(&list, &heap, 1000));
  assert_int_equal(list.capacity, 1000);
  assert_int_equal(atomic_load(&heap.bytes_now), 12000);
  assert_true(array_resize(&list, &heap, 1001));
  assert_in_range(list.capacity, 1500, 2000);
  assert_true(array_resize(&list, &heap, 10));
  assert_in_range(list.capacity, 1500, 2000);
  assert_true(array_reserve(&list, &heap, 5000));
  assert_int_equal(list.capacity, 5000);
  array_release(&list, &heap);
  assert_int_equal(list.capacity, 0);
  assert_null(list.data);
  assert_int_equal(atomic_load(&heap.bytes_now), 0);
}

/* 10^5 pushes with growth by a fixed number of elements would need thousands of allocations. */
TEST(pushing_allocates_seldom) {
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  array list;
  array_init(&list, sizeof(uint32_t));
  for (uint32_t i = 0; i < 100000; i++) assert_true(array_push(&list, &heap, &i));
  for (uint32_t i = 0; i < 100000; i++) assert_int_equal(ARRAY_AS(uint32_t, &list)[i], i);
  assert_in_range(atomic_load(&allocator.allocations), 1, 40);
  array_release(&list, &heap);
  assert_true(checked_is_clean(&allocator, &heap));
}

TEST(an_own_element_can_be_pushed) {
  memory heap;
  memory_init(&heap, NULL);
  array list;
  array_init(&list, sizeof(uint64_t));
  uint64_t first = 42;
  assert_true(array_push(&list, &heap, &first));
  while (list.count < 1000) assert_true(array_push(&list, &heap, list.data));
  for (size_t i = 0; i < list.count; i++) assert_int_equal(ARRAY_AS(uint64_t, &list)[i], 42);
  array_release(&list, &heap);
}

/* Pushes, resizes and reserves until the refused allocation is met. */
static bool grow_until_refused(array *list, memory *heap, uint32_t *pushed_out) {
  *pushed_out = 0;
  for (uint32_t i = 0; i < 200; i++) {
    if (!array_push(list, heap, &i)) return false;
    *pushed_out = i + 1;
  }
  return array_resize(list, heap, 1000) && array_resize(list, heap, 200) && array_reserve(list, heap, 5000);
}

TEST(failure_leaves_the_array_unchanged) {
  bool finished = false;
  size_t refused = 0;
  for (; !finished; refused++) {
    checked_allocator allocator;
    memory heap;
    checked_init(&allocator, &heap, refused);
    array list;
    array_init(&list, sizeof(uint32_t));
    uint32_t pushed = 0;
    finished = grow_until_refused(&list, &heap, &pushed);
    assert_int_equal(list.count, pushed);
    assert_true(list.capacity >= list.count);
    for (uint32_t i = 0; i < pushed; i++) assert_int_equal(ARRAY_AS(uint32_t, &list)[i], i);
    assert_true(array_push(&list, &heap, &pushed));
    assert_int_equal(ARRAY_AS(uint32_t, &list)[pushed], pushed);
    array_release(&list, &heap);
    assert_true(checked_is_clean(&allocator, &heap));
  }
  assert_in_range(refused, 4, 40);
}

TEST(impossible_sizes_are_refused) {
  memory heap;
  memory_init(&heap, NULL);
  array list;
  array_init(&list, sizeof(uint64_t));
  const uint64_t one = 1;
  assert_true(array_push(&list, &heap, &one));
  const size_t capacity = list.capacity;
  assert_false(array_resize(&list, &heap, SIZE_MAX));
  assert_false(array_reserve(&list, &heap, SIZE_MAX / 4));
  assert_int_equal(list.count, 1);
  assert_int_equal(list.capacity, capacity);
  array_release(&list, &heap);
}
