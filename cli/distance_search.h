/* How `graze distance` searches: reads the objects, places them frame by frame, and asks for distances. */
#ifndef GRAZE_DISTANCE_SEARCH_H
#define GRAZE_DISTANCE_SEARCH_H

#include "distance_outcome.h"
#include "scene_file.h"

/* Fills the outcome, whose options and objects are given. Where a picture is asked for, the objects are left where the
 * frame with the least distance has them. False after a complaint. Release `file`, outcome and objects in either case.
 */
bool distance_search(graze_scene *scene, scene_file *file, distance_outcome *outcome);

#endif
