#include "view/access.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <charconv>

#include "core/error.h"

namespace grouser::internal {
namespace {

constexpr std::array<std::string_view, 3> kOwnNames = {"127.0.0.1", "localhost", "[::1]"};

std::optional<std::string> decoded(std::string_view text) {
  std::string plain;
  for (std::size_t k = 0; k < text.size(); ++k) {
    char c = text[k];
    if (c == '%') {
      unsigned value = 0;
      const char* first = text.data() + k + 1;
      if (k + 2 >= text.size()) return std::nullopt;
      const auto [end, error] = std::from_chars(first, first + 2, value, 16);
      if (error != std::errc() || end != first + 2) return std::nullopt;
      c = static_cast<char>(value);
      k += 2;
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return std::nullopt;
    plain += c;
  }
  return plain;
}

bool add_query(std::string_view text, std::map<std::string, std::string>& query) {
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto name = decoded(pair.substr(0, equals));
    const auto value = decoded(pair.substr(std::min(equals + 1, pair.size())));
    if (!name || !value) return false;
    query[*name] = *value;
  }
  return true;
}

}  // namespace

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Error(ErrorKind::io, {.message = "the system gives no random numbers"});
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool same_secret(std::string_view given, std::string_view secret) {
  if (given.size() != secret.size()) return false;
  volatile unsigned char difference = 0;  // volatile: the loop must not end early
  for (std::size_t k = 0; k < given.size(); ++k) {
    difference = static_cast<unsigned char>(difference | (given[k] ^ secret[k]));
  }
  return difference == 0;
}

bool is_own_host(std::string_view host, unsigned short port) {
  for (const std::string_view name : kOwnNames) {
    if (host == fmt::format("{}:{}", name, port)) return true;
  }
  return false;
}

bool is_own_origin(std::string_view origin, unsigned short port) {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && is_own_host(origin.substr(kScheme.size()), port);
}

std::optional<Target> parse_target(std::string_view text) {
  const std::size_t mark = std::min(text.find('?'), text.size());
  const auto path = decoded(text.substr(0, mark));
  if (!path || !path->starts_with('/') || path->find("..") != std::string::npos)
    return std::nullopt;
  Target target{.path = *path, .query = {}};
  if (!add_query(text.substr(std::min(mark + 1, text.size())), target.query)) return std::nullopt;
  return target;
}

}  // namespace grouser::internal
