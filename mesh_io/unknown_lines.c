/* The note about lines with unknown keywords. Workload: once per file; nearly always there are none. */
#include "mesh_io/unknown_lines.h"

#include "mesh_io/number_printer.h"

#include <stdio.h>

bool unknown_lines_tell(const unknown_lines *lines, const mesh_reading *reading, char **note) {
  if (lines->count == 0) return true;
  const mesh_quote word = mesh_quote_word(lines->first);
  char place[40] = "", number[GROUPED_COUNT_BYTES], message[256];
  if (!lines->is_binary) snprintf(place, sizeof place, "line %zu, ", mesh_line_of(reading, lines->first));
  print_grouped_count(lines->count, number);
  if (lines->count == 1) {
    snprintf(message, sizeof message, "1 line with an unknown keyword was skipped: %s\"%s\"", place, word.text);
  } else {
    snprintf(message, sizeof message, "%s lines with unknown keywords were skipped, the first: %s\"%s\"", number, place,
             word.text);
  }
  return mesh_note_add(reading, message, note);
}
