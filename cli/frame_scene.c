/* Updates a scene from frame to frame.
 *
 * Triangles, tetrahedra and spheres persist if their elements are the same, compared index by index: equal hashes by
 * chance would give wrong pairs. Polygons are created anew in every frame because their positions determine how they
 * are cut, and polyhedra because their convexity is checked: a frame must give the result of `graze check`. */
#include "frame_scene.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool same_numbers(const uint32_t *a, const uint32_t *b, size_t count) {
  return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

static bool only_moves(const mesh *before, const mesh *now) {
  const graze_kind kind = mesh_object_kind(now);
  if (mesh_object_kind(before) != kind || before->vertex_count != now->vertex_count) return false;
  switch (kind) {
  case GRAZE_KIND_TRIANGLE:
    return before->triangle_count == now->triangle_count &&
           same_numbers(before->triangles, now->triangles, 3 * now->triangle_count);
  case GRAZE_KIND_TETRAHEDRON:
    return before->tetrahedron_count == now->tetrahedron_count &&
           same_numbers(before->tetrahedra, now->tetrahedra, 4 * now->tetrahedron_count);
  case GRAZE_KIND_SPHERE:
    return true;
  case GRAZE_KIND_POLYGON:
  case GRAZE_KIND_POLYHEDRON:
    break;
  }
  return false;
}

/* An object that shares a mesh persists while it shares the same one. */
static bool stays(const object_list *before, const object_list *now, size_t number) {
  const shared_mesh *shared = now->entries[number].shared;
  if (shared != before->entries[number].shared) return false;
  return shared != NULL || only_moves(&before->meshes[number], &now->meshes[number]);
}

static graze_result move_object(frame_scene *shown, size_t number, const object_list *frame) {
  const mesh *now = &frame->meshes[number];
  if (frame->entries[number].shared != NULL)
    return graze_object_set_pose(shown->scene, shown->objects[number], &frame->entries[number].pose);
  const graze_view positions = {now->positions, now->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  const graze_result result = graze_object_set_positions(shown->scene, shown->objects[number], 0, positions);
  if (result != GRAZE_OK || now->kind != MESH_SPHERES) return result;
  const graze_view radii = {now->radii, now->vertex_count, 0, GRAZE_FORMAT_DOUBLE};
  return graze_object_set_radii(shown->scene, shown->objects[number], 0, radii);
}

static graze_result remove_from(frame_scene *shown, size_t first) {
  graze_result result = GRAZE_OK;
  for (; result == GRAZE_OK && shown->count > first; shown->count--) {
    result = graze_scene_remove_object(shown->scene, shown->objects[shown->count - 1]);
  }
  return result;
}

static bool reserve_objects(frame_scene *shown, size_t count) {
  if (count <= shown->capacity) return true;
  graze_object *objects = realloc(shown->objects, count * sizeof *objects);
  if (objects == NULL) return false;
  shown->objects = objects;
  shown->capacity = count;
  return true;
}

/* The scene assigns the lowest free number, which is that of the object. */
static graze_result replace_object(frame_scene *shown, size_t number, const object_list *now) {
  graze_result result = GRAZE_OK;
  if (number < shown->count) result = graze_scene_remove_object(shown->scene, shown->objects[number]);
  if (result != GRAZE_OK) return result;
  result = object_list_add_to(now, number, shown->scene, &shown->objects[number]);
  if (result != GRAZE_OK) return result;
  assert(shown->objects[number].index == number);
  if (number == shown->count) shown->count++;
  return result;
}

static graze_result show_objects(frame_scene *shown, const object_list *before, const object_list *now) {
  if (!reserve_objects(shown, now->count)) return GRAZE_OUT_OF_MEMORY;
  graze_result result = shown->count > now->count ? remove_from(shown, now->count) : GRAZE_OK;
  for (size_t i = 0; result == GRAZE_OK && i < now->count; i++) {
    if (i < shown->count && stays(before, now, i)) {
      result = move_object(shown, i, now);
      shown->kept++;
    } else {
      result = replace_object(shown, i, now);
    }
  }
  return result;
}

graze_result frame_scene_show(frame_scene *shown, const object_list *before, const object_list *now) {
  assert(shown->count == 0 || shown->count == before->count);
  const graze_result result = show_objects(shown, before, now);
  if (result != GRAZE_OK) frame_scene_clear(shown);
  return result;
}

/* Iterates over the scene, not the list, which may have lost an object. */
void frame_scene_clear(frame_scene *shown) {
  for (graze_object o = {0}; (o = graze_scene_next_object(shown->scene, o)).generation != 0;) {
    (void)graze_scene_remove_object(shown->scene, o);
  }
  shown->count = 0;
}

graze_result frame_scene_exclude(frame_scene *shown, const size_t (*pairs)[2], size_t count) {
  graze_result result = GRAZE_OK;
  for (size_t i = 0; result == GRAZE_OK && i < count; i++)
    if (pairs[i][0] < shown->count && pairs[i][1] < shown->count)
      result = graze_scene_exclude(shown->scene, shown->objects[pairs[i][0]], shown->objects[pairs[i][1]], true);
  return result;
}

void frame_scene_release(frame_scene *shown) {
  graze_scene_destroy(shown->scene);
  free(shown->objects);
  *shown = (frame_scene){0};
}
