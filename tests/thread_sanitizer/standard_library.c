/* standard_library.c - what ThreadSanitizer has to be told of Rust's standard library, which comes compiled without it.
 *
 * Most of it is generic or inline and so compiled with the library. What is not are a few functions on the slow paths of its locks. The
 * linker (--wrap) puts these functions around them, and they say what the standard library promises: who gets a lock sees what was done
 * before it was given back. Nothing is suppressed by it: a race on data that no lock protects is reported as before.
 *
 * scripts/thread-sanitizer finds the mangled names and passes them as macros. */
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define PASTE(a, b) a##b
#define WRAPPED(name) PASTE(__wrap_, name)
#define REAL(name) PASTE(__real_, name)

/* std::sys::sync::mutex::futex::Mutex::lock_contended (&self): the fast paths of lock and unlock are inline. */
void REAL(LOCK_CONTENDED)(void *mutex);
void WRAPPED(LOCK_CONTENDED)(void *mutex) {
    REAL(LOCK_CONTENDED)(mutex);
    __tsan_acquire(mutex);
}

/* std::sys::sync::rwlock::futex::RwLock::read_contended, write_contended (&self) */
void REAL(READ_CONTENDED)(void *lock);
void WRAPPED(READ_CONTENDED)(void *lock) {
    REAL(READ_CONTENDED)(lock);
    __tsan_acquire(lock);
}

void REAL(WRITE_CONTENDED)(void *lock);
void WRAPPED(WRITE_CONTENDED)(void *lock) {
    REAL(WRITE_CONTENDED)(lock);
    __tsan_acquire(lock);
}

/* std::sys::sync::condvar::futex::Condvar::wait (&self, &Mutex): gives the mutex back and takes it again. */
void REAL(CONDVAR_WAIT)(void *condvar, void *mutex);
void WRAPPED(CONDVAR_WAIT)(void *condvar, void *mutex) {
    __tsan_release(mutex);
    REAL(CONDVAR_WAIT)(condvar, mutex);
    __tsan_acquire(mutex);
}

/* std::sys::sync::condvar::futex::Condvar::wait_timeout (&self, &Mutex, Duration { u64, u32 }) -> bool: the same. */
_Bool REAL(CONDVAR_WAIT_TIMEOUT)(void *condvar, void *mutex, uint64_t seconds, uint32_t nanoseconds);
_Bool WRAPPED(CONDVAR_WAIT_TIMEOUT)(void *condvar, void *mutex, uint64_t seconds, uint32_t nanoseconds) {
    __tsan_release(mutex);
    const _Bool is_notified = REAL(CONDVAR_WAIT_TIMEOUT)(condvar, mutex, seconds, nanoseconds);
    __tsan_acquire(mutex);
    return is_notified;
}

/* std::sys::sync::once::futex::Once::call (&self, bool, &mut dyn FnMut (&OnceState)): what ran once is seen by all behind it. */
void REAL(ONCE_CALL)(void *once, int ignores_poison, void *body, void *table);
void WRAPPED(ONCE_CALL)(void *once, int ignores_poison, void *body, void *table) {
    REAL(ONCE_CALL)(once, ignores_poison, body, table);
    __tsan_acquire(once);
    __tsan_release(once);
}

/* std::thread::scoped::ScopeData::decrement_num_running_threads (&self, bool): the end of a scope loads the counter, which is one of the
 * first words. */
void REAL(SCOPE_THREAD_ENDS)(void *scope, int has_panicked);
void WRAPPED(SCOPE_THREAD_ENDS)(void *scope, int has_panicked) {
    for (int word = 0; word < 3; ++word) __tsan_release((uint64_t *)scope + word);
    REAL(SCOPE_THREAD_ENDS)(scope, has_panicked);
}

/* Arc: its last owner orders itself behind the others with a fence, which ThreadSanitizer does not know; built for it, the standard
 * library loads the counter instead. Here each decrement that releases acquires as well. */
enum { RELEASE = 3, ACQUIRE_AND_RELEASE = 4 };
uint64_t __real___tsan_atomic64_fetch_sub(volatile uint64_t *counter, uint64_t by, int order);
uint64_t __wrap___tsan_atomic64_fetch_sub(volatile uint64_t *counter, uint64_t by, int order) {
    return __real___tsan_atomic64_fetch_sub(counter, by, order == RELEASE ? ACQUIRE_AND_RELEASE : order);
}
