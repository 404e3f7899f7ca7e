% gpumex: GPU kernels for MATLAB and GNU Octave; without a GPU they run on the CPU
%
% Operations
%   gpumex.life              - Conway's Game of Life, and its relatives.
%   gpumex.matmul            - Matrix product, of pages too.
%   gpumex.histogram         - How many elements fall into each bin.
%   gpumex.words             - The most frequent words of a text.
%   gpumex.raytrace          - Picture of spheres, seen along the z axis.
%
% Patterns of Life
%   gpumex.read_pattern      - Read a pattern of Life from a file.
%   gpumex.write_pattern     - Write a board of Life to a file, as a pattern.
%   gpumex.pack_board        - A board of Life with 64 cells in each word.
%   gpumex.unpack_board      - The cells of a packed board of Life.
%
% The device
%   gpumex.array             - An array that stays on the device between calls.
%   gpumex.info              - Which backend and device gpumex computes on.
%   gpumex.device            - Choose the GPU that gpumex computes on, ask about it, wait for it.
%   gpumex.allocator         - How gpumex keeps memory for the next call, and how much.
%   gpumex.reset_default     - Drop the library's default context.
%
% The MATLAB example "Accessing Advanced CUDA Features Using MEX"
%   paralleldemo_gpumex      - Life on the GPU: arrays, shared memory, texture memory.
%   pctdemo_life_mex_shmem   - Game of Life with tiles in the GPU's shared memory.
%   pctdemo_life_mex_texture - Game of Life with the GPU's texture memory.
%
% Measuring
%   bench_life               - What a call of gpumex.life costs, by the clock on the wall.
%   bench_raytrace           - How long each variant of gpumex.raytrace takes, as a table and a plot.
%
% Building
%   build_gpumex             - Build the MEX file of gpumex, in MATLAB and in GNU Octave.
%   load_gpumex              - Load the C functions of gpumex for calllib, in MATLAB.
%   gpumex_call              - Call the MEX gateway of an operation; the gpumex functions use it.
%   gpumex_gateway           - Handles of the MEX gateway, for functions that call it the shortest way.
