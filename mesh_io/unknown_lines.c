/* The message about lines with unknown keywords. Workload: once a file, and nearly always there are none. */
#include "mesh_io/unknown_lines.h"

#include "mesh_io/number_printer.h"

#include <stdio.h>
#include <string.h>

bool unknown_lines_tell(const unknown_lines *lines, const mesh_reading *reading, char **note) {
  if (lines->count == 0) return true;
  const mesh_quote word = mesh_quote_word(lines->first);
  char place[40] = "", number[GROUPED_COUNT_BYTES], message[256];
  if (!lines->is_binary) snprintf(place, sizeof place, "line %zu, ", mesh_line_of(reading, lines->first));
  print_grouped_count(lines->count, number);
  const int length =
      lines->count == 1
          ? snprintf(message, sizeof message, "1 line with an unknown keyword was passed over: %s\"%s\"", place,
                     word.text)
          : snprintf(message, sizeof message, "%s lines with unknown keywords were passed over, the first: %s\"%s\"",
                     number, place, word.text);
  const size_t before = *note ? strlen(*note) : 0;
  void *block = *note;
  if (!mesh_resize(&reading->memory, &block, before + (size_t)length + sizeof "; ", 1)) {
    return mesh_fail(reading, "out of memory for a note");
  }
  *note = block;
  sprintf(*note + before, "%s%s", before > 0 ? "; " : "", message);
  return true;
}
