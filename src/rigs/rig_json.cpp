#include "rigs/rig_json.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::ordered_json;

Json spread_json(const Spread& spread) {
  return {{"mean", spread.mean}, {"std", spread.deviation}};
}

void add_estimate(Json& json, const char* key, double value, double truth, const char* unit) {
  json[key] = {{"identified", value}, {"put_in", truth}, {"unit", unit}};
}

Json pass_json(const WheelPass& pass) {
  Json json = {{"slip_angle_deg", pass.asked.slip_angle / kDegree}, {"pass", pass.pass}};
  json["asked_slip"] = pass.asked.slip ? Json(*pass.asked.slip) : Json("free");
  json["slip"] = spread_json(pass.slip);
  json["pull_N"] = spread_json(pass.pull);
  json["lateral_N"] = spread_json(pass.lateral);
  json["load_N"] = spread_json(pass.load);
  json["torque_Nm"] = spread_json(pass.torque);
  json["sinkage_m"] = spread_json(pass.sinkage);
  json["rut_depth_m"] = pass.rut_depth ? Json(*pass.rut_depth) : Json();
  json["warnings"] = pass.warnings;
  return json;
}

}  // namespace

Json bevameter_json(const Soil& soil, const BevameterFit& fit) {
  Json json = {{"rig", "bevameter"}, {"soil", soil.name}};
  if (fit.plates) {
    Json& plates = json["plates"];
    add_estimate(plates, "sinkage_exponent", fit.plates->exponent.value, soil.sinkage_exponent,
                 "-");
    if (!fit.plates->one_width) {
      add_estimate(plates, "cohesive_modulus", fit.plates->cohesive_modulus.value,
                   soil.cohesive_modulus, "N/m^(n+1)");
      add_estimate(plates, "frictional_modulus", fit.plates->frictional_modulus.value,
                   soil.frictional_modulus, "N/m^(n+2)");
    }
    plates["warnings"] = fit.plates->warnings;
  }
  if (fit.shear) {
    Json& shear = json["shear"];
    if (!fit.shear->one_stress) {
      add_estimate(shear, "cohesion", fit.shear->cohesion.value, soil.cohesion, "Pa");
      add_estimate(shear, "friction_angle", fit.shear->friction_angle.value / kDegree,
                   soil.friction_angle / kDegree, "deg");
    }
    add_estimate(shear, "shear_modulus", fit.shear->shear_modulus.value, soil.shear_modulus, "m");
    shear["warnings"] = fit.shear->warnings;
  }
  return json;
}

Json wheel_json(const WheelRigSpec& spec, const std::vector<WheelPass>& passes) {
  Json json = {{"rig", "wheel"}, {"soil", spec.soil.name}, {"cases", Json::array()}};
  for (const WheelPass& pass : passes) json["cases"].push_back(pass_json(pass));
  return json;
}

Json drawbar_json(const DrawbarSpec& spec, const std::vector<DrawbarRun>& runs) {
  Json json = {{"rig", "drawbar"},
               {"rover", spec.rover},
               {"soil", spec.soil.name},
               {"cases", Json::array()}};
  for (const DrawbarRun& run : runs) {
    json["cases"].push_back({{"asked_slip", run.asked_slip},
                             {"slip", spread_json(run.slip)},
                             {"tension_N", spread_json(run.tension)},
                             {"torque_Nm", spread_json(run.torque)},
                             {"sinkage_m", spread_json(run.sinkage)},
                             {"load_N", spread_json(run.load)},
                             {"steady", run.steady},
                             {"warnings", run.warnings}});
  }
  return json;
}

}  // namespace grouser::internal
