/* From samples to the picture: colors, hidden marks, depth cues, caption.
 *
 * Each pixel has two by two samples. Depth is shown by darkening pixels behind nearer surroundings, by the difference
 * of the depth to its own blur (Luft, Colditz, Deussen: Image enhancement by unsharp masking the depth buffer, 2006):
 * this takes a few passes over the pixels, independent of the number of triangles. */
#include "picture.h"

#include "picture_ink.h"
#include "picture_raster.h"
#include "png_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_PER_SIDE = 2 };

typedef ink_color rgb;

/* Muted colors of different lightness, far from the orange-red of marks, and distinguishable with red-green and
 * blue-yellow color blindness; after Okabe and Ito, Color universal design (2008). */
static const rgb palette[PALETTE_COUNT] = {
    {124, 166, 206}, {226, 213, 160}, {72, 140, 134},  {190, 178, 214},
    {92, 106, 150},  {166, 206, 188}, {204, 204, 204}, {138, 128, 112},
};
static const rgb mark_color = {235, 76, 24}, hidden_color = {222, 84, 40}, caption_color = {52, 60, 72};
static const rgb sky_top = {252, 252, 251}, sky_bottom = {231, 234, 238};

/* How strongly a mark is visible through faces in front of it; less if hidden marks cover more than a fourth of the
 * picture, because marks everywhere would show nothing. */
static const float hidden_share = 0.28f, hidden_cover_limit = 0.25f;

/* The strength of the mark color on a marked triangle that is too large to be painted in full. */
static const rgb tint_color = {250, 208, 188};
static const float tint_share = 0.6f;

typedef struct canvas {
  uint32_t width, height;
  uint8_t *pixels;
  float *depth;   /* of each pixel, with the background moved back */
  float *blurred; /* its blur, followed by scratch of the same size */
} canvas;

/* The scene to draw. */
typedef struct subject {
  const mesh *meshes;
  size_t mesh_count;
  const uint8_t *const *marked;
  const picture_options *options;
} subject;

picture_options picture_options_default(void) {
  const picture_options options = {
      .show_hidden = true, .camera = {.up = PICTURE_UP_Y}, .crease_degrees = PICTURE_CREASE_DEGREES};
  return options;
}

static bool canvas_create(canvas *c, uint32_t width, uint32_t height) {
  const size_t count = (size_t)width * height;
  *c = (canvas){width, height, malloc(3 * count), malloc(count * sizeof(float)), malloc(2 * count * sizeof(float))};
  return c->pixels != NULL && c->depth != NULL && c->blurred != NULL;
}

static void canvas_release(canvas *c) {
  free(c->pixels);
  free(c->depth);
  free(c->blurred);
}

static rgb mix_colors(rgb a, rgb b, float share) {
  const rgb made = {a.red + (b.red - a.red) * share, a.green + (b.green - a.green) * share,
                    a.blue + (b.blue - a.blue) * share};
  return made;
}

/* Up to FULL_SHADE the color darkens; above, it goes to white. */
static rgb shaded(rgb color, uint8_t shade) {
  static const rgb white = {255, 255, 255};
  const float level = (float)shade / FULL_SHADE;
  if (level > 1.0f) return mix_colors(color, white, 1.6f * (level - 1.0f));
  const rgb made = {color.red * level, color.green * level, color.blue * level};
  return made;
}

/* Marks keep half their strength in shade and have no highlight, so that they are recognizable. */
static rgb shaded_mark(uint8_t shade) {
  return shaded(mark_color, (uint8_t)((FULL_SHADE + (shade < FULL_SHADE ? shade : FULL_SHADE)) / 2));
}

static rgb sky(uint32_t row, uint32_t height) {
  return mix_colors(sky_top, sky_bottom, (float)row / (float)height);
}

