/* Draws lines and letters over a finished picture. */
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

/* Draws one line of printable ASCII, `cap_height` pixels high, from the left end of its base line. Letters that do not
 * fit before `limit` are skipped. */
void ink_text(const ink_sheet *sheet, const char *text, const double base[2], double limit, double cap_height,
              ink_color color);

#endif
