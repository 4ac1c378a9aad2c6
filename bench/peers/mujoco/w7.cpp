// W7, MuJoCo 2.2.2: wall of boxes. argv: solver...
#include "mj.hpp"
namespace W = bench::w7;
int main(int argc, char** argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  for (int a = 1; a < argc; ++a) {
    std::string x =
        "<mujoco><option timestep='0.001' solver='" + std::string(argv[a]) +
        "' cone='elliptic' gravity='0 0 -9.81'/><size nconmax='3000' njmax='9000' nstack='100000000'/>"
        "<default><geom condim='3' friction='0.5 0 0' solref='0.005 1'/></default><worldbody><geom "
        "type='plane' size='9 9 1'/>";
    for (auto& p : W::layout())
      x += "<body pos='" + num(p.x) + " " + num(p.y) + " " + num(p.z) +
           "'><freejoint/><geom type='box' size='" + num(W::sx / 2) + " " + num(W::sy / 2) + " " +
           num(W::sz / 2) + "' mass='" + num(W::m) + "'/></body>";
    mjModel* m = load(x + "</worldbody></mujoco>");
    mjData* d = mj_makeData(m);
    long n = lround(W::T / W::dt), done = 0;
    W::Check ck{};
    double t = bench::median_of(
        [&] {
          mj_resetData(m, d);
          bench::tic();
          double t0 = bench::cpu();
          for (done = 0; done < n && bench::cpu() - t0 < 40; ++done) mj_step(m, d);
          double s = bench::toc();
          std::vector<W::P> p;
          for (int i = 1; i <= W::rows * W::columns; ++i)
            p.push_back({d->xpos[3 * i], d->xpos[3 * i + 1], d->xpos[3 * i + 2]});
          ck = W::check(p);
          return s;
        },
        1);
    printf(
        "mujoco W7 %s elliptic solref=0.005 steps=%ld/%ld t=%.4gs cpu=%.4gs ms/step=%.4g (cpu %.4g) "
        "move=%.3g maxpen=%.3g ncon=%d\n",
        argv[a], done, n, t, bench::last_cpu(), 1e3 * t / done, 1e3 * bench::last_cpu() / done, ck.move,
        ck.maxpen, d->ncon);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}
