/* Regions of pairs: groups, classifies and measures them, in the memory of a list. */
#ifndef GRAZE_REGIONS_REGION_LIST_H
#define GRAZE_REGIONS_REGION_LIST_H

#include "base/answer_list.h"
#include "base/stop_check.h"
#include "graze/regions.h"
#include "scene/scene_data.h"

/* Makes the regions of pairs, at least one and at most INT32_MAX, of an updated scene on the host, and sets the fields.
 * GRAZE_STOPPED without a message; other failures set one. */
graze_result region_list_make(const graze_scene *scene, const graze_pair *pairs, size_t count,
                              const graze_region_options *options, stop_check *stop_or_null, graze_list_memory *list,
                              graze_regions *fields);

#endif
