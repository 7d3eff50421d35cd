#include "view/access.h"

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

TEST(Access, TokensAreLongAndDiffer) {
  const std::string token = random_token();
  EXPECT_EQ(token.size(), 32u);
  EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(token, random_token());
}

TEST(Access, SecretsAreEqualAsAWholeOnly) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abd", "abc"));
  EXPECT_FALSE(same_secret("ab", "abc"));
  EXPECT_FALSE(same_secret("abcd", "abc"));
  EXPECT_FALSE(same_secret("", "abc"));
}

TEST(Access, HostsAreThisMachineAtThisPort) {
  for (const char* own : {"127.0.0.1:80", "localhost:80", "[::1]:80"})
    EXPECT_TRUE(is_own_host(own, 80));
  for (const char* other :
       {"127.0.0.1", "127.0.0.1:81", "127.0.0.1:80.evil.org", "evil.org:80",
        "127.0.0.1.evil.org:80", "localhost.evil.org:80", "0.0.0.0:80", "", "127.0.0.1:080"}) {
    EXPECT_FALSE(is_own_host(other, 80)) << other;
  }
}

TEST(Access, OriginsAreTheOwnPage) {
  EXPECT_TRUE(is_own_origin("http://127.0.0.1:80", 80));
  for (const char* other :
       {"null", "", "https://127.0.0.1:80", "http://evil.org", "http://127.0.0.1:80/", "file://"}) {
    EXPECT_FALSE(is_own_origin(other, 80)) << other;
  }
}

TEST(Access, TargetsAreDecoded) {
  const auto target = parse_target("/api/series?path=%2Fwheels%2Fslip&first=3&empty=&first=4");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/api/series");
  EXPECT_EQ(target->query.at("path"), "/wheels/slip");
  EXPECT_EQ(target->query.at("first"), "4");
  EXPECT_EQ(target->query.at("empty"), "");
}

TEST(Access, WaysOutOfTheFolderAndNonsenseAreNoTargets) {
  for (const char* bad :
       {"", "api", "http://a/", "/../etc/passwd", "/%2e%2e/etc/passwd", "/a%2f..%2fb", "/%", "/%4",
        "/%zz", "/%00", "/a\nb", "/?a=%0d", "/?%=1", "/% 41"}) {
    EXPECT_FALSE(parse_target(bad)) << bad;
  }
}

}  // namespace
}  // namespace grouser::internal
