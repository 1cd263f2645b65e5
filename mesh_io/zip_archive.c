/* ZIP archives (PKWARE, "APPNOTE.TXT, .ZIP file format specification", 6.3.10), with the 64-bit fields that some
 * writers of 3MF always use. Workload: a few entries, of which one or two are read; hostile archives have 65,535
 * entries, many names for the same bytes, or sizes larger than the file.
 *
 * Every number in the directory at the end is checked against the existing bytes before it is used. */
#include "mesh_io/zip_archive.h"

#include "mesh_io/byte_order.h"
#include "mesh_io/expansion_limit.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
  END_BYTES = 22,
  COMMENT_BYTES_MAX = 65535,
  LOCATOR_BYTES = 20,
  END_64_BYTES = 56,
  CENTRAL_BYTES = 46,
  LOCAL_BYTES = 30,
  METHOD_STORED = 0,
  METHOD_DEFLATED = 8,
  FLAG_ENCRYPTED = 1,
  DEFLATE_EXPANSION_MAX = 1032
};

static const uint64_t signature_end = 0x06054B50, signature_locator = 0x07064B50, signature_end_64 = 0x06064B50,
                      signature_central = 0x02014B50, signature_local = 0x04034B50, all_ones = 0xFFFFFFFF;

static uint64_t load(const char *p, size_t bytes) {
  return load_bits(p, bytes, false);
}

/* ---------------------------------------------------------------------------------------------------- directory */

/* The place of the directory, and its number of entries. */
typedef struct zip_directory {
  uint64_t offset, size, count;
} zip_directory;

/* Finds the end record, before a comment of the length that it states. */
static const char *find_end(const mesh_reading *reading) {
  if (reading->size < END_BYTES) return NULL;
  const size_t most = reading->size - END_BYTES < COMMENT_BYTES_MAX ? reading->size - END_BYTES : COMMENT_BYTES_MAX;
  for (size_t comment = 0; comment <= most; comment++) {
    const char *const p = reading->bytes + reading->size - END_BYTES - comment;
    if (load(p, 4) == signature_end && load(p + 20, 2) == comment) return p;
  }
  return NULL;
}

/* The fields of an end record: 16 bits each for the first four, 32 for the others, and 32 or 64 in a ZIP64 record. */
enum { END_DISK, END_DIRECTORY_DISK, END_ENTRIES_HERE, END_ENTRIES, END_SIZE, END_OFFSET, END_FIELDS };

/* Reads the ZIP64 end record in place of the fields whose bits are all ones; the locator before the end record refers
 * to it. Without a locator, such fields are values like others. */
static bool read_end_64(const mesh_reading *reading, const char *end, uint64_t fields[END_FIELDS]) {
  static const unsigned char places[END_FIELDS] = {16, 20, 24, 32, 40, 48}, bytes[END_FIELDS] = {4, 4, 8, 8, 8, 8};
  bool has_large = false;
  for (int i = 0; i < END_FIELDS; i++) has_large |= fields[i] == (i < END_SIZE ? all_ones >> 16 : all_ones);
  if (!has_large || end - reading->bytes < LOCATOR_BYTES || load(end - LOCATOR_BYTES, 4) != signature_locator)
    return true;
  const char *const locator = end - LOCATOR_BYTES;
  const uint64_t before = (uint64_t)(locator - reading->bytes), offset = load(locator + 8, 8);
  const bool fits = before >= END_64_BYTES && offset <= before - END_64_BYTES;
  if (!fits || load(reading->bytes + offset, 4) != signature_end_64) {
    return mesh_fail(reading, "the ZIP64 locator refers to byte %llu, where no directory ends",
                     (unsigned long long)offset);
  }
  for (int i = 0; i < END_FIELDS; i++) {
    if (fields[i] != (i < END_SIZE ? all_ones >> 16 : all_ones)) continue;
    fields[i] = load(reading->bytes + offset + places[i], bytes[i]);
  }
  if (load(locator + 4, 4) != 0) fields[END_DISK] = 1; /* the record itself is in another file */
  return true;
}

