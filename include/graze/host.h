/* graze: what calls and hosts have in common: result codes, the message of a failure, versions, and what a host may
 * hand in: memory, a task system, workers that scenes share, and the backend that runs a scene.
 *
 * Included by graze/graze.h, which says how structs grow and how threads may call. */
#ifndef GRAZE_HOST_H
#define GRAZE_HOST_H

#include "graze/version.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* GRAZE_BUILD is defined while the library is compiled, GRAZE_SHARED where it is a shared one. */
#if defined(_WIN32) && defined(GRAZE_SHARED)
#if defined(GRAZE_BUILD)
#define GRAZE_API __declspec(dllexport)
#else
#define GRAZE_API __declspec(dllimport)
#endif
#elif defined(_WIN32)
#define GRAZE_API
#else
#define GRAZE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------ results */

/* The one list of result codes: name, value, words. Values are stable between versions. */
#define GRAZE_RESULT_LIST(X)                                                                                           \
  X(OK, 0, "ok")                                                                                                       \
  X(INVALID_ARGUMENT, 1, "invalid argument")                                                                           \
  X(NOT_FINITE, 2, "a coordinate is not finite")                                                                       \
  X(INDEX_OUT_OF_RANGE, 3, "an index is out of range")                                                                 \
  X(OUT_OF_MEMORY, 4, "out of memory")                                                                                 \
  X(NO_SUCH_OBJECT, 5, "no such object")                                                                               \
  X(NOT_UPDATED, 6, "the scene was changed after its last update")                                                     \
  X(NOT_A_ROTATION, 7, "the pose is not a rotation")                                                                   \
  X(UNSUPPORTED, 8, "not supported")                                                                                   \
  X(TOO_LARGE, 9, "a size exceeds what an index can count")                                                            \
  X(NOT_CONVEX, 10, "a polyhedron is not convex")                                                                      \
  X(NO_DEVICE, 11, "no such device, or none that can be used")                                                         \
  X(DEVICE_FAILED, 12, "the device failed")                                                                            \
  X(STOPPED, 13, "stopped by the caller")                                                                              \
  X(NOT_CERTIFIED, 14, "a packing fails its certificate")                                                              \
  X(FILE_FAILED, 15, "a file cannot be read or written")

typedef enum graze_result {
#define GRAZE_RESULT_ENUM(name, value, words) GRAZE_##name = value,
  GRAZE_RESULT_LIST(GRAZE_RESULT_ENUM)
#undef GRAZE_RESULT_ENUM
} graze_result;

/* The words for a code, as in the list above; never NULL. */
GRAZE_API const char *graze_result_text(graze_result result);

/* One message about the last call on this thread that failed; "" when none has. The text stays until another call on
 * this thread fails: a call that succeeds does not clear it. */
GRAZE_API const char *graze_error_text(void);

/* The version of the library that is linked, "major.minor.patch". */
GRAZE_API const char *graze_version(void);

/* ------------------------------------------------------------------------------------------------ memory and tasks */

/* Memory of a host. The default maker gives the C library's. `allocate` returns NULL when it cannot, else memory
 * aligned to `alignment` (a power of two); `release` is given the size that was asked for. Both may be called from
 * worker threads at the same time. */
typedef struct graze_allocator {
  size_t struct_bytes; /* sizeof(graze_allocator) */
  void *context;
  void *(*allocate)(void *context, size_t bytes, size_t alignment);
  void (*release)(void *context, void *memory, size_t bytes);
} graze_allocator;

GRAZE_API void graze_allocator_init(void *allocator, size_t bytes);
static inline graze_allocator graze_allocator_default(void) {
  graze_allocator allocator;
  graze_allocator_init(&allocator, sizeof allocator);
  return allocator;
}

/* A piece of parallel work: called once for every index in [0, count), on any thread, in any order. No two calls that
 * run at the same time may have the same worker; worker < worker_count. In release builds it takes at most 32 KB of
 * stack. */
typedef void graze_task(void *task_context, uint32_t index, uint32_t worker);

/* A host's own task system. `run` returns after all `count` calls have returned. The result of the library does not
 * depend on which worker runs what. */
typedef struct graze_task_system {
  size_t struct_bytes; /* sizeof(graze_task_system) */
  void *context;
  uint64_t worker_count;
  void (*run)(void *context, graze_task *task, void *task_context, uint32_t count);
} graze_task_system;

/* The default has no workers: fill in all three. */
GRAZE_API void graze_task_system_init(void *system, size_t bytes);
static inline graze_task_system graze_task_system_default(void) {
  graze_task_system system;
  graze_task_system_init(&system, sizeof system);
  return system;
}

/* Who runs the library's own workers. AUTO is a pool of POSIX threads; OPENMP is GRAZE_UNSUPPORTED where the library
 * was built without it. */
#define GRAZE_THREADING_LIST(X)                                                                                        \
  X(AUTO, 0, "auto")                                                                                                   \
  X(PTHREADS, 1, "pthreads")                                                                                           \
  X(OPENMP, 2, "openmp")                                                                                               \
  X(SERIAL, 3, "serial")

typedef enum graze_threading {
#define GRAZE_THREADING_ENUM(name, value, words) GRAZE_THREADING_##name = value,
  GRAZE_THREADING_LIST(GRAZE_THREADING_ENUM)
#undef GRAZE_THREADING_ENUM
} graze_threading;

