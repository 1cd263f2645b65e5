/* Golden hashes: the bytes of every model and of a filling, which must not depend on processor, compiler or
 * optimization. A change here changes every published figure on that model. */
#include "model_set.h"
#include "models/lattice_fill.h"
#include "models/model.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *byte = data;
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
  return hash;
}

/* Corners and where those of each polygon or face begin; nothing where there are none. */
static uint64_t hash_outlines(uint64_t hash, const uint32_t *corners, const uint32_t *first, size_t count) {
  if (first == NULL) return hash;
  hash = hash_bytes(hash, first, (count + 1) * sizeof *first);
  return hash_bytes(hash, corners, first[count] * sizeof *corners);
}

/* FNV-1a over the positions, indices and radii of all meshes, little-endian as the tested machines are. */
static uint64_t model_hash(const model *chosen, uint64_t primitives, uint64_t seed) {
  const model_parameters parameters = {primitives, seed};
  OWNED(mesh_set) made = model_set(chosen, &parameters);
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < made.count; ++i) {
    hash = hash_bytes(hash, made.meshes[i].positions, 3 * made.meshes[i].vertex_count * sizeof(double));
    hash = hash_bytes(hash, made.meshes[i].triangles, 3 * made.meshes[i].triangle_count * sizeof(uint32_t));
    hash = hash_bytes(hash, made.meshes[i].tetrahedra, 4 * made.meshes[i].tetrahedron_count * sizeof(uint32_t));
    hash = hash_bytes(hash, made.meshes[i].radii,
                      made.meshes[i].radii == NULL ? 0 : made.meshes[i].vertex_count * sizeof(double));
    hash = hash_outlines(hash, made.meshes[i].corners, made.meshes[i].polygon_first, made.meshes[i].polygon_count);
    hash = hash_outlines(hash, made.meshes[i].face_corners, made.meshes[i].face_first, made.meshes[i].face_count);
  }
  return hash;
}

