/* Decodes and encodes UTF-8. */
#include "mesh_io/utf8_text.h"

size_t utf8_sequence_length(const char *text) {
  const unsigned char *bytes = (const unsigned char *)text;
  const unsigned char lead = bytes[0];
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const unsigned char lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned char highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (bytes[1] < lowest || bytes[1] > highest) return 0;
  for (size_t i = 2; i < length; ++i) {
    if ((bytes[i] & 0xc0) != 0x80) return 0;
  }
  return length;
}

size_t utf8_write(unsigned long character, char bytes_out[4]) {
  static const unsigned char leads[5] = {0, 0, 0xc0, 0xe0, 0xf0};
  if (character < 0x80) {
    bytes_out[0] = (char)character;
    return 1;
  }
  const size_t length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  for (size_t i = length - 1; i > 0; --i, character >>= 6) bytes_out[i] = (char)(0x80 | (character & 0x3f));
  bytes_out[0] = (char)(leads[length] | character);
  return length;
}
