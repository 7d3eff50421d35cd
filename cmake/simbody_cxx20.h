#pragma once

// Simbody 3.7 was written for C++11. Its index types compare with every integer type, and since
// C++20 also tries such comparisons with the sides exchanged, comparing two indices is ambiguous.
// This exact match settles it. It must stand before <Simbody.h>: the build includes it first in
// every source of a target that uses Simbody.
namespace SimTK {

template <class T>
requires requires(const T& index) {
  T::isValid(0);
  static_cast<int>(index);
}
bool operator==(const T& a, const T& b) { return static_cast<int>(a) == static_cast<int>(b); }

}  // namespace SimTK
