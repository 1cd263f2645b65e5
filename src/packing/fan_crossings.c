/* The search for crossings of fans; see fan_crossings.h. */
#include "packing/fan_crossings.h"

#include "base/cell_hash.h"
#include "base/radix_sort.h"
#include "geometry/gjk.h"
#include "geometry/triangle_neighbors.h"
#include "packing/obstacle_tree.h"

#include <string.h>

enum {
  PAIRS_A_TRIANGLE = 512,          /* with a common vertex, counted in both directions: an even mesh has about 18 */
  FAN_LEAST = 32,                  /* triangles around a vertex from which they are sorted by angle */
  LEAF_TRIANGLES = 4,              /* approximate */
  PAIR_STACK = 4 * OBSTACLE_STACK, /* each step down in one of two nodes pushes two pairs */
  CORNER_NUMBERS = 9               /* of a triangle */
};

/* The error of a projection: relative to the sum of its terms' magnitudes, and for subnormal terms. */
#define ERROR_PART 0x1p-50
#define ERROR_LEAST 0x1p-1000

typedef struct node_pair {
  uint32_t a, b;
} node_pair;

/* The triangles below a node, as places in the order. */
typedef struct item_range {
  uint32_t begin, end;
} item_range;

typedef struct fan_search {
  const closed_mesh *mesh;
  const uint32_t *valences;
  uint64_t *keys;     /* sort keys of the triangles, and as many for sorting */
  uint32_t *order;    /* triangles, and as many for sorting */
  double *numbers;    /* memory of the next four */
  double *items;      /* CORNER_NUMBERS per triangle, in order */
  double *boxes;      /* as in the tree */
  double *axes;       /* three per vertex: of the fan around it */
  double *offsets;    /* of two nodes, from their common vertex */
  obstacle_tree tree; /* of the triangles in order */
  fan_crossings *found;
} fan_search;

bool mesh_has_fans(const fan_mesh *fans) {
  double pairs = 0.0;
  for (size_t i = 0; i < fans->mesh->vertex_count; i++) pairs += (double)fans->valences[i] * fans->valences[i];
  return pairs > (double)PAIRS_A_TRIANGLE * (double)fans->mesh->triangle_count;
}

/* ---------------------------------------------------------------------------------------------- order and tree */

/* The corner of the triangle that most triangles share. */
static uint32_t hub_corner(const fan_search *now, uint32_t triangle) {
  const uint32_t *corners = now->mesh->vertices + 3 * (size_t)triangle;
  uint32_t hub = 0;
  for (uint32_t i = 1; i < 3; i++)
    if (now->valences[corners[i]] > now->valences[corners[hub]]) hub = i;
  return hub;
}

/* Writes the edges of a triangle from its hub; returns the hub. */
static uint32_t edges_from_hub(const fan_search *now, uint32_t triangle, vector3 edges_out[2]) {
  const uint32_t hub = hub_corner(now, triangle);
  const double *corners = now->mesh->corners + CORNER_NUMBERS * (size_t)triangle;
  for (uint32_t i = 0; i < 2; i++)
    edges_out[i] = vector3_subtract(vector3_load(corners + 3 * (size_t)((hub + 1 + i) % 3)),
                                    vector3_load(corners + 3 * (size_t)hub));
  return now->mesh->vertices[3 * (size_t)triangle + hub];
}

/* The axis of a fan is the sum of its triangles' normals. */
static void sum_axes(const fan_search *now) {
  memset(now->axes, 0, 3 * now->mesh->vertex_count * sizeof *now->axes);
  for (uint32_t i = 0; i < now->mesh->triangle_count; i++) {
    vector3 edges[2];
    double *axis = now->axes + 3 * (size_t)edges_from_hub(now, i, edges);
    vector3_store(vector3_add(vector3_load(axis), vector3_cross(edges[0], edges[1])), axis);
  }
}

/* Increases with the angle, from 0 to 4. */
static double angle_rank(double x, double y) {
  const double sum = fabs(x) + fabs(y), part = sum > 0.0 ? y / sum : 0.0;
  return x >= 0.0 ? 1.0 + part : 3.0 - part;
}

