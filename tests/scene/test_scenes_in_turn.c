/* Tests consecutive scenes: with workers of the host, which keep memory from one scene to the next, they need no new
 * pages; and none of them changes the C library's allocator for the host. */
#include "small_meshes.h"
#include "test_effort.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Sanitizers have memory of their own. */
#if defined(__GLIBC__) && !defined(TEST_IS_SANITIZED)
#define HAS_MEMORY_OF_GLIBC 1
#else
#define HAS_MEMORY_OF_GLIBC 0
#endif

/* A wavy sheet in memory that the C library knows nothing of: it learns from every large block that is given back. A
 * scene of it holds some megabytes, in blocks of which none is as large as HOST_BLOCK. */
enum { SIDE = 130, VERTICES = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE, HOST_BLOCK = 1 << 20 };
static float positions[3 * VERTICES];
static uint32_t triangles[3 * TRIANGLES];

static void make_sheet(void) {
  for (uint32_t i = 0; i < VERTICES; i++) {
    const uint32_t x = i % (SIDE + 1), y = i / (SIDE + 1);
    positions[3 * i] = (float)x;
    positions[3 * i + 1] = (float)y;
    positions[3 * i + 2] = (float)(x * x % 31 + y * y % 37) / 16;
  }
  for (uint32_t i = 0; i < TRIANGLES; i++) {
    const uint32_t square = i / 2, corner = square / SIDE * (SIDE + 1) + square % SIDE;
    triangles[3 * i] = i % 2 == 0 ? corner : corner + SIDE + 2;
    triangles[3 * i + 1] = i % 2 == 0 ? corner + 1 : corner + SIDE + 1;
    triangles[3 * i + 2] = i % 2 == 0 ? corner + SIDE + 1 : corner + 1;
  }
}

static void live(graze_workers *team_or_null, uint32_t worker_count) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = worker_count;
  def.workers = team_or_null;
  graze_mesh_def sheet = graze_mesh_def_default();
  sheet.positions = float_view(positions, VERTICES);
  sheet.triangles = index_view(triangles, TRIANGLES);
  graze_object object;
  graze_counters counters = {0};
  OWNED_SCENE *scene = create_scene(&def);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &sheet, NULL, &object));
  assert_ok(graze_scene_update(scene));
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  assert_ok(graze_scene_get_counters(scene, &counters));
  assert_true(counters.peak_bytes > 2 * HOST_BLOCK);
}

#if HAS_MEMORY_OF_GLIBC

/* ------------------------------------------------------------------------------------------------ the host's blocks */

static size_t mapped_blocks(void) {
#if __GLIBC_PREREQ(2, 33)
  return mallinfo2().hblks;
#else
  return (size_t)mallinfo().hblks;
#endif
}

/* Whether the C library has a block of that size mapped by the system, and so gives it back there. */
static bool is_mapped(size_t bytes) {
  const size_t before = mapped_blocks();
  void *volatile block = malloc(bytes);
  assert_non_null(block);
  const bool mapped = mapped_blocks() > before;
  free(block);
  return mapped;
}

/* The threshold is where blocks begin to be mapped; the blocks of a host teach it too, so that the host's own is asked
 * for at the end, and once. */
TEST(blocks_of_the_host_stay_mapped) {
  for (uint32_t worker_count = 1; worker_count <= 2; worker_count++)
    for (int i = 0; i < 3; i++) live(NULL, worker_count);
  assert_true(is_mapped(HOST_BLOCK));
}

/* ------------------------------------------------------------------------------------------------ pages */

static long pages_so_far(void) {
  struct rusage usage;
  assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
  return usage.ru_minflt;
}

/* After the first few scenes: which worker finds what differs. */
static void check_pages(uint32_t worker_count) {
  enum { FEW = 4, MORE = 8 };
  graze_workers_def def = graze_workers_def_default();
  def.worker_count = worker_count;
  OWNED(graze_workers) *team = NULL;
  assert_ok(graze_workers_create(&def, &team));
  const long begin = pages_so_far();
  live(team, 0);
  const long pages_of_first = pages_so_far() - begin;
  for (int i = 1; i < FEW; i++) live(team, 0);
  const long steady = pages_so_far();
  for (int i = 0; i < MORE; i++) live(team, 0);
  const long pages = pages_so_far() - steady;
  print_message("%ld pages for %d scenes, %ld for the first\n", pages, MORE, pages_of_first);
  assert_true(pages < MORE * pages_of_first / 20);
}

TEST(scenes_find_the_pages_of_those_before) {
  check_pages(1);
  check_pages(4);
}

#else

TEST(the_memory_is_not_that_of_the_gnu_c_library) {
  live(NULL, 1);
  skip();
}

#endif

TEST_PREPARATION {
  make_sheet();
  return 0;
}
