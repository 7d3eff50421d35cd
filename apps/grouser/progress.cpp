#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/log.h"
#include "core/long_task.h"

namespace grouser::internal {
namespace {

constexpr double kTerminalSeconds = 0.1;
constexpr double kPlainSeconds = 2;
constexpr long kStepsPerLook = 64;  // reading the clock every step would cost more than the bar

std::string duration_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  const int minutes = static_cast<int>(seconds / 60);
  if (minutes < 60) return fmt::format("{} min {:02.0f} s", minutes, seconds - 60.0 * minutes);
  return fmt::format("{} h {:02d} min", minutes / 60, minutes % 60);
}

}  // namespace

std::string progress_bar(double done) {
  constexpr int kWidth = 24;
  const int filled = static_cast<int>(done * kWidth);
  std::string text;
  for (int i = 0; i < kWidth; ++i) text += i < filled ? "█" : "░";
  return text;
}

void show_long_tasks() {
  using Clock = std::chrono::steady_clock;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  set_progress_sink([terminal, told = Clock::now()](std::string_view task, double done) mutable {
    if (terminal) {
      const std::string line =
          done < 1 ? fmt::format("{} {} ({:.0f} %)", progress_bar(done), task, 100 * done) : "";
      fmt::print(stderr, "\r\033[K{}", line);
    } else if (std::chrono::duration<double>(Clock::now() - told).count() >= kPlainSeconds) {
      told = Clock::now();
      fmt::print(stderr, "{} ({:.0f} %)\n", task, 100 * done);
    }
    std::fflush(stderr);
  });
}

Progress::Progress(double start, double end, bool shown)
    : start_(start),
      end_(end),
      shown_(shown),
      terminal_(isatty(STDERR_FILENO) != 0),
      begun_(WallClock::now()),
      drawn_(begun_) {}

Progress::~Progress() {
  if (terminal_ && drew_) fmt::print(stderr, "\r\033[K");
}

void Progress::on_sample(const Sample& sample) {
  if (!shown_) return;
  double sum = 0;
  int contacts = 0;
  sinkage_ = 0;
  for (const WheelSample& wheel : sample.wheels) {
    if (wheel.normal <= 0) continue;
    sum += wheel.slip;
    sinkage_ = std::max(sinkage_, wheel.sinkage);
    ++contacts;
  }
  slip_ = contacts > 0 ? std::optional(sum / contacts) : std::nullopt;
}

void Progress::on_warning(const std::string& warning) {
  if (terminal_ && drew_) fmt::print(stderr, "\r\033[K");
  log(LogLevel::warning, warning);
}

void Progress::on_alarm(const Alarm& alarm) {
  on_warning(
      fmt::format("alarm at {:g} s, {}: {}", alarm.time, to_string(alarm.kind), alarm.message));
}

void Progress::on_step(double time, long steps) {
  if (!shown_ || steps % kStepsPerLook != 0) return;
  const double quiet = std::chrono::duration<double>(WallClock::now() - drawn_).count();
  if (quiet >= (terminal_ ? kTerminalSeconds : kPlainSeconds)) draw(time);
}

void Progress::draw(double time) {
  drawn_ = WallClock::now();
  drew_ = true;
  const double wall = std::chrono::duration<double>(drawn_ - begun_).count();
  const double done = std::clamp((time - start_) / (end_ - start_), 0.0, 1.0);
  const double factor = (time - start_) / wall;
  std::string line = fmt::format("{:8.2f} of {:g} s  {:.3g}× real time  {} left", time, end_,
                                 factor, duration_text(done > 0 ? wall * (1 - done) / done : 0));
  if (slip_) line += fmt::format("  slip {:+.2f}  sinkage {:.1f} mm", *slip_, 1e3 * sinkage_);
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{} {}", progress_bar(done), line);
  } else {
    fmt::print(stderr, "{}\n", line);
  }
  std::fflush(stderr);
}

}  // namespace grouser::internal