/* Orders triangles by fan and by angle within it; then all other triangles, by position. */
static uint64_t key_of(const fan_search *now, uint32_t triangle) {
  vector3 edges[2];
  const uint32_t hub = edges_from_hub(now, triangle, edges);
  if (now->valences[hub] >= FAN_LEAST) {
    const vector3 axis = vector3_load(now->axes + 3 * (size_t)hub), offset = vector3_add(edges[0], edges[1]);
    const vector3 any = fabs(axis.x) < fabs(axis.y) ? vector3_make(1.0, 0.0, 0.0) : vector3_make(0.0, 1.0, 0.0);
    const vector3 across = vector3_cross(axis, any);
    const double x = vector3_dot(across, offset) * vector3_length(axis),
                 y = vector3_dot(vector3_cross(axis, across), offset);
    return (uint64_t)hub << 32 | (uint32_t)(angle_rank(x, y) * 0x1p+29);
  }
  const double *corners = now->mesh->corners + CORNER_NUMBERS * (size_t)triangle;
  uint32_t cell[3];
  for (int k = 0; k < 3; k++) {
    const double middle = (corners[k] + corners[3 + k] + corners[6 + k]) / 3.0;
    cell[k] = (uint32_t)(fmax(0.0, (middle - now->mesh->least[k]) / now->mesh->diagonal) * 0xfffff);
  }
  return UINT64_C(1) << 63 | cell_hash_morton_20(cell[0], cell[1], cell[2]);
}

static void fill_boxes(fan_search *now) {
  const obstacle_tree *tree = &now->tree;
  for (uint32_t node = 2 * tree->leaf_count - 1; node > 0; node--) {
    double *box = now->boxes + 6 * (size_t)node;
    for (int k = 0; k < 6; k++) box[k] = k < 3 ? HUGE_VAL : -HUGE_VAL;
    const bool is_leaf = node >= tree->leaf_count;
    const uint32_t leaf = is_leaf ? node - tree->leaf_count : 0;
    const size_t begin = is_leaf ? 3 * (size_t)leaf_begin(tree, leaf) : 4 * (size_t)node;
    const size_t end = is_leaf ? 3 * (size_t)leaf_begin(tree, leaf + 1) : begin + 4; /* both ends of two boxes */
    for (size_t i = begin; i < end; i++)
      for (int k = 0; k < 3; k++) {
        const double at = (is_leaf ? now->items : now->boxes)[3 * i + (size_t)k];
        box[k] = fmin(box[k], at);
        box[3 + k] = fmax(box[3 + k], at);
      }
  }
}

static void build_fans(fan_search *now) {
  const uint32_t count = (uint32_t)now->mesh->triangle_count;
  sum_axes(now);
  for (uint32_t i = 0; i < count; i++) {
    now->order[i] = i;
    now->keys[i] = key_of(now, i);
  }
  radix_sort_pairs(now->keys, now->order, now->keys + count, now->order + count, count, 64);
  for (size_t i = 0; i < count; i++)
    memcpy(now->items + CORNER_NUMBERS * i, now->mesh->corners + CORNER_NUMBERS * (size_t)now->order[i],
           CORNER_NUMBERS * sizeof *now->items);
  fill_boxes(now);
}

static item_range items_below(const obstacle_tree *tree, uint32_t node) {
  uint32_t first = node, last = node;
  while (first < tree->leaf_count) {
    first *= 2;
    last = 2 * last + 1;
  }
  return (item_range){leaf_begin(tree, first - tree->leaf_count), leaf_begin(tree, last - tree->leaf_count + 1)};
}

/* ---------------------------------------------------------------------------------------------- planes */

/* The position of the common hub of the first triangles of both; false if their hubs differ. */
static bool common_hub(const fan_search *now, item_range a, item_range b, vector3 *place_out) {
  const uint32_t one = now->order[a.begin], other = now->order[b.begin];
  const size_t of_one = 3 * (size_t)one + hub_corner(now, one), of_other = 3 * (size_t)other + hub_corner(now, other);
  *place_out = vector3_load(now->mesh->corners + 3 * of_one);
  return now->mesh->vertices[of_one] == now->mesh->vertices[of_other];
}

static bool is_zero(vector3 offset) {
  return offset.x == 0.0 && offset.y == 0.0 && offset.z == 0.0;
}

