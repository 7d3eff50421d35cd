#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

/// Who may talk to the server of the viewer. A page of any site can send requests to this machine, and a host name of
/// any site can be made to lead here: neither the address nor the loopback interface keeps anybody out.
namespace grouser::internal {

/// 128 bits of the system's random source as 32 hexadecimal digits. Throws Error(io) if there is none.
std::string random_token();

/// Whether two texts are equal, in a time that depends on their lengths alone.
bool same_secret(std::string_view given, std::string_view secret);

/// Whether a Host header names this machine by its loopback address and the server's port, and nothing else.
bool is_own_host(std::string_view host, unsigned short port);

/// Whether an Origin header is that of the server's own page.
bool is_own_origin(std::string_view origin, unsigned short port);

/// What is asked for, percent signs decoded.
struct Target {
  std::string path;                          ///< "/api/frames"
  std::map<std::string, std::string> query;  ///< the last one counts if a name is there twice
};

/// Nothing if the text is no target of a request to this server: not absolute, bad percent signs, control characters,
/// or a path with "..".
std::optional<Target> parse_target(std::string_view text);

}  // namespace grouser::internal
