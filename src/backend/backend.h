/* Who runs a scene: a row of a table for each backend, one request and one answer for each question.
 *
 * A row says nothing of graze's public lists: it fills the memory of a list, and the public calls write the list's
 * fields, its hash, and what the last update counted. What a backend does not have it refuses with a message. */
#ifndef GRAZE_BACKEND_BACKEND_H
#define GRAZE_BACKEND_BACKEND_H

#include "analysis/crowding.h"
#include "base/answer_list.h"
#include "broad/configuration_pair.h"
#include "graze/nearest.h"
#include "graze/poses.h"
#include "narrow/push_rule.h"
#include "packing/packer_stages.h"
#include "scene/scene_data.h"
#include "spheres/gas_stages.h"

/* Blocks of a list's memory. */
enum {
  BLOCK_PAIRS = 2, /* beside contacts, wrenches and objects, which are made of pairs */
  BLOCK_OBJECT_PAIRS = 0,
  BLOCK_CONTACTS = 0,
  BLOCK_POINTS = 1,
  BLOCK_WRENCHES = 0,
  BLOCK_CONTAINMENTS = 0,
  BLOCK_NEARESTS = 0,
  BLOCK_K = 0,
  BLOCK_NEIGHBORS = 1,
  BLOCK_DIAMETERS = 2,
  BLOCK_REGIONS = 3, /* beside the pairs of a query, as all of a list of regions are */
  BLOCK_REGION_PAIRS = 4,
  BLOCK_CLASHES = 5,
  BLOCK_REGION_POINTS = 6,
  BLOCK_CURVES = 7,
  BLOCK_CURVE_VERTICES = 8,
  BLOCK_REGION_OBJECTS = 9
};

typedef struct pair_request {
  const graze_query *query; /* read over the defaults, and checked */
  stop_check *stop;         /* NULL: nothing stops it */
  bool first_only;          /* one pair is enough */
  bool objects_only;        /* one pair of each two objects is */
  graze_list_memory *list;
} pair_request;

typedef struct pair_answer {
  const graze_pair *pairs; /* sorted, in the list's memory */
  size_t count;
  uint64_t hash;
  bool limit_reached;
  graze_timings timings; /* those of a query; the update's are added by the scene, as are its counters */
  graze_counters counters;
} pair_answer;

/* Objects that touch. */
typedef struct object_pair_answer {
  uint64_t *keys; /* two objects each, the lower number above the higher, in any order, some perhaps several times; in
                     the scene's scratch, with as much room behind them. To be released, whatever the result */
  size_t count;
  graze_timings timings;
  graze_counters counters;
} object_pair_answer;

typedef struct contact_request {
  const graze_pair *pairs;
  size_t count;
  graze_test test;
  bool only_pushes; /* of solids of different objects: other pairs, and those that do not meet, get no kind */
  graze_list_memory *list;
} contact_request;

typedef struct contact_answer {
  graze_contact *contacts; /* in the list's memory, as are the points */
  double (*points)[3];
  size_t point_count;
  double milliseconds;
} contact_answer;

/* Wrenches of a query, where the backend finds them without listing its pairs. */
typedef struct push_request {
  const graze_query *query; /* as in pair_request */
  stop_check *stop;
  push_rule rule;
} push_request;

typedef struct push_answer {
  push_sum *sums; /* of every two objects, in memory of the caller: the lower one's number times object_count */
  graze_timings timings;
  graze_counters counters;
} push_answer;

/* See graze/poses.h. */
typedef struct pose_request {
  uint32_t still, moving; /* objects */
  const graze_pose *poses;
  size_t count;
  graze_test test;
  bool counts;
  stop_check *stop; /* NULL: nothing stops it */
  uint64_t *answers;
  size_t refused; /* the first pose that cannot be; count: all can. To be written by the backend */
} pose_request;

/* See graze_scene_test_configurations and graze_scene_measure_configurations. Parts are the objects that are in a pair:
 * those that move, in the order of their poses, and then those that stay. */
