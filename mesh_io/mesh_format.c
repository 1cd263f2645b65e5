/* Detects formats. Workload: once per file. Names come first, because content is ambiguous: an OBJ file may begin with
 * any comment, and a binary STL file with any 80 bytes. */
#include "mesh_io/mesh_format.h"

#include "mesh_io/mesh_name.h"
#include "mesh_io/sphere_columns.h"
#include "mesh_io/text_encoding.h"

#include <stdint.h>
#include <string.h>

mesh_format mesh_format_of_name(const char *path, bool *compressed_out) {
  size_t length = strlen(path);
  *compressed_out = mesh_name_ends_in(path, length, ".gz");
  if (*compressed_out) length -= strlen(".gz");
  if (mesh_name_ends_in(path, length, ".obj")) return MESH_FORMAT_OBJ;
  if (mesh_name_ends_in(path, length, ".ply")) return MESH_FORMAT_PLY;
  if (mesh_name_ends_in(path, length, ".stl")) return MESH_FORMAT_STL;
  if (mesh_name_ends_in(path, length, ".off")) return MESH_FORMAT_OFF;
  if (mesh_name_ends_in(path, length, ".msh")) return MESH_FORMAT_GMSH;
  if (mesh_name_ends_in(path, length, ".mesh")) return MESH_FORMAT_MEDIT;
  if (mesh_name_ends_in(path, length, ".vtk")) return MESH_FORMAT_VTK;
  if (mesh_name_ends_in(path, length, ".node") || mesh_name_ends_in(path, length, ".ele")) return MESH_FORMAT_TETGEN;
  if (mesh_name_ends_in(path, length, ".t")) return MESH_FORMAT_ROPE;
  if (mesh_name_ends_in(path, length, ".csv")) return MESH_FORMAT_CSV;
  if (mesh_name_ends_in(path, length, ".sph")) return MESH_FORMAT_SPH;
  if (mesh_name_ends_in(path, length, ".gltf") || mesh_name_ends_in(path, length, ".glb")) return MESH_FORMAT_GLTF;
  if (mesh_name_ends_in(path, length, ".3mf")) return MESH_FORMAT_3MF;
  return MESH_FORMAT_UNKNOWN;
}

bool mesh_format_is_written(mesh_format format, mesh_kind kind) {
  const bool holds_volumes = format == MESH_FORMAT_GMSH || format == MESH_FORMAT_VTK;
  const bool holds_surfaces = holds_volumes || (format >= MESH_FORMAT_OBJ && format <= MESH_FORMAT_OFF);
  if (kind == MESH_SPHERES) return format == MESH_FORMAT_CSV || format == MESH_FORMAT_PLY;
  return kind == MESH_POLYGONS ? holds_surfaces : holds_volumes;
}

bool mesh_format_has_writer(mesh_format format) {
  return mesh_format_is_written(format, MESH_POLYGONS) || mesh_format_is_written(format, MESH_SPHERES);
}

const char *mesh_formats_of_kind(mesh_kind kind) {
  switch (kind) {
  case MESH_POLYGONS:
    return MESH_FORMATS_OF_SURFACES;
  case MESH_SPHERES:
    return MESH_FORMATS_OF_SPHERES;
  case MESH_TETRAHEDRA:
  case MESH_POLYHEDRA:
    break;
  }
  return MESH_FORMATS_OF_VOLUMES;
}

static bool is_off_keyword(const char *p) {
  if (strncmp(p, "ST", 2) == 0) p += 2;
  if (*p == 'C') p++;
  if (*p == 'N') p++;
  return strncmp(p, "OFF", 3) == 0 && (unsigned char)p[3] <= ' ';
}

static bool is_binary_stl(const char *bytes, size_t size) {
  if (size < 84) return false;
  const unsigned char *b = (const unsigned char *)bytes + 80;
  const uint64_t count = (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24;
  return size == 84 + 50 * count;
}

/* Looks for a line "v " in the first 64 KiB, after comments and names of materials. */
static bool has_obj_vertex(const char *bytes, size_t size) {
  const char *end = bytes + (size < 65536 ? size : 65536);
  for (const char *p = bytes; p && p < end;) {
    if (p[0] == 'v' && (p[1] == ' ' || p[1] == '\t')) return true;
    p = memchr(p, '\n', (size_t)(end - p));
    if (p) p++;
  }
  return false;
}

mesh_format mesh_format_of_content(const char *bytes, size_t size) {
  const char *const text = bytes + byte_order_mark_bytes(bytes, size);
  if (strncmp(text, "ply", 3) == 0 && (text[3] == '\n' || text[3] == '\r')) return MESH_FORMAT_PLY;
  if (is_binary_stl(bytes, size)) return MESH_FORMAT_STL; /* any first bytes, including those of a mark */
  if (strncmp(text, "solid", 5) == 0) return MESH_FORMAT_STL;
  if (strncmp(text, "glTF\2", 5) == 0) return MESH_FORMAT_GLTF; /* binary; the text form is known only by its name */
  if (strncmp(text, "PK\3\4", 4) == 0) return MESH_FORMAT_3MF;
  if (strncmp(text, "$MeshFormat", 11) == 0) return MESH_FORMAT_GMSH;
  if (strncmp(text, "MeshVersionFormatted", 20) == 0) return MESH_FORMAT_MEDIT;
  if (strncmp(text, "# vtk DataFile", 14) == 0) return MESH_FORMAT_VTK;
  if (strncmp(text, "Vertex ", 7) == 0) return MESH_FORMAT_ROPE;
  if (strncmp(text, "sph ", 4) == 0 || strncmp(text, "# rmin rmax", 11) == 0) return MESH_FORMAT_SPH;
  if (is_sphere_header(text)) return MESH_FORMAT_CSV;
  if (is_off_keyword(text)) return MESH_FORMAT_OFF;
  if (has_obj_vertex(text, size - (size_t)(text - bytes))) return MESH_FORMAT_OBJ;
  return MESH_FORMAT_UNKNOWN;
}
