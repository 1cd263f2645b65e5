/* scene_digest: one number for all results of a scene: pairs, any pair, contacts, wrenches, k. It differs if one bit of
 * a result differs. */
#ifndef GRAZE_TESTS_SCENE_DIGEST_H
#define GRAZE_TESTS_SCENE_DIGEST_H

#include "scene_runner.h"

/* Creates the scene as the variant states, runs all queries, and destroys it. `wide_out`, if not NULL, receives the
 * number of candidates that needed wide integers. Fails the test on any error. */
uint64_t scene_digest(const running_variant *variant, const mesh *meshes, size_t mesh_count, graze_test test,
                      uint64_t *wide_out);

/* Two balls of tetrahedra, a block of cells, a ring of polygons and a sphere of triangles, all through each other, of
 * about so many primitives each; returns how many meshes there are. */
size_t digest_kinds(uint64_t primitives, mesh *meshes_out, size_t room);

#endif
