/* Edges of a mesh; see mesh_edges.h. */
#include "packing/mesh_edges.h"

#include "base/error_text.h"
#include "base/radix_sort.h"
#include "geometry/binary_scale.h"
#include "packing/mesh_volume.h"

#include <string.h>

/* Sorted by, with values and room for sorting. */
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

static void sort_now(sorting *sort) {
  radix_sort_pairs(sort->keys, sort->values, sort->spare_keys, sort->spare_values, sort->count, 64);
}

/* Unsigned numbers in the order of the doubles. */
static uint64_t ordered_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (bits >> 63) != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

static bool same_place(const closed_mesh *mesh, uint32_t a, uint32_t b) {
  const double *at_a = mesh->corners + 3 * (size_t)a, *at_b = mesh->corners + 3 * (size_t)b;
  return at_a[0] == at_b[0] && at_a[1] == at_b[1] && at_a[2] == at_b[2];
}

/* Sorts corners by place, one axis after the other, and numbers what is equal alike. */
static void number_places(closed_mesh *mesh, sorting *sort) {
  for (size_t i = 0; i < sort->count; i++) sort->values[i] = (uint32_t)i;
  for (size_t axis = 0; axis < 3; axis++) {
    for (size_t i = 0; i < sort->count; i++)
      sort->keys[i] = ordered_bits(mesh->corners[3 * (size_t)sort->values[i] + axis] + 0.0);
    sort_now(sort);
  }
  uint32_t number = 0;
  for (size_t i = 0; i < sort->count; i++) {
    if (i > 0 && !same_place(mesh, sort->values[i - 1], sort->values[i])) number++;
    mesh->vertices[sort->values[i]] = number;
  }
  mesh->vertex_count = (size_t)number + 1;
}

static uint32_t next_corner(uint32_t corner) {
  return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static uint64_t edge_key(const closed_mesh *mesh, uint32_t corner) {
  const uint64_t from = mesh->vertices[corner], to = mesh->vertices[next_corner(corner)];
  return from < to ? from << 32 | to : to << 32 | from;
}

static bool goes_forward(const closed_mesh *mesh, uint32_t corner) {
  return mesh->vertices[corner] < mesh->vertices[next_corner(corner)];
}

/* An edge with no length is passed both ways at once. */
static bool has_length(uint64_t key) {
  return key >> 32 != (key & UINT32_MAX);
}

static void note_hole(mesh_hole *hole, uint32_t corner, uint32_t forward, uint32_t backward) {
  if (hole->edges++ > 0 && hole->triangle <= corner / 3) return;
  hole->triangle = corner / 3;
  hole->corner = (int)(corner % 3);
  hole->forward = forward;
  hole->backward = backward;
}

static void find_holes(const closed_mesh *mesh, sorting *sort, mesh_hole *hole_out) {
  *hole_out = (mesh_hole){.edges = 0};
  for (size_t i = 0; i < sort->count; i++) {
    sort->values[i] = (uint32_t)i;
    sort->keys[i] = edge_key(mesh, (uint32_t)i);
  }
  sort_now(sort);
  for (size_t i = 0, end; i < sort->count; i = end) {
    uint32_t forward = 0, backward = 0;
    for (end = i; end < sort->count && sort->keys[end] == sort->keys[i]; end++) {
      if (goes_forward(mesh, sort->values[end]))
        forward++;
      else
        backward++;
    }
    if (forward != backward && has_length(sort->keys[i])) note_hole(hole_out, sort->values[i], forward, backward);
  }
}

static uint32_t shell_of(uint32_t *parents, uint32_t vertex) {
  while (parents[vertex] != vertex) {
    parents[vertex] = parents[parents[vertex]];
    vertex = parents[vertex];
  }
  return vertex;
}

/* Vertices of one triangle are of one shell; the lowest number stands for it. */
static void count_shells(closed_mesh *mesh, uint32_t *parents) {
  for (size_t i = 0; i < mesh->vertex_count; i++) parents[i] = (uint32_t)i;
  for (size_t corner = 0; corner < 3 * mesh->triangle_count; corner++) {
    const uint32_t a = shell_of(parents, mesh->vertices[corner]);
    const uint32_t b = shell_of(parents, mesh->vertices[next_corner((uint32_t)corner)]);
    parents[a > b ? a : b] = a > b ? b : a;
  }
  mesh->shells = 0;
  for (size_t i = 0; i < mesh->vertex_count; i++) mesh->shells += parents[i] == i;
}

/* Each shell is closed by itself, as triangles at one edge are of one shell. Its triangles come together by sorting. */
static void count_sides(closed_mesh *mesh, sorting *sort) {
  uint32_t *parents = sort->values;
  mesh->outward_shells = mesh->inward_shells = 0;
  for (size_t t = 0; t < mesh->triangle_count; t++) sort->keys[t] = shell_of(parents, mesh->vertices[3 * t]);
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
  sorting sort;
  const bool opened = sorting_open(&sort, heap, 3 * target->triangle_count);
  if (opened) {
    number_places(target, &sort);
    find_holes(target, &sort, hole_out);
    count_shells(target, sort.values);
    if (hole_out->edges == 0) count_sides(target, &sort);
  }
  sorting_close(&sort, heap);
  return opened;
}

graze_result mesh_hole_fail(const closed_mesh *target, const mesh_hole *hole) {
  const double *corners = target->corners + 9 * hole->triangle, back = power_of_two(target->exponent);
  const double *from = corners + 3 * hole->corner, *to = corners + 3 * ((hole->corner + 1) % 3);
  const bool open = hole->forward == 0 || hole->backward == 0;
  return fail(GRAZE_INVALID_ARGUMENT,
              "the mesh is not closed: triangle %zu has an edge from (%g, %g, %g) to (%g, %g, %g) that is passed %u "
              "times one way and %u times the other%s; %zu edges in all are like that",
              hole->triangle, from[0] * back, from[1] * back, from[2] * back, to[0] * back, to[1] * back, to[2] * back,
              (unsigned)hole->forward, (unsigned)hole->backward,
              open && hole->forward + hole->backward == 1 ? ", the rim of a hole" : "", hole->edges);
}
