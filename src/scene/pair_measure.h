/* What two primitives of any kinds share: points, volume, centroid, and the least translation that parts them. */
#ifndef GRAZE_SCENE_PAIR_MEASURE_H
#define GRAZE_SCENE_PAIR_MEASURE_H

#include "base/pair_list.h"
#include "scene/scene_internal.h"

/* A triangle clipped by a tetrahedron has seven corners at most, and no two pieces share more points. */
enum { MEASURE_POINTS = 7 };

/* The point_count of a contact with more points than can be numbered. */
#define MEASURE_TOO_MANY UINT32_MAX

/* Fills the measures of the contact of two primitives; false when they do not meet. At most `room` points are written;
 * point_count says how many there are. */
bool pair_measure(const graze_scene *scene, index_pair pair, graze_contact *contact, double (*points)[3], size_t room);

/* The volume and centroid of the common part of two solids, and the translation; false when they do not meet. */
bool pair_measure_solids(const graze_scene *scene, index_pair pair, graze_contact *contact);

#endif
