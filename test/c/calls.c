/* Every function of grouser.h called as C99 does, and once more as C++. Prints the state hash of the built-in scene "terra"
 * after 3 s, which all languages must agree on. */
#include <grouser/grouser.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void expect(bool is_true, const char* what, int line) {
  if (is_true) return;
  printf("line %d: %s\n", line, what);
  ++failures;
}
static void expect_ok(grouser_result result, const char* what, int line) {
  if (result == GROUSER_OK) return;
  printf("line %d: %s: %s\n", line, what, grouser_error_text());
  ++failures;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)
#define OK(call) expect_ok(call, #call, __LINE__)
#define REFUSED(call, result) expect((call) == (result), #call " was taken", __LINE__)

static const char kPlate[] =
    "grouser: 1\n"
    "terrain: {surface: {size: [2, 2]}, spacing: 0.01, soil: dry_sand}\n"
    "models: [{name: m, position: [0, 0, 0.03], tree: {bodies: [\n"
    "  {name: plate, mass: 20, shape: {box: [0.2, 0.2, 0.04]}}]}}]\n"
    "contacts: [{model: scm, bodies: [m/plate]}]\n";

static void errors(void) {
  grouser_world* world = NULL;
  REFUSED(grouser_world_parse("grouser: 1\nmodels: []\ngravty: mars\nduration: -3\n", NULL, &world), GROUSER_INPUT);
  EXPECT(world == NULL);
  EXPECT(grouser_error_count() == 3);
  EXPECT(strstr(grouser_error_text(), "gravity") != NULL);
  grouser_issue issue;
  OK(grouser_error_issue(2, &issue));
  EXPECT(issue.line == 4 && strcmp(issue.field, "duration") == 0 && strcmp(issue.value, "-3") == 0);
  EXPECT(strlen(issue.message) > 0 && strlen(issue.legal) > 0 && strlen(issue.file) > 0);
  EXPECT(grouser_error_issue(3, &issue) == GROUSER_USAGE);
}

static void built_in_things(void) {
  size_t count = 0;
  OK(grouser_builtin_count(GROUSER_SCENES, &count));
  bool has_terra = false;
  for (size_t k = 0; k < count; ++k) {
    const char* name = NULL;
    OK(grouser_builtin_name(GROUSER_SCENES, k, &name));
    has_terra = has_terra || strcmp(name, "terra") == 0;
  }
  EXPECT(has_terra);
}

static int drive(grouser_simulation* simulation, void* user) {
  int* calls = (int*)user;
  double time = 0;
  ++*calls;
  REFUSED(grouser_simulation_free(simulation), GROUSER_USAGE);
  REFUSED(grouser_simulation_step(simulation, NULL), GROUSER_USAGE);
  OK(grouser_simulation_time(simulation, &time));
  return time > 0.9 ? 7 : 0;
}

static void states(grouser_world* world, grouser_simulation* simulation) {
  grouser_state *state = NULL, *again = NULL, *file = NULL, *grid = NULL;
  OK(grouser_simulation_state(simulation, &state));
  OK(grouser_simulation_resumable(simulation, &grid));
  const void* bytes = NULL;
  size_t size = 0;
  OK(grouser_state_to_bytes(state, &bytes, &size));
  OK(grouser_state_from_bytes(world, bytes, size, &again));
  OK(grouser_state_save(state, "c-state.h5"));
  OK(grouser_state_load(world, "c-state.h5", &file));
  uint64_t a = 0, b = 1;
  OK(grouser_state_hash(state, &a));
  OK(grouser_state_hash(file, &b));
  EXPECT(a == b);
  bool equal = false;
  OK(grouser_state_equal(state, again, &equal));
  EXPECT(equal);
  double time = 0;
  OK(grouser_state_time(again, &time));

  grouser_simulation* second = NULL;
  OK(grouser_simulation_create(world, again, 1, &second));
  OK(grouser_simulation_run_to(second, time + 0.1, NULL));
  OK(grouser_simulation_run_to(simulation, time + 0.1, NULL));
  grouser_state *one = NULL, *other = NULL;
  OK(grouser_simulation_state(second, &one));
  OK(grouser_simulation_state(simulation, &other));
  OK(grouser_state_equal(one, other, &equal));
  EXPECT(equal);
  OK(grouser_simulation_restore(second, state));
  double now = 0;
  OK(grouser_simulation_time(second, &now));
  EXPECT(now == time);
  OK(grouser_simulation_free(second));
  grouser_state* all[] = {state, again, file, grid, one, other};
  for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) OK(grouser_state_free(all[k]));
}

