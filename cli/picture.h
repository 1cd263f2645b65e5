/* The drawing behind `--picture`: a scene of meshes with its intersecting triangles marked, as a PNG file. */
#ifndef GRAZE_PICTURE_H
#define GRAZE_PICTURE_H

#include "picture_view.h"

#include <stdio.h>

enum { PICTURE_LEAST_SIDE = 32, PICTURE_GREATEST_SIDE = 8192 };

/* Chamfers of 45 degrees stay sharp; a cylinder of ten sides is round. */
enum { PICTURE_CREASE_DEGREES = 40 };

typedef struct picture_options {
  const char *caption; /* printable ASCII, drawn at the lower edge; NULL: none */
  bool show_hidden;    /* marked triangles behind others shine through, dimmer */
  picture_camera camera;
  double crease_degrees;            /* faces that meet at a larger angle are not smoothed together: 0 to 180 */
  const picture_box *inset_or_null; /* is shown larger in a corner where marks are no more than dots: picture_inset.h */
} picture_options;

/* No caption, hidden marks shown, y up, the direction chosen, PICTURE_CREASE_DEGREES, no inset. */
picture_options picture_options_default(void);

/* Draws and writes. Objects have quiet colors that people with color-deficient sight can tell apart; marked triangles
 * are orange-red. Meshes have triangles, or are MESH_SPHERES, whose spheres are drawn and marked in the place of
 * triangles. marked[i][t] is not 0 when triangle t of mesh i is to be marked; marked, and each marked[i], may be
 * NULL for none. Unless the camera has a direction, it is the three-quarter view that shows most of the marked
 * triangles. Vertices that are not finite are left out. Any scene gives a picture, even an empty one. Width and height
 * are in pixels. Time is linear in the triangles and in the pixels; memory is about 50 bytes a pixel, 28 a triangle and
 * 4 a vertex. On failure returns false with one message. */
bool picture_draw(const char *path, const mesh *meshes, size_t mesh_count, const uint8_t *const *marked, uint32_t width,
                  uint32_t height, const picture_options *options, char *error, size_t error_bytes);

/* The same into a stream that is open, with options and sides in range. False when memory is out or the stream fails.
 */
bool picture_draw_stream(FILE *stream, const mesh *meshes, size_t mesh_count, const uint8_t *const *marked,
                         uint32_t width, uint32_t height, const picture_options *options);

#endif
