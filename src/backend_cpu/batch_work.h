/* A batch on the processor: the bodies of one configuration after another in their poses. */
#ifndef GRAZE_BACKEND_CPU_BATCH_WORK_H
#define GRAZE_BACKEND_CPU_BATCH_WORK_H

#include "backend/backend.h"
#include "backend_cpu/nearest_search.h"
#include "backend_cpu/pose_test.h"
#include "backend_cpu/pose_trees.h"
#include "scene/object_numbers.h"

typedef struct batch_work {
  const graze_scene *scene;
  const batch_request *request;
  const tree_forest *forest;
  const tree_kernels *kernels;
  posed_body *resting;       /* one per part; of moving parts, only those not placed by workers */
  exact_box *resting_boxes;  /* likewise; grown if the answers are tests */
  posed_body *moving;        /* one array per worker */
  exact_box *moving_boxes;   /* likewise */
  struct batch_tests *tests; /* one of the two */
  struct batch_rows *rows;
  const uint8_t *only;     /* one per configuration: nonzero if requested; NULL: all are */
  _Atomic(size_t) refused; /* the lowest invalid pose; other tasks continue after one is found */
} batch_work;

/* One configuration, as processed by a worker. */
typedef struct batch_run {
  const batch_work *work;
  posed_body *moving;
  exact_box *moving_boxes;
  uint32_t worker;
} batch_run;

static inline const posed_body *batch_part(const batch_run *run, uint32_t part) {
  return part < run->work->request->moving_count ? &run->moving[part] : &run->work->resting[part];
}

static inline const exact_box *batch_box(const batch_run *run, uint32_t part) {
  return part < run->work->request->moving_count ? &run->moving_boxes[part] : &run->work->resting_boxes[part];
}

static inline nearest_body batch_nearest_body(const batch_run *run, uint32_t part) {
  const posed_body *body = batch_part(run, part);
  return (nearest_body){.tree = body->tree,
                        .posed = &body->posed,
                        .box = batch_box(run, part),
                        .source = &body->source,
                        .object = run->work->request->parts[part]};
}

/* The sum of the padding of both bodies of a pair. */
static inline double batch_padding(const batch_request *request, configuration_pair pair) {
  return request->padding != NULL ? request->padding[pair.a] + request->padding[pair.b] : 0.0;
}

/* The distance within which a pair is requested. */
static inline double batch_limit(const batch_request *request, configuration_pair pair) {
  return request->limit + batch_padding(request, pair);
}

static inline nearest_search batch_search(const batch_work *work, double bound, nearest_goal goal) {
  return nearest_search_begin(work->forest, work->kernels, scene_ranks(work->scene), bound, goal,
                              work->request->visit_limit,
                              work->request->row_stop != NULL ? work->request->row_stop : work->request->stop);
}

#endif
