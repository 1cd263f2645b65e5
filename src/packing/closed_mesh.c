/* Reads the mesh to be filled; see closed_mesh.h. */
#include "packing/closed_mesh.h"

#include "base/disjoint_sets.h"
#include "base/error_text.h"
#include "base/radix_sort.h"
#include "base/view.h"
#include "geometry/binary_scale.h"
#include "geometry/bits.h"
#include "geometry/expansion.h"

#include <math.h>
#include <string.h>

static graze_result fail_memory(size_t triangles) {
  return fail(GRAZE_OUT_OF_MEMORY, "out of memory while packing a mesh of %zu triangles", triangles);
}

static const char *element(const graze_view *view, size_t i, size_t bytes) {
  const ptrdiff_t stride = view->stride_bytes != 0 ? view->stride_bytes : (ptrdiff_t)bytes;
  return (const char *)view->data + (ptrdiff_t)i * stride;
}

static void read_position(const graze_view *view, size_t i, double position_out[3]) {
  if (view->format == GRAZE_FORMAT_DOUBLE3) {
    memcpy(position_out, element(view, i, 3 * sizeof(double)), 3 * sizeof(double));
    return;
  }
  float position[3];
  memcpy(position, element(view, i, sizeof position), sizeof position);
  for (int k = 0; k < 3; k++) position_out[k] = (double)position[k];
}

static graze_result check_views(const graze_view *positions, const graze_view *triangles) {
  if (positions->format != GRAZE_FORMAT_FLOAT3 && positions->format != GRAZE_FORMAT_DOUBLE3)
    return fail(GRAZE_INVALID_ARGUMENT, "positions must be GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3");
  const graze_result result = view_check(triangles, GRAZE_FORMAT_UINT32_3, "triangles");
  if (result != GRAZE_OK) return result;
  if (triangles->count == 0 || positions->count == 0) return fail(GRAZE_INVALID_ARGUMENT, "the mesh has no triangles");
  if (positions->data == NULL || triangles->data == NULL)
    return fail(GRAZE_INVALID_ARGUMENT, "the mesh's %s are NULL", positions->data == NULL ? "positions" : "triangles");
  if (positions->count > UINT32_MAX || triangles->count > UINT32_MAX / 3)
    return fail(GRAZE_TOO_LARGE, "%zu triangles are more than can be packed", triangles->count);
  return GRAZE_OK;
}

/* Copies the corners of all triangles as given. */
static graze_result copy_corners(closed_mesh *target, const graze_view *positions, const graze_view *triangles) {
  for (size_t t = 0; t < target->triangle_count; t++) {
    uint32_t numbers[3];
    view_read_indices(triangles, t, t + 1, numbers);
    for (size_t corner = 0; corner < 3; corner++) {
      double *position = target->corners + 9 * t + 3 * corner;
      if (numbers[corner] >= positions->count)
        return fail(GRAZE_INDEX_OUT_OF_RANGE, "triangle %zu has vertex %s, but there are %zu vertices", t,
                    view_index_text(triangles, t, corner).text, positions->count);
      read_position(positions, numbers[corner], position);
      for (int k = 0; k < 3; k++) {
        if (!isfinite(position[k]))
          return fail(GRAZE_NOT_FINITE, "vertex %u of triangle %zu has the coordinate %g", (unsigned)numbers[corner], t,
                      position[k]);
        position[k] += 0.0; /* -0 becomes 0 */
      }
    }
  }
  return GRAZE_OK;
}

static void scale_corners(closed_mesh *target) {
  const size_t count = 9 * target->triangle_count;
  double largest = 0.0;
  for (size_t i = 0; i < count; i++) largest = fabs(target->corners[i]) > largest ? fabs(target->corners[i]) : largest;
  target->exponent = scaling_exponent(largest);
  const double factor = power_of_two(-target->exponent);
  for (size_t i = 0; i < count; i++) target->corners[i] *= factor;
}

static void measure_box(closed_mesh *target) {
  for (int k = 0; k < 3; k++) {
    target->least[k] = HUGE_VAL;
    target->greatest[k] = -HUGE_VAL;
  }
  for (size_t i = 0; i < 3 * target->triangle_count; i++) {
    for (int k = 0; k < 3; k++) {
      const double at = target->corners[3 * i + (size_t)k];
      if (at < target->least[k]) target->least[k] = at;
      if (at > target->greatest[k]) target->greatest[k] = at;
    }
  }
  double squared = 0.0;
  for (int k = 0; k < 3; k++) {
    const double side = target->greatest[k] - target->least[k];
    squared += side * side;
  }
  target->diagonal = sqrt(squared);
}

