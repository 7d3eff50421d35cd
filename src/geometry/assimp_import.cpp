#include "geometry/assimp_import.h"

#include <assimp/DefaultIOSystem.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <assimp/DefaultLogger.hpp>
#include <assimp/Importer.hpp>
#include <assimp/LogStream.hpp>
#include <limits>
#include <system_error>
#include <vector>

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using Eigen::Affine3d;

/// Opens regular files at and below the folder of the mesh, and no others.
class FolderIo : public Assimp::DefaultIOSystem {
 public:
  FolderIo(const fs::path& file, std::uint64_t max_bytes)
      : folder_(fs::absolute(file).lexically_normal().parent_path()), max_bytes_(max_bytes) {}

  bool Exists(const char* name) const override { return is_allowed(name); }
  Assimp::IOStream* Open(const char* name, const char* mode) override {
    const bool reads = mode[0] == 'r' && std::string_view(mode).find('+') == std::string_view::npos;
    return reads && is_allowed(name) ? DefaultIOSystem::Open(name, mode) : nullptr;
  }

 private:
  // By the names alone: a link that somebody put into the folder may lead out of it.
  bool is_allowed(const fs::path& name) const {
    std::error_code error;
    const fs::path full = fs::absolute(name, error).lexically_normal();
    return !error && std::ranges::mismatch(folder_, full).in1 == folder_.end() &&
           fs::is_regular_file(full, error) && fs::file_size(full, error) <= max_bytes_;
  }

  fs::path folder_;
  std::uint64_t max_bytes_;
};

/// Collects Assimp's warnings while it lives.
class Warnings {
 public:
  Warnings() {
    auto* logger = Assimp::DefaultLogger::create("", Assimp::Logger::NORMAL, 0);
    logger->attachStream(new Stream(lines_), Assimp::Logger::Warn | Assimp::Logger::Err);
  }
  ~Warnings() { Assimp::DefaultLogger::kill(); }  // and the stream with it
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;

  std::vector<std::string> take() { return std::move(lines_); }

 private:
  static constexpr std::size_t kMost = 5;

  class Stream : public Assimp::LogStream {
   public:
    explicit Stream(std::vector<std::string>& lines) : lines_(lines) {}
    void write(const char* message) override {
      std::string line(message);  // "Warn,  T0: message\n"
      if (const std::size_t at = line.find(": "); at != std::string::npos) line.erase(0, at + 2);
      while (line.ends_with('\n')) line.pop_back();
      if (is_about_looks(line)) return;
      if (lines_.size() < kMost && std::ranges::find(lines_, line) == lines_.end()) {
        lines_.push_back(std::move(line));
      }
    }

   private:
    static bool is_about_looks(const std::string& line) {
      return line.find("aterial") != std::string::npos || line.find("exture") != std::string::npos;
    }

    std::vector<std::string>& lines_;
  };

  std::vector<std::string> lines_;
};

Affine3d pose_of(const aiMatrix4x4& m) {
  Affine3d result;
  result.matrix() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, 0, 0,
      0, 1;
  return result;
}

class Collector {
 public:
  Collector(const aiScene& scene, const AssimpOptions& options)
      : scene_(scene), options_(options) {}

  AssimpMesh run() {
    // Assimp turns COLLADA to metres and y up; (x, -z, y) is z up.
    Affine3d start = Affine3d::Identity();
    if (options_.is_collada) start.linear() << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    // With a stack of our own: files can nest deeper than the machine's allows.
    struct Visit {
      const aiNode* node;
      Affine3d pose;
    };
    std::vector<Visit> stack;
    if (scene_.mRootNode) stack.push_back({scene_.mRootNode, start});
    while (!stack.empty() && result_.failure.empty()) {
      const Visit visit = stack.back();
      stack.pop_back();
      const Affine3d pose = visit.pose * pose_of(visit.node->mTransformation);
      for (unsigned i = 0; i < visit.node->mNumMeshes; ++i) add(visit.node->mMeshes[i], pose);
      for (unsigned i = visit.node->mNumChildren; i > 0; --i) {
        stack.push_back({visit.node->mChildren[i - 1], pose});
      }
    }
    return std::move(result_);
  }

 private:
  void add(unsigned index, const Affine3d& pose) {
    if (index >= scene_.mNumMeshes) return fail("a node names a mesh that is not there");
    const aiMesh& piece = *scene_.mMeshes[index];
    TriMesh& mesh = result_.mesh;
    const std::uint64_t room = std::numeric_limits<std::int32_t>::max() - mesh.vertices.size();
    if (piece.mNumVertices > room) return fail("it has too many vertices");
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    // Infinities would turn into NaN, and hide which coordinate is wrong.
    const bool is_moved = !pose.matrix().isIdentity(0);
    for (unsigned i = 0; i < piece.mNumVertices; ++i) {
      const aiVector3D& v = piece.mVertices[i];
      mesh.vertices.emplace_back(v.x, v.y, v.z);
      if (is_moved) mesh.vertices.back() = pose * mesh.vertices.back();
    }
    const bool mirrors = pose.linear().determinant() < 0;
    for (unsigned i = 0; i < piece.mNumFaces; ++i) {
      const aiFace& face = piece.mFaces[i];
      if (face.mNumIndices < 3) {
        ++result_.left_out;
        continue;
      }
      if (face.mNumIndices > 3) return fail("a polygon could not be cut into triangles");
      if (mesh.triangles.size() >= options_.max_triangles) return fail("it has too many triangles");
      const auto corner = [&](int k) {
        return static_cast<std::int32_t>(first + face.mIndices[k]);
      };
      for (int k = 0; k < 3; ++k) {
        if (face.mIndices[k] >= piece.mNumVertices)
          return fail("a face names a vertex that is not there");
      }
      mesh.triangles.push_back({corner(0), corner(mirrors ? 2 : 1), corner(mirrors ? 1 : 2)});
    }
  }

  void fail(const char* why) { result_.failure = why; }

  const aiScene& scene_;
  const AssimpOptions& options_;
  AssimpMesh result_;
};

}  // namespace

AssimpMesh import_with_assimp(const fs::path& file, const AssimpOptions& options) {
  Warnings warnings;
  Assimp::Importer importer;
  importer.SetIOHandler(new FolderIo(file, options.max_file_bytes));  // which the importer deletes
  // Files without meshes would get one made up from their nodes.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
  const aiScene* scene = importer.ReadFile(file.string(), aiProcess_Triangulate);
  if (!scene) {
    const std::string why = importer.GetErrorString();
    return {.failure = why.empty() ? "no reason given" : why};
  }
  AssimpMesh result = Collector(*scene, options).run();
  result.warnings = warnings.take();
  return result;
}

}  // namespace grouser::internal
