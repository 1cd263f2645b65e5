/* Scenes made, asked and destroyed one after the other, with threads and memory of their own: the C library keeps the
 * pages of one for the next, as memory_tell_given_back has told it how large they are. Without that each of these would
 * have 800 to 1,700 pages cleared anew (glibc 2.36). */
#include "small_meshes.h"
#include "test_effort.h"

#include <sys/resource.h>

/* Sanitizers have memory of their own. */
#if defined(__GLIBC__) && !defined(TEST_IS_SANITIZED)
enum { HAS_MEMORY_OF_GLIBC = 1 };
#else
enum { HAS_MEMORY_OF_GLIBC = 0 };
#endif

/* A wavy sheet in memory that the C library knows nothing of: the blocks of a model, given back, would teach it. */
enum { SIDE = 180, VERTICES = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };
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

static void live(uint32_t worker_count) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = worker_count;
  graze_mesh_def sheet = graze_mesh_def_default();
  sheet.positions = float_view(positions, VERTICES);
  sheet.triangles = index_view(triangles, TRIANGLES);
  graze_scene *scene;
  graze_object object;
  graze_pairs pairs = {0};
  assert_int_equal(graze_scene_create(&def, &scene), GRAZE_OK);
  assert_int_equal(graze_scene_add_triangles(scene, &sheet, &object), GRAZE_OK);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_OK);
  graze_pairs_free(&pairs);
  graze_scene_destroy(scene);
}

static long pages_so_far(void) {
  struct rusage usage;
  assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
  return usage.ru_minflt;
}

/* After the first few scenes, which teach the C library. */
static void pages_are_kept(uint32_t worker_count, long pages_of_first) {
  enum { FEW = 3, MORE = 8 };
  for (int i = 0; i < FEW; i++) live(worker_count);
  const long begin = pages_so_far();
  for (int i = 0; i < MORE; i++) live(worker_count);
  const long pages = pages_so_far() - begin;
  print_message("%ld pages for %d scenes, %ld for the first of all\n", pages, MORE, pages_of_first);
  assert_true(pages < MORE * pages_of_first / 4); /* some: what each thread finds differs */
}

static void scenes_find_the_pages_of_those_before(void **state) {
  (void)state;
  const long begin = pages_so_far();
  live(1);
  const long pages_of_first = pages_so_far() - begin;
  pages_are_kept(1, pages_of_first);
  pages_are_kept(4, pages_of_first);
}

int main(void) {
  if (!HAS_MEMORY_OF_GLIBC) {
    print_message("skipped: the memory is not that of the GNU C library\n");
    return 77;
  }
  make_sheet();
  const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_find_the_pages_of_those_before)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
