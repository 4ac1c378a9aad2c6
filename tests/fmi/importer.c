/* A minimal importer of FMUs for co-simulation, written from the standard's signatures and from nothing of Tappet's: it drives a shared object
   and prints what it shows.

     importer MODE VERSION OBJECT TOKEN RESOURCES STEP STEPS WHAT...

   MODE  run        communication points 0, STEP, 2 STEP, …: a line each, "t value value …"
         rollback   the same, but each step is taken, taken back and taken again, and both must be the same to the bit
         serialise  half of the steps by one instance, whose state then goes as bytes into a second one, which goes on beside it
         early      FMI 3: with event mode and early return; "event t value …" where a step ends early, then on from there
   WHAT  7          print the variable with this value reference
         7=0.5      set it before the initialisation
         7~0.5      an input: at communication point k it is set to 0.5·(k mod 3)

   Exit status 0, or 1 with a line on standard error. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 1000 };

static unsigned shown[most], given[most], driven[most];
static double given_value[most], amplitude[most];
static size_t shown_count, given_count, driven_count;
static void* object;
static const char *token, *resources;
static int version;

static void* function(const char* name) {
  void* found = dlsym(object, name);
  if (!found) {
    fprintf(stderr, "no function %s\n", name);
    exit(1);
  }
  return found;
}

static void check(int status, const char* what) {
  if (status > 1) {
    fprintf(stderr, "%s answered %d\n", what, status);
    exit(1);
  }
}

static void say2(void* environment, const char* instance, int status, const char* category, const char* message, ...) {
  va_list arguments;
  (void)environment;
  fprintf(stderr, "[%s, %d, %s] ", instance, status, category);
  va_start(arguments, message);
  vfprintf(stderr, message, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}
static void say3(void* environment, int status, const char* category, const char* message) {
  (void)environment;
  fprintf(stderr, "[%d, %s] %s\n", status, category, message);
}

struct callbacks {
  void (*logger)(void*, const char*, int, const char*, const char*, ...);
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void (*finished)(void*, int);
  void* environment;
};
static const struct callbacks callbacks = {say2, calloc, free, NULL, NULL};

static void get(void* c, double* values) {
  if (version == 2) {
    int (*f)(void*, const unsigned*, size_t, double*) = (int (*)(void*, const unsigned*, size_t, double*))function("fmi2GetReal");
    check(f(c, shown, shown_count, values), "fmi2GetReal");
  } else {
    int (*f)(void*, const uint32_t*, size_t, double*, size_t) =
        (int (*)(void*, const uint32_t*, size_t, double*, size_t))function("fmi3GetFloat64");
    check(f(c, shown, shown_count, values, shown_count), "fmi3GetFloat64");
  }
}

static void set(void* c, unsigned reference, double value) {
  if (version == 2) {
    int (*f)(void*, const unsigned*, size_t, const double*) =
        (int (*)(void*, const unsigned*, size_t, const double*))function("fmi2SetReal");
    check(f(c, &reference, 1, &value), "fmi2SetReal");
  } else {
    int (*f)(void*, const uint32_t*, size_t, const double*, size_t) =
        (int (*)(void*, const uint32_t*, size_t, const double*, size_t))function("fmi3SetFloat64");
    check(f(c, &reference, 1, &value, 1), "fmi3SetFloat64");
  }
}

static void transition(void* c, const char* name) {
  char whole[100];
  snprintf(whole, sizeof whole, "fmi%d%s", version, name);
  check(((int (*)(void*))function(whole))(c), whole);
}

static void* made(bool events) {
  void* c;
  size_t i;
  if (version == 2) {
    char location[4096];
    snprintf(location, sizeof location, "file://%s", resources);
    c = ((void* (*)(const char*, int, const char*, const char*, const struct callbacks*, int, int))function("fmi2Instantiate"))(
        "test", 1, token, location, &callbacks, 0, 0);
  } else {
    c = ((void* (*)(const char*, const char*, const char*, bool, bool, bool, bool, const uint32_t*, size_t, void*, void*,
                    void*))function("fmi3InstantiateCoSimulation"))("test", token, resources, false, false, events, events,
                                                                    NULL, 0, NULL, (void*)say3, NULL);
  }
  if (!c) {
    fprintf(stderr, "no instance\n");
    exit(1);
  }
  for (i = 0; i < given_count; ++i) set(c, given[i], given_value[i]);
  if (version == 2) {
    check(((int (*)(void*, int, double, double, int, double))function("fmi2SetupExperiment"))(c, 0, 0.0, 0.0, 0, 0.0),
          "fmi2SetupExperiment");
    transition(c, "EnterInitializationMode");
  } else {
    check(((int (*)(void*, bool, double, double, bool, double))function("fmi3EnterInitializationMode"))(c, false, 0.0, 0.0,
                                                                                                        false, 0.0),
          "fmi3EnterInitializationMode");
  }
  transition(c, "ExitInitializationMode");
  if (events) transition(c, "EnterStepMode");
  return c;
}

/* True where it returned early. */
static bool step(void* c, double from, double length, double* reached, bool* event) {
  if (version == 2) {
    check(((int (*)(void*, double, double, int))function("fmi2DoStep"))(c, from, length, 0), "fmi2DoStep");
    *reached = from + length;
    return false;
  } else {
    bool terminate = false, early = false;
    check(((int (*)(void*, double, double, bool, bool*, bool*, bool*, double*))function("fmi3DoStep"))(
              c, from, length, false, event, &terminate, &early, reached),
          "fmi3DoStep");
    return early;
  }
}

