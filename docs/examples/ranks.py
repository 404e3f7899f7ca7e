import ctypes
import os

mpi_kind = "openmpi" if "OMPI_COMM_WORLD_SIZE" in os.environ else "mpich"  # whose mpirun started this
gpumex = ctypes.CDLL("libgpumex.so.0.2")
mpi = ctypes.CDLL(f"libgpumex_{mpi_kind}.so", ctypes.RTLD_GLOBAL)
gpumex.gpumex_context_default.restype = ctypes.c_void_p
ctx, comm = ctypes.c_void_p(gpumex.gpumex_context_default()), ctypes.c_void_p()
rank, ranks, local_rank = ctypes.c_int32(), ctypes.c_int32(), ctypes.c_int32()
assert mpi.gpumex_mpi_place(ctypes.byref(rank), ctypes.byref(ranks), ctypes.byref(local_rank)) == 0
assert mpi.gpumex_mpi_open(ctx, None, ctypes.byref(comm)) == 0

board = (ctypes.c_uint8 * 10)(*[int(rank.value == 0)] * 5, *[0] * 5)  # two rows of five cells on each rank
size, generations = ctypes.c_size_t, ctypes.c_uint64
assert gpumex.gpumex_comm_life(comm, None, board, size(2), size(5), generations(1), board) == 0
print(f"rank {rank.value} of {ranks.value}: {board[:5]} {board[5:]}\n", end="")
mpi.gpumex_mpi_close(comm)
