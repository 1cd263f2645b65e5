/* Reads 3MF (3MF Consortium, "3D Manufacturing Format, core specification", 1.3.0, 2021): a ZIP archive with a model
 * part in XML. The items of the build place objects, by the transforms of items and components.
 *
 * Workload: one mesh of up to millions of triangles, or a plate of dozens. A hostile file places objects that place
 * objects, each twice: 64 levels would give more triangles than memory. So every object is weighed first, once, and
 * nothing is placed before the sum is known. Numbers do not depend on the unit that the file states. */
#include "mesh_io/expansion_limit.h"
#include "mesh_io/mesh_builder.h"
#include "mesh_io/text_encoding.h"
#include "mesh_io/threemf_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Deeper nesting of components is refused: no file needs it, and the reader recurses for each level. */
enum { HEIGHT_MAX = 64 };

typedef struct threemf_file {
  const mesh_reading *reading;
  zip_archive archive;
  threemf_model model;
  mesh_builder builder;
} threemf_file;

/* ---------------------------------------------------------------------------------------------------- parts */

/* The text of a part, with a name for messages: "FILE: PART". */
static bool open_part(threemf_file *file, const zip_entry *entry, mesh_reading *text_out) {
  const mesh_reading *reading = file->reading;
  void *block = NULL;
  const mesh_quote part = mesh_quote_text(entry->name, entry->name_length);
  const size_t bytes = strlen(reading->file_name) + strlen(": ") + strlen(part.text) + 1;
  *text_out = *reading;
  if (!mesh_resize(&reading->memory, &block, bytes, 1)) return mesh_fail(reading, "out of memory for a name");
  if (!zip_archive_extract(&file->archive, entry, &text_out->bytes, &text_out->size)) {
    mesh_release(&reading->memory, block);
    return false;
  }
  snprintf(block, bytes, "%s: %s", reading->file_name, part.text);
  text_out->file_name = block;
  return true;
}

static void close_part(mesh_reading *text) {
  mesh_release(&text->memory, text->bytes);
  mesh_release(&text->memory, (void *)text->file_name);
}

static bool ends_in(xml_span span, const char *end) {
  const size_t length = strlen(end);
  return span.length >= length && memcmp(span.text + span.length - length, end, length) == 0;
}

/* The first relationship to a 3D model becomes part 0. */
static bool read_relationships(threemf_file *file, const mesh_reading *relationships) {
  mesh_reading text;
  if (!text_encoding_start(relationships, &text)) return false;
  xml_scanner scanner = xml_scanner_start(&text);
  xml_span name, attribute, value;
  if (!xml_next_child(&scanner, 0, &name)) return !scanner.has_failed;
  while (xml_next_child(&scanner, 1, &name)) {
    xml_span type = {"", 0}, target = {"", 0};
    while (xml_take_attribute(&scanner, &attribute, &value)) {
      if (xml_span_is(attribute, "Type")) type = value;
      if (xml_span_is(attribute, "Target")) target = value;
    }
    if (scanner.has_failed || !ends_in(type, "/3dmodel")) continue;
    size_t part;
    return threemf_model_add_part(&file->model, &text, target, &part);
  }
  return !scanner.has_failed;
}

static bool find_first_part(threemf_file *file) {
  static const char relationships[] = "_rels/.rels", usual[] = "3D/3dmodel.model";
  const zip_entry *entry = zip_archive_find(&file->archive, relationships, sizeof relationships - 1);
  if (entry) {
    mesh_reading text;
    if (!open_part(file, entry, &text)) return false;
    const bool done = read_relationships(file, &text);
    close_part(&text);
    if (!done) return false;
  }
  size_t part;
  return file->model.part_count > 0 ||
         threemf_model_add_part(&file->model, file->reading, (xml_span){usual, sizeof usual - 1}, &part);
}

/* Parts name further parts, which are appended. */
static bool read_parts(threemf_file *file) {
  for (size_t i = 0; i < file->model.part_count; i++) {
    mesh_reading text;
    if (!open_part(file, file->model.parts[i], &text)) return false;
    const bool done = threemf_model_read_part(&file->model, &text, i);
    close_part(&text);
    if (!done) return false;
  }
  return true;
}

/* ---------------------------------------------------------------------------------------------------- objects */

static int compare_references(const void *a, const void *b) {
  const threemf_reference *x = a, *y = b;
  if (x->part != y->part) return x->part < y->part ? -1 : 1;
  return (x->id > y->id) - (x->id < y->id);
}

static int compare_objects(const void *a, const void *b) {
  return compare_references(&((const threemf_object *)a)->self, &((const threemf_object *)b)->self);
}

/* "object 3 of 3D/3dmodel.model". */
typedef struct object_name {
  char text[96];
} object_name;

static object_name name_object(const threemf_file *file, threemf_reference object) {
  object_name name;
  const zip_entry *part = file->model.parts[object.part];
  snprintf(name.text, sizeof name.text, "object %lu of %s", (unsigned long)object.id,
           mesh_quote_text(part->name, part->name_length).text);
  return name;
}

static bool sort_objects(threemf_file *file) {
  threemf_model *const model = &file->model;
  if (model->object_count == 0) return true;
  qsort(model->objects, model->object_count, sizeof *model->objects, compare_objects);
  for (size_t i = 1; i < model->object_count; i++) {
    if (compare_objects(&model->objects[i - 1], &model->objects[i]) != 0) continue;
    return mesh_fail(file->reading, "%s is defined twice", name_object(file, model->objects[i].self).text);
  }
  return true;
}

