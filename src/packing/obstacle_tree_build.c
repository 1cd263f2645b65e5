/* Trees of obstacles; see obstacle_tree_build.h. */
#include "packing/obstacle_tree_build.h"

#include <string.h>

enum { LEAF_ITEMS = 4, LEAVES_A_TASK = 256 };

/* An item during the sort. Its position is stored with it, as it is compared a few tens of times. */
typedef struct placed_item {
  double place[3];
  uint32_t item;
} placed_item;

void obstacle_tree_memory_init(obstacle_tree_memory *storage) {
  array_init(&storage->boxes, sizeof(double));
  array_init(&storage->items, sizeof(double));
  array_init(&storage->order, sizeof(placed_item));
}

void obstacle_tree_memory_release(obstacle_tree_memory *storage, memory *heap) {
  ARRAYS_RELEASE(heap, &storage->boxes, &storage->items, &storage->order);
}

typedef struct builder {
  const double *items;
  uint32_t numbers;
  placed_item *order;
  double *boxes, *copies; /* copies: items in the order of the leaves */
  obstacle_tree tree;
  workers *team;  /* NULL: only the calling thread */
  uint32_t width; /* leaves below each node of the current level */
} builder;

static void box_clear(double box[6]) {
  for (int k = 0; k < 3; k++) {
    box[k] = HUGE_VAL;
    box[3 + k] = -HUGE_VAL;
  }
}

static void box_include(double box[6], const double least[3], const double greatest[3]) {
  for (int k = 0; k < 3; k++) {
    if (least[k] < box[k]) box[k] = least[k];
    if (greatest[k] > box[3 + k]) box[3 + k] = greatest[k];
  }
}

/* Rounds a sphere's box outward: a search must not miss its content. */
static void include_sphere(double box[6], const double *sphere) {
  double least[3], greatest[3];
  for (int k = 0; k < 3; k++) {
    least[k] = sphere[k] - sphere[3];
    greatest[k] = sphere[k] + sphere[3];
    least[k] -= 0x1p-52 * fabs(least[k]);
    greatest[k] += 0x1p-52 * fabs(greatest[k]);
  }
  box_include(box, least, greatest);
}

static void include_item(const builder *work, double box[6], uint32_t item) {
  const double *numbers = work->items + (size_t)item * work->numbers;
  if (work->numbers == OBSTACLE_SPHERE_NUMBERS) {
    include_sphere(box, numbers);
    return;
  }
  for (int corner = 0; corner < 3; corner++) box_include(box, numbers + 3 * corner, numbers + 3 * corner);
}

/* The position of an item along an axis. */
static double place_of(const builder *work, uint32_t item, int axis) {
  const double *numbers = work->items + (size_t)item * work->numbers;
  if (work->numbers == OBSTACLE_SPHERE_NUMBERS) return numbers[axis];
  return numbers[axis] / 3.0 + numbers[3 + axis] / 3.0 + numbers[6 + axis] / 3.0;
}

/* Equal positions are ordered by number. */
static bool comes_before(const placed_item *a, const placed_item *b, int axis) {
  return a->place[axis] < b->place[axis] || (a->place[axis] == b->place[axis] && a->item < b->item);
}

static void swap(placed_item *a, placed_item *b) {
  const placed_item kept = *a;
  *a = *b;
  *b = kept;
}

/* Hoare's selection: afterwards no item before `middle` is greater than one from it on. */
static void select_middle(placed_item *order, uint32_t begin, uint32_t end, uint32_t middle, int axis) {
  int64_t first = begin, last = (int64_t)end - 1;
  while (first < last) {
    const placed_item pivot = order[middle];
    int64_t low = first, high = last;
    while (low <= high) {
      while (comes_before(&order[low], &pivot, axis)) low++;
      while (comes_before(&pivot, &order[high], axis)) high--;
      if (low <= high) swap(&order[low++], &order[high--]);
    }
    if (high < middle) first = low;
    if (middle < low) last = high;
  }
}

