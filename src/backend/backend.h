/* Backends, which run updates and queries of a scene: a row of functions for each backend, one request and one answer
 * struct for each call.
 *
 * A backend does not fill graze's public list structs: it fills the memory of a list; the public calls write the list's
 * fields, its hash, and the counters of the last update. Unsupported requests are refused with a message. */
#ifndef GRAZE_BACKEND_BACKEND_H
#define GRAZE_BACKEND_BACKEND_H

#include "analysis/crowding.h"
#include "base/answer_list.h"
#include "broad/configuration_pair.h"
#include "graze/nearest.h"
#include "narrow/pair_measure.h"
#include "packing/packer_stages.h"
#include "scene/scene_data.h"
#include "spheres/gas_stages.h"

/* Blocks of a list's memory; those of regions are in regions/region_list.c. */
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
  BLOCK_DIAMETERS = 2
};

typedef struct pair_request {
  const graze_query *query; /* read over the defaults, and checked */
  stop_check *stop;         /* NULL: nothing stops it */
  bool first_only;          /* one pair is enough */
  bool objects_only;        /* one pair of each pair of objects is enough */
  graze_list_memory *list;
} pair_request;

/* The number of pairs that the caller requests, if all are found first. */
static inline size_t pair_request_wanted(const pair_request *request, size_t found) {
  const graze_query *query = request->query;
  const size_t limit = request->first_only ? 1 : query->stop_after != 0 ? query->stop_after : query->pair_limit;
  return limit != 0 && found > limit ? limit : found;
}

typedef struct pair_answer {
  const graze_pair *pairs; /* sorted, in the list's memory */
  size_t count;
  uint64_t hash;
  bool limit_reached;
  graze_timings timings; /* of the query; the scene adds those of the update, and its counters */
  graze_counters counters;
} pair_answer;

/* Touching objects. */
typedef struct object_pair_answer {
  uint64_t *keys; /* two objects each, the lower number in the high half, in any order, possibly repeated; in the
                     scene's scratch, with as much free memory after them. Must be released, whatever the result */
  size_t count;
  graze_timings timings;
  graze_counters counters;
} object_pair_answer;

typedef struct contact_request {
  const graze_pair *pairs;
  size_t count;
  graze_test test;
  bool wrenches_only; /* only solids of different objects; other pairs, and those that do not meet, get no kind */
  graze_list_memory *list;
} contact_request;

typedef struct contact_answer {
  graze_contact *contacts; /* in the list's memory, like the points */
  double (*points)[3];
  size_t point_count;
  double milliseconds;
} contact_answer;

/* Wrenches of a query, if the backend computes them without listing its pairs. */
typedef struct wrench_request {
  const graze_query *query; /* as in pair_request */
  stop_check *stop;
  wrench_rule rule;
} wrench_request;

typedef struct wrench_answer {
  wrench_sum *sums; /* of every pair of objects, in the caller's memory, at the lower one's number times object_count */
  graze_timings timings;
  graze_counters counters;
} wrench_answer;

/* See graze/inspect.h. */
typedef struct inspect_request {
  const graze_query *query; /* as in pair_request */
  stop_check *stop;
} inspect_request;

typedef struct inspect_answer {
  structure_list list; /* memory and options belong to the caller */
  const char *method;
  graze_timings timings;
  graze_counters counters;
} inspect_answer;

typedef enum batch_answer {
  BATCH_HITS,   /* uint8_t: 1 if a pair of primitives is within the limit, else 0 */
  BATCH_COUNTS, /* uint64_t: the number of those pairs */
  BATCH_NEAREST /* graze_nearest: the nearest pair within the limit */
} batch_answer;

/* Bodies, their placements, and pairs of bodies. Parts are the objects in pairs: moving ones, in the order of their
 * poses, then resting ones. An object may be both, to be tested against itself. Each configuration has one answer for
 * each column. There is one column for all pairs, or each pair has its own. */