static float choose_hidden_share(const sample_buffer *buffer) {
  size_t drawn = 0, hidden = 0;
  const size_t count = (size_t)buffer->width * buffer->height;
  for (size_t i = 0; i < count; i++) {
    drawn += buffer->all.depth[i] > -INFINITY;
    hidden += buffer->marked.depth[i] > -INFINITY && buffer->marked.depth[i] < buffer->all.depth[i];
  }
  const float cover = drawn == 0 ? 0.0f : (float)hidden / (float)drawn;
  return cover > hidden_cover_limit ? hidden_share * hidden_cover_limit / cover : hidden_share;
}

/* A mark is in front if nothing of the other layer is nearer; equal depth is the mark itself. */
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

/* The depth of the background: slightly behind the deepest point, so that silhouettes cast only a soft rim. */
static float background_depth(const sample_buffer *buffer) {
  float deepest = 1.0f;
  const size_t count = (size_t)buffer->width * buffer->height;
  for (size_t i = 0; i < count; i++)
    if (buffer->all.depth[i] > -1.5f && buffer->all.depth[i] < deepest) deepest = buffer->all.depth[i];
  return deepest - 0.15f;
}

static void average_depth(const sample_buffer *buffer, canvas *c) {
  const float back = background_depth(buffer);
  for (size_t y = 0; y < c->height; y++) {
    for (size_t x = 0; x < c->width; x++) {
      float sum = 0.0f;
      for (size_t k = 0; k < 4; k++) {
        const size_t sample = (2 * y + k / 2) * buffer->width + 2 * x + k % 2;
        const float depth = buffer->all.depth[sample];
        sum += depth > back ? depth : back;
      }
      c->depth[y * c->width + x] = 0.25f * sum;
    }
  }
}

/* A running mean over 2 * reach + 1 values of a row or column; values beyond the ends equal those at the ends. */
static void box_blur(const float *from, float *to, size_t count, size_t stride, size_t reach) {
  double sum = 0.0;
  const double share = 1.0 / (double)(2 * reach + 1);
  for (size_t i = 0; i < 2 * reach + 1; i++) {
    const size_t at = i < reach ? 0 : i - reach;
    sum += (double)from[(at < count ? at : count - 1) * stride];
  }
  for (size_t i = 0; i < count; i++) {
    to[i * stride] = (float)(sum * share);
    const size_t leaves = i < reach ? 0 : i - reach, enters = i + reach + 1;
    sum += (double)from[(enters < count ? enters : count - 1) * stride] - (double)from[leaves * stride];
  }
}

