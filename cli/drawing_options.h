/* The drawing options of all commands with --picture. */
#ifndef GRAZE_DRAWING_OPTIONS_H
#define GRAZE_DRAWING_OPTIONS_H

#include "option_values.h"
#include "picture.h"

/* Rows for tables of options: the view, and the additional options for surfaces with pairs. The struct of the command
 * has a member `drawing`. */
#define CAMERA_OPTION_ROWS(type)                                                                                       \
  {"camera",                                                                                                           \
   0,                                                                                                                  \
   "VIEW",                                                                                                             \
   OPTION_PICTURE,                                                                                                     \
   OPTION_READ(option_read_camera, type, drawing),                                                                     \
   "view of the picture: front, back, left, right, top, bottom\n"                                                      \
   "or iso, or AZIMUTH,ELEVATION in degrees: 0,0 is the front, 90,0 the\n"                                             \
   "right (default: the three-quarter view that shows the most marks)"},                                               \
  {                                                                                                                    \
    "up", 0, "AXIS", OPTION_PICTURE, OPTION_READ(option_read_up, type, drawing),                                       \
        "the axis that points up in the picture and on the page:\n"                                                    \
        "x y z -x -y -z (default y)"                                                                                   \
  }
#define DRAWING_OPTION_ROWS(type)                                                                                      \
  CAMERA_OPTION_ROWS(type),                                                                                            \
      {"crease",                                                                                                       \
       0,                                                                                                              \
       "DEGREES",                                                                                                      \
       OPTION_PICTURE,                                                                                                 \
       OPTION_READ(option_read_crease, type, drawing),                                                                 \
       "draw edges sharp where faces meet at a larger angle: 0 draws flat\n"                                           \
       "faces, 180 smooths all (default 40)"},                                                                         \
  {                                                                                                                    \
    "zoom-to", 0, "WHAT", OPTION_PICTURE, OPTION_READ(option_read_zoom, type, drawing),                                \
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

/* Readers of the rows, for a drawing_options. */
option_reader option_read_camera, option_read_up, option_read_crease, option_read_zoom;

/* False after a complaint if they were given without a picture; for --up, a page is enough. */
bool drawing_options_have_picture(const drawing_options *options, const char *picture_or_null,
                                  const char *page_or_null);

#endif