typedef struct batch_request {
  const uint32_t *parts;
  size_t part_count, moving_count;
  const configuration_pair *pairs; /* ascending by column; after filters and exclusions */
  size_t pair_count, column_count;
  const graze_pose *poses; /* on the device if `device_poses` */
  size_t count;            /* of configurations */
  batch_answer answer;
  graze_test test;
  double limit;          /* primitives of a pair are requested within this distance, plus the padding of both bodies */
  const double *padding; /* one per part; NULL: none */
  nearest_goal goal;
  uint64_t visit_limit; /* 0: none */
  stop_check *stop;     /* NULL: nothing stops it */
  stop_check *row_stop; /* ends the searches of rows, which then are incomplete; NULL: nothing does. On the processor */
  void *answers;        /* on the device if `device_answers` */
  bool device_poses, device_answers;
  uint64_t visit_count, measure_count; /* outputs: of the searches of rows, on the processor */
  size_t refused;                      /* output: the first invalid pose; their number: all are valid */
  graze_pose refused_pose;             /* that pose */
} batch_request;

typedef struct backend {
  const char *name, *description;
  bool on_device;  /* methods use their device_options, not their options */
  bool one_device; /* has one device, which positions, poses and lists may be on */
  /* Creates a state for the scene, without setting it. */
  graze_result (*open)(graze_scene *scene, const graze_backend_def *def, void **state_out);
  void (*close)(graze_scene *scene, void *state_or_null);
  /* Copies data that only the backend has to the host before the scene changes backend. On failure the scene is
   * unchanged. */
  graze_result (*leave)(graze_scene *scene);
  bool (*is_active)(const graze_scene *scene, const graze_backend_def *def); /* the scene already runs there */
  /* Sets the host's stream; NULL: the backend has no streams. */
  void (*change_stream)(graze_scene *scene, void *stream);
  /* The memory for poses of the scene's objects that saves the backend a copy; belongs to an open state. */
  memory *(*pose_heap)(graze_scene *scene, void *state_or_null);
  /* The method that searches an updated scene, and the reason. */
  const method *(*searched_by)(const graze_scene *scene, const char **reason_out);
  /* Called after the scene's method or options were set: creates the method's state, prepared if the scene is updated.
   * On failure the previous state remains, and the caller restores the scene's method. */
  graze_result (*change_method)(graze_scene *scene);
  graze_result (*update)(graze_scene *scene, double *milliseconds_out);
  graze_result (*find)(const graze_scene *scene, const pair_request *request, pair_answer *answer);
  /* NULL: pairs are listed first. May ignore the query's pair_limit and stop_after. */
  graze_result (*object_pairs)(const graze_scene *scene, const pair_request *request, object_pair_answer *answer);
  graze_result (*contacts)(const graze_scene *scene, const contact_request *request, contact_answer *answer);
  /* NULL: pairs are listed first. */
  graze_result (*wrenches)(const graze_scene *scene, const wrench_request *request, wrench_answer *answer);
  /* NULL: structures of the backend cannot be listed. */
  graze_result (*inspect)(const graze_scene *scene, const inspect_request *request, inspect_answer *answer);
  graze_result (*measure)(const graze_scene *scene, uint32_t object, const crowding_counts *counts,
                          crowding_outcome *outcome_out);
  graze_result (*run_batch)(const graze_scene *scene, batch_request *request);
  size_t (*bytes)(const graze_scene *scene); /* allocated on devices */
  /* For a sphere packing, which has no scene on the backend. A failure sets a message. */
  graze_result (*open_packing)(const graze_backend_def *def, const stages_def *stages, packer_stages *stages_out);
  /* For building sphere trees, likewise; NULL: the workers do it. */
  graze_result (*open_gas)(const graze_backend_def *def, memory *heap, gas_stages *stages_out);
} backend;

extern const backend backend_cpu;
extern const backend backend_cuda;
extern const backend backend_devices; /* several devices of the backend cuda */

/* Serializes the calls of a scene on a device. Calls on the processor run concurrently. */
static inline void scene_lock_device(const graze_scene *scene) {
  if (scene->backend->on_device) call_lock_take((call_lock *)(uintptr_t)&scene->device_lock);
}
static inline void scene_unlock_device(const graze_scene *scene) {
  if (scene->backend->on_device) call_lock_release((call_lock *)(uintptr_t)&scene->device_lock);
}

#endif
