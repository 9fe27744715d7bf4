#pragma once

struct Particles {
  double *x, *v;
};

__global__ void step(Particles p);
