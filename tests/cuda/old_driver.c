/* Replaces libcuda.so.1 by a CUDA driver that only reports that it is too old. */
int cuDriverGetVersion(int *version_out);
int cuInit(unsigned flags);

int cuDriverGetVersion(int *version_out) {
  *version_out = 9000;
  return 0;
}

int cuInit(unsigned flags) {
  (void)flags;
  return 0;
}
