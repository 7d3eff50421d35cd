#include "record/alarm_recorder.h"

#include <algorithm>
#include <string_view>

#include "record/digests.h"
#include "record/read_block.h"
#include "record/run_format.h"
#include "record/run_reader.h"

namespace grouser::internal {
namespace {

/// Cut where it is too long, but not within a character.
template <std::size_t size>
std::array<char, size> padded(std::string_view text) {
  if (text.size() > size) {
    std::size_t end = size;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    text = text.substr(0, end);
  }
  std::array<char, size> bytes{};
  std::ranges::copy(text, bytes.begin());
  return bytes;
}

template <std::size_t size>
std::string unpadded(const std::array<char, size>& bytes) {
  const std::string_view text(bytes.data(), size);
  return std::string(text.substr(0, text.find_last_not_of('\0') + 1));
}

}  // namespace

template <class Work>
void AlarmRecorder::for_each_dataset(const Work& work) {
  work(time_, run_format::kAlarmTime);
  work(kind_, run_format::kAlarmKind);
  work(body_, run_format::kAlarmBody);
  work(message_, run_format::kAlarmMessage);
}

void AlarmRecorder::create(hid_t file) {
  const std::vector<std::string> kinds(kAlarmKindNames.begin(), kAlarmKindNames.end());
  h5::write_texts(file, run_format::kAlarmKinds, kinds);
  body_type_ = h5::text_type(run_format::kAlarmBodyBytes);
  message_type_ = h5::text_type(run_format::kAlarmMessageBytes);
  time_.type = H5T_NATIVE_DOUBLE;
  kind_.type = H5T_NATIVE_INT32;
  body_.type = body_type_.get();
  message_.type = message_type_.get();
  for_each_dataset([file](auto& data, const char* path) { data.create(file, path); });
  h5::set_attribute(time_.id.get(), "unit", std::string("s"));
  h5::set_attribute(kind_.id.get(), "names", std::string(run_format::kAlarmKinds));
  committed_id_ = h5::create_counts(file, run_format::kAlarmsCommitted, 1);
}

void AlarmRecorder::open(hid_t file) {
  for_each_dataset([file](auto& data, const char* path) { data.open(file, path); });
  committed_id_ = h5::open_dataset(file, run_format::kAlarmsCommitted);
}

void AlarmRecorder::release() {
  for_each_dataset([](auto& data, const char*) { data.close(); });
  committed_id_.reset();
}

void AlarmRecorder::add(const Alarm& alarm) {
  time_.waiting.push_back(alarm.time);
  kind_.waiting.push_back(static_cast<std::int32_t>(alarm.kind));
  body_.waiting.push_back(padded<run_format::kAlarmBodyBytes>(alarm.body));
  message_.waiting.push_back(padded<run_format::kAlarmMessageBytes>(alarm.message));
}

void AlarmRecorder::append() {
  appended_ = committed_ + static_cast<std::int64_t>(time_.waiting.size());
  for_each_dataset(
      [this](auto& data, const char*) { data.append(static_cast<hsize_t>(committed_)); });
}

void AlarmRecorder::commit() {
  if (appended_ == committed_) return;
  h5::write_counts(committed_id_.get(), std::span(&appended_, 1));
  committed_ = appended_;
}

std::vector<RunAlarm> read_alarms(hid_t file, int attempts) {
  using namespace run_format;
  if (!h5::exists(file, kAlarmsCommitted)) return {};
  const std::size_t count = h5::read_counts(file, kAlarmsCommitted, 1, attempts).front();
  const auto kinds = h5::read_texts(file, kAlarmKinds);
  const auto times = h5::read_rows<double>(file, kAlarmTime, H5T_NATIVE_DOUBLE, 0, count);
  const auto numbers = h5::read_rows<std::int32_t>(file, kAlarmKind, H5T_NATIVE_INT32, 0, count);
  const auto bodies = h5::read_rows<std::array<char, kAlarmBodyBytes>>(
      file, kAlarmBody, h5::text_type(kAlarmBodyBytes).get(), 0, count);
  const auto messages = h5::read_rows<std::array<char, kAlarmMessageBytes>>(
      file, kAlarmMessage, h5::text_type(kAlarmMessageBytes).get(), 0, count);
  std::vector<RunAlarm> alarms;
  for (std::size_t i = 0; i < count; ++i) {
    const auto kind = static_cast<std::size_t>(numbers[i]);
    if (kind >= kinds.size()) throw h5::Failure("it is damaged: unknown kind of alarm");
    alarms.push_back({times[i], kinds[kind], unpadded(bodies[i]), unpadded(messages[i])});
  }
  return alarms;
}

}  // namespace grouser::internal
