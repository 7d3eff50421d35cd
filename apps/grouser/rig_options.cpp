#include "rig_options.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "core/error.h"
#include "core/parallel.h"
#include "scene/field_reader.h"

namespace grouser::internal {
namespace {

[[noreturn]] void refuse(const char* flag, const std::string& value, const std::string& legal) {
  throw Error(ErrorKind::usage,
              {.message = "cannot be read", .field = flag, .value = value, .legal = legal});
}

}  // namespace

void RigOptions::add_to(CLI::App& command, double& spacing) {
  command
      .add_option("--soil", soil, "preset (grouser soils), or a YAML file of grouser identify soil")
      ->capture_default_str();
  command
      .add_option("--spacing", spacing,
                  "of the soil's grid [m] (default " + fmt::format("{:g})", spacing))
      ->check(CLI::Range(1e-4, 1.0));
  command.add_option("-o,--output", output, "folder for tables and plots (default .)");
  command
      .add_option("--threads", threads, "threads to use (default: all cores); results are the same")
      ->check(CLI::Range(0, 1024));
  json.add_to(command);
  FlagCollector collector;
  visit_fields(fields, collector);
  flags = collector.flags();
  add_flags(command, flags);
}

void RigOptions::read() {
  set_thread_count(threads);
  YamlValue value;
  value.kind = YamlValue::Kind::map;
  value.place.file = "command line";
  overlay(flags, value);
  IssueList issues;
  read_spec(value, {}, fields, issues);
  issues.throw_if_any();
}

std::vector<NamedModel> models_of(const std::vector<std::string>& words, const RigFields& fields) {
  std::vector<NamedModel> models = models_named(words);
  for (NamedModel& model : models) {
    if (model.name == "terra") model.model = fields.terra;
    if (model.name == "bekker") model.model = fields.bekker;
    if (model.name == "bjh") model.model = fields.bjh;
    if (model.name == "bwr") model.model = fields.bwr;
    if (model.name == "rheological") model.model = fields.rheological;
  }
  return models;
}

SweepProgress show_progress(const char* what) {
  return [what](std::size_t done, std::size_t all) {
    fmt::print(stderr, "{}: {} of {} cases done\n", what, done, all);
  };
}

void print_json(const nlohmann::ordered_json& json) {
  fmt::print("{}\n", json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void append_numbers(const char* flag, const std::string& text, std::vector<double>& numbers) {
  constexpr const char* kLegal = "a number, or FROM:TO:STEP with STEP > 0 and at most 10000 steps";
  std::vector<double> parts;
  for (const char* at = text.c_str();;) {
    char* end = nullptr;
    parts.push_back(std::strtod(at, &end));
    if (end == at || !std::isfinite(parts.back())) refuse(flag, text, kLegal);
    if (*end == '\0') break;
    if (*end != ':') refuse(flag, text, kLegal);
    at = end + 1;
  }
  if (parts.size() == 1) {
    numbers.push_back(parts[0]);
    return;
  }
  if (parts.size() != 3 || !(parts[2] > 0) || parts[1] < parts[0]) refuse(flag, text, kLegal);
  const double steps = std::floor((parts[1] - parts[0]) / parts[2] + 1e-9);
  if (steps > 10000) refuse(flag, text, kLegal);
  for (int k = 0; k <= steps; ++k) numbers.push_back(parts[0] + k * parts[2]);
}

}  // namespace grouser::internal
