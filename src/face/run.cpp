#include "grouser/run.h"

#include "record/run_reader.h"

namespace grouser {

struct Run::Impl {
  explicit Impl(const std::filesystem::path& path) : reader(path) {}
  internal::RunReader reader;
};

Run::Run(const std::filesystem::path& path) : impl_(std::make_unique<Impl>(path)) {}
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;
Run::~Run() = default;

std::string Run::scene_name() const { return impl_->reader.info().scene_name; }
std::string Run::scene_text() const { return impl_->reader.info().scene_text; }
bool Run::is_complete() const { return impl_->reader.is_complete(); }
std::vector<double> Run::times() const { return read("/time").values; }
std::vector<std::string> Run::quantities() const { return impl_->reader.quantities(); }

Table Run::read(const std::string& quantity) const {
  internal::Table rows = impl_->reader.read(quantity);
  Table table{.rows = rows.rows, .values = std::move(rows.values)};
  for (internal::Column& column : impl_->reader.columns(quantity)) {
    table.columns.push_back({std::move(column.label), std::move(column.unit)});
  }
  return table;
}

}  // namespace grouser
