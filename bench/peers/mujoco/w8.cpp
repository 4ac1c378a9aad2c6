// W8, MuJoCo 2.2.2: the hexapod walks. Trees of hinges whose loops connect constraints close; hips and actuators follow the gait by
// equality constraints whose targets are set before each step, since motions cannot be prescribed otherwise.
#include "mj.hpp"
namespace W = bench::w8;
int main() {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  for (auto [h, solver] :
       {std::pair{1e-2, "Newton"}, {5e-3, "Newton"}, {2e-3, "Newton"}, {1e-3, "Newton"}, {2e-3, "CG"}}) {
    const std::string stiff = " solref='" + num(2 * h) + " 1' solimp='0.99 0.999 0.001'";
    std::string legs, equal, tendons;
    for (int k = 0; k < 6; ++k) {
      const int row = 1 - k % 3, side = k / 3;
      const std::string n = std::to_string(k);
      const double y = (row == 0 ? 0.33 : 0.25) * (side ? -1 : 1);
      legs +=
          "<body name='link" + n + "' pos='" + num(W::reach * row) + " " + num(y) + " 0'><joint name='hip" +
          n +
          "' axis='0 1 0'/><inertial pos='-0.075 0 0' mass='1.2' diaginertia='0.0030 0.0042 0.0024'/><site "
          "name='b" +
          n +
          "' pos='-0.15 0 -0.06'/>"
          "<body pos='-0.15 0 0.06'><joint axis='0 1 0'/><inertial pos='0.15 0 0' mass='0.6' "
          "diaginertia='0.0002 0.0045 0.0045'/><site name='d" +
          n +
          "' pos='0.3 0 0'/>"
          "<body name='shank" +
          n +
          "' pos='0.3 0 0'><joint axis='0 1 0'/><inertial pos='-0.07 0 -0.28' mass='1.5' diaginertia='0.038 "
          "0.040 0.0025'/><geom type='sphere' size='0.03' pos='-0.15 0 -0.55' contype='1'/></body></body>"
          "<body name='lower" +
          n +
          "' pos='-0.15 0 -0.06'><joint axis='0 1 0'/><inertial pos='0.15 0 0' mass='0.6' "
          "diaginertia='0.0002 0.0045 0.0045'/></body></body>";
      tendons +=
          "<spatial name='length" + n + "'><site site='b" + n + "'/><site site='d" + n + "'/></spatial>";
      equal += "<connect body1='lower" + n + "' body2='shank" + n + "' anchor='0.3 0 0'" + stiff +
               "/><joint joint1='hip" + n + "'" + stiff + "/><tendon tendon1='length" + n + "'" + stiff +
               "/>";
    }
    mjModel* m = load(
        "<mujoco><option timestep='" + num(h) + "' solver='" + solver +
        "' cone='elliptic' gravity='0 0 -9.81'/><default><geom condim='3' friction='0.8 0 0' solref='" +
        num(2 * h) +
        " 1' contype='0' conaffinity='0'/></default><worldbody><geom type='plane' size='9 9 1' "
        "conaffinity='1'/>"
        "<body pos='0 0 " +
        num(W::height + W::foot) +
        "'><freejoint/><inertial pos='0 0 0' mass='20' diaginertia='0.283 1.083 1.333'/>" + legs +
        "</body></worldbody><tendon>" + tendons + "</tendon><equality>" + equal + "</equality></mujoco>");
    mjData* d = mj_makeData(m);
    const long n = lround(W::T / h);
    const double rest = sqrt(W::a * W::a + W::h * W::h);
    double t = bench::median_of([&] {
      mj_resetData(m, d);
      bench::tic();
      for (long i = 0; i < n; ++i) {
        for (int k = 0; k < 6; ++k) {
          const W::Drive now = W::drive((i + 1) * h, 1 - k % 3, k / 3);
          m->eq_data[(3 * k + 1) * mjNEQDATA] = now.angle;
          m->eq_data[(3 * k + 2) * mjNEQDATA] = now.length - rest;
        }
        mj_step(m, d);
      }
      return bench::toc();
    });
    printf("mujoco W8 %s h=%g t=%.4gs cpu=%.4gs s/s=%.4g error=%.3g x=%.6f z=%.6f\n", solver, h, t,
           bench::last_cpu(), bench::last_cpu() / W::T, fabs(d->qpos[0] - W::intended), d->qpos[0],
           d->qpos[2]);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}
