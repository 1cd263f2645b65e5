/* Batches on the processor: bodies, placements and pairs of bodies; see batch_request. */
#ifndef GRAZE_BACKEND_CPU_CPU_BATCH_H
#define GRAZE_BACKEND_CPU_CPU_BATCH_H

#include "backend_cpu/batch_rows.h"

graze_result cpu_run_batch(const graze_scene *scene, batch_request *request);

/* The same with the trees of a call, for a scene on any backend; poses and answers are on the host. With `only`,
 * just the configurations with a nonzero element. Failures set no message yet. */
graze_result batch_run_with(const graze_scene *scene, batch_request *request, const pose_trees *trees,
                            const uint8_t *only_or_null);

/* Writes the rows of found pairs, for valid poses. Of the trees, only the bodies are read. Rows that the pair does not
 * determine remain open. Failures set no message yet. */
graze_result batch_finish(const graze_scene *scene, batch_request *request, const pose_trees *trees,
                          const found_distances *found);

#endif
