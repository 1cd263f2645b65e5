/* large_page_arena: a scene's arrays of a page to some megabytes, cut out of regions of large pages.
 *
 * A page that is fresh costs a visit of the system when it is first written, and another when it is given back: a scene
 * of 69,451 triangles that is made, asked once and destroyed has 1,600 of 4 KiB, which take a tenth to a quarter of its
 * time. Arrays of MEMORY_LARGE_BLOCK and more ask for pages of 2 MiB by themselves; smaller ones would waste most of
 * such a page each, and together fill it.
 *
 * Workload: some tens of arrays a scene, and chunks of 64 KiB while it is asked the first time; several threads
 * allocate at the same time. Later the scratch pool has what a query needs, and nothing is asked for here. Small scenes
 * have no region, as to clear 2 MiB takes longer than the few pages that they write: it takes an array of vertices or
 * primitives that is long enough. A region that is empty goes back unless it is the only one, and of the smallest.
 * Where the system has no large pages the regions are as good as any other memory. */
#ifndef GRAZE_BASE_LARGE_PAGE_ARENA_H
#define GRAZE_BASE_LARGE_PAGE_ARENA_H

#include "base/memory.h"

#include <pthread.h>

/* Of arrays that are cut out of regions, and of one that tells that the scene is large enough for them. */
#define ARENA_SMALLEST ((size_t)4096)
#define ARENA_FIRST ((size_t)128 << 10)

struct arena_region;

typedef struct large_page_arena {
  graze_allocator source; /* that regions come from, and all that is not cut out of them */
  pthread_mutex_t mutex;
  /* All that follows is read and written under the mutex. */
  bool cuts; /* the scene is large enough */
  struct arena_region *newest;
  size_t region_bytes; /* of all regions */
} large_page_arena;

/* Makes an arena without a region. */
void large_page_arena_init(large_page_arena *arena, const graze_allocator *source);

/* Tells how long an array of vertices or primitives is that will be asked for. */
void large_page_arena_expect(large_page_arena *arena, size_t bytes);

/* What a scene allocates from, until large_page_arena_release. */
graze_allocator large_page_arena_allocator(large_page_arena *arena);

/* Ends it. Nothing may be out. */
void large_page_arena_release(large_page_arena *arena);

#endif
