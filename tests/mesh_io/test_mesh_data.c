/* Reads published meshes with known numbers of vertices and triangles. Requires the folder GRAZE_DATA; skipped without
 * it. */
#include "mesh_set.h"
#include "reading_tools.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Vertices of STL files are counted after welding, polygons after fanning. */
static const struct {
  const char *path;
  size_t vertex_count, triangle_count;
} files[] = {
    {"meshes/bunny_7k.off", 3485, 6966},
    {"meshes/bunny_25k.obj.gz", 12500, 24996},
    {"meshes/stanford-bunny.obj.gz", 35947, 69451},
    {"meshes/bunny_100k.obj.gz", 50000, 99996},
    {"meshes/armadillo_29k.obj.gz", 14587, 29170},
    {"meshes/armadillo_86k.obj.gz", 43243, 86482},
    {"meshes/dragon_100k.obj.gz", 50000, 100000},
    {"meshes/buddha_100k.obj.gz", 49950, 100000},
    {"meshes/max-planck_10k.obj.gz", 5272, 10540},
    {"meshes/cow.obj", 2903, 5804},
    {"meshes/fandisk.obj.gz", 6475, 12946},
    {"meshes/rocker-arm.obj.gz", 10044, 20088},
    {"meshes/crank-case.obj.gz", 17724, 35492},
    {"meshes/cycloidal-gear.ply.gz", 21384, 43368},
    {"meshes/tray-bottom.stl.gz", 2216, 4520},
    {"meshes/sword.obj.gz", 22293, 44582},
    {"meshes/mannequin-devil.off.gz", 12977, 25888},
    {"meshes/elephant.off", 2775, 5558},
    {"meshes/thingi_40509.stl.gz", 7208, 14370},
    {"meshes/twin_left.obj.gz", 9874, 19704},
    {"meshes/chair_soup.off", 2564, 1804},
    {"meshes/bunny_soup.off.gz", 14904, 4968},
    {"meshes/fcl_env.obj", 6540, 2180},
    {"meshes/fcl_rob.obj", 648, 216},
    {"meshes/degenerated-sd.off.gz", 7068, 13477},
    {"meshes/coplanar_cubes.off", 80, 120},
    {"meshes/spheres_intersecting.off", 324, 640},
    {"meshes/cube_with_fold.ply", 26, 48},
    {"meshes/two-boxes-bad-self-union.ply", 486, 708},
    {"meshes/sliver_tet.ply", 5009, 4},
    {"meshes/cray_left.obj", 292, 576},
    {"meshes/cray_right.obj", 8, 12},
    {"meshes/thingi_88566.stl.gz", 2624, 5344},
    {"meshes/thingi_58011.stl.gz", 13215, 26430},
    {"meshes/thingi_908460.stl.gz", 18035, 36074},
    {"meshes/thingi_73416.stl.gz", 38396, 76840},
    {"meshes/thingi_1063852.stl.gz", 34274, 68548},
    {"meshes/thingi_72214.stl.gz", 830, 1660},
    {"scenes/cloth-ball/cloth_ball92.ply", 46598, 92230},
    {"scenes/cloth-ball/cloth_ball93.ply", 46598, 92230},
    {"scenes/armadillo-rollers/326.ply", 12135, 24242},
    {"scenes/armadillo-rollers/327.ply", 12135, 24242},
    {"scenes/cloth-funnel/227.ply", 9450, 18484},
    {"scenes/cloth-funnel/228.ply", 9450, 18484},
    {"scenes/kick/shell36.obj.gz", 12811, 25472},
    {"scenes/kick/shell37.obj.gz", 12811, 25472},
    {"scenes/kick/shell38.obj.gz", 12811, 25472},
    {"scenes/kick/shell39.obj.gz", 12811, 25472},
    {"scenes/kick/shell40.obj.gz", 12811, 25472},
    {"scenes/kick/shell41.obj.gz", 12811, 25472},
    {"scenes/kick/unfixed36.obj.gz", 12811, 25472},
    {"scenes/kick/unfixed38.obj.gz", 12811, 25472},
    {"scenes/kick/unfixed40.obj.gz", 12811, 25472},
    {"scenes/kick/unfixed60.obj.gz", 12811, 25472},
    {"scenes/horse-poses/horse_ref.obj.gz", 8431, 16843},
    {"scenes/horse-poses/horse-01.obj.gz", 8431, 16843},
    {"scenes/horse-poses/horse-04.obj.gz", 8431, 16843},
    {"scenes/horse-poses/horse-07.obj.gz", 8431, 16843},
    {"scenes/horse-poses/horse-10.obj.gz", 8431, 16843},
    {"scenes/dress/stage.obj.gz", 15656, 29456},
    {"scenes/dress/drape_old.obj.gz", 28467, 54928},
    {"scenes/dress/drape.obj.gz", 28467, 54928},
    {"scenes/two-cubes/two-cubes-far.ply", 262, 480},
    {"scenes/two-cubes/two-cubes-close.ply", 262, 480},
    {"scenes/two-cubes/two-cubes-intersecting.ply", 262, 480},
    {"scenes/toddlerbot/toddlerbot.ply.gz", 665785, 1352016},
};

