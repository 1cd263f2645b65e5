/* Maps the node tags of a Gmsh file to vertex indices.
 *
 * Workload: millions of nodes, tagged 1, 2, 3, ... in nearly all files, which needs no memory. Other files have blocks
 * of tags out of order or with gaps, which are sorted once and then searched, about twenty steps per corner. */
#ifndef GRAZE_NODE_TAGS_H
#define GRAZE_NODE_TAGS_H

#include "mesh_io/mesh_reading.h"

typedef struct node_tag {
  int64_t tag;
  uint32_t vertex;
} node_tag;

typedef struct node_tags {
  int64_t first;        /* while tags are consecutive, vertex i has the tag first + i */
  size_t count;         /* of vertices tagged so far */
  node_tag *list;       /* NULL while tags are consecutive; sorted by node_tags_finish */
  size_t list_capacity; /* in elements */
} node_tags;

/* Adds the tag of vertex number `count`. False after a message when out of memory. */
bool node_tags_add(node_tags *tags, const mesh_reading *reading, int64_t tag);

/* Returns the tag of a vertex; not after node_tags_finish. */
int64_t node_tags_of_vertex(const node_tags *tags, size_t vertex);

/* Call before tags are looked up. False after a message if a tag occurs twice. */
bool node_tags_finish(node_tags *tags, const mesh_reading *reading);

bool node_tags_find(const node_tags *tags, int64_t tag, uint32_t *vertex_out);
void node_tags_free(node_tags *tags, const mesh_memory *memory);

#endif
