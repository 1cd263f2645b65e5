/* The scenes of the benchmark and of the comparison with other libraries: one list of names, created on demand. */
#ifndef GRAZE_BENCH_SCENE_H
#define GRAZE_BENCH_SCENE_H

#include "bench/bench_shape.h"
#include "graze/graze.h"
#include "mesh_io/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_kind {
  BENCH_SELF = 0,    /* all self-intersections of shapes[0] */
  BENCH_BETWEEN = 1, /* all pairs between shapes[0] and shapes[1] */
  BENCH_MOVING = 2,  /* whether shapes[1] intersects shapes[0], for each pose */
  BENCH_BOTH = 3     /* pairs within objects and between them, in one pass */
} bench_kind;

typedef graze_pose bench_pose;

typedef struct bench_scene {
  const char *name; /* of the list, not owned */
  bench_kind kind;
  bench_shape shapes[2];
  size_t shape_count;
  mesh *bodies; /* objects of any kind in addition to shapes; owned; NULL in scenes that peers also run */
  size_t body_count;
  bench_pose *poses; /* owned */
  size_t pose_count;
} bench_scene;

typedef struct bench_scene_options {
  bool quick;       /* built-in models at a tenth of their size, and no file of more than 100,000 triangles */
  const char *data; /* folder of real meshes; NULL: built-in models only */
  size_t triangles; /* approximate size of built-in models, without files; 0: each row's own, with files */
} bench_scene_options;

size_t bench_scene_count(void);
const char *bench_scene_name(size_t scene);
bench_kind bench_scene_kind(size_t scene);
const char *bench_kind_name(bench_kind kind);

/* Whether the options allow the scene to be made. */
bool bench_scene_available(size_t scene, const bench_scene_options *options);

/* The approximate number of triangles with these options. */
size_t bench_scene_triangles(size_t scene, const bench_scene_options *options);

/* Makes a scene. On failure, writes one message and leaves nothing to free. */
bool bench_scene_make(size_t scene, const bench_scene_options *options, bench_scene *scene_out, char *error,
                      size_t error_bytes);
/* Makes a scene of the self-intersections of a built-in model with about this many triangles. The name is borrowed. */
bool bench_scene_make_model(const char *model_name, size_t triangles, bench_scene *scene_out, char *error,
                            size_t error_bytes);
/* The same for the triangles of a mesh file. */
bool bench_scene_read_file(const char *path, const char *name, bench_scene *scene_out, char *error, size_t error_bytes);
void bench_scene_free(bench_scene *scene);

#ifdef __cplusplus
}
#endif

#endif
