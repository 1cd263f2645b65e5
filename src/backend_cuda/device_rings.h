/* clearance_rings on a device: the host leaves pairs out of the list that came from there. */
#ifndef GRAZE_BACKEND_CUDA_DEVICE_RINGS_H
#define GRAZE_BACKEND_CUDA_DEVICE_RINGS_H

#include "scene/scene_data.h"

/* Whether the list of a query must be thinned. */
bool query_thins_rings(const graze_query *query);

/* The query whose pairs `meeting` of device_thin_rings is: those within objects that intersect. */
graze_query query_of_meeting_pairs(const graze_query *query);

/* Takes pairs that are near along their mesh and do not intersect out of the list of a query, which stays in order;
 * *count becomes what is left. False when out of memory; the list is then of no use. */
bool device_thin_rings(const graze_scene *scene, const graze_query *query, const graze_pair *meeting,
                       size_t meeting_count, graze_pair *pairs, size_t *count);

#endif
