/* Where a picture shows a small part once more, larger. */
#ifndef GRAZE_PICTURE_INSET_H
#define GRAZE_PICTURE_INSET_H

#include "picture_raster.h"

/* There is an inset where marks cover less than this part of the picture, and it is so many times as large. */
#define PICTURE_DOT_SHARE 0.0025
#define PICTURE_INSET_LEAST_ZOOM 3.0

typedef struct picture_inset {
  uint32_t left, top, width, height; /* in pixels */
  double low[2], high[2];            /* of the rectangle in the picture that it shows, in pixels */
  picture_view view;                 /* of its samples */
} picture_inset;

/* Chooses the corner of the frame where the least is drawn. The frame is the upper `frame_height` pixels of what the
 * buffer holds as `view` sees it, with samples_per_side^2 samples a pixel. False where no inset is needed. */
bool picture_inset_choose(const sample_buffer *buffer, const picture_view *view, const picture_box *focus,
                          uint32_t frame_height, uint32_t samples_per_side, picture_inset *inset_out);

#endif
