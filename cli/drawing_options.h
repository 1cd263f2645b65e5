/* The drawing options of all commands with --picture. */
#ifndef GRAZE_DRAWING_OPTIONS_H
#define GRAZE_DRAWING_OPTIONS_H

#include "command_line.h"
#include "picture.h"

enum { CODE_CAMERA = OPTION_CODE_SHARED_FIRST + 128, CODE_UP, CODE_CREASE, CODE_ZOOM_TO };

/* Rows for tables of options: the view, and the additional options for surfaces with pairs. */
#define CAMERA_OPTION_ROWS                                                                                             \
  {"camera", CODE_CAMERA, "VIEW",                                                                                      \
   "view of the picture: front, back, left, right, top, bottom\n"                                                      \
   "or iso, or AZIMUTH,ELEVATION in degrees: 0,0 is the front, 90,0 the\n"                                             \
   "right (default: the three-quarter view that shows the most marks)"},                                               \
  {                                                                                                                    \
    "up", CODE_UP, "AXIS",                                                                                             \
        "the axis that points up in the picture and on the page:\n"                                                    \
        "x y z -x -y -z (default y)"                                                                                   \
  }
#define DRAWING_OPTION_ROWS                                                                                            \
  CAMERA_OPTION_ROWS,                                                                                                  \
      {"crease", CODE_CREASE, "DEGREES",                                                                               \
       "draw edges sharp where faces meet at a larger angle: 0 draws flat\n"                                           \
       "faces, 180 smooths all (default 40)"},                                                                         \
  {                                                                                                                    \
    "zoom-to", CODE_ZOOM_TO, "WHAT",                                                                                   \
        "zoom to the first pair or region; pair=N or region=N selects another,\n"                                      \
        "numbered from 0 as in the output files"                                                                       \
  }

typedef enum zoom_target { ZOOM_TO_ALL, ZOOM_TO_PAIR, ZOOM_TO_REGION } zoom_target;

typedef struct drawing_options {
  picture_camera camera; /* without focus */
  double crease_degrees;
  zoom_target zoom_to;
  uint64_t zoom_number;
  const char *given; /* one of the given options except --up, without dashes; NULL: none */
  bool gives_up;     /* --up was given */
} drawing_options;

drawing_options drawing_options_start(void);

/* The names for --camera, --up and --zoom-to; NULL past the last. */
const char *camera_view_name(size_t number);
const char *up_axis_name(size_t number);
const char *zoom_target_name(size_t number);

/* Whether the code is one of the options above, and the reader of its value; false after a complaint. */
bool is_drawing_option(int code);
bool read_drawing_option(int code, const char *value, drawing_options *options);

/* False after a complaint if they were given without a picture; for --up, a page is enough. */
bool drawing_options_have_picture(const drawing_options *options, const char *picture_or_null,
                                  const char *page_or_null);

#endif
