/* A recognizer of RFC 8259 by recursive descent, with one function per rule of the grammar.
 *
 * Workload: test files of at most a few megabytes. */
#include "json_validator.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 64 };

typedef struct scanner {
  const unsigned char *at, *end;
  int depth;
} scanner;

static bool value(scanner *s);

static bool take(scanner *s, char wanted) {
  if (s->at == s->end || *s->at != (unsigned char)wanted) return false;
  ++s->at;
  return true;
}

static void blanks(scanner *s) {
  while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\r' || *s->at == '\t')) ++s->at;
}

static bool word(scanner *s, const char *letters) {
  for (; *letters != '\0'; ++letters) {
    if (!take(s, *letters)) return false;
  }
  return true;
}

static bool digits(scanner *s) {
  const unsigned char *first = s->at;
  while (s->at < s->end && *s->at >= '0' && *s->at <= '9') ++s->at;
  return s->at > first;
}

static bool number(scanner *s) {
  take(s, '-');
  if (!take(s, '0') && !digits(s)) return false;
  if (take(s, '.') && !digits(s)) return false;
  if (!take(s, 'e') && !take(s, 'E')) return true;
  if (!take(s, '+')) take(s, '-');
  return digits(s);
}

static bool escape(scanner *s) {
  if (!take(s, 'u')) return s->at < s->end && strchr("\"\\/bfnrt", *s->at) != NULL && *s->at++ != '\0';
  for (int i = 0; i < 4; ++i) {
    if (s->at == s->end || strchr("0123456789abcdefABCDEF", *s->at) == NULL || *s->at == '\0') return false;
    ++s->at;
  }
  return true;
}

/* Decodes one code point and requires its shortest form, unlike the writer, which uses a table of lead bytes. */
static bool code_point(scanner *s) {
  static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned lead = *s->at++;
  if (lead < 0x80) return lead >= 0x20;
  const int length = (lead & 0xe0) == 0xc0 ? 2 : (lead & 0xf0) == 0xe0 ? 3 : (lead & 0xf8) == 0xf0 ? 4 : 0;
  unsigned long code = lead & (0x7fu >> length);
  for (int i = 1; i < length; ++i) {
    if (s->at == s->end || (*s->at & 0xc0) != 0x80) return false;
    code = code << 6 | (*s->at++ & 0x3fu);
  }
  return length != 0 && code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

static bool string(scanner *s) {
  if (!take(s, '"')) return false;
  while (s->at < s->end && *s->at != '"') {
    if (!(take(s, '\\') ? escape(s) : code_point(s))) return false;
  }
  return take(s, '"');
}

static bool member(scanner *s, bool named) {
  blanks(s);
  if (named) {
    if (!string(s)) return false;
    blanks(s);
    if (!take(s, ':')) return false;
  }
  return value(s);
}

static bool container(scanner *s, char closing) {
  blanks(s);
  if (take(s, closing)) return true;
  do {
    if (!member(s, closing == '}')) return false;
  } while (take(s, ','));
  return take(s, closing);
}

static bool value(scanner *s) {
  if (++s->depth > DEPTH_MOST) return false;
  blanks(s);
  bool good = false;
  if (s->at == s->end) return false;
  switch (*s->at) {
  case '{':
    ++s->at, good = container(s, '}');
    break;
  case '[':
    ++s->at, good = container(s, ']');
    break;
  case '"':
    good = string(s);
    break;
  case 't':
    good = word(s, "true");
    break;
  case 'f':
    good = word(s, "false");
    break;
  case 'n':
    good = word(s, "null");
    break;
  default:
    good = number(s);
    break;
  }
  blanks(s);
  --s->depth;
  return good;
}

bool json_is_valid(const char *text, size_t bytes, size_t *where_out) {
  scanner s = {.at = (const unsigned char *)text, .end = (const unsigned char *)text + bytes};
  const bool good = value(&s);
  *where_out = (size_t)(s.at - (const unsigned char *)text);
  return good && s.at == s.end;
}

char *json_member_text(const char *text, const char *key) {
  scanner s = {.at = (const unsigned char *)text, .end = (const unsigned char *)text + strlen(text)};
  blanks(&s);
  if (!take(&s, '{')) return NULL;
  do {
    blanks(&s);
    const unsigned char *name = s.at + 1;
    if (!string(&s)) return NULL;
    const size_t name_bytes = (size_t)(s.at - name) - 1;
    const bool wanted = strlen(key) == name_bytes && memcmp(key, name, name_bytes) == 0;
    blanks(&s);
    if (!take(&s, ':')) return NULL;
    blanks(&s);
    const unsigned char *first = s.at;
    if (!value(&s)) return NULL;
    if (!wanted) continue;
    const size_t bytes = (size_t)(s.at - first);
    char *copy = calloc(bytes + 1, 1);
    return copy == NULL ? NULL : memcpy(copy, first, bytes);
  } while (take(&s, ','));
  return NULL;
}
