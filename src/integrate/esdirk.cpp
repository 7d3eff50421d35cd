#include <arkode/arkode_arkstep.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>

#include "integrate/sundials_common.h"
#include "math/spatial.h"

namespace grouser::internal {
namespace {

void free_arkode(void* memory) { ARKStepFree(&memory); }

int project_step(realtype time, N_Vector y, void* user) {
  static_cast<SundialsUser*>(user)->system->project(time, N_VGetArrayPointer(y));
  return 0;
}

/// ARKODE's ESDIRK method of order 5(4), stiffly accurate and L-stable (Kennedy & Carpenter,
/// NASA/TM-2016-219173), with Newton and a dense difference Jacobian.
///
/// start() makes it as good as new, so its future depends on (time, y, step) alone. The step
/// controller looks at one error only, for the same reason.
class Esdirk final : public Integrator {
 public:
  Esdirk(const IntegratorOptions& options, OdeSystem& system)
      : user_{&system, {}},
        context_(make_sundials_context()),
        vector_(N_VNew_Serial(system.size(), context_.get())),
        dense_(N_VNew_Serial(system.size(), context_.get())),
        matrix_(SUNDenseMatrix(system.size(), system.size(), context_.get())),
        linear_(SUNLinSol_Dense(vector_.get(), matrix_.get(), context_.get())) {
    N_VConst(0, vector_.get());
    arkode_.reset(ARKStepCreate(nullptr, sundials_rate, 0, vector_.get(), context_.get()));
    void* arkode = arkode_.get();
    ARKStepSetErrHandlerFn(arkode, sundials_error, &user_);
    ARKStepSetUserData(arkode, &user_);
    ARKStepSetTableName(arkode, "ARKODE_ESDIRK547L2SA_7_4_5", "ARKODE_ERK_NONE");
    ARKStepSStolerances(arkode, options.relative_tolerance, options.absolute_tolerance);
    ARKStepSetLinearSolver(arkode, linear_.get(), matrix_.get());
    ARKStepSetJacFn(arkode, sundials_jacobian);
    constexpr int kIntegralController = 2;
    ARKStepSetAdaptivityMethod(arkode, kIntegralController, 1, 0, nullptr);
    // Stage rates from the stage equations instead of f(y): what Newton left of the residual is
    // then not amplified by the stiffness, which would drown the error estimate.
    ARKStepSetDeduceImplicitRhs(arkode, 1);
    ARKStepSetPostprocessStepFn(arkode, project_step);
    if (options.max_step > 0) ARKStepSetMaxStep(arkode, options.max_step);
  }

  void start(double time, const double* y, double step_hint) override {
    std::copy_n(y, user_.system->size(), N_VGetArrayPointer(vector_.get()));
    ARKStepReInit(arkode_.get(), nullptr, sundials_rate, time, vector_.get());
    ARKStepSetInitStep(arkode_.get(), step_hint);
    time_ = previous_time_ = time;
    suggested_ = step_hint;
  }

  void step(double stop) override {
    previous_time_ = time_;
    ARKStepSetStopTime(arkode_.get(), stop);
    double time = time_;
    user_.message.clear();
    const int flag = ARKStepEvolve(arkode_.get(), stop, vector_.get(), &time, ARK_ONE_STEP);
    check_sundials(flag, user_, time_);
    time_ = flag == ARK_TSTOP_RETURN ? stop : time;
    double next = 0;
    ARKStepGetCurrentStep(arkode_.get(), &next);
    // A step cut short by `stop` says little about what the next one could be.
    suggested_ = flag == ARK_TSTOP_RETURN ? std::max(next, suggested_) : next;
    ++steps_;
  }

  double previous_time() const override { return previous_time_; }
  double time() const override { return time_; }
  const double* y() const override { return N_VGetArrayPointer(vector_.get()); }
  double suggested_step() const override { return suggested_; }

  void interpolate(double time, double* y) override {
    check_sundials(ARKStepGetDky(arkode_.get(), time, 0, dense_.get()), user_, time);
    std::copy_n(N_VGetArrayPointer(dense_.get()), user_.system->size(), y);
    user_.system->project(time, y);
  }

 private:
  SundialsUser user_;
  SundialsContext context_;
  SundialsVector vector_, dense_;
  SundialsMatrix matrix_;
  SundialsLinearSolver linear_;
  SundialsHandle<void*, free_arkode> arkode_;
  double time_ = 0, previous_time_ = 0, suggested_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_esdirk(const IntegratorOptions& options, OdeSystem& system) {
  return std::make_unique<Esdirk>(options, system);
}

}  // namespace grouser::internal
