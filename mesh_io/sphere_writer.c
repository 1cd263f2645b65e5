/* Writes spheres: CSV with the header x,y,z,radius, and PLY whose vertices have a radius. Meshes are joined. Workload:
 * packings of thousands to millions of spheres; numbers are most of the work. */
#include "mesh_io/mesh_writing.h"
#include "mesh_io/number_printer.h"

/* Writes four numbers that read back to the same bits, and a line end. */
static void write_row(const mesh_writing *w, const double values[SPHERE_VALUES], char separator) {
  char *const start = byte_sink_reserve(w->sink);
  char *p = start;
  for (int i = 0; i < SPHERE_VALUES; i++) {
    if (i > 0) *p++ = separator;
    p += print_number(values[i], p);
  }
  *p++ = '\n';
  byte_sink_advance(w->sink, (size_t)(p - start));
}

static void get_sphere(const mesh *m, size_t sphere, double values_out[SPHERE_VALUES]) {
  for (int axis = 0; axis < 3; axis++) values_out[axis] = m->positions[3 * sphere + (size_t)axis];
  values_out[SPHERE_RADIUS] = m->radii[sphere];
}

static void write_rows(const mesh_writing *w, char separator) {
  for (size_t i = 0; i < w->mesh_count; i++) {
    for (size_t j = 0; j < w->meshes[i].vertex_count; j++) {
      double values[SPHERE_VALUES];
      get_sphere(&w->meshes[i], j, values);
      write_row(w, values, separator);
    }
  }
}

static void write_binary(const mesh_writing *w) {
  for (size_t i = 0; i < w->mesh_count; i++) {
    for (size_t j = 0; j < w->meshes[i].vertex_count; j++) {
      double values[SPHERE_VALUES];
      get_sphere(&w->meshes[i], j, values);
      for (int k = 0; k < SPHERE_VALUES; k++) mesh_write_double(w, values[k], false);
    }
  }
}

static void write_comment(const mesh_writing *w, const char *begin) {
  if (w->comment == NULL) return;
  mesh_write_text(w, begin);
  mesh_write_text(w, w->comment);
  mesh_write_text(w, "\n");
}

void mesh_write_csv(const mesh_writing *w) {
  write_comment(w, "# ");
  mesh_write_text(w, "x,y,z,radius\n");
  write_rows(w, ',');
}

void mesh_write_sphere_ply(const mesh_writing *w) {
  mesh_write_text(w, w->text ? "ply\nformat ascii 1.0\n" : "ply\nformat binary_little_endian 1.0\n");
  write_comment(w, "comment ");
  mesh_write_text(w, "element vertex ");
  mesh_write_count(w, w->vertex_count,
                   "\nproperty double x\nproperty double y\nproperty double z\n"
                   "property double radius\nend_header\n");
  if (w->text) {
    write_rows(w, ' ');
  } else {
    write_binary(w);
  }
}
