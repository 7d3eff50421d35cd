// Read by the leak sanitizer: HDF5 1.10 loses memory when the file that it reads is damaged.
// The sanitizer is a shared library, so this must be visible.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