/* Adds the vectors from the hub to other corners, times the sign. */
static size_t gather_offsets(const fan_search *now, item_range items, vector3 hub, double sign, size_t count) {
  for (size_t i = 3 * (size_t)items.begin; i < 3 * (size_t)items.end; i++) {
    const vector3 offset = vector3_subtract(vector3_load(now->items + 3 * i), hub);
    if (!is_zero(offset)) vector3_store(vector3_scale(offset, sign), now->offsets + 3 * count++);
  }
  return count;
}

/* The normal of a plane that may separate a above from b below: through the hub if there is one. */
static vector3 guess_normal(const fan_search *now, item_range a, item_range b, const vector3 *hub_or_null) {
  gjk_result guess;
  uint64_t corners = 3 * (uint64_t)(a.end - a.begin + b.end - b.begin);
  if (hub_or_null == NULL) {
    gjk_guess(now->items + CORNER_NUMBERS * (size_t)a.begin, 3 * (a.end - a.begin),
              now->items + CORNER_NUMBERS * (size_t)b.begin, 3 * (b.end - b.begin), &guess);
  } else {
    const double origin[3] = {0.0, 0.0, 0.0};
    const size_t count = gather_offsets(now, b, *hub_or_null, 1.0, gather_offsets(now, a, *hub_or_null, -1.0, 0));
    gjk_guess(origin, 1, count > 0 ? now->offsets : origin, count > 0 ? (uint32_t)count : 1, &guess);
  }
  now->found->work += corners * (guess.step_count + 1);
  return vector3_load(guess.direction);
}

/* The extent of corners along a normal, relative to a point; if that is the hub, corners at it are ignored. */
typedef struct extent {
  double least, greatest;
} extent;

static extent extent_along(const fan_search *now, item_range items, vector3 normal, vector3 from, bool is_hub) {
  extent along = {HUGE_VAL, -HUGE_VAL};
  for (size_t i = 3 * (size_t)items.begin; i < 3 * (size_t)items.end; i++) {
    const vector3 offset = vector3_subtract(vector3_load(now->items + 3 * i), from);
    if (is_hub && is_zero(offset)) continue;
    const double x = normal.x * offset.x, y = normal.y * offset.y, z = normal.z * offset.z, at = x + y + z;
    const double error = ERROR_PART * (fabs(x) + fabs(y) + fabs(z)) + ERROR_LEAST;
    along.least = fmin(along.least, at - error);
    along.greatest = fmax(along.greatest, at + error);
  }
  now->found->work += 3 * (uint64_t)(items.end - items.begin);
  return along;
}

/* Whether a plane proves that no triangle of one meets one of the other except at a common vertex. */
static bool are_separated(const fan_search *now, item_range a, item_range b) {
  vector3 from;
  const bool is_hub = common_hub(now, a, b, &from);
  const vector3 normal = guess_normal(now, a, b, is_hub ? &from : NULL);
  const extent of_a = extent_along(now, a, normal, from, is_hub), of_b = extent_along(now, b, normal, from, is_hub);
  return is_hub ? of_a.least > 0.0 && of_b.greatest < 0.0 : of_a.least > of_b.greatest;
}

/* ---------------------------------------------------------------------------------------------- the search */

static bool boxes_meet(const fan_search *now, node_pair pair) {
  const double *a = now->boxes + 6 * (size_t)pair.a, *b = now->boxes + 6 * (size_t)pair.b;
  for (int k = 0; k < 3; k++)
    if (a[3 + k] < b[k] || b[3 + k] < a[k]) return false;
  return true;
}

static bool triangles_cross(const closed_mesh *mesh, uint32_t a, uint32_t b) {
  const uint32_t *of_a = mesh->vertices + 3 * (size_t)a, *of_b = mesh->vertices + 3 * (size_t)b;
  orientation_tally tally = {0};
  if (corner_is_repeated(of_a) || corner_is_repeated(of_b)) return false;
  const shared_corners shared = shared_corners_of(of_a, of_b);
  return triangle_pair_intersects_beyond(mesh->corners + CORNER_NUMBERS * (size_t)a,
                                         mesh->corners + CORNER_NUMBERS * (size_t)b, shared.count, shared.a, shared.b,
                                         &tally);
}

