/* Lines, boxes and words as SVG: the one writer of it, for every chart that the programs draw.
 *
 * A drawing is text written straight to a stream, in the order in which things lie over each other. Coordinates are
 * pixels from the upper left corner. How a thing looks is a class of the one style sheet that svg_begin writes:
 *   lines     grid, axis, median, and line_0 to line_7: told apart by their dashes, too
 *   boxes     box, and layer_0 to layer_7: light and dark in turn, so that neighbors can be told apart without
 * colors; shade_0 to shade_9: from white to nearly black circles   outlier words     left, middle, right (where x is
 * of them), small (middle), legend (left), title (left) */
#ifndef GRAZE_SVG_DRAWING_H
#define GRAZE_SVG_DRAWING_H

#include <stddef.h>
#include <stdio.h>

enum { SVG_LAYER_STYLES = 8, SVG_LINE_STYLES = 8, SVG_SHADES = 10 };

void svg_begin(FILE *stream, int width, int height); /* the white page too */
void svg_end(FILE *stream);

void svg_line(FILE *stream, double x1, double y1, double x2, double y2, const char *style);

/* A line through at least two points: begin, add each point, end. Dashes continue across segments. */
void svg_path_begin(FILE *stream, const char *style);
void svg_path_point(FILE *stream, double x, double y);
void svg_path_end(FILE *stream);

void svg_box(FILE *stream, double x, double y, double width, double height, const char *style);
void svg_circle(FILE *stream, double x, double y, double radius, const char *style);

/* y is the base line of the letters. Any text: characters with a meaning in XML are escaped. */
void svg_text(FILE *stream, double x, double y, const char *style, const char *text);
void svg_text_upward(FILE *stream, double x, double y, const char *style, const char *text); /* read from below */

/* The common parts of charts with panels next to each other and one vertical axis: title, legend, labels of the axes,
 * levels of the vertical axis across all panels. */
typedef struct svg_frame {
  const char *title, *horizontal, *vertical;
  int height; /* of the page */
  size_t panel_count;
} svg_frame;

enum { SVG_FRAME_LEFT = 76, SVG_FRAME_TOP = 92, SVG_FRAME_BOTTOM = 64, SVG_LEGEND_LINE = 54 };

typedef struct svg_panel {
  double left, width;
} svg_panel;

void svg_frame_begin(FILE *stream, const svg_frame *frame); /* page and title */
void svg_frame_end(FILE *stream, const svg_frame *frame);   /* labels of the axes, and the end */
svg_panel svg_frame_panel(const svg_frame *frame, size_t number);
double svg_frame_floor(const svg_frame *frame);               /* position of the panels */
double svg_frame_height(const svg_frame *frame, double part); /* of the vertical axis, 0 at the bottom */
void svg_frame_level(FILE *stream, const svg_frame *frame, double part, const char *label);
void svg_frame_panel_end(FILE *stream, const svg_frame *frame, const svg_panel *panel, const char *title);

/* Writes a legend entry after its symbol of this width; returns the position of the next entry. */
double svg_legend_words(FILE *stream, double x, double sign_width, const char *words);

/* Returns the next of the numbers 1, 2, 5, 10, 20, 50 and so on, or of these divided by a power of ten; `value` is one
 * of them. */
double svg_step_up(double value);

#endif
