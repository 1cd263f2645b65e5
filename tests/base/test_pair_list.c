/* Compares pair lists with one plain array per worker. */
#include "base/pair_list.h"
#include "testing.h"

#include "checked_allocator.h"
#include "number_sequence.h"
#include "worker_teams.h"

#include <stddef.h>

#define WORKER_COUNT 3
#define MODEL_CAPACITY 60000

typedef struct lane_model {
  index_pair pairs[MODEL_CAPACITY];
  size_t count;
} lane_model;

static lane_model models[WORKER_COUNT];

static bool fill_list(pair_list *list, memory *heap, uint64_t seed) {
  for (int worker = 0; worker < WORKER_COUNT; worker++) models[worker].count = 0;
  static const size_t batches[] = {0, 1, 7, 64, 1000, PAIR_CHUNK_CAPACITY, PAIR_CHUNK_CAPACITY + 1, 20000};
  for (int step = 0; step < 60; step++) {
    const uint32_t worker = step % 9 == 0 ? 2 : 0; /* worker 1 finds nothing */
    lane_model *const model = &models[worker];
    size_t batch = batches[sequence_below(&seed, sizeof batches / sizeof batches[0])];
    if (batch > MODEL_CAPACITY - model->count) batch = MODEL_CAPACITY - model->count;
    index_pair *const from = model->pairs + model->count;
    for (size_t i = 0; i < batch; i++)
      from[i] = (index_pair){(uint32_t)sequence_next(&seed), (uint32_t)sequence_next(&seed)};
    if (!pair_list_append(list, heap, worker, from, batch)) return false;
    model->count += batch;
  }
  return true;
}

static void check_list(const pair_list *list) {
  size_t count = 0;
  for (int worker = 0; worker < WORKER_COUNT; worker++) count += models[worker].count;
  assert_int_equal(pair_list_count(list), count);
  for (uint32_t worker = 0; worker < WORKER_COUNT; worker++) {
    size_t met = 0;
    for (const pair_chunk *chunk = pair_list_first_chunk(list, worker); chunk != NULL; chunk = chunk->next) {
      assert_true(chunk->count <= models[worker].count - met);
      assert_memory_equal(chunk->pairs, models[worker].pairs + met, chunk->count * sizeof(index_pair));
      met += chunk->count;
    }
    assert_int_equal(met, models[worker].count);
  }
}

static void check_chunks(const pair_list *list) {
  const size_t chunk_count = pair_list_chunk_count(list);
  const pair_chunk **const chunks = malloc((chunk_count + 1) * sizeof(chunks[0]));
  pair_list_chunks(list, chunks);
  size_t met = 0;
  for (uint32_t worker = 0; worker < WORKER_COUNT; worker++) {
    size_t at = 0;
    for (const pair_chunk *chunk = pair_list_first_chunk(list, worker); chunk; chunk = chunk->next) {
      assert_ptr_equal(chunk, chunks[met++]);
      assert_memory_equal(chunk->pairs, models[worker].pairs + at, chunk->count * sizeof(index_pair));
      at += chunk->count;
    }
    assert_int_equal(at, models[worker].count);
  }
  assert_int_equal(met, chunk_count);
  free(chunks);
}

TEST(pairs_are_kept_in_worker_order) {
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  pair_list list;
  assert_true(pair_list_init(&list, &heap, WORKER_COUNT));
  const size_t empty_bytes = atomic_load(&heap.bytes_now);
  for (uint64_t seed = 1; seed < 6; seed++) {
    assert_int_equal(pair_list_count(&list), 0);
    assert_int_equal(pair_list_chunk_count(&list), 0);
    assert_true(fill_list(&list, &heap, seed));
    check_list(&list);
    check_chunks(&list);
    pair_list_clear(&list, &heap);
    assert_int_equal(atomic_load(&heap.bytes_now), empty_bytes);
  }
  pair_list_release(&list, &heap);
  assert_true(checked_is_clean(&allocator, &heap));
}

TEST(failure_leaves_nothing_behind) {
  bool finished = false;
  size_t refused = 0;
  for (; !finished; refused++) {
    checked_allocator allocator;
    memory heap;
    checked_init(&allocator, &heap, refused);
    pair_list list;
    finished = pair_list_init(&list, &heap, WORKER_COUNT) && fill_list(&list, &heap, 3);
    pair_list_release(&list, &heap);
    assert_true(checked_is_clean(&allocator, &heap));
  }
  assert_true(refused > 5);
}

typedef struct append_job {
  pair_list *list;
  memory *heap;
  atomic_bool failed;
} append_job;

static void append_hundred(void *context, uint32_t index, uint32_t worker) {
  append_job *const job = context;
  index_pair pairs[100];
  for (uint32_t i = 0; i < 100; i++) pairs[i] = (index_pair){index, i};
  if (!pair_list_append(job->list, job->heap, worker, pairs, 100)) atomic_store(&job->failed, true);
}

TEST(workers_append_together) {
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  workers *const team = team_of_threads(&heap, 4);
  assert_non_null(team);
  pair_list list;
  assert_true(pair_list_init(&list, &heap, workers_count(team)));
  append_job job = {.list = &list, .heap = &heap};
  const uint32_t task_count = 1000;
  workers_run(team, append_hundred, &job, task_count);
  assert_false(atomic_load(&job.failed));
  assert_int_equal(pair_list_count(&list), task_count * 100);
  unsigned char *const seen = calloc(task_count * 100, 1);
  for (uint32_t worker = 0; worker < workers_count(team); worker++)
    for (const pair_chunk *chunk = pair_list_first_chunk(&list, worker); chunk; chunk = chunk->next)
      for (size_t i = 0; i < chunk->count; i++) seen[chunk->pairs[i].a * 100 + chunk->pairs[i].b]++;
  for (uint32_t i = 0; i < task_count * 100; i++) assert_int_equal(seen[i], 1);
  free(seen);
  pair_list_release(&list, &heap);
  workers_destroy(&heap, team);
  assert_true(checked_is_clean(&allocator, &heap));
}
