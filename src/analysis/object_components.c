/* Components of objects; see object_components.h. */
#include "analysis/object_components.h"

#include "base/disjoint_sets.h"
#include "base/radix_sort.h"
#include "geometry/bits.h"

#include <string.h>

static void unite_corners(const object_source *source, uint32_t *parents) {
  for (uint32_t i = 0; i < source->primitive_count; i++) {
    if (element_is_removed(source, i)) continue;
    const corner_list corners = corners_of(source, source->first_primitive + i);
    uint32_t least = disjoint_sets_find(parents, corners.vertices[0]);
    for (uint32_t k = 1; k < corners.count; k++) {
      if (parents[corners.vertices[k]] == least) continue; /* true for most */
      disjoint_sets_unite(parents, least, corners.vertices[k]);
      least = parents[least];
    }
  }
}

/* Gives each vertex the least vertex of its component: that of its parent, which is lower and already final. */
static void flatten(uint32_t *parents, size_t count) {
  for (size_t i = 0; i < count; i++) parents[i] = parents[parents[i]];
}

/* Counts primitives by the least vertex of their component. */
static size_t count_primitives(const object_source *source, const uint32_t *parents, uint32_t *counts) {
  size_t components = 0;
  for (uint32_t i = 0; i < source->primitive_count; i++) {
    if (element_is_removed(source, i)) continue;
    const corner_list corners = corners_of(source, source->first_primitive + i);
    components += counts[parents[corners.vertices[0]]]++ == 0;
  }
  return components;
}

static void list_components(const object_source *source, size_t vertex_count, const uint32_t *counts,
                            object_component *components) {
  for (size_t vertex = 0; vertex < vertex_count; vertex++) {
    if (counts[vertex] == 0) continue;
    fetch_vertex(source, (uint32_t)vertex, components->place);
    components->primitive_count = counts[vertex];
    components++;
  }
}

/* The keys are ordered bits of x; the values are places in the list. */
static bool sort_components(object_component *components, size_t count, memory *heap) {
  if (count < 2) return true;
  uint64_t *keys = memory_allocate(heap, 2 * count, sizeof *keys);
  uint32_t *values = memory_allocate(heap, 2 * count, sizeof *values);
  object_component *copies = memory_allocate(heap, count, sizeof *copies);
  const bool is_allocated = keys != NULL && values != NULL && copies != NULL;
  if (is_allocated) {
    memcpy(copies, components, count * sizeof *copies);
    for (size_t i = 0; i < count; i++) {
      keys[i] = ordered_bits(components[i].place[0] + 0.0);
      values[i] = (uint32_t)i;
    }
    radix_sort_pairs(keys, values, keys + count, values + count, count, 64);
    for (size_t i = 0; i < count; i++) components[i] = copies[values[i]];
  }
  memory_release(heap, keys, 2 * count, sizeof *keys);
  memory_release(heap, values, 2 * count, sizeof *values);
  memory_release(heap, copies, count, sizeof *copies);
  return is_allocated;
}

bool object_components_find(const object_source *source, size_t vertex_count, memory *heap, array *components_out) {
  uint32_t *parents = memory_allocate(heap, vertex_count, sizeof *parents);
  uint32_t *counts = memory_allocate(heap, vertex_count, sizeof *counts);
  bool done = parents != NULL && counts != NULL;
  if (done) {
    disjoint_sets_init(parents, vertex_count);
    memset(counts, 0, vertex_count * sizeof *counts);
    unite_corners(source, parents);
    flatten(parents, vertex_count);
    done = array_resize(components_out, heap, count_primitives(source, parents, counts));
  }
  if (done) {
    list_components(source, vertex_count, counts, components_out->data);
    done = sort_components(components_out->data, components_out->count, heap);
  }
  memory_release(heap, parents, vertex_count, sizeof *parents);
  memory_release(heap, counts, vertex_count, sizeof *counts);
  return done;
}
