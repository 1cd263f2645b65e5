/* The part of XML 1.0 that 3MF needs: tags, attributes, the five entities and character references. Tags must match, so
 * that a truncated or damaged text is not read as a shorter one. */
#include "mesh_io/xml_scanner.h"

#include "mesh_io/utf8_text.h"

#include <string.h>

xml_scanner xml_scanner_start(const mesh_reading *reading) {
  return (xml_scanner){.reading = reading, .p = reading->bytes, .end = reading->bytes + reading->size};
}

static bool refuse(xml_scanner *scanner, const char *position, const char *what) {
  scanner->has_failed = true;
  return mesh_fail_at(scanner->reading, position, "%s", what);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_blanks(xml_scanner *scanner) {
  while (is_blank(*scanner->p)) scanner->p++;
}

/* The padding is zero, which ends a name. */
static xml_span take_name(xml_scanner *scanner) {
  const char *const start = scanner->p;
  const char *p = start;
  while ((unsigned char)*p > ' ' && *p != '=' && *p != '>' && *p != '/' && *p != '<' && *p != '"' && *p != '\'') p++;
  scanner->p = p;
  return (xml_span){start, (size_t)(p - start)};
}

/* Skips a construct that ends in `mark`. */
static bool skip_past(xml_scanner *scanner, const char *mark, const char *what) {
  const size_t length = strlen(mark);
  const char *const start = scanner->p;
  for (const char *p = start; (size_t)(scanner->end - p) >= length; p++) {
    p = memchr(p, mark[0], (size_t)(scanner->end - p) - length + 1);
    if (!p) break;
    if (memcmp(p, mark, length) == 0) {
      scanner->p = p + length;
      return true;
    }
  }
  return refuse(scanner, start, what);
}

bool xml_take_attribute(xml_scanner *scanner, xml_span *name_out, xml_span *value_out) {
  if (!scanner->is_in_tag || scanner->has_failed) return false;
  skip_blanks(scanner);
  if (*scanner->p == '>' || (*scanner->p == '/' && scanner->p[1] == '>')) {
    scanner->is_in_tag = false;
    scanner->is_closing = *scanner->p == '/';
    scanner->p += scanner->is_closing ? 2 : 1;
    return false;
  }
  const char *const start = scanner->p;
  *name_out = take_name(scanner);
  skip_blanks(scanner);
  if (name_out->length == 0 || *scanner->p != '=') {
    return refuse(scanner, start, scanner->p >= scanner->end ? "the text ends inside a tag" : "a damaged tag");
  }
  scanner->p++;
  skip_blanks(scanner);
  const char quote = *scanner->p;
  if (quote != '"' && quote != '\'') return refuse(scanner, start, "an attribute whose value is not in quotes");
  const char *const value = ++scanner->p;
  const char *const close = value < scanner->end ? memchr(value, quote, (size_t)(scanner->end - value)) : NULL;
  if (!close) return refuse(scanner, start, "an unterminated attribute value");
  *value_out = (xml_span){value, (size_t)(close - value)};
  scanner->p = close + 1;
  return true;
}

static bool skip_attributes(xml_scanner *scanner) {
  xml_span name, value;
  while (xml_take_attribute(scanner, &name, &value)) continue;
  return !scanner->has_failed;
}

static bool same_span(xml_span a, xml_span b) {
  return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool close_tag(xml_scanner *scanner) {
  const char *const start = scanner->p;
  scanner->p += 2;
  const xml_span name = take_name(scanner);
  skip_blanks(scanner);
  if (scanner->depth == 0 || *scanner->p != '>' || !same_span(name, scanner->open[scanner->depth - 1])) {
    return refuse(scanner, start, "a closing tag without its opening tag");
  }
  scanner->p++;
  scanner->depth--;
  return true;
}

static bool open_tag(xml_scanner *scanner, xml_span *name_out) {
  const char *const start = scanner->p++;
  *name_out = take_name(scanner);
  if (name_out->length == 0) return refuse(scanner, start, "a damaged tag");
  if (scanner->depth == XML_NESTING_MAX) return refuse(scanner, start, "elements are nested too deeply");
  if (scanner->depth == 0 && scanner->has_element) return refuse(scanner, start, "a second root element");
  scanner->has_element = true;
  scanner->open[scanner->depth++] = *name_out;
  scanner->is_in_tag = true;
  return true;
}

static bool is_here(const xml_scanner *scanner, const char *mark) {
  return strncmp(scanner->p, mark, strlen(mark)) == 0;
}

/* Moves to the next tag, over text, comments, instructions and character data. False also at the end of the text. */
static bool find_tag(xml_scanner *scanner) {
  for (;;) {
    const char *const start = scanner->p;
    if (scanner->depth == 0) {
      skip_blanks(scanner);
      if (scanner->p < scanner->end && *scanner->p != '<')
        return refuse(scanner, start, "text outside of all elements");
    }
    const char *const tag =
        scanner->p < scanner->end ? memchr(scanner->p, '<', (size_t)(scanner->end - scanner->p)) : NULL;
    if (!tag) {
      scanner->p = scanner->end;
      return scanner->depth == 0 ? false : refuse(scanner, scanner->end, "the text ends inside an element");
    }
    scanner->p = tag;
    if (is_here(scanner, "<!--")) {
      if (!skip_past(scanner, "-->", "an unterminated comment")) return false;
    } else if (is_here(scanner, "<?")) {
      if (!skip_past(scanner, "?>", "an unterminated processing instruction")) return false;
    } else if (is_here(scanner, "<![CDATA[")) {
      if (!skip_past(scanner, "]]>", "unterminated character data")) return false;
    } else if (is_here(scanner, "<!")) {
      return refuse(scanner, tag, "a document type declaration, which is not supported");
    } else {
      return true;
    }
  }
}

bool xml_next_child(xml_scanner *scanner, size_t depth, xml_span *name_out) {
  for (;;) {
    if (scanner->has_failed || !skip_attributes(scanner)) return false;
    if (scanner->is_closing) {
      scanner->is_closing = false;
      scanner->depth--;
    } else {
      if (depth > 0 && scanner->depth < depth) return false; /* closed before */
      if (!find_tag(scanner)) return false;
      if (scanner->p[1] != '/') {
        if (!open_tag(scanner, name_out)) return false;
        if (scanner->depth == depth + 1) return true;
        continue;
      }
      if (!close_tag(scanner)) return false;
    }
    if (depth > 0 && scanner->depth < depth) return false;
  }
}

bool xml_span_is(xml_span span, const char *text) {
  return span.length == strlen(text) && memcmp(span.text, text, span.length) == 0;
}

xml_span xml_prefix(xml_span name) {
  const char *const colon = memchr(name.text, ':', name.length);
  return (xml_span){name.text, colon ? (size_t)(colon - name.text) : 0};
}

xml_span xml_local_name(xml_span name) {
  const char *const colon = memchr(name.text, ':', name.length);
  if (!colon) return name;
  return (xml_span){colon + 1, name.length - (size_t)(colon + 1 - name.text)};
}

/* ---------------------------------------------------------------------------------------------------- entities */

/* Returns the character of "&#65;" or "&#x41;", between the number sign and the semicolon; 0 if it is invalid. */
static unsigned long numbered_character(const char *p, const char *end) {
  const bool is_hex = p < end && *p == 'x';
  unsigned long character = 0;
  p += is_hex;
  if (p == end) return 0;
  for (; p < end; p++) {
    const char c = *p;
    const bool digit = c >= '0' && c <= '9', letter = is_hex && (c | 0x20) >= 'a' && (c | 0x20) <= 'f';
    if (!digit && !letter) return 0;
    character = (is_hex ? 16 : 10) * character + (unsigned long)(digit ? c - '0' : (c | 0x20) - 'a' + 10);
    if (character > 0x10FFFF) return 0;
  }
  return character >= 0xD800 && character <= 0xDFFF ? 0 : character;
}

/* Returns the character of the entity at `p`, and its end; 0 if there is none. */
static unsigned long entity(const char *p, const char *end, const char **after_out) {
  static const struct {
    const char *name;
    char character;
  } entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  enum { ENTITY_BYTES_MAX = 12 };
  for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
    const size_t length = strlen(entities[i].name);
    if ((size_t)(end - p) < length || memcmp(p, entities[i].name, length) != 0) continue;
    *after_out = p + length;
    return (unsigned long)entities[i].character;
  }
  const size_t left = (size_t)(end - p) < ENTITY_BYTES_MAX ? (size_t)(end - p) : ENTITY_BYTES_MAX;
  const char *const semicolon = memchr(p, ';', left);
  if (!semicolon || p[1] != '#') return 0;
  *after_out = semicolon + 1;
  return numbered_character(p + 2, semicolon);
}

void xml_decode(xml_span value, char *text_out, size_t room) {
  const char *p = value.text;
  const char *const end = p + value.length;
  size_t used = 0;
  while (p < end && *p) {
    char bytes[4] = {*p};
    size_t count = 1;
    const char *after = p + 1;
    const unsigned long character = *p == '&' ? entity(p, end, &after) : 0;
    if (character != 0) {
      count = utf8_write(character, bytes);
    } else {
      after = p + 1;
      count = utf8_sequence_length(p);
      if (count == 0 || count > (size_t)(end - p)) count = 1;
      memcpy(bytes, p, count);
      after = p + count;
    }
    if (used + count >= room) break;
    memcpy(text_out + used, bytes, count);
    used += count;
    p = after;
  }
  text_out[used] = '\0';
}
