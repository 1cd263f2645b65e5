/* Implements the trapping host; see trapping_host.h. */
#define _GNU_SOURCE /* feenableexcept */

#include "trapping_host.h"
#include "testing.h"

#include "base/host_arithmetic.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------------ a host's mode */

host_mode mode;

static void enter_mode(void) {
  feclearexcept(FE_ALL_EXCEPT);
  if (mode == HOST_ROUNDS_UP) fesetround(FE_UPWARD);
#if defined(__GLIBC__)
  if (mode == HOST_TRAPS) feenableexcept(FE_ALL_EXCEPT);
#endif
}

/* The exceptions raised since the last call. */
static int leave_mode(void) {
  const int raised = fetestexcept(FE_ALL_EXCEPT);
#if defined(__GLIBC__)
  fedisableexcept(FE_ALL_EXCEPT);
#endif
  fesetround(FE_TONEAREST);
  feclearexcept(FE_ALL_EXCEPT);
  return raised;
}

bool processor_has_traps(void) {
#if defined(__GLIBC__)
  const bool has = feenableexcept(FE_ALL_EXCEPT) != -1;
  fedisableexcept(FE_ALL_EXCEPT);
  return has;
#else
  return false;
#endif
}

/* ------------------------------------------------------------------------------------------------ calls */

const char *calls[CALLS_MOST];
size_t call_count;

void begin_call(const char *words) {
  assert_true(call_count < sizeof calls / sizeof calls[0]);
  calls[call_count++] = words;
  enter_mode();
}

void end_call(void) {
  const int raised = leave_mode();
  if (raised != 0) fail_msg("%s raised %#x outside of a guard", calls[call_count - 1], (unsigned)raised);
}

void expect(graze_result result, graze_result expected) {
  if (result != expected) fail_msg("%s: %s: %s", calls[call_count - 1], graze_result_text(result), graze_error_text());
}

void report_fault(int signal_number) {
  static const char words[] = "a floating-point exception was trapped in ";
  const char *const call = call_count > 0 ? calls[call_count - 1] : "no call";
  if (write(STDERR_FILENO, words, sizeof words - 1) < 0 || write(STDERR_FILENO, call, strlen(call)) < 0 ||
      write(STDERR_FILENO, "\n", 1) < 0)
    abort();
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/* ------------------------------------------------------------------------------------------------ threads */

/* The linker sends the library's calls of pthread_create here: a thread that begins in the host's mode, which it
 * inherits, ends without a flag. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

typedef struct watched_thread {
  void *(*start)(void *);
  void *argument;
} watched_thread;

_Atomic(int) raised_on_threads, threads_in_mode;

static void *watch_thread(void *argument) {
  const watched_thread watched = *(watched_thread *)argument;
  free(argument);
  const bool in_mode = mode == HOST_ROUNDS_UP && host_arithmetic_now() != HOST_ARITHMETIC_NORMAL;
  if (in_mode) feclearexcept(FE_ALL_EXCEPT);
  void *const result = watched.start(watched.argument);
  if (in_mode) {
    atomic_fetch_or(&raised_on_threads, fetestexcept(FE_ALL_EXCEPT));
    atomic_fetch_add(&threads_in_mode, 1);
  }
  return result;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  watched_thread *const watched = malloc(sizeof *watched);
  if (watched == NULL) return 11;
  *watched = (watched_thread){start, argument};
  const int error = __real_pthread_create(thread, attributes, watch_thread, watched);
  if (error != 0) free(watched);
  return error;
}

typedef struct host_share {
  graze_task *task;
  void *context;
  uint32_t count, worker;
} host_share;

static void *host_thread(void *argument) {
  const host_share *const share = argument;
  enter_mode();
  for (uint32_t i = share->worker; i < share->count; i += HOST_WORKERS) share->task(share->context, i, share->worker);
  atomic_fetch_or(&raised_on_threads, leave_mode());
  return NULL;
}

void host_run(void *context, graze_task *task, void *task_context, uint32_t count) {
  (void)context;
  pthread_t threads[HOST_WORKERS];
  host_share shares[HOST_WORKERS];
  for (uint32_t i = 0; i < HOST_WORKERS; i++) {
    shares[i] = (host_share){task, task_context, count, i};
    if (__real_pthread_create(&threads[i], NULL, host_thread, &shares[i]) != 0) abort();
  }
  for (uint32_t i = 0; i < HOST_WORKERS; i++) pthread_join(threads[i], NULL);
}

void rest(void) {
  const struct timespec pause = {0, 2000000};
  nanosleep(&pause, NULL);
}
