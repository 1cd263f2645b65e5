/* graze: parts of objects as bytes, and the boxes of primitives: what a host needs to divide a scene.
 *
 *     graze_object_get_boxes(scene, object, 0, count, boxes);                          where the primitives are
 *     graze_object_measure_parts(scene, object, primitives, starts, 2, sizes);         how large each part is
 *     graze_object_write_parts(scene, object, primitives, starts, 2, bytes);           the parts, written to memory
 *     graze_scene_add_part(other_scene, bytes[1], sizes[1], &part);                    an object of another scene
 *
 * A part holds some primitives of an object with their vertices, its pose, its filter, and the numbers by which pairs
 * name the primitives and vertices: those that the object was given (global_numbers), else the scene's own. So a pair
 * of parts has the numbers of the same pair in the whole. A part does not hold the name and the user data. The bytes
 * are for this version of the library and for processors of one byte order; they may be sent, and kept for a moment,
 * but are no file format. */
#ifndef GRAZE_PARTS_H
#define GRAZE_PARTS_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies the boxes of primitives [first, first + count) of the object after its pose, in exact coordinates: six
 * numbers each, the least three coordinates and then the greatest three. Those of spheres are rounded outward, at most
 * to infinity. An erased primitive has the empty box, from infinity to minus infinity. GRAZE_NOT_FINITE where a
 * coordinate is not finite after the pose. Needs no update. Linear in the number of corners. */
GRAZE_API graze_result graze_object_get_boxes(const graze_scene *scene, graze_object object, size_t first, size_t count,
                                              double *boxes_out);

/* States how many bytes each of `part_count` parts of the object takes. Part i holds the primitives
 * primitives[starts[i]] to primitives[starts[i + 1] - 1]: numbers of the object's own, each at most once in a part,
 * none erased. Linear in the vertices of the object and in what the parts hold. */
GRAZE_API graze_result graze_object_measure_parts(const graze_scene *scene, graze_object object,
                                                  const uint32_t *primitives, const size_t *starts, size_t part_count,
                                                  size_t *bytes_out);

/* Writes the parts: part i to parts_out[i], which has as many bytes as graze_object_measure_parts states. */
GRAZE_API graze_result graze_object_write_parts(const graze_scene *scene, graze_object object,
                                                const uint32_t *primitives, const size_t *starts, size_t part_count,
                                                void *const *parts_out);

/* Adds a part to a scene as an object with global numbers. The bytes need no alignment and are read during the call
 * only. Polygons keep the cut that the whole has, and polyhedra are not checked again. GRAZE_INVALID_ARGUMENT where the
 * bytes are no part. */
GRAZE_API graze_result graze_scene_add_part(graze_scene *scene, const void *bytes, size_t size,
                                            graze_object *object_out);

#ifdef __cplusplus
}
#endif

#endif
