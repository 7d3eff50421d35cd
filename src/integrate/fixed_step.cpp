#include "integrate/integrator.h"
#include "math/spatial.h"

namespace grouser::internal {
namespace {

/// What both fixed-step methods share: the last step's ends and the cubic between them.
class FixedStep : public Integrator {
 public:
  FixedStep(const IntegratorOptions& options, OdeSystem& system)
      : system_(system),
        step_(options.step),
        y_(VecX::Zero(system.size())),
        previous_(y_),
        rate_(y_),
        previous_rate_(y_) {}

  void start(double time, const double* y, double /*step_hint*/) override {
    time_ = previous_time_ = time;
    y_ = Eigen::Map<const VecX>(y, system_.size());
    previous_ = y_;
    system_.derivative(time_, y_.data(), rate_.data());
    previous_rate_ = rate_;
  }

  void step(double stop) override {
    previous_time_ = time_;
    previous_ = y_;
    previous_rate_ = rate_;
    // The last step of a stretch lands on `stop` to the bit; rounding must not leave a sliver.
    constexpr double kSliver = 1e-9;
    const bool last = stop - time_ <= step_ * (1 + kSliver);
    const double h = last ? stop - time_ : step_;
    take(h);
    time_ = last ? stop : time_ + h;
    system_.project(time_, y_.data());
    system_.derivative(time_, y_.data(), rate_.data());
    ++steps_;
  }

  double previous_time() const override { return previous_time_; }
  double time() const override { return time_; }
  const double* y() const override { return y_.data(); }
  double suggested_step() const override { return step_; }

  /// Cubic Hermite polynomial through values and rates at both ends: error O(h⁴).
  void interpolate(double time, double* y) override {
    const double h = time_ - previous_time_;
    const double s = h > 0 ? (time - previous_time_) / h : 1;
    const double a = s * s * (3 - 2 * s), b = s * (1 - s) * (1 - s) * h, c = -s * s * (1 - s) * h;
    for (Eigen::Index i = 0; i < y_.size(); ++i) {
      y[i] = previous_[i] + a * (y_[i] - previous_[i]) + b * previous_rate_[i] + c * rate_[i];
    }
    system_.project(time, y);
  }

 protected:
  /// Advances y_ from time_ by h; rate_ is dy/dt at time_.
  virtual void take(double h) = 0;

  OdeSystem& system_;
  double step_;
  double time_ = 0, previous_time_ = 0;
  VecX y_, previous_, rate_, previous_rate_;
};

/// Classical Runge–Kutta method of order four.
class Rk4 final : public FixedStep {
 public:
  Rk4(const IntegratorOptions& options, OdeSystem& system)
      : FixedStep(options, system), trial_(y_), k_(y_), sum_(y_) {}

 private:
  void take(double h) override {
    sum_ = rate_;
    trial_ = y_ + 0.5 * h * rate_;
    system_.derivative(time_ + 0.5 * h, trial_.data(), k_.data());
    sum_ += 2 * k_;
    trial_ = y_ + 0.5 * h * k_;
    system_.derivative(time_ + 0.5 * h, trial_.data(), k_.data());
    sum_ += 2 * k_;
    trial_ = y_ + h * k_;
    system_.derivative(time_ + h, trial_.data(), k_.data());
    sum_ += k_;
    y_ += h / 6 * sum_;
  }

  VecX trial_, k_, sum_;
};

/// Symplectic Euler: v ← v + h a(q, v), then q ← q moved along the new v. First order, but energy
/// of a conservative system stays bounded.
class SemiImplicit final : public FixedStep {
 public:
  using FixedStep::FixedStep;

 private:
  void take(double h) override {
    const int nq = system_.position_size(), nv = system_.velocity_size();
    y_.tail(nv) += h * rate_.tail(nv);
    system_.advance_positions(y_.data() + nq, h, y_.data());
  }
};

}  // namespace

std::unique_ptr<Integrator> make_rk4(const IntegratorOptions& options, OdeSystem& system) {
  return std::make_unique<Rk4>(options, system);
}

std::unique_ptr<Integrator> make_semi_implicit(const IntegratorOptions& options,
                                               OdeSystem& system) {
  return std::make_unique<SemiImplicit>(options, system);
}

}  // namespace grouser::internal
