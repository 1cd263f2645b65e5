/* The heap of pores; see pore_heap.h. */
#include "packing/pore_heap.h"

void pore_heap_init(pore_heap *heap) {
  array_init(&heap->pores, sizeof(pore));
  heap->next_number = 0;
}

void pore_heap_release(pore_heap *heap, memory *from) {
  array_release(&heap->pores, from);
}

bool pore_comes_before(const pore *a, const pore *b) {
  return a->sphere.radius > b->sphere.radius || (a->sphere.radius == b->sphere.radius && a->number < b->number);
}

const pore *pore_heap_top(const pore_heap *heap) {
  return heap->pores.count > 0 ? heap->pores.data : NULL;
}

bool pore_heap_add(pore_heap *heap, memory *from, const pore *added) {
  if (!array_resize(&heap->pores, from, heap->pores.count + 1)) return false;
  pore *pores = heap->pores.data;
  size_t place = heap->pores.count - 1;
  while (place > 0 && pore_comes_before(added, &pores[(place - 1) / 2])) {
    pores[place] = pores[(place - 1) / 2];
    place = (place - 1) / 2;
  }
  pores[place] = *added;
  return true;
}

/* Moves the pore at `place` down to its position among the first `count`. */
static void sink(pore *pores, size_t count, size_t place, pore sinking) {
  for (;;) {
    size_t child = 2 * place + 1;
    if (child >= count) break;
    if (child + 1 < count && pore_comes_before(&pores[child + 1], &pores[child])) child++;
    if (!pore_comes_before(&pores[child], &sinking)) break;
    pores[place] = pores[child];
    place = child;
  }
  pores[place] = sinking;
}

void pore_heap_drop_top(pore_heap *heap) {
  pore *pores = heap->pores.data;
  const size_t count = --heap->pores.count;
  if (count > 0) sink(pores, count, 0, pores[count]);
}

/* Heap sort, with a reversed heap at the end of the array: the first one from the top goes to the front. */
static void reverse(pore *pores, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    const pore kept = pores[i];
    pores[i] = pores[count - 1 - i];
    pores[count - 1 - i] = kept;
  }
}

void pores_sort(pore *pores, size_t count) {
  for (size_t i = count / 2; i-- > 0;) sink(pores, count, i, pores[i]);
  for (size_t end = count; end > 1; end--) {
    const pore largest = pores[0];
    sink(pores, end - 1, 0, pores[end - 1]);
    pores[end - 1] = largest;
  }
  reverse(pores, count);
}
