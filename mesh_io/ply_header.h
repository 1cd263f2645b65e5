/* The header of a PLY file: its elements and their properties. */
#ifndef GRAZE_PLY_HEADER_H
#define GRAZE_PLY_HEADER_H

#include "mesh_io/mesh_reading.h"

/* The table of scalar types: name, other name, bytes. */
#define PLY_TYPE_LIST(X)                                                                                               \
  X(INT8, "char", "int8", 1)                                                                                           \
  X(UINT8, "uchar", "uint8", 1)                                                                                        \
  X(INT16, "short", "int16", 2)                                                                                        \
  X(UINT16, "ushort", "uint16", 2)                                                                                     \
  X(INT32, "int", "int32", 4)                                                                                          \
  X(UINT32, "uint", "uint32", 4)                                                                                       \
  X(FLOAT32, "float", "float32", 4)                                                                                    \
  X(FLOAT64, "double", "float64", 8)

typedef enum ply_type {
#define PLY_TYPE_ENUM(name, word, other_word, bytes) PLY_##name,
  PLY_TYPE_LIST(PLY_TYPE_ENUM)
#undef PLY_TYPE_ENUM
} ply_type;

typedef enum ply_format { PLY_ASCII, PLY_LITTLE_ENDIAN, PLY_BIG_ENDIAN } ply_format;

/* The role of a property or an element; everything else is skipped, and edges are counted. */
typedef enum ply_role { PLY_X = 0, PLY_Y = 1, PLY_Z = 2, PLY_RADIUS, PLY_INDICES, PLY_OTHER } ply_role;
typedef enum ply_kind { PLY_VERTICES, PLY_FACES, PLY_EDGES, PLY_OTHERS } ply_kind;

typedef struct ply_property {
  ply_role role;
  ply_type type;
  bool is_list;
  ply_type count_type; /* of a list */
} ply_property;

typedef struct ply_element {
  ply_kind kind;
  uint64_t count; /* as declared */
  size_t first_property, property_count;
} ply_element;

typedef struct ply_header {
  ply_format format;
  ply_element *elements;
  size_t element_count, element_capacity;
  ply_property *properties;
  size_t property_count, property_capacity;
  uint64_t vertex_count; /* as declared */
  bool has_spheres;      /* vertices have a radius, and there are no faces */
  const char *body;      /* the first byte after the header */
} ply_header;

/* Reads the header and checks that vertices have coordinates and faces have corners. */
bool ply_header_read(ply_header *header, const mesh_reading *reading);
void ply_header_free(ply_header *header, const mesh_memory *memory);

size_t ply_type_bytes(ply_type type);

#endif
