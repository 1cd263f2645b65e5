/* Replaces cuda_fp16.h on the host, where halves are integers: see cell_box.h. */