static void turn_over(closed_mesh *target) {
  for (size_t t = 0; t < target->triangle_count; t++) {
    double kept[3], *corners = target->corners + 9 * t;
    memcpy(kept, corners, sizeof kept);
    memmove(corners, corners + 3, sizeof kept);
    memcpy(corners + 3, kept, sizeof kept);
    uint32_t *vertices = target->vertices + 3 * t;
    const uint32_t vertex = vertices[0];
    vertices[0] = vertices[1];
    vertices[1] = vertex;
  }
  const uint64_t outward = target->outward_shells;
  target->outward_shells = target->inward_shells;
  target->inward_shells = outward;
}

static graze_result measure_volume(closed_mesh *target) {
  target->volume = mesh_volume(target->corners, target->triangle_count);
  target->inverted = target->volume < 0.0;
  if (target->inverted) {
    turn_over(target);
    target->volume = -target->volume;
  }
  return target->volume > 0.0 ? GRAZE_OK : fail(GRAZE_INVALID_ARGUMENT, "the mesh has no volume");
}

graze_result closed_mesh_read(closed_mesh *target, memory *heap, const graze_view *positions,
                              const graze_view *triangles) {
  *target = (closed_mesh){.corners = NULL};
  graze_result result = check_views(positions, triangles);
  if (result != GRAZE_OK) return result;
  target->triangle_count = triangles->count;
  target->corners = memory_allocate(heap, 9 * triangles->count, sizeof(double));
  target->vertices = memory_allocate(heap, 3 * triangles->count, sizeof(uint32_t));
  if (target->corners == NULL || target->vertices == NULL) return fail_memory(triangles->count);
  result = copy_corners(target, positions, triangles);
  if (result != GRAZE_OK) return result;
  scale_corners(target);
  measure_box(target);
  mesh_hole hole;
  if (!mesh_edges_check(target, heap, &hole)) return fail_memory(triangles->count);
  if (hole.edges > 0) return mesh_hole_fail(target, &hole);
  return measure_volume(target);
}

void closed_mesh_release(closed_mesh *target, memory *heap) {
  memory_release(heap, target->corners, 9 * target->triangle_count, sizeof(double));
  memory_release(heap, target->vertices, 3 * target->triangle_count, sizeof(uint32_t));
  target->corners = NULL;
  target->vertices = NULL;
}

/* ---------------------------------------------------------------------------------------------- volume */

/* A determinant is six products of three numbers, with 4 components each. The components of a sum do not overlap and
 * are between 2^-1022 and 2^100: 22 if they were full, never more than 1122 / 2. */
enum { DETERMINANT_COMPONENTS = 24, SUM_COMPONENTS = 640 };

static double tame(double coordinate) {
  return fabs(coordinate) < 0x1p-300 ? 0.0 : coordinate;
}

/* x times (ay bz - az by): at most 8 components. */
static uint32_t product_of(double x, const double *a, const double *b, int y, int z, double *product_out) {
  double left[2], right[2], minor[4];
  const uint32_t left_count = expansion_from_two_term(two_product(tame(a[y]), tame(b[z])), left);
  const uint32_t right_count = expansion_from_two_term(two_product(-tame(a[z]), tame(b[y])), right);
  const uint32_t count = expansion_sum(left_count, left, right_count, right, minor);
  return expansion_scale(count, minor, tame(x), product_out);
}

/* Six times the volume between the triangle and the origin. */
static uint32_t determinant(const double *corners, double determinant_out[DETERMINANT_COMPONENTS]) {
  double parts[3][8], both[16];
  uint32_t counts[3];
  for (int k = 0; k < 3; k++)
    counts[k] = product_of(corners[k], corners + 3, corners + 6, (k + 1) % 3, (k + 2) % 3, parts[k]);
  const uint32_t count = expansion_sum(counts[0], parts[0], counts[1], parts[1], both);
  return expansion_sum(count, both, counts[2], parts[2], determinant_out);
}

