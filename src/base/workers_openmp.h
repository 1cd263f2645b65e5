/* workers_openmp: the OpenMP implementation of workers.h; included only by workers.c. */
#ifndef GRAZE_BASE_WORKERS_OPENMP_H
#define GRAZE_BASE_WORKERS_OPENMP_H

#include "graze/graze.h"

/* Whether OpenMP was compiled in; otherwise openmp_run uses only the calling thread. */
bool openmp_available(void);

/* Must not be called in a child forked after a region: the GNU runtime would wait forever. */
void openmp_run(uint32_t worker_count, graze_task *task, void *context, uint32_t task_count);

#endif
