/* Tests the XML scanner: elements, attributes and entities, and invalid texts, which are rejected with their line. */
#include "mesh_io/xml_scanner.h"
#include "reading_tools.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct scanning {
  mesh_reading reading;
  char error[256];
} scanning;

static void start(scanning *s, const char *text) {
  const size_t size = strlen(text);
  *s = (scanning){.reading = {.bytes = calloc(1, size + MESH_PADDING_BYTES), .size = size, .file_name = "file"}};
  memcpy(s->reading.bytes, text, size);
  s->reading.error = s->error;
  s->reading.error_bytes = sizeof s->error;
}

/* Writes all elements with their attributes, as "depth:name a=b". */
static void write_all(xml_scanner *scanner, size_t depth, char *to, size_t room) {
  xml_span name, attribute, value;
  while (xml_next_child(scanner, depth, &name)) {
    snprintf(to + strlen(to), room - strlen(to), "%zu:%.*s", depth, (int)name.length, name.text);
    while (xml_take_attribute(scanner, &attribute, &value)) {
      snprintf(to + strlen(to), room - strlen(to), " %.*s=%.*s", (int)attribute.length, attribute.text,
               (int)value.length, value.text);
    }
    snprintf(to + strlen(to), room - strlen(to), ";");
    write_all(scanner, depth + 1, to, room);
  }
}

/* Scans a text to its end: `expected` is what write_all makes of it, or the message where it is refused. */
static void expect_scan(const char *text, const char *expected, bool refused) {
  scanning s;
  char all[256] = "";
  start(&s, text);
  xml_scanner scanner = xml_scanner_start(&s.reading);
  write_all(&scanner, 0, all, sizeof all);
  assert_int_equal(scanner.has_failed, refused);
  assert_string_equal(refused ? s.error : all, expected);
  free(s.reading.bytes);
}

TEST(elements_and_attributes) {
  static const char *const rows[][2] = {
      {"<a/>", "0:a;"},
      {"<a></a>", "0:a;"},
      {"\n<?xml version=\"1.0\"?>\n<!-- x --> <a b = 'c\"' d=\"e>/\" ></a >\n", "0:a b=c\" d=e>/;"},
      {"<a>text<b/>&amp;<c x='1'/><![CDATA[<z>]]><d><e/></d></a>", "0:a;1:b;1:c x=1;1:d;2:e;"},
      {"<m:a xmlns:m='u'><m:b m:c=''/></m:a>", "0:m:a xmlns:m=u;1:m:b m:c=;"},
      {"<a><!-- - -- > <b/> --><?p <c/> ?></a>", "0:a;"},
      {"", ""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) expect_scan(rows[i][0], rows[i][1], false);
}

/* Elements that are not requested are skipped at any depth. */
TEST(elements_are_passed_over) {
  scanning s;
  start(&s, "<a><b x='1'><c><d/></c></b><e/><f><g/></f></a>");
  xml_scanner scanner = xml_scanner_start(&s.reading);
  xml_span name;
  char all[32] = "";
  assert_true(xml_next_child(&scanner, 0, &name));
  while (xml_next_child(&scanner, 1, &name)) strncat(all, name.text, name.length);
  assert_string_equal(all, "bef");
  assert_false(xml_next_child(&scanner, 1, &name));
  assert_false(xml_next_child(&scanner, 0, &name));
  assert_false(scanner.has_failed);
  free(s.reading.bytes);
}

TEST(texts_are_refused) {
  static const char *const rows[][2] = {
      {"<a>\n<b>\n</a>", "file:3: a closing tag without its opening tag"},
      {"</a>", "file:1: a closing tag without its opening tag"},
      {"<a>", "file:1: the text ends inside an element"},
      {"<a", "file:1: the text ends inside a tag"},
      {"<a b", "file:1: the text ends inside a tag"},
      {"<a\nb=c>", "file:2: an attribute whose value is not in quotes"},
      {"<a b='c>", "file:1: an unterminated attribute value"},
      {"<a b>", "file:1: a damaged tag"},
      {"< a/>", "file:1: a damaged tag"},
      {"<a/>x", "file:1: text outside of all elements"},
      {"x<a/>", "file:1: text outside of all elements"},
      {"<a/>\n<b/>", "file:2: a second root element"},
      {"<!-- <a/>", "file:1: an unterminated comment"},
      {"<?a", "file:1: an unterminated processing instruction"},
      {"<a><![CDATA[ ]] >", "file:1: unterminated character data"},
      {"\n<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "file:2: a document type declaration, which is not supported"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) expect_scan(rows[i][0], rows[i][1], true);
}

TEST(depth_has_a_limit) {
  for (int depth = XML_NESTING_MAX; depth <= XML_NESTING_MAX + 1; depth++) {
    char text[1024] = "";
    for (int i = 0; i < depth; i++) strcat(text, "<a>");
    for (int i = 0; i < depth; i++) strcat(text, "</a>");
    scanning s;
    start(&s, text);
    xml_scanner scanner = xml_scanner_start(&s.reading);
    xml_span name;
    while (xml_next_child(&scanner, 0, &name)) continue;
    assert_int_equal(scanner.has_failed, depth > XML_NESTING_MAX);
    if (scanner.has_failed) assert_string_equal(s.error, "file:1: elements are nested too deeply");
    free(s.reading.bytes);
  }
}

TEST(entities_are_decoded) {
  static const char *const rows[][2] = {
      {"plain", "plain"},
      {"&lt;&gt;&amp;&quot;&apos;", "<>&\"'"},
      {"&#65;&#x42;&#xE9;&#x1F600;", "AB\xC3\xA9\xF0\x9F\x98\x80"},
      {"&", "&"},
      {"&unknown;", "&unknown;"},
      {"&#;&#x;&#xG;&#xD800;&#x110000;", "&#;&#x;&#xG;&#xD800;&#x110000;"},
      {"&#0;", "&#0;"},
      {"&amp;lt;", "&lt;"},
      {"&amp", "&amp"},
  };
  char text[64];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    xml_decode((xml_span){rows[i][0], strlen(rows[i][0])}, text, sizeof text);
    assert_string_equal(text, rows[i][1]);
  }
  xml_decode((xml_span){"ab&#xE9;", 8}, text, 4); /* no half of a character */
  assert_string_equal(text, "ab");
}