/* Tetrahedra; the note reports the boundary triangles of some files. */
static const struct {
  const char *path;
  size_t vertex_count, tetrahedron_count, boundary_count;
  const char *note;
} volumes[] = {
    {"tets/bunny.msh.gz", 4670, 19379, 6266, NULL},
    {"tets/Armadillo2.5K.vtk.gz", 2542, 9199, 4000, NULL},
    {"tets/Armadillo13K.msh.gz", 13230, 54985, 17296, NULL},
    {"tets/Armadillo28K.vtk.gz", 27951, 121190, 34592, NULL},
    {"tets/sphere1K.msh.gz", 1760, 6851, 2474, NULL},
    {"tets/dolphin5K.msh.gz", 8111, 36304, 10000, NULL},
    {"tets/mat40x40.msh.gz", 3200, 9126, 6396, NULL},
    {"tets/plate57_1e-3.vtk.gz", 6498, 18816, 12992, NULL},
    {"tets/hand.mesh.gz", 7234, 29998, 9556, "skipped 9,556 triangles: the file has tetrahedra"},
    {"tets/octopus-low.mesh", 452, 1140, 898, "skipped 898 triangles: the file has tetrahedra"},
    {"tets/spike.msh", 5, 2, 6, NULL},
    {"tets/wedge.msh", 6, 3, 8, NULL},
    {"tets/OverhandKnot_5.t.gz", 21493, 57075, 39744, NULL},
};

/* Spheres; dragon.sph has some of its lines switched off. */
static const struct {
  const char *path;
  size_t sphere_count;
} spheres[] = {
    {"spheres/fibrinogen.sph", 60},
    {"spheres/HIV1_ENV.sph", 73},
    {"spheres/dragon.sph", 59},
    {"spheres/floor.sph.gz", 2520},
};

TEST(counts_are_as_stated) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", getenv("GRAZE_DATA"), files[i].path);
    OWNED(mesh_set) made = read_set(path, NULL);
    if (made.count != 1 || made.meshes->vertex_count != files[i].vertex_count ||
        made.meshes->triangle_count != files[i].triangle_count) {
      fail_msg("%s: %zu vertices and %zu triangles", files[i].path, made.meshes->vertex_count,
               made.meshes->triangle_count);
    }
    for (size_t j = 0; j < 3 * made.meshes->triangle_count; j++)
      assert_true(made.meshes->triangles[j] < made.meshes->vertex_count);
  }
}

