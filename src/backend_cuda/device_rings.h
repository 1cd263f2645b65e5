/* clearance_rings on a device: the host removes pairs from the device's list. */
#ifndef GRAZE_BACKEND_CUDA_DEVICE_RINGS_H
#define GRAZE_BACKEND_CUDA_DEVICE_RINGS_H

#include "scene/scene_data.h"

/* Whether the list of a query must be thinned. */
bool query_thins_rings(const graze_query *query);

/* The query for `meeting` of device_thin_rings: pairs within objects that intersect. */
graze_query query_of_meeting_pairs(const graze_query *query);

/* Removes pairs that are near along their mesh and do not intersect from the sorted list of a query; *count becomes the
 * number left. False when out of memory; the list is then not valid. */
bool device_thin_rings(const graze_scene *scene, const graze_query *query, const graze_pair *meeting,
                       size_t meeting_count, graze_pair *pairs, size_t *count);

#endif
