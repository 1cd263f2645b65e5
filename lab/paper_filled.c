/* Fills closed surfaces: the scan of the bunny is not closed, its remeshed version is. */
#include "lab/paper_filled.h"

#include "mesh_io/mesh_file.h"
#include "models/lattice_fill.h"

static const char *const files[PAPER_FILLED] = {"meshes/bunny_25k.obj.gz", "meshes/max-planck_10k.obj.gz"};

static bool fill(const study *at, const char *file, size_t tetrahedra, mesh *filled_out) {
  char path[4096];
  mesh *surfaces = NULL;
  size_t count = 0;
  snprintf(path, sizeof path, "%s/%s", at->settings->data, file);
  if (!mesh_file_read(path, NULL, &surfaces, &count, at->error, at->error_bytes)) return false;
  const bool good = count == 1 ? lattice_fill(&surfaces[0], tetrahedra, filled_out, at->error, at->error_bytes)
                               : study_fail(at, "the body to fill must be one surface");
  mesh_list_free(surfaces, count);
  return good;
}

bool paper_filled_make(const study *at, const size_t tetrahedra[PAPER_FILLED], mesh bodies_out[PAPER_FILLED],
                       bool *made_out) {
  for (size_t i = 0; i < PAPER_FILLED; i++) bodies_out[i] = (mesh){0};
  *made_out = at->settings->data != NULL;
  for (size_t i = 0; i < PAPER_FILLED && *made_out; i++)
    if (!fill(at, files[i], tetrahedra[i], &bodies_out[i])) return false;
  return true;
}

void paper_filled_free(mesh bodies[PAPER_FILLED]) {
  for (size_t i = 0; i < PAPER_FILLED; i++) mesh_free(&bodies[i]);
}
