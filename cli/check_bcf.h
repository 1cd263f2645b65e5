/* The clashes of a check as issues for building tools. */
#ifndef GRAZE_CHECK_BCF_H
#define GRAZE_CHECK_BCF_H

#include "check_outcome.h"

/* Writes a BCF 2.1 archive; false after a complaint. The outcome has regions with depths, and the objects their meshes.
 */
bool check_outcome_write_bcf(const check_outcome *outcome, const graze_scene *scene, FILE *stream);

#endif
