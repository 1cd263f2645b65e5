/* graze: result codes, error messages, versions, and what a host can provide: memory, a task system, shared workers,
 * and the backend that runs a scene.
 *
 * graze/graze.h includes this header. It describes how structs grow and which calls are thread-safe. */
#ifndef GRAZE_HOST_H
#define GRAZE_HOST_H

#include "graze/version.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* GRAZE_BUILD is defined while the library is compiled, GRAZE_SHARED if the library is shared. */
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

/* All result codes: name, value, description. Values never change. */
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

/* Returns the description of a code; never NULL. */
GRAZE_API const char *graze_result_text(graze_result result);

/* Returns the message of the last failed call on this thread, or "" if none has failed. The text stays valid until
 * another call on this thread fails; a successful call does not clear it. */
GRAZE_API const char *graze_error_text(void);

/* Returns the version of the linked library, "major.minor.patch". */
GRAZE_API const char *graze_version(void);

/* ------------------------------------------------------------------------------------------------ memory and tasks */

/* An allocator that the host provides. The default is the C library's. `allocate` returns memory aligned to `alignment`
 * (a power of two), or NULL on failure; `release` receives the size that was requested. Worker threads may call both
 * concurrently. */
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

/* Parallel work: called once for each index in [0, count), on any thread, in any order. Concurrent calls have different
 * workers; worker < worker_count. In release builds it needs at most 32 KB of stack. */
typedef void graze_task(void *task_context, uint32_t index, uint32_t worker);

/* A task system that the host provides. `run` returns after all `count` calls have returned. Results do not depend on
 * which worker runs which index. */
typedef struct graze_task_system {
  size_t struct_bytes; /* sizeof(graze_task_system) */
  void *context;
  uint64_t worker_count;
  void (*run)(void *context, graze_task *task, void *task_context, uint32_t count);
} graze_task_system;

/* The default has no workers; set all three of context, worker_count and run. */
GRAZE_API void graze_task_system_init(void *system, size_t bytes);
static inline graze_task_system graze_task_system_default(void) {
  graze_task_system system;
  graze_task_system_init(&system, sizeof system);
  return system;
}

/* How the library runs its own workers. AUTO is a pool of POSIX threads. OPENMP is GRAZE_UNSUPPORTED if the library was
 * built without it. */
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

/* ------------------------------------------------------------------------------------------------ shared workers */

/* Workers that scenes share: graze_scene_def.workers. Any number of scenes and threads may use them at the same time,
 * and a task may start work on them again. If they are busy, the work runs on the calling thread, without waiting.
 * Results do not depend on this.
 *
 * Workers also keep memory for hosts that create many scenes: blocks of a page or more that one scene frees are reused
 * by the next. The blocks kept and in use together never exceed five quarters of what the last 32 to 64 scenes held at
 * once; the least recently used blocks are freed first. If the allocator fails, all kept blocks are freed. Block sizes
 * are rounded up by at most an eighth, so that more blocks can be reused; the counters of a scene count the requested
 * sizes. Blocks come from the workers' allocator and serve scenes with the same allocator (equal functions and context,
 * or both the default). Other scenes use their own allocator. Lists never use these blocks: they may outlive scenes and
 * workers. */
typedef struct graze_workers graze_workers;

/* Definition of workers. Initialize it with graze_workers_def_default(). */
typedef struct graze_workers_def {
  size_t struct_bytes;   /* sizeof(graze_workers_def), set by the default maker */
  uint32_t worker_count; /* 0: as many processors as the process may use, by its affinity and the quota of its control
                            group. Ignored if `tasks` is given */
  graze_threading threading;      /* how the threads are run; ignored if `tasks` is given */
  const graze_task_system *tasks; /* NULL: the library's own; copied, but its context must outlive the workers. Calls of
                                     `run` for these workers never overlap */
  const graze_allocator *allocator; /* NULL: the C library's; copied */
  size_t kept_bytes; /* limit on the memory kept for the next scene; 0 keeps none. The default, SIZE_MAX, sets no limit
                        beyond the one above */
} graze_workers_def;

GRAZE_API void graze_workers_def_init(void *def, size_t bytes);
static inline graze_workers_def graze_workers_def_default(void) {
  graze_workers_def def;
  graze_workers_def_init(&def, sizeof def);
  return def;
}

/* Creates workers. Threads start on first use. A NULL definition means the default. GRAZE_INVALID_ARGUMENT for an
 * unknown threading, and for an incomplete task system or allocator; GRAZE_UNSUPPORTED for OpenMP if the library was
 * built without it. On failure *workers_out is NULL. */
GRAZE_API graze_result graze_workers_create(const graze_workers_def *def, graze_workers **workers_out);

/* Frees the kept memory and ends the threads. If scenes still use the workers, this happens when the last of them is
 * destroyed. NULL is allowed. Must not be called from a task. */
GRAZE_API void graze_workers_destroy(graze_workers *workers);

/* Frees the memory that the workers keep for the next scene. Memory that scenes hold is not affected, and is kept when
 * they free it. Useful before smaller scenes or a long pause. May be called from any thread at any time, even while
 * scenes are in use. NULL is allowed. */
GRAZE_API void graze_workers_trim(graze_workers *workers);

/* Returns the number of bytes that are kept and used by no scene; 0 for NULL. May be called from any thread at any
 * time. */
GRAZE_API size_t graze_workers_kept_bytes(const graze_workers *workers);

/* Returns the number of workers, at least 1; 0 for NULL. */
GRAZE_API uint32_t graze_workers_count(const graze_workers *workers);

/* Runs work of the host on these workers, between queries: calls the task once for each index in [0, task_count), in
 * any order, and returns when all calls have returned. Their writes are then visible to the caller. Threads and tasks
 * may call it concurrently; if the workers are busy, or NULL, the work runs on the calling thread. Tasks run in the
 * default floating-point mode: rounding to nearest, with subnormal numbers. */
GRAZE_API void graze_workers_run(graze_workers *workers, graze_task *task, void *task_context, uint32_t task_count);

/* ------------------------------------------------------------------------------------------------ backends */

/* The backend that runs updates and queries. Initialize it with graze_backend_def_default(). A backend is never
 * silently replaced: GRAZE_UNSUPPORTED if the build lacks it, or if it lacks a requested feature. */
typedef struct graze_backend_def {
  size_t struct_bytes;
  const char *name; /* one of GRAZE_ENUMERATION_BACKEND (graze/names.h): "cpu" (the default) or "cuda" */
  /* Device numbers, for a backend with devices; NULL: device 0. Copied. At most 64; a number may be listed several
   * times. With several devices, each gets a part of space and the primitives that reach into it, and finds the pairs
   * of its part; the answers are those of one device. The scene's workers run the devices, and the host computes
   * contacts and poses. Lists, positions, poses and streams on a device are then GRAZE_UNSUPPORTED. */
  const int *devices;
  size_t device_count;
  /* A cudaStream_t on that device, for a backend with devices; the default stream is cudaStreamLegacy or
   * cudaStreamPerThread. Device work of a call starts after the work that is queued on the stream when the call is
   * made. A call returns when its results are complete, so later work on the stream may read them. The stream must
   * exist until the scene uses another one or is destroyed. NULL: calls wait for no stream. graze_scene_set_backend
   * with the same device changes the stream without the need for an update. */
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
