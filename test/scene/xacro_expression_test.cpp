#include "scene/xacro_expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numbers>

namespace grouser::internal {
namespace {

using testing::HasSubstr;

const std::map<std::string, XacroValue> kNames = {
    {"x", 2.5},
    {"n", 7},
    {"side", "left"},
    {"on", true},
    {"none", XacroValue()},
    {"sizes", XacroList{1, 2.5, "a"}},
    {"wheel", XacroDict{{"radius", 0.2}, {"name", "front"}}},
};

XacroValue value_of(const std::string& text) {
  const ExpressionNames names{
      .find = [](const std::string& name) -> std::optional<XacroValue> {
        const auto found = kNames.find(name);
        return found == kNames.end() ? std::nullopt : std::optional(found->second);
      },
      .call = [](const std::string&, const std::vector<XacroValue>&) { return std::nullopt; },
      .known =
          [] {
            return std::vector<std::string>{"sizes", "wheel", "side"};
          }};
  return evaluate_expression(text, names);
}

std::string text_of(const std::string& text) { return to_text(value_of(text)); }

std::string error_of(const std::string& text) {
  try {
    return "no error: " + text_of(text);
  } catch (const ExpressionError& error) {
    return error.what();
  }
}

// What Python 3 prints for the same expressions.
TEST(XacroExpression, PrintsWhatPythonPrints) {
  const std::pair<const char*, const char*> cases[] = {
      {"1 + 2 * 3", "7"},
      {"(1 + 2) * 3", "9"},
      {"7 / 2", "3.5"},
      {"6 / 2", "3.0"},
      {"7 // 2", "3"},
      {"-7 // 2", "-4"},
      {"-7 % 3", "2"},
      {"7.5 % -2", "-0.5"},
      {"2 ** 3 ** 2", "512"},
      {"-2 ** 2", "-4"},
      {"2 ** -1", "0.5"},
      {"1e-3", "0.001"},
      {".5 + 1.", "1.5"},
      {"1 == 1.0", "True"},
      {"1 < 2 < 3", "True"},
      {"3 > 2 > 2", "False"},
      {"'a' + 'b' * 2", "abb"},
      {"'left' if x > 2 else 'right'", "left"},
      {"1 if false else 2 if true else 3", "2"},
      {"not on and x", "False"},
      {"0 or 'b'", "b"},
      {"on and 'yes'", "yes"},
      {"'ef' in side", "True"},
      {"'up' not in side", "True"},
      {"2.5 in sizes", "True"},
      {"sizes[-1]", "a"},
      {"wheel['radius'] * 2", "0.4"},
      {"wheel.name", "front"},
      {"{'a': 1, 'b': [1, 2]}['b'][1]", "2"},
      {"[1, 'b']", "[1, 'b']"},
      {"len(sizes) + len('abc')", "6"},
      {"min(3, 1, 2)", "1"},
      {"max([3.5, 1])", "3.5"},
      {"round(2.5)", "2"},
      {"round(3.5)", "4"},
      {"round(2.675, 1)", "2.7"},
      {"int('12') + int(3.9)", "15"},
      {"int(-3.9)", "-3"},
      {"float('1e2')", "100.0"},
      {"str(1.0) + 'm'", "1.0m"},
      {"abs(-3)", "3"},
      {"sum(range(5))", "10"},
      {"sorted([3, 1, 2])[0]", "1"},
      {"side.upper()", "LEFT"},
      {"'a,b'.split(',')[1]", "b"},
      {"side.startswith('le')", "True"},
      {"floor(-1.5)", "-2"},
      {"True + 1", "2"},
      {"10 ** 20", "1e+20"},
  };
  for (const auto& [expression, expected] : cases) {
    EXPECT_EQ(text_of(expression), expected) << expression;
  }
}

TEST(XacroExpression, KnowsMathematics) {
  EXPECT_DOUBLE_EQ(value_of("sin(pi / 6)").number(), 0.5);
  EXPECT_DOUBLE_EQ(value_of("math.sqrt(math.pow(3, 2) + 16)").number(), 5);
  EXPECT_DOUBLE_EQ(value_of("radians(180)").number(), std::numbers::pi);
  EXPECT_DOUBLE_EQ(value_of("degrees(atan2(1, 1))").number(), 45);
  EXPECT_DOUBLE_EQ(value_of("hypot(3, 4) + log(e) + fabs(-1)").number(), 7);
  EXPECT_DOUBLE_EQ(value_of("-x").number(), -2.5);
}

// What `and`, `or` and `if` pass over may be wrong.
TEST(XacroExpression, LeavesAsideWhatIsNotChosen) {
  EXPECT_EQ(text_of("1 if true else missing / 0"), "1");
  EXPECT_EQ(text_of("missing if false else 2"), "2");
  EXPECT_EQ(text_of("false and missing"), "False");
  EXPECT_EQ(text_of("true or sqrt(-1)"), "True");
}

TEST(XacroExpression, SaysWhatIsWrong) {
  EXPECT_THAT(error_of("whel.radius"), HasSubstr("did you mean 'wheel'"));
  EXPECT_THAT(error_of("1 / 0"), HasSubstr("division by zero"));
  EXPECT_THAT(error_of("sqrt(-1)"), HasSubstr("negative"));
  EXPECT_THAT(error_of("1 +"), HasSubstr("not complete"));
  EXPECT_THAT(error_of(""), HasSubstr("not complete"));
  EXPECT_THAT(error_of("(1"), HasSubstr("')' is missing"));
  EXPECT_THAT(error_of("1 2"), HasSubstr("'2' is not expected"));
  EXPECT_THAT(error_of("1 2 if on else 3"), HasSubstr("'2' is not expected"));
  EXPECT_THAT(error_of("'abc"), HasSubstr("does not close"));
  EXPECT_THAT(error_of("side * 1.5"), HasSubstr("not the text 'left'"));
  EXPECT_THAT(error_of("side - 1"), HasSubstr("needs a number"));
  EXPECT_THAT(error_of("wheel['mass']"), HasSubstr("no key 'mass'"));
  EXPECT_THAT(error_of("sizes[3]"), HasSubstr("outside 0 ... 2"));
  EXPECT_THAT(error_of("cosine(1)"), HasSubstr("'cosine' is not supported"));
  EXPECT_THAT(error_of("[i for i in sizes]"), HasSubstr("'for' in expressions is not supported"));
  EXPECT_THAT(error_of("lambda: 1"), HasSubstr("not supported"));
  EXPECT_THAT(error_of("side[0:2]"), HasSubstr("slices are not supported"));
  EXPECT_THAT(error_of("sin()"), HasSubstr("takes 1 argument"));
  EXPECT_THAT(error_of("a @ b"), HasSubstr("'@' is not supported"));
}

TEST(XacroExpression, IsBounded) {
  EXPECT_THAT(error_of(std::string(5000, '(') + "1"), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of(std::string(5000, '-') + "1"), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of("'abc' * 10000000"), HasSubstr("too long"));
  EXPECT_THAT(error_of("range(10 ** 9)"), HasSubstr("too long"));
  EXPECT_THAT(error_of(std::string(30'000, '1')), HasSubstr("too long"));
  EXPECT_EQ(text_of("9223372036854775807 + 1"), "9.223372036854776e+18");
}

TEST(XacroValue, LiteralsBecomeWhatTheyMean) {
  EXPECT_EQ(literal_value("12").integer(), 12);
  EXPECT_EQ(literal_value(" -1.5e2 ").number(), -150);
  EXPECT_TRUE(literal_value("true").is_bool());
  EXPECT_EQ(*literal_value("'12'").string(), "12");
  EXPECT_EQ(*literal_value("''").string(), "");
  EXPECT_EQ(*literal_value("1 2 3").string(), "1 2 3");
  EXPECT_EQ(*literal_value("inf").string(), "inf");
  EXPECT_EQ(*literal_value("1_0").string(), "1_0");
}

}  // namespace
}  // namespace grouser::internal
