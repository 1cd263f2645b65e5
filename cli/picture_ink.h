/* Lines and letters over a finished picture. */
#ifndef GRAZE_PICTURE_INK_H
#define GRAZE_PICTURE_INK_H

#include <stddef.h>
#include <stdint.h>

typedef struct ink_color {
  float red, green, blue; /* 0 to 255 */
} ink_color;

/* Pixels of three bytes, in rows from the top. */
typedef struct ink_sheet {
  uint8_t *pixels;
  uint32_t width, height;
} ink_sheet;

/* A line with round ends, from pixel place to pixel place; the pen's width is in pixels. What lies beyond the sheet is
 * left out. */
void ink_line(const ink_sheet *sheet, const double from[2], const double to[2], double pen, ink_color color);

/* The four sides of a rectangle. */
void ink_frame(const ink_sheet *sheet, const double low[2], const double high[2], double pen, ink_color color);

/* One line of printable ASCII, `cap_height` pixels high, from the left end of its base line. Letters that do not fit
 * before `limit` are left out. */
void ink_text(const ink_sheet *sheet, const char *text, const double base[2], double limit, double cap_height,
              ink_color color);

#endif
