/* Queries of callers: read over the defaults and checked. */
#ifndef GRAZE_API_QUERY_READING_H
#define GRAZE_API_QUERY_READING_H

#include "scene/scene_data.h"

/* The scene must be updated, and the query valid for it. */
graze_result scene_read_query(const graze_scene *scene, const graze_query *given_or_null, graze_query *query_out);

/* GRAZE_INVALID_ARGUMENT for a pair test that does not exist. */
graze_result scene_check_test(const graze_scene *scene, graze_test test);

#endif