/* Split or not, the triangles are the same in the same order. */
TEST(parts_make_the_whole) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[1024], error[1280];
    mesh *whole, *parts;
    size_t whole_count, part_count;
    const mesh_read_options separate = {.separate = true};
    snprintf(path, sizeof path, "%s/%s", getenv("GRAZE_DATA"), files[i].path);
    if (!mesh_file_read(path, NULL, &whole, &whole_count, error, sizeof error)) fail_msg("%s", error);
    if (!mesh_file_read(path, &separate, &parts, &part_count, error, sizeof error)) fail_msg("%s", error);
    size_t corner = 0;
    for (size_t j = 0; j < part_count; j++) {
      for (size_t k = 0; k < 3 * parts[j].triangle_count; k++, corner++) {
        const double *a = parts[j].positions + 3 * (size_t)parts[j].triangles[k];
        const double *b = whole->positions + 3 * (size_t)whole->triangles[corner];
        if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2]) fail_msg("%s: corner %zu differs", path, corner);
      }
    }
    assert_int_equal(corner, 3 * whole->triangle_count);
    mesh_list_free(whole, whole_count);
    mesh_list_free(parts, part_count);
  }
}

/* The corners of a face in ascending order. */
typedef struct sorted_face {
  uint32_t corners[3];
} sorted_face;

static int compare_faces(const void *a, const void *b) {
  return memcmp(a, b, sizeof(sorted_face)); /* any order will do */
}

/* Faces that one tetrahedron alone has. */
static size_t count_boundary(const mesh *m) {
  const size_t count = 4 * m->tetrahedron_count;
  OWNED_MEMORY sorted_face *faces = malloc(count * sizeof *faces);
  for (size_t i = 0; i < count; i++) {
    uint32_t *face = faces[i].corners;
    for (size_t j = 0, k = 0; j < 4; j++) {
      if (j != i % 4) face[k++] = m->tetrahedra[4 * (i / 4) + j];
    }
    for (int j = 0; j < 3; j++) {
      const int a = j % 2;
      if (face[a] <= face[a + 1]) continue;
      const uint32_t swapped = face[a];
      face[a] = face[a + 1];
      face[a + 1] = swapped;
    }
  }
  qsort(faces, count, sizeof *faces, compare_faces);
  size_t boundary = 0;
  for (size_t i = 0; i < count; i++) {
    const bool as_before = i > 0 && compare_faces(&faces[i], &faces[i - 1]) == 0;
    const bool as_after = i + 1 < count && compare_faces(&faces[i], &faces[i + 1]) == 0;
    boundary += !as_before && !as_after;
  }
  return boundary;
}

TEST(volumes_are_as_stated) {
  for (size_t i = 0; i < sizeof volumes / sizeof *volumes; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", getenv("GRAZE_DATA"), volumes[i].path);
    OWNED(mesh_set) made = read_set(path, NULL);
    assert_int_equal(made.count, 1);
    assert_int_equal(made.meshes->kind, MESH_TETRAHEDRA);
    if (made.meshes->vertex_count != volumes[i].vertex_count ||
        made.meshes->tetrahedron_count != volumes[i].tetrahedron_count) {
      fail_msg("%s: %zu vertices and %zu tetrahedra", volumes[i].path, made.meshes->vertex_count,
               made.meshes->tetrahedron_count);
    }
    for (size_t j = 0; j < 4 * made.meshes->tetrahedron_count; j++)
      assert_true(made.meshes->tetrahedra[j] < made.meshes->vertex_count);
    assert_int_equal(count_boundary(made.meshes), volumes[i].boundary_count);
    assert_int_equal(made.meshes->note != NULL, volumes[i].note != NULL);
    if (made.meshes->note) assert_string_equal(made.meshes->note, volumes[i].note);
  }
}

TEST(spheres_are_as_stated) {
  for (size_t i = 0; i < sizeof spheres / sizeof *spheres; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", getenv("GRAZE_DATA"), spheres[i].path);
    OWNED(mesh_set) made = read_set(path, NULL);
    assert_int_equal(made.count, 1);
    assert_int_equal(made.meshes->kind, MESH_SPHERES);
    assert_int_equal(made.meshes->vertex_count, spheres[i].sphere_count);
    for (size_t j = 0; j < made.meshes->vertex_count; j++) assert_true(made.meshes->radii[j] > 0);
    assert_null(made.meshes->note);
  }
}

TEST_REQUIRES("GRAZE_DATA")
