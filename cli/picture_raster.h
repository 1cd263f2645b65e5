/* From triangles and spheres to samples: a z-buffer of all, and a second one of the marked ones. */
#ifndef GRAZE_PICTURE_RASTER_H
#define GRAZE_PICTURE_RASTER_H

#include "picture_view.h"

/* Samples in rows from the top. A shade is brightness in 1/200: 200 is the color of the object, more goes to white. */
typedef struct sample_layer {
  float *depth; /* toward the viewer, in units of the radius of the view; -INFINITY: empty */
  uint8_t *shade;
} sample_layer;

typedef struct sample_buffer {
  uint32_t width, height;
  sample_layer all, marked;
  uint8_t *color; /* of the nearest: number in the palette, plus PALETTE_COUNT if it is tinted as marked */
} sample_buffer;

enum { FULL_SHADE = 200, PALETTE_COUNT = 8 };

/* Makes an empty raster. False when out of memory; release it in any case. */
bool sample_buffer_create(sample_buffer *buffer, uint32_t width, uint32_t height);
void sample_buffer_release(sample_buffer *buffer);

/* Draws the meshes as seen by `view`, whose pixels are samples here. Surfaces are smooth up to the crease angle. False
 * when out of memory. */
bool sample_buffer_draw(sample_buffer *buffer, const picture_view *view, const mesh *meshes, size_t mesh_count,
                        const uint8_t *const *marked, double crease_degrees);

#endif
