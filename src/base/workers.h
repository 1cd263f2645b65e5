/* workers: runs all parallel work of the library.
 *
 * A set of workers belongs to one scene, or to a host that shares it among several. It hides what runs the tasks: a
 * pool of POSIX threads, OpenMP, the host's own task system, or the calling thread. Workload: a frame has about eight
 * parallel regions of 0.2 to 10 ms each, with tens to thousands of tasks.
 *
 * Only one region uses the workers at a time. If they are busy, with a region of another thread or an enclosing one,
 * the region runs on the calling thread: it neither waits nor fails, and its result is the same. */
#ifndef GRAZE_BASE_WORKERS_H
#define GRAZE_BASE_WORKERS_H

#include "base/memory.h"

/* More of the library's own threads would only wait for memory. Larger requests are reduced to this. */
#define WORKERS_MAXIMUM 256

typedef graze_workers workers;

/* Reads worker_count, threading and tasks of the definition; caches no memory. GRAZE_INVALID_ARGUMENT for an unknown
 * threading or a task system without workers or `run`; GRAZE_UNSUPPORTED for OpenMP if it was not compiled in. Does not
 * start threads yet. */
graze_result workers_create(memory *heap, const graze_workers_def *def, workers **workers_out);

/* Adds a user of workers created by a host; it must call workers_destroy. */
void workers_retain(workers *team);

/* Removes a user; the last one destroys the workers. `heap` is the one passed to workers_create; it is ignored for
 * workers created by a host, which have their own. */
void workers_destroy(memory *heap, workers *workers_or_null);

/* The allocator for a scene with these workers and the given allocator: the workers' cache, if they have one for the
 * same allocator; otherwise the given one. The scene must release its blocks before it releases the workers. */
graze_allocator workers_allocator(workers *team, const graze_allocator *given);

/* Releases all cached memory; false if there is no cache, or one for another allocator. For callers whose allocation
 * failed and that may then try again. */
bool workers_release_cache(workers *workers_or_null, const graze_allocator *allocator);

/* At least 1; every worker number passed to a task is less. */
uint32_t workers_count(const workers *team);

/* Calls task(context, index, worker) once for each index in [0, task_count), and returns when all have returned; their
 * writes are then visible to the caller. With the library's own threads, tasks begin in the order of their numbers.
 * Safe from several threads at the same time, and from within a task: worker numbers are unique within one region, not
 * between two. */
void workers_run(workers *team, graze_task *task, void *context, uint32_t task_count);

/* The same for tasks on adjacent memory: each worker begins with its share of consecutive tasks, and then helps others.
 * So in successive regions it works on the same elements, which its caches may hold. */
void workers_run_by_shares(workers *team, graze_task *task, void *context, uint32_t task_count);

typedef void workers_range_body(void *context, size_t first, size_t end, uint32_t worker);

/* The length of ranges of `count` elements, at most `most`: shorter if there would be few ranges, so that small scenes
 * also have some for each of many workers, but at least an eighth of `most`. It depends only on count and most. */
size_t workers_grain(size_t count, size_t most);

/* Splits [0, count) into non-empty ranges of about workers_grain(count, most) elements, not longer, and runs them by
 * shares. The split depends only on count and most, never on the workers. */
void workers_for(workers *team, size_t count, size_t most, workers_range_body *body, void *context);

/* first_touch: maps the pages of fresh memory in parallel, one large page at a time.
 *
 * The system allocates and clears a page when it is first written; a page of 2 MiB takes some hundred microseconds.
 * Workers that start an array together all write to its first page: each waits for it, or clears a page that is then
 * discarded. A worker that writes to many distant places, as a sort does, faults at each of them. So the owner of a new
 * large block touches its pages before filling it.
 *
 * Workload: a few blocks of 4 to 400 MB per scene, once; pages that are already mapped cost one cache miss each. */

/* Writes to each large page of a block that was not written before; its content is undefined before and after. Blocks
 * too small for large pages are not touched. */
void first_touch(workers *team, void *block, size_t bytes);

#endif
