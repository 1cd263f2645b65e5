/* Writes SVG. Workload: hundreds of elements per drawing. */
#include "charts/svg_drawing.h"

#include <math.h>
#include <string.h>

enum {
  FRAME_WIDTH = 820,
  FRAME_RIGHT = 24,
  PANEL_GAP = 28,
  LETTER_WIDTH = 7 /* approximate width of a letter in the legend */
};

/* The colors of the layers are those of Okabe and Ito ("Color universal design", 2008), in an order in which light and
 * dark alternate. */
static const char style_sheet[] =
    "<style>polyline{fill:none}text{font:12px "
    "sans-serif;fill:#000}.title{font-size:16px}.middle,.small{text-anchor:middle}"
    ".small{font-size:11px}.right{text-anchor:end}.grid{stroke:#ccc}.axis{stroke:#000}"
    ".median{stroke:#000;stroke-width:3}.box{stroke:#000;fill:#e4e4e4}.outlier{stroke:#000;fill:none}"
    ".layer_0{fill:#555}.layer_1{fill:#f0e442}.layer_2{fill:#0072b2}.layer_3{fill:#9ad7f5}.layer_4{fill:#d55e00}"
    ".layer_5{fill:#e6c9d8}.layer_6{fill:#009e73}.layer_7{fill:#e69f00}"
    ".line_0,.line_1,.line_2,.line_3,.line_4,.line_5,.line_6,.line_7{stroke-width:2}"
    ".line_0{stroke:#000;stroke-width:3}.line_1{stroke:#0072b2;stroke-dasharray:8 3}"
    ".line_2{stroke:#d55e00;stroke-dasharray:3 3}.line_3{stroke:#009e73;stroke-dasharray:12 3 3 3}"
    ".line_4{stroke:#cc79a7;stroke-dasharray:5 2}.line_5{stroke:#e69f00;stroke-dasharray:1 3}"
    ".line_6{stroke:#56b4e9;stroke-dasharray:10 5}.line_7{stroke:#777;stroke-dasharray:2 6}"
    ".shade_0{fill:#fff}.shade_1{fill:#e5eef5}.shade_2{fill:#c6dcec}.shade_3{fill:#9fc6e0}.shade_4{fill:#70abd1}"
    ".shade_5{fill:#4690c0}.shade_6{fill:#2574ab}.shade_7{fill:#125990}.shade_8{fill:#083d68}.shade_9{fill:#02203a}"
    "</style>\n";

void svg_begin(FILE *stream, int width, int height) {
  fprintf(stream, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n%s",
          width, height, width, height, style_sheet);
  fprintf(stream, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height);
}

void svg_end(FILE *stream) {
  fputs("</svg>\n", stream);
}

void svg_line(FILE *stream, double x1, double y1, double x2, double y2, const char *style) {
  fprintf(stream, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1, x2, y2, style);
}

void svg_path_begin(FILE *stream, const char *style) {
  fprintf(stream, "<polyline class=\"%s\" points=\"", style);
}

void svg_path_point(FILE *stream, double x, double y) {
  fprintf(stream, "%.1f,%.1f ", x, y);
}

void svg_path_end(FILE *stream) {
  fputs("\"/>\n", stream);
}

void svg_box(FILE *stream, double x, double y, double width, double height, const char *style) {
  fprintf(stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>\n", x, y, width, height,
          style);
}

void svg_circle(FILE *stream, double x, double y, double radius, const char *style) {
  fprintf(stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\" class=\"%s\"/>\n", x, y, radius, style);
}

static void write_escaped(FILE *stream, const char *text) {
  for (; *text != '\0'; ++text) {
    if (*text == '&')
      fputs("&amp;", stream);
    else if (*text == '<')
      fputs("&lt;", stream);
    else
      fputc(*text, stream);
  }
}

void svg_text(FILE *stream, double x, double y, const char *style, const char *text) {
  fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, style);
  write_escaped(stream, text);
  fputs("</text>\n", stream);
}

void svg_text_upward(FILE *stream, double x, double y, const char *style, const char *text) {
  fprintf(stream, "<text transform=\"translate(%g %g) rotate(-90)\" class=\"%s\">", x, y, style);
  write_escaped(stream, text);
  fputs("</text>\n", stream);
}

void svg_frame_begin(FILE *stream, const svg_frame *frame) {
  svg_begin(stream, FRAME_WIDTH, frame->height);
  svg_text(stream, SVG_FRAME_LEFT, 28, "title", frame->title);
}

void svg_frame_end(FILE *stream, const svg_frame *frame) {
  svg_text(stream, (SVG_FRAME_LEFT + FRAME_WIDTH - FRAME_RIGHT) / 2.0, frame->height - 14, "middle", frame->horizontal);
  svg_text_upward(stream, 22, (SVG_FRAME_TOP + frame->height - SVG_FRAME_BOTTOM) / 2, "middle", frame->vertical);
  svg_end(stream);
}

svg_panel svg_frame_panel(const svg_frame *frame, size_t number) {
  const double count = (double)(frame->panel_count > 0 ? frame->panel_count : 1);
  const double width = (FRAME_WIDTH - SVG_FRAME_LEFT - FRAME_RIGHT - (count - 1.0) * PANEL_GAP) / count;
  return (svg_panel){SVG_FRAME_LEFT + (double)number * (width + PANEL_GAP), width};
}

double svg_frame_floor(const svg_frame *frame) {
  return frame->height - SVG_FRAME_BOTTOM;
}

double svg_frame_height(const svg_frame *frame, double part) {
  return svg_frame_floor(frame) - part * (svg_frame_floor(frame) - SVG_FRAME_TOP);
}

void svg_frame_level(FILE *stream, const svg_frame *frame, double part, const char *label) {
  const double y = svg_frame_height(frame, part);
  svg_line(stream, SVG_FRAME_LEFT, y, FRAME_WIDTH - FRAME_RIGHT, y, "grid");
  svg_text(stream, SVG_FRAME_LEFT - 8, y + 4, "right", label);
}

void svg_frame_panel_end(FILE *stream, const svg_frame *frame, const svg_panel *panel, const char *title) {
  const double floor_height = svg_frame_floor(frame);
  svg_line(stream, panel->left, floor_height, panel->left + panel->width, floor_height, "axis");
  svg_text(stream, panel->left + panel->width / 2, SVG_FRAME_TOP - 10, "middle", title);
}

double svg_legend_words(FILE *stream, double x, double sign_width, const char *words) {
  svg_text(stream, x + sign_width + 5, SVG_LEGEND_LINE, "legend", words);
  return x + sign_width + 24 + LETTER_WIDTH * (double)strlen(words);
}

double svg_step_up(double value) {
  const double power = pow(10.0, floor(log10(value) + 1e-9)), lead = value / power;
  return power * (lead < 1.5 ? 2.0 : lead < 3.5 ? 5.0 : 10.0);
}
