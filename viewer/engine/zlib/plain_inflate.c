/* Decompresses deflate data (RFC 1951) and gzip files (RFC 1952). Workload: an occasional 3MF file or compressed mesh
 * of up to a few hundred megabytes; input and output are entirely in memory.
 *
 * Codes of up to LOOKUP_BITS bits, which are nearly all, are decoded by one table lookup; longer codes bit by bit, from
 * the number of codes of each length. */
#include "viewer/engine/zlib/zlib.h"

#include <stdbool.h>
#include <string.h>

enum { CODE_BITS = 15, LOOKUP_BITS = 10, LITERALS = 288, DISTANCES = 32, LENGTH_CODES = 19, GZIP_MAGIC = 0x8b1f };
enum { SYMBOL_END = 256, SYMBOL_INVALID = 0xffff };

typedef struct code_table {
  uint16_t lookup[1 << LOOKUP_BITS]; /* symbol << 4 | length; 0: a longer code, or none */
  uint16_t counts[CODE_BITS + 1];    /* codes of each length */
  uint16_t symbols[LITERALS];        /* in the order of their codes */
} code_table;

typedef enum phase {
  PHASE_HEADER,
  PHASE_BLOCK,
  PHASE_STORED,
  PHASE_CODES,
  PHASE_LITERAL,
  PHASE_COPY,
  PHASE_TRAILER,
  PHASE_END
} phase;

struct inflation {
  phase phase;
  bool gzip, last_block;
  bool ended_early, damaged;
  uint64_t bits; /* not yet consumed; the next one is the lowest */
  unsigned bit_count;
  size_t made;       /* bytes of output since the header */
  unsigned length;   /* bytes left of a stored block or a copy */
  unsigned distance; /* of the copy */
  Byte literal;      /* decoded, but not yet written */
  uLong crc;
  code_table literals, distances;
};

/* ------------------------------------------------------------------------------------------------ checksum */

uLong crc32(uLong crc, const Bytef *bytes, uInt count) {
  static uint32_t table[256];
  if (table[1] == 0) {
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xedb88320u : 0);
      table[i] = value;
    }
  }
  uint32_t value = ~(uint32_t)crc;
  for (uInt i = 0; i < count; ++i) value = table[(value ^ bytes[i]) & 0xff] ^ (value >> 8);
  return (uint32_t)~value;
}

/* ------------------------------------------------------------------------------------------------ bits */

static void refill(z_stream *stream, struct inflation *state) {
  while (state->bit_count <= 56 && stream->avail_in > 0) {
    state->bits |= (uint64_t)*stream->next_in++ << state->bit_count;
    state->bit_count += 8;
    --stream->avail_in;
  }
}

static void drop(struct inflation *state, unsigned count) {
  state->bits >>= count;
  state->bit_count -= count;
}

/* Takes at most 32 bits. Returns 0 and sets ended_early if the input ends before. */
static uint32_t take(z_stream *stream, struct inflation *state, unsigned count) {
  refill(stream, state);
  if (state->bit_count < count) {
    state->ended_early = true;
    return 0;
  }
  const uint32_t value = (uint32_t)(state->bits & ((UINT64_C(1) << count) - 1));
  drop(state, count);
  return value;
}

static bool is_stuck(const struct inflation *state) {
  return state->ended_early || state->damaged;
}

/* ------------------------------------------------------------------------------------------------ codes */

static uint32_t reversed(uint32_t code, unsigned length) {
  uint32_t result = 0;
  for (unsigned i = 0; i < length; ++i) result |= (code >> i & 1) << (length - 1 - i);
  return result;
}

