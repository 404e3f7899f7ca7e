// hide.c — lets a program run as on an older x86-64 CPU: CPUID says that instruction sets are absent which are there.
//
//   cc -O2 -shared -fPIC -o hide.so hide.c
//   GPUMEX_HIDE=avx512 LD_PRELOAD=./hide.so program      AVX2 and FMA remain
//   GPUMEX_HIDE=avx LD_PRELOAD=./hide.so program         SSE2 remains, the baseline of x86-64
//
// Algorithm  CPUID faulting: arch_prctl (ARCH_SET_CPUID, 0) has the CPUID instruction raise SIGSEGV. The handler executes it, clears
//            bits and passes over it. Threads and forked children inherit the mode, exec ends it, and LD_PRELOAD sets it again.
//            sigaction and signal keep the program's own handler of SIGSEGV and call it for all other faults; a thread cannot block it.
// Limits     Linux on CPUs with the flag cpuid_fault (Intel from Ivy Bridge on; most of AMD's have none). The program ends with status
//            77 where the kernel refuses. What ran before this library was loaded has seen the real CPU: ld.so, and so libc's memcpy.
//            XGETBV cannot be hidden; programs read it behind a bit of CPUID.
// Source     Linux, arch_prctl(2); Intel, "Virtualization Technology FlexMigration Application Note" (CPUID faulting).
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <cpuid.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef ARCH_SET_CPUID
#define ARCH_SET_CPUID 0x1012
#endif

enum { UNAVAILABLE = 77 };

typedef int sigaction_function(int, const struct sigaction *, struct sigaction *);

static sigaction_function *libc_sigaction;
static int hides_avx;            // or AVX-512 alone
static struct sigaction program; // the program's own handling of SIGSEGV

struct registers {
    uint32_t eax, ebx, ecx, edx;
};

// ------------------------------------------------------------------------------------------------------------ hidden bits

#define BIT(n) (UINT32_C(1) << (n))

/* AVX-512, AVX10 and AMX, which no CPU without AVX-512 has. */
static void hide_avx512(uint32_t leaf, uint32_t subleaf, struct registers *r)
{
    if (leaf == 7 && subleaf == 0) {
        r->ebx &= ~(BIT(16) | BIT(17) | BIT(21) | BIT(26) | BIT(27) | BIT(28) | BIT(30) | BIT(31)); // F DQ IFMA PF ER CD BW VL
        r->ecx &= ~(BIT(1) | BIT(6) | BIT(11) | BIT(12) | BIT(14));                // VBMI VBMI2 VNNI BITALG VPOPCNTDQ
        r->edx &= ~(BIT(2) | BIT(3) | BIT(8) | BIT(22) | BIT(23) | BIT(24) | BIT(25)); // 4VNNIW 4FMAPS VP2INTERSECT AMX FP16
    } else if (leaf == 7 && subleaf == 1) {
        r->eax &= ~(BIT(5) | BIT(21)); // BF16, AMX-FP16
        r->edx &= ~(BIT(8) | BIT(19)); // AMX-COMPLEX, AVX10
    } else if (leaf == 0x24) {
        memset(r, 0, sizeof *r); // AVX10
    }
}

/* All that x86-64 does not begin with: SSE3 to SSE4.2, AVX, FMA, BMI, POPCNT, LZCNT. */
static void hide_avx_and_sse3(uint32_t leaf, uint32_t subleaf, struct registers *r)
{
    if (leaf == 1) {
        r->ecx &= ~(BIT(0) | BIT(1) | BIT(9) | BIT(12) | BIT(19) | BIT(20));        // SSE3 PCLMULQDQ SSSE3 FMA SSE4.1 SSE4.2
        r->ecx &= ~(BIT(22) | BIT(23) | BIT(25) | BIT(26) | BIT(27) | BIT(28) | BIT(29)); // MOVBE POPCNT AES XSAVE OSXSAVE AVX F16C
    } else if (leaf == 7 && subleaf == 0) {
        r->ebx &= ~(BIT(3) | BIT(5) | BIT(8) | BIT(19) | BIT(29)); // BMI1 AVX2 BMI2 ADX SHA
        r->ecx &= ~(BIT(8) | BIT(9) | BIT(10));                    // GFNI VAES VPCLMULQDQ
    } else if (leaf == 7 && subleaf == 1) {
        memset(r, 0, sizeof *r); // AVX-VNNI, AVX-IFMA …
    } else if (leaf == 0x80000001) {
        r->ecx &= ~(BIT(5) | BIT(6) | BIT(11) | BIT(16) | BIT(21)); // LZCNT SSE4A XOP FMA4 TBM
    }
}

