#include <cmath>
#include <iostream>

#include <rigs/trial_fit.h>

// One parameter that a single point tells: Ceres is linked and called.
int main() {
  grouser::internal::TrialFitProblem problem;
  problem.trials = {{.points = 1}};
  problem.start = {1};
  problem.low = {0};
  problem.high = {10};
  problem.residual = [](std::size_t, std::size_t, const double* parameters, double,
                        double* residual, double* gradient) {
    *residual = parameters[0] - 3;
    if (gradient != nullptr) gradient[0] = 1, gradient[1] = 0;
    return true;
  };
  std::cout << "fitted " << std::round(solve(problem).parameters[0]) << '\n';
}
