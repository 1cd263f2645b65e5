/* A binary heap of pairs of nodes; see node_pair_heap.h. */
#include "spheres/node_pair_heap.h"

static bool is_before(const keyed_node_pair *p, const keyed_node_pair *q) {
  if (p->key != q->key) return p->key > q->key;
  return p->a != q->a ? p->a < q->a : p->b < q->b;
}

void node_pair_heap_init(node_pair_heap *heap, memory *from) {
  array_init(&heap->pairs, sizeof(keyed_node_pair));
  heap->from = from;
}

void node_pair_heap_release(node_pair_heap *heap) {
  array_release(&heap->pairs, heap->from);
}

bool node_pair_heap_add(node_pair_heap *heap, keyed_node_pair pair) {
  if (!array_push(&heap->pairs, heap->from, &pair)) return false;
  keyed_node_pair *pairs = heap->pairs.data;
  size_t place = heap->pairs.count - 1;
  for (; place > 0 && is_before(&pair, &pairs[(place - 1) / 2]); place = (place - 1) / 2)
    pairs[place] = pairs[(place - 1) / 2];
  pairs[place] = pair;
  return true;
}

keyed_node_pair node_pair_heap_take(node_pair_heap *heap) {
  keyed_node_pair *pairs = heap->pairs.data;
  const keyed_node_pair first = pairs[0];
  const size_t count = --heap->pairs.count;
  const keyed_node_pair moved = pairs[count];
  size_t place = 0;
  for (size_t child = 1; child < count; child = 2 * place + 1) {
    if (child + 1 < count && is_before(&pairs[child + 1], &pairs[child])) child++;
    if (!is_before(&pairs[child], &moved)) break;
    pairs[place] = pairs[child];
    place = child;
  }
  pairs[place] = moved;
  return first;
}
