/* kept_memory: blocks that scenes have given back, kept by the workers of a host for the next scenes.
 *
 * Workload: scenes by the thousand, each made, filled, asked and destroyed within milliseconds, by several threads at
 * the same time; a scene takes ten to some hundred blocks of a page to 400 MB and gives all of them back, and the next
 * asks for nearly the same sizes. The C library would give much of it to the system in between, and each scene would
 * have it cleared page by page again. The scratch pool of a scene does not do for this: it cuts one block, which it may
 * change only while nothing is out.
 *
 * Sizes are rounded up to eighths of the power of two below, so that the size that was asked for says how large a block
 * is, and a block serves all sizes of its class; the loss is 4 to 7 hundredths of what a scene holds. Each class is a
 * stack. Blocks below a page, of which the C library gives nothing back, and above a terabyte pass through.
 *
 * What is kept and what is out together are at most five quarters of the most that was out at once in the time of the
 * last scenes, and what is kept at most the limit. Beyond that the blocks that were not asked for longest go first.
 * Scenes that are alike need more than an eighth: some blocks are released before others are asked for.
 *
 * The lock is held for a handful of steps, never around a call of the source. */
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