static void rover(void) {
  grouser_world* world = NULL;
  OK(grouser_world_builtin("terra", &world));
  grouser_world_info info;
  OK(grouser_world_get_info(world, &info));
  EXPECT(strlen(info.name) > 0 && info.has_ground && info.x_max > info.x_min);
  EXPECT(info.total_mass > 10 && info.step > 0 && info.duration > 0);
  grouser_ground_point point;
  OK(grouser_world_ground_at(world, 0, 0, &point));
  EXPECT(point.normal.z > 0);
  const grouser_ground_window window = {0, 0, 0.1, 2, 3};
  double heights[6] = {1e9, 1e9, 1e9, 1e9, 1e9, 1e9};
  OK(grouser_world_ground_heights(world, &window, heights, 6));
  EXPECT(heights[0] == point.height && heights[5] < 1e9);
  REFUSED(grouser_world_ground_heights(world, &window, heights, 5), GROUSER_USAGE);

  size_t wheels = 0;
  const char* name = NULL;
  int wheel = -1, motor = -1, chassis = -1;
  OK(grouser_world_count(world, GROUSER_WHEELS, &wheels));
  EXPECT(wheels == 6);
  OK(grouser_world_find(world, GROUSER_WHEELS, "rover/front_left", &wheel));
  OK(grouser_world_name(world, GROUSER_WHEELS, (size_t)wheel, &name));
  EXPECT(strcmp(name, "rover/front_left") == 0);
  OK(grouser_world_find(world, GROUSER_ACTUATORS, "rover/front_left_drive", &motor));
  OK(grouser_world_name(world, GROUSER_BODIES, 0, &name));
  OK(grouser_world_find(world, GROUSER_BODIES, name, &chassis));
  REFUSED(grouser_world_find(world, GROUSER_WHEELS, "rover/front_lift", &wheel), GROUSER_USAGE);
  EXPECT(strstr(grouser_error_text(), "did you mean 'rover/front_left'?") != NULL);
  REFUSED(grouser_world_find(world, (grouser_list)99, "rover/front_left", &wheel), GROUSER_USAGE);

  grouser_simulation* simulation = NULL;
  OK(grouser_simulation_create(world, NULL, 0, &simulation));
  grouser_outcome outcome = GROUSER_INTERRUPTED;
  OK(grouser_simulation_run_to(simulation, 3, &outcome));
  EXPECT(outcome == GROUSER_COMPLETED);
  long steps = 0;
  OK(grouser_simulation_steps(simulation, &steps));
  EXPECT(steps > 10);
  grouser_state* state = NULL;
  uint64_t hash = 0;
  OK(grouser_simulation_state(simulation, &state));
  OK(grouser_state_hash(state, &hash));
  printf("state hash %016llx\n", (unsigned long long)hash);
  OK(grouser_state_free(state));

  grouser_sample sample;
  OK(grouser_simulation_sample(simulation, &sample));
  EXPECT(sample.time == 3 && sample.wheel_count == 6 && sample.wheels[wheel].normal > 0);
  EXPECT(sample.q_count > 6 && sample.v_count > 6 && sample.rover_count == 1);
  OK(grouser_simulation_ground_at(simulation, 0, 0, &point));
  OK(grouser_simulation_ground_heights(simulation, &window, heights, 6));
  grouser_report report;
  OK(grouser_simulation_report(simulation, &report));
  EXPECT(report.time == 3 && report.wheel_count == 6 && report.distance > 0 && report.energy > 0);
  EXPECT(strcmp(report.wheels[wheel].name, "rover/front_left") == 0 && report.wheels[wheel].has_slip);

  states(world, simulation);
  OK(grouser_simulation_reset(simulation));
  OK(grouser_simulation_set_target(simulation, motor, GROUSER_VELOCITY, 0.3));
  OK(grouser_simulation_release(simulation, motor));
  const grouser_wrench push = {{0, 0, 0}, {1, 0, 0}};
  OK(grouser_simulation_set_wrench(simulation, chassis, &push));
  OK(grouser_simulation_request_stop(simulation));
  OK(grouser_simulation_run_to(simulation, 0.5, &outcome));
  EXPECT(outcome == GROUSER_INTERRUPTED);
  bool arrived = false;
  OK(grouser_simulation_step(simulation, &arrived));
  EXPECT(arrived);
  int calls = 0;
  OK(grouser_simulation_add_controller(simulation, 10, 0.5, drive, &calls));
  REFUSED(grouser_simulation_run_to(simulation, 2, NULL), GROUSER_USAGE);
  EXPECT(strstr(grouser_error_text(), "returned 7") != NULL);
  EXPECT(calls == 6); /* at 0.5, 0.6, ... 1.0 or just below */
  OK(grouser_world_free(world)); /* the simulation does not mind */
  OK(grouser_simulation_free(simulation));
}

