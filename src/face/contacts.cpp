#include "grouser/contact.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "face/face.h"
#include "record/checkpoint.h"
#include "sim/simulate.h"

namespace grouser {

struct ContactMemory::Held {
  std::vector<internal::ContactMemory> memories;  // per contact system

  std::uint64_t hash() const {
    internal::Hasher hasher;
    for (const internal::ContactMemory& memory : memories) memory.hash(hasher);
    return hasher.digest();
  }
};

ContactMemory::ContactMemory() : held_(std::make_unique<Held>()) {}
ContactMemory::ContactMemory(const ContactMemory& other)
    : held_(std::make_unique<Held>(*other.held_)) {}
ContactMemory::ContactMemory(ContactMemory&&) noexcept = default;
ContactMemory& ContactMemory::operator=(const ContactMemory& other) {
  if (this != &other) held_ = std::make_unique<Held>(*other.held_);
  return *this;
}
ContactMemory& ContactMemory::operator=(ContactMemory&&) noexcept = default;
ContactMemory::~ContactMemory() = default;

std::uint64_t ContactMemory::hash() const { return held_->hash(); }
bool operator==(const ContactMemory& a, const ContactMemory& b) {
  return a.held_->memories == b.held_->memories;
}

namespace {

bool fits(const internal::ContactSystems& systems,
          const std::vector<internal::ContactMemory>& memories) {
  bool fits = memories.size() == systems.size();
  for (std::size_t s = 0; fits && s < memories.size(); ++s) fits = systems[s]->fits(memories[s]);
  return fits;
}

}  // namespace

std::vector<std::byte> ContactMemory::to_bytes(const World& world) const {
  const internal::World& inner = *internal::Face::of(world);
  if (!fits(inner.contacts, held_->memories)) {
    internal::refuse_use("the memory is that of another world");
  }
  internal::State state = internal::initial_state(inner);
  state.contacts = held_->memories;
  return internal::checkpoint_bytes(inner, state);
}

ContactMemory ContactMemory::from_bytes(std::span<const std::byte> bytes, const World& world) {
  ContactMemory memory;
  memory.held_->memories = internal::state_from_bytes(bytes, *internal::Face::of(world)).contacts;
  return memory;
}

struct Contacts::Impl {
  Impl(World its_world, int threads)
      : world(std::move(its_world)),
        systems(internal::Face::of(world)->contacts),
        pool(threads > 0 ? std::make_unique<internal::ThreadPool>(threads) : nullptr) {
    for (const auto& system : systems) {
      if (system->is_rigid()) {
        internal::refuse_use(fmt::format(
            "contacts of model '{}' are rigid and have no forces of their own: give the scene an "
            "'integrator' with another method than moreau_jean, for example semi_implicit",
            system->name()));
      }
      scratch.push_back(system->make_scratch());
    }
    const auto bodies = internal::Face::of(world)->model.bodies().size();
    X_WB.resize(bodies), V_WB.resize(bodies), origins.resize(bodies), wrenches.resize(bodies);
    memory = internal::initial_state(*internal::Face::of(world)).contacts;
  }

  internal::BodyMotions motions() const { return {X_WB, V_WB, origins}; }

  /// Takes what the host gives.
  void load(double now, std::span<const Pose> poses, std::span<const Twist> twists) {
    expect_length(poses.size(), "poses");
    expect_length(twists.size(), "twists");
    bool is_finite = std::isfinite(now);
    for (std::size_t b = 0; b < X_WB.size(); ++b) {
      X_WB[b] = internal::inner(poses[b]);
      V_WB[b] = internal::inner(twists[b]);
      origins[b] = X_WB[b].p;
      is_finite = is_finite && X_WB[b].R.allFinite() && X_WB[b].p.allFinite() &&
                  V_WB[b].angular.allFinite() && V_WB[b].linear.allFinite();
    }
    if (!is_finite) internal::refuse_use("a time, pose or twist is not finite");
    time = now;
  }

  void expect_length(std::size_t length, const char* what) const {
    if (length == X_WB.size()) return;
    internal::refuse_use(fmt::format("{} {} were given for {} bodies", length, what, X_WB.size()));
  }

  const internal::ElevationMap* ground() const {
    for (std::size_t s = 0; s < systems.size(); ++s) {
      if (systems[s]->shapes_ground()) return systems[s]->ground(memory[s]);
    }
    const auto& untouched = internal::Face::of(world)->ground;
    return untouched ? &untouched->map : nullptr;
  }

  internal::ContactInput input() const { return {time, motions(), ground()}; }

