#pragma once
// The part of the CUDA samples' helper_string.h that code calls: command line, files of samples.
#include <strings.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#endif
#ifndef STRNCASECMP
#define STRNCASECMP strncasecmp
#endif
#ifndef STRCPY
#define STRCPY(to, length, from) strcpy(to, from)
#endif
#ifndef FOPEN
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#endif
#ifndef FOPEN_FAIL
#define FOPEN_FAIL(file) (file == nullptr)
#endif
#ifndef FSCANF
#define FSCANF fscanf
#endif
#ifndef SPRINTF
#define SPRINTF sprintf
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

int stringRemoveDelimiter(char delimiter, const char* string);
int getFileExtension(char* name, char** extension);
bool checkCmdLineFlag(const int argc, const char** argv, const char* name);
template <class T>
bool getCmdLineArgumentValue(const int argc, const char** argv, const char* name, T* value);
int getCmdLineArgumentInt(const int argc, const char** argv, const char* name);
float getCmdLineArgumentFloat(const int argc, const char** argv, const char* name);
bool getCmdLineArgumentString(const int argc, const char** argv, const char* name, char** value);
char* sdkFindFilePath(const char* name, const char* program);
