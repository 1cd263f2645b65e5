/* From samples to the picture: colors, hidden marks, depth cues, caption.
 *
 * Two by two samples make a pixel. Depth is made visible by darkening what lies behind nearer surroundings, by the
 * difference of the depth to its own blur (Luft, Colditz, Deussen: Image enhancement by unsharp masking the depth
 * buffer, 2006): it costs a few passes over the pixels, whatever the number of triangles. */
#include "picture.h"

#include "caption_font.h"
#include "picture_raster.h"
#include "png_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_PER_SIDE = 2 };

typedef struct rgb {
  float red, green, blue;
} rgb;

/* Quiet colors of different lightness, none near the orange-red of marks, told apart under red-green and blue-yellow
 * blindness alike: the idea of Okabe and Ito, Color universal design (2008). */
static const rgb palette[PALETTE_COUNT] = {
    {124, 166, 206}, {226, 213, 160}, {72, 140, 134},  {190, 178, 214},
    {92, 106, 150},  {166, 206, 188}, {204, 204, 204}, {138, 128, 112},
};
static const rgb mark_color = {235, 76, 24}, hidden_color = {222, 84, 40}, caption_color = {52, 60, 72};
static const rgb sky_top = {252, 252, 251}, sky_bottom = {231, 234, 238};

/* How strongly a mark shines through what hides it; where hidden marks lie behind more than a fourth of what is seen,
 * less, since a wash over everything would tell nothing. */
static const float hidden_share = 0.28f, hidden_cover_limit = 0.25f;

/* What a marked triangle takes on that is too large to be painted in full. */
static const rgb tint_color = {250, 208, 188};
static const float tint_share = 0.6f;

typedef struct canvas {
  uint32_t width, height;
  uint8_t *pixels;
  float *depth;   /* of each pixel, the background pushed back */
  float *blurred; /* and its blur, with scratch of the same size after it */
} canvas;

picture_options picture_options_default(void) {
  const picture_options options = {NULL, true};
  return options;
}

static rgb mix_colors(rgb a, rgb b, float share) {
  const rgb made = {a.red + (b.red - a.red) * share, a.green + (b.green - a.green) * share,
                    a.blue + (b.blue - a.blue) * share};
  return made;
}

/* Up to FULL_SHADE the color darkens; beyond it goes to white. */
static rgb shaded(rgb color, uint8_t shade) {
  static const rgb white = {255, 255, 255};
  const float level = (float)shade / FULL_SHADE;
  if (level > 1.0f) return mix_colors(color, white, 1.6f * (level - 1.0f));
  const rgb made = {color.red * level, color.green * level, color.blue * level};
  return made;
}

/* Marks keep half their strength in the shade and show no highlight: they must not be taken for anything else. */
static rgb shaded_mark(uint8_t shade) {
  return shaded(mark_color, (uint8_t)((FULL_SHADE + (shade < FULL_SHADE ? shade : FULL_SHADE)) / 2));
}

static rgb sky(uint32_t row, uint32_t height) {
  return mix_colors(sky_top, sky_bottom, (float)row / (float)height);
}

static float choose_hidden_share(const sample_buffer *buffer) {
  size_t drawn = 0, hidden = 0;
  const size_t count = (size_t)buffer->width * buffer->height;
  for (size_t i = 0; i < count; ++i) {
    drawn += buffer->all.depth[i] > -INFINITY;
    hidden += buffer->marked.depth[i] > -INFINITY && buffer->marked.depth[i] < buffer->all.depth[i];
  }
  const float cover = drawn == 0 ? 0.0f : (float)hidden / (float)drawn;
  return cover > hidden_cover_limit ? hidden_share * hidden_cover_limit / cover : hidden_share;
}

/* A mark is in front when nothing of the other layer is nearer; equal depth is the mark itself. */
static rgb sample_color(const sample_buffer *buffer, size_t sample, rgb background, float hidden) {
  const float depth = buffer->all.depth[sample], marked_depth = buffer->marked.depth[sample];
  if (marked_depth > -INFINITY && marked_depth >= depth - 1e-4f) return shaded_mark(buffer->marked.shade[sample]);
  rgb color = background;
  if (depth > -INFINITY) {
    const uint8_t number = buffer->color[sample];
    color = palette[number % PALETTE_COUNT];
    if (number >= PALETTE_COUNT) color = mix_colors(color, tint_color, tint_share);
    color = shaded(color, buffer->all.shade[sample]);
  }
  if (hidden > 0.0f && marked_depth > -INFINITY) color = mix_colors(color, hidden_color, hidden);
  return color;
}

