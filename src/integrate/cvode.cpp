#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>

#include "integrate/sundials_common.h"
#include "math/spatial.h"

namespace grouser::internal {
namespace {

void free_cvode(void* memory) { CVodeFree(&memory); }

/// CVODE's variable-order multistep methods: BDF with Newton and a dense difference Jacobian for
/// stiff systems, Adams with fixed-point iteration for smooth ones.
///
/// The method's history is not part of the state: a run resumed from a checkpoint starts at order
/// one again and agrees with an unbroken run within the tolerances, not to the bit.
class Cvode final : public Integrator {
 public:
  Cvode(const IntegratorOptions& options, OdeSystem& system)
      : options_(options),
        user_{&system, {}},
        context_(make_sundials_context()),
        vector_(N_VNew_Serial(system.size(), context_.get())),
        dense_(N_VNew_Serial(system.size(), context_.get())),
        cvode_(CVodeCreate(options.method == IntegrationMethod::bdf ? CV_BDF : CV_ADAMS,
                           context_.get())),
        y_(VecX::Zero(system.size())) {
    N_VConst(0, vector_.get());
    void* cvode = cvode_.get();
    CVodeInit(cvode, sundials_rate, 0, vector_.get());
    CVodeSetErrHandlerFn(cvode, sundials_error, &user_);
    CVodeSetUserData(cvode, &user_);
    CVodeSStolerances(cvode, options.relative_tolerance, options.absolute_tolerance);
    if (options.max_step > 0) CVodeSetMaxStep(cvode, options.max_step);
    if (options.method == IntegrationMethod::bdf) {
      matrix_.reset(SUNDenseMatrix(system.size(), system.size(), context_.get()));
      linear_.reset(SUNLinSol_Dense(vector_.get(), matrix_.get(), context_.get()));
      CVodeSetLinearSolver(cvode, linear_.get(), matrix_.get());
      CVodeSetJacFn(cvode, sundials_jacobian);
    } else {
      nonlinear_.reset(SUNNonlinSol_FixedPoint(vector_.get(), 0, context_.get()));
      CVodeSetNonlinearSolver(cvode, nonlinear_.get());
    }
  }

  void start(double time, const double* y, double step_hint) override {
    std::copy_n(y, user_.system->size(), N_VGetArrayPointer(vector_.get()));
    restart(time, step_hint);
    time_ = previous_time_ = time;
    y_ = Eigen::Map<const VecX>(y, y_.size());
  }

  void step(double stop) override {
    if (restart_due_) restart(time_, suggested_step());
    previous_time_ = time_;
    CVodeSetStopTime(cvode_.get(), stop);
    double time = time_;
    user_.message.clear();
    const int flag = CVode(cvode_.get(), stop, vector_.get(), &time, CV_ONE_STEP);
    check_sundials(flag, user_, time_);
    time_ = flag == CV_TSTOP_RETURN ? stop : time;
    y_ = Eigen::Map<const VecX>(N_VGetArrayPointer(vector_.get()), y_.size());
    const double drift = user_.system->project(time_, y_.data());
    // Within this many tolerances the history is worth more than the last digit of the invariants,
    // which y_ has anyway.
    constexpr double kDriftInTolerances = 100;
    restart_due_ = drift > kDriftInTolerances * options_.absolute_tolerance;
    if (restart_due_) std::copy_n(y_.data(), y_.size(), N_VGetArrayPointer(vector_.get()));
    ++steps_;
  }

  double previous_time() const override { return previous_time_; }
  double time() const override { return time_; }
  const double* y() const override { return y_.data(); }

  void interpolate(double time, double* y) override {
    check_sundials(CVodeGetDky(cvode_.get(), time, 0, dense_.get()), user_, time);
    std::copy_n(N_VGetArrayPointer(dense_.get()), y_.size(), y);
    user_.system->project(time, y);
  }

  double suggested_step() const override {
    double h = 0;
    CVodeGetCurrentStep(cvode_.get(), &h);
    return h;
  }

 private:
  void restart(double time, double step_hint) {
    CVodeReInit(cvode_.get(), time, vector_.get());
    CVodeSetInitStep(cvode_.get(), step_hint);
    restart_due_ = false;
  }

  IntegratorOptions options_;
  SundialsUser user_;
  SundialsContext context_;
  SundialsVector vector_, dense_;
  SundialsMatrix matrix_;
  SundialsLinearSolver linear_;
  SundialsNonlinearSolver nonlinear_;
  SundialsHandle<void*, free_cvode> cvode_;
  VecX y_;
  double time_ = 0, previous_time_ = 0;
  bool restart_due_ = false;  // not at once: interpolate() still needs the history
};

}  // namespace

std::unique_ptr<Integrator> make_cvode(const IntegratorOptions& options, OdeSystem& system) {
  return std::make_unique<Cvode>(options, system);
}

}  // namespace grouser::internal
