/* Limits on expansion. Workload: called for each piece of a compressed file and for each placed mesh. */
#include "mesh_io/expansion_limit.h"

#include "mesh_io/number_printer.h"

uint64_t expansion_limit(const mesh_reading *reading, uint64_t taken) {
  if (reading->allow_large || taken > UINT64_MAX / MESH_EXPANSION_MAX) return UINT64_MAX;
  const uint64_t many_times = MESH_EXPANSION_MAX * taken;
  return many_times > MESH_EXPANDED_BYTES_FREE ? many_times : MESH_EXPANDED_BYTES_FREE;
}

/* Three corners, and half a vertex of three doubles, as in closed surfaces. */
enum { TRIANGLE_BYTES = 24 };

bool expansion_allows_triangles(const mesh_reading *reading, uint64_t triangles, uint64_t file_bytes) {
  if (triangles <= expansion_limit(reading, file_bytes) / TRIANGLE_BYTES) return true;
  char all[GROUPED_COUNT_BYTES], bytes[GROUPED_COUNT_BYTES];
  print_grouped_count(triangles, all);
  print_grouped_count(file_bytes, bytes);
  return mesh_fail(reading,
                   "places meshes so often that they have %s triangles or more, too many for %s bytes; --allow-large "
                   "reads the file anyway",
                   all, bytes);
}
