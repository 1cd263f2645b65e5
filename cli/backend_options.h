/* Where a command's scenes run: the options --backend and --device, and the message where that cannot be had. */
#ifndef GRAZE_BACKEND_OPTIONS_H
#define GRAZE_BACKEND_OPTIONS_H

#include "complaint.h"

#include "graze/graze.h"

/* Descriptions for tables of options. */
#define BACKEND_WORDS "cpu (default) or cuda"
#define DEVICE_WORDS "number of the CUDA device, for --backend cuda (default 0)"

/* The default definition of a scene, with no device chosen yet. */
graze_scene_def backend_options_start(void);

/* The values of the two options; false after a complaint. */
bool read_backend(const char *value, graze_scene_def *def);
bool read_device(const char *value, graze_scene_def *def);

/* After the last option: the default device, or a complaint where one was chosen for nothing. */
bool backend_options_finish(graze_scene_def *def);

/* A scene of the definition; says why where there is none. Never one of another backend. */
bool backend_make_scene(const graze_scene_def *def, graze_scene **scene_out);

#endif
