# c
Vertex 1 0 0 0
Vertex 2 1 0 0
Tet 1 1 1 2 2