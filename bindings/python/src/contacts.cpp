#include "binding.h"

namespace grouser::python {

py::array contact_records(const std::vector<ContactSample>& contacts);
GroundWindow window_of(double x, double y, double spacing, int columns, int rows);

namespace {

struct Elements {
  Elements(const World& world, int threads)
      : contacts(checked(world, threads), {.threads = threads}) {}

  static const World& checked(const World& world, int threads) {
    if (threads < 0) refuse("the number of threads is negative");
    return world;
  }

  Owner owner;
  Contacts contacts;
};

/// How a host's bodies stand and move.
struct Motions {
  Motions(const Numbers& its_poses, const Numbers& its_twists)
      : poses(rows_of<Pose>(its_poses, "poses")), twists(rows_of<Twist>(its_twists, "twists")) {}

  std::span<const Pose> poses;
  std::span<const Twist> twists;
};

/// Loads as rows of torque and force. The array that is given is written to, if it is not None.
py::object forces(Elements& elements, double time, const Numbers& poses, const Numbers& twists,
                  const py::object& out) {
  const Motions motions(poses, twists);
  const std::size_t bodies = motions.poses.size();
  py::object wrenches = out;
  if (out.is_none()) wrenches = py::array_t<double>({bodies, std::size_t{6}});
  if (!py::isinstance<py::array_t<double, py::array::c_style>>(wrenches)) {
    refuse("'out' must be a contiguous array of float64");
  }
  auto array = py::reinterpret_borrow<py::array_t<double, py::array::c_style>>(wrenches);
  rows_of<Wrench>(array, "out");
  if (!array.writeable()) refuse("'out' is read-only");
  const Use use(elements.owner);
  auto* loads = reinterpret_cast<Wrench*>(array.mutable_data());
  const auto rows = static_cast<std::size_t>(array.shape(0));
  {
    const py::gil_scoped_release release;
    elements.contacts.forces(time, motions.poses, motions.twists, {loads, rows});
  }
  return wrenches;
}

void bind_memory(py::module_& module) {
  py::class_<ContactMemory>(module, "ContactMemory")
      .def_property_readonly("hash", &ContactMemory::hash)
      .def("equals", [](const ContactMemory& a, const ContactMemory& b) { return a == b; })
      .def("to_bytes", [](const ContactMemory& memory,
                          const World& world) { return bytes_of(memory.to_bytes(world)); })
      .def_static("from_bytes", [](const py::bytes& bytes, const World& world) {
        return ContactMemory::from_bytes(span_of(std::string_view(bytes)), world);
      });
}

}  // namespace

void bind_contacts(py::module_& module) {
  bind_memory(module);
  py::class_<Elements>(module, "Contacts")
      .def(py::init<const World&, int>())
      .def("_begin",
           [](Elements& e, double time, const Numbers& poses, const Numbers& twists) {
             const Motions motions(poses, twists);
             const Use use(e.owner);
             e.contacts.begin(time, motions.poses, motions.twists);
           })
      .def("_forces", &forces)
      .def("_commit",
           [](Elements& e, double time, const Numbers& poses, const Numbers& twists) {
             const Motions motions(poses, twists);
             const Use use(e.owner);
             const py::gil_scoped_release release;
             return e.contacts.commit(time, motions.poses, motions.twists);
           })
      .def("_sample",
           [](Elements& e, double time, const Numbers& poses, const Numbers& twists) {
             const Motions motions(poses, twists);
             const Use use(e.owner);
             return contact_records(e.contacts.sample(time, motions.poses, motions.twists));
           })
      .def("_next_tick",
           [](Elements& e) {
             const Use use(e.owner);
             return e.contacts.next_tick();
           })
      .def("_ground_at",
           [](Elements& e, double x, double y) {
             const Use use(e.owner);
             return e.contacts.ground_at(x, y);
           })
      .def("_ground_heights",
           [](Elements& e, double x, double y, double spacing, int columns, int rows) {
             const Use use(e.owner);
             return take(e.contacts.ground_heights(window_of(x, y, spacing, columns, rows)),
                         {rows, columns});
           })
      .def("_memory",
           [](Elements& e) {
             const Use use(e.owner);
             return e.contacts.memory();
           })
      .def("_restore", [](Elements& e, const ContactMemory& memory) {
        const Use use(e.owner);
        e.contacts.restore(memory);
      });
}

}  // namespace grouser::python
