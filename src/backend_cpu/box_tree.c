/* A tree over boxes; see box_tree.h. Each range of items is halved along the longest extent of their centers.
 *
 * Paper: Hoare, "Algorithm 65: find", 1961 (the selection that splits a range). */
#include "backend_cpu/box_tree.h"

#include "narrow/primitive_nearest.h"

enum { LEAF_ITEMS = 4 };

/* ---------------------------------------------------------------------------------------------- building */

/* Halved first, so that the sum is finite. */
static double center_of(const box_tree_item *item, int axis) {
  return 0.5 * item->box.min[axis] + 0.5 * item->box.max[axis];
}

static bool item_is_before(const box_tree_item *a, const box_tree_item *b, int axis) {
  const double p = center_of(a, axis), q = center_of(b, axis);
  return p != q ? p < q : a->number < b->number;
}

static int longest_axis(const box_tree_item *items, size_t count) {
  double longest = -1.0;
  int chosen = 0;
  for (int axis = 0; axis < 3; axis++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
      const double half = 0.5 * center_of(&items[i], axis);
      low = fmin(low, half);
      high = fmax(high, half);
    }
    if (high - low > longest) {
      longest = high - low;
      chosen = axis;
    }
  }
  return chosen;
}

/* Moves the lower `half` of the items along an axis to the front. No two items compare equal: their numbers differ. */
static void select_half(box_tree_item *items, size_t count, size_t half, int axis) {
  const int64_t wanted = (int64_t)half;
  int64_t low = 0, high = (int64_t)count - 1;
  while (low < high) {
    const box_tree_item pivot = items[low + (high - low) / 2];
    int64_t i = low, j = high;
    while (i <= j) {
      while (item_is_before(&items[i], &pivot, axis)) i++;
      while (item_is_before(&pivot, &items[j], axis)) j--;
      if (i > j) break;
      const box_tree_item kept = items[i];
      items[i++] = items[j];
      items[j--] = kept;
    }
    if (j < wanted) low = i;
    if (wanted < i) high = j;
  }
}

static void build_node(box_tree *tree, size_t node, size_t first, size_t end) {
  box_tree_node made = {.box = exact_box_empty()};
  if (end - first > LEAF_ITEMS) {
    const size_t middle = first + (end - first) / 2;
    select_half(tree->items + first, end - first, middle - first, longest_axis(tree->items + first, end - first));
    build_node(tree, 2 * node + 1, first, middle);
    build_node(tree, 2 * node + 2, middle, end);
  }
  for (size_t i = first; i < end; i++) {
    exact_box_include_box(&made.box, &tree->items[i].box);
    made.category |= tree->items[i].category;
    made.mask |= tree->items[i].mask;
  }
  tree->nodes[node] = made;
}

bool box_tree_reserve(box_tree *tree, memory *heap, size_t count) {
  size_t leaves = 1;
  while (leaves * LEAF_ITEMS < count)
    leaves *= 2; /* halves differ by at most one item, so this many leaves are enough */
  *tree = (box_tree){.count = count, .node_count = 2 * leaves - 1};
  tree->items = memory_allocate(heap, tree->count, sizeof *tree->items);
  tree->nodes = memory_allocate(heap, tree->node_count, sizeof *tree->nodes);
  return tree->items != NULL && tree->nodes != NULL;
}

void box_tree_build(box_tree *tree) {
  build_node(tree, 0, 0, tree->count);
}

void box_tree_release(box_tree *tree, memory *heap) {
  memory_release(heap, tree->items, tree->count, sizeof *tree->items);
  memory_release(heap, tree->nodes, tree->node_count, sizeof *tree->nodes);
  *tree = (box_tree){0};
}

/* ---------------------------------------------------------------------------------------------- walking */

static box_tree_place place_of(const box_tree_walk *walk, size_t node, size_t first, size_t end) {
  const box_tree_node *at = &walk->tree->nodes[node];
  const bool may_meet = (at->category & walk->from->mask) != 0 && (at->mask & walk->from->category) != 0;
  return (box_tree_place){boxes_distance(&walk->from->box, &at->box), node, first, end, may_meet};
}

box_tree_walk box_tree_walk_begin(const box_tree *tree, const box_tree_item *from, double radius) {
  box_tree_walk walk = {.tree = tree, .from = from, .radius = radius, .count = 1};
  walk.waiting[0] = (box_tree_place){0.0, 0, 0, tree->count, true};
  return walk;
}

static void push_place(box_tree_walk *walk, const box_tree_place *place) {
  if (place->may_meet && !(place->distance > walk->radius)) walk->waiting[walk->count++] = *place;
}

/* Advances to the next leaf; false after the last. */
static bool descend(box_tree_walk *walk) {
  while (walk->count > 0) {
    const box_tree_place place = walk->waiting[--walk->count];
    if (place.distance > walk->radius) continue;
    if (place.end - place.first <= LEAF_ITEMS) {
      walk->next = place.first;
      walk->end = place.end;
      return true;
    }
    const size_t middle = place.first + (place.end - place.first) / 2;
    const box_tree_place low = place_of(walk, 2 * place.node + 1, place.first, middle);
    const box_tree_place high = place_of(walk, 2 * place.node + 2, middle, place.end);
    push_place(walk, low.distance < high.distance ? &high : &low);
    push_place(walk, low.distance < high.distance ? &low : &high);
  }
  return false;
}

const box_tree_item *box_tree_walk_next(box_tree_walk *walk, double *distance_out) {
  for (;;) {
    while (walk->next < walk->end) {
      const box_tree_item *item = &walk->tree->items[walk->next++];
      const double distance = boxes_distance(&walk->from->box, &item->box);
      if (distance > walk->radius) continue;
      *distance_out = distance;
      return item;
    }
    if (!descend(walk)) return NULL;
  }
}
