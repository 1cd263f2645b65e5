/* Carries packings to frames, which are read one at a time. */
#include "pack_carry.h"

#include "complaint.h"
#include "frame_file.h"
#include "interruption.h"

#include "mesh_io/mesh_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 4096 };

bool pack_sphere_mesh(const graze_sphere *spheres, size_t count, mesh *spheres_out) {
  *spheres_out = (mesh){.kind = MESH_SPHERES, .vertex_count = count};
  spheres_out->name = calloc(8, 1);
  spheres_out->positions = calloc(count + 1, 3 * sizeof(double));
  spheres_out->radii = calloc(count + 1, sizeof(double));
  if (spheres_out->name == NULL || spheres_out->positions == NULL || spheres_out->radii == NULL)
    return decline("out of memory");
  strcpy(spheres_out->name, "packing");
  for (size_t i = 0; i < count; i++) {
    memcpy(spheres_out->positions + 3 * i, spheres[i].center, 3 * sizeof(double));
    spheres_out->radii[i] = spheres[i].radius;
  }
  return true;
}

/* A frame is the body with its vertices at other positions. */
static bool is_same_body(const mesh *body, const mesh *frame, const char *file) {
  if (frame->kind != MESH_TETRAHEDRA)
    complain("%s: a frame needs the tetrahedra of the body; this file has other elements", file);
  else if (frame->vertex_count != body->vertex_count)
    complain("%s: %zu vertices; the body has %zu", file, frame->vertex_count, body->vertex_count);
  else if (frame->tetrahedron_count != body->tetrahedron_count)
    complain("%s: %zu tetrahedra; the body has %zu", file, frame->tetrahedron_count, body->tetrahedron_count);
  else
    for (size_t i = 0;; i++) {
      if (i == body->tetrahedron_count) return true;
      if (memcmp(frame->tetrahedra + 4 * i, body->tetrahedra + 4 * i, 4 * sizeof *body->tetrahedra) == 0) continue;
      complain("%s: the corners of tetrahedron %zu differ from those in the body", file, i);
      break;
    }
  return false;
}

static bool write_carried(const pack_options *options, size_t number, const graze_carried *carried) {
  mesh spheres = {0};
  if (options->carried == NULL) return true;
  const bool written = pack_sphere_mesh(carried->spheres, carried->count, &spheres) &&
                       frame_file_write(options->carried, number + 1, NULL, &spheres, 1);
  mesh_free(&spheres);
  return written;
}

static bool carry_to(pack_outcome *outcome, graze_carrier *carrier, size_t number, const mesh *frame,
                     graze_carried *carried) {
  const pack_options *options = outcome->options;
  const char *file = options->frames[number];
  if (!is_same_body(outcome->tetrahedra, frame, file)) return false;
  const graze_view positions = {frame->positions, frame->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  if (graze_carrier_move(carrier, positions, carried) != GRAZE_OK) return decline("%s: %s", file, graze_error_text());
  outcome->frames[number] = (carried_frame){file, carried->gone_count, carried->sphere_volume};
  outcome->carried_count = number + 1;
  return write_carried(options, number, carried);
}

static bool carry_file(pack_outcome *outcome, graze_carrier *carrier, size_t number, graze_carried *carried,
                       progress *steps) {
  const mesh_read_options how = {.allow_large = outcome->options->allow_large, .should_stop = interruption_came};
  mesh *meshes = NULL;
  size_t mesh_count = 0;
  char message[MESSAGE_BYTES] = "";
  const char *file = outcome->options->frames[number];
  progress_reading(steps, file);
  const bool read = mesh_file_read(file, &how, &meshes, &mesh_count, message, sizeof message);
  progress_done(steps, read ? "done" : "failed");
  if (!read) {
    outcome->interrupted = interruption_came(NULL);
    if (!outcome->interrupted) complain("%s", message);
    return outcome->interrupted;
  }
  const bool done = carry_to(outcome, carrier, number, meshes, carried);
  mesh_list_free(meshes, mesh_count);
  return done;
}

bool pack_carry_frames(pack_outcome *outcome, progress *steps) {
  const pack_options *options = outcome->options;
  const mesh *body = outcome->tetrahedra;
  graze_carrier_def def = graze_carrier_def_default();
  def.positions = (graze_view){body->positions, body->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  def.tetrahedra = (graze_view){body->tetrahedra, body->tetrahedron_count, 0, GRAZE_FORMAT_UINT32_4};
  def.spheres = outcome->packing.spheres;
  def.sphere_count = outcome->packing.count;
  graze_carrier *carrier = NULL;
  graze_carried carried = {.struct_bytes = sizeof carried};
  outcome->frames = calloc(options->frame_count + 1, sizeof *outcome->frames);
  bool done = outcome->frames != NULL;
  if (!done) complain("out of memory");
  if (done && graze_carrier_create(&def, &carrier) != GRAZE_OK) {
    complain("%s: %s", options->file, graze_error_text());
    done = false;
  }
  for (size_t i = 0; done && i < options->frame_count; i++) {
    outcome->interrupted = outcome->interrupted || interruption_came(NULL);
    if (outcome->interrupted) break;
    done = carry_file(outcome, carrier, i, &carried, steps);
  }
  graze_carried_free(&carried);
  graze_carrier_destroy(carrier);
  return done;
}