  void evaluate(internal::Purpose purpose) {
    std::ranges::fill(wrenches, internal::Wrench{});
    for (std::size_t s = 0; s < systems.size(); ++s) {
      systems[s]->evaluate(input(), memory[s], purpose, *scratch[s], wrenches);
    }
  }

  World world;
  internal::ContactSystems systems;
  std::unique_ptr<internal::ThreadPool> pool;
  std::vector<std::unique_ptr<internal::ContactScratch>> scratch;
  std::vector<internal::ContactMemory> memory;
  double time = 0, last_commit = -std::numeric_limits<double>::infinity();
  std::vector<internal::Pose> X_WB;
  std::vector<internal::Twist> V_WB;
  std::vector<internal::Vec3> origins;
  std::vector<internal::Wrench> wrenches;
  std::vector<internal::ContactReading> readings;
  std::vector<ContactSample> samples;
};

Contacts::Contacts(World world, const SimulationOptions& options)
    : impl_(std::make_unique<Impl>(std::move(world), options.threads)) {}
Contacts::Contacts(Contacts&&) noexcept = default;
Contacts& Contacts::operator=(Contacts&&) noexcept = default;
Contacts::~Contacts() = default;

const World& Contacts::world() const { return impl_->world; }

void Contacts::begin(double time, std::span<const Pose> poses, std::span<const Twist> twists) {
  impl_->load(time, poses, twists);
  for (std::size_t s = 0; s < impl_->systems.size(); ++s) {
    impl_->memory[s] = impl_->systems[s]->initial_memory(impl_->motions());
  }
  impl_->last_commit = time;
}

void Contacts::forces(double time, std::span<const Pose> poses, std::span<const Twist> twists,
                      std::span<Wrench> loads) {
  impl_->load(time, poses, twists);
  impl_->expect_length(loads.size(), "loads");
  const internal::ThreadPool::Use use(impl_->pool.get());
  impl_->evaluate(internal::Purpose::step);
  for (std::size_t b = 0; b < loads.size(); ++b) {
    loads[b] = internal::plain(impl_->wrenches[b]);
  }
}

bool Contacts::commit(double time, std::span<const Pose> poses, std::span<const Twist> twists) {
  impl_->load(time, poses, twists);
  if (time < impl_->last_commit) {
    internal::refuse_use(
        fmt::format("commit() at {} s, before the last one at {} s", time, impl_->last_commit));
  }
  impl_->last_commit = time;
  const internal::ThreadPool::Use use(impl_->pool.get());
  bool changed = false;
  for (const internal::Commits when : {internal::Commits::each_step, internal::Commits::on_grid}) {
    for (std::size_t s = 0; s < impl_->systems.size(); ++s) {
      const internal::ContactSystem& system = *impl_->systems[s];
      if (system.commits() != when) continue;
      changed |= system.commit(impl_->input(), impl_->memory[s], *impl_->scratch[s]);
    }
  }
  return changed;
}

double Contacts::next_tick() const {
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < impl_->systems.size(); ++s) {
    next = std::min(next, impl_->systems[s]->next_tick(impl_->memory[s]));
  }
  return next;
}

const std::vector<ContactSample>& Contacts::sample(double time, std::span<const Pose> poses,
                                                   std::span<const Twist> twists) {
  impl_->load(time, poses, twists);
  const internal::ThreadPool::Use use(impl_->pool.get());
  impl_->evaluate(internal::Purpose::look);
  impl_->readings.clear();
  for (std::size_t s = 0; s < impl_->systems.size(); ++s) {
    impl_->systems[s]->sample(impl_->input(), impl_->memory[s], *impl_->scratch[s],
                              impl_->readings);
  }
  impl_->samples.clear();
  for (const internal::ContactReading& reading : impl_->readings) {
    impl_->samples.push_back(internal::plain(reading));
  }
  return impl_->samples;
}

GroundPoint Contacts::ground_at(double x, double y) const {
  return internal::ground_at(impl_->ground(), x, y);
}
std::vector<double> Contacts::ground_heights(const GroundWindow& window) const {
  return internal::ground_heights(impl_->ground(), window);
}

ContactMemory Contacts::memory() const {
  ContactMemory memory;
  memory.held_->memories = impl_->memory;
  return memory;
}

void Contacts::restore(const ContactMemory& memory) {
  const std::vector<internal::ContactMemory>& memories = memory.held_->memories;
  if (!fits(impl_->systems, memories)) internal::refuse_use("the memory is that of another world");
  impl_->memory = memories;
  impl_->last_commit = -std::numeric_limits<double>::infinity();
}

}  // namespace grouser
