/* scene_digest: one number for everything that can be asked of a scene: pairs, any pair, contacts, wrenches, k. Two
 * scenes that differ in one bit of an answer differ in it. */
#ifndef GRAZE_TESTS_SCENE_DIGEST_H
#define GRAZE_TESTS_SCENE_DIGEST_H

#include "scene_runner.h"

/* Makes the scene the way it is told, asks it all, and ends it. `wide_out`, where not NULL, is how many candidates
 * needed wide integers. Fails the test where the library refuses. */
uint64_t scene_digest(const running_variant *variant, const mesh *meshes, size_t mesh_count, graze_test test,
                      uint64_t *wide_out);

/* Two balls of tetrahedra, a block of cells, a ring of polygons and a sphere of triangles, all through each other, of
 * about so many primitives each; returns how many meshes there are. */
size_t digest_kinds(uint64_t primitives, mesh *meshes_out, size_t room);

#endif