// --------------------------------------------------------------------------------------------------------------- the fault

static int set_cpuid(unsigned long is_allowed)
{
    return (int)syscall(SYS_arch_prctl, ARCH_SET_CPUID, is_allowed);
}

static struct registers cpuid(uint32_t leaf, uint32_t subleaf)
{
    struct registers r;
    set_cpuid(1);
    __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
    set_cpuid(0);
    hide_avx512(leaf, subleaf, &r);
    if (hides_avx)
        hide_avx_and_sse3(leaf, subleaf, &r);
    return r;
}

/* A fault of the program itself: its handler, or the default action when the instruction faults again. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    if (program.sa_flags & SA_SIGINFO) {
        program.sa_sigaction(number, info, context);
    } else if (program.sa_handler == SIG_DFL || program.sa_handler == SIG_IGN) {
        libc_sigaction(SIGSEGV, &program, NULL);
        if (info->si_code <= 0)
            raise(SIGSEGV); // sent by a process, so that nothing faults again
    } else {
        program.sa_handler(number);
    }
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    int callers_errno = errno;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    // A general protection fault, which has no address, at the bytes 0f a2.
    const uint8_t *code = (const uint8_t *)registers[REG_RIP];
    if (info->si_code != SI_KERNEL || code[0] != 0x0f || code[1] != 0xa2) {
        pass_on(number, info, context);
        return;
    }
    struct registers r = cpuid((uint32_t)registers[REG_RAX], (uint32_t)registers[REG_RCX]);
    registers[REG_RAX] = r.eax;
    registers[REG_RBX] = r.ebx;
    registers[REG_RCX] = r.ecx;
    registers[REG_RDX] = r.edx;
    registers[REG_RIP] += 2;
    errno = callers_errno;
}

/* Of other signals, libc's. */
int sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
    if (!libc_sigaction)
        libc_sigaction = (sigaction_function *)dlsym(RTLD_NEXT, "sigaction");
    if (number != SIGSEGV)
        return libc_sigaction(number, new, old);
    struct sigaction before = program;
    if (new)
        program = *new;
    if (old)
        *old = before;
    return 0;
}

sighandler_t signal(int number, sighandler_t handler)
{
    struct sigaction new, old;
    memset(&new, 0, sizeof new);
    new.sa_handler = handler;
    new.sa_flags = SA_RESTART;
    return sigaction(number, &new, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/* A fault ends the process where SIGSEGV is blocked, as on threads that leave signals to others. */
static int set_mask(const char *function, int how, const sigset_t *new, sigset_t *old)
{
    int (*libc_function)(int, const sigset_t *, sigset_t *) =
        (int (*)(int, const sigset_t *, sigset_t *))dlsym(RTLD_NEXT, function);
    sigset_t allowed;
    if (!new || how == SIG_UNBLOCK)
        return libc_function(how, new, old);
    allowed = *new;
    sigdelset(&allowed, SIGSEGV);
    return libc_function(how, &allowed, old);
}

int pthread_sigmask(int how, const sigset_t *new, sigset_t *old)
{
    return set_mask("pthread_sigmask", how, new, old);
}

int sigprocmask(int how, const sigset_t *new, sigset_t *old)
{
    return set_mask("sigprocmask", how, new, old);
}

__attribute__((constructor)) static void begin(void)
{
    const char *hidden = getenv("GPUMEX_HIDE");
    if (!hidden)
        return;
    hides_avx = strcmp(hidden, "avx") == 0;
    if (!hides_avx && strcmp(hidden, "avx512") != 0) {
        fprintf(stderr, "GPUMEX_HIDE is \"%s\"; it is avx or avx512\n", hidden);
        _exit(2);
    }
    struct sigaction handling;
    memset(&handling, 0, sizeof handling);
    handling.sa_sigaction = on_fault;
    handling.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGUSR1, NULL, NULL); // finds libc's
    if (libc_sigaction(SIGSEGV, &handling, NULL) != 0 || set_cpuid(0) != 0) {
        fprintf(stderr, "hide.c: this machine has no CPUID faulting: %s\n", strerror(errno));
        _exit(UNAVAILABLE);
    }
}