static void keep_pair(fan_crossings *found, uint32_t a, uint32_t b) {
  const uint32_t low = a < b ? a : b, high = a < b ? b : a;
  if (found->count++ > 0 && (found->first[0] < low || (found->first[0] == low && found->first[1] < high))) return;
  found->first[0] = low;
  found->first[1] = high;
}

static void test_triangles(const fan_search *now, item_range a, item_range b) {
  for (uint32_t i = a.begin; i < a.end; i++) {
    for (uint32_t j = a.begin == b.begin ? i + 1 : b.begin; j < b.end; j++) {
      now->found->work++;
      if (triangles_cross(now->mesh, now->order[i], now->order[j])) keep_pair(now->found, now->order[i], now->order[j]);
    }
  }
}

/* Pushes the halves of a node with each other and themselves, or those of the larger node with the other. */
static size_t push_parts(const obstacle_tree *tree, node_pair pair, node_pair *stack, size_t depth) {
  if (pair.a == pair.b) {
    stack[depth++] = (node_pair){2 * pair.a, 2 * pair.a};
    stack[depth++] = (node_pair){2 * pair.a + 1, 2 * pair.a + 1};
    stack[depth++] = (node_pair){2 * pair.a, 2 * pair.a + 1};
    return depth;
  }
  const bool cut_b = pair.a >= tree->leaf_count || (pair.b < pair.a && pair.b < tree->leaf_count);
  for (uint32_t half = 0; half < 2; half++)
    stack[depth++] = cut_b ? (node_pair){pair.a, 2 * pair.b + half} : (node_pair){2 * pair.a + half, pair.b};
  return depth;
}

static graze_result search_fans(const fan_search *now, stop_check *stop) {
  const obstacle_tree *tree = &now->tree;
  node_pair stack[PAIR_STACK];
  size_t depth = 0;
  stack[depth++] = (node_pair){1, 1};
  while (depth > 0) {
    const node_pair pair = stack[--depth];
    const item_range a = items_below(tree, pair.a), b = items_below(tree, pair.b);
    if (stop_is_requested(stop)) return GRAZE_STOPPED;
    if (pair.a != pair.b && (!boxes_meet(now, pair) || are_separated(now, a, b))) continue;
    if (pair.a >= tree->leaf_count && pair.b >= tree->leaf_count)
      test_triangles(now, a, b);
    else
      depth = push_parts(tree, pair, stack, depth);
  }
  return GRAZE_OK;
}

graze_result fan_crossings_find(const fan_mesh *fans, memory *heap, stop_check *stop, fan_crossings *crossings_out) {
  const size_t count = fans->mesh->triangle_count, vertices = fans->mesh->vertex_count;
  uint32_t bits = 0;
  while (UINT32_C(1) << bits < count / LEAF_TRIANGLES) bits++;
  const size_t boxes = 12 * ((size_t)1 << bits), numbers = 2 * CORNER_NUMBERS * count + boxes + 3 * vertices;
  *crossings_out = (fan_crossings){.count = 0};
  fan_search now = {.mesh = fans->mesh,
                    .valences = fans->valences,
                    .keys = memory_allocate(heap, 2 * count, sizeof *now.keys),
                    .order = memory_allocate(heap, 2 * count, sizeof *now.order),
                    .numbers = memory_allocate(heap, numbers, sizeof *now.numbers),
                    .tree = {NULL, NULL, (uint32_t)count, UINT32_C(1) << bits, bits, OBSTACLE_TRIANGLE_NUMBERS},
                    .found = crossings_out};
  graze_result result = GRAZE_OUT_OF_MEMORY;
  if (now.keys != NULL && now.order != NULL && now.numbers != NULL) {
    now.items = now.numbers;
    now.offsets = now.items + CORNER_NUMBERS * count;
    now.boxes = now.offsets + CORNER_NUMBERS * count;
    now.axes = now.boxes + boxes;
    build_fans(&now);
    result = search_fans(&now, stop);
  }
  memory_release(heap, now.keys, 2 * count, sizeof *now.keys);
  memory_release(heap, now.order, 2 * count, sizeof *now.order);
  memory_release(heap, now.numbers, numbers, sizeof *now.numbers);
  return result;
}
