/* Tests blocks that are kept for the next scene: their classes, reuse and release, out of memory, several threads, and
 * a forked child. */
#include "base/kept_memory.h"
#include "testing.h"

#include "checked_allocator.h"
#include "number_sequence.h"
#include "test_scale.h"

#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* The allocator that blocks come from, what keeps them, and the memory of a scene. */
typedef struct fixture {
  checked_allocator source;
  kept_memory kept;
  memory scene;
} fixture;

static void begin(fixture *f, size_t limit) {
  memory unused;
  checked_init(&f->source, &unused, SIZE_MAX);
  kept_memory_init(&f->kept, &unused.allocator, limit);
  const graze_allocator allocator = kept_memory_allocator(&f->kept);
  memory_init(&f->scene, &allocator);
}

static void end(fixture *f) {
  assert_int_equal(atomic_load(&f->scene.bytes_now), 0);
  kept_memory_release(&f->kept);
  assert_int_equal(atomic_load(&f->source.live), 0);
  assert_int_equal(atomic_load(&f->source.faults), 0);
}

static size_t allocations(fixture *f) {
  return atomic_load(&f->source.allocations);
}

static unsigned char *take(fixture *f, size_t bytes) {
  unsigned char *const block = memory_allocate(&f->scene, bytes, 1);
  assert_non_null(block);
  memset(block, 0x5a, bytes);
  return block;
}

static void give(fixture *f, void *block, size_t bytes) {
  memory_release(&f->scene, block, bytes, 1);
}

/* Blocks of all the sizes at once, then all of them back: a scene. */
static void live(fixture *f, const size_t *sizes, size_t count) {
  void *blocks[16];
  assert_true(count <= 16);
  for (size_t i = 0; i < count; i++) blocks[i] = take(f, sizes[i]);
  for (size_t i = 0; i < count; i++) give(f, blocks[i], sizes[i]);
  kept_memory_end_scene(&f->kept);
}

/* ---------------------------------------------------------------------------------------------- sizes */

static void check_class(size_t bytes) {
  uint32_t class_number, again;
  size_t block_bytes, same;
  assert_true(kept_memory_class(bytes, &class_number, &block_bytes));
  assert_true(class_number < KEPT_CLASSES);
  assert_true(block_bytes >= bytes && block_bytes - bytes <= bytes / 8);
  assert_true(kept_memory_class(block_bytes, &again, &same));
  assert_true(again == class_number && same == block_bytes);
}

TEST(sizes_have_classes) {
  uint32_t class_number, last = 0;
  size_t block_bytes;
  for (size_t bytes = PAGE; bytes < 70000; bytes++) {
    check_class(bytes);
    assert_true(kept_memory_class(bytes, &class_number, &block_bytes));
    assert_true(class_number == last || class_number == last + 1);
    last = class_number;
  }
  for (size_t bytes = PAGE; bytes <= KEPT_LARGEST / 2; bytes *= 2) {
    check_class(bytes - (bytes > PAGE));
    check_class(bytes);
    check_class(bytes + 1);
  }
  check_class(KEPT_LARGEST);
  assert_false(kept_memory_class(PAGE - 1, &class_number, &block_bytes));
  assert_false(kept_memory_class(KEPT_LARGEST + 1, &class_number, &block_bytes));
  assert_false(kept_memory_class(SIZE_MAX, &class_number, &block_bytes));
}

TEST(impossible_sizes_are_refused) {
  fixture f;
  begin(&f, SIZE_MAX);
  assert_null(memory_allocate(&f.scene, SIZE_MAX - 64, 1));
  assert_int_equal(atomic_load(&f.scene.bytes_peak), 0);
  end(&f);
}

/* ---------------------------------------------------------------------------------------------- what is kept */

TEST(a_block_is_given_out_again) {
  fixture f;
  begin(&f, SIZE_MAX);
  void *const first = take(&f, 100000), *const second = take(&f, 100000);
  give(&f, first, 100000);
  give(&f, second, 100000);
  assert_true(kept_memory_bytes(&f.kept) >= 200000);
  /* The last one given back is the one that is warm; any size of the class will do. */
  assert_ptr_equal(take(&f, 99000), second);
  assert_ptr_equal(take(&f, 100001), first);
  assert_int_equal(kept_memory_bytes(&f.kept), 0);
  assert_int_equal(allocations(&f), 2);
  give(&f, first, 100001);
  give(&f, second, 99000);
  end(&f);
}

