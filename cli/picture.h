/* The drawing for `--picture`: a scene of meshes with its intersecting triangles marked, as a PNG file. */
#ifndef GRAZE_PICTURE_H
#define GRAZE_PICTURE_H

#include "picture_view.h"

#include <stdio.h>

enum { PICTURE_LEAST_SIDE = 32, PICTURE_GREATEST_SIDE = 8192 };

/* Keeps chamfers of 45 degrees sharp and cylinders of ten sides round. */
enum { PICTURE_CREASE_DEGREES = 40 };

typedef struct picture_options {
  const char *caption; /* printable ASCII, drawn at the lower edge; NULL: none */
  bool show_hidden;    /* marked triangles behind others are visible, dimmed */
  picture_camera camera;
  double crease_degrees; /* faces that meet at a larger angle are not smoothed together: 0 to 180 */
} picture_options;

/* Returns the defaults: no caption, hidden marks shown, y up, automatic direction, PICTURE_CREASE_DEGREES. */
picture_options picture_options_default(void);

/* Draws and writes. Objects have muted colors that are distinguishable with color blindness; marked triangles are
 * orange-red. Meshes have triangles, or are MESH_SPHERES, whose spheres are drawn and marked instead. marked[i][t] is
 * not 0 if triangle t of mesh i is to be marked; marked, and each marked[i], may be NULL for none. Unless the camera
 * has a direction, the three-quarter view that shows most of the marked triangles is used. Vertices that are not finite
 * are skipped. Any scene gives a picture, even an empty one. Width and height are in pixels. Time is linear in the
 * triangles and in the pixels; memory is about 50 bytes per pixel, 28 per triangle and 4 per vertex. On failure returns
 * false with a message. */
bool picture_draw(const char *path, const mesh *meshes, size_t mesh_count, const uint8_t *const *marked, uint32_t width,
                  uint32_t height, const picture_options *options, char *error, size_t error_bytes);

/* The same into an open stream, with options and sides in range. False when out of memory or if the stream fails. */
bool picture_draw_stream(FILE *stream, const mesh *meshes, size_t mesh_count, const uint8_t *const *marked,
                         uint32_t width, uint32_t height, const picture_options *options);

#endif
