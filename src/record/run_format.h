#pragma once

#include <cstdint>

/// Internal to record: what writer and reader of run.h5 agree on; see docs/run-format.md.
namespace grouser::run_format {

inline constexpr const char* kFormatAttribute = "format";
inline constexpr const char* kFormatName = "grouser-run";
inline constexpr const char* kVersionAttribute = "format_version";
inline constexpr std::int64_t kVersion = 1;

/// Two integers: samples and events that are completely in the file. Rows beyond are to be ignored.
inline constexpr const char* kCommitted = "/committed";

inline constexpr const char* kSceneText = "/scene/text";
inline constexpr const char* kVisuals = "/visuals";
inline constexpr const char* kEventNames = "/events/names";
inline constexpr const char* kEventTime = "/events/time";
inline constexpr const char* kEventIndex = "/events/index";
inline constexpr const char* kQuantities = "/quantities";

}  // namespace grouser::run_format
