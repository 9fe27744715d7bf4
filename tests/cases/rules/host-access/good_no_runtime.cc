// Without the CUDA runtime and tensors pointers are nobody's business.

void launch(float*);

float first(int n) {
  float* p = new float[n];
  launch(p);
  float* q = p;
  return q[0];
}