/* An exact sum of determinants. */
typedef struct volume_sum {
  double components[SUM_COMPONENTS];
  uint32_t count;
} volume_sum;

static void volume_sum_add(volume_sum *sum, const double *corners) {
  double next[SUM_COMPONENTS + DETERMINANT_COMPONENTS], part[DETERMINANT_COMPONENTS];
  const uint32_t part_count = determinant(corners, part);
  sum->count = expansion_sum(sum->count, sum->components, part_count, part, next);
  memcpy(sum->components, next, sum->count * sizeof *next);
}

static double volume_sum_round(const volume_sum *sum) {
  return expansion_estimate(sum->count, sum->components) / 6.0;
}

double mesh_volume(const double *corners, size_t triangle_count) {
  volume_sum sum = {.count = 0};
  for (size_t t = 0; t < triangle_count; t++) volume_sum_add(&sum, corners + 9 * t);
  return volume_sum_round(&sum);
}

double mesh_part_volume(const double *corners, const uint32_t *triangles, size_t count) {
  volume_sum sum = {.count = 0};
  for (size_t i = 0; i < count; i++) volume_sum_add(&sum, corners + 9 * (size_t)triangles[i]);
  return volume_sum_round(&sum);
}

/* ---------------------------------------------------------------------------------------------- edges and shells */

/* Sort keys, with values and scratch for sorting. */
typedef struct sorting {
  uint64_t *keys, *spare_keys;
  uint32_t *values, *spare_values;
  size_t count;
} sorting;

static bool sorting_open(sorting *sort, memory *heap, size_t count) {
  sort->count = count;
  sort->keys = memory_allocate(heap, count, sizeof(uint64_t));
  sort->spare_keys = memory_allocate(heap, count, sizeof(uint64_t));
  sort->values = memory_allocate(heap, count, sizeof(uint32_t));
  sort->spare_values = memory_allocate(heap, count, sizeof(uint32_t));
  return sort->keys != NULL && sort->spare_keys != NULL && sort->values != NULL && sort->spare_values != NULL;
}

static void sorting_close(sorting *sort, memory *heap) {
  memory_release(heap, sort->keys, sort->count, sizeof(uint64_t));
  memory_release(heap, sort->spare_keys, sort->count, sizeof(uint64_t));
  memory_release(heap, sort->values, sort->count, sizeof(uint32_t));
  memory_release(heap, sort->spare_values, sort->count, sizeof(uint32_t));
}

static uint64_t hash_place(const double *point) {
  uint64_t hash = 0;
  for (int axis = 0; axis < 3; axis++) {
    hash = (hash ^ ordered_bits(point[axis] + 0.0)) * UINT64_C(0x9e3779b97f4a7c15); /* -0 is 0 */
    hash ^= hash >> 32;
  }
  return hash;
}

