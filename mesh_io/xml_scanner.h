/* The elements and attributes of an XML text, one after another, without a tree.
 *
 * Workload: hundreds of megabytes of small elements with a few attributes each, of which nearly all are looked at.
 * Names and values are places in the text. Text between elements, comments and instructions are passed over. A document
 * type is refused, as its entities can make gigabytes of a few bytes. */
#ifndef GRAZE_XML_SCANNER_H
#define GRAZE_XML_SCANNER_H

#include "mesh_io/mesh_reading.h"

/* Nested deeper than this is refused: 3MF needs 7. */
enum { XML_NESTING_MAX = 64 };

typedef struct xml_span {
  const char *text;
  size_t length;
} xml_span;

typedef struct xml_scanner {
  const mesh_reading *reading;
  const char *p, *end;
  xml_span open[XML_NESTING_MAX]; /* names of the elements that are open */
  size_t depth;
  bool is_in_tag;   /* attributes may follow */
  bool is_closing;  /* the tag that was read is closed, too: <a/> */
  bool has_failed;  /* after a message */
  bool has_element; /* at depth 0 */
} xml_scanner;

xml_scanner xml_scanner_start(const mesh_reading *reading);

/* The next element that is directly inside the element at `depth` (0: the text), with scanner->depth one more. False
 * when that element ends, and after a failure: look at has_failed. Elements inside others that are not asked for are
 * passed over. */
bool xml_next_child(xml_scanner *scanner, size_t depth, xml_span *name_out);

/* The next attribute of the element that was just found; its value as it stands in the text. False behind the last one,
 * and after a failure. */
bool xml_take_attribute(xml_scanner *scanner, xml_span *name_out, xml_span *value_out);

bool xml_span_is(xml_span span, const char *text);

/* A name without its prefix, and the prefix, which may be empty. */
xml_span xml_local_name(xml_span name);
xml_span xml_prefix(xml_span name);

/* A value with its entities decoded, cut after `room` - 1 bytes; a zero follows. What is no entity stays as it is. */
void xml_decode(xml_span value, char *text_out, size_t room);

#endif
