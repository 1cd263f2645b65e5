/* Rings of primitives along a mesh; see mesh_rings.h.
 *
 * b is in the first n rings of a if a corner of b is reached from the corners of a in n - 1 steps. Each step goes from
 * a vertex to all vertices of its primitives.
 *
 * Workload: pairs within one object that a query with a clearance finds; a few rings, of dozens of primitives each. */
#include "narrow/mesh_rings.h"

#include <string.h>

typedef void corner_visit(mesh_rings *rings, uint32_t vertex, uint32_t primitive);

static void count_corner(mesh_rings *rings, uint32_t vertex, uint32_t primitive) {
  (void)primitive;
  rings->first[vertex]++;
  rings->corner_count++;
}

/* In descending order, so that first[v] ends as the first place of vertex v. */
static void place_corner(mesh_rings *rings, uint32_t vertex, uint32_t primitive) {
  rings->primitives[--rings->first[vertex]] = primitive;
}

static void visit_corners(mesh_rings *rings, corner_visit *visit) {
  for (size_t object = 0; object < rings->view->object_count; object++) {
    const object_source *source = &rings->view->sources[object];
    for (uint32_t i = 0; i < source->primitive_count; i++) {
      if (element_is_removed(source, i)) continue;
      const corner_list corners = corners_of(source, source->first_primitive + i);
      for (uint32_t k = 0; k < corners.count; k++)
        visit(rings, source->first_vertex + corners.vertices[k], source->first_primitive + i);
    }
  }
}

static bool make_lanes(mesh_rings *rings, memory *heap) {
  const size_t vertices = rings->view->vertex_count;
  rings->lanes = memory_allocate(heap, rings->lane_count, sizeof *rings->lanes);
  if (rings->lanes == NULL) return false;
  memset(rings->lanes, 0, rings->lane_count * sizeof *rings->lanes);
  for (uint32_t i = 0; i < rings->lane_count; i++) {
    ring_lane *lane = &rings->lanes[i];
    lane->stamps = memory_allocate(heap, vertices, sizeof *lane->stamps);
    lane->reached = memory_allocate(heap, vertices, sizeof *lane->reached);
    if (lane->stamps == NULL || lane->reached == NULL) return false;
    memset(lane->stamps, 0, vertices * sizeof *lane->stamps);
  }
  return true;
}

bool mesh_rings_make(mesh_rings *rings, const primitive_view *view, size_t ring_count, uint32_t lane_count,
                     memory *heap) {
  *rings = (mesh_rings){.view = view, .ring_count = ring_count, .lane_count = lane_count};
  rings->first = memory_allocate(heap, view->vertex_count + 1, sizeof *rings->first);
  if (rings->first == NULL) return false;
  memset(rings->first, 0, (view->vertex_count + 1) * sizeof *rings->first);
  visit_corners(rings, count_corner);
  rings->primitives = memory_allocate(heap, rings->corner_count, sizeof *rings->primitives);
  if (rings->primitives == NULL || rings->corner_count > UINT32_MAX) return false;
  uint32_t sum = 0;
  for (size_t i = 0; i <= view->vertex_count; i++) rings->first[i] = sum += rings->first[i];
  visit_corners(rings, place_corner);
  return make_lanes(rings, heap);
}

void mesh_rings_release(mesh_rings *rings, memory *heap) {
  if (rings->view == NULL) return;
  const size_t vertices = rings->view->vertex_count;
  for (uint32_t i = 0; rings->lanes != NULL && i < rings->lane_count; i++) {
    memory_release(heap, rings->lanes[i].stamps, vertices, sizeof(uint32_t));
    memory_release(heap, rings->lanes[i].reached, vertices, sizeof(uint32_t));
  }
  memory_release(heap, rings->lanes, rings->lane_count, sizeof *rings->lanes);
  memory_release(heap, rings->primitives, rings->corner_count, sizeof *rings->primitives);
  memory_release(heap, rings->first, vertices + 1, sizeof *rings->first);
  *rings = (mesh_rings){0};
}

/* Adds the corners of a primitive that the round has not reached; returns the new count. */
static size_t reach_corners(ring_lane *lane, const object_source *source, uint32_t primitive, size_t count) {
  const corner_list corners = corners_of(source, primitive);
  for (uint32_t k = 0; k < corners.count; k++) {
    const uint32_t vertex = source->first_vertex + corners.vertices[k];
    if (lane->stamps[vertex] == lane->round) continue;
    lane->stamps[vertex] = lane->round;
    lane->reached[count++] = vertex;
  }
  return count;
}

/* Starts a new round: reaches all vertices at most ring_count - 1 steps from the primitive. */
static void reach_from(const mesh_rings *rings, ring_lane *lane, const object_source *source, uint32_t primitive) {
  if (++lane->round == 0) { /* stamps wrapped around */
    memset(lane->stamps, 0, rings->view->vertex_count * sizeof *lane->stamps);
    lane->round = 1;
  }
  lane->primitive = primitive;
  size_t next = 0, count = reach_corners(lane, source, primitive, 0);
  for (size_t step = 1; step < rings->ring_count && next < count; step++)
    for (const size_t end = count; next < end; next++) {
      const uint32_t vertex = lane->reached[next];
      for (uint32_t i = rings->first[vertex]; i < rings->first[vertex + 1]; i++)
        count = reach_corners(lane, source, rings->primitives[i], count);
    }
}

bool mesh_rings_reach(const mesh_rings *rings, uint32_t lane_number, uint32_t object, uint32_t a, uint32_t b) {
  ring_lane *lane = &rings->lanes[lane_number];
  const object_source *source = &rings->view->sources[object];
  if (lane->round == 0 || lane->primitive != a) reach_from(rings, lane, source, a);
  const corner_list corners = corners_of(source, b);
  for (uint32_t k = 0; k < corners.count; k++)
    if (lane->stamps[source->first_vertex + corners.vertices[k]] == lane->round) return true;
  return false;
}
