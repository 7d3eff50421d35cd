#include "view/live_board.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "record/run_format.h"
#include "view/byte_writer.h"

namespace grouser::internal {
namespace {

using run_format::kSoilBlockSide;
using run_format::kSoilBlockSize;

constexpr double kMostSpeed = 2;            // [m/s]
constexpr double kMostCurvature = 3;        // [1/m]
constexpr double kMostFactor = 1000;        // of real time
constexpr std::uint64_t kMostOnTheWay = 2;  // pictures that a page has not acknowledged

/// A number of a message within ± `most`; 0 if it is none.
double number_in(const nlohmann::json& message, const char* name, double most) {
  const auto found = message.find(name);
  if (found == message.end() || !found->is_number()) return 0;
  const double number = found->get<double>();
  return std::isfinite(number) ? std::clamp(number, -most, most) : 0;
}

/// Returns whether the word is an order.
bool obey(const std::string& word, const nlohmann::json& message, LiveBoard& board) {
  LiveOrders& orders = board.orders;
  if (word == "pause") {
    orders.paused = true;
  } else if (word == "run") {
    orders.paused = false;
  } else if (word == "step") {
    orders.paused = true;
    orders.steps = std::min(orders.steps + 1, 1000);
  } else if (word == "limit") {
    orders.limit = std::max(0.0, number_in(message, "factor", kMostFactor));
  } else if (word == "drive") {
    orders.driven = true;
    orders.speed = number_in(message, "speed", kMostSpeed);
    orders.curvature = number_in(message, "curvature", kMostCurvature);
    ++board.drive_revision;
  } else if (word == "release") {
    orders.driven = false;
    ++board.drive_revision;
  } else {
    return false;
  }
  return true;
}

/// Blocks of the ground that differ from those that a page knows.
class ChangedBlocks {
 public:
  ChangedBlocks(const TiledGrid<double>& now, const TiledGrid<double>& known) {
    constexpr int kBlocks = TiledGrid<double>::kSide / kSoilBlockSide;
    const bool knows = known.nx() == now.nx() && known.ny() == now.ny();
    now.for_each_tile([&](int ti, int tj, const double* tile) {
      const double* before = knows ? known.tile_at(ti, tj) : nullptr;
      if (tile == before) return;
      for (int b = 0; b < kBlocks * kBlocks; ++b) {
        const int bi = b % kBlocks, bj = b / kBlocks;
        const int first = kSoilBlockSide * (bi + TiledGrid<double>::kSide * bj);
        add(kBlocks * ti + bi, kBlocks * tj + bj, tile + first, before ? before + first : nullptr);
      }
    });
  }

  void write(ByteWriter& bytes) {
    bytes.u32(places_.size() / 2);
    for (const int place : places_) bytes.i32(place);
    for (const float value : values_) bytes.put(value);
  }

 private:
  void add(int a, int b, const double* now, const double* before) {
    std::array<float, kSoilBlockSize> values;
    bool same = true;
    for (std::size_t k = 0; k < kSoilBlockSize; ++k) {
      const std::size_t entry =
          k % kSoilBlockSide + TiledGrid<double>::kSide * (k / kSoilBlockSide);
      values[k] = static_cast<float>(now[entry]);
      same = same && values[k] == (before ? static_cast<float>(before[entry]) : 0.0F);
    }
    if (same) return;
    places_.insert(places_.end(), {a, b});
    values_.insert(values_.end(), values.begin(), values.end());
  }

  std::vector<int> places_;
  std::vector<float> values_;
};

class LivePage final : public Listener {
 public:
  explicit LivePage(std::shared_ptr<LiveBoard> board) : board_(std::move(board)) {
    ++board_->pages;
  }
  ~LivePage() override {
    --board_->pages;
    board_->ordered.notify_all();
  }
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  void receive(std::string_view message) override {
    const std::uint64_t acknowledged = take_orders(message, *board_);
    if (acknowledged <= sent_) acknowledged_ = std::max(acknowledged_, acknowledged);
  }

  bool next(Message& message) override {
    std::shared_ptr<const LivePicture> picture;
    LiveOrders orders;
    bool ended = false;
    {
      const std::scoped_lock lock(board_->mutex);
      if (texts_ < board_->texts.size()) {
        message = {.bytes = board_->texts[texts_++], .binary = false};
        return true;
      }
      if (!board_->picture || revision_ == board_->revision) return false;
      if (sent_ - acknowledged_ >= kMostOnTheWay) return false;
      revision_ = board_->revision;
      picture = board_->picture;
      orders = board_->orders;
      ended = board_->ended;
    }
    message = {.bytes = encode(*picture, orders, ended), .binary = true};
    return true;
  }

 private:
  /// u32 number, u32 flags, f64 time, f32 real-time factor, f32 ms of a step, u32 values, f32 each; u32 blocks, i32
  /// place of each, f32 changes of each.
  std::string encode(const LivePicture& picture, const LiveOrders& orders, bool ended) {
    ByteWriter bytes;
    bytes.u32(++sent_);
    bytes.u32((orders.paused ? 1U : 0U) | (orders.driven ? 2U : 0U) | (orders.limit > 0 ? 4U : 0U) |
              (ended ? 8U : 0U));
    bytes.f64(picture.time);
    bytes.f32(picture.real_time_factor);
    bytes.f32(picture.step_ms);
    bytes.u32(picture.values.size());
    for (const float value : picture.values) bytes.put(value);
    ChangedBlocks(picture.change, known_).write(bytes);
    known_ = picture.change;
    return bytes.take();
  }

  std::shared_ptr<LiveBoard> board_;
  TiledGrid<double> known_;     // the ground as the page has it
  std::size_t texts_ = 0;       // that were sent
  std::uint64_t revision_ = 0;  // that was sent
  std::uint64_t sent_ = 0, acknowledged_ = 0;
};

}  // namespace

std::uint64_t take_orders(std::string_view message, LiveBoard& board) {
  const auto json = nlohmann::json::parse(message, nullptr, false);
  if (!json.is_object()) return 0;
  const auto ack = json.find("ack");
  if (ack != json.end()) return ack->is_number_unsigned() ? ack->get<std::uint64_t>() : 0;
  const auto word = json.find("do");
  if (word == json.end() || !word->is_string()) return 0;
  {
    const std::scoped_lock lock(board.mutex);
    if (!obey(word->get<std::string>(), json, board)) return 0;
    ++board.revision;
  }
  board.ordered.notify_all();
  return 0;
}

std::unique_ptr<Listener> listen_to(std::shared_ptr<LiveBoard> board) {
  return std::make_unique<LivePage>(std::move(board));
}

}  // namespace grouser::internal
