#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "assets/wheel.h"
#include "commands.h"
#include "rigs/model_comparison.h"
#include "scene/scm/scm_fields.h"
#include "scene/wheel/wheel_fields.h"
#include "spec_flags.h"

/// What the commands of all rigs share.
namespace grouser::internal {

/// What the command line gives by the names of fields.
struct RigFields {
  WheelSpec wheel;
  GrouserSpec grousers;
  ScmOptions scm;
  TerraModel terra;
  BekkerModel bekker;
  BjhModel bjh;
  BwrModel bwr;
  RheologicalModel rheological;
  /// Whether the rig knows such flags.
  bool has_wheel = false, has_grousers = false, has_models = false;
};

template <class Visitor>
void visit_fields(RigFields& fields, Visitor& visit) {
  if (fields.has_wheel) visit(FieldInfo{"wheel", "the wheel"}, fields.wheel);
  if (fields.has_grousers) visit(FieldInfo{"grousers", "bars on all wheels"}, fields.grousers);
  visit(FieldInfo{"scm", "how soil contact is computed"}, fields.scm);
  if (!fields.has_models) return;
  visit(FieldInfo{"terra", "TerRA"}, fields.terra);
  visit(FieldInfo{"bekker", "Bekker's wheel"}, fields.bekker);
  visit(FieldInfo{"bjh", "Bekker, Janosi and Hanamoto's wheel"}, fields.bjh);
  visit(FieldInfo{"bwr", "Bekker, Wong and Reece's wheel"}, fields.bwr);
  visit(FieldInfo{"rheological", "the rheological wheel"}, fields.rheological);
}

inline void check_fit(const RigFields& fields, const std::string& place, IssueList& issues) {
  if (fields.has_wheel) check_fit(fields.wheel, place + "wheel", issues);
}

struct RigOptions {
  std::string soil;
  std::string output = ".";
  int threads = 0;
  JsonOption json;
  RigFields fields;
  std::vector<SpecFlag> flags;

  void add_to(CLI::App& command, double& spacing);
  /// Reads the flags by field, and sets the number of threads; throws Error(input) for all that is wrong.
  void read();
};

/// The models that words of a command line name, with what the flags say of them.
std::vector<NamedModel> models_of(const std::vector<std::string>& words, const RigFields& fields);

/// Tells on standard error how far a sweep is.
SweepProgress show_progress(const char* what);

void print_json(const nlohmann::ordered_json& json);

/// "0.3", or "0:0.9:0.1" for all from 0 to 0.9 by steps of 0.1. Throws Error(usage) naming the flag.
void append_numbers(const char* flag, const std::string& text, std::vector<double>& numbers);

}  // namespace grouser::internal
