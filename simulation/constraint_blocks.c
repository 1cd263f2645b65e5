/* Determines which constraints may be solved concurrently: particles in blocks, constraints by the blocks they write.
 *
 * A block is about a hundred free particles that are close together, or a stiff body, whose pose is written by each of
 * its contacts. Kinematic bodies are never written. Lengths and volumes are ordered once, contacts after every
 * search. */
#include "simulation/curve_order.h"
#include "simulation/parallel_ranges.h"
#include "simulation/simulation_parts.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_PARTICLES = 512, CONTACT_GRAIN = 4096 };

#define BLOCK_NONE UINT32_MAX

bool constraint_blocks_add(simulation *world, const simulated_body *body) {
  uint32_t *block_of = world->block_of + body->first_particle;
  if (body_keeps_shape(body)) {
    const bool moves = body->kind == BODY_STIFF;
    for (size_t i = 0; i < body->particle_count; ++i) block_of[i] = moves ? (uint32_t)world->block_count : BLOCK_NONE;
    world->block_count += moves;
    return true;
  }
  uint32_t *order = malloc((body->particle_count + 1) * sizeof *order);
  if (order == NULL) return false;
  const bool made = curve_order_make(world->positions + 3 * body->first_particle, body->particle_count, order);
  for (size_t i = 0; made && i < body->particle_count; ++i)
    block_of[order[i]] = (uint32_t)(world->block_count + i / BLOCK_PARTICLES);
  world->block_count += (body->particle_count + BLOCK_PARTICLES - 1) / BLOCK_PARTICLES;
  free(order);
  return made;
}

static item_blocks blocks_of(const simulation *world, const uint32_t *particles, size_t count) {
  const uint32_t many = (uint32_t)world->block_count;
  item_blocks blocks = {BLOCK_NONE, BLOCK_NONE};
  for (size_t i = 0; i < count; ++i) {
    const uint32_t block = world->block_of[particles[i]];
    if (block == BLOCK_NONE || block == blocks.a || block == blocks.b) continue;
    if (blocks.b != BLOCK_NONE) return (item_blocks){many, many};
    blocks.b = blocks.a;
    blocks.a = block;
  }
  if (blocks.a == BLOCK_NONE) return (item_blocks){many, many};
  if (blocks.b == BLOCK_NONE) return (item_blocks){blocks.a, blocks.a};
  return blocks.a < blocks.b ? blocks : (item_blocks){blocks.b, blocks.a};
}

static bool reserve_blocks(simulation *world, size_t count) {
  if (count <= world->item_capacity) return true;
  void *grown;
  if (!GROW(world->items, 2 * count)) return false;
  world->item_capacity = 2 * count;
  return true;
}

static bool order_lengths(simulation *world) {
  length_constraint *ordered = malloc((world->length_count + 1) * sizeof *ordered);
  bool made = ordered != NULL && reserve_blocks(world, world->length_count);
  for (size_t i = 0; made && i < world->length_count; ++i)
    world->items[i] = blocks_of(world, (const uint32_t[]){world->lengths[i].a, world->lengths[i].b}, 2);
  made = made && work_order_make(&world->length_order, world->items, world->length_count, world->block_count);
  for (size_t i = 0; made && i < world->length_count; ++i) ordered[i] = world->lengths[world->length_order.items[i]];
  if (made && world->length_count > 0) memcpy(world->lengths, ordered, world->length_count * sizeof *ordered);
  free(ordered);
  return made;
}

static bool order_volumes(simulation *world) {
  volume_constraint *ordered = malloc((world->volume_count + 1) * sizeof *ordered);
  bool made = ordered != NULL && reserve_blocks(world, world->volume_count);
  for (size_t i = 0; made && i < world->volume_count; ++i)
    world->items[i] = blocks_of(world, world->volumes[i].corners, 4);
  made = made && work_order_make(&world->volume_order, world->items, world->volume_count, world->block_count);
  for (size_t i = 0; made && i < world->volume_count; ++i) ordered[i] = world->volumes[world->volume_order.items[i]];
  if (made && world->volume_count > 0) memcpy(world->volumes, ordered, world->volume_count * sizeof *ordered);
  free(ordered);
  return made;
}

bool constraint_blocks_order(simulation *world) {
  if (world->ordered_bodies == world->body_count) return true;
  if (!order_lengths(world) || !order_volumes(world)) return false;
  world->ordered_bodies = world->body_count;
  return true;
}

static void find_contact_blocks(void *context, size_t first, size_t end) {
  simulation *world = context;
  for (size_t i = first; i < end; ++i) world->items[i] = blocks_of(world, world->near[i].particles, 4);
}

static void place_contacts(void *context, size_t first, size_t end) {
  simulation *world = context;
  for (size_t i = first; i < end; ++i) world->contacts[i] = world->near[world->contact_order.items[i]];
}

bool constraint_blocks_order_contacts(simulation *world) {
  if (world->near_count > world->contact_capacity) {
    void *grown;
    if (!GROW(world->contacts, 2 * world->near_count)) return false;
    world->contact_capacity = 2 * world->near_count;
  }
  if (!reserve_blocks(world, world->near_count)) return false;
  parallel_ranges(world->workers, world->near_count, CONTACT_GRAIN, find_contact_blocks, world);
  if (!work_order_make(&world->contact_order, world->items, world->near_count, world->block_count)) return false;
  parallel_ranges(world->workers, world->near_count, CONTACT_GRAIN, place_contacts, world);
  return true;
}
