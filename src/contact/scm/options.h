#pragma once

namespace grouser {

/// How the soil contact model is computed. The soil itself is in Soil.
struct ScmOptions {
  /// How the pressure acts on slanted faces.
  enum class Horizontal {
    normal,  ///< along the face's normal: compaction costs the work that Bekker's law asks for
    paper,   ///< its horizontal part scaled by tan φ, plus cohesion: the papers' equation (8)
  };
  /// How shear is mobilised.
  enum class Shear {
    janosi,   ///< by displacement, with memory
    coulomb,  ///< by velocity: full strength above a small speed
  };

  Horizontal horizontal = Horizontal::normal;
  Shear shear = Shear::janosi;
  int samples = 2;              ///< of the body per cell and axis, 1 ... 8
  double damping = 1e3;         ///< normal stress per speed of penetration [Pa s/m], >= 0
  double unloading = 20;        ///< see BekkerLaw
  double coulomb_speed = 1e-3;  ///< of `coulomb`: speed at which friction is mobilised [m/s], > 0
};

}  // namespace grouser