TEST(scenes_that_are_alike_allocate_once) {
  fixture f;
  const size_t sizes[] = {5000, 70000, 70000, 1 << 20, 3 << 20, 9 << 20};
  begin(&f, SIZE_MAX);
  for (int i = 0; i < 3 * KEPT_SCENES; i++) live(&f, sizes, 6);
  assert_int_equal(allocations(&f), 6);
  assert_int_equal(atomic_load(&f.source.live), 6);
  assert_int_equal(atomic_load(&f.scene.bytes_peak), 5000 + 140000 + (13 << 20)); /* as asked for */
  end(&f);
}

TEST(small_blocks_pass_through) {
  fixture f;
  begin(&f, SIZE_MAX);
  give(&f, take(&f, PAGE - 1), PAGE - 1);
  assert_int_equal(kept_memory_bytes(&f.kept), 0);
  assert_int_equal(atomic_load(&f.source.live), 0);
  end(&f);
}

TEST(the_limit_holds) {
  fixture f;
  begin(&f, 3 << 16);
  const size_t sizes[] = {65000, 65001, 65002, 65003, 1000000};
  for (int i = 0; i < 5; i++) {
    live(&f, sizes, 5);
    assert_int_equal(kept_memory_bytes(&f.kept), 3 << 16);
    assert_int_equal(atomic_load(&f.source.live), 3);
  }
  assert_int_equal(allocations(&f), 5 + 4 * 2);
  end(&f);
}

/* Kept memory and memory in use, for changing sizes: never more than five quarters of the peak in use. */
TEST(the_bound_holds) {
  fixture f;
  uint64_t sequence = 7;
  size_t sizes[16], most = 0;
  begin(&f, SIZE_MAX);
  for (size_t scene = 0; scene < test_scaled(300, 60); scene++) {
    void *blocks[16];
    for (size_t i = 0; i < 16; i++) {
      sizes[i] = (size_t)PAGE << sequence_below(&sequence, 6);
      blocks[i] = take(&f, sizes[i]);
      const size_t out = atomic_load(&f.scene.bytes_now); /* powers of two: no block is larger than asked for */
      if (out > most) most = out;
      assert_true(kept_memory_bytes(&f.kept) + out <= most + most / 4);
    }
    for (size_t i = 0; i < 16; i++) give(&f, blocks[i], sizes[i]);
    assert_true(kept_memory_bytes(&f.kept) <= most + most / 4);
    kept_memory_end_scene(&f.kept);
  }
  end(&f);
}

/* A large scene is forgotten after so many small ones, and what the small ones need stays. */
TEST(old_blocks_are_given_back) {
  fixture f;
  const size_t large = 64 << 20, small[] = {1 << 16, 1 << 20};
  begin(&f, SIZE_MAX);
  live(&f, &large, 1);
  for (int i = 0; i < KEPT_SCENES - 2; i++) live(&f, small, 2);
  assert_true(kept_memory_bytes(&f.kept) >= large);
  for (int i = 0; i < KEPT_SCENES + 2; i++) live(&f, small, 2);
  assert_int_equal(kept_memory_bytes(&f.kept), small[0] + small[1]);
  assert_int_equal(allocations(&f), 3);
  end(&f);
}

TEST(a_trim_gives_all_back) {
  fixture f;
  const size_t sizes[] = {5000, 1 << 20};
  begin(&f, SIZE_MAX);
  void *const held = take(&f, 1 << 18);
  live(&f, sizes, 2);
  assert_int_equal(atomic_load(&f.source.live), 3);
  kept_memory_trim(&f.kept);
  assert_int_equal(kept_memory_bytes(&f.kept), 0);
  assert_int_equal(atomic_load(&f.source.live), 1);
  live(&f, sizes, 2); /* and keeps again */
  assert_int_equal(atomic_load(&f.source.live), 3);
  kept_memory_close(&f.kept);
  assert_int_equal(atomic_load(&f.source.live), 1);
  give(&f, held, 1 << 18); /* and now does not */
  assert_int_equal(atomic_load(&f.source.live), 0);
  end(&f);
}

/* ---------------------------------------------------------------------------------------------- no memory */