static threemf_object *find_object(const threemf_file *file, threemf_reference object) {
  const threemf_object key = {.self = object};
  threemf_object *found = NULL;
  if (file->model.object_count > 0) {
    found = bsearch(&key, file->model.objects, file->model.object_count, sizeof key, compare_objects);
  }
  if (!found) mesh_fail(file->reading, "%s is placed but not defined", name_object(file, object).text);
  return found;
}

static uint64_t add_weights(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Weighs each object once. Components that place nothing are removed, so that later traversals visit only what is
 * placed. */
static bool weigh(threemf_file *file, threemf_object *object, unsigned depth) {
  if (object->height > 0) return true;
  if (object->is_open) {
    return mesh_fail(file->reading, "%s is a component of itself", name_object(file, object->self).text);
  }
  object->is_open = true;
  uint64_t weight = 0;
  if (object->triangle_count > 0) {
    weight = object->triangle_count > object->vertex_count ? object->triangle_count : object->vertex_count;
  }
  unsigned height = 1;
  size_t kept = 0;
  /* A file without components has no such array, and NULL + 0 is undefined. */
  threemf_placing *const components = object->placing_count > 0 ? file->model.components + object->first_placing : NULL;
  for (size_t i = 0; i < object->placing_count; i++) {
    threemf_object *const inner = find_object(file, components[i].object);
    if (!inner) return false;
    if (depth < HEIGHT_MAX && !weigh(file, inner, depth + 1)) return false;
    if (depth == HEIGHT_MAX || inner->height >= HEIGHT_MAX) {
      return mesh_fail(file->reading, "%s has components nested deeper than %d levels",
                       name_object(file, object->self).text, HEIGHT_MAX);
    }
    if (inner->height >= height) height = inner->height + 1;
    weight = add_weights(weight, inner->weight);
    if (inner->weight > 0) components[kept++] = components[i];
  }
  object->placing_count = kept;
  object->weight = weight;
  object->height = height;
  object->is_open = false;
  return true;
}

/* ---------------------------------------------------------------------------------------------------- placing */

static bool place_vertices(threemf_file *file, const threemf_object *object, const affine *map) {
  for (size_t i = 0; i < object->vertex_count; i++) {
    double position[3];
    affine_apply(map, file->model.vertices + 3 * (object->first_vertex + i), position);
    for (int axis = 0; axis < 3; axis++) {
      if (isfinite(position[axis])) continue;
      return mesh_fail(file->reading,
                       "vertex %zu of %s is placed at the %c coordinate %s, which is not a finite number", i,
                       name_object(file, object->self).text, "xyz"[axis], mesh_quote_number(position[axis]).text);
    }
    if (!mesh_builder_add_vertex(&file->builder, position[0], position[1], position[2])) return false;
  }
  return true;
}

static bool place_mesh(threemf_file *file, const threemf_object *object, const affine *map) {
  const size_t first = file->builder.m.vertex_count;
  const char *const name = object->name ? file->model.names + object->name : "";
  const int second = affine_is_mirror(map) ? 2 : 1; /* the orientation of a mirrored surface is reversed */
  if (!mesh_builder_start_part(&file->builder, name) || !place_vertices(file, object, map)) return false;
  for (size_t i = 0; i < object->triangle_count; i++) {
    const uint32_t *const triangle = file->model.triangles + 3 * (object->first_triangle + i);
    if (!mesh_builder_add_triangle(&file->builder, (uint32_t)(first + triangle[0]),
                                   (uint32_t)(first + triangle[second]), (uint32_t)(first + triangle[3 - second]))) {
      return false;
    }
  }
  return true;
}

static bool place(threemf_file *file, const threemf_object *object, const affine *map) {
  if (object->triangle_count > 0 && !place_mesh(file, object, map)) return false;
  for (size_t i = 0; i < object->placing_count; i++) {
    const threemf_placing *component = &file->model.components[object->first_placing + i];
    const threemf_object *inner = find_object(file, component->object);
    const affine both = affine_compose(map, &component->map);
    if (!inner || !place(file, inner, &both)) return false;
  }
  return true;
}

static bool place_items(threemf_file *file) {
  const threemf_model *model = &file->model;
  uint64_t weight = 0;
  if (model->item_count == 0) return mesh_fail(file->reading, "the build has no items: nothing is placed");
  for (size_t i = 0; i < model->item_count; i++) {
    threemf_object *object = find_object(file, model->items[i].object);
    if (!object || !weigh(file, object, 1)) return false;
    weight = add_weights(weight, object->weight);
  }
  if (!expansion_allows_triangles(file->reading, weight, file->reading->size + file->archive.extracted_bytes)) {
    return false;
  }
  for (size_t i = 0; i < model->item_count; i++) {
    const threemf_object *object = find_object(file, model->items[i].object);
    if (!object || !place(file, object, &model->items[i].map)) return false;
  }
  return true;
}

bool mesh_read_3mf(const mesh_reading *reading, mesh **meshes_out, size_t *mesh_count_out) {
  threemf_file file = {.reading = reading};
  mesh_builder_start(&file.builder, reading);
  file.model.archive = &file.archive;
  const bool done = zip_archive_open(reading, &file.archive) && find_first_part(&file) && read_parts(&file) &&
                    sort_objects(&file) && place_items(&file);
  threemf_model_free(&file.model);
  zip_archive_free(&file.archive);
  if (done) return mesh_builder_finish(&file.builder, meshes_out, mesh_count_out);
  mesh_builder_free(&file.builder);
  return false;
}