typedef struct configuration_request {
  const uint32_t *parts;
  size_t part_count, moving_count;
  const configuration_pair *pairs; /* as filters and exclusions let them through */
  size_t pair_count, column_count;
  const graze_pose *poses;           /* on the device if `device_poses` */
  size_t count;                      /* of configurations */
  graze_configuration_answer answer; /* of distances: one row, or GRAZE_CONFIGURATION_OBJECT_PAIRS */
  graze_test test;
  double max_distance;  /* of distances alone, as is the limit */
  uint64_t visit_limit; /* 0: none */
  stop_check *stop;     /* NULL: nothing stops it */
  void *answers;        /* on the device if `device_answers` */
  bool device_poses, device_answers;
  size_t refused;          /* the first pose that cannot be; all of them: all can. To be written by the backend */
  graze_pose refused_pose; /* a copy of it */
} configuration_request;

typedef struct backend {
  const char *name, *description;
  bool on_device; /* methods have their device_options there, not their options */
  /* A state for the scene, not yet its own. */
  graze_result (*open)(graze_scene *scene, const graze_backend_def *def, void **state_out);
  void (*close)(graze_scene *scene, void *state_or_null);
  /* Brings home what the backend alone has, before the scene leaves it: all of it, or the scene stays as it is. */
  graze_result (*leave)(graze_scene *scene);
  bool (*is_there)(const graze_scene *scene, const graze_backend_def *def); /* the scene runs there already */
  /* The host's stream from now on; NULL: the backend has no streams. */
  void (*change_stream)(graze_scene *scene, void *stream);
  /* Where poses of the scene's objects lie, so that the backend needs no copy of them; of a state that is open. */
  memory *(*pose_heap)(graze_scene *scene, void *state_or_null);
  /* The method that an updated scene is searched by, and why. */
  const method *(*searched_by)(const graze_scene *scene, const char **reason_out);
  /* The scene has been given another method or other options: makes a state for it, ready to search where the scene is
   * updated. On failure the state before stays, and the caller gives the scene its method back. */
  graze_result (*change_method)(graze_scene *scene);
  graze_result (*update)(graze_scene *scene, double *milliseconds_out);
  graze_result (*find)(const graze_scene *scene, const pair_request *request, pair_answer *answer);
  /* NULL: pairs are listed first. Of the query neither pair_limit nor stop_after need be looked at. */
  graze_result (*object_pairs)(const graze_scene *scene, const pair_request *request, object_pair_answer *answer);
  graze_result (*contacts)(const graze_scene *scene, const contact_request *request, contact_answer *answer);
  /* NULL: pairs are listed first. */
  graze_result (*pushes)(const graze_scene *scene, const push_request *request, push_answer *answer);
  graze_result (*measure)(const graze_scene *scene, uint32_t object, const crowding_counts *counts,
                          crowding_outcome *outcome_out);
  graze_result (*test_poses)(const graze_scene *scene, pose_request *request);
  graze_result (*test_configurations)(const graze_scene *scene, configuration_request *request);
  /* The answers are graze_nearest. */
  graze_result (*measure_configurations)(const graze_scene *scene, configuration_request *request);
  size_t (*bytes)(const graze_scene *scene); /* held on devices */
  /* For a sphere packing, which has no scene there; what fails has its message. */
  graze_result (*open_packing)(const graze_backend_def *def, const stages_def *stages, packer_stages *stages_out);
  /* For the building of sphere trees, likewise; NULL: workers do it. */
  graze_result (*open_gas)(const graze_backend_def *def, memory *heap, gas_stages *stages_out);
} backend;

extern const backend backend_cpu;
extern const backend backend_cuda;

/* Calls of a scene on a device are serialized, from here to the end of the turn. The processor's run concurrently. */
static inline void scene_take_turn(const graze_scene *scene) {
  if (scene->backend->on_device) turn_lock_take((turn_lock *)(uintptr_t)&scene->turn);
}
static inline void scene_end_turn(const graze_scene *scene) {
  if (scene->backend->on_device) turn_lock_leave((turn_lock *)(uintptr_t)&scene->turn);
}

#endif
