#pragma once
// The part of the CUDA samples' helper_image.h that code calls: images, files of numbers, and
// comparisons with a reference.
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#ifndef MIN
#define MIN(a, b) ((a < b) ? a : b)
#endif
#ifndef MAX
#define MAX(a, b) ((a > b) ? a : b)
#endif

template <class T>
bool sdkLoadPGM(const char* name, T** data, unsigned int* width, unsigned int* height);
template <class T>
bool sdkSavePGM(const char* name, T* data, unsigned int width, unsigned int height);
template <class T>
bool sdkLoadPPM4(const char* name, T** data, unsigned int* width, unsigned int* height);
bool sdkLoadPPM4ub(const char* name, unsigned char** data, unsigned int* width,
                   unsigned int* height);
bool sdkSavePPMub(const char* name, unsigned char* data, unsigned int width, unsigned int height);
bool sdkSavePPM4ub(const char* name, unsigned char* data, unsigned int width, unsigned int height);
bool __loadPPM(const char* name, unsigned char** data, unsigned int* width, unsigned int* height,
               unsigned int* channels);
bool __savePPM(const char* name, unsigned char* data, unsigned int width, unsigned int height,
               unsigned int channels);

template <class T>
bool sdkReadFile(const char* name, T** data, unsigned int* length, bool verbose);
template <class T>
bool sdkReadFileBlocks(const char* name, T** data, unsigned int* length, unsigned int block,
                       unsigned int block_size, bool verbose);
template <class T, class S>
bool sdkWriteFile(const char* name, const T* data, unsigned int length, const S epsilon,
                  bool verbose, bool append = false);
void sdkDumpBin(void* data, unsigned int bytes, const char* name);

template <class T, class S>
bool compareData(const T* reference, const T* data, const unsigned int length, const S epsilon,
                 const float threshold);
template <class T, class S>
bool compareDataAsFloatThreshold(const T* reference, const T* data, const unsigned int length,
                                 const S epsilon, const float threshold);
bool sdkCompareL2fe(const float* reference, const float* data, const unsigned int length,
                    const float epsilon);
bool sdkCompareBin2BinUint(const char* name, const char* reference, unsigned int elements,
                           const float epsilon, const float threshold, char* program);
bool sdkCompareBin2BinFloat(const char* name, const char* reference, unsigned int elements,
                            const float epsilon, const float threshold, char* program);
bool sdkComparePPM(const char* name, const char* reference, const float epsilon,
                   const float threshold, bool verbose);
bool sdkComparePGM(const char* name, const char* reference, const float epsilon,
                   const float threshold, bool verbose);
