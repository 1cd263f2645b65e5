/* A host that permits no floating-point exceptions: its mode, its calls of the library, and its threads. */
#ifndef GRAZE_TESTS_TRAPPING_HOST_H
#define GRAZE_TESTS_TRAPPING_HOST_H

#include "graze/graze.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef enum host_mode { HOST_ROUNDS_UP, HOST_TRAPS } host_mode;
extern host_mode mode;

bool processor_has_traps(void);

/* The words of all calls so far. */
enum { CALLS_MOST = 1024 };
extern const char *calls[CALLS_MOST];
extern size_t call_count;

/* Around each call: fails where it has raised an exception outside of a guard. */
void begin_call(const char *words);
void end_call(void);
void expect(graze_result result, graze_result expected);

#define CALL(...)                                                                                                      \
  do {                                                                                                                 \
    begin_call(#__VA_ARGS__);                                                                                          \
    (void)(__VA_ARGS__);                                                                                               \
    end_call();                                                                                                        \
  } while (0)

#define RETURNS(expected, ...)                                                                                         \
  do {                                                                                                                 \
    begin_call(#__VA_ARGS__);                                                                                          \
    const graze_result outcome_of_call = (__VA_ARGS__);                                                                \
    end_call();                                                                                                        \
    expect(outcome_of_call, expected);                                                                                 \
  } while (0)
#define OK(...) RETURNS(GRAZE_OK, __VA_ARGS__)

/* A handler of SIGFPE: a fault names its call before it ends the program. */
void report_fault(int signal_number);

/* The exceptions that threads raised, and the number of the library's threads that began in the host's mode. */
extern _Atomic(int) raised_on_threads, threads_in_mode;

/* A task system of the host. */
enum { HOST_WORKERS = 3 };
void host_run(void *context, graze_task *task, void *task_context, uint32_t count);

/* Longer than threads of the pool look for work before they sleep. */
void rest(void);

#endif
