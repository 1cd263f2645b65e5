/* A scene on a device: the uploaded data, and the results of an update up to rounded vertices. */
#ifndef GRAZE_CUDA_DEVICE_SCENE_H
#define GRAZE_CUDA_DEVICE_SCENE_H

#include "broad/primitive_view.h"
#include "cuda/device_memory.h"
#include "cuda/scene_arrays.h"

/* ---------------------------------------------------------------------------------------------- uploads */

/* The data of an object, other than its pose, that can change while its vertices and primitives stay the same. */
typedef struct object_update {
  uint32_t object;
  bool moved;                /* positions or radii differ from those of the last update */
  bool is_double, on_device; /* location of positions: host or device */
  const void *positions;
  const void *radii; /* on the host; NULL: none */
  bool radii_are_double;
  size_t vertex_count;
  uint64_t shape; /* as in object_source */
  void *stream;   /* if on_device: positions are read after the work of this stream */
  object_rule rule;
} object_update;

/* One object of the scene; all arrays are on the host, except positions as the update states. */
typedef struct object_upload {
  object_update update;
  size_t primitive_count;
  object_source source;                                /* its numbers and kind, and the host's arrays of elements */
  uint32_t public_object, public_primitive, by_number; /* as in device_object */
  const uint32_t *vertex_numbers; /* as in part_vertices, like the next; read if some object is a part */
  uint32_t vertex_number;
  uint32_t first_of_shape; /* the first object with the same positions, radii and elements; may be itself */
  size_t corner_count, corner_first_count, triangulation_count, triangulation_first_count,
      repeat_count;       /* lengths of those arrays */
  const uint8_t *removed; /* NULL: none */
  size_t removed_count;
} object_upload;

/* All objects. If only positions, poses and rules differ from the last successful update, the updates of some objects
 * in ascending order suffice: those with different positions or rules, and possibly others. */
typedef struct scene_upload {
  const object_upload *objects; /* NULL: `updates` is used */
  const object_update *updates;
  size_t object_count, vertex_count, primitive_count, update_count;
  const primitive_header *headers;
  const uint64_t *rank_keys; /* as in scene_arrays, as are the next two */
  const uint32_t *rank_primitives, *ranks;
  const rigid_pose *poses; /* one per object, in the memory's pinned_heap; unchanged until the update ends */
  object_change *changes;  /* of object i at i times the stride; only CHANGED_POSE is read, and cleared */
  const bool *posed;       /* likewise: its pose is not the identity */
  size_t slot_stride;
  bool has_parts;
  bool poses_differ; /* false: no object has that bit */
  pair_slots excluded;
  uint64_t excluded_version; /* 0: there never were any */
  workers *workers;
} scene_upload;

/* ---------------------------------------------------------------------------------------------- data on the device */

/* The location of an object's positions, followed by its radii. */
typedef struct given_place {
  size_t offset; /* in the buffer of given data; without data, the offset of the next object */
  size_t radii;  /* where those begin */
  void *stream;  /* as in object_update */
  bool on_device;
  bool is_shared; /* shared with an earlier object and uploaded with it */
} given_place;

/* Copies of the last uploaded data, to detect changes; one per object. */
typedef struct object_tables {
  object_source *sources;
  object_rule *rules;
  given_place *given; /* with an end element */
  size_t count;
  size_t on_device_count;                    /* objects whose positions are in device memory of the caller */
  size_t special_rules;                      /* objects with a filter that rejects pairs, or with exclusions */
  uint64_t excluded_count, excluded_version; /* slots of excluded pairs on the device, and their version */
} object_tables;

/* The kinds of objects with primitives. */
typedef struct scene_kinds {
  bool only_triangles, only_tetrahedra;
  bool has_batch[BATCH_COUNT], has_surfaces;
} scene_kinds;

typedef struct scene_buffers {
  device_buffer parts, part_numbers; /* if objects are parts */
  device_buffer rank_keys, rank_primitives, ranks;
  device_buffer objects, sources, rules, excluded, poses, headers, vertex_object, removed, elements, given, sample;
  device_buffer extent, normalization, map, rounded; /* computed by an update */
} scene_buffers;

typedef struct device_scene {
  device_memory *memory;
  scene_buffers there;
  object_tables tables;
  scene_kinds kinds;
  staging_block staging;
  bool uploaded; /* false: everything is new */
  bool has_removed, has_ranks, has_parts;
  size_t vertex_count, primitive_count, sample_count;
  device_extent extent;
  axis_map map;       /* the last map, kept between frames while it fits */
  uint32_t slot_bits; /* of the map for rounded vertices; 0: none, they are in the normalized cube */
} device_scene;

void device_scene_init(device_scene *scene, device_memory *held);

/* Releases the host's data; buffers belong to the memory. */
void device_scene_release(device_scene *scene);

scene_arrays device_scene_view(const device_scene *scene);

/* Whether updates fit the current layout; otherwise the whole scene is uploaded. */
bool device_scene_has_place(const device_scene *scene, const object_update *update, size_t count);

/* Memory that is cleared during the update: the counters of the next query. */
typedef struct cleared_memory {
  void *data;
  size_t bytes; /* 0: none */
} cleared_memory;

/* Uploads topology, positions, poses and rules; only differences from the last update. */
graze_result device_scene_upload(device_scene *scene, const scene_upload *input);

#endif
