/* Reads files as objects. Workload: a few files of up to tens of millions of primitives, or one file with thousands of
 * groups; meshes are moved from the reader's list, not copied. */
#include "object_list.h"

#include "complaint.h"
#include "interruption.h"
#include "mesh_components.h"
#include "row_growth.h"

#include "mesh_io/mesh.h"
#include "mesh_io/mesh_file.h"
#include "mesh_io/weld.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READER_MESSAGE_BYTES = 4096, WORDS_BYTES = 256 };

static bool reserve_entries(object_list *objects, size_t more) {
  size_t capacity = objects->capacity; /* of both */
  return rows_reserve(&objects->entries, &capacity, objects->count, more, sizeof *objects->entries) &&
         rows_reserve(&objects->meshes, &objects->capacity, objects->count, more, sizeof *objects->meshes);
}

/* Takes over the mesh and leaves a zeroed one. */
static void append_mesh(object_list *objects, const char *file, mesh *taken) {
  objects->entries[objects->count] = (object_entry){.file = file,
                                                    .name = taken->name,
                                                    .kind = mesh_object_kind(taken),
                                                    .vertex_count = taken->vertex_count,
                                                    .primitive_count = mesh_element_count(taken),
                                                    .skipped = taken->skipped,
                                                    .unknown_lines = taken->unknown_lines};
  taken->name = NULL;
  objects->meshes[objects->count] = *taken;
  *taken = (mesh){0};
  objects->count++;
}

/* A view of the objects from `first` on; owns nothing. */
static object_list part_of_list(const object_list *objects, size_t first) {
  if (first == objects->count) return (object_list){.separate = objects->separate};
  return (object_list){.entries = objects->entries + first,
                       .meshes = objects->meshes + first,
                       .count = objects->count - first,
                       .separate = objects->separate};
}

/* Notes things that change the meaning of the result and are not visible in it. */
static void remark_oddities(const object_list *read, const char *file) {
  for (size_t i = 0; i < read->count; i++) {
    if (read->meshes[i].note != NULL) remark("%s: %s", file, read->meshes[i].note);
  }
}

/* Names a mesh that is its only component. */
static bool name_only_part(const char *file, mesh *whole) {
  const size_t bytes = strlen(file) + sizeof "#0";
  char *name = malloc(bytes);
  if (name == NULL) return false;
  snprintf(name, bytes, "%s#0", file);
  free(whole->name);
  whole->name = name;
  return true;
}

/* Replaces the mesh of a file by its components. Spheres, and a mesh without elements, stay whole. */
static bool split_mesh(const char *file, mesh **meshes, size_t *mesh_count) {
  mesh *whole = *meshes;
  if (*mesh_count != 1) return true;
  if (whole->kind == MESH_SPHERES || mesh_element_count(whole) == 0) return name_only_part(file, whole);
  mesh *parts;
  size_t part_count;
  if (!mesh_components_make(whole, file, &parts, &part_count)) return false;
  parts[0].note = whole->note;
  whole->note = NULL;
  mesh_list_free(whole, *mesh_count);
  *meshes = parts;
  *mesh_count = part_count;
  return true;
}

/* Merges the vertices of a mesh at the same place. Workload: once per file, all its vertices. */

static void rename_corners(uint32_t *corners, size_t count, const uint32_t *welded) {
  for (size_t i = 0; corners != NULL && i < count; i++) corners[i] = welded[corners[i]];
}

/* Elements then refer to the first vertex at each place; the others stay, unused. Spheres do not change. False when out
 * of memory. */
static bool mesh_weld(mesh *joined) {
  if (joined->kind == MESH_SPHERES || joined->vertex_count == 0) return true;
  uint32_t *welded = malloc(joined->vertex_count * sizeof *welded);
  const bool done = welded != NULL && weld_positions(joined->positions, joined->vertex_count, welded);
  if (done) {
    if (joined->polygon_first != NULL)
      rename_corners(joined->corners, joined->polygon_first[joined->polygon_count], welded);
    rename_corners(joined->triangles, 3 * joined->triangle_count, welded);
    rename_corners(joined->tetrahedra, 4 * joined->tetrahedron_count, welded);
    if (joined->face_first != NULL)
      rename_corners(joined->face_corners, joined->face_first[joined->face_count], welded);
  }
  free(welded);
  return done;
}