static void recording(void) {
  grouser_world* world = NULL;
  grouser_simulation* simulation = NULL;
  OK(grouser_world_builtin("pendulum", &world));
  OK(grouser_simulation_create(world, NULL, 1, &simulation));
  OK(grouser_simulation_record(simulation, "c-run"));
  OK(grouser_simulation_run_to(simulation, 0.1, NULL));
  OK(grouser_simulation_stop_recording(simulation));
  grouser_run* run = NULL;
  OK(grouser_run_open("c-run", &run));
  size_t count = 0;
  OK(grouser_run_quantity_count(run, &count));
  EXPECT(count > 3);
  const char* name = NULL;
  OK(grouser_run_quantity(run, 0, &name));
  grouser_table table;
  OK(grouser_run_read(run, "/joints/position", &table));
  EXPECT(table.row_count == 6 && table.column_count == 6 && strcmp(table.columns[0].unit, "rad") == 0);
  OK(grouser_run_free(run));
  OK(grouser_simulation_free(simulation));
  OK(grouser_world_free(world));
}

/* A ball that the host lets collide with a floor. */
static void host_contacts(void) {
  grouser_scene* scene = NULL;
  OK(grouser_scene_create(&scene));
  OK(grouser_scene_set_text(scene, "integrator.method", "moreau_jean"));
  OK(grouser_scene_set_number(scene, "integrator.step", 0.001));
  OK(grouser_scene_set_text(scene, "models[0].name", "toy"));
  const double start[] = {0, 0, 0.3};
  OK(grouser_scene_set_numbers(scene, "models[0].position", start, 3));
  OK(grouser_scene_set_text(scene, "models[0].tree.bodies[0].name", "ball"));
  OK(grouser_scene_set_number(scene, "models[0].tree.bodies[0].mass", 2));
  OK(grouser_scene_set_number(scene, "models[0].tree.bodies[0].shape.sphere.radius", 0.1));
  REFUSED(grouser_scene_set_number(scene, "models[5].mass", 1), GROUSER_USAGE);
  grouser_world *plain = NULL, *world = NULL;
  OK(grouser_world_build(scene, NULL, &plain));
  OK(grouser_scene_set_truth(scene, "models[0].on_ground", true));
  REFUSED(grouser_world_build(scene, NULL, &world), GROUSER_INPUT); /* there is no ground */
  OK(grouser_scene_free(scene));
  OK(grouser_world_with_host_contacts(plain, &world));
  grouser_simulation* simulation = NULL;
  OK(grouser_simulation_create(world, NULL, 1, &simulation));
  const grouser_host_contact_force* forces = NULL;
  size_t count = 0;
  for (int k = 0; k < 1000; ++k) {
    grouser_sample sample;
    OK(grouser_simulation_sample(simulation, &sample));
    const grouser_vec3 middle = sample.bodies[0].pose.position;
    grouser_host_contact floor_below = {0, GROUSER_THE_WORLD, {0, 0, 0}, {0, 0, 1}, 0, 0.4, 0};
    floor_below.point = middle;
    floor_below.point.z -= 0.1;
    floor_below.gap = middle.z - 0.1;
    OK(grouser_simulation_set_contacts(simulation, &floor_below, 1));
    OK(grouser_simulation_step(simulation, NULL));
    OK(grouser_simulation_contact_forces(simulation, &forces, &count));
  }
  EXPECT(count == 1 && fabs(forces[0].force.z - 2 * 9.80665) < 1e-6);
  OK(grouser_simulation_free(simulation));
  OK(grouser_world_free(world));
  OK(grouser_world_free(plain));
}

