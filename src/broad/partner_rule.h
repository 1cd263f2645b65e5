/* Which primitives may form a candidate with a given one, if their boxes intersect.
 *
 * Workload: tested for every two intersecting boxes, most of them of neighbors in a mesh; the corners of one primitive
 * are compared with those of many, four numbers at once. */
#ifndef GRAZE_BROAD_PARTNER_RULE_H
#define GRAZE_BROAD_PARTNER_RULE_H

#include "broad/method.h"
#include "broad/primitive_view.h"

#include <string.h>

/* Four numbers at once; gcc and clang have this on every processor. */
typedef uint32_t four_numbers __attribute__((vector_size(16)));

typedef struct partner_rule {
  uint32_t primitive, object;
  bool same_object, other_object, skip_neighbors;
  bool header_has_all; /* all corners are in the header */
  bool has_fourth;     /* it has a fourth corner, and no fifth */
  uint32_t fourth;
  uint32_t first_three[3];
  four_numbers corner[3]; /* each four times, for comparison with those of many */
} partner_rule;

/* Whether a primitive of the object may have partners at all. */
static inline bool object_has_partners(const primitive_view *view, uint32_t object) {
  return view_crosses_objects(view) || objects_meet(view, object, object);
}

/* `fourth` is the scene's number of the fourth of four corners; undefined for another number of corners. */
static inline partner_rule partner_rule_of(const primitive_view *view, const primitive_header *header,
                                           uint32_t primitive, uint32_t fourth) {
  const object_source *source = &view->sources[header->object];
  partner_rule rule = {.primitive = primitive,
                       .object = header->object,
                       .same_object = objects_meet(view, header->object, header->object),
                       .other_object = view_crosses_objects(view),
                       .skip_neighbors = view->skip_neighbors,
                       .header_has_all = headers_have_all_corners(source),
                       .has_fourth = source->corner_count == 4,
                       .fourth = fourth};
  for (int i = 0; i < 3; i++) {
    const uint32_t corner = header->corner[i];
    rule.first_three[i] = corner;
    rule.corner[i] = (four_numbers){corner, corner, corner, corner};
  }
  return rule;
}

static inline bool shares_first_corners(const partner_rule *rule, const primitive_header *header) {
  four_numbers numbers;
  memcpy(&numbers, header, sizeof numbers);
  const four_numbers equal = (four_numbers)(numbers == rule->corner[0]) | (four_numbers)(numbers == rule->corner[1]) |
                             (four_numbers)(numbers == rule->corner[2]);
  uint64_t halves[2];
  memcpy(halves, &equal, sizeof halves);
  return (halves[0] | (uint32_t)halves[1]) != 0; /* the last element is the object */
}

/* Whether the query requests pairs of the rule's primitive with the other. */
static inline bool partner_is_requested(const primitive_view *view, const partner_rule *rule,
                                        const primitive_header *other) {
  if (other->object == rule->object) return rule->same_object;
  return rule->other_object && (!view->rules_differ || objects_meet(view, rule->object, other->object));
}

/* Whether two primitives of one object, whose first three corners are all different, share another. */
static inline bool shares_further_corner(const primitive_view *view, const partner_rule *rule,
                                         const primitive_header *other, uint32_t other_primitive,
                                         uint32_t other_fourth) {
  if (!rule->has_fourth) return share_corner(&view->sources[rule->object], rule->primitive, other_primitive);
  const uint32_t a = rule->fourth, b = other_fourth;
  return a == b || a == other->corner[0] || a == other->corner[1] || a == other->corner[2] ||
         b == rule->first_three[0] || b == rule->first_three[1] || b == rule->first_three[2];
}

/* Whether the two share a corner, and neighbors are skipped. */
static inline bool partner_is_skipped(const primitive_view *view, const partner_rule *rule,
                                      const primitive_header *other, uint32_t other_primitive, uint32_t other_fourth) {
  if (!rule->skip_neighbors) return false;
  if (shares_first_corners(rule, other)) return true;
  return !rule->header_has_all && other->object == rule->object &&
         shares_further_corner(view, rule, other, other_primitive, other_fourth);
}

/* ---------------------------------------------------------------------------------------------- settled objects */

/* Which primitives a search may skip if one pair per pair of objects is enough.
 *
 * An object is settled in a box if it is known to touch every object that the query pairs it with and whose box
 * intersects that box. Its primitives in the box then have no candidate that reveals a new pair of objects.
 *
 * Workload: crowds of thousands of primitives of a few objects in one place, which have quadratically many candidates.
 * The check is linear in the objects: callers use it before they compare many more boxes. */

/* Whether the query requests a pair of the two objects that is not known yet. */
static inline bool objects_are_open(const primitive_view *view, const known_objects *known, uint32_t a, uint32_t b) {
  if (!objects_meet(view, a, b)) return false;
  return !pair_set_has(&known->pairs, index_pair_in_order(known_number(view, a), known_number(view, b)));
}

/* Whether the object is settled in the box. */
static inline bool object_is_settled(const primitive_view *view, const known_objects *known, uint32_t object,
                                     const primitive_box *box) {
  for (uint32_t other = 0; other < view->object_count; other++)
    if (boxes_meet(&view->object_boxes[other], box) && objects_are_open(view, known, object, other)) return false;
  return true;
}

#endif
