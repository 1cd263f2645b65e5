/* A row of cubes, one on each rank of an MPI job, that move apart. docs/guide/many_machines.md explains this program.
 */
#include <graze/mpi.h>

#include <stdio.h>

static const double cube_corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                          {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const uint32_t cube_triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                               {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

/* Ends the job if a step has failed on any rank; every rank has the message. */
static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "graze: %s\n", graze_mpi_error_text());
  MPI_Abort(MPI_COMM_WORLD, 2);
}

/* The object has the number of its rank, so that all ranks agree on its name. */
static graze_result make_scene(int rank, graze_scene **scene, graze_object *object) {
  graze_mesh_def mesh = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  mesh.positions = (graze_view){cube_corners, 8, 0, GRAZE_FORMAT_DOUBLE3};
  mesh.triangles = (graze_view){cube_triangles, 12, 0, GRAZE_FORMAT_UINT32_3};
  placed.global_numbers = true;
  placed.global_object = (uint32_t)rank;
  const graze_result result = graze_scene_create(NULL, scene);
  return result == GRAZE_OK ? graze_scene_add(*scene, GRAZE_KIND_TRIANGLE, &mesh, &placed, object) : result;
}

/* The depth of the deepest of this rank's pairs. */
static graze_result deepest(const graze_mpi *all, const graze_pairs *pairs, double *depth_out) {
  graze_contacts contacts = {0};
  const graze_result result =
      graze_scene_make_contacts(graze_mpi_part(all), pairs->pairs, pairs->count, NULL, &contacts);
  *depth_out = 0;
  for (size_t i = 0; i < contacts.count; i++)
    if (contacts.contacts[i].depth > *depth_out) *depth_out = contacts.contacts[i].depth;
  graze_contacts_free(&contacts);
  return result;
}

int main(int count, char **words) {
  int rank;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  graze_mpi *all;
  expect_ok(graze_mpi_create(MPI_COMM_WORLD, NULL, &all));
  graze_scene *scene;
  graze_object cube;
  graze_result made = make_scene(rank, &scene, &cube);
  expect_ok(graze_mpi_agree(all, made, graze_error_text()));
  graze_pairs pairs = {0};
  for (int frame = 0; frame < 3; frame++) {
    graze_pose pose = graze_pose_identity();
    pose.translation[0] = rank * (1.5 + 0.4 * frame);
    pose.translation[1] = rank % 2 * 0.3;
    pose.translation[2] = rank % 2 * 0.2;
    expect_ok(graze_mpi_agree(all, graze_object_set_pose(scene, cube, &pose), graze_error_text()));
    graze_mpi_totals totals = {.struct_bytes = sizeof totals};
    expect_ok(graze_mpi_find_pairs(all, scene, NULL, &pairs, &totals));
    double depth, greatest;
    expect_ok(graze_mpi_agree(all, deepest(all, &pairs, &depth), graze_error_text()));
    MPI_Reduce(&depth, &greatest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
      printf("frame %d: %llu pairs, depth %.2f, hash %016llx\n", frame, (unsigned long long)totals.pair_count, greatest,
             (unsigned long long)totals.hash);
  }
  graze_pairs_free(&pairs);
  graze_mpi_destroy(all);
  graze_scene_destroy(scene);
  MPI_Finalize();
  return 0;
}
