#include "objects.h"

namespace grouser::c {

HandleTable& StateObject::table() {
  static HandleTable table(2, "state");
  return table;
}

}  // namespace grouser::c

using namespace grouser;
using namespace grouser::c;

grouser_result grouser_state_save(const grouser_state* state, const char* file) {
  return guarded([&] {
    const auto& object = held<StateObject>(state);
    object.state.save(text(file, "the file's name"), object.world);
  });
}

grouser_result grouser_state_load(const grouser_world* world, const char* file,
                                  grouser_state** out) {
  return guarded([&] {
    given(out, "the place for the handle");
    const World& inner = held<WorldObject>(world).world;
    State state = State::load(text(file, "the file's name"), inner);
    hand_out(std::make_unique<StateObject>(inner, std::move(state)), out);
  });
}

grouser_result grouser_state_to_bytes(grouser_state* state, const void** bytes, size_t* size) {
  return guarded([&] {
    auto& object = held<StateObject>(state);
    given(bytes, "the place for the bytes"), given(size, "the place for their number");
    object.bytes = object.state.to_bytes(object.world);
    *bytes = object.bytes.data();
    *size = object.bytes.size();
  });
}

grouser_result grouser_state_from_bytes(const grouser_world* world, const void* bytes, size_t size,
                                        grouser_state** out) {
  return guarded([&] {
    given(out, "the place for the handle");
    const World& inner = held<WorldObject>(world).world;
    if (bytes == nullptr) refuse("the bytes are NULL");
    State state = State::from_bytes({static_cast<const std::byte*>(bytes), size}, inner);
    hand_out(std::make_unique<StateObject>(inner, std::move(state)), out);
  });
}

grouser_result grouser_state_time(const grouser_state* state, double* time) {
  return guarded([&] { answer(time, held<StateObject>(state).state.time()); });
}

grouser_result grouser_state_hash(const grouser_state* state, uint64_t* hash) {
  return guarded([&] { answer(hash, held<StateObject>(state).state.hash()); });
}

grouser_result grouser_state_equal(const grouser_state* a, const grouser_state* b, bool* equal) {
  return guarded([&] { answer(equal, held<StateObject>(a).state == held<StateObject>(b).state); });
}

grouser_result grouser_state_free(grouser_state* state) {
  return guarded([&] { free_handle<StateObject>(state); });
}
