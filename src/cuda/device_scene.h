/* A scene on a device: what was uploaded of it, and what an update makes of that, up to rounded vertices. */
#ifndef GRAZE_CUDA_DEVICE_SCENE_H
#define GRAZE_CUDA_DEVICE_SCENE_H

#include "broad/object_change.h"
#include "cuda/scene_arrays.h"
#include "cuda/upload_staging.h"

/* ---------------------------------------------------------------------------------------------- what is told */

/* What may change of an object while it has the same vertices and primitives, but for its pose. */
typedef struct object_news {
  uint32_t object;
  bool moved;                /* positions or radii differ from those of the last update */
  bool is_double, on_device; /* where positions are: the host's, or the device's */
  const void *positions;
  const void *radii; /* the host's; NULL: none */
  bool radii_are_double;
  size_t vertex_count;
  uint64_t shape; /* as in object_source */
  void *stream;   /* of on_device: after whose work positions are read */
  object_rule rule;
} object_news;

/* One object as the scene has it; all arrays are the host's, but positions as the news say. */
typedef struct object_upload {
  object_news news;
  size_t primitive_count;
  object_source source;                                /* for its numbers and kind, and the host's arrays of elements */
  uint32_t public_object, public_primitive, by_number; /* as in device_object */
  const uint32_t *vertex_numbers; /* as in part_vertices, as is the next; looked at where some object is a part */
  uint32_t vertex_number;
  uint32_t first_of_shape; /* the first object with these positions, radii and elements; itself: none before it */
  size_t corner_count, corner_first_count, triangulation_count, triangulation_first_count,
      repeat_count;      /* lengths of those arrays */
  const uint8_t *erased; /* NULL: none */
  size_t erased_count;
} object_upload;

/* All objects; or, where nothing but positions, poses and rules differs from the last update, which succeeded, the news
 * of some in ascending order: those whose positions or rules differ, and any others. */
typedef struct scene_upload {
  const object_upload *objects; /* NULL: there are news */
  const object_news *news;
  size_t object_count, vertex_count, primitive_count, news_count;
  const primitive_header *headers;
  const uint64_t *rank_keys; /* as in scene_arrays, as are the next two */
  const uint32_t *rank_primitives, *ranks;
  const rigid_pose *poses; /* an object each, in the memory's pinned_heap; as they are until the update ends */
  object_change *changes;  /* of object i at i times the stride; CHANGED_POSE alone is looked at, and cleared */
  const bool *posed;       /* likewise: its pose is not the identity */
  size_t slot_stride;
  bool has_parts;
  bool poses_differ; /* false: no object has that bit */
  pair_slots excluded;
  uint64_t excluded_version; /* 0: there have never been any */
  workers *workers;
} scene_upload;

/* ---------------------------------------------------------------------------------------------- what is there */

/* Where an object's positions lie, and behind them its radii. */
typedef struct given_place {
  size_t offset; /* in the buffer of what was given; where what the next has begins there, if there are none */
  size_t radii;  /* where those begin */
  void *stream;  /* as in object_news */
  bool on_device;
  bool is_shared; /* an object before it has the place: it is uploaded with that one */
} given_place;

/* What was uploaded last, to tell what is new; an object each. */
typedef struct object_tables {
  object_source *sources;
  object_rule *rules;
  given_place *given; /* and the end */
  size_t count;
  size_t on_device_count;                    /* objects whose positions are elsewhere on the device */
  size_t special_rules;                      /* objects whose filter keeps any pairs back, or that exclude others */
  uint64_t excluded_count, excluded_version; /* slots of excluded pairs there, and the version that they are of */
} object_tables;

/* Kinds of objects that have primitives. */
typedef struct scene_kinds {
  bool only_triangles, only_tetrahedra;
  bool has_batch[BATCH_COUNT], has_surfaces;
} scene_kinds;

typedef struct scene_buffers {
  device_buffer parts, part_numbers; /* where objects are parts */
  device_buffer rank_keys, rank_primitives, ranks;
  device_buffer objects, sources, rules, excluded, poses, headers, vertex_object, erased, elements, given, sample;
  device_buffer extent, normalization, map, rounded; /* made by an update */
} scene_buffers;

typedef struct device_scene {
  device_memory *memory;
  scene_buffers there;
  object_tables tables;
  scene_kinds kinds;
  staging_block staging;
  bool uploaded; /* false: everything is new */
  bool has_erased, has_ranks, has_parts;
  size_t vertex_count, primitive_count, sample_count;
  device_extent extent;
  axis_map map;       /* chosen last, and kept from frame to frame while it fits */
  uint32_t slot_bits; /* of the map that vertices are rounded into; 0: none, they are in the normalized cube */
} device_scene;

void device_scene_init(device_scene *scene, device_memory *held);

/* What the host has; buffers are the memory's. */
void device_scene_release(device_scene *scene);

scene_arrays device_scene_view(const device_scene *scene);

/* Whether news can be taken in where everything lies; else the scene is uploaded as a whole. */
bool device_scene_has_place(const device_scene *scene, const object_news *news, size_t count);

/* Memory that is cleared beside the update: what the next query counts in. */
typedef struct cleared_memory {
  void *data;
  size_t bytes; /* 0: none */
} cleared_memory;

/* Uploads what is new and makes everything up to the rounded vertices. *finite_out: false where a posed coordinate, or
 * one that was given on the device, is not finite; then no query may follow. */
graze_result device_scene_update(device_scene *scene, const scene_upload *told, cleared_memory cleared,
                                 bool *finite_out, double *milliseconds_out);

/* Copies positions that a caller has on the device, after what its stream has to do now. */
graze_result device_scene_fetch_positions(device_scene *scene, const void *device_positions, void *stream, size_t bytes,
                                          void *positions_out);

#endif