static void* state_of(void* c) {
  void* state = NULL;
  check(((int (*)(void*, void**))function(version == 2 ? "fmi2GetFMUstate" : "fmi3GetFMUState"))(c, &state), "GetFMUState");
  return state;
}
static void set_state(void* c, void* state) {
  check(((int (*)(void*, void*))function(version == 2 ? "fmi2SetFMUstate" : "fmi3SetFMUState"))(c, state), "SetFMUState");
}
static void free_state(void* c, void* state) {
  check(((int (*)(void*, void**))function(version == 2 ? "fmi2FreeFMUstate" : "fmi3FreeFMUState"))(c, &state),
        "FreeFMUState");
}

static void print(const char* prefix, double t, const double* values) {
  size_t i;
  printf("%s%.17g", prefix, t);
  for (i = 0; i < shown_count; ++i) printf(" %.17g", values[i]);
  printf("\n");
}

static void same(const double* a, const double* b, double t, const char* what) {
  if (memcmp(a, b, shown_count * sizeof *a) != 0) {
    size_t i;
    for (i = 0; i < shown_count; ++i)
      if (a[i] != b[i]) fprintf(stderr, "%s: at t = %.17g variable %u is %.17g and %.17g\n", what, t, shown[i], a[i], b[i]);
    exit(1);
  }
}

static void drive(void* c, long k) {
  size_t i;
  for (i = 0; i < driven_count; ++i) set(c, driven[i], amplitude[i] * (double)(k % 3));
}

int main(int argc, char** argv) {
  double values[most], again[most], length, t = 0;
  const char* mode;
  long steps, k;
  void* c;
  int i;
  if (argc < 8) return 1;
  mode = argv[1];
  version = atoi(argv[2]);
  object = dlopen(argv[3], RTLD_NOW | RTLD_LOCAL);
  if (!object) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  token = argv[4];
  resources = argv[5];
  length = atof(argv[6]);
  steps = atol(argv[7]);
  for (i = 8; i < argc && i < most; ++i) {
    const char *equals = strchr(argv[i], '='), *wave = strchr(argv[i], '~');
    const unsigned reference = (unsigned)strtoul(argv[i], NULL, 10);
    if (equals) {
      given[given_count] = reference;
      given_value[given_count++] = atof(equals + 1);
    } else if (wave) {
      driven[driven_count] = reference;
      amplitude[driven_count++] = atof(wave + 1);
    } else {
      shown[shown_count++] = reference;
    }
  }
  if (strcmp(((const char* (*)(void))function(version == 2 ? "fmi2GetVersion" : "fmi3GetVersion"))(), version == 2 ? "2.0" : "3.0") != 0) {
    fprintf(stderr, "another version\n");
    return 1;
  }
  c = made(strcmp(mode, "early") == 0);
  if (strcmp(mode, "early") == 0) {
    const double end = length * (double)steps;
    k = 1;
    while (t < end) {
      double goal = length * (double)k, reached = t;
      bool event = false, early = step(c, t, goal - t, &reached, &event);
      t = reached;
      if (!early) ++k;
      if (event) {
        bool flags[5];
        double next = 0;
        transition(c, "EnterEventMode");
        check(((int (*)(void*, bool*, bool*, bool*, bool*, bool*, double*))function("fmi3UpdateDiscreteStates"))(
                  c, flags, flags + 1, flags + 2, flags + 3, flags + 4, &next),
              "fmi3UpdateDiscreteStates");
        get(c, values);
        print("event ", t, values);
        transition(c, "EnterStepMode");
      } else {
        get(c, values);
        print("", t, values);
      }
    }
  } else {
    void* other = NULL;
    drive(c, 0);
    get(c, values);
    print("", t, values);
    for (k = 0; k < steps; ++k) {
      const double from = length * (double)k, to = length * (double)(k + 1);
      double reached;
      bool event = false;
      void* state = NULL;
      drive(c, k);
      if (strcmp(mode, "rollback") == 0) {
        state = state_of(c);
        step(c, from, to - from, &reached, &event);
        get(c, again);
        set_state(c, state);
      }
      if (strcmp(mode, "serialise") == 0 && k == steps / 2) {
        size_t size = 0;
        unsigned char* bytes;
        void* copy = NULL;
        state = state_of(c);
        check(((int (*)(void*, void*, size_t*))function(version == 2 ? "fmi2SerializedFMUstateSize"
                                                                     : "fmi3SerializedFMUStateSize"))(c, state, &size),
              "SerializedFMUStateSize");
        bytes = malloc(size);
        check(((int (*)(void*, void*, unsigned char*, size_t))function(
                  version == 2 ? "fmi2SerializeFMUstate" : "fmi3SerializeFMUState"))(c, state, bytes, size),
              "SerializeFMUState");
        other = made(false);
        check(((int (*)(void*, const unsigned char*, size_t, void**))function(
                  version == 2 ? "fmi2DeSerializeFMUstate" : "fmi3DeserializeFMUState"))(other, bytes, size, &copy),
              "DeserializeFMUState");
        set_state(other, copy);
        free_state(other, copy);
        free(bytes);
      }
      if (other && k > steps / 2) drive(other, k);
      step(c, from, to - from, &reached, &event);
      get(c, values);
      if (strcmp(mode, "rollback") == 0) same(values, again, to, "after a rollback");
      if (other) {
        step(other, from, to - from, &reached, &event);
        get(other, again);
        same(values, again, to, "in a second instance");
      }
      if (state) free_state(c, state);
      print("", to, values);
    }
    if (other) ((void (*)(void*))function(version == 2 ? "fmi2FreeInstance" : "fmi3FreeInstance"))(other);
  }
  transition(c, "Terminate");
  ((void (*)(void*))function(version == 2 ? "fmi2FreeInstance" : "fmi3FreeInstance"))(c);
  dlclose(object);
  return 0;
}
