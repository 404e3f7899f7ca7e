/* fake_driver.c - becomes a libcuda.so.1 that is of no use: INIT is what it says to cuInit, VERSION the CUDA it is for;
 * without INIT it has none of the driver's functions at all. */
#ifdef INIT
int cuInit(unsigned flags);
int cuDriverGetVersion(int *version);
int cuCtxGetCurrent(void **context);
int cuPointerGetAttribute(void *data, int attribute, unsigned long long pointer);
int cuGetErrorString(int error, const char **text);
int cuGetErrorName(int error, const char **text);

int cuInit(unsigned flags) {
    (void)flags;
    return INIT;
}

int cuDriverGetVersion(int *version) {
    *version = VERSION;
    return 0;
}

int cuCtxGetCurrent(void **context) {
    *context = 0;
    return INIT == 0 ? 0 : 3; /* not initialised */
}

int cuPointerGetAttribute(void *data, int attribute, unsigned long long pointer) {
    (void)data, (void)attribute, (void)pointer;
    return INIT == 0 ? 1 : 3; /* invalid value: not a pointer of CUDA's */
}

int cuGetErrorString(int error, const char **text) {
    (void)error;
    *text = "an error of the fake driver";
    return 0;
}

int cuGetErrorName(int error, const char **text) { return cuGetErrorString(error, text); }
#else
int gpumex_fake_driver;
#endif
