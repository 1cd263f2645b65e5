/* Reads arbitrary bytes as JSON: the result is a valid tree or a message, and never more than the grammar allows. */
#include "cli/json_validator.h"
#include "fuzz/fuzz_reader.h"
#include "mesh_io/json_reader.h"

static void check_value(const json_document *document, size_t number) {
  const json_value *value = &document->values[number];
  size_t count = 0;
  for (size_t i = value->first; i != 0; i = document->values[i].next, count++) {
    fuzz_require(i > number && i < document->count, "children come behind their parents");
    fuzz_require((document->values[i].key != NULL) == (value->kind == JSON_OBJECT), "members have names");
  }
  fuzz_require(count == value->count, "children are counted");
  fuzz_require((value->text != NULL) == (value->kind == JSON_STRING), "strings have texts");
  fuzz_require(isfinite(value->number), "numbers are finite");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  json_document document = {0};
  char error[160] = "";
  size_t where = 0;
  const bool done = json_read((const char *)bytes, size, &document, error, sizeof error);
  fuzz_require(done == (error[0] == '\0'), "a message exactly when it fails");
  fuzz_require(!done || json_is_valid((const char *)bytes, size, &where), "nothing but JSON is taken");
  for (size_t i = 0; i < document.count; i++) check_value(&document, i);
  json_document_free(&document);
  return 0;
}