static bool find_directory(const mesh_reading *reading, zip_directory *directory_out) {
  const char *const end = find_end(reading);
  if (!end) return mesh_fail(reading, "the end record of a ZIP archive is missing");
  uint64_t fields[END_FIELDS] = {load(end + 4, 2),  load(end + 6, 2),  load(end + 8, 2),
                                 load(end + 10, 2), load(end + 12, 4), load(end + 16, 4)};
  if (!read_end_64(reading, end, fields)) return false;
  if (fields[END_DISK] != 0 || fields[END_DIRECTORY_DISK] != 0 || fields[END_ENTRIES_HERE] != fields[END_ENTRIES])
    return mesh_fail(reading, "ZIP archives of several files are not supported");
  *directory_out = (zip_directory){fields[END_OFFSET], fields[END_SIZE], fields[END_ENTRIES]};
  const zip_directory *d = directory_out;
  if (d->offset > reading->size || d->size > reading->size - d->offset || d->count > d->size / CENTRAL_BYTES) {
    return mesh_fail(reading, "the ZIP directory declares %llu entries in %llu bytes at byte %llu of %zu",
                     (unsigned long long)d->count, (unsigned long long)d->size, (unsigned long long)d->offset,
                     reading->size);
  }
  return true;
}

/* Values whose bits are all ones are stored with more bits in an extra field, in this order. */
static bool read_large_values(const char *extra, size_t extra_length, zip_entry *entry, uint64_t *disk) {
  enum { ZIP64_FIELD = 1, VALUES = 4 };
  static const unsigned char bytes[VALUES] = {8, 8, 8, 4};
  uint64_t *const values[VALUES] = {&entry->plain_size, &entry->packed_size, &entry->offset, disk};
  bool is_large[VALUES], any = false;
  for (int i = 0; i < VALUES; i++) any |= is_large[i] = *values[i] == (values[i] == disk ? all_ones >> 16 : all_ones);
  if (!any) return true;
  for (size_t at = 0; extra_length - at >= 4;) {
    const uint64_t kind = load(extra + at, 2);
    size_t left = (size_t)load(extra + at + 2, 2);
    at += 4;
    if (left > extra_length - at) return false;
    if (kind != ZIP64_FIELD) {
      at += left;
      continue;
    }
    for (int i = 0; i < VALUES; i++) {
      if (!is_large[i]) continue;
      if (left < bytes[i]) return false;
      *values[i] = load(extra + at, bytes[i]);
      at += bytes[i];
      left -= bytes[i];
    }
    return true;
  }
  return false;
}

static bool read_entry(const mesh_reading *reading, size_t number, const char **p, const char *end, zip_entry *entry) {
  const char *const head = *p;
  if ((size_t)(end - head) < CENTRAL_BYTES || load(head, 4) != signature_central) {
    return mesh_fail(reading, "entry %zu of the ZIP directory is damaged", number);
  }
  const size_t name_length = (size_t)load(head + 28, 2), extra_length = (size_t)load(head + 30, 2);
  const size_t comment_length = (size_t)load(head + 32, 2);
  if (name_length + extra_length + comment_length > (size_t)(end - head) - CENTRAL_BYTES) {
    return mesh_fail(reading, "entry %zu of the ZIP directory goes beyond its end", number);
  }
  *entry = (zip_entry){.name = head + CENTRAL_BYTES,
                       .name_length = name_length,
                       .offset = load(head + 42, 4),
                       .packed_size = load(head + 20, 4),
                       .plain_size = load(head + 24, 4),
                       .crc = (uint32_t)load(head + 16, 4),
                       .method = (unsigned)load(head + 10, 2),
                       .flags = (unsigned)load(head + 8, 2)};
  *p = entry->name + name_length + extra_length + comment_length;
  const mesh_quote name = mesh_quote_text(entry->name, name_length);
  uint64_t disk = load(head + 34, 2);
  if (!read_large_values(entry->name + name_length, extra_length, entry, &disk)) {
    return mesh_fail(reading, "entry \"%s\" lacks its 64-bit sizes", name.text);
  }
  if (disk != 0) return mesh_fail(reading, "entry \"%s\" is in another file of the ZIP archive", name.text);
  if (entry->offset > reading->size || reading->size - entry->offset < LOCAL_BYTES ||
      entry->packed_size > reading->size - entry->offset - LOCAL_BYTES) {
    return mesh_fail(reading, "entry \"%s\" has %llu bytes at byte %llu, but the file has %zu", name.text,
                     (unsigned long long)entry->packed_size, (unsigned long long)entry->offset, reading->size);
  }
  return true;
}

static int lower(char c) {
  return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : (unsigned char)c;
}

static int compare_names(const char *a, size_t a_length, const char *b, size_t b_length) {
  for (size_t i = 0; i < a_length && i < b_length; i++) {
    const int order = lower(a[i]) - lower(b[i]);
    if (order != 0) return order;
  }
  return (a_length > b_length) - (a_length < b_length);
}

