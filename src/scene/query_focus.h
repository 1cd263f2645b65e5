/* The part of a query that says what it is about and when it ends: checked, and as the broad phase takes it. */
#ifndef GRAZE_SCENE_QUERY_FOCUS_H
#define GRAZE_SCENE_QUERY_FOCUS_H

#include "scene/scene_internal.h"

/* Refuses objects that are not there, and boxes that are none. */
graze_result query_focus_check(const graze_scene *scene, const graze_query *query);

/* For a query that was checked. */
query_focus query_focus_of(const graze_query *query);

#endif
