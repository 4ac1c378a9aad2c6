/* A PID controller as an FMU of both versions, written from the standard's signatures:

     u_k = kp e_k + ki Σ_{i ≤ k} e_i h + kd (e_k − e_{k−1})/h,      e_{−1} = e_0

   Value references: 0 time, 1 e (input), 2 u (output), 3 kp, 4 ki, 5 kd, 6 fail_at: from this time on it answers with an error. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { count = 7, error = 3 };

struct memory {
  double values[count], sum, last;
  int begun;
};
struct pid {
  struct memory m;
  void (*log2)(void*, const char*, int, const char*, const char*, ...);
  void (*log3)(void*, int, const char*, const char*);
  void* environment;
};

static struct pid* make(const char* token) {
  struct pid* c;
  if (!token || strcmp(token, "pid-token") != 0) return NULL;
  c = calloc(1, sizeof *c);
  c->m.values[6] = 1e300;
  return c;
}

static int do_step(struct pid* c, double from, double length) {
  struct memory* m = &c->m;
  const double e = m->values[1];
  if (from >= m->values[6]) {
    if (c->log2) c->log2(c->environment, "pid", error, "logStatusError", "it was told to fail at %g s", m->values[6]);
    if (c->log3) c->log3(c->environment, error, "logStatusError", "it was told to fail");
    return error;
  }
  if (!m->begun) m->last = e;
  m->begun = 1;
  m->sum += e * length;
  m->values[2] = m->values[3] * e + m->values[4] * m->sum + m->values[5] * (e - m->last) / length;
  m->last = e;
  m->values[0] = from + length;
  return 0;
}

static int take(struct pid* c, const unsigned* references, size_t n, double* out) {
  size_t i;
  for (i = 0; i < n; ++i) {
    if (references[i] >= count) return error;
    out[i] = c->m.values[references[i]];
  }
  return 0;
}
static int put(struct pid* c, const unsigned* references, size_t n, const double* in) {
  size_t i;
  for (i = 0; i < n; ++i) {
    if (references[i] >= count) return error;
    c->m.values[references[i]] = in[i];
  }
  return 0;
}
static int save(struct pid* c, void** state) {
  if (!*state) *state = malloc(sizeof c->m);
  memcpy(*state, &c->m, sizeof c->m);
  return 0;
}
static int restore(struct pid* c, const void* state) {
  memcpy(&c->m, state, sizeof c->m);
  return 0;
}
static int release(void** state) {
  free(*state);
  *state = NULL;
  return 0;
}
static int size_of(size_t* size) {
  *size = sizeof(struct memory);
  return 0;
}
static int write_out(const void* state, void* bytes, size_t size) {
  if (size < sizeof(struct memory)) return error;
  memcpy(bytes, state, sizeof(struct memory));
  return 0;
}
static int read_in(const void* bytes, size_t size, void** state) {
  if (size != sizeof(struct memory)) return error;
  *state = malloc(size);
  memcpy(*state, bytes, size);
  return 0;
}

/* ---- FMI 2.0 */

struct callbacks {
  void (*logger)(void*, const char*, int, const char*, const char*, ...);
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void (*finished)(void*, int);
  void* environment;
};