static int by_name(const void *a, const void *b) {
  const zip_entry *x = a, *y = b;
  return compare_names(x->name, x->name_length, y->name, y->name_length);
}

static int by_offset(const void *a, const void *b) {
  const zip_entry *x = a, *y = b;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static int by_name_and_offset(const void *a, const void *b) {
  const int order = by_name(a, b);
  return order != 0 ? order : by_offset(a, b);
}

static bool check_entries(zip_archive *archive) {
  zip_entry *const entries = archive->entries;
  if (archive->entry_count == 0) return true;
  qsort(entries, archive->entry_count, sizeof *entries, by_offset);
  for (size_t i = 1; i < archive->entry_count; i++) {
    if (entries[i - 1].offset + LOCAL_BYTES + entries[i - 1].packed_size <= entries[i].offset) continue;
    return mesh_fail(archive->reading, "entries \"%s\" and \"%s\" share bytes of the file",
                     mesh_quote_text(entries[i - 1].name, entries[i - 1].name_length).text,
                     mesh_quote_text(entries[i].name, entries[i].name_length).text);
  }
  qsort(entries, archive->entry_count, sizeof *entries, by_name_and_offset);
  for (size_t i = 1; i < archive->entry_count; i++) {
    if (by_name(&entries[i - 1], &entries[i]) != 0) continue;
    return mesh_fail(archive->reading, "two entries have the name \"%s\"",
                     mesh_quote_text(entries[i].name, entries[i].name_length).text);
  }
  return true;
}

bool zip_archive_open(const mesh_reading *reading, zip_archive *archive_out) {
  *archive_out = (zip_archive){.reading = reading};
  zip_directory directory = {0, 0, 0};
  void *block = NULL;
  if (!find_directory(reading, &directory)) return false;
  if (directory.count > 0 && !mesh_resize(&reading->memory, &block, (size_t)directory.count, sizeof(zip_entry))) {
    return mesh_fail(reading, "out of memory for %llu entries", (unsigned long long)directory.count);
  }
  archive_out->entries = block;
  const char *p = reading->bytes + directory.offset;
  const char *const end = p + directory.size;
  for (; archive_out->entry_count < directory.count; archive_out->entry_count++) {
    const size_t number = archive_out->entry_count;
    if (!read_entry(reading, number, &p, end, &archive_out->entries[number])) return false;
  }
  return check_entries(archive_out);
}

void zip_archive_free(zip_archive *archive) {
  mesh_release(&archive->reading->memory, archive->entries);
  *archive = (zip_archive){.reading = archive->reading};
}

zip_entry *zip_archive_find(const zip_archive *archive, const char *name, size_t name_length) {
  const zip_entry key = {.name = name, .name_length = name_length};
  if (archive->entry_count == 0) return NULL;
  return bsearch(&key, archive->entries, archive->entry_count, sizeof key, by_name);
}

/* ---------------------------------------------------------------------------------------------------- contents */

static voidpf zlib_allocate(voidpf opaque, uInt items, uInt item_bytes) {
  void *block = NULL;
  return mesh_resize(opaque, &block, items, item_bytes) ? block : NULL;
}

static void zlib_release(voidpf opaque, voidpf block) {
  mesh_release(opaque, block);
}

static bool check_size(const zip_archive *archive, const zip_entry *entry, const char *name) {
  const mesh_reading *reading = archive->reading;
  const uint64_t file_limit = reading->byte_limit ? reading->byte_limit : MESH_FILE_BYTES_MAX;
  const uint64_t expanded = expansion_limit(reading, reading->size);
  const uint64_t most = expanded < file_limit ? expanded : file_limit;
  const bool is_possible = entry->method == METHOD_STORED
                               ? entry->plain_size == entry->packed_size
                               : entry->plain_size / DEFLATE_EXPANSION_MAX <= entry->packed_size;
  if (!is_possible) {
    return mesh_fail(reading, "entry \"%s\" declares %llu bytes, which %llu compressed bytes cannot hold", name,
                     (unsigned long long)entry->plain_size, (unsigned long long)entry->packed_size);
  }
  if (archive->extracted_bytes <= most && entry->plain_size <= most - archive->extracted_bytes) return true;
  if (most == file_limit) {
    return mesh_fail(reading, "exceeds the limit of %llu bytes", (unsigned long long)file_limit);
  }
  return mesh_fail(reading,
                   "entry \"%s\" expands to %llu bytes, too many for a file of %zu; --allow-large reads the file "
                   "anyway",
                   name, (unsigned long long)entry->plain_size, reading->size);
}

/* Finds the beginning of the bytes of an entry: after its local header, whose name and extra field have their own
 * lengths. */
static const char *find_content(const mesh_reading *reading, const zip_entry *entry) {
  const char *const head = reading->bytes + entry->offset;
  const size_t left = reading->size - (size_t)entry->offset - LOCAL_BYTES; /* not negative, as read_entry has checked */
  if (load(head, 4) != signature_local) return NULL;
  const size_t skipped = (size_t)(load(head + 26, 2) + load(head + 28, 2));
  if (skipped > left || entry->packed_size > left - skipped) return NULL;
  return head + LOCAL_BYTES + skipped;
}

/* zlib counts in 32 bits, so large entries are processed in pieces. */
static bool inflate_content(const mesh_reading *reading, const char *from, const zip_entry *entry, char *to,
                            const char *name) {
  enum { RAW_WINDOW = -15, PIECE_BYTES = 1 << 30 };
  mesh_memory memory = reading->memory;
  z_stream stream = {.zalloc = zlib_allocate, .zfree = zlib_release, .opaque = &memory};
  if (inflateInit2(&stream, RAW_WINDOW) != Z_OK) return mesh_fail(reading, "out of memory for decompression");
  uint64_t taken = 0, made = 0;
  int code = Z_OK;
  while (code == Z_OK) {
    const uint64_t input = entry->packed_size - taken, room = entry->plain_size - made;
    stream.next_in = (Bytef *)from + taken;
    stream.avail_in = (uInt)(input < PIECE_BYTES ? input : PIECE_BYTES);
    stream.next_out = (Bytef *)to + made;
    stream.avail_out = (uInt)(room < PIECE_BYTES ? room : PIECE_BYTES);
    code = inflate(&stream, Z_NO_FLUSH);
    taken = (uint64_t)((const char *)stream.next_in - from);
    made = (uint64_t)((char *)stream.next_out - to);
  }
  inflateEnd(&stream);
  if (code == Z_MEM_ERROR) return mesh_fail(reading, "out of memory for decompression");
  if (code == Z_STREAM_END && made == entry->plain_size && taken == entry->packed_size) return true;
  return mesh_fail(reading, "entry \"%s\" is damaged at its byte %llu", name, (unsigned long long)taken);
}

static uint32_t crc_of(const char *bytes, uint64_t size) {
  enum { PIECE_BYTES = 1 << 30 };
  uLong crc = crc32(0, NULL, 0);
  for (uint64_t at = 0; at < size; at += PIECE_BYTES) {
    crc = crc32(crc, (const Bytef *)bytes + at, (uInt)(size - at < PIECE_BYTES ? size - at : PIECE_BYTES));
  }
  return (uint32_t)crc;
}

bool zip_archive_extract(zip_archive *archive, const zip_entry *entry, char **bytes_out, size_t *size_out) {
  const mesh_reading *reading = archive->reading;
  const mesh_quote name = mesh_quote_text(entry->name, entry->name_length);
  if (entry->flags & FLAG_ENCRYPTED) return mesh_fail(reading, "entry \"%s\" is encrypted", name.text);
  if (entry->method != METHOD_STORED && entry->method != METHOD_DEFLATED) {
    return mesh_fail(reading, "entry \"%s\" is compressed by method %u; only 0 (stored) and 8 (deflated) are supported",
                     name.text, entry->method);
  }
  if (!check_size(archive, entry, name.text)) return false;
  const char *const from = find_content(reading, entry);
  if (!from) return mesh_fail(reading, "entry \"%s\" has a damaged header", name.text);
  const size_t size = (size_t)entry->plain_size;
  void *block = NULL;
  if (!mesh_resize(&reading->memory, &block, size + MESH_PADDING_BYTES, 1)) {
    return mesh_fail(reading, "out of memory for %zu bytes", size);
  }
  char *const bytes = block;
  bool done = true;
  if (entry->method == METHOD_STORED) {
    memcpy(bytes, from, size);
  } else {
    done = inflate_content(reading, from, entry, bytes, name.text);
  }
  if (done && crc_of(bytes, size) != entry->crc) {
    done = mesh_fail(reading, "entry \"%s\" is damaged: its checksum is %08lx, not %08lx", name.text,
                     (unsigned long)crc_of(bytes, size), (unsigned long)entry->crc);
  }
  if (!done) {
    mesh_release(&reading->memory, block);
    return false;
  }
  memset(bytes + size, 0, MESH_PADDING_BYTES);
  archive->extracted_bytes += size;
  *bytes_out = bytes;
  *size_out = size;
  return true;
}
