/* Tests the parts of glTF besides JSON: bytes in base64, and file names that stay in their folder. */
#include "mesh_io/base64.h"
#include "mesh_io/relative_uri.h"
#include "reading_tools.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

/* RFC 4648, section 10, with and without padding. */
TEST(base64_of_the_standard) {
  static const char *const rows[][2] = {{"", ""},
                                        {"Zg==", "f"},
                                        {"Zm8=", "fo"},
                                        {"Zm9v", "foo"},
                                        {"Zm9vYg==", "foob"},
                                        {"Zm9vYmE=", "fooba"},
                                        {"Zm9vYmFy", "foobar"},
                                        {"Zg", "f"},
                                        {"Zm8", "fo"},
                                        {"Zm9vYmE", "fooba"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char bytes[16];
    size_t count = 99;
    assert_true(base64_decode(rows[i][0], strlen(rows[i][0]), bytes, &count));
    assert_int_equal(count, strlen(rows[i][1]));
    assert_memory_equal(bytes, rows[i][1], count);
    assert_true(count <= base64_bytes_max(strlen(rows[i][0])));
  }
}

TEST(base64_refuses) {
  static const struct {
    const char *text;
    size_t place;
  } rows[] = {{"Z", 1},    {"Zm9vY", 5}, {"Zm 9", 2},     {"Zm-_", 2},   {"=", 0},         {"Zg=", 2},
              {"====", 0}, {"Z===", 1},  {"Zg==Zg==", 2}, {"Zm9v\n", 4}, {"\xFF\x80Zg", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char bytes[16];
    size_t place = 99;
    assert_false(base64_decode(rows[i].text, strlen(rows[i].text), bytes, &place));
    if (place != rows[i].place && rows[i].text[0] != '=') fail_msg("\"%s\": %zu", rows[i].text, place);
  }
}

/* An encoder of its own, on all lengths up to some dozens. */
TEST(base64_reads_back) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint64_t random = 7;
  for (size_t size = 0; size < 60; size++) {
    unsigned char bytes[64] = {0};
    char text[96], back[96];
    size_t length = 0, count = 0;
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)next_random(&random);
    for (size_t bit = 0; bit < 8 * size; bit += 6) {
      const unsigned two = (unsigned)bytes[bit / 8] << 8 | bytes[bit / 8 + 1];
      text[length++] = digits[two >> (10 - bit % 8) & 63];
    }
    while (length % 4 != 0) text[length++] = '=';
    char *const exact = malloc(length + 1);
    memcpy(exact, text, length);
    assert_true(base64_decode(exact, length, back, &count));
    free(exact);
    assert_int_equal(count, size);
    assert_memory_equal(back, bytes, size);
  }
}

TEST(uris_stay_in_their_folder) {
  static const struct {
    const char *uri, *path, *refusal;
  } rows[] = {
      {"a.bin", "a.bin", NULL},
      {"sub/a%20b%C3%A9.bin", "sub/a b\xC3\xA9.bin", NULL},
      {"./a..bin", "./a..bin", NULL},
      {"..a/b", "..a/b", NULL},
      {"", NULL, "is empty"},
      {"file:///etc/passwd", NULL, "has a scheme"},
      {"C:/a.bin", NULL, "has a scheme"},
      {"http://x/y", NULL, "has a scheme"},
      {"/etc/passwd", NULL, "is an absolute path"},
      {"%2Fetc/passwd", NULL, "is an absolute path"},
      {"../a.bin", NULL, "leaves the folder of the file by \"..\""},
      {"a/../../b", NULL, "leaves the folder of the file by \"..\""},
      {"a/..", NULL, "leaves the folder of the file by \"..\""},
      {"%2e%2E/a.bin", NULL, "leaves the folder of the file by \"..\""},
      {"a\\b", NULL, "has a backslash"},
      {"a%5cb", NULL, "has a backslash"},
      {"a%00b", NULL, "has a zero byte"},
      {"a%2", NULL, "has a % without two hexadecimal digits"},
      {"a%", NULL, "has a % without two hexadecimal digits"},
      {"a%g0", NULL, "has a % without two hexadecimal digits"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OWNED_MEMORY char *const path = malloc(strlen(rows[i].uri) + 1);
    const char *refusal = relative_uri_decode(rows[i].uri, path);
    if (rows[i].refusal) {
      assert_non_null(refusal);
      assert_string_equal(refusal, rows[i].refusal);
    } else {
      assert_null(refusal);
      assert_string_equal(path, rows[i].path);
    }
  }
}
