/* The view of a scene that a method receives in a query on the processor. */
#ifndef GRAZE_BACKEND_CPU_QUERY_VIEW_H
#define GRAZE_BACKEND_CPU_QUERY_VIEW_H

#include "scene/scene_data.h"

/* Makes the view of a checked query. With a clearance, it allocates boxes of objects: *grown_out, else NULL. False when
 * out of memory. query_view_release accepts either. */
bool query_view_make(const graze_scene *scene, const graze_query *query, memory *heap, primitive_view *view_out,
                     primitive_box **grown_out);
void query_view_release(const primitive_view *view, memory *heap, primitive_box *grown);

#endif
