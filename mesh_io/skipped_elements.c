/* The note about skipped elements. Workload: once per file; most files of surfaces have none, most of volumes have the
 * surfaces and lines of their boundary. */
#include "mesh_io/skipped_elements.h"

#include "mesh_io/number_printer.h"

#include <assert.h>
#include <string.h>

typedef struct note_text {
  char text[512];
  size_t length;
} note_text;

static void append(note_text *note, const char *text) {
  const size_t length = strlen(text);
  assert(note->length + length < sizeof note->text);
  memcpy(note->text + note->length, text, length + 1);
  note->length += length;
}

/* "6,266 triangles" */
static void append_amount(note_text *note, uint64_t count, element_shape shape) {
  char number[GROUPED_COUNT_BYTES];
  print_grouped_count(count, number);
  append(note, number);
  append(note, " ");
  append(note, count == 1 ? element_shape_about(shape)->one : element_shape_about(shape)->many);
}

/* "1 line, 2 quadrilaterals and 3 triangles", the smallest shapes first; nothing, and false, if all counts are zero. */
static bool append_amounts(note_text *note, const char *begin, const uint64_t counts[ELEMENT_SHAPES]) {
  size_t left = 0;
  for (int i = 0; i < ELEMENT_SHAPES; i++) left += counts[i] > 0;
  const bool any = left > 0;
  if (any) append(note, begin);
  for (int i = ELEMENT_SHAPES - 1; i >= 0; i--) {
    if (counts[i] == 0) continue;
    append_amount(note, counts[i], (element_shape)i);
    left--;
    if (left > 0) append(note, left > 1 ? ", " : " and ");
  }
  return any;
}

uint64_t skipped_elements_count(const skipped_elements *elements) {
  uint64_t count = 0;
  for (int i = 0; i < ELEMENT_SHAPES; i++) count += elements->skipped[i];
  return count;
}

bool skipped_elements_tell(const skipped_elements *elements, mesh_kind kind, const mesh_reading *reading, char **note) {
  note_text text = {.length = 0};
  const bool skipped = append_amounts(&text, "skipped ", elements->skipped);
  if (skipped && kind == MESH_TETRAHEDRA) append(&text, ": the file has tetrahedra");
  if (skipped && kind == MESH_POLYHEDRA) append(&text, ": the file has polyhedra");
  if (append_amounts(&text, skipped ? "; used only the corners of " : "used only the corners of ",
                     elements->higher_order)) {
    append(&text, " of higher order");
  }
  return text.length == 0 || mesh_note_add(reading, text.text, note);
}