EXPORT const char* fmi2GetVersion(void) { return "2.0"; }
EXPORT const char* fmi2GetTypesPlatform(void) { return "default"; }
EXPORT void* fmi2Instantiate(const char* name, int type, const char* guid, const char* resources,
                             const struct callbacks* callbacks, int visible, int logging) {
  struct pid* c = make(guid);
  (void)name, (void)resources, (void)visible, (void)logging;
  if (!c) {
    if (callbacks && callbacks->logger)
      callbacks->logger(callbacks->environment, name, error, "logStatusError", "the guid '%s' is wrong", guid);
    return NULL;
  }
  if (type != 1) return free(c), NULL;
  c->log2 = callbacks->logger;
  c->environment = callbacks->environment;
  return c;
}
EXPORT void fmi2FreeInstance(void* c) { free(c); }
EXPORT int fmi2SetupExperiment(void* c, int tolerance_defined, double tolerance, double start, int stop_defined, double stop) {
  (void)c, (void)tolerance_defined, (void)tolerance, (void)start, (void)stop_defined, (void)stop;
  return 0;
}
EXPORT int fmi2EnterInitializationMode(void* c) { return c ? 0 : error; }
EXPORT int fmi2ExitInitializationMode(void* c) { return c ? 0 : error; }
EXPORT int fmi2Terminate(void* c) { return c ? 0 : error; }
EXPORT int fmi2Reset(void* c) {
  memset(&((struct pid*)c)->m, 0, sizeof(struct memory));
  return 0;
}
EXPORT int fmi2GetReal(void* c, const unsigned* r, size_t n, double* out) { return take(c, r, n, out); }
EXPORT int fmi2SetReal(void* c, const unsigned* r, size_t n, const double* in) { return put(c, r, n, in); }
EXPORT int fmi2DoStep(void* c, double from, double length, int no_return) {
  (void)no_return;
  return do_step(c, from, length);
}
EXPORT int fmi2GetFMUstate(void* c, void** state) { return save(c, state); }
EXPORT int fmi2SetFMUstate(void* c, void* state) { return restore(c, state); }
EXPORT int fmi2FreeFMUstate(void* c, void** state) {
  (void)c;
  return release(state);
}
EXPORT int fmi2SerializedFMUstateSize(void* c, void* state, size_t* size) {
  (void)c, (void)state;
  return size_of(size);
}
EXPORT int fmi2SerializeFMUstate(void* c, void* state, char* bytes, size_t size) {
  (void)c;
  return write_out(state, bytes, size);
}
EXPORT int fmi2DeSerializeFMUstate(void* c, const char* bytes, size_t size, void** state) {
  (void)c;
  return read_in(bytes, size, state);
}

/* ---- FMI 3.0 */

EXPORT const char* fmi3GetVersion(void) { return "3.0"; }
EXPORT void* fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources, bool visible, bool logging,
                                         bool event_mode, bool early_return, const uint32_t* intermediate, size_t n,
                                         void* environment, void (*log)(void*, int, const char*, const char*), void* update) {
  struct pid* c = make(token);
  (void)name, (void)resources, (void)visible, (void)logging, (void)event_mode, (void)early_return, (void)intermediate, (void)n,
      (void)update;
  if (!c) {
    if (log) log(environment, error, "logStatusError", "the token is wrong");
    return NULL;
  }
  c->log3 = log;
  c->environment = environment;
  return c;
}
EXPORT void fmi3FreeInstance(void* c) { free(c); }
EXPORT int fmi3EnterInitializationMode(void* c, bool tolerance_defined, double tolerance, double start, bool stop_defined,
                                       double stop) {
  (void)c, (void)tolerance_defined, (void)tolerance, (void)start, (void)stop_defined, (void)stop;
  return 0;
}
EXPORT int fmi3ExitInitializationMode(void* c) { return c ? 0 : error; }
EXPORT int fmi3Terminate(void* c) { return c ? 0 : error; }
EXPORT int fmi3GetFloat64(void* c, const uint32_t* r, size_t n, double* out, size_t room) {
  return room < n ? error : take(c, r, n, out);
}
EXPORT int fmi3SetFloat64(void* c, const uint32_t* r, size_t n, const double* in, size_t room) {
  return room < n ? error : put(c, r, n, in);
}
EXPORT int fmi3DoStep(void* c, double from, double length, bool no_return, bool* event, bool* terminate, bool* early,
                      double* reached) {
  (void)no_return;
  *event = *terminate = *early = false;
  *reached = from + length;
  return do_step(c, from, length);
}
EXPORT int fmi3GetFMUState(void* c, void** state) { return save(c, state); }
EXPORT int fmi3SetFMUState(void* c, void* state) { return restore(c, state); }
EXPORT int fmi3FreeFMUState(void* c, void** state) {
  (void)c;
  return release(state);
}
EXPORT int fmi3SerializedFMUStateSize(void* c, void* state, size_t* size) {
  (void)c, (void)state;
  return size_of(size);
}
EXPORT int fmi3SerializeFMUState(void* c, void* state, uint8_t* bytes, size_t size) {
  (void)c;
  return write_out(state, bytes, size);
}
EXPORT int fmi3DeserializeFMUState(void* c, const uint8_t* bytes, size_t size, void** state) {
  (void)c;
  return read_in(bytes, size, state);
}
