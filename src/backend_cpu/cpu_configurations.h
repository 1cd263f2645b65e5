/* Configurations of many objects on the processor. */
#ifndef GRAZE_BACKEND_CPU_CPU_CONFIGURATIONS_H
#define GRAZE_BACKEND_CPU_CPU_CONFIGURATIONS_H

#include "backend/backend.h"

graze_result cpu_test_configurations(const graze_scene *scene, configuration_request *request);

#endif
