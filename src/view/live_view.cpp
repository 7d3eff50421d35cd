#include "view/live_view.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "view/hand_drive.h"
#include "view/live_board.h"
#include "view/live_scene.h"
#include "view/speed_meter.h"

namespace grouser::internal {
namespace {

using WallClock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds kPictureInterval(0.016);  // of wall time
constexpr Seconds kSoilInterval(
    0.08);                      // copies of the ground make the run copy what it changes next
constexpr Seconds kWait(0.05);  // between looks at what may end a wait
constexpr Seconds kGrace(5);    // that a pause outlives the last page: it may be loaded again

}  // namespace

struct LiveView::Impl {
  const World& world;
  RunLayout layout;
  HandDrive drive;
  LiveScene scene;
  std::shared_ptr<LiveBoard> board = std::make_shared<LiveBoard>();
  SpeedMeter meter;
  Simulation* simulation = nullptr;  // while it runs
  const std::atomic<bool>* stop = nullptr;
  WallClock::time_point pictured, soil_pictured;  // when the last was taken
  TiledGrid<double> change;
  std::uint64_t drive_revision = 0;
  bool is_driven = false, was_driven = false;
  // Since when, in wall and simulated time, a limit of speed counts.
  double limit = 0, limit_time = 0;
  WallClock::time_point limit_start;
  Server server;  // last: it ends first

  Impl(const World& the_world, unsigned short port)
      : world(the_world),
        layout(run_layout(the_world)),
        drive(the_world),
        scene(the_world, layout, drive.is_possible()),
        server({.port = port,
                .answer = [this](const Target& target) { return scene.answer(target); },
                .listen = [this] { return listen_to(board); }}) {}

  void show(const Sample& sample) {
    const auto now = WallClock::now();
    if (sample.ground && now - soil_pictured >= kSoilInterval) {
      change = sample.ground->changes();
      soil_pictured = now;
    }
    pictured = now;
    auto picture = std::make_shared<LivePicture>();
    picture->time = sample.time;
    picture->change = change;
    picture->real_time_factor = meter.factor();
    picture->step_ms = meter.step_ms();
    std::vector<double> row;
    for (const RecordedSeries& series : layout.series) {
      row.resize(series.width());
      series.extract(sample, row.data());
      picture->values.insert(picture->values.end(), row.begin(), row.end());
    }
    {
      const std::scoped_lock lock(board->mutex);
      board->picture = std::move(picture);
      ++board->revision;
    }
    server.wake();
  }

  void tell(const nlohmann::ordered_json& text) {
    {
      const std::scoped_lock lock(board->mutex);
      board->texts.push_back(
          text.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    }
    server.wake();
  }

  /// Hands on what pages want of the rover. It is the scene's again when they have gone.
  void heed_drive() {
    LiveOrders orders;
    {
      const std::scoped_lock lock(board->mutex);
      if (board->pages == 0) board->orders.driven = false;
      if (board->drive_revision == drive_revision && board->orders.driven == is_driven) return;
      drive_revision = board->drive_revision;
      orders = board->orders;
    }
    if (!drive.is_possible()) return;
    if (orders.driven) {
      drive.drive(*simulation, orders.speed, orders.curvature);
    } else if (is_driven) {
      drive.release(*simulation);
    }
    is_driven = orders.driven;
    was_driven = was_driven || is_driven;
  }

  bool is_stopped() const { return stop->load(std::memory_order_relaxed); }

  /// Waits while pages want the run to stand, or to be slower.
  void gate(double time) {
    std::unique_lock lock(board->mutex);
    wait_while_paused(lock, time);
    wait_for_limit(lock, time);
  }

  void wait_while_paused(std::unique_lock<std::mutex>& lock, double time) {
    LiveOrders& orders = board->orders;
    if (!orders.paused) return;
    auto seen = WallClock::now();  // when a page was there
    while (orders.paused && orders.steps == 0 && !is_stopped()) {
      const auto now = WallClock::now();
      if (board->pages > 0) seen = now;
      if (now - seen > kGrace) orders.paused = false;
      board->ordered.wait_for(lock, kWait);
    }
    if (orders.steps > 0) --orders.steps;
    meter.start(time);
    limit = 0;  // begins anew
  }

  void wait_for_limit(std::unique_lock<std::mutex>& lock, double time) {
    const LiveOrders& orders = board->orders;
    while (orders.limit > 0 && !orders.paused && !is_stopped() && board->pages > 0) {
      const auto now = WallClock::now();
      const double ahead = (time - limit_time) / orders.limit - Seconds(now - limit_start).count();
      // Begins anew where the limit is another one, or the run is too slow for it anyhow.
      if (limit != orders.limit || ahead < -0.25) {
        limit = orders.limit;
        limit_time = time;
        limit_start = now;
        return;
      }
      if (ahead < 1e-3) return;
      board->ordered.wait_for(lock, std::min(Seconds(ahead), kWait));
    }
  }
};

LiveView::LiveView(const World& world, unsigned short port)
    : impl_(std::make_unique<Impl>(world, port)) {}
LiveView::~LiveView() = default;

std::string LiveView::address() const { return impl_->server.address(); }
int LiveView::pages() const { return impl_->board->pages; }
bool LiveView::was_driven() const { return impl_->was_driven; }

void LiveView::run(Simulation& simulation, double end, const std::atomic<bool>& stop) {
  Impl& impl = *impl_;
  impl.simulation = &simulation;
  impl.stop = &stop;
  const IntegratorOptions& integrator = simulation.world().settings.integrator;
  // Step by step where that gives the same bits, so that a pause shows the very state; else on_step() waits.
  bool goes_on = true;
  while (is_one_step(integrator.method) && goes_on && !stop &&
         simulation.time() + 1.5 * integrator.step < end) {
    goes_on = simulation.step();
    if (impl.board->pages == 0) continue;
    bool is_paused = false;
    {
      const std::scoped_lock lock(impl.board->mutex);
      is_paused = impl.board->orders.paused;
    }
    if (is_paused) {
      impl.soil_pictured = {};
      impl.show(simulation.sample());
    }
    impl.gate(simulation.time());
  }
  if (goes_on) simulation.run_to(end, &stop);
  impl.simulation = nullptr;
}

void LiveView::finish(const std::string& outcome) {
  {
    const std::scoped_lock lock(impl_->board->mutex);
    impl_->board->ended = true;
    ++impl_->board->revision;
  }
  impl_->tell({{"ended", outcome}});
}

void LiveView::on_sample(const Sample& sample) {
  const bool is_first = impl_->pictured == WallClock::time_point();
  if (!is_first &&
      (impl_->board->pages == 0 || WallClock::now() - impl_->pictured < kPictureInterval))
    return;
  impl_->show(sample);
}

void LiveView::on_event(const EventRecord& event) {
  const std::string& name = impl_->world.events[static_cast<std::size_t>(event.event)].name;
  impl_->tell({{"event", {{"time", event.time}, {"name", name}}}});
}

void LiveView::on_warning(const std::string& warning) { impl_->tell({{"warning", warning}}); }

void LiveView::on_alarm(const Alarm& alarm) {
  impl_->tell({{"alarm", {{"time", alarm.time}, {"name", alarm.message}}}});
}

void LiveView::on_step(double time, long) {
  impl_->meter.step(time);
  if (!impl_->simulation || (impl_->board->pages == 0 && !impl_->is_driven)) return;
  impl_->heed_drive();
  if (!is_one_step(impl_->world.settings.integrator.method)) impl_->gate(time);
}

}  // namespace grouser::internal
