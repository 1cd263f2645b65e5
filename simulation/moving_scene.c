/* The table of moving scenes. A new scene is a file of its own and a row here; the command line, the tests and the
 * documents read names, descriptions and properties from this table. */
#include "simulation/moving_scene.h"

#include "simulation/scene_table.h"

#include <string.h>

static const moving_scene scenes[] = {
    {"cloth-ball", "A sheet falls on a ball, which then rotates and winds it up.", MESH_POLYGONS, 92000, 93, false,
     false, start_cloth_ball, direct_cloth_ball},
    {"funnel", "A ball presses a sheet into a funnel.", MESH_POLYGONS, 18000, 500, false, false, start_funnel,
     direct_funnel},
    {"whirling-cloth", "A sheet is held in the middle and whirled around.", MESH_POLYGONS, 92000, 93, false, false,
     start_whirling_cloth, direct_whirling_cloth},
    {"cloth-chair", "A sheet falls on a chair.", MESH_POLYGONS, 40000, 93, false, false, start_cloth_chair, NULL},
    {"cloth-statue", "A sheet falls on a lump with two ears.", MESH_POLYGONS, 40000, 93, false, false,
     start_cloth_statue, NULL},
    {"n-body", "Balls fly around, attract each other and collide.", MESH_POLYGONS, 146000, 93, false, false,
     start_n_body, direct_n_body},
    {"exploding-solid", "A solid flies apart into the cells of a Voronoi diagram.", MESH_POLYGONS, 252000, 93, false,
     true, start_exploding_solid, direct_exploding_solid},
    {"breaking-solid", "The same solid falls on a floor and breaks.", MESH_POLYGONS, 68000, 93, false, true,
     start_breaking_solid, direct_breaking_solid},
    {"soft-pair", "Two soft balls of tetrahedra accelerate into each other.", MESH_TETRAHEDRA, 40000, 93, false, false,
     start_soft_pair, direct_soft_pair},
    {"soft-on-stiff", "A soft ball of tetrahedra falls on a rigid ring.", MESH_TETRAHEDRA, 40000, 93, false, false,
     start_soft_on_stiff, NULL},
    {"stiff-on-soft", "A stiff body of tetrahedra falls on a soft one, which lies on an invisible plate.",
     MESH_TETRAHEDRA, 40000, 93, false, false, start_stiff_on_soft, NULL},
    {"soft-net", "Soft balls of tetrahedra fall into a net.", MESH_TETRAHEDRA, 20000, 93, false, false, start_soft_net,
     NULL},
    {"pass-through", "A ball of tetrahedra passes through another, along x.", MESH_TETRAHEDRA, 40104, 93, true, false,
     start_pass_through, direct_pass_through},
    {"packings", "A packing of spheres and a rotating copy, shifted by half its width.", MESH_SPHERES, 20000, 93, true,
     false, start_packings, direct_packings},
};

size_t moving_scene_count(void) {
  return sizeof scenes / sizeof scenes[0];
}

const moving_scene *moving_scene_at(size_t number) {
  return number < moving_scene_count() ? &scenes[number] : NULL;
}

const moving_scene *moving_scene_find(const char *name) {
  for (size_t i = 0; i < moving_scene_count(); ++i)
    if (strcmp(scenes[i].name, name) == 0) return &scenes[i];
  return NULL;
}
