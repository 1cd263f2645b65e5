/* kept_memory: a cache of freed blocks, which a host's workers keep for its next scenes.
 *
 * Workload: thousands of scenes, each created, filled, queried and destroyed within milliseconds, by several threads at
 * the same time. A scene allocates ten to some hundred blocks of a page to 400 MB and frees all of them; the next scene
 * needs nearly the same sizes. The C library would return much of this to the system in between, and each scene would
 * have it cleared again page by page. The scratch pool of a scene cannot replace this cache: it divides one block,
 * which it can only resize while nothing is allocated.
 *
 * Sizes are rounded up to eighths of the power of two below, so the requested size determines the block size, and a
 * block serves all sizes of its class. The loss is 4 to 7 % of what a scene holds. Each class is a stack. Blocks below
 * a page, which the C library does not return to the system, and above a terabyte are not cached.
 *
 * Cached and allocated blocks together are at most five quarters of the largest amount allocated at once during the
 * last scenes, and cached blocks are at most the limit. Beyond that the least recently used blocks are freed first. An
 * eighth would not be enough for similar scenes, because some blocks are released before others are requested.
 *
 * The lock is held for a few steps, never around a call of the source. */
#ifndef GRAZE_BASE_KEPT_MEMORY_H
#define GRAZE_BASE_KEPT_MEMORY_H

#include "base/memory.h"

#include <pthread.h>
#include <sys/types.h>

#define KEPT_SMALLEST ((size_t)4096)
#define KEPT_LARGEST (sizeof(size_t) > 4 ? (size_t)1 << 20 << 20 : (size_t)1 << 30)

/* Eight for each power of two from the smallest to the largest, plus one. */
enum { KEPT_STEPS = 8, KEPT_CLASSES = (40 - 12) * KEPT_STEPS + 1 };

/* After this many scenes the peak of earlier ones no longer counts; it counts for at most twice as many. */
enum { KEPT_SCENES = 32 };

struct kept_block;

typedef struct kept_memory {
  graze_allocator source; /* the source of all blocks */
  pid_t process;          /* the process that created it */
  pthread_mutex_t mutex;
  /* All members below are protected by the mutex. */
  size_t limit;
  struct kept_block *newest, *oldest;       /* over all classes */
  struct kept_block *classes[KEPT_CLASSES]; /* the newest of each class */
  size_t kept_bytes, out_bytes;             /* of whole blocks */
  size_t most_now, most_before; /* peaks of bytes in use: in the current period of scenes, and in the one before */
  uint32_t scenes;              /* ended in the current period */
} kept_memory;

/* Keeps at most `limit` bytes. */
void kept_memory_init(kept_memory *kept, const graze_allocator *source, size_t limit);

/* The allocator for a scene. Its blocks may be released until kept_memory_release. If the source is out of memory, all
 * cached blocks are returned to it, and it is called once more. */
graze_allocator kept_memory_allocator(kept_memory *kept);

/* Call at the end of a scene. */
void kept_memory_end_scene(kept_memory *kept);

/* Returns all cached blocks to the source. From any thread, at any time. */
void kept_memory_trim(kept_memory *kept);

/* The same, and later releases are not cached. */
void kept_memory_close(kept_memory *kept);

size_t kept_memory_bytes(kept_memory *kept);

/* Ends it. All blocks must have been released. */
void kept_memory_release(kept_memory *kept);

/* The class of a size, and the size of its blocks; false if such blocks are not cached. */
bool kept_memory_class(size_t bytes, uint32_t *class_out, size_t *block_bytes_out);

#endif
