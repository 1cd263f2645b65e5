/* large_page_arena: regions, each a row of segments; see large_page_arena.h for its workload. */
#include "base/large_page_arena.h"

#include "base/segment_row.h"

#include <assert.h>

/* Regions double what there is, from the least block that has large pages up to this. */
#define LARGEST_REGION ((size_t)64 << 20)

/* Lies at the beginning of its region; the row is the rest. */
typedef struct arena_region {
  _Alignas(MEMORY_ALIGNMENT) struct arena_region *older;
  size_t bytes;
  segment_row row;
} arena_region;

_Static_assert(sizeof(arena_region) % MEMORY_ALIGNMENT == 0, "the row behind it is aligned");

/* ---------------------------------------------------------------------------------------------- regions */

/* The size of the next region, of whole large pages; `needed` is less than two of the smallest. */
static size_t next_region_bytes(const large_page_arena *arena, size_t needed) {
  size_t bytes = arena->region_bytes;
  if (bytes < MEMORY_LARGE_BLOCK) bytes = MEMORY_LARGE_BLOCK;
  if (bytes > LARGEST_REGION) bytes = LARGEST_REGION;
  if (bytes < needed + sizeof(arena_region)) bytes = needed + sizeof(arena_region);
  return (bytes - 1) / MEMORY_LARGE_PAGE * MEMORY_LARGE_PAGE + MEMORY_LARGE_PAGE;
}

/* NULL: the source has none. */
static arena_region *add_region(large_page_arena *arena, size_t needed) {
  const size_t bytes = next_region_bytes(arena, needed);
  arena_region *region = arena->source.allocate(arena->source.context, bytes, MEMORY_ALIGNMENT);
  if (region == NULL) return NULL;
  region->older = arena->newest;
  region->bytes = bytes;
  segment_row_open(&region->row, region + 1, bytes - sizeof *region);
  arena->newest = region;
  arena->region_bytes += bytes;
  return region;
}

/* Takes a region out of the list; it is then the caller's to give back. */
static void unlink_region(large_page_arena *arena, arena_region *region) {
  arena_region **link = &arena->newest;
  while (*link != region) link = &(*link)->older;
  *link = region->older;
  arena->region_bytes -= region->bytes;
  segment_row_close(&region->row);
}

static void give_region(const large_page_arena *arena, arena_region *region) {
  arena->source.release(arena->source.context, region, region->bytes);
}

/* ---------------------------------------------------------------------------------------------- as an allocator */

static bool is_cut(size_t bytes) {
  return bytes >= ARENA_SMALLEST && bytes < MEMORY_LARGE_BLOCK;
}

/* Out of a region; NULL: there is none that has room, nor can be. */
static void *cut(large_page_arena *arena, size_t bytes) {
  size_t needed, taken;
  void *found = NULL;
  (void)segment_row_bytes(bytes, &needed); /* far from an overflow */
  pthread_mutex_lock(&arena->mutex);
  arena_region *region = arena->newest;
  for (; region != NULL && found == NULL; region = region->older)
    found = segment_row_take(&region->row, needed, bytes, &taken);
  if (found == NULL && arena->cuts) region = add_region(arena, needed);
  if (found == NULL && region != NULL) found = segment_row_take(&region->row, needed, bytes, &taken);
  pthread_mutex_unlock(&arena->mutex);
  return found;
}

static void *arena_allocate(void *context, size_t bytes, size_t alignment) {
  large_page_arena *const arena = context;
  assert(alignment == MEMORY_ALIGNMENT);
  void *const found = is_cut(bytes) ? cut(arena, bytes) : NULL;
  return found != NULL ? found : arena->source.allocate(arena->source.context, bytes, alignment);
}

static arena_region *region_of(const large_page_arena *arena, const void *pointer) {
  arena_region *region = arena->newest;
  while (region != NULL && !segment_row_has(&region->row, pointer)) region = region->older;
  return region;
}

static void arena_release(void *context, void *pointer, size_t bytes) {
  large_page_arena *const arena = context;
  arena_region *region = NULL;
  bool goes = false;
  if (is_cut(bytes)) {
    pthread_mutex_lock(&arena->mutex);
    region = region_of(arena, pointer);
    if (region != NULL) (void)segment_row_give(&region->row, pointer);
    goes = region != NULL && segment_row_is_free(&region->row) && arena->region_bytes > MEMORY_LARGE_BLOCK;
    if (goes) unlink_region(arena, region);
    pthread_mutex_unlock(&arena->mutex);
  }
  if (goes) give_region(arena, region);
  if (region == NULL) arena->source.release(arena->source.context, pointer, bytes);
}

/* ---------------------------------------------------------------------------------------------- its life */

void large_page_arena_init(large_page_arena *arena, const graze_allocator *source) {
  *arena = (large_page_arena){.source = *source};
  /* Without attributes this has nothing to fail of. */
  const int failed = pthread_mutex_init(&arena->mutex, NULL);
  assert(failed == 0);
  (void)failed;
}

void large_page_arena_expect(large_page_arena *arena, size_t bytes) {
  if (bytes < ARENA_FIRST) return;
  pthread_mutex_lock(&arena->mutex);
  arena->cuts = true;
  pthread_mutex_unlock(&arena->mutex);
}

graze_allocator large_page_arena_allocator(large_page_arena *arena) {
  return (graze_allocator){
      .struct_bytes = sizeof(graze_allocator), .context = arena, .allocate = arena_allocate, .release = arena_release};
}

void large_page_arena_release(large_page_arena *arena) {
  arena_region *const last = arena->newest;
  assert(last == NULL || (last->older == NULL && segment_row_is_free(&last->row)));
  if (last != NULL) {
    unlink_region(arena, last);
    give_region(arena, last);
  }
  pthread_mutex_destroy(&arena->mutex);
}
