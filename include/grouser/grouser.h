#pragma once

/**
 * Grouser from C (C99 or later; C++ may include it, too). docs/c.md has complete examples.
 *
 * Units are SI and radians; world axes have z up. Lists of things, and arrays about them, are in the order of their names in
 * the world.
 *
 * Handles are opaque and belong to their kind. A handle that was freed, or never was one, is refused with a text; nothing of
 * it is read. A world, a scene or a state that something else was made of may be freed before that. Any number of threads may
 * work with a handle each; one handle belongs to one thread at a time. Worlds and states may be read by several.
 *
 * All functions that can fail return a grouser_result. Where it is not GROUSER_OK nothing was changed or written to out
 * parameters, and grouser_error_text() says why. No C++ exception leaves the library.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GROUSER_C_API __attribute__((visibility("default")))

/** Of this header. It changes whenever a program must be compiled again. */
#define GROUSER_ABI_VERSION 1

/* Names are in the manner of C: NOLINTBEGIN(readability-identifier-naming) */
#ifdef __cplusplus
extern "C" {
#endif

/** Of the library; compare with GROUSER_ABI_VERSION before anything else. */
GROUSER_C_API int grouser_abi_version(void);
/** "major.minor.patch" */
GROUSER_C_API const char* grouser_version(void);

/* ---------------------------------------------------------------- errors */

/** Who can act on what went wrong. The first five are the program's exit codes. */
typedef enum grouser_result {
  GROUSER_OK = 0,
  GROUSER_USAGE = 1,    /**< a call is wrong */
  GROUSER_INPUT = 2,    /**< a scene, model or state is wrong */
  GROUSER_DIVERGED = 3, /**< the simulation left the finite numbers */
  GROUSER_IO = 4,       /**< a file could not be read or written */
  GROUSER_INTERNAL = 5  /**< out of memory, or a bug of the library */
} grouser_result;

/** One finding about one place of an input. Texts are never NULL; all but the message may be empty. */
typedef struct grouser_issue {
  const char* message; /**< what is wrong */
  const char* file;
  int line;          /**< 1-based; 0: unknown */
  const char* field; /**< e.g. "models[0].joints.hip.damping" */
  const char* value; /**< what was found */
  const char* legal; /**< what would have been legal */
} grouser_issue;

/** Of the last call of this thread that failed: all findings, a line each. Valid until another one fails. */
GROUSER_C_API const char* grouser_error_text(void);
/** Number of findings. */
GROUSER_C_API size_t grouser_error_count(void);
/** One of them. Its texts are valid until another call of this thread fails. */
GROUSER_C_API grouser_result grouser_error_issue(size_t index, grouser_issue* issue);

/* ---------------------------------------------------------------- plain types */

typedef struct grouser_vec3 {
  double x, y, z;
} grouser_vec3;

/** A unit quaternion. All zeros is no rotation: that of no rotation is {1, 0, 0, 0}. */
typedef struct grouser_quaternion {
  double w, x, y, z;
} grouser_quaternion;

/** Where a body stands in the world. */
typedef struct grouser_pose {
  grouser_quaternion orientation;
  grouser_vec3 position; /**< of its origin [m] */
} grouser_pose;

/** How it moves, world axes. */
typedef struct grouser_twist {
  grouser_vec3 angular; /**< [rad/s] */
  grouser_vec3 linear;  /**< of its origin [m/s] */
} grouser_twist;

/** A load at its origin, world axes. */
typedef struct grouser_wrench {
  grouser_vec3 torque; /**< [N m] */
  grouser_vec3 force;  /**< [N] */
} grouser_wrench;

/** The ground at a point, seen from above. */
typedef struct grouser_ground_point {
  double height;       /**< [m] */
  grouser_vec3 normal; /**< unit, upward */
} grouser_ground_point;

/** Nodes of a regular grid, seen from above. */
typedef struct grouser_ground_window {
  double x, y;    /**< of the first node [m] */
  double spacing; /**< between nodes [m], > 0 */
  int columns;    /**< nodes along x, >= 1 */
  int rows;       /**< nodes along y, >= 1 */
} grouser_ground_window;

/* ---------------------------------------------------------------- scenes and worlds */

/** Keys and values of docs/scene-format.md, put together one by one. */
typedef struct grouser_scene grouser_scene;
/** Everything but the state: bodies, joints, motors, ground, contacts, commands. Never changes. */
typedef struct grouser_world grouser_world;
/** All that is needed to go on from an instant. Never changes. */
typedef struct grouser_state grouser_state;
/** A world in motion. */
typedef struct grouser_simulation grouser_simulation;
/** The contacts of a world as force elements of a multibody code of your own. */
typedef struct grouser_contacts grouser_contacts;
/** What was recorded. */
typedef struct grouser_run grouser_run;

GROUSER_C_API grouser_result grouser_scene_create(grouser_scene** scene);
/** NULL is taken by all functions that free; it is nothing. */
GROUSER_C_API grouser_result grouser_scene_free(grouser_scene* scene);
/**
 * Set what a path names, "terrain.surface.size" or "models[0].tree.bodies[1].mass"; maps and lists on the way are made. An
 * element of a list must be there already, or be the next one.
 */
GROUSER_C_API grouser_result grouser_scene_set_number(grouser_scene* scene, const char* path,
                                                      double value);
GROUSER_C_API grouser_result grouser_scene_set_numbers(grouser_scene* scene, const char* path,
                                                       const double* values, size_t count);
GROUSER_C_API grouser_result grouser_scene_set_text(grouser_scene* scene, const char* path,
                                                    const char* text);
GROUSER_C_API grouser_result grouser_scene_set_truth(grouser_scene* scene, const char* path,
                                                     bool value);

/** From a YAML file. Fails with GROUSER_INPUT and every mistake of the scene, as do all functions that make worlds. */
GROUSER_C_API grouser_result grouser_world_load(const char* file, grouser_world** world);
/** From YAML text. Files that it names are looked for in `folder`; NULL: where the program runs. */
GROUSER_C_API grouser_result grouser_world_parse(const char* yaml, const char* folder,
                                                 grouser_world** world);
/** From a built-in scene: "default", "terra", ... */
GROUSER_C_API grouser_result grouser_world_builtin(const char* name, grouser_world** world);
GROUSER_C_API grouser_result grouser_world_build(const grouser_scene* scene, const char* folder,
                                                 grouser_world** world);
/** The same world with a place for contacts that a host finds itself. Needs the integrator moreau_jean. */
GROUSER_C_API grouser_result grouser_world_with_host_contacts(const grouser_world* world,
                                                              grouser_world** with_them);
GROUSER_C_API grouser_result grouser_world_free(grouser_world* world);

typedef struct grouser_world_info {
  const char* name;  /**< valid as long as the world's handle */
  double duration;   /**< that the scene asks for [s] */
  double step;       /**< of the integrator [s] */
  double total_mass; /**< of all bodies [kg] */
  bool has_ground;
  double x_min, y_min, x_max, y_max; /**< what the ground covers [m]; zeros without one */
} grouser_world_info;
GROUSER_C_API grouser_result grouser_world_get_info(const grouser_world* world,
                                                    grouser_world_info* info);

/** Things that have names. */
typedef enum grouser_list {
  GROUSER_BODIES,
  GROUSER_ACTUATORS,
  GROUSER_ROVERS,
  GROUSER_WHEELS,   /**< of all rovers */
  GROUSER_CONTACTS, /**< shapes that touch others or the ground, "NAME (MODEL)" */
  GROUSER_SPRINGS,
  GROUSER_TETHERS,
  GROUSER_EVENTS
} grouser_list;
GROUSER_C_API grouser_result grouser_world_count(const grouser_world* world, grouser_list list,
                                                 size_t* count);
/** Valid as long as the world's handle. */
GROUSER_C_API grouser_result grouser_world_name(const grouser_world* world, grouser_list list,
                                                size_t index, const char** name);
/** Position of a name in a list. Fails with the nearest name if there is none of that name. */
GROUSER_C_API grouser_result grouser_world_find(const grouser_world* world, grouser_list list,
                                                const char* name, int* index);

/** The untouched ground. */
GROUSER_C_API grouser_result grouser_world_ground_at(const grouser_world* world, double x, double y,
                                                     grouser_ground_point* point);
/** Heights [m] at the nodes of a window, row by row, x running fastest; `count` is the room in `heights`, at least
 * columns * rows. */
GROUSER_C_API grouser_result grouser_world_ground_heights(const grouser_world* world,
                                                          const grouser_ground_window* window,
                                                          double* heights, size_t count);

typedef enum grouser_builtin {
  GROUSER_SCENES,
  GROUSER_ROVER_MODELS,
  GROUSER_SOILS
} grouser_builtin;
GROUSER_C_API grouser_result grouser_builtin_count(grouser_builtin kind, size_t* count);
/** Valid for good. */
GROUSER_C_API grouser_result grouser_builtin_name(grouser_builtin kind, size_t index,
                                                  const char** name);

/* ---------------------------------------------------------------- states */

/** A checkpoint, as `grouser run --resume`, C++ and Python read it, too. */
GROUSER_C_API grouser_result grouser_state_save(const grouser_state* state, const char* file);
GROUSER_C_API grouser_result grouser_state_load(const grouser_world* world, const char* file,
                                                grouser_state** state);
/** The bytes of that file, in memory. Valid until this is called for the state again, or it is freed. */
GROUSER_C_API grouser_result grouser_state_to_bytes(grouser_state* state, const void** bytes,
                                                    size_t* size);
GROUSER_C_API grouser_result grouser_state_from_bytes(const grouser_world* world, const void* bytes,
                                                      size_t size, grouser_state** state);
GROUSER_C_API grouser_result grouser_state_time(const grouser_state* state, double* time);
/** Of all bits; the same on every run. */
GROUSER_C_API grouser_result grouser_state_hash(const grouser_state* state, uint64_t* hash);
GROUSER_C_API grouser_result grouser_state_equal(const grouser_state* a, const grouser_state* b,
                                                 bool* equal);
GROUSER_C_API grouser_result grouser_state_free(grouser_state* state);

/* ---------------------------------------------------------------- samples */

typedef struct grouser_body_sample {
  grouser_pose pose;
  grouser_twist twist;
} grouser_body_sample;

/** In the frame of the ground under the wheel; forces are those of the ground on the wheel. */
typedef struct grouser_wheel_sample {
  double rate;       /**< of rolling, forward positive [rad/s] */
  double steer;      /**< [rad] */
  double torque;     /**< of the drive [N m] */
  double slip;       /**< driving 1 - v/(wr), braking wr/v - 1 [-] */
  double slip_angle; /**< from where it heads to where its hub goes, to the left [rad] */
  double sinkage;    /**< of its deepest part below the untouched ground [m], >= 0 */
  double normal;     /**< load [N] */
  double pull;       /**< forward [N] */
  double lateral;    /**< to the left [N] */
  double power;      /**< of the drive [W] */
} grouser_wheel_sample;

typedef struct grouser_contact_sample {
  bool in_contact;
  grouser_vec3 force;  /**< on the body, world axes [N] */
  grouser_vec3 torque; /**< the same, about the origin of the shape [N m] */
  double power;        /**< that the contact takes from the body [W] */
  double depth;        /**< sinkage or penetration [m]; 0 where bodies are rigid */
  grouser_vec3 point;  /**< middle of the contact by load [m] */
} grouser_contact_sample;

typedef struct grouser_actuator_sample {
  double effort; /**< [N m] or [N] */
  double power;  /**< [W] */
} grouser_actuator_sample;

typedef struct grouser_rover_sample {
  double roll, pitch, yaw; /**< of its chassis [rad] */
  double path_deviation;   /**< [m]; 0 without a path */
} grouser_rover_sample;

/** Everything about an instant. */
typedef struct grouser_sample {
  double time;     /**< [s] */
  const double* q; /**< joint positions [rad], [m] */
  size_t q_count;
  const double* v; /**< joint velocities [rad/s], [m/s] */
  size_t v_count;
  const grouser_body_sample* bodies;
  size_t body_count;
  const grouser_actuator_sample* actuators;
  size_t actuator_count;
  const grouser_rover_sample* rovers;
  size_t rover_count;
  const grouser_wheel_sample* wheels;
  size_t wheel_count;
  const grouser_contact_sample* contacts;
  size_t contact_count;
  const double* spring_forces; /**< pulling positive [N] */
  size_t spring_count;
  const double* tether_tensions; /**< [N] */
  size_t tether_count;
  double kinetic_energy;   /**< [J] */
  double potential_energy; /**< [J] */
  double loop_residual;    /**< [m], [rad] */
} grouser_sample;

typedef enum grouser_outcome {
  GROUSER_COMPLETED = 0,             /**< and no watcher saw anything */
  GROUSER_COMPLETED_WITH_ALARMS = 1, /**< arrived, but see grouser_report.alarms */
  GROUSER_STOPPED_BY_EVENT = 2,
  GROUSER_STOPPED_BY_ALARM = 3, /**< which the scene's `watch` ends the run for */
  GROUSER_INTERRUPTED = 4 /**< by grouser_simulation_request_stop(); run on with another run_to() */
} grouser_outcome;

typedef struct grouser_event {
  const char* name;
  double time; /**< [s] */
} grouser_event;

typedef struct grouser_wheel_report {
  const char* name;
  bool has_slip;       /**< whether it rolled or slid in contact at all */
  double slip_mean;    /**< over the way [-]; 0 if not */
  double sinkage_max;  /**< [m] */
  double torque_rms;   /**< [N m] */
  double normal_mean;  /**< [N] */
  double pull_mean;    /**< [N] */
  double lateral_mean; /**< [N] */
  double power_mean;   /**< [W] */
} grouser_wheel_report;

/** What a watcher saw (docs/trust.md): told once per kind and body. */
typedef struct grouser_alarm {
  const char* kind;    /**< "stuck", as in a scene's `watch` */
  const char* body;    /**< body, wheel, rover or actuator that it is about */
  double time;         /**< when it was first seen [s] */
  double last_time;    /**< when it was last seen [s] */
  double duration;     /**< for how long it was seen, in all [s] */
  const char* message; /**< a sentence */
} grouser_alarm;

/** What the steps since a simulation was made, or restored, amounted to. */
typedef struct grouser_report {
  grouser_outcome outcome; /**< of the last run_to() */
  double start_time;       /**< [s] */
  double time;             /**< [s] */
  double wall_time;        /**< [s] */
  long steps;
  double distance;      /**< [m] */
  double energy;        /**< work of all actuators [J] */
  double loop_residual; /**< [m], [rad] */
  const grouser_wheel_report* wheels;
  size_t wheel_count;
  const grouser_event* events;
  size_t event_count;
  const grouser_alarm* alarms; /**< since the scene began */
  size_t alarm_count;
  const char* const* warnings;
  size_t warning_count;
} grouser_report;

/* ---------------------------------------------------------------- simulations */

/** From `start`, a state of that world, or from its beginning if NULL. `threads` that it uses; 0: all cores. */
GROUSER_C_API grouser_result grouser_simulation_create(const grouser_world* world,
                                                       const grouser_state* start, int threads,
                                                       grouser_simulation** simulation);
/** Refused while it runs, that is, inside its controllers. */
GROUSER_C_API grouser_result grouser_simulation_free(grouser_simulation* simulation);

/** To the next point of the step grid. `arrived` may be NULL; false: an event ended the step earlier. */
GROUSER_C_API grouser_result grouser_simulation_step(grouser_simulation* simulation, bool* arrived);

/** On to `end` [s]. `outcome` may be NULL. */
GROUSER_C_API grouser_result grouser_simulation_run_to(grouser_simulation* simulation, double end,
                                                       grouser_outcome* outcome);
/** Ends the present run_to() after its step, or else the next one. From any thread, and from signal handlers' threads. */
GROUSER_C_API grouser_result grouser_simulation_request_stop(grouser_simulation* simulation);

GROUSER_C_API grouser_result grouser_simulation_time(const grouser_simulation* simulation,
                                                     double* time);
/** Accepted ones since it was made, or restored. */
GROUSER_C_API grouser_result grouser_simulation_steps(const grouser_simulation* simulation,
                                                      long* steps);
/** A copy of its state, to be freed. */
GROUSER_C_API grouser_result grouser_simulation_state(const grouser_simulation* simulation,
                                                      grouser_state** state);
/** The last state on the step grid, from which to resume if a run ended between two points. */
GROUSER_C_API grouser_result grouser_simulation_resumable(const grouser_simulation* simulation,
                                                          grouser_state** state);
GROUSER_C_API grouser_result grouser_simulation_restore(grouser_simulation* simulation,
                                                        const grouser_state* state);
GROUSER_C_API grouser_result grouser_simulation_reset(grouser_simulation* simulation);

/** The present instant. Arrays are valid until the simulation moves, is told something, or is freed. */
GROUSER_C_API grouser_result grouser_simulation_sample(grouser_simulation* simulation,
                                                       grouser_sample* sample);
/** Arrays are valid until this is called again, or the simulation is freed. */
GROUSER_C_API grouser_result grouser_simulation_report(grouser_simulation* simulation,
                                                       grouser_report* report);
/** The ground now, ruts included. */
GROUSER_C_API grouser_result grouser_simulation_ground_at(const grouser_simulation* simulation,
                                                          double x, double y,
                                                          grouser_ground_point* point);
GROUSER_C_API grouser_result grouser_simulation_ground_heights(const grouser_simulation* simulation,
                                                               const grouser_ground_window* window,
                                                               double* heights, size_t count);

typedef enum grouser_target {
  GROUSER_POSITION = 0, /**< [rad] or [m] */
  GROUSER_VELOCITY = 1, /**< [rad/s] or [m/s] */
  GROUSER_EFFORT = 2    /**< [N m] or [N] */
} grouser_target;
/** Inputs hold until they are changed, and are part of the state. */
GROUSER_C_API grouser_result grouser_simulation_set_target(grouser_simulation* simulation,
                                                           int actuator, grouser_target target,
                                                           double value);
/** The scene commands the actuator again. */
GROUSER_C_API grouser_result grouser_simulation_release(grouser_simulation* simulation,
                                                        int actuator);
GROUSER_C_API grouser_result grouser_simulation_set_wrench(grouser_simulation* simulation, int body,
                                                           const grouser_wrench* wrench);

/** Called at the ticks of its own clock: looks and sets inputs. Anything but 0 ends the run with GROUSER_USAGE. */
typedef int (*grouser_controller)(grouser_simulation* simulation, void* user);
/** `rate_hz` [Hz] > 0; `start_time` of the first tick [s]. What the controller keeps is not part of the state. */
GROUSER_C_API grouser_result grouser_simulation_add_controller(grouser_simulation* simulation,
                                                               double rate_hz, double start_time,
                                                               grouser_controller controller,
                                                               void* user);

/** Writes a run's folder from now on, as `grouser run` does. */
GROUSER_C_API grouser_result grouser_simulation_record(grouser_simulation* simulation,
                                                       const char* folder);
GROUSER_C_API grouser_result grouser_simulation_stop_recording(grouser_simulation* simulation);

/* ---------------------------------------------------------------- contacts that a host finds */

#define GROUSER_THE_WORLD (-1)

/**
 * A point where two bodies touch, or a body and the world, at their present poses, world axes. Until others are given it goes
 * with its bodies: `point` is fixed to body a, and the point opposite it, with the normal, to body b or the world.
 */
typedef struct grouser_host_contact {
  int body_a;
  int body_b;          /**< another one, or GROUSER_THE_WORLD */
  grouser_vec3 point;  /**< on the surface of body a [m] */
  grouser_vec3 normal; /**< unit, out of b into a */
  double gap;          /**< along the normal; negative where they overlap [m] */
  double friction;     /**< of sliding [-], >= 0 */
  double restitution;  /**< speed after over speed before an impact [-], 0 ... 1 */
} grouser_host_contact;

typedef struct grouser_host_contact_force {
  grouser_vec3 point; /**< where it acted [m] */
  grouser_vec3 force; /**< on body a; on body b the opposite [N] */
} grouser_host_contact_force;

/** Replaces all that were given before. Only in a world of grouser_world_with_host_contacts(). */
GROUSER_C_API grouser_result grouser_simulation_set_contacts(grouser_simulation* simulation,
                                                             const grouser_host_contact* contacts,
                                                             size_t count);
/** What acted in them over the last step, in their order. Valid until the simulation moves or is told something. */
GROUSER_C_API grouser_result grouser_simulation_contact_forces(
    grouser_simulation* simulation, const grouser_host_contact_force** forces, size_t* count);

/* ---------------------------------------------------------------- contacts as force elements */

/** Arrays have an element per body of the world. Masses, joints and motors of the world are not looked at. */
GROUSER_C_API grouser_result grouser_contacts_create(const grouser_world* world, int threads,
                                                     grouser_contacts** contacts);
GROUSER_C_API grouser_result grouser_contacts_free(grouser_contacts* contacts);
/** Starts afresh with bodies that stand there: untouched ground, nothing in contact. */
GROUSER_C_API grouser_result grouser_contacts_begin(grouser_contacts* contacts, double time,
                                                    const grouser_pose* poses,
                                                    const grouser_twist* twists, size_t count);
/** Loads of all contacts on all bodies; any number of times, without a trace. */
GROUSER_C_API grouser_result grouser_contacts_forces(grouser_contacts* contacts, double time,
                                                     const grouser_pose* poses,
                                                     const grouser_twist* twists,
                                                     grouser_wrench* wrenches, size_t count);
/** Once per accepted step: writes ruts and whatever else contacts remember. `changed` may be NULL: whether forces jumped. */
GROUSER_C_API grouser_result grouser_contacts_commit(grouser_contacts* contacts, double time,
                                                     const grouser_pose* poses,
                                                     const grouser_twist* twists, size_t count,
                                                     bool* changed);
/** When soil moves next by its own clock [s]: commit there. Infinite without such a clock. */
GROUSER_C_API grouser_result grouser_contacts_next_tick(const grouser_contacts* contacts,
                                                        double* time);
/** What each of GROUSER_CONTACTS feels there. Valid until the next call for these contacts. */
GROUSER_C_API grouser_result grouser_contacts_sample(grouser_contacts* contacts, double time,
                                                     const grouser_pose* poses,
                                                     const grouser_twist* twists, size_t count,
                                                     const grouser_contact_sample** samples,
                                                     size_t* sample_count);
GROUSER_C_API grouser_result grouser_contacts_ground_at(const grouser_contacts* contacts, double x,
                                                        double y, grouser_ground_point* point);
GROUSER_C_API grouser_result grouser_contacts_ground_heights(const grouser_contacts* contacts,
                                                             const grouser_ground_window* window,
                                                             double* heights, size_t count);

/**
 * For hosts whose objects know themselves alone: each gives its motion, in any order; when all have, exchange() computes all
 * loads from the same instant; each fetches its own. exchange() fails, naming those that are missing, while not all have given
 * theirs since the last one.
 */
GROUSER_C_API grouser_result grouser_contacts_set_motion(grouser_contacts* contacts, int body,
                                                         const grouser_pose* pose,
                                                         const grouser_twist* twist);
GROUSER_C_API grouser_result grouser_contacts_exchange(grouser_contacts* contacts, double time);
GROUSER_C_API grouser_result grouser_contacts_wrench(const grouser_contacts* contacts, int body,
                                                     grouser_wrench* wrench);
/** As grouser_contacts_commit(), with the motions of the last exchange(). */
GROUSER_C_API grouser_result grouser_contacts_commit_exchange(grouser_contacts* contacts,
                                                              bool* changed);

/** What contacts remember, in the format of grouser_state_to_bytes(). Valid until this is called again, or they are freed. */
GROUSER_C_API grouser_result grouser_contacts_memory_to_bytes(grouser_contacts* contacts,
                                                              const void** bytes, size_t* size);
/** From there, or from any state of that world. */
GROUSER_C_API grouser_result grouser_contacts_memory_from_bytes(grouser_contacts* contacts,
                                                                const void* bytes, size_t size);
GROUSER_C_API grouser_result grouser_contacts_memory_hash(const grouser_contacts* contacts,
                                                          uint64_t* hash);

/* ---------------------------------------------------------------- runs */

typedef struct grouser_column {
  const char* label; /**< e.g. "rover/trunk.x" */
  const char* unit;  /**< e.g. "m"; "1" if dimensionless */
} grouser_column;

typedef struct grouser_table {
  const grouser_column* columns;
  size_t column_count;
  const double* values; /**< row by row */
  size_t row_count;
} grouser_table;

/** A run's folder or its run.h5. */
GROUSER_C_API grouser_result grouser_run_open(const char* path, grouser_run** run);
GROUSER_C_API grouser_result grouser_run_free(grouser_run* run);
GROUSER_C_API grouser_result grouser_run_quantity_count(const grouser_run* run, size_t* count);
/** Path of a quantity, "/wheels/slip". Valid as long as the run's handle. */
GROUSER_C_API grouser_result grouser_run_quantity(const grouser_run* run, size_t index,
                                                  const char** quantity);
/** All rows of a quantity. Valid until this is called again, or the run is freed. */
GROUSER_C_API grouser_result grouser_run_read(grouser_run* run, const char* quantity,
                                              grouser_table* table);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming) */
