/* The choice of an inset: whether, and in which corner. */
#include "picture_inset.h"

#include <math.h>

/* Of the frame: how long the inset's sides are and how far it stays from the edge. */
static const double inset_side = 0.38, inset_margin = 0.02;

static bool marks_are_dots(const sample_buffer *buffer) {
  const size_t count = (size_t)buffer->width * buffer->height;
  size_t marked = 0;
  for (size_t i = 0; i < count; ++i) marked += buffer->marked.depth[i] > -INFINITY;
  return (double)marked < PICTURE_DOT_SHARE * (double)count;
}

static size_t count_drawn(const sample_buffer *buffer, const picture_inset *inset, uint32_t samples_per_side) {
  size_t drawn = 0;
  for (size_t y = (size_t)inset->top * samples_per_side; y < ((size_t)inset->top + inset->height) * samples_per_side;
       ++y)
    for (size_t x = (size_t)inset->left * samples_per_side; x < ((size_t)inset->left + inset->width) * samples_per_side;
         ++x)
      drawn += buffer->all.depth[y * buffer->width + x] > -INFINITY;
  return drawn;
}

static bool hides_its_place(const picture_inset *inset) {
  return inset->low[0] < inset->left + inset->width && inset->high[0] > inset->left &&
         inset->low[1] < inset->top + inset->height && inset->high[1] > inset->top;
}

static void set_place(const picture_view *view, const picture_box *focus, uint32_t samples_per_side,
                      picture_inset *inset) {
  double middle[3], projected[3];
  const double zoom = inset->view.pixels_per_unit / view->pixels_per_unit;
  for (int axis = 0; axis < 3; ++axis) middle[axis] = 0.5 * focus->low[axis] + 0.5 * focus->high[axis];
  picture_view_project(view, middle, projected);
  for (int axis = 0; axis < 2; ++axis) {
    const double reach = 0.5 * (axis == 0 ? inset->width : inset->height) / zoom;
    inset->low[axis] = projected[axis] / samples_per_side - reach;
    inset->high[axis] = projected[axis] / samples_per_side + reach;
  }
}

bool picture_inset_choose(const sample_buffer *buffer, const picture_view *view, const picture_box *focus,
                          uint32_t frame_height, uint32_t samples_per_side, picture_inset *inset_out) {
  const uint32_t width = buffer->width / samples_per_side, margin = (uint32_t)(inset_margin * width);
  picture_inset inset = {.width = (uint32_t)(inset_side * width), .height = (uint32_t)(inset_side * frame_height)};
  inset.view =
      picture_view_zoomed(view, focus, (double)inset.width * samples_per_side, (double)inset.height * samples_per_side);
  if (!(inset.view.pixels_per_unit >= PICTURE_INSET_LEAST_ZOOM * view->pixels_per_unit)) return false;
  if (!isfinite(inset.view.pixels_per_unit) || !marks_are_dots(buffer)) return false;
  set_place(view, focus, samples_per_side, &inset);
  size_t least = SIZE_MAX;
  for (int corner = 0; corner < 4; ++corner) {
    inset.left = corner % 2 == 0 ? width - margin - inset.width : margin;
    inset.top = corner / 2 == 0 ? margin : frame_height - margin - inset.height;
    const size_t drawn = count_drawn(buffer, &inset, samples_per_side);
    if (hides_its_place(&inset) || drawn >= least) continue;
    least = drawn;
    *inset_out = inset;
  }
  return least != SIZE_MAX;
}
