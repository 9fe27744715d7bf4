#include "analyzer/driver/spaced_launches.h"

#include <gmock/gmock.h>

namespace xfer::lint {
namespace {

using testing::Eq;
using testing::Optional;

TEST(SpacedLaunches, CloseUpToTheLeft) {
  EXPECT_THAT(close_up_launches("k << <g, b >> > (x);"), Optional(Eq("k <<< g, b >>>  (x);")));
  EXPECT_THAT(close_up_launches("k<<  < 1, 2>>>(x);"), Optional(Eq("k<<<   1, 2>>>(x);")));
}

TEST(SpacedLaunches, EachOfTheText) {
  EXPECT_THAT(close_up_launches("a << <1,\n 2>> >(x);\nb << <1, 2 >> >(y);\n"),
              Optional(Eq("a <<< 1,\n 2>>> (x);\nb <<< 1, 2 >>> (y);\n")));
}

TEST(SpacedLaunches, OnlyTheLaunchsOwnEnd) {
  EXPECT_THAT(close_up_launches("k << <1, 2>>>(x); vector<vector<vector<int>> > v;"),
              Optional(Eq("k <<< 1, 2>>>(x); vector<vector<vector<int>> > v;")));
}

TEST(SpacedLaunches, NotWithoutALaunch) {
  EXPECT_FALSE(close_up_launches("k<<<1, 2>>>(x);"));
  EXPECT_FALSE(close_up_launches("vector<vector<vector<int>> > v;"));
  EXPECT_FALSE(close_up_launches("out << a << b < c;"));
  EXPECT_FALSE(close_up_launches("friend ostream& operator<< <T>(ostream&, T);"));
  EXPECT_FALSE(close_up_launches("1 <<"));
  EXPECT_THAT(close_up_launches("<< <"), Optional(Eq("<<< ")));
}

}  // namespace
}  // namespace xfer::lint
