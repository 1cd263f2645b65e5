/* workers_openmp: the OpenMP implementation of workers.h; included only by workers.c. */
#ifndef GRAZE_BASE_WORKERS_OPENMP_H
#define GRAZE_BASE_WORKERS_OPENMP_H

#include "graze/graze.h"

/* Whether OpenMP was compiled in; where it was not, openmp_run works on the caller alone. */
bool openmp_available(void);

/* Not in a child that was forked after a region: there the GNU runtime waits for ever. */
void openmp_run(uint32_t worker_count, graze_task *task, void *context, uint32_t task_count);

#endif