static int longest_side(const placed_item *order, uint32_t first, uint32_t end) {
  double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, greatest[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (uint32_t i = first; i < end; i++) {
    for (int k = 0; k < 3; k++) {
      const double at = order[i].place[k];
      if (at < least[k]) least[k] = at;
      if (at > greatest[k]) greatest[k] = at;
    }
  }
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (greatest[k] - least[k] > greatest[axis] - least[axis]) axis = k;
  return axis;
}

static void for_nodes(builder *work, size_t count, workers_range_body *body) {
  const size_t grain = work->width < LEAVES_A_TASK ? LEAVES_A_TASK / work->width : 1;
  if (work->team != NULL)
    workers_for(work->team, count, grain, body, work);
  else
    body(work, 0, count, 0);
}

static void place_range(void *context, size_t begin, size_t end, uint32_t worker) {
  const builder *work = context;
  (void)worker;
  for (size_t i = begin; i < end; i++) {
    for (int k = 0; k < 3; k++) work->order[i].place[k] = place_of(work, (uint32_t)i, k);
    work->order[i].item = (uint32_t)i;
  }
}

static void split_range(void *context, size_t begin, size_t end, uint32_t worker) {
  const builder *work = context;
  const obstacle_tree *tree = &work->tree;
  (void)worker;
  for (size_t node = begin; node < end; node++) {
    const uint32_t leaf = (uint32_t)node * work->width;
    const uint32_t first = leaf_begin(tree, leaf), last = leaf_begin(tree, leaf + work->width);
    select_middle(work->order, first, last, leaf_begin(tree, leaf + work->width / 2),
                  longest_side(work->order, first, last));
  }
}

static void fill_leaves(void *context, size_t begin, size_t end, uint32_t worker) {
  const builder *work = context;
  const obstacle_tree *tree = &work->tree;
  const size_t numbers = work->numbers;
  (void)worker;
  for (size_t leaf = begin; leaf < end; leaf++) {
    double *box = work->boxes + 6 * (tree->leaf_count + leaf);
    box_clear(box);
    const uint32_t last = leaf_begin(tree, (uint32_t)leaf + 1);
    for (uint32_t i = leaf_begin(tree, (uint32_t)leaf); i < last; i++) {
      const uint32_t item = work->order[i].item;
      include_item(work, box, item);
      memcpy(work->copies + i * numbers, work->items + item * numbers, numbers * sizeof *work->copies);
    }
  }
}

static void join_boxes(void *context, size_t begin, size_t end, uint32_t worker) {
  const builder *work = context;
  const size_t first = work->tree.leaf_count / work->width; /* of the level */
  (void)worker;
  for (size_t node = first + begin; node < first + end; node++) {
    double *box = work->boxes + 6 * node;
    box_clear(box);
    for (int child = 0; child < 2; child++) {
      const double *of_child = work->boxes + 6 * (2 * node + (size_t)child);
      box_include(box, of_child, of_child + 3);
    }
  }
}

/* Splits level by level: the level determines the leaves below a node, and these determine its items. Then boxes,
 * upwards. */
static void build_levels(builder *work) {
  const uint32_t leaves = work->tree.leaf_count;
  work->width = 1;
  for_nodes(work, work->tree.count, place_range);
  for (work->width = leaves; work->width > 1; work->width /= 2) for_nodes(work, leaves / work->width, split_range);
  for_nodes(work, leaves, fill_leaves);
  for (work->width = 2; work->width <= leaves; work->width *= 2) for_nodes(work, leaves / work->width, join_boxes);
}

static uint32_t leaf_bits_for(uint32_t count) {
  uint32_t bits = 0;
  while (UINT32_C(1) << bits < count / LEAF_ITEMS) bits++;
  return bits;
}

bool obstacle_tree_build(obstacle_tree_memory *storage, memory *heap, workers *team, const double *items,
                         uint32_t count, uint32_t numbers, obstacle_tree *tree_out) {
  const uint32_t bits = leaf_bits_for(count), leaves = UINT32_C(1) << bits;
  if (!array_resize(&storage->boxes, heap, 12 * (size_t)leaves) || !array_resize(&storage->order, heap, count) ||
      !array_resize(&storage->items, heap, (size_t)count * numbers))
    return false;
  builder work = {.items = items,
                  .numbers = numbers,
                  .order = storage->order.data,
                  .boxes = storage->boxes.data,
                  .copies = storage->items.data,
                  .tree = {NULL, NULL, count, leaves, bits, numbers},
                  .team = team};
  build_levels(&work);
  *tree_out = work.tree;
  tree_out->boxes = work.boxes;
  tree_out->items = work.copies;
  return true;
}
