#pragma once

#include <array>
#include <vector>

#include "record/growing_dataset.h"
#include "record/run_format.h"
#include "sim/alarm.h"

namespace grouser::internal {

/// The alarms of a run file: /alarms/time, kind, body and message, a row per alarm. See docs/run-format.md.
class AlarmRecorder {
 public:
  /// Makes the datasets; then release() and open() around the change to streaming.
  void create(hid_t file);
  void open(hid_t file);
  void release();

  void add(const Alarm& alarm);
  bool is_waiting() const { return !time_.waiting.empty(); }
  /// Writes what waits; it counts once it is committed.
  void append();
  void commit();

 private:
  template <std::size_t size>
  using Text = std::array<char, size>;  // UTF-8, padded with zeros

  template <class Work>
  void for_each_dataset(const Work& work);

  h5::Handle body_type_, message_type_;
  h5::GrowingDataset<double> time_;
  h5::GrowingDataset<std::int32_t> kind_;
  h5::GrowingDataset<Text<run_format::kAlarmBodyBytes>> body_;
  h5::GrowingDataset<Text<run_format::kAlarmMessageBytes>> message_;
  h5::Handle committed_id_;
  std::int64_t committed_ = 0, appended_ = 0;
};

struct RunAlarm;

/// Back again: those that are completely in the file, none in a file of an older program.
std::vector<RunAlarm> read_alarms(hid_t file, int attempts);

}  // namespace grouser::internal
