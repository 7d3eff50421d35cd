#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// Internal to record: what writer and reader of run.h5 agree on; see docs/run-format.md.
namespace grouser::internal::run_format {

inline constexpr const char* kFormatAttribute = "format";
inline constexpr const char* kFormatName = "grouser-run";
inline constexpr const char* kVersionAttribute = "format_version";
inline constexpr std::int64_t kVersion = 2;

/// Two counts, samples and events that are completely in the file, and their digest. Rows beyond are to be ignored.
inline constexpr const char* kCommitted = "/committed";

inline constexpr const char* kSceneText = "/scene/text";
inline constexpr const char* kVisuals = "/visuals";
inline constexpr const char* kEventNames = "/events/names";
inline constexpr const char* kEventTime = "/events/time";
inline constexpr const char* kEventIndex = "/events/index";
/// One count, alarms that are completely in the file, and its digest.
inline constexpr const char* kAlarmsCommitted = "/alarms/committed";
inline constexpr const char* kAlarmKinds = "/alarms/kinds";
inline constexpr const char* kAlarmTime = "/alarms/time";
inline constexpr const char* kAlarmKind = "/alarms/kind";
inline constexpr const char* kAlarmBody = "/alarms/body";
inline constexpr const char* kAlarmMessage = "/alarms/message";
inline constexpr std::size_t kAlarmBodyBytes = 160,
                             kAlarmMessageBytes = 352;  ///< longer ones are cut
inline constexpr const char* kQuantities = "/quantities";

/// One count, snapshots of the soil that are completely in the file, and its digest.
inline constexpr const char* kSoilCommitted = "/soil/committed";
inline constexpr const char* kSoilNames = "/soil/names";
inline constexpr const char* kSoilTime = "/soil/time";
inline constexpr const char* kSoilUntil = "/soil/until";
inline constexpr const char* kSoilBlocks = "/soil/blocks";
inline constexpr const char* kSoilChange = "/soil/change";
inline constexpr const char* kSoilCells = "/soil/cells";
inline constexpr const char* kSoilCellContact = "/soil/cell_contact";
inline constexpr int kSoilBlockSide = 16;  ///< nodes along the side of a block of the ground
inline constexpr std::size_t kSoilBlockSize = kSoilBlockSide * kSoilBlockSide;

/// Columns of /soil/cells.
struct SoilCellField {
  const char* label;
  const char* unit;
};
inline constexpr std::array<SoilCellField, 7> kSoilCellFields = {{{"x", "m"},
                                                                  {"y", "m"},
                                                                  {"z", "m"},
                                                                  {"sinkage", "m"},
                                                                  {"pressure", "Pa"},
                                                                  {"shear", "Pa"},
                                                                  {"normal", "N"}}};

}  // namespace grouser::internal::run_format
