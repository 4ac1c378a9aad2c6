// W6, Siconos 4.4.0: slider-crank with a translational clearance joint (its own example SliderCrank): angles of crank, rod and
// slider, four corners with Newton's impact law. Moreau-Jean with an LCP, as the example has it.
#include <SiconosKernel.hpp>

#include "../common/bench.hpp"
namespace W = bench::w6;
// Rod and slider at the end of crank and rod; masses of what hangs there.
constexpr double A11 = W::J1 + W::l1 * W::l1 * (W::m1 / 4 + W::m2 + W::m3),
                 A12 = W::l1 * W::l2 * (W::m2 / 2 + W::m3), A22 = W::J2 + W::l2 * W::l2 * (W::m2 / 4 + W::m3);
extern "C" {
static void mass(unsigned, double* q, double* M, unsigned, double*) {
  double c = A12 * cos(q[0] - q[1]);
  M[0] = A11;
  M[1] = M[3] = c;
  M[4] = A22;
  M[8] = W::J3;
  M[2] = M[5] = M[6] = M[7] = 0;
}
static void gyr(unsigned, double* q, double* v, double* f, unsigned, double*) {
  double s = A12 * sin(q[0] - q[1]);
  f[0] = s * v[1] * v[1];
  f[1] = -s * v[0] * v[0];
  f[2] = 0;
}
static void gyrq(unsigned, double* q, double* v, double* J, unsigned, double*) {
  double c = A12 * cos(q[0] - q[1]);
  for (int i = 0; i < 9; ++i) J[i] = 0;
  J[0] = c * v[1] * v[1];
  J[3] = -J[0];
  J[1] = -c * v[0] * v[0];
  J[4] = -J[1];
}
static void gyrv(unsigned, double* q, double* v, double* J, unsigned, double*) {
  double s = A12 * sin(q[0] - q[1]);
  for (int i = 0; i < 9; ++i) J[i] = 0;
  J[3] = 2 * s * v[1];
  J[1] = -2 * s * v[0];
}
static void fint(double, unsigned, double* q, double*, double* f, unsigned, double*) {
  f[0] = W::g * W::l1 * (W::m1 / 2 + W::m2 + W::m3) * cos(q[0]);
  f[1] = W::g * W::l2 * (W::m2 / 2 + W::m3) * cos(q[1]);
  f[2] = 0;
}
static void fintq(double, unsigned, double* q, double*, double* J, unsigned, double*) {
  for (int i = 0; i < 9; ++i) J[i] = 0;
  J[0] = -W::g * W::l1 * (W::m1 / 2 + W::m2 + W::m3) * sin(q[0]);
  J[4] = -W::g * W::l2 * (W::m2 / 2 + W::m3) * sin(q[1]);
}
static void fintv(double, unsigned, double*, double*, double* J, unsigned, double*) {
  for (int i = 0; i < 9; ++i) J[i] = 0;
}
}
// Corner (x, y) of the slider against the wall on its side: side * (height of the corner) <= b + play.
class Corner : public LagrangianScleronomousR {
 public:
  double x, y, side;
  Corner(double x, double y, double side) : x(x), y(y), side(side) {}
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& h) override {
    double t = q.getValue(2);
    h.setValue(
        0, W::b + W::play -
               side * (W::l1 * sin(q.getValue(0)) + W::l2 * sin(q.getValue(1)) + x * sin(t) + y * cos(t)));
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    double t = q.getValue(2);
    _jachq->setValue(0, 0, -side * W::l1 * cos(q.getValue(0)));
    _jachq->setValue(0, 1, -side * W::l2 * cos(q.getValue(1)));
    _jachq->setValue(0, 2, -side * (x * cos(t) - y * sin(t)));
  }
};
static void run(double h) {
  double error = 0, q1 = 0, q2 = 0;
  double t = bench::median_of([&] {
    SP::SiconosVector q0(new SiconosVector(3)), v0(new SiconosVector(3));
    (*v0)(0) = W::w1;
    (*v0)(1) = W::w2;
    SP::LagrangianDS ds(new LagrangianDS(q0, v0));
    ds->setComputeMassFunction(&mass);
    ds->setComputeFGyrFunction(&gyr);
    ds->setComputeJacobianFGyrqFunction(&gyrq);
    ds->setComputeJacobianFGyrqDotFunction(&gyrv);
    ds->setComputeFIntFunction(&fint);
    ds->setComputeJacobianFIntqFunction(&fintq);
    ds->setComputeJacobianFIntqDotFunction(&fintv);
    SP::NonSmoothDynamicalSystem ns(new NonSmoothDynamicalSystem(0, W::T));
    ns->insertDynamicalSystem(ds);
    SP::NonSmoothLaw law(new NewtonImpactNSL(W::e));
    for (double x : {-W::a, W::a})
      for (double y : {-W::b, W::b})
        ns->link(SP::Interaction(new Interaction(law, SP::Relation(new Corner(x, y, y > 0 ? 1 : -1)))), ds);
    SP::TimeDiscretisation td(new TimeDiscretisation(0, h));
    SP::SiconosVector q = ds->q();
    SP::MoreauJeanOSI osi(new MoreauJeanOSI(0.5));
    SP::OneStepNSProblem lcp(new LCP());
    SP::TimeStepping sim(new TimeStepping(ns, td, osi, lcp));
    sim->setNewtonTolerance(1e-10);
    sim->setNewtonMaxIteration(10);
    bench::tic();
    for (long n = lround(W::T / h); n-- > 0;) {
      sim->computeOneStep();
      sim->nextStep();
    }
    double s = bench::toc();
    q1 = (*q)(0), q2 = (*q)(1);
    error = W::error(q1, q2);
    return s;
  });
  printf("siconos W6 MoreauJean h=%g t=%.4gs cpu=%.4gs error=%.3g theta=%.9f %.9f\n", h, t, bench::last_cpu(),
         error, q1, q2);
}
int main() {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  try {
    for (double h : {1e-4, 1e-5, 1e-6}) run(h);
  } catch (...) {
    Siconos::exception::process();
    return 1;
  }
}
