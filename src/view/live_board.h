#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "terrain/tiled_grid.h"
#include "view/server.h"

/// Where the thread of a live run and that of the server meet: the run puts pictures there, pages leave orders.
namespace grouser::internal {

/// An instant of a run.
struct LivePicture {
  double time = 0;              ///< [s]
  std::vector<float> values;    ///< of all series of the record, one after the other
  TiledGrid<double> change;     ///< of the ground [m]; empty if nothing changes it
  double real_time_factor = 0;  ///< simulated over wall time [-]
  double step_ms = 0;           ///< wall time of a step [ms]
};

/// What pages want. Numbers are finite and within reason, whoever sent them.
struct LiveOrders {
  bool paused = false;
  int steps = 0;         ///< to be taken while paused
  double limit = 0;      ///< simulated over wall time at most [-]; 0: no limit
  bool driven = false;   ///< by hand
  double speed = 0;      ///< wanted of the rover [m/s]
  double curvature = 0;  ///< to the left [1/m]
};

/// All members are guarded by the mutex, but for the number of pages.
struct LiveBoard {
  std::mutex mutex;
  std::condition_variable ordered;  ///< orders have changed
  std::shared_ptr<const LivePicture> picture;
  LiveOrders orders;
  std::uint64_t revision = 0;        ///< of picture and orders
  std::uint64_t drive_revision = 0;  ///< of what is wanted of the rover
  std::vector<std::string> texts;    ///< JSON, for all pages
  bool ended = false;
  std::atomic<int> pages = 0;
};

/// Changes orders as a page's message says: {"do": "pause"|"run"|"step"|"limit"|"drive"|"release", ...}. Ignores what makes
/// no sense. Returns the number that the page acknowledges, {"ack": n}, or 0.
std::uint64_t take_orders(std::string_view message, LiveBoard& board);

/// A page's listener: the newest picture, and of the ground what this page does not know yet, as soon as it has
/// acknowledged all but one of those before.
std::unique_ptr<Listener> listen_to(std::shared_ptr<LiveBoard> board);

}  // namespace grouser::internal
