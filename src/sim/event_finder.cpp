#include "sim/event_finder.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {

EventFinder::EventFinder(const std::vector<EventSpec>& events, OdeSystem& system)
    : events_(events),
      system_(system),
      before_(events.size()),
      after_(events.size()),
      trial_(events.size()),
      y_(static_cast<std::size_t>(system.size())) {
  found_.reserve(events.size());
}

void EventFinder::start(double time, const double* y) { system_.events(time, y, before_.data()); }

double EventFinder::value_at(Integrator& integrator, std::size_t event, double time) {
  integrator.interpolate(time, y_.data());
  system_.events(time, y_.data(), trial_.data());
  return trial_[event];
}

/// Regula falsi with the Illinois rule: brackets like bisection, converges like the secant.
double EventFinder::locate(Integrator& integrator, std::size_t event, double from) {
  double low = integrator.previous_time(), high = integrator.time();
  double f_low = from, f_high = after_[event];
  constexpr int kMaxIterations = 60;
  constexpr double kResolution = 1e-14;  // of the time itself: about where doubles end
  for (int i = 0; i < kMaxIterations && high - low > kResolution * std::abs(high); ++i) {
    const double guess = high - f_high * (high - low) / (f_high - f_low);
    const double time = guess > low && guess < high ? guess : 0.5 * (low + high);
    const double f = value_at(integrator, event, time);
    if (f == 0) return time;
    if ((f > 0) == (f_high > 0)) {
      high = time;
      f_high = f;
      f_low *= 0.5;
    } else {
      low = time;
      f_low = f;
      f_high *= 0.5;
    }
  }
  return high;
}

const std::vector<EventRecord>& EventFinder::find(Integrator& integrator) {
  found_.clear();
  if (events_.empty()) return found_;
  system_.events(integrator.time(), integrator.y(), after_.data());
  for (std::size_t e = 0; e < events_.size(); ++e) {
    const double from = before_[e], to = after_[e];
    const bool rising = from < 0 && to >= 0, falling = from > 0 && to <= 0;
    const int direction = events_[e].direction;
    if ((rising && direction >= 0) || (falling && direction <= 0)) {
      const double time = to == 0 ? integrator.time() : locate(integrator, e, from);
      found_.push_back({static_cast<int>(e), time});
    }
    // On zero exactly, keep the old side: the crossing has been counted by then.
    before_[e] = to != 0 ? to : (rising ? 1.0 : falling ? -1.0 : from);
  }
  std::stable_sort(found_.begin(), found_.end(),
                   [](const EventRecord& a, const EventRecord& b) { return a.time < b.time; });
  return found_;
}

}  // namespace grouser::internal
