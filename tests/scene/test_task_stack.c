/* Measures the stack of tasks: all queries of a scene run on threads with 256 KB each (on ARM the minimum is 128),
 * whose stacks are filled with a pattern before and inspected afterwards. Small scenes run entirely on such a thread,
 * with a single worker, which covers tasks and the calls around them; large ones run on a host's task system of such
 * threads.
 *
 * graze.h guarantees 32 KB for release builds. Other builds have a larger limit and only print their stack size;
 * sanitizers, whose frames are several times larger, skip the test. */
/* For MAP_ANONYMOUS, which POSIX does not have. */
#define _DEFAULT_SOURCE

#include "scene_digest.h"
#include "test_effort.h"
#include "testing.h"
#include "torture_scenes.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef TEST_IS_SANITIZED
#define HAS_SANITIZER 1
#else
#define HAS_SANITIZER 0
#endif

#if defined(__OPTIMIZE__) && defined(NDEBUG)
enum { IS_RELEASE = 1, STACK_BYTES = 256 * 1024 };
#else
enum { IS_RELEASE = 0, STACK_BYTES = 512 * 1024 };
#endif

enum { PROMISED_BYTES = 32 * 1024, GUARD_BYTES = 64 * 1024, HOST_WORKERS = 2, PAINT = 0xa5 };

/* ---------------------------------------------------------------------------------------------- painted stacks */

/* Below its stack lie pages that end the process when they are touched. */
typedef struct painted_thread {
  pthread_t handle;
  unsigned char *memory; /* guard, then stack */
  void (*body)(void *argument);
  void *argument;
  unsigned char *top; /* where the stack stood when the body began */
} painted_thread;

typedef struct host_threads {
  painted_thread threads[HOST_WORKERS];
  size_t most_bytes;
} host_threads;

static void *thread_main(void *argument) {
  painted_thread *const self = argument;
  self->top = __builtin_frame_address(0);
  self->body(self->argument);
  return NULL;
}

static size_t used_bytes(const painted_thread *thread) {
  const unsigned char *lowest = thread->memory + GUARD_BYTES;
  while (lowest < thread->top && *lowest == PAINT) lowest++;
  return (size_t)(thread->top - lowest);
}

static void start_thread(painted_thread *thread, void (*body)(void *), void *argument) {
  thread->body = body;
  thread->argument = argument;
  memset(thread->memory + GUARD_BYTES, PAINT, STACK_BYTES);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0 ||
      pthread_attr_setstack(&attributes, thread->memory + GUARD_BYTES, STACK_BYTES) != 0 ||
      pthread_create(&thread->handle, &attributes, thread_main, thread) != 0)
    abort();
  pthread_attr_destroy(&attributes);
}

static void end_thread(host_threads *host, painted_thread *thread) {
  pthread_join(thread->handle, NULL);
  const size_t used = used_bytes(thread);
  host->most_bytes = used > host->most_bytes ? used : host->most_bytes;
}

/* ---------------------------------------------------------------------------------------------- a task system */

typedef struct task_share {
  graze_task *task;
  void *context;
  uint32_t count, worker;
} task_share;

static void run_share(void *argument) {
  const task_share *const share = argument;
  for (uint32_t i = share->worker; i < share->count; i += HOST_WORKERS) share->task(share->context, i, share->worker);
}

static void run_on_threads(void *context, graze_task *task, void *task_context, uint32_t count) {
  host_threads *const host = context;
  task_share shares[HOST_WORKERS];
  for (uint32_t i = 0; i < HOST_WORKERS; i++) {
    shares[i] = (task_share){task, task_context, count, i};
    start_thread(&host->threads[i], run_share, &shares[i]);
  }
  for (uint32_t i = 0; i < HOST_WORKERS; i++) end_thread(host, &host->threads[i]);
}

static int make_host(void **state) {
  host_threads *const host = calloc(1, sizeof *host);
  if (host == NULL) return -1;
  for (uint32_t i = 0; i < HOST_WORKERS; i++) {
    unsigned char *const memory =
        mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, GUARD_BYTES, PROT_NONE) != 0) return -1;
    host->threads[i].memory = memory;
  }
  *state = host;
  return 0;
}

static int end_host(void **state) {
  OWNED_MEMORY host_threads *const host = *state;
  for (uint32_t i = 0; i < HOST_WORKERS; i++) munmap(host->threads[i].memory, GUARD_BYTES + STACK_BYTES);
  return 0;
}

static void check_used(host_threads *host, const char *words) {
  print_message("%-40s %6zu bytes\n", words, host->most_bytes);
  assert_true(host->most_bytes > 100);
  if (IS_RELEASE && host->most_bytes > PROMISED_BYTES)
    fail_msg("%s: a task took %zu bytes of stack, %d are promised", words, host->most_bytes, PROMISED_BYTES);
  host->most_bytes = 0;
}

/* ---------------------------------------------------------------------------------------------- scenes */

static const running_variant variants[] = {
    {"grid", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"tree", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"clusters 30", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"brute", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false},
};

enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

typedef struct asked_scene {
  running_variant variant;
  const mesh *meshes;
  size_t mesh_count;
  graze_test test;
  uint64_t digest, wide;
} asked_scene;

