/* A mesh cut into parts that share vertices, each with the numbers of its primitives and vertices in the whole. */
#ifndef GRAZE_TESTS_MESH_CUT_H
#define GRAZE_TESTS_MESH_CUT_H

#include "graze/graze.h"
#include "mesh_io/mesh.h"
#include "models/mesh_object.h"

typedef struct mesh_part {
  mesh mesh;
  uint32_t *primitives, *vertices; /* numbers in the whole */
  size_t primitive_count;
} mesh_part;

typedef struct mesh_cut {
  mesh_part *parts;
  size_t part_count;
} mesh_cut;

typedef enum cut_kind {
  CUT_BY_CHANCE, /* every primitive goes to any part, in any order */
  CUT_BY_SPACE,  /* slabs along an axis */
  CUT_KINDS
} cut_kind;

mesh_cut mesh_cut_make(const mesh *whole, size_t part_count, cut_kind kind, uint64_t *seed);
void mesh_cut_free(mesh_cut *cut);

/* Adds a part as one of the global object. `def` has the filter. Fails the test where the scene refuses. */
graze_object mesh_part_add(graze_scene *scene, const mesh_part *part, graze_object_def def, uint32_t global_object,
                           mesh_precision precision);

/* Positions of a part, of those of the whole. */
void mesh_part_gather(const mesh_part *part, const double *whole, double *positions_out);

#endif
