/* workers: runs all parallel work of the library.
 *
 * A set of workers belongs to one scene, or to a host that shares it among several. It hides who runs them: a pool of
 * POSIX threads, OpenMP, the host's own task system, or the calling thread. Workload: a frame has about eight parallel
 * regions of 0.2 to 10 ms each, with tens to thousands of tasks.
 *
 * Only one region uses the workers at a time. If they are busy, with a region of another thread or an enclosing one,
 * the region runs on the calling thread: it neither waits nor fails, and its result is the same. */
#ifndef GRAZE_BASE_WORKERS_H
#define GRAZE_BASE_WORKERS_H

#include "base/memory.h"

/* More of the library's own threads than this would only wait for memory. A greater wish is cut to it. */
#define WORKERS_MAXIMUM 256

typedef graze_workers workers;

/* Reads worker_count, threading and tasks of the definition; keeps no memory. GRAZE_INVALID_ARGUMENT for an unknown
 * threading or a task system without workers or `run`; GRAZE_UNSUPPORTED for OpenMP where it was not compiled in. No
 * thread is made yet. */
graze_result workers_create(memory *heap, const graze_workers_def *def, workers **workers_out);

/* One more user of workers that a host made, who gives them up by workers_destroy. */
void workers_retain(workers *team);

/* Gives up one use; the last ends them. `heap` is the one that workers_create took, and not looked at where a host made
 * the workers, which have their own. */
void workers_destroy(memory *heap, workers *workers_or_null);

/* What a scene with these workers allocates from whose own allocator is the given one: memory that they keep for the
 * next scene, where they keep any and it comes from the same allocator; else the given one itself. Its blocks go back
 * before the use of the workers is given up. */
graze_allocator workers_allocator(workers *team, const graze_allocator *given);

/* Gives back all that is kept; false where nothing is ever kept, or of another allocator than was asked. For who was
 * refused memory, and may then ask again. */
bool workers_give_way(workers *workers_or_null, const graze_allocator *asked);

/* At least 1; every worker number handed to a task is less than it. */
uint32_t workers_count(const workers *team);

/* Calls task(context, index, worker) once for each index in [0, task_count), and returns when all have returned; what
 * they wrote is then visible to the caller. Tasks begin in the order of their numbers where threads are the library's
 * own. Safe from several threads at the same time, and from within a task: a worker's number is its own within one
 * region, not between two. */
void workers_run(workers *team, graze_task *task, void *context, uint32_t task_count);

/* The same for tasks that work on memory side by side: each worker begins with its share of them, those around one
 * another, and then helps others. From region to region it so comes to the same elements, which its caches may have. */
void workers_run_by_shares(workers *team, graze_task *task, void *context, uint32_t task_count);

typedef void workers_range_body(void *context, size_t first, size_t end, uint32_t worker);

/* How long the ranges of `count` elements are that may have `most`: shorter where there would be few of them, so that
 * small scenes too have some for each of many workers, but no shorter than an eighth. It depends on count and most
 * alone. */
size_t workers_grain(size_t count, size_t most);

/* Splits [0, count) into non-empty ranges of about workers_grain(count, most) elements, no longer than it, and runs
 * them by shares. The split depends on count and most alone, never on the workers. */
void workers_for(workers *team, size_t count, size_t most, workers_range_body *body, void *context);

#endif
