/* The stages that measure pairs; see contact_measures.h. */
#include "cuda/contact_measures.h"

CONTACT_STAGE_LIST(QUEUED_STAGE)

contact_variants contact_variants_of(const scene_kinds *kinds, graze_test test) {
  const bool *has = kinds->has_batch;
  const int batch_count = has[BATCH_TRIANGLES] + has[BATCH_TETRAHEDRA] + has[BATCH_SPHERES];
  contact_variants variants = {.surfaces = kinds->has_surfaces, .spheres = has[BATCH_SPHERES]};
  /* If the scene is empty, one stage still runs, to refuse a caller's pairs. */
  variants.triangles = has[BATCH_TRIANGLES] || (batch_count == 0 && !has[BATCH_OTHERS]);
  variants.tetrahedra = has[BATCH_TETRAHEDRA] && test != GRAZE_TEST_GJK;
  variants.others = has[BATCH_OTHERS] || batch_count > 1 || (has[BATCH_TETRAHEDRA] && test == GRAZE_TEST_GJK);
  return variants;
}

graze_result size_open_contacts(device_memory *held, open_contacts *buffers, size_t pairs) {
  const graze_result result = size_spare(held, &buffers->totals, sizeof(device_contact_totals));
  return result == GRAZE_OK ? size_spare(held, &buffers->open, pairs * sizeof(uint32_t)) : result;
}

void queue_triangle_measures(stage_queue *queue, const contact_view *v, const contact_variants *variants) {
  if (!variants->triangles) return;
  queue_stage(queue, contact_triangles, v);
  queue_stage(queue, contact_open_triangles, v);
}

void queue_solid_measures(stage_queue *queue, const contact_view *v, const contact_variants *variants) {
  if (variants->tetrahedra) {
    queue_stage(queue, contact_volumes, v);
    queue_stage(queue, contact_tetrahedra, v);
    queue_stage(queue, contact_open_tetrahedra, v);
  }
  if (variants->spheres) queue_stage(queue, contact_spheres, v);
  if (variants->others) queue_stage(queue, contact_others, v);
}
