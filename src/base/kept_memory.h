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

/* Eight for each power of two from the smallest to the largest, which is one more. */
enum { KEPT_STEPS = 8, KEPT_CLASSES = (40 - 12) * KEPT_STEPS + 1 };

/* After so many scenes what the ones before them needed no longer counts; at least so many and at most twice. */
enum { KEPT_SCENES = 32 };

struct kept_block;

typedef struct kept_memory {
  graze_allocator source; /* that all blocks come from and go back to */
  pid_t process;          /* that made it */
  pthread_mutex_t mutex;
  /* All that follows is read and written under the mutex. */
  size_t limit;
  struct kept_block *newest, *oldest;       /* of all */
  struct kept_block *classes[KEPT_CLASSES]; /* the newest of each class */
  size_t kept_bytes, out_bytes;             /* of whole blocks */
  size_t most_now, most_before;             /* out at once, since the count of scenes began, and in the one before */
  uint32_t scenes;                          /* that have ended since then */
} kept_memory;

/* Keeps at most `limit` bytes. */
void kept_memory_init(kept_memory *kept, const graze_allocator *source, size_t limit);

/* What a scene allocates from. Blocks of it may be given back until kept_memory_release. Where the source has none, all
 * that is kept goes back to it, and it is asked once more. */
graze_allocator kept_memory_allocator(kept_memory *kept);

/* A scene has ended. */
void kept_memory_end_scene(kept_memory *kept);

/* Gives all that is kept back to the source. From any thread, at any time. */
void kept_memory_trim(kept_memory *kept);

/* The same, and from now on nothing is kept. */
void kept_memory_close(kept_memory *kept);

size_t kept_memory_bytes(kept_memory *kept);

/* Ends it. Nothing may be out. */
void kept_memory_release(kept_memory *kept);

/* The class of a size, and the size of its blocks; false where none is kept. */
bool kept_memory_class(size_t bytes, uint32_t *class_out, size_t *block_bytes_out);

#endif
