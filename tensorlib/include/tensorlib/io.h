// Files of other programs. Not part of <tensorlib/tensorlib.h>: include it where files are read.
#pragma once

#include "tensorlib/io/image.h"
#include "tensorlib/io/npy.h"
#include "tensorlib/io/safetensors.h"
