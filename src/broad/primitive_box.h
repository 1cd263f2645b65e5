/* The box of a primitive, computed from its vertices if it is not stored.
 *
 * Workload: each primitive once or twice per search, in file order or in spatial order. */
#ifndef GRAZE_BROAD_PRIMITIVE_BOX_H
#define GRAZE_BROAD_PRIMITIVE_BOX_H

#include "base/four_floats.h"
#include "base/prefetch.h"
#include "broad/axis_map.h"
#include "broad/primitive_view.h"

#include <float.h>

/* A bounding box of rounded vertices with their errors, four floats at a time.
 *
 * Workload: every vertex of a scene once per update, and the corners of a primitive once or twice per search. */

typedef struct growing_box {
  four_floats low, high; /* the fourth is unused */
} growing_box;

static inline growing_box growing_box_empty(void) {
  return (growing_box){four_floats_fill(FLT_MAX), four_floats_fill(-FLT_MAX)};
}

static inline growing_box growing_box_at(const rounded_vertex *vertex) {
  const four_floats place = four_floats_load(&vertex->x);
  const four_floats error = four_floats_fill_last(place);
  return (growing_box){four_floats_subtract(place, error), four_floats_add(place, error)};
}

static inline void growing_box_include(growing_box *box, const rounded_vertex *vertex) {
  const growing_box more = growing_box_at(vertex);
  box->low = four_floats_smaller(box->low, more.low);
  box->high = four_floats_larger(box->high, more.high);
}

static inline primitive_box growing_box_end(const growing_box *box) {
  float min[4], max[4];
  four_floats_store(min, box->low);
  four_floats_store(max, box->high);
  return (primitive_box){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

/* The box around vertices, including their errors. */
static inline primitive_box box_around(const rounded_vertex *vertices, corner_list corners) {
  growing_box box = growing_box_empty();
  for (uint32_t i = 0; i < corners.count; i++) growing_box_include(&box, &vertices[corners.vertices[i]]);
  return growing_box_end(&box);
}

/* The same for three vertices: most primitives are triangles. */
static inline growing_box growing_box_around_three(const rounded_vertex *vertices, const uint32_t corners[3]) {
  growing_box box = growing_box_at(&vertices[corners[0]]);
  growing_box_include(&box, &vertices[corners[1]]);
  growing_box_include(&box, &vertices[corners[2]]);
  return box;
}
static inline primitive_box box_around_three(const rounded_vertex *vertices, const uint32_t corners[3]) {
  const growing_box box = growing_box_around_three(vertices, corners);
  return growing_box_end(&box);
}

/* The box of a ball in a piecewise-mapped scene. */
static inline primitive_box bent_ball_box(const primitive_view *view, const primitive_header *header) {
  const object_source *source = &view->sources[header->object];
  const uint32_t vertex = header->corner[0] - source->first_vertex;
  double center[3];
  fetch_vertex(source, vertex, center);
  return mapped_ball_box(center, radius_at(source, vertex), view->map);
}

/* The box of a primitive, computed from its vertices. */
static inline primitive_box primitive_box_made(const primitive_view *view, size_t primitive) {
  const primitive_header *header = &view->headers[primitive];
  if (view->only_triangles) return box_around_three(view->rounded_vertices, header->corner);
  const object_source *source = &view->sources[header->object];
  if (view->map != NULL && kind_is_ball(source->kind)) return bent_ball_box(view, header);
  if (headers_have_all_corners(source)) return box_around_three(view->rounded_vertices, header->corner);
  return box_around(view->rounded_vertices + source->first_vertex, corners_of(source, (uint32_t)primitive));
}

/* Prefetches the data that primitive_box_at reads for a primitive with this header, so that the misses of several
 * overlap. */
static inline void prefetch_box(const primitive_view *view, const primitive_header *header) {
  if (view->boxes != NULL) return;
  for (int i = 0; i < 3; i++) prefetch(&view->rounded_vertices[header->corner[i]]);
}

/* The box by which a primitive is searched: the stored one, or that of its vertices. */
static inline primitive_box primitive_box_at(const primitive_view *view, size_t primitive) {
  return view->boxes != NULL ? view->boxes[primitive] : primitive_box_made(view, primitive);
}

/* Writes the boxes of four triangles, computed from their vertices, as six arrays. */
static inline void write_four_boxes(const primitive_view *view, const uint32_t primitives[4], size_t at,
                                    float *const bound_out[6]) {
  four_floats low[4], high[4];
  for (int i = 0; i < 4; i++) {
    const growing_box box = growing_box_around_three(view->rounded_vertices, view->headers[primitives[i]].corner);
    low[i] = box.low;
    high[i] = box.high;
  }
  four_floats_transpose(low);
  four_floats_transpose(high);
  for (int axis = 0; axis < 3; axis++) {
    four_floats_store(bound_out[axis] + at, low[axis]);
    four_floats_store(bound_out[axis + 3] + at, high[axis]);
  }
}

/* Writes the boxes of some primitives, equal to those of primitive_box_at, as six arrays. */
static inline void write_boxes(const primitive_view *view, const uint32_t *primitives, size_t count,
                               float *const bound_out[6]) {
  size_t i = 0;
  if (view->only_triangles && view->boxes == NULL)
    for (; i + 4 <= count; i += 4) write_four_boxes(view, primitives + i, i, bound_out);
  for (; i < count; i++) {
    const primitive_box box = primitive_box_at(view, primitives[i]);
    for (int axis = 0; axis < 3; axis++) {
      bound_out[axis][i] = box.min[axis];
      bound_out[axis + 3][i] = box.max[axis];
    }
  }
}

#endif
