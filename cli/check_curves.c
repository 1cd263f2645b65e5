/* Writes the curves of regions for other programs: OBJ with lines, grouped by regions, or PLY with edges.
 *
 * Workload: about as many points as there are pairs. */
#include "check_outcome.h"

#include "graze/names.h"

#include <inttypes.h>

/* Seventeen digits read back as the same double. */
static void write_positions(const graze_regions *regions, const char *opening, FILE *stream) {
  for (size_t i = 0; i < regions->vertex_count; i++) {
    const double *p = regions->vertices[i].position;
    fprintf(stream, "%s%.17g %.17g %.17g\n", opening, p[0], p[1], p[2]);
  }
}

static void write_obj_line(const graze_curve *curve, FILE *stream) {
  fputc('l', stream);
  for (size_t i = 0; i < curve->vertex_count; i++) fprintf(stream, " %zu", curve->first_vertex + i + 1);
  if (curve->closed != 0) fprintf(stream, " %zu", curve->first_vertex + 1);
  fputc('\n', stream);
}

static void write_obj(const graze_regions *regions, FILE *stream) {
  fprintf(stream, "# graze %s: %zu curves of %zu clashes\n", graze_version(), regions->curve_count, regions->count);
  write_positions(regions, "v ", stream);
  for (size_t i = 0; i < regions->curve_count; i++) {
    const graze_curve *curve = &regions->curves[i];
    const graze_region *region = &regions->regions[curve->region];
    const bool begins = i == 0 || curve[-1].region != curve->region || curve[-1].kind != curve->kind;
    if (begins)
      fprintf(stream, "g region_%zu_%s\n", curve->region,
              curve->kind == GRAZE_CURVE_BOUNDARY
                  ? "boundary"
                  : graze_enumeration_name(GRAZE_ENUMERATION_CLASH, (int)region->clash));
    write_obj_line(curve, stream);
  }
}

static void write_ply(const graze_regions *regions, FILE *stream) {
  size_t edge_count = 0;
  for (size_t i = 0; i < regions->curve_count; i++)
    edge_count += regions->curves[i].vertex_count - 1 + regions->curves[i].closed;
  fprintf(stream,
          "ply\nformat ascii 1.0\ncomment graze %s: %zu curves of %zu clashes; kind 0: line, 1: boundary of an area\n"
          "element vertex %zu\nproperty double x\nproperty double y\nproperty double z\n"
          "element edge %zu\nproperty int vertex1\nproperty int vertex2\nproperty int region\nproperty uchar kind\n"
          "end_header\n",
          graze_version(), regions->curve_count, regions->count, regions->vertex_count, edge_count);
  write_positions(regions, "", stream);
  for (size_t i = 0; i < regions->curve_count; i++) {
    const graze_curve *curve = &regions->curves[i];
    for (size_t j = 0; j + 1 < curve->vertex_count + curve->closed; j++)
      fprintf(stream, "%zu %zu %zu %d\n", curve->first_vertex + j, curve->first_vertex + (j + 1) % curve->vertex_count,
              curve->region, (int)curve->kind);
  }
}

void check_outcome_write_curves(const check_outcome *outcome, FILE *stream) {
  if (curves_are_ply(outcome->options))
    write_ply(&outcome->regions, stream);
  else
    write_obj(&outcome->regions, stream);
}
