/* Checks of solids for tests: signs of volumes, matching faces, closed outlines. */
#ifndef GRAZE_TESTS_VOLUME_CHECKS_H
#define GRAZE_TESTS_VOLUME_CHECKS_H

#include "mesh_io/mesh.h"

/* The sign of the volume of a tetrahedron, exactly: positive where d sees the triangle abc turn anticlockwise. */
int tetrahedron_sign(const mesh *m, size_t tetrahedron);
size_t count_non_positive(const mesh *m);

/* The sum of the volumes, in doubles. */
double tetrahedra_volume(const mesh *m);
double least_volume(const mesh *m); /* the least of them */

/* Fails the test unless every face of a tetrahedron is used once, or twice with opposite turns; every edge of the faces
 * used once is used as often in one direction as in the other; and every vertex is used. */
void check_faces_agree(const char *name, const mesh *m);

/* Fails the test unless the faces used once hang together and use every edge once in each direction. Where two
 * tetrahedra cut the side between them by different diagonals, these faces form a piece of their own, or use edges of
 * the boundary again. */
void check_boundary_is_one(const char *name, const mesh *m);

/* Fails the test unless every directed edge of the outlines occurs once, and its opposite too. */
void check_outlines_close(const char *name, const uint32_t *corners, const uint32_t *outline_first, uint32_t first,
                          uint32_t end);

/* Fails the test unless the triangles [first, end) are joined by inner edges and have the polygon's outline. */
void check_triangles_cover(const mesh *m, uint32_t polygon, size_t first, size_t end);

#endif
