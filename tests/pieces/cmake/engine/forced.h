#pragma once
#define FROM_FORCED_HEADER
