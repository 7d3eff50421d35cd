#pragma once

namespace grouser::internal {

/// How the soil contact model is computed. The soil itself is in Soil.
struct ScmOptions {
  /// How it is found where the body touches the soil.
  enum class Detection {
    triangles,  ///< by the body's surface, with exact areas: any mesh will do
    vertices,  ///< by the lowest vertex over each cell, as in the papers: edges must be shorter than one
  };
  /// How pressure is shared out under the body.
  enum class Distribution {
    border,      ///< by the distance to the footprint's border
    centrality,  ///< by the sum of inverse distances to all other cells, as in the paper of 2008
  };
  /// How the pressure acts on slanted faces.
  enum class Horizontal {
    normal,  ///< along the face's normal: compaction costs the work that Bekker's law asks for
    paper,   ///< its horizontal part scaled by tan φ, plus cohesion: the papers' equation (8)
  };
  /// What becomes of soil that a body pushes aside.
  enum class Deformation {
    none,     ///< nothing: columns remember how far they were pressed, but no soil moves
    classic,  ///< laid down along the border of the footprint, then slides to the angle of repose
    flow,     ///< spread by a field of flow around the footprint, then slides likewise
  };
  /// What slanted faces and shear do to the pressure that soil bears.
  enum class Bearing {
    vertical,  ///< nothing: Bekker's law, as in the papers
    inclined,  ///< soil bears less the more the stress leans from the vertical, and gives way
  };
  /// How shear is mobilised.
  enum class Shear {
    janosi,   ///< by displacement, with memory
    coulomb,  ///< by velocity: full strength above a small speed
  };

  Detection detection = Detection::triangles;
  Distribution distribution = Distribution::border;
  Horizontal horizontal = Horizontal::normal;
  Shear shear = Shear::janosi;
  Bearing bearing = Bearing::inclined;
  Deformation deformation = Deformation::flow;
  double update_rate_hz = 100;  ///< of the soil's own clock [Hz], > 0
  /// Thickness of the layer that a sliding surface carries along, as a multiple of the soil's shear
  /// modulus K and no more than the sinkage [-], >= 0. Makes a slipping wheel dig.
  double carry = 0.02;
  /// m of cos^m: how narrowly soil that is pushed sideways is laid down ahead, 1 ... 10.
  double ahead_exponent = 1;
  int samples = 2;              ///< of the body per cell and axis, 1 ... 8
  double damping = 1e3;         ///< normal stress per speed of penetration [Pa s/m], >= 0
  double unloading = 20;        ///< see BekkerLaw
  double coulomb_speed = 1e-3;  ///< of `coulomb`: speed at which friction is mobilised [m/s], > 0
};

}  // namespace grouser::internal