bool object_list_read(object_list *objects, const char *file, progress *steps) {
  const mesh_read_options how = {.separate = objects->separate,
                                 .allow_large = objects->allow_large,
                                 .only_regular = objects->only_regular,
                                 .should_stop = interruption_came};
  mesh *meshes = NULL;
  size_t mesh_count = 0;
  char message[READER_MESSAGE_BYTES] = "";
  progress_reading(steps, file);
  if (!mesh_file_read(file, &how, &meshes, &mesh_count, message, sizeof message)) {
    progress_done(steps, "failed");
    return decline("%s", message);
  }
  const size_t first = objects->count;
  bool welded = true;
  for (size_t i = 0; objects->weld && welded && i < mesh_count; i++) welded = mesh_weld(&meshes[i]);
  const bool reserved = welded && (!objects->components || split_mesh(file, &meshes, &mesh_count)) &&
                        reserve_entries(objects, mesh_count);
  for (size_t i = 0; reserved && i < mesh_count; i++) append_mesh(objects, file, &meshes[i]);
  mesh_list_free(meshes, mesh_count);
  const object_list read = part_of_list(objects, first);
  progress_done(steps, reserved ? object_list_amount(&read).text : "failed");
  if (!reserved) return decline("%s: out of memory", file);
  if (!steps->quiet) remark_oddities(&read, file);
  return true;
}

/* Copies an array; an absent one has no copy. False when out of memory. */
static bool copy_array(void *copy, const void *array, size_t count, size_t bytes) {
  void *made = array == NULL || count == 0 ? NULL : malloc(count * bytes);
  if (made != NULL) memcpy(made, array, count * bytes);
  memcpy(copy, &made, sizeof made);
  return made != NULL || array == NULL || count == 0;
}

/* Meshes of triangles have no list of corners. */
static bool copy_polygons(const mesh *from, mesh *copy) {
  const size_t count = from->polygon_count, corners = from->polygon_first == NULL ? 0 : from->polygon_first[count];
  return copy_array(&copy->polygon_first, from->polygon_first, count + 1, sizeof(uint32_t)) &&
         copy_array(&copy->corners, from->corners, corners, sizeof(uint32_t)) &&
         copy_array(&copy->triangles, from->triangles, 3 * from->triangle_count, sizeof(uint32_t)) &&
         copy_array(&copy->triangle_polygon, from->triangle_polygon, from->triangle_count, sizeof(uint32_t));
}

static bool copy_cells(const mesh *from, mesh *copy) {
  const size_t corners = from->face_first == NULL ? 0 : from->face_first[from->face_count];
  return copy_array(&copy->cell_first, from->cell_first, from->cell_count + 1, sizeof(uint32_t)) &&
         copy_array(&copy->face_first, from->face_first, from->face_count + 1, sizeof(uint32_t)) &&
         copy_array(&copy->face_corners, from->face_corners, corners, sizeof(uint32_t));
}

static bool copy_mesh(const mesh *from, mesh *copy) {
  *copy = (mesh){.kind = from->kind,
                 .vertex_count = from->vertex_count,
                 .polygon_count = from->polygon_count,
                 .triangle_count = from->triangle_count,
                 .tetrahedron_count = from->tetrahedron_count,
                 .cell_count = from->cell_count,
                 .face_count = from->face_count};
  const size_t radii = from->kind == MESH_SPHERES ? from->vertex_count : 0;
  copy->name = strdup(from->name);
  return copy->name != NULL && copy_array(&copy->positions, from->positions, 3 * from->vertex_count, sizeof(double)) &&
         copy_array(&copy->radii, from->radii, radii, sizeof(double)) && copy_polygons(from, copy) &&
         copy_array(&copy->tetrahedra, from->tetrahedra, 4 * from->tetrahedron_count, sizeof(uint32_t)) &&
         copy_cells(from, copy);
}

bool object_list_copy(object_list *objects, const char *file, const mesh *meshes, size_t mesh_count) {
  bool complete = reserve_entries(objects, mesh_count);
  for (size_t i = 0; complete && i < mesh_count; i++) {
    mesh copy;
    complete = copy_mesh(&meshes[i], &copy);
    if (complete) append_mesh(objects, file, &copy);
    mesh_free(&copy);
  }
  if (!complete) complain("%s: out of memory", file);
  return complete;
}

bool object_list_note(object_list *objects, const char *file, graze_kind kind, size_t primitive_count,
                      size_t vertex_count) {
  const char *folder_end = strrchr(file, '/');
  mesh empty = {.name = strdup(folder_end != NULL ? folder_end + 1 : file)}; /* as readers name a mesh */
  if (empty.name == NULL || !reserve_entries(objects, 1)) {
    free(empty.name);
    return false;
  }
  object_entry *entry = &objects->entries[objects->count];
  append_mesh(objects, file, &empty);
  entry->kind = kind;
  entry->primitive_count = primitive_count;
  entry->vertex_count = vertex_count;
  return true;
}

