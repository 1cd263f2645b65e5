/* The table of built-in models.
 *
 * A new model is a maker in a file of its kind and a row here; the command line, the tests and the documents read
 * names, descriptions and properties from this table. */
#include "models/model_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char turned[] = "the seed rotates it; seed 0 does not";

static const model models[] = {
    {"sphere", "A geodesic sphere of radius 1; no two triangles intersect.", turned, MESH_POLYGONS, true, make_sphere},
    {"torus", "A ring of radius 1 with a tube of radius 0.4; no two triangles intersect.", turned, MESH_POLYGONS, true,
     make_torus},
    {"knot", "A tube along a torus knot: strands that pass close to each other without touching.",
     "the seed chooses the knot (trefoil for 0) and rotates it", MESH_POLYGONS, true, make_knot},
    {"blob", "A smooth lump with two ears and fine detail, like a scanned figure; no two triangles intersect.",
     "the seed chooses the shape", MESH_POLYGONS, true, make_blob},
    {"blobs", "Eight blobs that overlap, one object each.", "the seed chooses shapes and places", MESH_POLYGONS, true,
     make_blobs},
    {"gear", "A gear wheel of sixteen teeth with a bore: flat faces, sharp edges, long triangles.", turned,
     MESH_POLYGONS, true, make_gear},
    {"cloth", "A square sheet with slight waves; no two triangles intersect.", "the seed chooses the waves",
     MESH_POLYGONS, false, make_cloth},
    {"folded-cloth", "A sheet folded into a stack whose rippled layers cross each other: tens of thousands of pairs.",
     "the seed chooses the ripples; pairs grow with the square root of the triangles", MESH_POLYGONS, false,
     make_folded_cloth},
    {"draped-cloth",
     "A sheet draped over a ball: it lies on it, hangs down in folds, and dips into ball and folds in thin regions.",
     "the seed chooses folds and roughness; pairs grow with about the square root of the triangles", MESH_POLYGONS,
     false, make_draped_cloth},
    {"soup", "Unconnected triangles of random position, orientation and size in a unit cube.",
     "the seed determines all; the expected number of partners of a triangle is constant", MESH_POLYGONS, false,
     make_soup},
    {"mix", "A floor of two huge triangles, stones of medium ones, and a finely meshed blob sunk into the floor.",
     "the seed chooses shapes and places", MESH_POLYGONS, false, make_mix},
    {"needles",
     "Fans of needle triangles of aspect up to 1e8 over fans in the same plane: half exactly, half up to rounding.",
     "the seed chooses widths and planes; more triangles give more fans", MESH_POLYGONS, false, make_needles},
    {"chazelle",
     "Two combs with edges along the two rulings of a saddle: every tooth of one cuts every tooth of the other.",
     "the seed rotates it; pairs grow with the square of the triangles, at least triangles^2 / 80", MESH_POLYGONS, true,
     make_chazelle},
    {"boxes",
     "A block of boxes that touch exactly, in two objects in a checkerboard pattern; every contact is coplanar.",
     "the seed chooses the diagonals of the boxes' sides", MESH_POLYGONS, true, make_boxes},
    {"boxes-jittered",
     "The same block with every coordinate moved by one unit in the last place, up, down or not at all.",
     "the seed chooses the diagonals and the moves", MESH_POLYGONS, true, make_jittered_boxes},
    {"rods", "A rope of seven twisted rods in tight contact, one object each; no two triangles intersect.",
     "the seed rotates it; more triangles give more twist, up to three turns", MESH_POLYGONS, true, make_rods},
    {"panels", "A ring paved with quads, hexagons and concave polygons of eight corners, all slightly non-planar.",
     "the seed chooses the arrangement of polygons", MESH_POLYGONS, true, make_panels},
    {"bristles", "Upright needles as long as the scene, at random positions and in random order; hardly any intersect.",
     "the seed chooses the places", MESH_POLYGONS, false, make_bristles},
    {"rebar", "Needles as long as the scene, each along one of three axes, in random order; few intersect.",
     "the seed chooses axes and places", MESH_POLYGONS, false, make_rebar},
    {"plates", "A stack of horizontal triangles, each as large as the scene, in random order; no two intersect.",
     "the seed chooses the heights", MESH_POLYGONS, false, make_plates},
    {"thread", "Small triangles side by side in one line; no two intersect.", "the seed chooses their shapes",
     MESH_POLYGONS, false, make_thread},
    {"tet-box", "A box of cubes, each cut into six tetrahedra; all coordinates are exact.", turned, MESH_TETRAHEDRA,
     true, make_tet_box},
    {"tet-ball", "A ball of radius 1 filled with tetrahedra.", turned, MESH_TETRAHEDRA, true, make_tet_ball},
    {"tet-torus", "A solid ring of radius 1 with a tube of radius 0.4.", turned, MESH_TETRAHEDRA, true, make_tet_torus},
    {"tet-rod", "A rod wound into a coil of five turns, each of which overlaps the next.", turned, MESH_TETRAHEDRA,
     true, make_tet_rod},
    {"tet-pair", "Two balls of tetrahedra, one sunk into the other to half its radius.",
     "the seed chooses the direction and rotates both", MESH_TETRAHEDRA, true, make_tet_pair},
    {"tet-soup", "Unconnected tetrahedra of random position, shape and size in a unit cube, some inverted, some flat.",
     "the seed determines all; the expected number of partners of a tetrahedron is constant", MESH_TETRAHEDRA, false,
     make_tet_soup},
    {"cells", "A block of truncated octahedra that fill space, with faces exactly flat.",
     "the seed chooses a shear, which keeps faces flat; seed 0 has none", MESH_POLYHEDRA, true, make_cells},
    {"cell-pair", "Two blocks of truncated octahedra, one pushed into a corner of the other.",
     "the seed chooses the shears and how far", MESH_POLYHEDRA, true, make_cell_pair},
    {"spheres", "Balls at random positions in a unit cube, with radii that vary by a factor of sixteen.",
     "the seed determines all; the expected number of partners of a ball is constant", MESH_SPHERES, false,
     make_spheres},
    {"sphere-lattice",
     "Equal spheres with integer centers, in the shape of a ball: each touches its six neighbors exactly.",
     "the seed shifts it by whole numbers; seed 0 leaves it at the origin", MESH_SPHERES, false, make_sphere_lattice},
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
  if (parameters->primitives == 0 || parameters->primitives > MODEL_PRIMITIVE_LIMIT) {
    snprintf(error, error_bytes, "model %s: the number of primitives must be from 1 to %llu, not %llu", chosen->name,
             (unsigned long long)MODEL_PRIMITIVE_LIMIT, (unsigned long long)parameters->primitives);
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
