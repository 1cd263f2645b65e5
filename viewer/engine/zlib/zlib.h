/* The part of zlib's interface that mesh_io needs, for the module, which has no zlib; plain_inflate.c implements it.
 * Functions that only writers and file readers use are declared, so that their code compiles, but not defined: the
 * linker removes that code.
 *
 * Unlike zlib's, inflate takes the entire input in one call, and its previous output must precede next_out. */
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

/* window_bits above 15 selects the gzip format; below 0 raw deflate data. */
int inflateInit2(z_stream *stream, int window_bits);
/* Returns Z_OK if the output is full, Z_STREAM_END at the end, Z_DATA_ERROR if the data is invalid, Z_BUF_ERROR if the
 * input ends too early or no progress is possible. */
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