/* ------------------------------------------------------------------------------------------------ depth */

/* What the background counts as: a little behind the deepest thing, so that silhouettes cast a soft rim and no more. */
static float background_depth(const sample_buffer *buffer) {
  float deepest = 1.0f;
  const size_t count = (size_t)buffer->width * buffer->height;
  for (size_t i = 0; i < count; ++i)
    if (buffer->all.depth[i] > -1.5f && buffer->all.depth[i] < deepest) deepest = buffer->all.depth[i];
  return deepest - 0.15f;
}

static void average_depth(const sample_buffer *buffer, canvas *c) {
  const float back = background_depth(buffer);
  for (size_t y = 0; y < c->height; ++y) {
    for (size_t x = 0; x < c->width; ++x) {
      float sum = 0.0f;
      for (size_t k = 0; k < 4; ++k) {
        const size_t sample = (2 * y + k / 2) * buffer->width + 2 * x + k % 2;
        const float depth = buffer->all.depth[sample];
        sum += depth > back ? depth : back;
      }
      c->depth[y * c->width + x] = 0.25f * sum;
    }
  }
}

/* A running mean over 2 * reach + 1 values of a row or column; values beyond the ends count as the end's own. */
static void box_blur(const float *from, float *to, size_t count, size_t stride, size_t reach) {
  double sum = 0.0;
  const double share = 1.0 / (double)(2 * reach + 1);
  for (size_t i = 0; i < 2 * reach + 1; ++i) {
    const size_t at = i < reach ? 0 : i - reach;
    sum += (double)from[(at < count ? at : count - 1) * stride];
  }
  for (size_t i = 0; i < count; ++i) {
    to[i * stride] = (float)(sum * share);
    const size_t leaves = i < reach ? 0 : i - reach, enters = i + reach + 1;
    sum += (double)from[(enters < count ? enters : count - 1) * stride] - (double)from[leaves * stride];
  }
}

/* Two passes of the running mean each way come close to a Gaussian. */
static void blur_depth(canvas *c) {
  const size_t count = (size_t)c->width * c->height, reach = (c->width + c->height) / 160 + 1;
  float *scratch = c->blurred + count;
  for (size_t y = 0; y < c->height; ++y) {
    box_blur(c->depth + y * c->width, scratch + y * c->width, c->width, 1, reach);
    box_blur(scratch + y * c->width, c->blurred + y * c->width, c->width, 1, reach);
  }
  for (size_t x = 0; x < c->width; ++x) {
    box_blur(c->blurred + x, scratch + x, c->height, c->width, reach);
    box_blur(scratch + x, c->blurred + x, c->height, c->width, reach);
  }
}

/* ------------------------------------------------------------------------------------------------ pixels */

static void store_pixel(canvas *c, size_t pixel, rgb color) {
  c->pixels[3 * pixel] = (uint8_t)(color.red + 0.5f);
  c->pixels[3 * pixel + 1] = (uint8_t)(color.green + 0.5f);
  c->pixels[3 * pixel + 2] = (uint8_t)(color.blue + 0.5f);
}

static void resolve(const sample_buffer *buffer, canvas *c, bool show_hidden) {
  static const rgb shadow = {34, 40, 56};
  const float hidden = show_hidden ? choose_hidden_share(buffer) : 0.0f;
  for (uint32_t y = 0; y < c->height; ++y) {
    const rgb background = sky(y, c->height);
    for (uint32_t x = 0; x < c->width; ++x) {
      rgb sum = {0, 0, 0};
      for (size_t k = 0; k < 4; ++k) {
        const size_t sample = (2 * (size_t)y + k / 2) * buffer->width + 2 * (size_t)x + k % 2;
        const rgb color = sample_color(buffer, sample, background, hidden);
        sum.red += 0.25f * color.red;
        sum.green += 0.25f * color.green;
        sum.blue += 0.25f * color.blue;
      }
      const size_t pixel = (size_t)y * c->width + x;
      const float behind = c->blurred[pixel] - c->depth[pixel];
      const float dark = behind <= 0.0f ? 0.0f : behind < 0.25f ? 1.2f * behind : 0.3f;
      store_pixel(c, pixel, mix_colors(sum, shadow, dark));
    }
  }
}

static uint32_t caption_scale(uint32_t width) {
  return width / 640 + 1;
}

