/* The drawing behind `--picture`: a scene of meshes with its intersecting triangles marked, as a PNG file. */
#ifndef GRAZE_PICTURE_H
#define GRAZE_PICTURE_H

#include "mesh_io/mesh.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PICTURE_LEAST_SIDE = 32, PICTURE_GREATEST_SIDE = 8192 };

typedef struct picture_options {
  const char *caption; /* printable ASCII, drawn at the lower edge; NULL: none */
  bool show_hidden;    /* marked triangles behind others shine through, dimmer */
} picture_options;

/* No caption, hidden marks shown. */
picture_options picture_options_default(void);

/* Draws and writes. Objects have quiet colors that people with color-deficient sight can tell apart; marked triangles
 * are orange-red. Meshes have triangles, or are MESH_SPHERES, whose spheres are drawn and marked in the place of
 * triangles. marked[i][t] is not 0 when triangle t of mesh i is to be marked; marked, and each marked[i], may be
 * NULL for none. y is up; the direction of view is the three-quarter view that shows most of the marked triangles.
 * Vertices that are not finite are left out. Any scene gives a picture, even an empty one. Width and height are in
 * pixels. Time is linear in the triangles and in the pixels; memory is about 50 bytes a pixel and 12 a vertex. On
 * failure returns false with one message. */
bool picture_draw(const char *path, const mesh *meshes, size_t mesh_count, const uint8_t *const *marked, uint32_t width,
                  uint32_t height, const picture_options *options, char *error, size_t error_bytes);

#endif
