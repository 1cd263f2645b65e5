/* Makes two triangles, two quadrilaterals, two tetrahedra, a cube and a tetrahedron as cells, and three spheres. */
#include "io_tools.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { OFFSET = 16 };

static void *allocate(void *context, size_t bytes, size_t alignment) {
  counting_allocator *memory = context;
  if (++memory->calls == memory->fail_at || alignment > OFFSET) return NULL;
  char *block = malloc(bytes + OFFSET);
  if (block == NULL) return NULL;
  memory->live_bytes += bytes;
  return block + OFFSET;
}

static void release(void *context, void *block, size_t bytes) {
  counting_allocator *memory = context;
  memory->live_bytes -= bytes;
  free((char *)block - OFFSET);
}

void counting_allocator_start(counting_allocator *memory, size_t fail_at) {
  *memory = (counting_allocator){.fail_at = fail_at, .hooks = graze_allocator_default()};
  memory->hooks.context = memory;
  memory->hooks.allocate = allocate;
  memory->hooks.release = release;
}

static const double cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
static const float floats[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1f, 0.2f, 0.3f}};
static const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
static const int64_t tetrahedra[2][4] = {{0, 1, 2, 3}, {4, 1, 2, 3}};
static const uint32_t squares[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static const uint32_t square_starts[3] = {0, 4, 8};
static const uint32_t cell_corners[36] = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3,
                                          7, 6, 3, 0, 4, 7, 0, 2, 1, 0, 1, 4, 1, 2, 4, 2, 0, 4};
static const uint32_t cell_face_sizes[10] = {4, 4, 4, 4, 4, 4, 3, 3, 3, 3};
static const uint32_t cell_sizes[2] = {6, 4};
static const double radii[3] = {0.5, 0.25, 0};

graze_mesh_def small_mesh(graze_kind kind) {
  graze_mesh_def def = graze_mesh_def_default();
  def.name = "small";
  def.positions = (graze_view){cube, 8, 0, GRAZE_FORMAT_DOUBLE3};
  switch (kind) {
  case GRAZE_KIND_TRIANGLE:
    def.triangles = (graze_view){triangles, 2, 0, GRAZE_FORMAT_UINT32_3};
    break;
  case GRAZE_KIND_POLYGON:
    def.corners = (graze_view){squares, 8, 0, GRAZE_FORMAT_UINT32};
    def.face_starts = (graze_view){square_starts, 3, 0, GRAZE_FORMAT_UINT32};
    break;
  case GRAZE_KIND_TETRAHEDRON:
    def.positions = (graze_view){floats, 5, 0, GRAZE_FORMAT_FLOAT3};
    def.tetrahedra = (graze_view){tetrahedra, 2, 0, GRAZE_FORMAT_INT64_4};
    break;
  case GRAZE_KIND_POLYHEDRON:
    def.corners = (graze_view){cell_corners, 36, 0, GRAZE_FORMAT_UINT32};
    def.face_sizes = (graze_view){cell_face_sizes, 10, 0, GRAZE_FORMAT_UINT32};
    def.cell_sizes = (graze_view){cell_sizes, 2, 0, GRAZE_FORMAT_UINT32};
    break;
  case GRAZE_KIND_SPHERE:
    def.positions.count = 3;
    def.radii = (graze_view){radii, 3, 0, GRAZE_FORMAT_DOUBLE};
    break;
  }
  return def;
}

const char *ending_of(graze_kind kind) {
  if (kind == GRAZE_KIND_SPHERE) return ".csv";
  return kind == GRAZE_KIND_TETRAHEDRON || kind == GRAZE_KIND_POLYHEDRON ? ".vtk" : ".obj";
}

static char folder[] = "/tmp/graze_io_XXXXXX";

int enter_folder(void **state) {
  (void)state;
  return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

int leave_folder(void **state) {
  (void)state;
  DIR *list = opendir(".");
  for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
    if (entry->d_name[0] != '.') unlink(entry->d_name);
  if (list != NULL) closedir(list);
  return chdir("/") != 0 || rmdir(folder) != 0;
}
