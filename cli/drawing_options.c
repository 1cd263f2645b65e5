/* Reads the options of pictures. */
#include "drawing_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The views of an orthographic drawing; iso shows three sides of a cube equally. */
typedef struct named_view {
  const char *name;
  double azimuth, elevation;
} named_view;
static const named_view views[] = {{"front", 0.0, 0.0},
                                   {"back", 180.0, 0.0},
                                   {"left", -90.0, 0.0},
                                   {"right", 90.0, 0.0},
                                   {"top", 0.0, 90.0},
                                   {"bottom", 0.0, -90.0},
                                   {"iso", 45.0, 35.264389682754654}};

static const char *const up_names[PICTURE_UP_COUNT] = {
    [PICTURE_UP_X] = "x",    [PICTURE_UP_Y] = "y",    [PICTURE_UP_Z] = "z",
    [PICTURE_DOWN_X] = "-x", [PICTURE_DOWN_Y] = "-y", [PICTURE_DOWN_Z] = "-z"};

const char *camera_view_name(size_t number) {
  return number < sizeof views / sizeof views[0] ? views[number].name : NULL;
}

const char *up_axis_name(size_t number) {
  return number < PICTURE_UP_COUNT ? up_names[number] : NULL;
}

const char *zoom_target_name(size_t number) {
  static const char *const names[] = {"pair", "region"};
  return number < sizeof names / sizeof names[0] ? names[number] : NULL;
}

drawing_options drawing_options_start(void) {
  const picture_options plain = picture_options_default();
  return (drawing_options){.camera = plain.camera, .crease_degrees = plain.crease_degrees};
}

/* Reads a number from -most to most; *end is the first character after it. */
static bool scan_degrees(const char *from, double most, double *degrees_out, char **end_out) {
  if (strchr("+-.0123456789", *from) == NULL || *from == '\0') return false; /* strtod also accepts blanks and names */
  *degrees_out = strtod(from, end_out);
  return *end_out != from && fabs(*degrees_out) <= most;
}

bool option_read_camera(const command_option *option, char *value, void *member) {
  drawing_options *options = member;
  picture_camera *camera = &options->camera;
  char *end = NULL;
  options->given = option->name;
  camera->is_set = true;
  for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
    if (strcmp(value, views[i].name) != 0) continue;
    camera->azimuth = views[i].azimuth;
    camera->elevation = views[i].elevation;
    return true;
  }
  if (scan_degrees(value, 360.0, &camera->azimuth, &end) && *end == ',' &&
      scan_degrees(end + 1, 90.0, &camera->elevation, &end) && *end == '\0')
    return true;
  return decline(
      "--camera takes front, back, left, right, top, bottom or iso, or AZIMUTH,ELEVATION in degrees, from -360 to "
      "360 and from -90 to 90, not \"%s\"",
      value);
}

bool option_read_up(const command_option *option, char *value, void *member) {
  drawing_options *options = member;
  (void)option;
  options->gives_up = true;
  for (int i = 0; i < PICTURE_UP_COUNT; i++) {
    if (strcmp(value, up_names[i]) != 0) continue;
    options->camera.up = (picture_up)i;
    return true;
  }
  return decline("--up takes x, y, z, -x, -y or -z, not \"%s\"", value);
}

bool option_read_crease(const command_option *option, char *value, void *member) {
  drawing_options *options = member;
  char *end = NULL;
  options->given = option->name;
  if (scan_degrees(value, 180.0, &options->crease_degrees, &end) && *end == '\0' && options->crease_degrees >= 0.0)
    return true;
  return decline("--crease takes an angle from 0 to 180 degrees, not \"%s\"", value);
}

bool option_read_zoom(const command_option *option, char *value, void *member) {
  drawing_options *options = member;
  const bool is_pair = strncmp(value, "pair", 4) == 0;
  const char *number = is_pair ? value + 4 : value + 6;
  options->given = option->name;
  options->zoom_to = is_pair ? ZOOM_TO_PAIR : ZOOM_TO_REGION;
  options->zoom_number = 0;
  if (is_pair || strncmp(value, "region", 6) == 0) {
    if (*number == '\0') return true;
    if (*number == '=')
      return read_whole_number(is_pair ? "zoom-to pair" : "zoom-to region", number + 1, 0, SIZE_MAX,
                               &options->zoom_number);
  }
  return decline("--zoom-to takes pair, region, pair=N or region=N, not \"%s\"", value);
}

bool drawing_options_have_picture(const drawing_options *options, const char *picture_or_null,
                                  const char *page_or_null) {
  if (picture_or_null != NULL) return true;
  if (options->given != NULL) return decline("--%s requires --picture FILE.png", options->given);
  if (!options->gives_up || page_or_null != NULL) return true;
  return decline("--up requires --picture FILE.png or --report FILE.html");
}
