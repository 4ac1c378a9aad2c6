// W6, MuJoCo 2.2.2: slider-crank with a translational clearance joint, an open chain of three hinges whose slider strikes two planes.
// MuJoCo has no restitution; its contact's direct form, a_ref = -b v - k r, is an oscillator whose damping gives e = 0.4.
#include "mj.hpp"
namespace W = bench::w6;
int main() {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  const double ln = log(W::e), zeta = -ln / sqrt(M_PI * M_PI + ln * ln);
  for (auto [h, k] : {std::pair{1e-5, 1e8}, {1e-6, 1e9}, {1e-6, 1e10}}) {
    std::string ref = num(-k) + " " + num(-2 * zeta * sqrt(k));
    std::string
        inertia = "",
        x = "<mujoco><option timestep='" + num(h) +
            "' integrator='RK4' gravity='0 -9.81 0' solver='Newton' tolerance='1e-12' cone='elliptic'/>"
            "<default><geom condim='1' solref='" +
            ref +
            "' solimp='0.9999 0.9999 0.001' contype='0' conaffinity='0'/></default><worldbody>"
            "<geom type='plane' size='5 5 1' pos='0 " +
            num(-W::b - W::play) +
            " 0' zaxis='0 1 0' conaffinity='1'/><geom type='plane' size='5 5 1' pos='0 " +
            num(W::b + W::play) +
            " 0' zaxis='0 -1 0' conaffinity='1'/>"
            "<body><joint type='hinge' axis='0 0 1'/><inertial pos='" +
            num(W::l1 / 2) + " 0 0' mass='" + num(W::m1) + "' diaginertia='" + num(W::J1) + " " + num(W::J1) +
            " " + num(W::J1) +
            "'/>"
            "<body pos='" +
            num(W::l1) + " 0 0'><joint type='hinge' axis='0 0 1'/><inertial pos='" + num(W::l2 / 2) +
            " 0 0' mass='" + num(W::m2) + "' diaginertia='" + num(W::J2) + " " + num(W::J2) + " " +
            num(W::J2) +
            "'/>"
            "<body pos='" +
            num(W::l2) + " 0 0'><joint type='hinge' axis='0 0 1'/><inertial pos='0 0 0' mass='" + num(W::m3) +
            "' diaginertia='" + num(W::J3) + " " + num(W::J3) + " " + num(W::J3) +
            "'/>"
            "<geom type='box' size='" +
            num(W::a) + " " + num(W::b) + " 0.01' contype='1'/></body></body></body></worldbody></mujoco>";
    mjModel* m = load(x);
    mjData* d = mj_makeData(m);
    long n = lround(W::T / h);
    double t = bench::median_of([&] {
      mj_resetData(m, d);
      d->qvel[0] = W::w1;
      d->qvel[1] = W::w2 - W::w1;
      d->qvel[2] = -W::w2;
      bench::tic();
      for (long i = 0; i < n; ++i) mj_step(m, d);
      return bench::toc();
    });
    printf("mujoco W6 RK4 h=%g k=%g t=%.4gs cpu=%.4gs error=%.3g theta=%.9f %.9f\n", h, k, t,
           bench::last_cpu(), W::error(d->qpos[0], d->qpos[0] + d->qpos[1]), d->qpos[0],
           d->qpos[0] + d->qpos[1]);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}
