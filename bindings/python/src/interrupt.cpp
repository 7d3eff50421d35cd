#include "interrupt.h"

#include "binding.h"

namespace grouser::python {
namespace {

// Signal handlers see what is global alone.
std::atomic<std::atomic<bool>*> present_flag = nullptr;
struct sigaction python_action;  // what was installed before the outermost flag

void on_interrupt(int number, siginfo_t* info, void* context) {
  if (std::atomic<bool>* flag = present_flag.load()) *flag = true;
  if ((python_action.sa_flags & SA_SIGINFO) != 0) {
    python_action.sa_sigaction(number, info, context);
  } else {
    python_action.sa_handler(number);
  }
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_interrupt;
}

bool is_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

}  // namespace

InterruptFlag::InterruptFlag(std::atomic<bool>& flag) {
  if (!is_main_thread()) return;
  outer_ = present_flag.load();
  struct sigaction before {};
  sigaction(SIGINT, nullptr, &before);
  if (!is_ours(before)) {
    const bool is_handled = (before.sa_flags & SA_SIGINFO) != 0 ||
                            (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN);
    if (!is_handled) return;
    python_action = before;
    struct sigaction ours {};
    ours.sa_sigaction = on_interrupt;
    ours.sa_flags = SA_SIGINFO | (before.sa_flags & (SA_RESTART | SA_ONSTACK));
    ours.sa_mask = before.sa_mask;
    sigaction(SIGINT, &ours, nullptr);
  }
  present_flag = &flag;
  is_set_ = true;
}

InterruptFlag::~InterruptFlag() {
  if (!is_set_) return;
  present_flag = outer_;
  if (outer_ != nullptr) return;
  struct sigaction now {};
  sigaction(SIGINT, nullptr, &now);
  // A controller may have installed another handler meanwhile: that one stays.
  if (is_ours(now)) sigaction(SIGINT, &python_action, nullptr);
}

}  // namespace grouser::python