static uint32_t caption_strip(const picture_options *options, uint32_t width) {
  if (options->caption == NULL || options->caption[0] == '\0') return 0;
  return caption_scale(width) * (CAPTION_GLYPH_HEIGHT + 9);
}

/* Makes the strip pale, so that the text is legible on whatever reaches into it. */
static void clear_strip(canvas *c, uint32_t strip) {
  static const rgb pale = {250, 250, 250};
  for (size_t pixel = (size_t)(c->height - strip) * c->width; pixel < (size_t)c->height * c->width; ++pixel) {
    const uint8_t *p = c->pixels + 3 * pixel;
    const rgb color = {p[0], p[1], p[2]};
    store_pixel(c, pixel, mix_colors(color, pale, 0.75f));
  }
}

/* Text that does not fit ends where the picture does. */
static void draw_caption(canvas *c, const picture_options *options) {
  const uint32_t scale = caption_scale(c->width), strip = caption_strip(options, c->width);
  if (strip == 0 || strip > c->height) return;
  clear_strip(c, strip);
  const uint32_t base = c->height - strip + 4 * scale, left = 8 * scale;
  for (size_t letter = 0; options->caption[letter] != '\0'; ++letter) {
    const size_t x = left + letter * scale * (CAPTION_GLYPH_WIDTH + 1);
    if (x + CAPTION_GLYPH_WIDTH * scale + left > c->width) return;
    const uint8_t *glyph = caption_glyph(options->caption[letter]);
    const uint32_t top = base + (caption_has_tail(options->caption[letter]) ? scale : 0);
    for (uint32_t row = 0; row < CAPTION_GLYPH_HEIGHT * scale; ++row)
      for (uint32_t column = 0; column < CAPTION_GLYPH_WIDTH * scale; ++column)
        if (glyph[row / scale] >> (CAPTION_GLYPH_WIDTH - 1 - column / scale) & 1)
          store_pixel(c, (size_t)(top + row) * c->width + x + column, caption_color);
  }
}

/* ------------------------------------------------------------------------------------------------ all together */

static bool draw_scene(canvas *c, const mesh *meshes, size_t mesh_count, const uint8_t *const *marked,
                       const picture_options *options) {
  const double frame_height = c->height - caption_strip(options, c->width);
  picture_view view;
  sample_buffer buffer;
  if (!picture_view_choose(meshes, mesh_count, marked, (double)SAMPLES_PER_SIDE * c->width,
                           SAMPLES_PER_SIDE * frame_height, &view))
    return false;
  const bool is_drawn = sample_buffer_create(&buffer, SAMPLES_PER_SIDE * c->width, SAMPLES_PER_SIDE * c->height) &&
                        sample_buffer_draw(&buffer, &view, meshes, mesh_count, marked);
  if (is_drawn) {
    average_depth(&buffer, c);
    blur_depth(c);
    resolve(&buffer, c, options->show_hidden);
    draw_caption(c, options);
  }
  sample_buffer_release(&buffer);
  return is_drawn;
}

bool picture_draw(const char *path, const mesh *meshes, size_t mesh_count, const uint8_t *const *marked, uint32_t width,
                  uint32_t height, const picture_options *options, char *error, size_t error_bytes) {
  if (width < PICTURE_LEAST_SIDE || height < PICTURE_LEAST_SIDE || width > PICTURE_GREATEST_SIDE ||
      height > PICTURE_GREATEST_SIDE) {
    snprintf(error, error_bytes, "%s: a picture of %u x %u pixels was asked for; each side must be from %d to %d", path,
             width, height, PICTURE_LEAST_SIDE, PICTURE_GREATEST_SIDE);
    return false;
  }
  const picture_options plain = picture_options_default();
  if (options == NULL) options = &plain;
  const size_t count = (size_t)width * height;
  canvas c = {width, height, malloc(3 * count), malloc(count * sizeof(float)), malloc(2 * count * sizeof(float))};
  bool is_done =
      c.pixels != NULL && c.depth != NULL && c.blurred != NULL && draw_scene(&c, meshes, mesh_count, marked, options);
  if (is_done) {
    is_done = png_write(path, c.pixels, width, height, error, error_bytes);
  } else {
    snprintf(error, error_bytes, "%s: out of memory for a picture of %u x %u pixels", path, width, height);
  }
  free(c.pixels);
  free(c.depth);
  free(c.blurred);
  return is_done;
}
