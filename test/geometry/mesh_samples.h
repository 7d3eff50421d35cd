#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "geometry/tri_mesh.h"

/// Mesh files as other programs write them, made from a mesh.
namespace grouser::internal::samples {

template <class T>
void put(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

inline void put(std::string& bytes, const Vec3& v) {
  for (const double x : v) put(bytes, static_cast<float>(x));
}

inline std::string stl_text(const TriMesh& mesh) {
  std::string text = "solid sample\n";
  for (const Triangle& t : mesh.triangles) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const std::int32_t i : t) {
      const Vec3& v = mesh.vertices[i];
      text += fmt::format("vertex {} {} {}\n", v.x(), v.y(), v.z());
    }
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid sample\n";
}

inline std::string stl_binary(const TriMesh& mesh) {
  std::string bytes(80, ' ');
  put(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& t : mesh.triangles) {
    put(bytes, Vec3(0, 0, 0));
    for (const std::int32_t i : t) put(bytes, mesh.vertices[i]);
    put(bytes, std::uint16_t{0});
  }
  return bytes;
}

inline std::string ply_header(const TriMesh& mesh, std::string_view format) {
  return fmt::format(
      "ply\nformat {} 1.0\ncomment sample\nelement vertex {}\nproperty float x\nproperty float y\n"
      "property float z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
      format, mesh.vertices.size(), mesh.triangles.size());
}

inline std::string ply_text(const TriMesh& mesh) {
  std::string text = ply_header(mesh, "ascii");
  for (const Vec3& v : mesh.vertices) text += fmt::format("{} {} {}\n", v.x(), v.y(), v.z());
  for (const Triangle& t : mesh.triangles) text += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
  return text;
}

inline std::string ply_binary(const TriMesh& mesh) {
  std::string bytes = ply_header(mesh, "binary_little_endian");
  for (const Vec3& v : mesh.vertices) put(bytes, v);
  for (const Triangle& t : mesh.triangles) {
    put(bytes, std::uint8_t{3});
    for (const std::int32_t i : t) put(bytes, i);
  }
  return bytes;
}

struct DaeOptions {
  std::string asset = "<unit name=\"meter\" meter=\"1\"/><up_axis>Z_UP</up_axis>";
  std::string node = "<instance_geometry url=\"#g\"/>";  ///< inside of the scene's only node
};

inline std::string dae(const TriMesh& mesh, const DaeOptions& options = {}) {
  std::string positions, indices;
  for (const Vec3& v : mesh.vertices) positions += fmt::format("{} {} {} ", v.x(), v.y(), v.z());
  for (const Triangle& t : mesh.triangles) indices += fmt::format("{} {} {} ", t[0], t[1], t[2]);
  return fmt::format(
      R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>{}</asset>
<library_geometries><geometry id="g" name="g"><mesh>
<source id="p"><float_array id="a" count="{}">{}</float_array>
<technique_common><accessor source="#a" count="{}" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="{}"><input semantic="VERTEX" source="#v" offset="0"/><p>{}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n">{}</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
)",
      options.asset, 3 * mesh.vertices.size(), positions, mesh.vertices.size(),
      mesh.triangles.size(), indices, options.node);
}

/// Positions as floats, then indices as 32-bit integers.
inline std::string gltf_buffer(const TriMesh& mesh) {
  std::string bytes;
  for (const Vec3& v : mesh.vertices) put(bytes, v);
  for (const Triangle& t : mesh.triangles) {
    for (const std::int32_t i : t) put(bytes, i);
  }
  return bytes;
}

/// `uri` is the member that says where the buffer is, e.g. "\"uri\": \"a.bin\",", or nothing in a GLB.
inline std::string gltf_json(const TriMesh& mesh, std::string_view uri) {
  const std::size_t positions = 12 * mesh.vertices.size(), indices = 12 * mesh.triangles.size();
  Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  return fmt::format(
      R"({{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}],
"nodes": [{{"mesh": 0, "translation": [0, 0, 0]}}],
"meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1, "mode": 4}}]}}],
"accessors": [
{{"bufferView": 0, "byteOffset": 0, "componentType": 5126, "count": {}, "type": "VEC3",
"min": [{}, {}, {}], "max": [{}, {}, {}]}},
{{"bufferView": 1, "byteOffset": 0, "componentType": 5125, "count": {}, "type": "SCALAR"}}],
"bufferViews": [{{"buffer": 0, "byteOffset": 0, "byteLength": {}, "target": 34962}},
{{"buffer": 0, "byteOffset": {}, "byteLength": {}, "target": 34963}}],
"buffers": [{{{} "byteLength": {}}}]}})",
      mesh.vertices.size(), box.lower.x(), box.lower.y(), box.lower.z(), box.upper.x(),
      box.upper.y(), box.upper.z(), 3 * mesh.triangles.size(), positions, positions, indices, uri,
      positions + indices);
}

inline std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

/// With the buffer inside the JSON.
inline std::string gltf_embedded(const TriMesh& mesh) {
  return gltf_json(mesh, fmt::format("\"uri\": \"data:application/octet-stream;base64,{}\",",
                                     base64(gltf_buffer(mesh))));
}

inline std::string glb(const TriMesh& mesh) {
  std::string json = gltf_json(mesh, "");
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const std::string buffer = gltf_buffer(mesh);
  std::string bytes = "glTF";
  put(bytes, std::uint32_t{2});
  put(bytes, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + buffer.size()));
  put(bytes, static_cast<std::uint32_t>(json.size()));
  bytes += "JSON" + json;
  put(bytes, static_cast<std::uint32_t>(buffer.size()));
  bytes += std::string("BIN\0", 4) + buffer;
  return bytes;
}

}  // namespace grouser::internal::samples
