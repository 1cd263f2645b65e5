/* The search of `graze distance`: reads the objects, places them frame by frame, and finds distances. */
#ifndef GRAZE_DISTANCE_SEARCH_H
#define GRAZE_DISTANCE_SEARCH_H

#include "distance_outcome.h"
#include "scene_file.h"

/* Fills the outcome, whose options and objects are given. If a picture is requested, the objects stay placed as in the
 * frame with the least distance. False after a complaint. Release `file`, outcome and objects in any case. */
bool distance_search(graze_scene *scene, scene_file *file, distance_outcome *outcome);

#endif
