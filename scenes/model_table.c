/* The one list of built-in models, and the door to them.
 *
 * A new model is a maker in a file of its kind and a row here; the command line, the tests and the documents take
 * names, descriptions and promises from this table. */
#include "scenes/model_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char turned[] = "the seed turns it; seed 0 leaves it upright";

static const model models[] = {
    {"sphere", "A geodesic sphere of radius 1; no triangle meets another.", turned, true, make_sphere},
    {"torus", "A ring of radius 1 with a tube of radius 0.4; no triangle meets another.", turned, true, make_torus},
    {"knot", "A tube along a torus knot: strands that pass close to each other and never meet.",
     "the seed chooses the knot (trefoil for 0) and turns it", true, make_knot},
    {"blob", "A smooth lump with two ears and fine detail, like a scanned figure; no triangle meets another.",
     "the seed chooses the shape", true, make_blob},
    {"blobs", "Eight blobs that run into each other, one object each.", "the seed chooses shapes and places", true,
     make_blobs},
    {"gear", "A gear wheel of sixteen teeth with a bore: flat faces, sharp edges, long triangles.", turned, true,
     make_gear},
    {"cloth", "A square sheet with slight waves; no triangle meets another.", "the seed chooses the waves", false,
     make_cloth},
    {"folded-cloth",
     "A sheet folded into a stack whose rippled layers run through each other: tens of thousands of pairs.",
     "the seed chooses the ripples; pairs grow with the square root of the triangles", false, make_folded_cloth},
    {"soup", "Triangles of random place, direction and size in a unit cube, no two of them joined.",
     "the seed chooses all; each triangle meets about as many others whatever their number", false, make_soup},
    {"mix", "A floor of two huge triangles, stones of middling ones, and a finely meshed blob sunk into the floor.",
     "the seed chooses shapes and places", false, make_mix},
    {"needles",
     "Fans of needle triangles of aspect up to 1e8 over fans in the same plane: half exactly, half but for rounding.",
     "the seed chooses widths and planes; more triangles are more fans", false, make_needles},
    {"chazelle",
     "Two combs with edges along the two rulings of a saddle: every tooth of one cuts every tooth of the other.",
     "the seed turns it; pairs grow with the square of the triangles, at least triangles^2 / 80", true, make_chazelle},
    {"boxes", "A block of boxes that touch exactly, in two objects like a chess board; every contact is coplanar.",
     "the seed chooses the diagonals of the boxes' sides", true, make_boxes},
    {"boxes-jittered",
     "The same block with every coordinate moved by one unit in the last place, up, down or not at all.",
     "the seed chooses the diagonals and the moves", true, make_jittered_boxes},
    {"rods", "A rope of seven twisted rods in tight contact, one object each; no triangle meets another.",
     "the seed turns it; more triangles are more twist, up to three turns", true, make_rods},
};

size_t model_count(void) {
  return sizeof models / sizeof models[0];
}

const model *model_at(size_t number) {
  return number < model_count() ? &models[number] : NULL;
}

const model *model_find(const char *name) {
  for (size_t i = 0; i < model_count(); ++i)
    if (strcmp(models[i].name, name) == 0) return &models[i];
  return NULL;
}

model_parameters model_parameters_default(void) {
  const model_parameters parameters = {40000, 0};
  return parameters;
}

bool model_make(const model *chosen, const model_parameters *parameters, mesh **meshes_out, size_t *mesh_count_out,
                char *error, size_t error_bytes) {
  *meshes_out = NULL;
  *mesh_count_out = 0;
  if (parameters->triangles == 0 || parameters->triangles > MODEL_TRIANGLE_LIMIT) {
    snprintf(error, error_bytes, "model %s: %llu triangles were asked for; it must be from 1 to %llu", chosen->name,
             (unsigned long long)parameters->triangles, (unsigned long long)MODEL_TRIANGLE_LIMIT);
    return false;
  }
  model_output output = {chosen->name, NULL, 0, 0, error, error_bytes};
  if (!chosen->make(parameters, &output)) {
    model_output_release(&output);
    return false;
  }
  *meshes_out = output.meshes;
  *mesh_count_out = output.mesh_count;
  return true;
}
