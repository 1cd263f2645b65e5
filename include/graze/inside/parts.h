/* Parts of objects as bytes, and the boxes of primitives, for what divides a scene: libgraze_mpi and the tools.
 * Exported, but not installed, and without the promises of the public headers.
 *
 *     graze_object_get_boxes(scene, object, 0, count, boxes);                          boxes of primitives
 *     graze_object_get_corners(scene, object, primitive, 8, corners, &count);          corners of a primitive
 *     graze_object_measure_parts(scene, object, primitives, starts, 2, sizes);         size of each part
 *     graze_object_write_parts(scene, object, primitives, starts, 2, bytes);           write the parts to memory
 *     graze_scene_add_part(other_scene, bytes[1], sizes[1], &part);                    add one to another scene
 *     graze_object_move_to_part(other_scene, part, bytes[1], sizes[1], &moved);        update it in a later frame
 *     graze_scene_make_wrench_terms(scene, pairs, count, NULL, terms, &term_count);    contributions to wrenches
 *
 * A part contains some primitives of an object with their vertices, pose, filter and numbers: the object's global
 * numbers, or else those of the scene. A pair of parts therefore has the numbers that it has in the whole. A part does
 * not contain the name and the user data. The bytes are valid for this version of the library and one byte order: send
 * them, but do not use them as a file format. */
#ifndef GRAZE_INSIDE_PARTS_H
#define GRAZE_INSIDE_PARTS_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies the boxes of primitives [first, first + count) of the object after its pose, in exact coordinates: six numbers
 * each, the three least coordinates and then the three greatest. Boxes of spheres are rounded outward, possibly to
 * infinity. A removed primitive has the empty box, from infinity to minus infinity. GRAZE_NOT_FINITE if a coordinate is
 * not finite after the pose. Needs no update. Linear in the number of corners. */
GRAZE_API graze_result graze_object_get_boxes(const graze_scene *scene, graze_object object, size_t first, size_t count,
                                              double *boxes_out);

/* Copies the corners of a primitive after its pose, in exact coordinates, three numbers each; for a sphere, its center.
 * *count_out is the number of corners, of which at most `capacity` are copied. GRAZE_INDEX_OUT_OF_RANGE if the
 * primitive does not exist or is removed. Needs no update. */
GRAZE_API graze_result graze_object_get_corners(const graze_scene *scene, graze_object object, uint32_t primitive,
                                                size_t capacity, double *corners_out, size_t *count_out);

/* Computes the size in bytes of each of `part_count` parts of the object. Part i contains the primitives
 * primitives[starts[i]] to primitives[starts[i + 1] - 1] of the object, each at most once and none removed. Linear in
 * the vertices of the object and in the contents of the parts. */
GRAZE_API graze_result graze_object_measure_parts(const graze_scene *scene, graze_object object,
                                                  const uint32_t *primitives, const size_t *starts, size_t part_count,
                                                  size_t *bytes_out);

/* Writes part i to parts_out[i], which has the size that graze_object_measure_parts returns. */
GRAZE_API graze_result graze_object_write_parts(const graze_scene *scene, graze_object object,
                                                const uint32_t *primitives, const size_t *starts, size_t part_count,
                                                void *const *parts_out);

/* Adds a part to a scene as an object with global numbers. The bytes need no alignment and are read during the call
 * only. Polygons keep their division into triangles, and polyhedra are not checked again. GRAZE_INVALID_ARGUMENT if the
 * bytes are not a part. */
GRAZE_API graze_result graze_scene_add_part(graze_scene *scene, const void *bytes, size_t size,
                                            graze_object *object_out);

/* Makes an object equal to a part that has the same primitives and numbers, in the same order: sets its positions,
 * radii, pose and filter if they differ. If the part has other primitives, numbers or formats, *moved_out is false and
 * the object is unchanged. GRAZE_INVALID_ARGUMENT if the bytes are not a part. After any other failure the object may
 * be partly changed. */
GRAZE_API graze_result graze_object_move_to_part(graze_scene *scene, graze_object object, const void *bytes,
                                                 size_t size, bool *moved_out);

/* Returns the stamp of an object, a number that changes with its positions, radii, primitives, pose, filter and
 * exclusions. Setting the current pose again does not change it. A stamp identifies a state of one object: objects of
 * different scenes never have the same stamp, but objects that one call changes may. Takes constant time. */
GRAZE_API graze_result graze_object_get_stamp(const graze_scene *scene, graze_object object, uint64_t *stamp_out);

/* The contribution of one pair to the wrench of its objects: the volume, then three numbers each for the volume times
 * its centroid, minus the gradient of the volume, and the moment of that. Values are scaled, because they may exceed
 * the range of double: volumes by 2^(3 unit), gradients by 2^(2 unit). */
typedef struct graze_wrench_terms {
  uint32_t object_a, object_b; /* numbers as in pairs */
  double values[10];
  int64_t unit;
} graze_wrench_terms;

/* Measures the pairs as graze_scene_make_wrenches does, and writes the terms of each pair that adds a force, in the
 * order of the pairs. `terms_out` must have space for `count` terms. For hosts that divide pairs over several scenes:
 * the union of the terms equals that of one scene. NULL options mean the defaults. */
GRAZE_API graze_result graze_scene_make_wrench_terms(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                                     const graze_contact_options *options,
                                                     graze_wrench_terms *terms_out, size_t *count_out);

#ifdef __cplusplus
}
#endif

#endif
