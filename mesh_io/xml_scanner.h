/* Scans the elements and attributes of an XML text in order, without a tree.
 *
 * Workload: hundreds of megabytes of small elements with a few attributes each, nearly all of which are used. Names and
 * values are views of the text. Text between elements, comments and instructions are skipped. A document type
 * declaration is refused, because its entities can expand a few bytes to gigabytes. */
#ifndef GRAZE_XML_SCANNER_H
#define GRAZE_XML_SCANNER_H

#include "mesh_io/mesh_reading.h"

/* Deeper nesting is refused: 3MF needs 7. */
enum { XML_NESTING_MAX = 64 };

typedef struct xml_span {
  const char *text;
  size_t length;
} xml_span;

typedef struct xml_scanner {
  const mesh_reading *reading;
  const char *p, *end;
  xml_span open[XML_NESTING_MAX]; /* names of the open elements */
  size_t depth;
  bool is_in_tag;   /* attributes may follow */
  bool is_closing;  /* the last tag is also closed: <a/> */
  bool has_failed;  /* after a message */
  bool has_element; /* at depth 0 */
} xml_scanner;

xml_scanner xml_scanner_start(const mesh_reading *reading);

/* Finds the next element directly inside the element at `depth` (0: the text), and increases scanner->depth by one.
 * False when that element ends, and after a failure: check has_failed. Elements inside skipped ones are skipped. */
bool xml_next_child(xml_scanner *scanner, size_t depth, xml_span *name_out);

/* Finds the next attribute of the element just found; its value is as written in the text. False after the last one,
 * and after a failure. */
bool xml_take_attribute(xml_scanner *scanner, xml_span *name_out, xml_span *value_out);

bool xml_span_is(xml_span span, const char *text);

/* Return a name without its prefix, and the prefix, which may be empty. */
xml_span xml_local_name(xml_span name);
xml_span xml_prefix(xml_span name);

/* Decodes the entities of a value, cut after `room` - 1 bytes, with a terminating zero. Invalid entities stay as they
 * are. */
void xml_decode(xml_span value, char *text_out, size_t room);

#endif
