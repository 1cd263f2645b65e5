/* The part of zlib's interface that mesh_io is compiled with, for the module, which has no zlib: plain_inflate.c
 * decompresses. What only writers and files use is declared, so that their code compiles, and defined nowhere: the
 * module leaves it out.
 *
 * Unlike zlib's, inflate takes all of the input in one call, and what it has made so far must stand before next_out. */
#ifndef GRAZE_ENGINE_ZLIB_H
#define GRAZE_ENGINE_ZLIB_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned char Byte;
typedef Byte Bytef;
typedef unsigned uInt;
typedef unsigned long uLong;
typedef void *voidpf;

typedef struct z_stream {
  const Bytef *next_in;
  uInt avail_in;
  Bytef *next_out;
  uInt avail_out;
  struct inflation *state;
  voidpf (*zalloc)(voidpf opaque, uInt items, uInt item_bytes);
  void (*zfree)(voidpf opaque, voidpf block);
  voidpf opaque;
} z_stream;

enum { Z_OK = 0, Z_STREAM_END = 1, Z_DATA_ERROR = -3, Z_MEM_ERROR = -4, Z_BUF_ERROR = -5 };
enum { Z_NO_FLUSH = 0, Z_FINISH = 4, Z_DEFAULT_COMPRESSION = -1, Z_DEFLATED = 8, Z_DEFAULT_STRATEGY = 0 };

/* window_bits above 15: with the header and trailer of gzip; below 0: without either. */
int inflateInit2(z_stream *stream, int window_bits);
/* Z_OK where the output is full, Z_STREAM_END at the end, Z_DATA_ERROR where the data cannot be, Z_BUF_ERROR where it
 * ends too early or nothing could be made. */
int inflate(z_stream *stream, int flush);
int inflateReset(z_stream *stream);
int inflateEnd(z_stream *stream);
uLong crc32(uLong crc, const Bytef *bytes, uInt count);

int deflateInit2(z_stream *stream, int level, int method, int window_bits, int memory_level, int strategy);
int deflate(z_stream *stream, int flush);
int deflateEnd(z_stream *stream);
typedef struct gzFile_s *gzFile;
gzFile gzopen(const char *path, const char *mode);
int gzread(gzFile file, void *bytes, unsigned count);
int gzclose(gzFile file);

#endif