static void force_elements(void) {
  grouser_world* world = NULL;
  OK(grouser_world_parse(kPlate, NULL, &world));
  grouser_contacts* contacts = NULL;
  OK(grouser_contacts_create(world, 1, &contacts));
  grouser_pose pose = {{1, 0, 0, 0}, {0, 0, 0.02}};
  const grouser_twist still = {{0, 0, 0}, {0, 0, 0}};
  OK(grouser_contacts_begin(contacts, 0, &pose, &still, 1));
  uint64_t untouched = 0, after = 0, back = 0;
  OK(grouser_contacts_memory_hash(contacts, &untouched));
  pose.position.z = 0;
  grouser_wrench first, second;
  OK(grouser_contacts_forces(contacts, 0.01, &pose, &still, &first, 1));
  OK(grouser_contacts_forces(contacts, 0.01, &pose, &still, &second, 1));
  EXPECT(first.force.z > 100 && memcmp(&first, &second, sizeof first) == 0);
  const grouser_contact_sample* samples = NULL;
  size_t count = 0;
  OK(grouser_contacts_sample(contacts, 0.01, &pose, &still, 1, &samples, &count));
  EXPECT(count == 1 && samples[0].in_contact && samples[0].depth > 0);
  REFUSED(grouser_contacts_exchange(contacts, 0.01), GROUSER_USAGE);
  EXPECT(strstr(grouser_error_text(), "m/plate") != NULL);
  OK(grouser_contacts_set_motion(contacts, 0, &pose, &still));
  OK(grouser_contacts_exchange(contacts, 0.01));
  OK(grouser_contacts_wrench(contacts, 0, &second));
  EXPECT(memcmp(&first, &second, sizeof first) == 0);
  OK(grouser_contacts_memory_hash(contacts, &after));
  EXPECT(after == untouched);

  bool changed = false;
  OK(grouser_contacts_commit_exchange(contacts, &changed));
  double tick = 0;
  OK(grouser_contacts_next_tick(contacts, &tick));
  for (int k = 2; k < 20; ++k) OK(grouser_contacts_commit(contacts, 0.01 * k, &pose, &still, 1, NULL));
  grouser_ground_point point;
  OK(grouser_contacts_ground_at(contacts, 0, 0, &point));
  EXPECT(fabs(point.height + 0.02) < 1e-3);
  const grouser_ground_window window = {0, 0, 0.01, 1, 1};
  double height = 0;
  OK(grouser_contacts_ground_heights(contacts, &window, &height, 1));
  EXPECT(height == point.height);

  const void* bytes = NULL;
  size_t size = 0;
  OK(grouser_contacts_memory_hash(contacts, &after));
  EXPECT(after != untouched);
  OK(grouser_contacts_memory_to_bytes(contacts, &bytes, &size));
  void* copy = malloc(size);
  memcpy(copy, bytes, size);
  OK(grouser_contacts_begin(contacts, 0, &pose, &still, 1));
  OK(grouser_contacts_memory_from_bytes(contacts, copy, size));
  OK(grouser_contacts_memory_hash(contacts, &back));
  EXPECT(back == after);
  grouser_state* state = NULL; /* the same bytes are a state of that world */
  OK(grouser_state_from_bytes(world, copy, size, &state));
  OK(grouser_state_free(state));
  free(copy);
  OK(grouser_contacts_free(contacts));
  OK(grouser_world_free(world));
}

static void files(void) {
  FILE* file = fopen("c-plate.yaml", "w");
  fputs(kPlate, file);
  fclose(file);
  grouser_world* world = NULL;
  OK(grouser_world_load("c-plate.yaml", &world));
  OK(grouser_world_free(world));
  grouser_run* run = NULL;
  REFUSED(grouser_run_open("no-such-run", &run), GROUSER_IO);
  REFUSED(grouser_world_load("no-such-file.yaml", &world), GROUSER_INPUT);
}

int main(void) {
  if (grouser_abi_version() != GROUSER_ABI_VERSION) return 2;
  EXPECT(strlen(grouser_version()) >= 5);
  errors();
  built_in_things();
  files();
  rover();
  recording();
  host_contacts();
  force_elements();
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
