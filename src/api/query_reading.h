/* Reads callers' queries over the defaults and checks them. */
#ifndef GRAZE_API_QUERY_READING_H
#define GRAZE_API_QUERY_READING_H

#include "scene/scene_data.h"

/* Refuses scenes that are not updated, and queries that are not valid for the scene. */
graze_result scene_read_query(const graze_scene *scene, const graze_query *given_or_null, graze_query *query_out);

/* GRAZE_INVALID_ARGUMENT for a pair test that does not exist. */
graze_result scene_check_test(const graze_scene *scene, graze_test test);

#endif
