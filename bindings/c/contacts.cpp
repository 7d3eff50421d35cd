#include "objects.h"

namespace grouser::c {
namespace {

/// Motions that objects of a host give one by one, and their loads.
struct Exchange {
  explicit Exchange(std::size_t bodies)
      : poses(bodies), twists(bodies), wrenches(bodies), is_given(bodies, false) {}

  std::vector<Pose> poses;
  std::vector<Twist> twists;
  std::vector<Wrench> wrenches;
  std::vector<bool> is_given;  // since the last exchange
  bool is_done = false;        // at least once
  double time = 0;             // of the last one [s]

  std::size_t index(int body) const {
    if (body >= 0 && static_cast<std::size_t>(body) < poses.size()) {
      return static_cast<std::size_t>(body);
    }
    refuse("there is no body " + std::to_string(body) + " among " + std::to_string(poses.size()));
  }
};

struct ContactsObject {
  static HandleTable& table() {
    static HandleTable table(5, "set of contacts");
    return table;
  }
  ContactsObject(const World& world, int threads)
      : contacts(world, {.threads = threads}), exchange(world.bodies().size()) {}

  Owner owner;
  Contacts contacts;
  Exchange exchange;
  std::vector<std::byte> bytes;  // that were shown last
};

template <class Work>
grouser_result with_contacts(const grouser_contacts* handle, const Work& work) {
  return guarded([&] {
    auto& object = held<ContactsObject>(handle);
    const Use use(object.owner);
    work(object);
  });
}

/// How a host's bodies stand and move.
struct Motions {
  Motions(const grouser_pose* its_poses, const grouser_twist* its_twists, std::size_t count)
      : poses(array<Pose>(its_poses, count, "the array of poses")),
        twists(array<Twist>(its_twists, count, "the array of twists")) {}

  std::span<const Pose> poses;
  std::span<const Twist> twists;
};

void expect_all_given(const Exchange& exchange, const Contacts& contacts) {
  const std::vector<std::string> names = contacts.world().bodies();
  std::string missing;
  for (std::size_t b = 0; b < names.size(); ++b) {
    if (!exchange.is_given[b]) missing += (missing.empty() ? "" : ", ") + names[b];
  }
  if (!missing.empty()) refuse("these bodies have not given their motion yet: " + missing);
}

}  // namespace
}  // namespace grouser::c

using namespace grouser;
using namespace grouser::c;

grouser_result grouser_contacts_create(const grouser_world* world, int threads,
                                       grouser_contacts** out) {
  return guarded([&] {
    given(out, "the place for the handle");
    if (threads < 0) refuse("the number of threads is negative");
    hand_out(std::make_unique<ContactsObject>(held<WorldObject>(world).world, threads), out);
  });
}

grouser_result grouser_contacts_free(grouser_contacts* contacts) {
  return guarded([&] { free_handle<ContactsObject>(contacts); });
}

grouser_result grouser_contacts_begin(grouser_contacts* contacts, double time,
                                      const grouser_pose* poses, const grouser_twist* twists,
                                      size_t count) {
  return with_contacts(contacts, [&](ContactsObject& object) {
    const Motions motions(poses, twists, count);
    object.contacts.begin(time, motions.poses, motions.twists);
  });
}

grouser_result grouser_contacts_forces(grouser_contacts* contacts, double time,
                                       const grouser_pose* poses, const grouser_twist* twists,
                                       grouser_wrench* wrenches, size_t count) {
  return with_contacts(contacts, [&](ContactsObject& object) {
    const Motions motions(poses, twists, count);
    if (count > 0) given(wrenches, "the array of wrenches");
    object.contacts.forces(time, motions.poses, motions.twists,
                           {reinterpret_cast<Wrench*>(wrenches), count});
  });
}

grouser_result grouser_contacts_commit(grouser_contacts* contacts, double time,
                                       const grouser_pose* poses, const grouser_twist* twists,
                                       size_t count, bool* changed) {
  return with_contacts(contacts, [&](ContactsObject& object) {
    const Motions motions(poses, twists, count);
    const bool did = object.contacts.commit(time, motions.poses, motions.twists);
    if (changed != nullptr) *changed = did;
  });
}

grouser_result grouser_contacts_next_tick(const grouser_contacts* contacts, double* time) {
  return with_contacts(contacts,
                       [&](ContactsObject& object) { answer(time, object.contacts.next_tick()); });
}

