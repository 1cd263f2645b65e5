/* Messages and memory for the readers. Workload: once per file for a message, dozens of times for memory. */
#include "mesh_io/mesh_reading.h"

#include "mesh_io/mesh_name.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *reallocate_by_libc(void *context, void *memory, size_t bytes) {
  (void)context;
  if (bytes > 0) return realloc(memory, bytes);
  free(memory);
  return NULL;
}

mesh_memory mesh_memory_or_default(mesh_memory memory) {
  return memory.reallocate ? memory : (mesh_memory){NULL, reallocate_by_libc};
}

bool mesh_resize(const mesh_memory *memory, void **block, size_t elements, size_t element_bytes) {
  if (elements == 0 || elements > SIZE_MAX / element_bytes) return false;
  void *resized = memory->reallocate(memory->context, *block, elements * element_bytes);
  if (!resized) return false;
  *block = resized;
  return true;
}

void mesh_release(const mesh_memory *memory, void *block) {
  if (block) memory->reallocate(memory->context, block, 0);
}

static void write_message(const mesh_reading *reading, const char *place, const char *format, va_list values) {
  if (reading->error_bytes == 0) return;
  const mesh_shown name = mesh_shown_name(reading->file_name);
  const int used = snprintf(reading->error, reading->error_bytes, "%s%s: ", name.text, place);
  if (used < 0 || (size_t)used >= reading->error_bytes) return;
  vsnprintf(reading->error + used, reading->error_bytes - (size_t)used, format, values);
}

bool mesh_fail(const mesh_reading *reading, const char *format, ...) {
  va_list values;
  va_start(values, format);
  write_message(reading, "", format, values);
  va_end(values);
  return false;
}

size_t mesh_line_of(const mesh_reading *reading, const char *position) {
  size_t line = 1;
  const char *from = reading->bytes;
  while (from < position && (from = memchr(from, '\n', (size_t)(position - from))) != NULL) {
    line++;
    from++;
  }
  return line;
}

bool mesh_fail_at(const mesh_reading *reading, const char *position, const char *format, ...) {
  char place[24];
  snprintf(place, sizeof place, ":%zu", mesh_line_of(reading, position));
  va_list values;
  va_start(values, format);
  write_message(reading, place, format, values);
  va_end(values);
  return false;
}

mesh_quote mesh_quote_text(const char *text, size_t length) {
  enum { CHARACTERS_MAX = 40 };
  mesh_quote quote;
  size_t used = 0;
  for (; used < CHARACTERS_MAX && used < length; used++) {
    quote.text[used] = text[used] >= ' ' && text[used] <= '~' ? text[used] : '?';
  }
  quote.text[used] = '\0';
  if (used == CHARACTERS_MAX) memcpy(quote.text + used, "...", 4);
  return quote;
}

mesh_quote mesh_quote_word(const char *position) {
  return mesh_quote_text(position, strcspn(position, " \t\r\n"));
}

mesh_quote mesh_quote_number(double value) {
  mesh_quote quote;
  if (isnan(value)) {
    snprintf(quote.text, sizeof quote.text, "nan");
  } else if (isinf(value)) {
    snprintf(quote.text, sizeof quote.text, "%s", value < 0 ? "-inf" : "inf");
  } else {
    snprintf(quote.text, sizeof quote.text, "%.17g", value);
  }
  return quote;
}

static const char axis_names[3] = {'x', 'y', 'z'};

bool mesh_fail_coordinate_text(const mesh_reading *reading, const char *position, size_t vertex, int axis) {
  if (position >= reading->bytes + reading->size || *position == '\n' || *position == '#') {
    return mesh_fail_at(reading, position, "vertex %zu has %d coordinates, fewer than 3", vertex, axis);
  }
  const mesh_quote word = mesh_quote_word(position);
  return mesh_fail_at(reading, position, "vertex %zu has the %c coordinate \"%s\", which is not a finite number",
                      vertex, axis_names[axis], word.text);
}

bool mesh_fail_coordinate_binary(const mesh_reading *reading, size_t vertex, int axis, double value) {
  const mesh_quote number = mesh_quote_number(value);
  return mesh_fail(reading, "vertex %zu has the %c coordinate %s, which is not a finite number", vertex,
                   axis_names[axis], number.text);
}

bool mesh_is_radius(double radius) {
  return isfinite(radius) && radius >= 0;
}

static const char *const sphere_value_names[SPHERE_VALUES] = {"x coordinate", "y coordinate", "z coordinate", "radius"};
static const char *const sphere_value_needs[SPHERE_VALUES] = {"a finite number", "a finite number", "a finite number",
                                                              "a finite number of at least 0"};

bool mesh_fail_sphere_text(const mesh_reading *reading, const char *position, size_t length, size_t sphere, int which) {
  const mesh_quote quote = mesh_quote_text(position, length);
  return mesh_fail_at(reading, position, "sphere %zu has the %s \"%s\", which is not %s", sphere,
                      sphere_value_names[which], quote.text, sphere_value_needs[which]);
}

bool mesh_fail_sphere_binary(const mesh_reading *reading, size_t sphere, int which, double value) {
  const mesh_quote quote = mesh_quote_number(value);
  return mesh_fail(reading, "sphere %zu has the %s %s, which is not %s", sphere, sphere_value_names[which], quote.text,
                   sphere_value_needs[which]);
}

bool mesh_note_add(const mesh_reading *reading, const char *message, char **note) {
  const size_t before = *note ? strlen(*note) : 0;
  void *block = *note;
  if (!mesh_resize(&reading->memory, &block, before + strlen(message) + sizeof "; ", 1)) {
    return mesh_fail(reading, "out of memory for a note");
  }
  *note = block;
  sprintf(*note + before, "%s%s", before > 0 ? "; " : "", message);
  return true;
}

void mesh_unify_line_ends(const mesh_reading *reading) {
  if (memchr(reading->bytes, '\n', reading->size)) return;
  for (size_t i = 0; i < reading->size; i++) {
    if (reading->bytes[i] == '\r') reading->bytes[i] = '\n';
  }
}
