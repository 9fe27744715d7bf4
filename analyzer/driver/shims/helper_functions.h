#pragma once
// The CUDA samples' helpers that need no CUDA.
#include <helper_image.h>
#include <helper_string.h>
#include <helper_timer.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
