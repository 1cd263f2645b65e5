/* Joins meshes and measures k with graze on the selected backend. */
#include "lab/paper_crowding.h"

#include "models/mesh_object.h"

#include <stdlib.h>
#include <string.h>

static void count_all(const mesh *meshes, size_t count, mesh *all) {
  *all = (mesh){.kind = meshes[0].kind};
  for (size_t i = 0; i < count; i++) {
    all->vertex_count += meshes[i].vertex_count;
    all->triangle_count += meshes[i].triangle_count;
    all->tetrahedron_count += meshes[i].tetrahedron_count;
  }
  all->polygon_count = all->triangle_count;
}

static size_t append_corners(uint32_t *corners, size_t at, const uint32_t *from, size_t count, size_t first_vertex) {
  for (size_t i = 0; i < count; i++) corners[at + i] = from[i] + (uint32_t)first_vertex;
  return at + count;
}

/* One mesh of all; mesh_free releases it. */
static bool join(const mesh *meshes, size_t count, mesh *all) {
  count_all(meshes, count, all);
  all->positions = calloc(3 * all->vertex_count + 1, sizeof *all->positions);
  all->triangles = calloc(3 * all->triangle_count + 1, sizeof *all->triangles);
  all->tetrahedra = calloc(4 * all->tetrahedron_count + 1, sizeof *all->tetrahedra);
  if (all->positions == NULL || all->triangles == NULL || all->tetrahedra == NULL) return false;
  size_t vertex = 0, corner = 0, tetrahedron = 0;
  for (size_t i = 0; i < count; vertex += meshes[i++].vertex_count) {
    const mesh *const part = &meshes[i];
    memcpy(all->positions + 3 * vertex, part->positions, 3 * part->vertex_count * sizeof *all->positions);
    corner = append_corners(all->triangles, corner, part->triangles, 3 * part->triangle_count, vertex);
    tetrahedron = append_corners(all->tetrahedra, tetrahedron, part->tetrahedra, 4 * part->tetrahedron_count, vertex);
  }
  return true;
}

/* The neighbors of the first primitive with the largest k. */
static uint32_t neighbors_of_largest(const graze_crowding *crowding) {
  for (size_t i = 0; i < crowding->count; i++)
    if (crowding->k_of[i] == crowding->k) return crowding->neighbors_of[i];
  return 0;
}

static graze_result measure(const study *at, const mesh *all, paper_crowding *out) {
  graze_scene *scene = NULL;
  graze_object object;
  graze_crowding crowding = {0};
  graze_result result = bench_backend_scene(&at->settings->backend, at->settings->threads, NULL, &scene);
  if (result == GRAZE_OK) result = mesh_object_add(scene, all, NULL, &object);
  if (result == GRAZE_OK) result = graze_scene_update(scene);
  if (result == GRAZE_OK) result = graze_scene_measure_crowding(scene, object, &crowding);
  if (result == GRAZE_OK)
    *out = (paper_crowding){.primitives = crowding.primitive_count,
                            .k = crowding.k,
                            .mean = crowding.mean,
                            .deviation = crowding.deviation,
                            .k_neighbors = neighbors_of_largest(&crowding),
                            .height = crowding.height};
  graze_crowding_free(&crowding);
  graze_scene_destroy(scene);
  return result;
}

bool paper_crowding_measure(const study *at, const mesh *meshes, size_t count, paper_crowding *crowding) {
  mesh all;
  *crowding = (paper_crowding){0};
  if (count == 0) return true;
  const bool joined = join(meshes, count, &all) || study_fail(at, "out of memory");
  const bool measured = joined && (measure(at, &all, crowding) == GRAZE_OK || study_fail(at, graze_error_text()));
  mesh_free(&all);
  return measured;
}