static bool same_place(const double *a, const double *b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* By a hash table with open addressing, whose slots have the first point of each place, plus one. */
bool mesh_places_number(const double *points, size_t count, memory *heap, uint32_t *numbers_out,
                        size_t *place_count_out) {
  size_t slot_count = 2;
  while (slot_count / 2 < count) slot_count *= 2;
  uint32_t *slots = memory_allocate(heap, slot_count, sizeof *slots), place_count = 0;
  if (slots == NULL) return false;
  memset(slots, 0, slot_count * sizeof *slots);
  for (size_t i = 0; i < count; i++) {
    size_t slot = (size_t)hash_place(points + 3 * i) & (slot_count - 1);
    while (slots[slot] != 0 && !same_place(points + 3 * (size_t)(slots[slot] - 1), points + 3 * i))
      slot = (slot + 1) & (slot_count - 1);
    if (slots[slot] == 0) {
      slots[slot] = (uint32_t)i + 1;
      numbers_out[i] = place_count++;
    } else {
      numbers_out[i] = numbers_out[slots[slot] - 1];
    }
  }
  *place_count_out = place_count;
  memory_release(heap, slots, slot_count, sizeof *slots);
  return true;
}

static uint32_t next_corner(uint32_t corner) {
  return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/* Edges by the lower of their ends. */
typedef struct edge_lists {
  const uint32_t *vertices;
  uint32_t *first;   /* where the edges of each vertex begin, and an end */
  uint32_t *corners; /* where each edge begins in its triangle, ascending in each list */
  int32_t *balance;  /* per other end of a vertex's edges: traversals to the higher number minus those to the lower */
  uint32_t *uses;    /* likewise: the number of triangles */
} edge_lists;

static uint32_t edge_other_end(const edge_lists *lists, uint32_t low, uint32_t corner) {
  const uint32_t from = lists->vertices[corner];
  return from == low ? lists->vertices[next_corner(corner)] : from;
}

static bool goes_forward(const uint32_t *vertices, uint32_t corner) {
  return vertices[corner] < vertices[next_corner(corner)];
}

static uint32_t lower_end(const uint32_t *vertices, uint32_t corner) {
  return vertices[goes_forward(vertices, corner) ? corner : next_corner(corner)];
}

/* A triangle that repeats a vertex has no edges: it would traverse one in both directions. */
static bool has_edges(const uint32_t *three) {
  return three[0] != three[1] && three[1] != three[2] && three[2] != three[0];
}

static uint32_t lower(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static void fill_lists(edge_lists *lists, size_t triangle_count, size_t vertex_count) {
  uint32_t *first = lists->first, end = 0;
  memset(first, 0, (vertex_count + 1) * sizeof *first);
  for (size_t t = 0; t < triangle_count; t++) {
    const uint32_t *three = lists->vertices + 3 * t;
    if (!has_edges(three)) continue;
    for (int k = 0; k < 3; k++) first[lower(three[k], three[(k + 1) % 3])]++;
  }
  for (size_t i = 0; i < vertex_count; i++) first[i] = end += first[i];
  first[vertex_count] = end;
  for (size_t t = triangle_count; t-- > 0;) {
    const uint32_t *three = lists->vertices + 3 * t;
    if (!has_edges(three)) continue;
    for (int k = 3; k-- > 0;)
      lists->corners[--first[lower(three[k], three[(k + 1) % 3])]] = (uint32_t)(3 * t) + (uint32_t)k;
  }
}

static void count_edge(int32_t balance, uint32_t uses, mesh_hole *hole) {
  hole->crowded += uses > 2;
  if (balance == 0) return;
  hole->edges++;
  hole->open += uses == 1;
  hole->reversed += uses % 2 == 0;
}

/* Each edge counts once, by the first corner that has it. */
static void check_vertex(const edge_lists *lists, uint32_t low, mesh_hole *hole) {
  const uint32_t begin = lists->first[low], end = lists->first[low + 1];
  for (uint32_t i = begin; i < end; i++) {
    const uint32_t corner = lists->corners[i], other = edge_other_end(lists, low, corner);
    lists->balance[other] += goes_forward(lists->vertices, corner) ? 1 : -1;
    lists->uses[other]++;
  }
  for (uint32_t i = begin; i < end; i++) {
    const uint32_t corner = lists->corners[i], other = edge_other_end(lists, low, corner), uses = lists->uses[other];
    const int32_t balance = lists->balance[other];
    if (uses == 0) continue;
    lists->uses[other] = 0;
    lists->balance[other] = 0;
    count_edge(balance, uses, hole);
    if (balance == 0 || (hole->edges > 1 && 3 * hole->triangle + (size_t)hole->corner <= corner)) continue;
    hole->triangle = corner / 3;
    hole->corner = (int)(corner % 3);
  }
}

static void count_passes(const edge_lists *lists, mesh_hole *hole) {
  const uint32_t corner = (uint32_t)(3 * hole->triangle) + (uint32_t)hole->corner;
  const uint32_t low = lower_end(lists->vertices, corner), high = edge_other_end(lists, low, corner);
  for (uint32_t i = lists->first[low]; i < lists->first[low + 1]; i++) {
    if (edge_other_end(lists, low, lists->corners[i]) != high) continue;
    if (goes_forward(lists->vertices, lists->corners[i]))
      hole->forward++;
    else
      hole->backward++;
  }
}

bool mesh_holes_find(const uint32_t *vertices, size_t triangle_count, size_t vertex_count, memory *heap,
                     mesh_hole *hole_out) {
  edge_lists lists = {vertices, memory_allocate(heap, vertex_count + 1, sizeof *lists.first),
                      memory_allocate(heap, 3 * triangle_count, sizeof *lists.corners),
                      memory_allocate(heap, vertex_count, sizeof *lists.balance),
                      memory_allocate(heap, vertex_count, sizeof *lists.uses)};
  const bool opened = lists.first != NULL && lists.corners != NULL && lists.balance != NULL && lists.uses != NULL;
  *hole_out = (mesh_hole){.edges = 0};
  if (opened) {
    fill_lists(&lists, triangle_count, vertex_count);
    memset(lists.balance, 0, vertex_count * sizeof *lists.balance);
    memset(lists.uses, 0, vertex_count * sizeof *lists.uses);
    for (size_t i = 0; i < vertex_count; i++) check_vertex(&lists, (uint32_t)i, hole_out);
    if (hole_out->edges > 0) count_passes(&lists, hole_out);
  }
  memory_release(heap, lists.first, vertex_count + 1, sizeof *lists.first);
  memory_release(heap, lists.corners, 3 * triangle_count, sizeof *lists.corners);
  memory_release(heap, lists.balance, vertex_count, sizeof *lists.balance);
  memory_release(heap, lists.uses, vertex_count, sizeof *lists.uses);
  return opened;
}

/* Vertices of one triangle belong to one shell; the lowest number represents it. */
static void count_shells(closed_mesh *mesh, uint32_t *parents) {
  disjoint_sets_init(parents, mesh->vertex_count);
  for (size_t corner = 0; corner < 3 * mesh->triangle_count; corner++)
    disjoint_sets_unite(parents, mesh->vertices[corner], mesh->vertices[next_corner((uint32_t)corner)]);
  mesh->shells = 0;
  for (size_t i = 0; i < mesh->vertex_count; i++) mesh->shells += parents[i] == i;
}

/* Each shell is closed by itself, as triangles at one edge belong to one shell. Sorting groups its triangles. */
static void count_sides(closed_mesh *mesh, sorting *sort) {
  uint32_t *parents = sort->values;
  mesh->outward_shells = mesh->inward_shells = 0;
  for (size_t t = 0; t < mesh->triangle_count; t++) sort->keys[t] = disjoint_sets_find(parents, mesh->vertices[3 * t]);
  for (size_t t = 0; t < mesh->triangle_count; t++) sort->values[t] = (uint32_t)t;
  radix_sort_pairs(sort->keys, sort->values, sort->spare_keys, sort->spare_values, mesh->triangle_count, 32);
  for (size_t i = 0, end; i < mesh->triangle_count; i = end) {
    for (end = i; end < mesh->triangle_count && sort->keys[end] == sort->keys[i];) end++;
    const double volume = mesh_part_volume(mesh->corners, sort->values + i, end - i);
    mesh->outward_shells += volume > 0.0;
    mesh->inward_shells += volume < 0.0;
  }
}

bool mesh_edges_check(closed_mesh *target, memory *heap, mesh_hole *hole_out) {
  const size_t corner_count = 3 * target->triangle_count;
  sorting sort;
  bool done = sorting_open(&sort, heap, corner_count);
  if (done) {
    done = mesh_places_number(target->corners, corner_count, heap, target->vertices, &target->vertex_count) &&
           mesh_holes_find(target->vertices, target->triangle_count, target->vertex_count, heap, hole_out);
  }
  if (done) {
    count_shells(target, sort.values);
    if (hole_out->edges == 0) count_sides(target, &sort);
  }
  sorting_close(&sort, heap);
  return done;
}

graze_result mesh_hole_fail(const closed_mesh *target, const mesh_hole *hole) {
  const double *corners = target->corners + 9 * hole->triangle, back = power_of_two(target->exponent);
  const double *from = corners + 3 * hole->corner, *to = corners + 3 * ((hole->corner + 1) % 3);
  const bool open = hole->forward == 0 || hole->backward == 0;
  return fail(GRAZE_INVALID_ARGUMENT,
              "%s: triangle %zu has an edge from (%g, %g, %g) to (%g, %g, %g) whose uses do "
              "not match (forward %u, backward %u)%s; %zu such edges in total",
              hole->reversed == hole->edges ? "the triangles of the mesh are not oriented consistently"
                                            : "the mesh is not closed",
              hole->triangle, from[0] * back, from[1] * back, from[2] * back, to[0] * back, to[1] * back, to[2] * back,
              (unsigned)hole->forward, (unsigned)hole->backward,
              open && hole->forward + hole->backward == 1 ? ", the rim of a hole" : "", hole->edges);
}