static bool has_object(const object_list *objects, uint64_t object, const char *words) {
  if (object < objects->count) return true;
  if (objects->count == 0) {
    complain("%s: there is no object to move", words);
  } else if (objects->count == 1) {
    complain("%s: there is no object %" PRIu64 "; the only one is 0", words, object);
  } else {
    complain("%s: there is no object %" PRIu64 "; they are numbered 0 to %zu", words, object, objects->count - 1);
  }
  return false;
}

/* ---------------------------------------------------------------------------------------------- shared meshes */

bool object_list_share(object_list *objects, const char *name, const char *path, shared_mesh *shared) {
  mesh borrowed = shared->mesh;
  borrowed.name = strdup(name);
  borrowed.note = NULL;
  if (borrowed.name == NULL || !reserve_entries(objects, 1)) {
    free(borrowed.name);
    return decline("%s: out of memory", path);
  }
  object_entry *entry = &objects->entries[objects->count];
  append_mesh(objects, name, &borrowed);
  entry->path = path;
  entry->shared = shared;
  entry->pose = graze_pose_identity();
  return true;
}

graze_result object_list_add_to(const object_list *objects, size_t object, graze_scene *scene,
                                graze_object *object_out) {
  const object_entry *entry = &objects->entries[object];
  if (entry->shared == NULL) return mesh_object_add(scene, &objects->meshes[object], entry->file, object_out);
  return shared_mesh_add(entry->shared, scene, entry->file, &entry->pose, object_out);
}

void object_list_fetch_vertex(const object_list *objects, size_t object, size_t vertex, double position_out[3]) {
  const object_entry *entry = &objects->entries[object];
  const double *position = objects->meshes[object].positions + 3 * vertex;
  memcpy(position_out, position, 3 * sizeof *position);
  if (entry->shared == NULL) return;
  const placement placed = placement_of_pose(&entry->pose);
  (void)placement_apply_positions(&placed, position, 1, position_out, &vertex);
}

double *object_list_placed_positions(const object_list *objects, size_t object) {
  const object_entry *entry = &objects->entries[object];
  const mesh *part = &objects->meshes[object];
  const placement placed = entry->shared != NULL ? placement_of_pose(&entry->pose) : placement_identity();
  double *positions = malloc((3 * part->vertex_count + 1) * sizeof *positions);
  size_t vertex;
  /* The library has already refused poses that leave the range. */
  if (positions != NULL)
    (void)placement_apply_positions(&placed, part->positions, part->vertex_count, positions, &vertex);
  return positions;
}

/* A placement that is not a rigid motion gives the object its own mesh. The whole placement is then still to be
 * applied, and is returned in `by`. False when out of memory. */
static bool place_shared(object_list *objects, size_t object, placement *by) {
  object_entry *entry = &objects->entries[object];
  const placement before = placement_of_pose(&entry->pose);
  mesh copy;
  *by = placement_after(by, &before);
  if (placement_is_rigid(by, &entry->pose)) return true;
  objects->meshes[object].name = entry->name;
  const bool copied = copy_mesh(&objects->meshes[object], &copy);
  free(copy.name);
  copy.name = NULL;
  objects->meshes[object] = copy;
  entry->shared = NULL;
  return copied;
}

bool object_list_place(object_list *objects, size_t object, const placement *by, const char *words) {
  size_t vertex = 0;
  const char *file = objects->entries[object].file;
  placement rest = *by;
  if (objects->entries[object].shared != NULL) {
    if (!place_shared(objects, object, &rest)) return decline("%s: out of memory", words);
    if (objects->entries[object].shared != NULL) return true;
  }
  switch (placement_apply(&rest, &objects->meshes[object], &vertex)) {
  case PLACEMENT_DONE:
    return true;
  case PLACEMENT_LEAVES_RANGE:
    complain("%s: vertex %zu of object %zu (%s) exceeds the range of double precision", words, vertex, object, file);
    break;
  case PLACEMENT_BENDS_SPHERES:
    complain("%s: object %zu (%s) has spheres, which can only be scaled uniformly", words, object, file);
    break;
  }
  return false;
}

bool object_list_shift(object_list *objects, const shift *by) {
  char words[WORDS_BYTES];
  placement placed = placement_identity();
  snprintf(words, sizeof words, "--move %s", by->text);
  for (int axis = 0; axis < 3; axis++) placed.rows[axis][3] = by->by[axis];
  return has_object(objects, by->object, words) && object_list_place(objects, (size_t)by->object, &placed, words);
}