/* Returns false for oversubscribed lengths. Incomplete codes are allowed, such as a single distance. */
static bool build_table(code_table *table, const uint8_t *lengths, unsigned symbol_count) {
  uint16_t offsets[CODE_BITS + 2] = {0};
  uint32_t code = 0, next[CODE_BITS + 1];
  memset(table, 0, sizeof *table);
  for (unsigned i = 0; i < symbol_count; ++i) ++table->counts[lengths[i]];
  table->counts[0] = 0;
  for (unsigned length = 1; length <= CODE_BITS; ++length) {
    code = (code + table->counts[length - 1]) << 1;
    next[length] = code;
    if (code + table->counts[length] > 1u << length) return false;
    offsets[length + 1] = (uint16_t)(offsets[length] + table->counts[length]);
  }
  for (unsigned i = 0; i < symbol_count; ++i) {
    const unsigned length = lengths[i];
    if (length == 0) continue;
    table->symbols[offsets[length]++] = (uint16_t)i;
    const uint32_t own = next[length]++;
    if (length > LOOKUP_BITS) continue;
    for (uint32_t at = reversed(own, length); at < 1u << LOOKUP_BITS; at += 1u << length)
      table->lookup[at] = (uint16_t)(i << 4 | length);
  }
  return true;
}

static unsigned decode_long(struct inflation *state, const code_table *table) {
  uint32_t code = 0, first = 0, index = 0;
  for (unsigned length = 1; length <= CODE_BITS && length <= state->bit_count; ++length) {
    code |= (uint32_t)(state->bits >> (length - 1)) & 1;
    const uint32_t count = table->counts[length];
    if (code < first + count) {
      drop(state, length);
      return table->symbols[index + code - first];
    }
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  *(state->bit_count < CODE_BITS ? &state->ended_early : &state->damaged) = true;
  return SYMBOL_INVALID;
}

static unsigned decode(z_stream *stream, struct inflation *state, const code_table *table) {
  if (state->bit_count < CODE_BITS) refill(stream, state);
  const unsigned entry = table->lookup[state->bits & ((1u << LOOKUP_BITS) - 1)], length = entry & 15;
  if (length == 0 || length > state->bit_count) return decode_long(state, table);
  drop(state, length);
  return entry >> 4;
}

/* ------------------------------------------------------------------------------------------------ blocks */

static void build_fixed(struct inflation *state) {
  uint8_t lengths[LITERALS];
  memset(lengths, 8, 144);
  memset(lengths + 144, 9, 112);
  memset(lengths + 256, 7, 24);
  memset(lengths + 280, 8, 8);
  (void)build_table(&state->literals, lengths, LITERALS);
  memset(lengths, 5, DISTANCES);
  (void)build_table(&state->distances, lengths, DISTANCES);
}

static void read_lengths(z_stream *stream, struct inflation *state, uint8_t *lengths, unsigned count) {
  for (unsigned i = 0; i < count && !is_stuck(state);) {
    const unsigned symbol = decode(stream, state, &state->literals);
    unsigned repeat = 1;
    uint8_t length = (uint8_t)symbol;
    if (symbol == SYMBOL_INVALID) return;
    if (symbol == 16) {
      state->damaged |= i == 0;
      length = i == 0 ? 0 : lengths[i - 1];
      repeat = 3 + take(stream, state, 2);
    } else if (symbol > 16) {
      length = 0;
      repeat = symbol == 17 ? 3 + take(stream, state, 3) : 11 + take(stream, state, 7);
    }
    if (repeat > count - i) {
      state->damaged = true;
      return;
    }
    memset(lengths + i, length, repeat);
    i += repeat;
  }
}

static void read_tables(z_stream *stream, struct inflation *state) {
  static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  uint8_t lengths[LITERALS + DISTANCES] = {0};
  const unsigned literal_count = 257 + take(stream, state, 5), distance_count = 1 + take(stream, state, 5);
  const unsigned length_count = 4 + take(stream, state, 4);
  for (unsigned i = 0; i < length_count; ++i) lengths[order[i]] = (uint8_t)take(stream, state, 3);
  if (is_stuck(state)) return;
  state->damaged = literal_count > 286 || !build_table(&state->literals, lengths, LENGTH_CODES);
  memset(lengths, 0, sizeof lengths);
  read_lengths(stream, state, lengths, literal_count + distance_count);
  if (is_stuck(state)) return;
  state->damaged = lengths[SYMBOL_END] == 0 ||
                   !build_table(&state->distances, lengths + literal_count, distance_count) ||
                   !build_table(&state->literals, lengths, literal_count);
}

static void begin_block(z_stream *stream, struct inflation *state) {
  state->last_block = take(stream, state, 1) != 0;
  const unsigned type = take(stream, state, 2);
  state->phase = PHASE_CODES;
  if (type == 0) {
    drop(state, state->bit_count & 7);
    state->length = take(stream, state, 16);
    state->damaged = (take(stream, state, 16) ^ state->length) != 0xffff && !state->ended_early;
    state->phase = PHASE_STORED;
  } else if (type == 1) {
    build_fixed(state);
  } else if (type == 2) {
    read_tables(stream, state);
  } else {
    state->damaged = true;
  }
}

static void end_block(struct inflation *state) {
  state->phase = !state->last_block ? PHASE_BLOCK : PHASE_TRAILER;
}

static void put(z_stream *stream, struct inflation *state, Byte byte) {
  *stream->next_out++ = byte;
  --stream->avail_out;
  ++state->made;
}

static void copy_stored(z_stream *stream, struct inflation *state) {
  while (state->length > 0 && stream->avail_out > 0) {
    const uint32_t byte = take(stream, state, 8);
    if (state->ended_early) return;
    put(stream, state, (Byte)byte);
    --state->length;
  }
  if (state->length == 0) end_block(state);
}

/* Source and destination may overlap: the copy may read bytes that it has just written. */
static void copy_back(z_stream *stream, struct inflation *state) {
  const Byte *from = stream->next_out - state->distance;
  unsigned count = state->length < stream->avail_out ? state->length : stream->avail_out;
  state->length -= count;
  state->made += count;
  stream->avail_out -= count;
  while (count-- > 0) *stream->next_out++ = *from++;
  if (state->length == 0) state->phase = PHASE_CODES;
}

static void begin_copy(z_stream *stream, struct inflation *state, unsigned symbol) {
  static const uint16_t length_bases[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                            31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const uint16_t distance_bases[30] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                              33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                              1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  const unsigned length_code = symbol - SYMBOL_END - 1;
  if (length_code >= 29) {
    state->damaged = true;
    return;
  }
  const unsigned length_bits = length_code < 8 || length_code == 28 ? 0 : length_code / 4 - 1;
  state->length = length_bases[length_code] + take(stream, state, length_bits);
  const unsigned distance_code = decode(stream, state, &state->distances);
  if (is_stuck(state)) return;
  if (distance_code >= 30) {
    state->damaged = true;
    return;
  }
  state->distance = distance_bases[distance_code] + take(stream, state, distance_code < 4 ? 0 : distance_code / 2 - 1);
  state->damaged = state->distance > state->made;
  state->phase = PHASE_COPY;
}

static void decode_codes(z_stream *stream, struct inflation *state) {
  while (state->phase == PHASE_CODES && !is_stuck(state)) {
    const unsigned symbol = decode(stream, state, &state->literals);
    if (symbol < SYMBOL_END && stream->avail_out > 0) {
      put(stream, state, (Byte)symbol);
    } else if (symbol < SYMBOL_END) {
      state->literal = (Byte)symbol;
      state->phase = PHASE_LITERAL;
    } else if (symbol == SYMBOL_END) {
      end_block(state);
    } else if (symbol != SYMBOL_INVALID) {
      begin_copy(stream, state, symbol);
    }
  }
}

/* ------------------------------------------------------------------------------------------------ gzip */

static void skip_text(z_stream *stream, struct inflation *state) {
  while (take(stream, state, 8) != 0 && !state->ended_early) continue;
}

static void read_header(z_stream *stream, struct inflation *state) {
  enum { HAS_CHECK = 2, HAS_EXTRA = 4, HAS_NAME = 8, HAS_COMMENT = 16, UNKNOWN = 0xe0 };
  state->phase = PHASE_BLOCK;
  if (!state->gzip) return;
  const uint32_t magic = take(stream, state, 16), method = take(stream, state, 8), flags = take(stream, state, 8);
  (void)take(stream, state, 32); /* the modification time, then extra flags and the operating system */
  (void)take(stream, state, 16);
  if (state->ended_early) return;
  state->damaged = magic != GZIP_MAGIC || method != Z_DEFLATED || (flags & UNKNOWN) != 0;
  if ((flags & HAS_EXTRA) != 0) {
    for (uint32_t left = take(stream, state, 16); left > 0 && !state->ended_early; --left) (void)take(stream, state, 8);
  }
  if ((flags & HAS_NAME) != 0) skip_text(stream, state);
  if ((flags & HAS_COMMENT) != 0) skip_text(stream, state);
  if ((flags & HAS_CHECK) != 0) (void)take(stream, state, 16);
}

/* `crc` is the checksum of all output. */
static void read_trailer(z_stream *stream, struct inflation *state, uLong crc) {
  drop(state, state->bit_count & 7);
  if (state->gzip) {
    const uint32_t expected = take(stream, state, 32), bytes = take(stream, state, 32);
    if (state->ended_early) return;
    state->damaged = expected != (uint32_t)crc || bytes != (uint32_t)state->made;
  }
  /* Return whole bytes that were read ahead. */
  stream->next_in -= state->bit_count / 8;
  stream->avail_in += state->bit_count / 8;
  state->bits = 0;
  state->bit_count = 0;
  state->phase = PHASE_END;
}

/* ------------------------------------------------------------------------------------------------ calls */

int inflateInit2(z_stream *stream, int window_bits) {
  stream->state = stream->zalloc(stream->opaque, 1, sizeof *stream->state);
  if (stream->state == NULL) return Z_MEM_ERROR;
  stream->state->gzip = window_bits > 15;
  return inflateReset(stream);
}

int inflateReset(z_stream *stream) {
  const bool gzip = stream->state->gzip;
  memset(stream->state, 0, sizeof *stream->state);
  stream->state->gzip = gzip;
  return Z_OK;
}

int inflateEnd(z_stream *stream) {
  stream->zfree(stream->opaque, stream->state);
  return Z_OK;
}

static void step(z_stream *stream, struct inflation *state, const Bytef *first) {
  switch (state->phase) {
  case PHASE_HEADER:
    read_header(stream, state);
    break;
  case PHASE_BLOCK:
    begin_block(stream, state);
    break;
  case PHASE_STORED:
    copy_stored(stream, state);
    break;
  case PHASE_CODES:
    decode_codes(stream, state);
    break;
  case PHASE_LITERAL:
    put(stream, state, state->literal);
    state->phase = PHASE_CODES;
    break;
  case PHASE_COPY:
    copy_back(stream, state);
    break;
  case PHASE_TRAILER:
    read_trailer(stream, state, crc32(state->crc, first, (uInt)(stream->next_out - first)));
    break;
  case PHASE_END:
    break;
  }
}

/* True for phases that need output space. The end of a block needs none, so a caller that knows the size needs no
 * more. */
static bool needs_room(const struct inflation *state) {
  return state->phase == PHASE_LITERAL || state->phase == PHASE_COPY ||
         (state->phase == PHASE_STORED && state->length > 0);
}

int inflate(z_stream *stream, int flush) {
  struct inflation *const state = stream->state;
  const Bytef *const first = stream->next_out;
  const Bytef *const input = stream->next_in;
  (void)flush;
  while (state->phase != PHASE_END && !is_stuck(state)) {
    if (needs_room(state) && stream->avail_out == 0) break;
    step(stream, state, first);
  }
  state->crc = crc32(state->crc, first, (uInt)(stream->next_out - first));
  if (state->damaged) return Z_DATA_ERROR;
  if (state->phase == PHASE_END) return Z_STREAM_END;
  if (state->ended_early) return Z_BUF_ERROR;
  return stream->next_out > first || stream->next_in > input ? Z_OK : Z_BUF_ERROR;
}