/* ------------------------------------------------------------------------------------------------ workers to share */

/* Workers that a host makes, for scenes that are to share them: graze_scene_def.workers. Any number of scenes and
 * threads may use them at the same time, and a task may begin work on them again: whoever finds them busy works alone,
 * on its own thread, and waits for nobody. Answers do not depend on it.
 *
 * They also keep memory, for hosts that make many scenes: what a scene gives back, in blocks of a page and more, serves
 * the next. Kept blocks and those that scenes hold are together at most five quarters of what the last 32 to 64 scenes
 * have held at once; beyond that those go first that nobody has asked for longest, and all of them go where the
 * allocator has nothing more to give, for a scene or for its lists. So that blocks fit again their sizes are rounded
 * up, by an eighth at most; the counters of a scene count what it has asked for. Blocks come from the workers'
 * allocator and serve scenes with the same one: the same functions and context, or named by neither. Other scenes ask
 * their own, as without workers. Lists never hold such blocks: they may outlive scenes and workers. */
typedef struct graze_workers graze_workers;

/* What workers are made with. Take graze_workers_def_default() and change what you want. */
typedef struct graze_workers_def {
  size_t struct_bytes;            /* sizeof(graze_workers_def), set by the default maker */
  uint32_t worker_count;          /* 0: as many as the process may use processors, by its affinity and the quota of
                                     its control group; ignored where `tasks` is given */
  graze_threading threading;      /* who runs the workers; ignored where `tasks` is given */
  const graze_task_system *tasks; /* NULL: the library's own; copied, what it points to must outlive the workers. `run`
                                     is not called while another call of it for these workers is under way */
  const graze_allocator *allocator; /* NULL: the C library's; copied */
  size_t kept_bytes;                /* of memory that scenes have given back, how much is kept for the next at most; 0:
                                       none. The default, SIZE_MAX, sets no limit but the one above */
} graze_workers_def;

GRAZE_API void graze_workers_def_init(void *def, size_t bytes);
static inline graze_workers_def graze_workers_def_default(void) {
  graze_workers_def def;
  graze_workers_def_init(&def, sizeof def);
  return def;
}

/* Threads start at the first work. NULL for the definition means the default one. GRAZE_INVALID_ARGUMENT for an unknown
 * threading, or a task system or allocator that lacks something; GRAZE_UNSUPPORTED for OpenMP where the library was
 * built without it. On failure *workers_out is NULL. */
GRAZE_API graze_result graze_workers_create(const graze_workers_def *def, graze_workers **workers_out);

/* Gives back what is kept, and ends the threads, unless scenes still use them: then the last scene's end does. NULL is
 * allowed. Not from a task. */
GRAZE_API void graze_workers_destroy(graze_workers *workers);

/* Gives the memory that the workers keep for the next scene back to their allocator. What scenes hold stays, and the
 * workers will keep it in turn: worth it when the scenes to come are smaller, or far away. From any thread, at any
 * time, also while scenes are at work. NULL is allowed. */
GRAZE_API void graze_workers_trim(graze_workers *workers);

/* The bytes that are kept now, in no scene's hands; 0 for NULL. From any thread, at any time. */
GRAZE_API size_t graze_workers_kept_bytes(const graze_workers *workers);

/* At least 1, 0 for NULL. */
GRAZE_API uint32_t graze_workers_count(const graze_workers *workers);

/* Work of the host's own on these workers, between its queries: calls the task once for each index in [0, task_count),
 * in no fixed order, and returns when all calls have returned; what they wrote is then visible to the caller. Safe from
 * several threads at the same time and from within a task: whoever finds the workers busy works alone. Without workers,
 * NULL, the calling thread does it all. Tasks run in the default arithmetic: to nearest, nothing flushed to zero. */
GRAZE_API void graze_workers_run(graze_workers *workers, graze_task *task, void *task_context, uint32_t task_count);

/* ------------------------------------------------------------------------------------------------ backends */

/* Who runs updates and queries. Take graze_backend_def_default() and change what you want. A backend is never silently
 * replaced: GRAZE_UNSUPPORTED where the build lacks it, or where it lacks what is asked of it. */
typedef struct graze_backend_def {
  size_t struct_bytes;
  const char *name;    /* one of GRAZE_ENUMERATION_BACKEND (graze/names.h): "cpu" (the default) or "cuda" */
  const int *devices;  /* numbers of devices, for a backend that has devices; NULL: device 0. Copied */
  size_t device_count; /* of them: at most one in this version */
  /* A stream of the host on that device, for a backend that has devices: a cudaStream_t, the default stream as
   * cudaStreamLegacy or cudaStreamPerThread. What an update, a query or another call runs on the device comes after the
   * work that is on the stream when the call is made. A call returns when its results are complete, so work that is put
   * on the stream later may read them. It must stay until the scene has another or is gone. NULL: none, and calls wait
   * for no stream. graze_scene_set_backend with the same device changes it, and no update is needed then. */
  void *stream;
} graze_backend_def;

GRAZE_API void graze_backend_def_init(void *def, size_t bytes);
static inline graze_backend_def graze_backend_def_default(void) {
  graze_backend_def def;
  graze_backend_def_init(&def, sizeof def);
  return def;
}

#ifdef __cplusplus
}
#endif

#endif