static const struct {
  const char *name;
  uint64_t upright, seeded; /* 2000 primitives with seed 0; 30000 with seed 7 */
} golden[] = {
    {"sphere", UINT64_C(0x1868c881d7e2ee35), UINT64_C(0x57622d975254e8aa)},
    {"torus", UINT64_C(0x92f74ada3e3624e0), UINT64_C(0x835774b4f03d5c9d)},
    {"knot", UINT64_C(0xe5f2a9fbf82e8abe), UINT64_C(0x82f15057480bd6ad)},
    {"blob", UINT64_C(0x788bab0be088981f), UINT64_C(0xf93ccb194a7439fd)},
    {"blobs", UINT64_C(0xac0a59afa06c412b), UINT64_C(0x57047887ead37032)},
    {"gear", UINT64_C(0x5f63df2036ba411a), UINT64_C(0x6e1a6fd3e0be336a)},
    {"cloth", UINT64_C(0x61a0ddac9a9ed9e9), UINT64_C(0x23192c6638ffcf35)},
    {"folded-cloth", UINT64_C(0x01b3488e9ffaa5da), UINT64_C(0x288d64b8dcfcc488)},
    {"draped-cloth", UINT64_C(0x9e7a7d8fbd1ddc05), UINT64_C(0x750e1649b0292ebd)},
    {"soup", UINT64_C(0x95a0993e5ad7c9ba), UINT64_C(0x81bdd5e46ea27328)},
    {"mix", UINT64_C(0x5279b8f46ff76282), UINT64_C(0x2113ca806bc5aa2e)},
    {"needles", UINT64_C(0x5c8e520f953d936c), UINT64_C(0xd054c0595258627a)},
    {"chazelle", UINT64_C(0x2e7beba2266502df), UINT64_C(0x92a510ac1b24e3c9)},
    {"boxes", UINT64_C(0x84f6e7e6befdb351), UINT64_C(0x50a33d84d54a68d9)},
    {"boxes-jittered", UINT64_C(0x6b2e7daff9269173), UINT64_C(0x976d93f681bd7e60)},
    {"rods", UINT64_C(0x5c63317381d3c980), UINT64_C(0xd66f343dc36cfece)},
    {"panels", UINT64_C(0x2763be250d33938a), UINT64_C(0xe17b0297d1d51f36)},
    {"bristles", UINT64_C(0x12f291eb1fa17b16), UINT64_C(0xf6e5c1e35764d049)},
    {"rebar", UINT64_C(0x1cfc007dffd31b98), UINT64_C(0x4155d18a512f592f)},
    {"plates", UINT64_C(0x4abc945fdfc31614), UINT64_C(0x4b8b2685ee575312)},
    {"thread", UINT64_C(0xe1891508e589380d), UINT64_C(0xee61611953b1c22b)},
    {"tet-box", UINT64_C(0xdd9ae188813ac37a), UINT64_C(0xf97fe66f5ff4a232)},
    {"tet-ball", UINT64_C(0x23c997e2e5bc0c19), UINT64_C(0xf000a19c0203f308)},
    {"tet-torus", UINT64_C(0x050b706b6a36e160), UINT64_C(0x7dd1eb7e6f92a5e0)},
    {"tet-rod", UINT64_C(0x9735aef78b91307b), UINT64_C(0xd703e697733a1fdb)},
    {"tet-pair", UINT64_C(0x898e7fcb019559ae), UINT64_C(0xcd04ecd6a665d7ef)},
    {"tet-soup", UINT64_C(0xe248c7e36c80367f), UINT64_C(0x9dd0079c28939614)},
    {"cells", UINT64_C(0xd812be1a80587c1c), UINT64_C(0x2627d4ca5a7c9e79)},
    {"cell-pair", UINT64_C(0x675e30e048ce1322), UINT64_C(0x6049d131c3e0fd27)},
    {"spheres", UINT64_C(0x9afc055b44b6d745), UINT64_C(0xaf413be697c09826)},
    {"sphere-lattice", UINT64_C(0xf793daea124c6248), UINT64_C(0xc631c23c7271ef70)},
};

TEST(models_have_their_golden_hashes) {
  bool is_equal = true;
  for (size_t i = 0; i < model_count(); ++i) {
    const model *chosen = model_at(i);
    const uint64_t upright = model_hash(chosen, 2000, 0), seeded = model_hash(chosen, 30000, 7);
    bool is_found = false;
    for (size_t k = 0; k < sizeof golden / sizeof golden[0]; ++k)
      is_found = is_found || (strcmp(golden[k].name, chosen->name) == 0 && golden[k].upright == upright &&
                              golden[k].seeded == seeded);
    if (!is_found)
      printf("    {\"%s\", UINT64_C(0x%016llx), UINT64_C(0x%016llx)},\n", chosen->name, (unsigned long long)upright,
             (unsigned long long)seeded);
    is_equal = is_equal && is_found;
  }
  assert_true(is_equal);
}

/* The blob of 2000 triangles, filled with about 20000 tetrahedra. */
TEST(a_filling_has_its_golden_hash) {
  const model_parameters parameters = {2000, 3};
  mesh *surface, filled;
  size_t count;
  char error[256];
  if (!model_make(model_find("blob"), &parameters, &surface, &count, error, sizeof error)) fail_msg("%s", error);
  if (!lattice_fill(&surface[0], 20000, &filled, error, sizeof error)) fail_msg("%s", error);
  uint64_t hash = hash_bytes(UINT64_C(0xcbf29ce484222325), filled.positions, 3 * filled.vertex_count * sizeof(double));
  hash = hash_bytes(hash, filled.tetrahedra, 4 * filled.tetrahedron_count * sizeof(uint32_t));
  mesh_free(&filled);
  mesh_list_free(surface, count);
  if (hash != UINT64_C(0x901489f24c103285)) fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
}