grouser_result grouser_contacts_sample(grouser_contacts* contacts, double time,
                                       const grouser_pose* poses, const grouser_twist* twists,
                                       size_t count, const grouser_contact_sample** samples,
                                       size_t* sample_count) {
  return with_contacts(contacts, [&](ContactsObject& object) {
    given(samples, "the place for the answer"), given(sample_count, "the place for the answer");
    const Motions motions(poses, twists, count);
    const auto& found = object.contacts.sample(time, motions.poses, motions.twists);
    *samples = alike<grouser_contact_sample>(found.data());
    *sample_count = found.size();
  });
}

grouser_result grouser_contacts_ground_at(const grouser_contacts* contacts, double x, double y,
                                          grouser_ground_point* point) {
  return with_contacts(contacts, [&](ContactsObject& object) {
    answer(point, plain(object.contacts.ground_at(x, y)));
  });
}

grouser_result grouser_contacts_ground_heights(const grouser_contacts* contacts,
                                               const grouser_ground_window* window, double* heights,
                                               size_t count) {
  return with_contacts(contacts, [&](ContactsObject& object) {
    copy_heights(object.contacts.ground_heights(inner(window)), heights, count);
  });
}

grouser_result grouser_contacts_set_motion(grouser_contacts* contacts, int body,
                                           const grouser_pose* pose, const grouser_twist* twist) {
  return with_contacts(contacts, [&](ContactsObject& object) {
    Exchange& exchange = object.exchange;
    const std::size_t b = exchange.index(body);
    const Pose& new_pose = *alike<Pose>(&given(pose, "the pose"));
    exchange.twists[b] = *alike<Twist>(&given(twist, "the twist"));
    exchange.poses[b] = new_pose;
    exchange.is_given[b] = true;
  });
}

grouser_result grouser_contacts_exchange(grouser_contacts* contacts, double time) {
  return with_contacts(contacts, [&](ContactsObject& object) {
    Exchange& exchange = object.exchange;
    expect_all_given(exchange, object.contacts);
    object.contacts.forces(time, exchange.poses, exchange.twists, exchange.wrenches);
    exchange.is_given.assign(exchange.is_given.size(), false);
    exchange.is_done = true;
    exchange.time = time;
  });
}

grouser_result grouser_contacts_wrench(const grouser_contacts* contacts, int body,
                                       grouser_wrench* wrench) {
  return with_contacts(contacts, [&](ContactsObject& object) {
    const std::size_t b = object.exchange.index(body);
    if (!object.exchange.is_done) refuse("there was no exchange() yet");
    answer(wrench, *alike<grouser_wrench>(&object.exchange.wrenches[b]));
  });
}

grouser_result grouser_contacts_commit_exchange(grouser_contacts* contacts, bool* changed) {
  return with_contacts(contacts, [&](ContactsObject& object) {
    const Exchange& exchange = object.exchange;
    const auto is_new = [](bool given) { return given; };
    if (!exchange.is_done || std::ranges::any_of(exchange.is_given, is_new)) {
      refuse("motions were given since the last exchange(), or there was none");
    }
    const bool did = object.contacts.commit(exchange.time, exchange.poses, exchange.twists);
    if (changed != nullptr) *changed = did;
  });
}

grouser_result grouser_contacts_memory_to_bytes(grouser_contacts* contacts, const void** bytes,
                                                size_t* size) {
  return with_contacts(contacts, [&](ContactsObject& object) {
    given(bytes, "the place for the bytes"), given(size, "the place for their number");
    object.bytes = object.contacts.memory().to_bytes(object.contacts.world());
    *bytes = object.bytes.data();
    *size = object.bytes.size();
  });
}

grouser_result grouser_contacts_memory_from_bytes(grouser_contacts* contacts, const void* bytes,
                                                  size_t size) {
  return with_contacts(contacts, [&](ContactsObject& object) {
    if (bytes == nullptr) refuse("the bytes are NULL");
    object.contacts.restore(ContactMemory::from_bytes({static_cast<const std::byte*>(bytes), size},
                                                      object.contacts.world()));
  });
}

grouser_result grouser_contacts_memory_hash(const grouser_contacts* contacts, uint64_t* hash) {
  return with_contacts(
      contacts, [&](ContactsObject& object) { answer(hash, object.contacts.memory().hash()); });
}