static void ask_scene(void *argument) {
  asked_scene *const asked = argument;
  asked->digest = scene_digest(&asked->variant, asked->meshes, asked->mesh_count, asked->test, &asked->wide);
}

static void check_digest(host_threads *host, const asked_scene *asked, const asked_scene *alone, const char *name) {
  char words[256];
  snprintf(words, sizeof words, "%s, test %d, %s", name, (int)asked->test, asked->variant.method);
  assert_true(asked->digest == alone->digest);
  check_used(host, words);
}

/* The answer on a small stack is that on the process's own. Returns how many candidates needed wide integers. */
static uint64_t check_scene(host_threads *host, const running_variant *variant, const mesh *meshes, size_t mesh_count,
                            graze_test test, const char *name) {
  asked_scene alone = {*variant, meshes, mesh_count, test, 0, 0}, small = alone;
  if (!running_variant_available(variant)) return UINT64_MAX;
  ask_scene(&alone);
  start_thread(&host->threads[0], ask_scene, &small);
  end_thread(host, &host->threads[0]);
  check_digest(host, &small, &alone, name);
  return small.wide;
}

TEST(all_kinds_and_tests) {
  mesh meshes[8];
  const size_t mesh_count = digest_kinds(60, meshes, sizeof meshes / sizeof meshes[0]);
  for (graze_test test = GRAZE_TEST_SAT; test <= GRAZE_TEST_GJK; test += GRAZE_TEST_GJK)
    for (int variant = 0; variant < VARIANT_COUNT; variant++)
      check_scene(*state, &variants[variant], meshes, mesh_count, test, "kinds");
  for (size_t i = 0; i < mesh_count; i++) mesh_free(&meshes[i]);
}

/* Every kind with a copy so much smaller, in a corner of it, that no power of two brings both near one: most signs need
 * wide integers. */
TEST(the_deepest_tier) {
  mesh meshes[16];
  const size_t half = digest_kinds(10, meshes, sizeof meshes / sizeof meshes[0] / 2);
  for (size_t i = 0; i < half; i++) {
    const double *corner = meshes[i].positions;
    torture_move(&meshes[i], -corner[0], -corner[1], -corner[2]);
    meshes[half + i] = torture_copy(&meshes[i]);
    torture_scale(&meshes[i], 0x1p-700);
  }
  for (int test = GRAZE_TEST_SAT; test <= GRAZE_TEST_GJK; test += GRAZE_TEST_GJK)
    assert_true(check_scene(*state, &variants[test % VARIANT_COUNT], meshes, 2 * half, (graze_test)test, "wide") > 0);
  for (size_t i = 0; i < 2 * half; i++) mesh_free(&meshes[i]);
}

/* Triangles under both rules of neighbors, and touching ones at every scale. */
TEST(triangles_that_touch) {
  for (size_t i = 0; i < torture_scene_count(); i++) {
    OWNED(mesh_set) made = made_set(torture_scene_at(i)->make);
    if (made.count < 20 && made.count * made.meshes[0].triangle_count <= 400)
      check_scene(*state, &variants[i % VARIANT_COUNT], made.meshes, made.count, GRAZE_TEST_SAT,
                  torture_scene_at(i)->name);
  }
}

/* Regions of several tasks, by the threads of a host. */
TEST(a_task_system_of_small_threads) {
  host_threads *const host = *state;
  const graze_task_system tasks = {sizeof tasks, host, HOST_WORKERS, run_on_threads};
  mesh meshes[8];
  const size_t mesh_count = digest_kinds(700, meshes, sizeof meshes / sizeof meshes[0]);
  for (int i = 0; i < 2; i++) {
    asked_scene alone = {variants[i], meshes, mesh_count, i == 0 ? GRAZE_TEST_SAT : GRAZE_TEST_GJK, 0, 0};
    asked_scene shared = alone;
    shared.variant.tasks = &tasks;
    ask_scene(&alone);
    ask_scene(&shared);
    check_digest(host, &shared, &alone, "task system");
  }
  for (size_t i = 0; i < mesh_count; i++) mesh_free(&meshes[i]);
}

/* With a limit, tasks sort what they have found so far. */
TEST(lists_that_are_cut) {
  host_threads *const host = *state;
  const graze_task_system tasks = {sizeof tasks, host, HOST_WORKERS, run_on_threads};
  enum { CROWD = 1100 };
  mesh crowd = torture_mesh(3 * CROWD, CROWD);
  for (size_t i = 0; i < 3 * CROWD; i++) {
    crowd.positions[3 * i + i % 3] = 1.0;
    crowd.triangles[i] = (uint32_t)i;
  }
  running_variant variant = variants[VARIANT_COUNT - 1];
  variant.tasks = &tasks;
  graze_scene *scene = runner_scene(&variant, &crowd, 1, NULL);
  graze_query query = graze_query_default();
  query.pair_limit = 10;
  const pair_answer answer = runner_find(scene, &query);
  assert_int_equal(answer.count, 10);
  assert_true(answer.limit_reached);
  free(answer.pairs);
  graze_scene_destroy(scene);
  mesh_free(&crowd);
  check_used(host, "limit");
}

TEST_PREPARATION {
  if (HAS_SANITIZER) return 77;
  return 0;
}

TEST_GROUP(make_host, end_host)
