/* Lines and letters: the coverage of a pixel follows from its distance to the nearest line of a letter, which smooths
 * all edges.
 *
 * Workload: a few dozen letters and lines per picture. */
#include "picture_ink.h"

#include "caption_font.h"

#include <math.h>

/* From letter coordinates to pixels. */
typedef struct ink_place {
  double x, y, scale;
} ink_place;

static double squared_distance(const caption_line *line, double x, double y) {
  const double along_x = line->to_x - line->from_x, along_y = line->to_y - line->from_y;
  const double square = along_x * along_x + along_y * along_y;
  double part = square > 0.0 ? ((x - line->from_x) * along_x + (y - line->from_y) * along_y) / square : 0.0;
  part = fmin(fmax(part, 0.0), 1.0);
  const double off_x = x - line->from_x - part * along_x, off_y = y - line->from_y - part * along_y;
  return off_x * off_x + off_y * off_y;
}

static void blend_pixel(uint8_t *pixel, ink_color color, double cover) {
  const float share = (float)fmin(cover, 1.0);
  pixel[0] = (uint8_t)((float)pixel[0] + (color.red - (float)pixel[0]) * share + 0.5f);
  pixel[1] = (uint8_t)((float)pixel[1] + (color.green - (float)pixel[1]) * share + 0.5f);
  pixel[2] = (uint8_t)((float)pixel[2] + (color.blue - (float)pixel[2]) * share + 0.5f);
}

/* Inside the sheet, and of a size that fits an int. */
static int clamp_pixel(double place, uint32_t limit) {
  return (int)fmin(fmax(place, 0.0), (double)limit);
}

static void ink_lines(const ink_sheet *sheet, const caption_line *lines, size_t count, const ink_place *place,
                      double pen, ink_color color) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (size_t i = 0; i < count; i++) {
    low[0] = fmin(low[0], fmin(lines[i].from_x, lines[i].to_x));
    high[0] = fmax(high[0], fmax(lines[i].from_x, lines[i].to_x));
    low[1] = fmin(low[1], fmin(lines[i].from_y, lines[i].to_y));
    high[1] = fmax(high[1], fmax(lines[i].from_y, lines[i].to_y));
  }
  if (count == 0) return;
  const int first_x = clamp_pixel(place->x + place->scale * low[0] - pen, sheet->width);
  const int last_x = clamp_pixel(place->x + place->scale * high[0] + pen + 1.0, sheet->width);
  const int first_y = clamp_pixel(place->y - place->scale * high[1] - pen, sheet->height);
  const int last_y = clamp_pixel(place->y - place->scale * low[1] + pen + 1.0, sheet->height);
  for (int row = first_y; row < last_y; row++)
    for (int column = first_x; column < last_x; column++) {
      const double x = (column + 0.5 - place->x) / place->scale, y = (place->y - row - 0.5) / place->scale;
      double nearest = INFINITY;
      for (size_t i = 0; i < count; i++) nearest = fmin(nearest, squared_distance(&lines[i], x, y));
      const double cover = 0.5 * pen + 0.5 - place->scale * sqrt(nearest);
      if (cover > 0.0) blend_pixel(sheet->pixels + 3 * ((size_t)row * sheet->width + (size_t)column), color, cover);
    }
}

void ink_text(const ink_sheet *sheet, const char *text, const double base[2], double limit, double cap_height,
              ink_color color) {
  ink_place place = {base[0], base[1], cap_height / CAPTION_CAP_HEIGHT};
  for (size_t i = 0; text[i] != '\0'; i++) {
    const double width = place.scale * caption_letter_width(text[i]);
    if (place.x + width > limit) return;
    caption_lines letter;
    caption_letter(text[i], &letter);
    ink_lines(sheet, letter.lines, letter.count, &place, fmax(1.0, place.scale * CAPTION_PEN), color);
    place.x += width + place.scale * CAPTION_SPACE;
  }
}
