/* A host that finds contacts itself: the corners of a box against planes. Grouser does the mechanics: it takes the contacts,
 * finds the impulses that keep bodies apart and let them stick or slide, and gives poses back.
 *
 *     cc collisions.c -lgrouser -lm && ./a.out
 *
 * The box slides down a ramp of 20 degrees with a friction of 0.2, and on over a level floor until it rests. */
#include <grouser/grouser.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { kCorners = 8, kPlanes = 2 };

static const double kHalf[3] = {0.2, 0.15, 0.1}; /* half the edges of the box [m] */

/* All points x with normal . x = 0 and below. */
typedef struct {
  grouser_vec3 normal;
} plane;

static void check(grouser_result result) {
  if (result == GROUSER_OK) return;
  fprintf(stderr, "%s\n", grouser_error_text());
  exit((int)result);
}

static double dot(grouser_vec3 a, grouser_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* A point of a body in the world: p + v + 2 w (q x v) + 2 q x (q x v). */
static grouser_vec3 to_world(const grouser_pose* pose, grouser_vec3 v) {
  const grouser_quaternion q = pose->orientation;
  const grouser_vec3 c = {q.y * v.z - q.z * v.y, q.z * v.x - q.x * v.z, q.x * v.y - q.y * v.x};
  const grouser_vec3 d = {q.y * c.z - q.z * c.y, q.z * c.x - q.x * c.z, q.x * c.y - q.y * c.x};
  const grouser_vec3 p = pose->position;
  const grouser_vec3 point = {p.x + v.x + 2 * (q.w * c.x + d.x), p.y + v.y + 2 * (q.w * c.y + d.y),
                              p.z + v.z + 2 * (q.w * c.z + d.z)};
  return point;
}

/* Where corners are near the ground: of the two planes the higher one counts, since ground lies below either. */
static size_t detect(const grouser_pose* box, const plane planes[kPlanes], grouser_host_contact* contacts) {
  const double near = 0.02; /* contacts that have not closed yet may be given early [m] */
  size_t count = 0;
  for (int corner = 0; corner < kCorners; ++corner) {
    const grouser_vec3 local = {corner & 1 ? kHalf[0] : -kHalf[0], corner & 2 ? kHalf[1] : -kHalf[1],
                                corner & 4 ? kHalf[2] : -kHalf[2]};
    const grouser_vec3 point = to_world(box, local);
    int nearest = 0;
    for (int k = 1; k < kPlanes; ++k) {
      if (dot(planes[k].normal, point) < dot(planes[nearest].normal, point)) nearest = k;
    }
    const double gap = dot(planes[nearest].normal, point);
    if (gap > near) continue;
    grouser_host_contact contact = {0, GROUSER_THE_WORLD, {0, 0, 0}, {0, 0, 1}, 0, 0.2, 0};
    contact.point = point;
    contact.normal = planes[nearest].normal;
    contact.gap = gap;
    contacts[count++] = contact;
  }
  return count;
}

static grouser_world* make_world(double slope) {
  grouser_scene* scene = NULL;
  grouser_world *plain = NULL, *world = NULL;
  const double edges[3] = {2 * kHalf[0], 2 * kHalf[1], 2 * kHalf[2]};
  const double along = 1.5; /* up the ramp [m] */
  const double start[3] = {-along * cos(slope) + kHalf[2] * sin(slope), 0, along * sin(slope) + kHalf[2] * cos(slope)};
  const double tilt[3] = {0, slope * 45 / atan(1), 0}; /* [deg] */
  check(grouser_scene_create(&scene));
  check(grouser_scene_set_text(scene, "integrator.method", "moreau_jean"));
  check(grouser_scene_set_number(scene, "integrator.step", 0.002));
  check(grouser_scene_set_text(scene, "models[0].name", "toy"));
  check(grouser_scene_set_numbers(scene, "models[0].position", start, 3));
  check(grouser_scene_set_numbers(scene, "models[0].rpy_deg", tilt, 3));
  check(grouser_scene_set_text(scene, "models[0].tree.bodies[0].name", "box"));
  check(grouser_scene_set_number(scene, "models[0].tree.bodies[0].mass", 3));
  check(grouser_scene_set_numbers(scene, "models[0].tree.bodies[0].shape.box", edges, 3));
  check(grouser_world_build(scene, NULL, &plain));
  check(grouser_world_with_host_contacts(plain, &world));
  check(grouser_world_free(plain));
  check(grouser_scene_free(scene));
  return world;
}

int main(void) {
  const double slope = 20 * atan(1) / 45;
  const plane ground[kPlanes] = {{{0, 0, 1}}, {{sin(slope), 0, cos(slope)}}};
  grouser_world* world = make_world(slope);
  grouser_simulation* simulation = NULL;
  check(grouser_simulation_create(world, NULL, 1, &simulation));

  for (int step = 0; step < 2000; ++step) {
    grouser_sample sample;
    grouser_host_contact contacts[kCorners];
    check(grouser_simulation_sample(simulation, &sample));
    check(grouser_simulation_set_contacts(simulation, contacts, detect(&sample.bodies[0].pose, ground, contacts)));
    check(grouser_simulation_step(simulation, NULL));
    if (step == 199) {
      /* Uniformly accelerated: x'' = g (sin - mu cos) along the ramp. */
      const double expected = 9.80665 * (sin(slope) - 0.2 * cos(slope)) * sample.time;
      const grouser_vec3 v = sample.bodies[0].twist.linear;
      printf("down the ramp as Coulomb says: %s\n", fabs(sqrt(dot(v, v)) - expected) < 1e-3 ? "yes" : "no");
    }
  }

  grouser_sample sample;
  const grouser_host_contact_force* forces = NULL;
  size_t count = 0;
  double load = 0;
  check(grouser_simulation_sample(simulation, &sample));
  check(grouser_simulation_contact_forces(simulation, &forces, &count));
  for (size_t k = 0; k < count; ++k) load += forces[k].force.z;
  printf("rests on %d corners that carry %.2f N, %.1f m from the ramp\n", (int)count, load, sample.bodies[0].pose.position.x);
  check(grouser_simulation_free(simulation));
  check(grouser_world_free(world));
  return 0;
}
