/* Tests the JSON reader: accepted texts have the correct values, rejected texts a line and a message, and an
 * independent check of the grammar rejects no accepted text. */
#include "json_validator.h"
#include "mesh_io/json_reader.h"
#include "testing.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char sample[] =
    "{\"name\": \"a\\u00e9\\ud83d\\ude00\\n\\\"\\\\/\", \"list\": [1, -0.5e+2, 0, true, false, null],\n"
    " \"empty\": {}, \"none\": [], \"deep\": {\"in\": {\"it\": [[\"x\"]]}}}\n";

TEST(values_are_what_the_text_says) {
  OWNED(json_document) document;
  char error[128] = "";
  assert_true(json_read(sample, strlen(sample), &document, error, sizeof error));
  const json_value *whole = &document.values[0];
  assert_int_equal(whole->kind, JSON_OBJECT);
  assert_int_equal(whole->count, 5);
  assert_string_equal(json_find(&document, whole, "name", JSON_STRING)->text, "a\xc3\xa9\xf0\x9f\x98\x80\n\"\\/");
  const json_value *list = json_find(&document, whole, "list", JSON_ARRAY);
  assert_int_equal(list->count, 6);
  const json_value *element = &document.values[list->first];
  assert_true(element->number == 1.0 && element->key == NULL);
  element = &document.values[element->next];
  assert_true(element->kind == JSON_NUMBER && element->number == -50.0);
  assert_int_equal(json_find(&document, whole, "empty", JSON_OBJECT)->line, 2);
  assert_int_equal(json_find(&document, whole, "empty", JSON_OBJECT)->count, 0);
  assert_null(json_find(&document, whole, "empty", JSON_ARRAY));
  assert_null(json_find(&document, whole, "absent", JSON_STRING));
  const json_value *deep = json_find(&document, whole, "deep", JSON_OBJECT);
  assert_non_null(json_find(&document, json_find(&document, deep, "in", JSON_OBJECT), "it", JSON_ARRAY));
}

TEST(every_beginning_alone_is_refused) {
  const size_t whole = strlen(sample) - 1; /* the last line break may be missing */
  for (size_t size = 0; size < whole; ++size) {
    json_document document;
    char error[128] = "";
    assert_false(json_read(sample, size, &document, error, sizeof error));
    assert_true(error[0] == '1' || error[0] == '2');
    assert_null(document.values);
  }
}

TEST(what_is_no_json_is_refused) {
  static const struct {
    const char *text, *error;
  } cases[] = {{"", "1: the text is incomplete"},
               {"{\"a\": 01}", "1: an invalid number"},
               {"[1.]", "1: an invalid number"},
               {"[-]", "1: an invalid number"},
               {"[1e]", "1: an invalid number"},
               {"[1e999]", "1: a number that is too large"},
               {"[nan]", "1: a value is missing"},
               {"[1,]", "1: a value is missing"},
               {"{\"a\":1,}", "1: a comma before }"},
               {"{a:1}", "1: the name of a member must be in quotes"},
               {"{\"a\" 1}", "1: a colon is missing after the name of a member"},
               {"[1 2]", "1: a comma or ] is missing after an element"},
               {"{\"a\":1 \"b\":2}", "1: a comma or } is missing after a member"},
               {"\"a\nb\"", "1: a control character in a string"},
               {"\"\\x\"", "1: an unknown escape sequence"},
               {"\"\\u12g4\"", "1: \\u needs four hexadecimal digits"},
               {"\"\\u0000\"", "1: a string with a zero character"},
               {"\"\\ud800\"", "1: an unpaired surrogate"},
               {"\"\\udc00\"", "1: an unpaired surrogate"},
               {"\"\\ud800\\u0041\"", "1: an unpaired surrogate"},
               {"\"\xff\"", "1: a string that is not UTF-8"},
               {"\"\xc0\x80\"", "1: a string that is not UTF-8"},
               {"[]\n[]", "2: unexpected text after the end"},
               {"// no\n1", "1: a value is missing"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    json_document document;
    char error[128] = "";
    assert_false(json_read(cases[i].text, strlen(cases[i].text), &document, error, sizeof error));
    assert_string_equal(error, cases[i].error);
  }
}

TEST(depth_has_a_limit) {
  enum { DEEP = 100000 };
  OWNED_MEMORY char *const text = malloc(DEEP);
  assert_non_null(text);
  for (size_t depth = JSON_NESTING_MAX; depth <= JSON_NESTING_MAX + 1; ++depth) {
    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    OWNED(json_document) document;
    char error[128] = "";
    assert_int_equal(json_read(text, 2 * depth, &document, error, sizeof error), depth == JSON_NESTING_MAX);
  }
  memset(text, '[', DEEP);
  json_document document;
  char error[128] = "";
  assert_false(json_read(text, DEEP, &document, error, sizeof error));
  assert_string_equal(error, "1: nested too deeply");
}

/* One byte of the sample becomes another. */
TEST(never_more_than_the_grammar) {
  static const char marks[] = "{}[],:\"\\u0-e+.tn \x80\xff\x01";
  char text[sizeof sample];
  size_t taken = 0;
  for (size_t i = 0; i + 1 < sizeof sample; ++i)
    for (size_t j = 0; j + 1 < sizeof marks; ++j) {
      memcpy(text, sample, sizeof sample);
      text[i] = marks[j];
      json_document document;
      char error[128] = "";
      size_t where = 0;
      if (!json_read(text, strlen(sample), &document, error, sizeof error)) continue;
      assert_true(json_is_valid(text, strlen(sample), &where));
      json_document_free(&document);
      ++taken;
    }
  assert_true(taken > 100);
}
