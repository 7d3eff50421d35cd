#pragma once

#include <memory>
#include <string>

#include "sim/simulation.h"

namespace grouser::internal {

/// Shows a run in the browser while it goes on, and lets pages pause it, step it, slow it down and drive its rover. It
/// costs the run next to nothing: what pages cannot take in time is dropped, and a pause ends when the last page has
/// gone. As long as nobody drives, the run has the same bits as without it.
class LiveView : public Observer {
 public:
  /// Serves pages from now on, at a free port if `port` is 0. The World must outlive this. Throws Error(io).
  explicit LiveView(const World& world, unsigned short port = 0);
  ~LiveView() override;

  std::string address() const;
  int pages() const;
  /// Whether anybody drove the rover by hand: the scene alone does not repeat the run then.
  bool was_driven() const;

  /// As simulation.run_to(), stopping where pages ask for it. This must hear of its samples and steps (as observer).
  void run(Simulation& simulation, double end, const std::atomic<bool>& stop);
  /// Tells pages that the run is over.
  void finish(const std::string& outcome);

  void on_sample(const Sample& sample) override;
  void on_event(const EventRecord& event) override;
  void on_warning(const std::string& warning) override;
  void on_alarm(const Alarm& alarm) override;
  void on_step(double time, long steps) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grouser::internal
