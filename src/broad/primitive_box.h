/* The box of a primitive, made from its vertices where none is given.
 *
 * Workload: each primitive once or twice a search, in the order of a file or in that of space. */
#ifndef GRAZE_BROAD_PRIMITIVE_BOX_H
#define GRAZE_BROAD_PRIMITIVE_BOX_H

#include "base/prefetch.h"
#include "broad/growing_box.h"
#include "broad/primitive_view.h"

/* The box around vertices with their errors. */
static inline primitive_box box_around(const rounded_vertex *vertices, corner_list corners) {
  growing_box box = growing_box_empty();
  for (uint32_t i = 0; i < corners.count; i++) growing_box_include(&box, &vertices[corners.vertices[i]]);
  return growing_box_end(&box);
}

/* The box of a primitive by its vertices. */
static inline primitive_box primitive_box_made(const primitive_view *view, size_t primitive) {
  const primitive_header *header = &view->headers[primitive];
  const object_source *source = &view->sources[header->object];
  if (headers_have_all_corners(source)) return box_around(view->rounded_vertices, (corner_list){header->corner, 3});
  return box_around(view->rounded_vertices + source->first_vertex, corners_of(source, (uint32_t)primitive));
}

/* Asks for what primitive_box_at reads of a primitive with this header beside it: of many first, so that misses
 * overlap. */
static inline void prefetch_box(const primitive_view *view, const primitive_header *header) {
  if (view->boxes != NULL) return;
  for (int i = 0; i < 3; i++) prefetch(&view->rounded_vertices[header->corner[i]]);
}

/* The box that a primitive is searched by: as given, or else by its vertices. */
static inline primitive_box primitive_box_at(const primitive_view *view, size_t primitive) {
  return view->boxes != NULL ? view->boxes[primitive] : primitive_box_made(view, primitive);
}

#endif
