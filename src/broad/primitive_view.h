/* The read-only view of the scene's triangles that methods and tests share: plain arrays, filled by src/scene.
 *
 * Everything here lives in the scene's frame: positions moved by a multiple of a power of two and scaled by a power of
 * two, so that the scene fits into [-1, 1]. Cells, levels, boxes and the float filter work in it; what is exact (the
 * given coordinates) is reached through `sources`. */
#ifndef GRAZE_BROAD_PRIMITIVE_VIEW_H
#define GRAZE_BROAD_PRIMITIVE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A vertex in the frame, rounded to float. Each coordinate is within `error` of the exact one, and so is the float
 * coordinate -+ error on its outer side: error is 0 where the float is exact, else it includes one more rounding. */
typedef struct near_vertex {
  float x, y, z, error;
} near_vertex;

/* A closed box in the frame that contains its triangle, rounded outward. */
typedef struct primitive_box {
  float min[3], max[3];
} primitive_box;

enum { GRID_LEVEL_COUNT = 32, LEVEL_NOT_SEARCHED = 255 };

/* What a primitive is made of and belongs to. */
typedef struct primitive_tag {
  uint32_t corner[3]; /* the scene's vertex numbers */
  uint32_t object;
} primitive_tag;

/* Where the exact coordinates of one object's vertices lie. */
typedef struct vertex_source {
  const void *positions; /* packed triples of double or float */
  uint32_t first_vertex; /* the scene's number of the object's vertex 0 */
  bool is_double;
} vertex_source;

typedef struct object_rule {
  uint64_t category, mask;
  bool self; /* pairs within the object are asked for */
} object_rule;

typedef struct primitive_view {
  size_t primitive_count;
  const primitive_tag *tags;
  const near_vertex *near_vertices;
  const primitive_box *boxes; /* defined where the level is not LEVEL_NOT_SEARCHED */
  const uint8_t *levels;      /* level of each primitive, or LEVEL_NOT_SEARCHED */
  size_t level_population[GRID_LEVEL_COUNT];
  const vertex_source *sources; /* an object each */
  const object_rule *rules;     /* an object each */
  size_t object_count;
  bool between, within; /* the query's scope */
  bool skip_neighbours; /* triangles that share a vertex are no candidates */
  bool rules_differ;    /* some object has a category or mask other than the default */
} primitive_view;

/* Whether the query asks for pairs of these two objects. Within one object, `self` decides alone. */
static inline bool objects_meet(const primitive_view *view, uint32_t a, uint32_t b) {
  if (a == b) return view->within && view->rules[a].self;
  return view->between && (view->rules[a].category & view->rules[b].mask) != 0 &&
         (view->rules[b].category & view->rules[a].mask) != 0;
}

static inline void fetch_triangle(const primitive_view *view, const primitive_tag *tag, double corners_out[9]) {
  const vertex_source *source = &view->sources[tag->object];
  for (int corner = 0; corner < 3; corner++) {
    const size_t at = 3 * (size_t)(tag->corner[corner] - source->first_vertex);
    for (int axis = 0; axis < 3; axis++)
      corners_out[3 * corner + axis] = source->is_double ? ((const double *)source->positions)[at + axis]
                                                         : (double)((const float *)source->positions)[at + axis];
  }
}

/* Asks for what fetch_triangle will read. */
static inline void prefetch_triangle(const primitive_view *view, const primitive_tag *tag) {
  const vertex_source *source = &view->sources[tag->object];
  const size_t vertex_bytes = 3 * (source->is_double ? sizeof(double) : sizeof(float));
  for (int corner = 0; corner < 3; corner++)
    __builtin_prefetch((const char *)source->positions + vertex_bytes * (tag->corner[corner] - source->first_vertex));
}

static inline bool boxes_meet(const primitive_box *a, const primitive_box *b) {
  return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] && b->min[1] <= a->max[1] &&
         a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

#endif
