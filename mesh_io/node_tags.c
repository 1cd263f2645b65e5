/* Maps tags of nodes, consecutive or sorted, to vertices. */
#include "mesh_io/node_tags.h"

#include "mesh_io/mesh_builder.h"

#include <stdlib.h>

static bool reserve(node_tags *tags, const mesh_reading *reading, size_t count, size_t more) {
  void *block = tags->list;
  const bool fits =
      mesh_builder_grow(reading, &block, &tags->list_capacity, count, more, sizeof(node_tag), "node tags");
  tags->list = block;
  return fits;
}

/* Unsigned, because tags in hostile files may be as far apart as possible. */
static uint64_t distance_from_first(const node_tags *tags, int64_t tag) {
  return (uint64_t)tag - (uint64_t)tags->first;
}

bool node_tags_add(node_tags *tags, const mesh_reading *reading, int64_t tag) {
  if (tags->count == 0) tags->first = tag;
  if (!tags->list) {
    if (distance_from_first(tags, tag) == tags->count) {
      tags->count++;
      return true;
    }
    if (!reserve(tags, reading, 0, tags->count + 1)) return false;
    for (size_t i = 0; i < tags->count; i++) {
      tags->list[i] = (node_tag){(int64_t)((uint64_t)tags->first + i), (uint32_t)i};
    }
  }
  if (!reserve(tags, reading, tags->count, 1)) return false;
  tags->list[tags->count] = (node_tag){tag, (uint32_t)tags->count};
  tags->count++;
  return true;
}

int64_t node_tags_of_vertex(const node_tags *tags, size_t vertex) {
  return tags->list ? tags->list[vertex].tag : (int64_t)((uint64_t)tags->first + vertex);
}

static int compare_tags(const void *a, const void *b) {
  const int64_t x = ((const node_tag *)a)->tag;
  const int64_t y = ((const node_tag *)b)->tag;
  return (x > y) - (x < y);
}

bool node_tags_finish(node_tags *tags, const mesh_reading *reading) {
  if (!tags->list) return true;
  qsort(tags->list, tags->count, sizeof *tags->list, compare_tags);
  for (size_t i = 1; i < tags->count; i++) {
    if (tags->list[i].tag != tags->list[i - 1].tag) continue;
    return mesh_fail(reading, "node %lld is defined twice", (long long)tags->list[i].tag);
  }
  return true;
}

bool node_tags_find(const node_tags *tags, int64_t tag, uint32_t *vertex_out) {
  if (!tags->list) {
    const uint64_t vertex = distance_from_first(tags, tag);
    *vertex_out = (uint32_t)vertex;
    return vertex < tags->count;
  }
  size_t first = 0;
  size_t end = tags->count;
  while (first < end) {
    const size_t middle = first + (end - first) / 2;
    if (tags->list[middle].tag < tag) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  if (first == tags->count || tags->list[first].tag != tag) return false;
  *vertex_out = tags->list[first].vertex;
  return true;
}

void node_tags_free(node_tags *tags, const mesh_memory *memory) {
  mesh_release(memory, tags->list);
  *tags = (node_tags){0};
}