bool object_list_rotate(object_list *objects, const rotation *by) {
  char words[WORDS_BYTES];
  const placement placed =
      by->has_axis ? placement_about_axis(by->values, by->values[3]) : placement_about_xyz(by->values);
  snprintf(words, sizeof words, "--rotate %s", by->text);
  return has_object(objects, by->object, words) && object_list_place(objects, (size_t)by->object, &placed, words);
}

bool object_list_move(object_list *objects, const object_moves *moves) {
  bool moved = true;
  for (size_t i = 0; moved && i < moves->rotation_count; i++) moved = object_list_rotate(objects, &moves->rotations[i]);
  for (size_t i = 0; moved && i < moves->shift_count; i++) moved = object_list_shift(objects, &moves->shifts[i]);
  return moved;
}

uint64_t object_list_primitive_count(const object_list *objects) {
  uint64_t sum = 0;
  for (size_t i = 0; i < objects->count; i++) sum += objects->entries[i].primitive_count;
  return sum;
}

uint64_t object_list_skipped_count(const object_list *objects) {
  uint64_t sum = 0;
  for (size_t i = 0; i < objects->count; i++)
    if (i == 0 || objects->entries[i].file != objects->entries[i - 1].file) sum += objects->entries[i].skipped;
  return sum;
}

/* Empty objects have a kind only by their file, so they are ignored if others are not empty. */
primitive_words object_list_words(const object_list *objects) {
  const object_entry *chosen = NULL;
  for (size_t i = 0; i < objects->count; i++) {
    const object_entry *entry = &objects->entries[i];
    if (entry->primitive_count == 0) continue;
    if (chosen != NULL && entry->kind != chosen->kind) return (primitive_words){"primitive", "primitives"};
    chosen = entry;
  }
  if (chosen == NULL && objects->count > 0) chosen = &objects->entries[0];
  const graze_kind kind = chosen == NULL ? GRAZE_KIND_TRIANGLE : chosen->kind;
  return (primitive_words){graze_kind_text(kind, 1), graze_kind_text(kind, 2)};
}

plain_words object_list_amount(const object_list *objects) {
  const primitive_words words = object_list_words(objects);
  return counted_as(object_list_primitive_count(objects), words.one, words.many);
}

size_t object_list_solid_count(const object_list *objects) {
  size_t count = 0;
  for (size_t i = 0; i < objects->count; i++) {
    const object_entry *entry = &objects->entries[i];
    count += graze_kind_is_solid(entry->kind) && entry->primitive_count > 0;
  }
  return count;
}

void object_list_write_label(const object_list *objects, size_t object, FILE *stream) {
  const object_entry *entry = &objects->entries[object];
  write_harmless(stream, objects->components ? entry->name : entry->file);
  if (!objects->separate) return;
  fputc('[', stream);
  write_harmless(stream, entry->name);
  fputc(']', stream);
}

char *object_list_label(const object_list *objects, size_t object) {
  const object_entry *entry = &objects->entries[object];
  if (!objects->separate) return strdup(objects->components ? entry->name : entry->file);
  const size_t bytes = strlen(entry->file) + strlen(entry->name) + 3;
  char *label = malloc(bytes);
  if (label != NULL) snprintf(label, bytes, "%s[%s]", entry->file, entry->name);
  return label;
}

static int column_count(const char *text) {
  int count = 0;
  for (; *text != '\0'; text++) count += ((unsigned char)*text & 0xc0) != 0x80;
  return count;
}

int object_list_label_width(const object_list *objects, size_t object) {
  const object_entry *entry = &objects->entries[object];
  if (objects->components) return column_count(entry->name);
  return column_count(entry->file) + (objects->separate ? column_count(entry->name) + 2 : 0);
}

void object_list_release_meshes(object_list *objects) {
  for (size_t i = 0; i < objects->count; i++) {
    if (objects->entries[i].shared != NULL) objects->meshes[i] = (mesh){0};
    mesh_free(&objects->meshes[i]);
  }
}

void object_list_release(object_list *objects) {
  object_list_release_meshes(objects);
  for (size_t i = 0; i < objects->count; i++) free(objects->entries[i].name);
  free(objects->entries);
  free(objects->meshes);
  *objects = (object_list){0};
}

bool object_entry_find_file(const void *entry, void *text_out) {
  const object_entry *of = entry;
  *(const char **)text_out = of->path != NULL ? of->path : of->file;
  return true;
}

bool object_entry_find_kind(const void *entry, void *text_out) {
  *(const char **)text_out = graze_kind_text(((const object_entry *)entry)->kind, 1);
  return true;
}
