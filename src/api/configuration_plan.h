/* Which objects and pairs of objects a call of configurations is about: filters and exclusions are applied here, once a
 * call, so that a backend gets a list of object pairs that count. */
#ifndef GRAZE_API_CONFIGURATION_PLAN_H
#define GRAZE_API_CONFIGURATION_PLAN_H

#include "backend/backend.h"

/* The parts of a call, and the pairs of them that are tested; see configuration_request. */
typedef struct configuration_plan {
  const graze_scene *scene;
  memory *heap;
  uint32_t *part_of; /* an object each; UINT32_MAX: none */
  uint32_t *parts;   /* room for all objects */
  size_t part_count, moving_count;
  configuration_pair *pairs;
  size_t pair_count, pair_room;
} configuration_plan;

/* Release the plan, whatever the result. */
graze_result configuration_plan_begin(configuration_plan *plan, const graze_object *moving, size_t count);
graze_result configuration_plan_all_pairs(configuration_plan *plan);
void configuration_plan_release(configuration_plan *plan);

/* What a caller gives to configurations, as the public calls read it. */
typedef struct configuration_call {
  const graze_object *moving;
  const graze_pose *poses; /* on the host, or NULL */
  size_t pose_count;
  void *answers;                         /* likewise */
  const graze_configuration_pair *pairs; /* NULL: all that count */
  size_t pair_count;
  const void *device_poses;
  void *device_answers;
  bool (*should_stop)(void *stop_context);
  void *stop_context;
  size_t answer_bytes; /* of one answer */
  graze_result (*run)(const graze_scene *scene, configuration_request *request);
} configuration_call;

/* Writes to a request, whose moving_count is there, where poses and answers lie, and how many there are. */
graze_result configuration_call_read(const graze_scene *scene, const configuration_call *call,
                                     configuration_request *request);

/* The same, makes a plan, and runs the request. Poses that are refused have a message. */
graze_result configuration_call_run(const graze_scene *scene, const configuration_call *call,
                                    configuration_request *request);

/* Gives a request to the backend, in its turn; `what` is the word for one of those that are asked for. */
graze_result configuration_ask(const graze_scene *scene, const configuration_call *call, configuration_request *request,
                               const char *what);

#endif
