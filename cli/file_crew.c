/* Distributes files over threads: large files one at a time with all threads inside the library, small files one per
 * thread.
 *
 * Workload: one file, or ten thousand of ten to two million primitives; reading takes as long as the work. Memory is
 * that of the largest file, or of as many smaller ones as there are threads. */
#include "file_crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { LARGE_FILE_BYTES = 8 << 20 };

typedef struct file_crew {
  const mesh_file_list *files;
  file_task task;
  void *context;
  uint32_t thread_count;
  _Atomic(size_t) next; /* the next small file; the assignment to threads is not determined */
  pthread_mutex_t lock; /* for the progress */
  progress *steps;
  size_t done;
} file_crew;

static bool is_large(const file_crew *crew, size_t file) {
  return crew->files->count == 1 || crew->files->entries[file].bytes >= LARGE_FILE_BYTES;
}

static void take_file(file_crew *crew, size_t file, uint32_t thread_count) {
  crew->task(crew->context, file, thread_count);
  pthread_mutex_lock(&crew->lock);
  progress_bar(crew->steps, ++crew->done, crew->files->count);
  pthread_mutex_unlock(&crew->lock);
}

static void *take_small_files(void *context) {
  file_crew *crew = context;
  for (size_t file; (file = atomic_fetch_add(&crew->next, 1)) < crew->files->count;)
    if (!is_large(crew, file)) take_file(crew, file, 1);
  return NULL;
}

/* The caller is one of the threads; if no others can be started, it works alone. */
static void run_threads(file_crew *crew) {
  pthread_t *threads = calloc(crew->thread_count, sizeof *threads);
  uint32_t running = 0;
  for (uint32_t i = 1; threads != NULL && i < crew->thread_count && i < crew->files->count; i++)
    running += pthread_create(&threads[running], NULL, take_small_files, crew) == 0;
  take_small_files(crew);
  for (uint32_t i = 0; i < running; i++) pthread_join(threads[i], NULL);
  free(threads);
}

void file_crew_run(const mesh_file_list *files, uint32_t thread_count, file_task task, void *context, progress *steps) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  file_crew crew = {.files = files,
                    .task = task,
                    .context = context,
                    .thread_count = thread_count > 0 ? thread_count
                                    : processors > 0 ? (uint32_t)processors
                                                     : 1,
                    .steps = steps};
  atomic_init(&crew.next, 0);
  pthread_mutex_init(&crew.lock, NULL);
  for (size_t i = 0; i < files->count; i++)
    if (is_large(&crew, i)) take_file(&crew, i, crew.thread_count);
  run_threads(&crew);
  progress_bar_done(steps);
  pthread_mutex_destroy(&crew.lock);
}
