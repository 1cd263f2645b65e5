Vertex 0 0 0 0
Vertex 1 1 0 0
Vertex 2 0 1 0
Vertex 3 0 0 1e-3
Tet 0 0 1 2 3
Tet 1 3 2 1 0
