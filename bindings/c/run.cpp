#include "grouser/run.h"

#include "objects.h"

namespace grouser::c {
namespace {

struct RunObject {
  static HandleTable& table() {
    static HandleTable table(6, "run");
    return table;
  }
  explicit RunObject(const std::string& path) : run(path), quantities(run.quantities()) {}

  Owner owner;
  Run run;
  std::vector<std::string> quantities;
  Table table_;  // that was shown last
  std::vector<grouser_column> columns;
};

}  // namespace
}  // namespace grouser::c

using namespace grouser;
using namespace grouser::c;

grouser_result grouser_run_open(const char* path, grouser_run** out) {
  return guarded([&] {
    given(out, "the place for the handle");
    hand_out(std::make_unique<RunObject>(text(path, "the path")), out);
  });
}

grouser_result grouser_run_free(grouser_run* run) {
  return guarded([&] { free_handle<RunObject>(run); });
}

grouser_result grouser_run_quantity_count(const grouser_run* run, size_t* count) {
  return guarded([&] { answer(count, held<RunObject>(run).quantities.size()); });
}

grouser_result grouser_run_quantity(const grouser_run* run, size_t index, const char** quantity) {
  return guarded([&] {
    const auto& quantities = held<RunObject>(run).quantities;
    if (index >= quantities.size()) refuse("there is no quantity of that number");
    answer(quantity, quantities[index].c_str());
  });
}

grouser_result grouser_run_read(grouser_run* run, const char* quantity, grouser_table* out) {
  return guarded([&] {
    auto& object = held<RunObject>(run);
    const Use use(object.owner);
    given(out, "the place for the answer");
    object.table_ = object.run.read(text(quantity, "the quantity"));
    object.columns.clear();
    for (const Column& column : object.table_.columns) {
      object.columns.push_back({column.label.c_str(), column.unit.c_str()});
    }
    *out = {object.columns.data(), object.columns.size(), object.table_.values.data(),
            object.table_.rows};
  });
}
