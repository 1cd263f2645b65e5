/* Built-in models: procedural scenes, seeded, of any resolution, and bit-identical on every machine.
 *
 * A model gives one or more meshes (the objects of the scene), all of one kind: triangles or other polygons,
 * tetrahedra, polyhedral cells, or spheres. y points up. The same name, target and seed give the same bytes with every
 * compiler and processor: the models use only + - * / and sqrt, which IEEE 754 defines to the bit, and integer random
 * numbers. */
#ifndef GRAZE_MODEL_H
#define GRAZE_MODEL_H

#include "mesh_io/mesh.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The maximum number of primitives: the corners of a soup of this many tetrahedra can still be counted in 32 bits. */
#define MODEL_PRIMITIVE_LIMIT UINT64_C(1000000000)

typedef struct model_parameters {
  uint64_t primitives; /* about how many polygons, tetrahedra, cells or spheres, 1 to MODEL_PRIMITIVE_LIMIT: met within
                          20 % from 1000 on; below that a model may give the least that its shape needs */
  uint64_t seed;       /* the model's `parameters` state its effect */
} model_parameters;

struct model_output;

typedef struct model {
  const char *name;
  const char *description; /* one message: what it looks like and what it is for */
  const char *parameters;  /* the effect of the seed, and what grows with the primitives */
  mesh_kind kind;          /* the kind of all its meshes */
  bool watertight;         /* every edge of every surface is used exactly twice, in opposite directions, facing outward;
                              every tetrahedron has a positive volume, every inner face is used exactly twice;
                              never of spheres */
  bool (*make)(const model_parameters *parameters, struct model_output *output);
} model;

/* Returns 40000 primitives, seed 0. */
model_parameters model_parameters_default(void);

size_t model_count(void);
const model *model_at(size_t number);      /* NULL past the end */
const model *model_find(const char *name); /* NULL if there is none with this name */

/* Makes the meshes. On success the caller owns *meshes_out (release each with mesh_free, then the array with free). On
 * failure everything is released, the outputs are NULL and 0, and `error` contains one message. */
bool model_make(const model *chosen, const model_parameters *parameters, mesh **meshes_out, size_t *mesh_count_out,
                char *error, size_t error_bytes);

#endif
