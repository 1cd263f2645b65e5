/* The picture of objects with the primitives of a list of pairs marked. */
#ifndef GRAZE_PAIR_PICTURE_H
#define GRAZE_PAIR_PICTURE_H

#include "drawing_options.h"
#include "object_list.h"
#include "output_file.h"

#include "graze/graze.h"

/* Draws to the partial path of the file; false after a complaint. The objects must still have their meshes, and be
 * numbered as in the pairs; scene and query are those of the pairs. */
bool pair_picture_draw(const object_list *objects, const graze_scene *scene, const graze_query *query,
                       const graze_pairs *pairs, const drawing_options *options, const char *caption,
                       const output_file *file);

/* Draws the surroundings of a box without a caption, as PNG, and returns the view. False when out of memory or if the
 * stream fails. */
bool pair_picture_snapshot(const object_list *objects, const graze_pairs *pairs, const drawing_options *options,
                           const picture_box *focus, FILE *stream, picture_view *view_out);

#endif
