/* Selects the backend of tests: that of the environment variable GRAZE_TEST_BACKEND, on the devices in
 * GRAZE_TEST_DEVICES, such as "0,1,0"; otherwise the processor. */
#ifndef GRAZE_TESTS_CHOSEN_BACKEND_H
#define GRAZE_TESTS_CHOSEN_BACKEND_H

#include "graze/graze.h"

#include <stdlib.h>

static inline graze_backend_def chosen_backend(void) {
  static int devices[16];
  const char *name = getenv("GRAZE_TEST_BACKEND"), *list = getenv("GRAZE_TEST_DEVICES");
  graze_backend_def chosen = graze_backend_def_default();
  if (name != NULL) chosen.name = name;
  while (name != NULL && list != NULL && *list != '\0' && chosen.device_count < sizeof devices / sizeof *devices) {
    char *end;
    devices[chosen.device_count++] = (int)strtol(list, &end, 10);
    list = *end == ',' ? end + 1 : end;
  }
  if (chosen.device_count > 0) chosen.devices = devices;
  return chosen;
}

/* Whether each scene is divided over several devices. */
static inline bool chosen_is_divided(void) {
  return chosen_backend().device_count > 1;
}

#endif
