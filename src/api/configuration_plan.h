/* The objects and object pairs of a call about configurations. Filters and exclusions are applied here once per call,
 * so a backend receives only the object pairs to test. */
#ifndef GRAZE_API_CONFIGURATION_PLAN_H
#define GRAZE_API_CONFIGURATION_PLAN_H

#include "backend/backend.h"

/* The parts of a call, and the pairs of parts to test; see configuration_request. */
typedef struct configuration_plan {
  const graze_scene *scene;
  memory *heap;
  uint32_t *part_of; /* one per object; UINT32_MAX: none */
  uint32_t *parts;   /* has capacity for all objects */
  size_t part_count, moving_count;
  configuration_pair *pairs;
  size_t pair_count, pair_capacity;
} configuration_plan;

/* The plan must be released, whatever the result. */
graze_result configuration_plan_begin(configuration_plan *plan, const graze_object *moving, size_t count);
void configuration_plan_release(configuration_plan *plan);

/* The first object, from `object` on, that is tested against a moving part, but not with an earlier one; the scene's
 * object_count if there is none. */
size_t configuration_plan_partner(const configuration_plan *plan, size_t part, size_t object);

/* The arguments of a call about configurations, as the public calls read them. */
typedef struct configuration_call {
  const graze_object *moving;
  const graze_pose *poses; /* on the host, or NULL */
  size_t pose_count;
  void *answers;                         /* likewise */
  const graze_configuration_pair *pairs; /* NULL: all that filters and exclusions allow */
  size_t pair_count;
  const void *device_poses;
  void *device_answers;
  bool (*should_stop)(void *stop_context);
  void *stop_context;
  size_t answer_bytes; /* of one answer */
  graze_result (*run)(const graze_scene *scene, configuration_request *request);
} configuration_call;

/* Writes the locations and number of poses and answers to a request with a valid moving_count. */
graze_result configuration_call_read(const graze_scene *scene, const configuration_call *call,
                                     configuration_request *request);

/* The same; then makes a plan and runs the request. Refused poses set a message. */
graze_result configuration_call_run(const graze_scene *scene, const configuration_call *call,
                                    configuration_request *request);

/* Runs a request on the backend, under the device lock. `what` names one answer in messages. */
graze_result configuration_execute(const graze_scene *scene, const configuration_call *call,
                                   configuration_request *request, const char *what);

#endif