TEST(what_is_kept_goes_before_a_call_fails) {
  fixture f;
  begin(&f, SIZE_MAX);
  live(&f, (const size_t[]){1 << 20}, 1);
  f.source.refused = allocations(&f);
  void *const block = take(&f, 1 << 16); /* refused, and granted when the other block is back */
  assert_int_equal(allocations(&f), 3);
  assert_int_equal(atomic_load(&f.source.live), 1);
  give(&f, block, 1 << 16);
  f.source.refused = allocations(&f);
  f.source.refuse_all_after = true;
  assert_null(memory_allocate(&f.scene, 64, 1));
  assert_int_equal(allocations(&f), 5);
  assert_int_equal(atomic_load(&f.source.live), 0);
  /* With nothing to give back it is not asked twice; and what was refused is not out. */
  const size_t asked = allocations(&f);
  assert_null(memory_allocate(&f.scene, 1 << 26, 1));
  assert_null(memory_allocate(&f.scene, 64, 1));
  assert_int_equal(allocations(&f), asked + 2);
  assert_int_equal(f.kept.out_bytes, 0);
  assert_true(f.kept.most_now < 1 << 26); /* nor among the most that was out */
  f.source.refuse_all_after = false;
  live(&f, (const size_t[]){1 << 16}, 1);
  end(&f);
}

/* ---------------------------------------------------------------------------------------------- several at once */

enum { THREADS = 4 };

typedef struct user {
  fixture *f;
  uint64_t sequence;
  size_t rounds;
  bool good;
} user;

/* Plain bytes: two who hold one block race on them, and read what the other has written. */
static bool use_block(memory *scene, size_t bytes, unsigned char mark) {
  unsigned char *const block = memory_allocate(scene, bytes, 1);
  if (block == NULL) return false;
  for (size_t i = 0; i < bytes; i += 1000) block[i] = mark;
  bool good = true;
  for (size_t i = 0; i < bytes; i += 1000) good = good && block[i] == mark;
  memory_release(scene, block, bytes, 1);
  return good;
}

static void *use_kept(void *argument) {
  user *const self = argument;
  memory scene;
  memory_init(&scene, &self->f->scene.allocator);
  self->good = true;
  for (size_t i = 0; i < self->rounds; i++) {
    const size_t bytes = PAGE / 2 + (size_t)sequence_below(&self->sequence, 20 * PAGE);
    self->good = use_block(&scene, bytes, (unsigned char)self->sequence) && self->good;
    if (i % 50 == 0) kept_memory_end_scene(&self->f->kept);
    if (i % 200 == 0) kept_memory_trim(&self->f->kept);
  }
  self->good = self->good && atomic_load(&scene.bytes_now) == 0;
  return NULL;
}

TEST(several_threads_share) {
  fixture f;
  begin(&f, 40 * PAGE);
  pthread_t threads[THREADS];
  user users[THREADS];
  for (int i = 0; i < THREADS; i++) {
    users[i] = (user){&f, (uint64_t)i + 1, test_scaled(20000, 2000), false};
    assert_int_equal(pthread_create(&threads[i], NULL, use_kept, &users[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    assert_true(users[i].good);
  }
  assert_true(kept_memory_bytes(&f.kept) <= 40 * PAGE);
  assert_int_equal(f.kept.out_bytes, 0);
  end(&f);
}

/* A child whose parent was forked with the lock taken, as by a thread that is not there any more, waits for nobody. */
TEST(a_forked_child_does_without) {
  fixture f;
  begin(&f, SIZE_MAX);
  void *const held = take(&f, 1 << 16);
  pthread_mutex_lock(&f.kept.mutex);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    alarm(20);
    void *const block = memory_allocate(&f.scene, 1 << 16, 1);
    if (block == NULL) _exit(1);
    memset(block, 1, 1 << 16);
    memory_release(&f.scene, block, 1 << 16, 1);
    memory_release(&f.scene, held, 1 << 16, 1);
    kept_memory_end_scene(&f.kept);
    kept_memory_trim(&f.kept);
    kept_memory_release(&f.kept);
    _exit(atomic_load(&f.source.live) == 0 && atomic_load(&f.source.faults) == 0 ? 0 : 2);
  }
  pthread_mutex_unlock(&f.kept.mutex);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  give(&f, held, 1 << 16);
  end(&f);
}
