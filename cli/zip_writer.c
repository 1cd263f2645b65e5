/* ZIP (PKWARE, APPNOTE.TXT - .ZIP File Format Specification, 2022), without its extensions for large archives.
 *
 * Workload: thousands of small texts and pictures. Each is compressed in memory, so that its local header can state
 * sizes and checksum, and the archive can be written to a pipe. */
#include "zip_writer.h"

#include "row_growth.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
  LOCAL_SIGNATURE = 0x04034b50,
  CENTRAL_SIGNATURE = 0x02014b50,
  END_SIGNATURE = 0x06054b50,
  VERSION_NEEDED = 20, /* 2.0: deflate */
  STORED = 0,
  DEFLATED = 8,
  RAW_WINDOW = -15,
  UTF8_NAMES = 1 << 11
};

/* ------------------------------------------------------------------------------------------------ bytes */

typedef struct byte_row {
  uint8_t bytes[64];
  size_t count;
} byte_row;

static void put_number(byte_row *row, uint64_t value, int byte_count) {
  for (int i = 0; i < byte_count; i++) row->bytes[row->count++] = (uint8_t)(value >> (8 * i));
}

static bool send_bytes(zip_writer *zip, const void *bytes, size_t count) {
  zip->written += count;
  return count == 0 || fwrite(bytes, 1, count, zip->stream) == count;
}

/* Writes the fields common to local and central headers, from the required version to the length of the name. */
static void put_common(const zip_writer *zip, const zip_record *record, byte_row *row) {
  put_number(row, VERSION_NEEDED, 2);
  put_number(row, UTF8_NAMES, 2);
  put_number(row, record->method, 2);
  put_number(row, zip->stamp, 4);
  put_number(row, record->crc, 4);
  put_number(row, record->packed_bytes, 4);
  put_number(row, record->plain_bytes, 4);
  put_number(row, strlen(record->name), 2);
  put_number(row, 0, 2); /* no extra field */
}

/* ------------------------------------------------------------------------------------------------ entries */

static uint32_t stamp_of(time_t time) {
  struct tm date;
  if (gmtime_r(&time, &date) == NULL || date.tm_year < 80) return (1u << 21) | (1u << 16); /* 1980-01-01 */
  const unsigned year = date.tm_year < 80 + 127 ? (unsigned)date.tm_year - 80 : 127;
  const unsigned day = year << 9 | ((unsigned)date.tm_mon + 1) << 5 | (unsigned)date.tm_mday;
  const unsigned clock = (unsigned)date.tm_hour << 11 | (unsigned)date.tm_min << 5 | (unsigned)date.tm_sec / 2;
  return day << 16 | clock;
}

zip_writer zip_writer_start(FILE *stream, time_t time) {
  return (zip_writer){.stream = stream, .stamp = stamp_of(time)};
}

/* NULL if that is not smaller, or when out of memory: the entry is then stored. */
static uint8_t *deflated(const void *bytes, size_t count, uint32_t *packed_out) {
  z_stream state = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)count};
  if (count == 0 || deflateInit2(&state, 6, Z_DEFLATED, RAW_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK) return NULL;
  uint8_t *packed = malloc(count);
  state.next_out = packed;
  state.avail_out = (uInt)count;
  const bool is_smaller = packed != NULL && deflate(&state, Z_FINISH) == Z_STREAM_END;
  *packed_out = (uint32_t)state.total_out;
  deflateEnd(&state);
  if (is_smaller) return packed;
  free(packed);
  return NULL;
}

static zip_record *append_record(zip_writer *zip, const char *name) {
  if (!rows_reserve(&zip->records, &zip->capacity, zip->count, 1, sizeof *zip->records)) return NULL;
  zip_record *record = &zip->records[zip->count];
  *record = (zip_record){.name = strdup(name), .offset = (uint32_t)zip->written};
  if (record->name == NULL) return NULL;
  zip->count++;
  return record;
}

bool zip_writer_add(zip_writer *zip, const char *name, const void *bytes, size_t count) {
  if (zip->count == ZIP_ENTRIES || count > UINT32_MAX || zip->written + count > UINT32_MAX) return false;
  zip_record *record = append_record(zip, name);
  if (record == NULL) return false;
  uint32_t packed_bytes = 0;
  uint8_t *packed = deflated(bytes, count, &packed_bytes);
  record->method = packed != NULL ? DEFLATED : STORED;
  record->packed_bytes = packed != NULL ? packed_bytes : (uint32_t)count;
  record->plain_bytes = (uint32_t)count;
  record->crc = (uint32_t)crc32(0, bytes, (uInt)count);
  byte_row header = {0};
  put_number(&header, LOCAL_SIGNATURE, 4);
  put_common(zip, record, &header);
  const bool is_written = send_bytes(zip, header.bytes, header.count) && send_bytes(zip, name, strlen(name)) &&
                          send_bytes(zip, packed != NULL ? packed : bytes, record->packed_bytes);
  free(packed);
  return is_written;
}

/* ------------------------------------------------------------------------------------------------ directory */

static bool send_central(zip_writer *zip, const zip_record *record) {
  byte_row header = {0};
  put_number(&header, CENTRAL_SIGNATURE, 4);
  put_number(&header, VERSION_NEEDED, 2); /* made by */
  put_common(zip, record, &header);
  put_number(&header, 0, 2); /* no comment */
  put_number(&header, 0, 2); /* of the first disk */
  put_number(&header, 0, 2); /* internal and external attributes */
  put_number(&header, 0, 4);
  put_number(&header, record->offset, 4);
  return send_bytes(zip, header.bytes, header.count) && send_bytes(zip, record->name, strlen(record->name));
}

bool zip_writer_finish(zip_writer *zip) {
  const uint64_t begin = zip->written;
  for (size_t i = 0; i < zip->count; i++)
    if (!send_central(zip, &zip->records[i])) return false;
  const uint64_t bytes = zip->written - begin;
  if (zip->written > UINT32_MAX) return false;
  byte_row end = {0};
  put_number(&end, END_SIGNATURE, 4);
  put_number(&end, 0, 4); /* this disk, and the disk of the directory */
  put_number(&end, zip->count, 2);
  put_number(&end, zip->count, 2);
  put_number(&end, bytes, 4);
  put_number(&end, begin, 4);
  put_number(&end, 0, 2); /* no comment */
  return send_bytes(zip, end.bytes, end.count);
}

void zip_writer_release(zip_writer *zip) {
  for (size_t i = 0; i < zip->count; i++) free(zip->records[i].name);
  free(zip->records);
  zip->records = NULL;
  zip->count = zip->capacity = 0;
}