/* Two passes of the running mean in each direction approximate a Gaussian. */
static void blur_depth(canvas *c) {
  const size_t count = (size_t)c->width * c->height, reach = (c->width + c->height) / 160 + 1;
  float *scratch = c->blurred + count;
  for (size_t y = 0; y < c->height; y++) {
    box_blur(c->depth + y * c->width, scratch + y * c->width, c->width, 1, reach);
    box_blur(scratch + y * c->width, c->blurred + y * c->width, c->width, 1, reach);
  }
  for (size_t x = 0; x < c->width; x++) {
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
  for (uint32_t y = 0; y < c->height; y++) {
    const rgb background = sky(y, c->height);
    for (uint32_t x = 0; x < c->width; x++) {
      rgb sum = {0, 0, 0};
      for (size_t k = 0; k < 4; k++) {
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

static double caption_cap_height(uint32_t width) {
  return fmax(9.0, width / 72.0);
}

static uint32_t caption_strip(const picture_options *options, uint32_t width) {
  if (options->caption == NULL || options->caption[0] == '\0') return 0;
  return (uint32_t)(2.2 * caption_cap_height(width));
}

/* Makes the strip pale, so that the text is legible over the drawing. */
static void clear_strip(canvas *c, uint32_t strip) {
  static const rgb pale = {250, 250, 250};
  for (size_t pixel = (size_t)(c->height - strip) * c->width; pixel < (size_t)c->height * c->width; pixel++) {
    const uint8_t *p = c->pixels + 3 * pixel;
    const rgb color = {p[0], p[1], p[2]};
    store_pixel(c, pixel, mix_colors(color, pale, 0.75f));
  }
}

/* Text that does not fit is cut at the edge of the picture. */
static void draw_caption(canvas *c, const picture_options *options, bool is_cut) {
  enum { WORDS_BYTES = 256 };
  char words[WORDS_BYTES];
  const uint32_t strip = caption_strip(options, c->width);
  if (strip == 0 || strip > c->height) return;
  clear_strip(c, strip);
  const double cap_height = caption_cap_height(c->width);
  const double base[2] = {cap_height, c->height - 0.5 * (strip - cap_height)};
  const ink_sheet sheet = {c->pixels, c->width, c->height};
  snprintf(words, sizeof words, "%s%s", options->caption, is_cut ? "; cut open" : "");
  ink_text(&sheet, words, base, c->width - cap_height, cap_height, caption_color);
}

/* ------------------------------------------------------------------------------------------------ all together */

/* Release the buffer in any case. */
static bool draw_view(const subject *what, const picture_view *view, canvas *c, sample_buffer *buffer_out) {
  if (!sample_buffer_create(buffer_out, SAMPLES_PER_SIDE * c->width, SAMPLES_PER_SIDE * c->height) ||
      !sample_buffer_draw(buffer_out, view, what->meshes, what->mesh_count, what->marked,
                          what->options->crease_degrees))
    return false;
  average_depth(buffer_out, c);
  blur_depth(c);
  resolve(buffer_out, c, what->options->show_hidden);
  return true;
}

static bool draw_scene(const subject *what, canvas *c) {
  const picture_options *options = what->options;
  const uint32_t frame_height = c->height - caption_strip(options, c->width);
  picture_view view;
  if (!picture_view_choose(what->meshes, what->mesh_count, what->marked, &options->camera,
                           (double)SAMPLES_PER_SIDE * c->width, (double)SAMPLES_PER_SIDE * frame_height, &view))
    return false;
  sample_buffer buffer;
  const bool is_drawn = draw_view(what, &view, c, &buffer);
  sample_buffer_release(&buffer);
  if (is_drawn) draw_caption(c, options, isfinite(view.cut));
  return is_drawn;
}

bool picture_draw_stream(FILE *stream, const mesh *meshes, size_t mesh_count, const uint8_t *const *marked,
                         uint32_t width, uint32_t height, const picture_options *options) {
  const subject what = {meshes, mesh_count, marked, options};
  canvas c;
  const bool is_done =
      canvas_create(&c, width, height) && draw_scene(&what, &c) && png_write_stream(stream, c.pixels, width, height);
  canvas_release(&c);
  return is_done;
}

bool picture_draw(const char *path, const mesh *meshes, size_t mesh_count, const uint8_t *const *marked, uint32_t width,
                  uint32_t height, const picture_options *options, char *error, size_t error_bytes) {
  if (width < PICTURE_LEAST_SIDE || height < PICTURE_LEAST_SIDE || width > PICTURE_GREATEST_SIDE ||
      height > PICTURE_GREATEST_SIDE) {
    snprintf(error, error_bytes, "%s: a picture of %u x %u pixels was requested; each side must be from %d to %d", path,
             width, height, PICTURE_LEAST_SIDE, PICTURE_GREATEST_SIDE);
    return false;
  }
  const picture_options plain = picture_options_default();
  const subject what = {meshes, mesh_count, marked, options == NULL ? &plain : options};
  canvas c;
  bool is_done = canvas_create(&c, width, height) && draw_scene(&what, &c);
  if (is_done) {
    is_done = png_write(path, c.pixels, width, height, error, error_bytes);
  } else {
    snprintf(error, error_bytes, "%s: out of memory for a picture of %u x %u pixels", path, width, height);
  }
  canvas_release(&c);
  return is_done;
}
