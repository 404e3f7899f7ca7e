% gpumex: GPU kernels for MATLAB and GNU Octave; without a GPU they run on the CPU
% Version 0.2.0
%
% Operations
%   gpumex.life              - Conway's Game of Life, and its relatives.
%   gpumex.matmul            - Matrix product, of pages too.
%   gpumex.histogram         - How many elements fall into each bin.
%   gpumex.histcounts        - Histogram counts, with bins that suit the data.
%   gpumex.words             - The most frequent words of a text.
%   gpumex.raytrace          - Picture of spheres, seen along the z axis.
%
% Parallel primitives
%   gpumex.map               - Element-wise expression over arrays, in one pass over memory.
%   gpumex.convolve          - Convolution in two dimensions.
%   gpumex.medfilt2          - Median of the elements around each element.
%   gpumex.add               - Sum of two vectors, the textbook's first kernel.
%   gpumex.dot_product       - Scalar product of two vectors.
%   gpumex.reduce            - All elements of an array in one.
%   gpumex.scan              - Running results of an operator along a vector.
%   gpumex.compact           - The elements that a mask marks.
%   gpumex.gather            - Elements at some indices.
%   gpumex.scatter           - Assign to elements at some indices.
%   gpumex.sort_keys         - Elements in order.
%   gpumex.sort_by_key       - Keys in order, and a value beside each.
%   gpumex.sortrows          - Rows of a matrix in order.
%   gpumex.merge_keys        - Two sorted vectors in one.
%   gpumex.search            - Where elements would go into a sorted vector.
%   gpumex.sorted_equality_count - How many elements of a sorted vector equal each of another.
%   gpumex.unique            - The different elements of an array.
%   gpumex.union             - Elements of either of two arrays.
%   gpumex.intersect         - Elements of both of two arrays.
%   gpumex.setdiff           - Elements of one array that another one lacks.
%   gpumex.setxor            - Elements of one of two arrays and not of both.
%   gpumex.ismember          - Which elements of an array another one has.
%   gpumex.join              - Pairs of rows with equal keys, as a database joins them.
%   gpumex.segreduce         - The elements of each segment of a vector in one.
%   gpumex.segsort           - Each segment of a vector in order.
%   gpumex.reduce_by_key     - The elements that belong to each key in one.
%   gpumex.spmv              - Product of a sparse matrix and a vector.
%   gpumex.bulk_remove       - Remove the elements at some indices.
%   gpumex.bulk_insert       - Insert elements at some indices.
%   gpumex.interval_expand   - Each element of a vector several times.
%   gpumex.interval_move     - Copy intervals of one vector into another.
%   gpumex.load_balance_search - To which object each item belongs.
%
% Patterns of Life
%   gpumex.read_pattern      - Read a pattern of Life from a file.
%   gpumex.write_pattern     - Write a board of Life to a file, as a pattern.
%   gpumex.pack_board        - A board of Life with 64 cells in each word.
%   gpumex.unpack_board      - The cells of a packed board of Life.
%
% The device
%   gpumex.array             - An array on the device, with operators and indexing.
%   gpumex.fill              - An array of one value, or of ascending ones.
%   gpumex.random            - Random numbers that every backend makes alike.
%   gpumex.info              - Which backend and device gpumex computes on.
%   gpumex.version           - The version of the library.
%   gpumex.device            - Choose the GPU that gpumex computes on, ask about it, wait for it.
%   gpumex.threads           - How many threads of the CPU compute.
%   gpumex.timer             - Time on the device between two calls.
%   gpumex.tuning            - Launch parameters of the kernels.
%   gpumex.allocator         - How gpumex keeps memory for the next call, and how much.
%   gpumex.reset_default     - Drop the library's default context.
%
% Several processes and GPUs
%   gpumex.comm              - A communicator: this process among several, each of which has a part of the data.
%
% gpuArray for Octave (MATLAB has one in a toolbox)
%   gpuArray                 - An array on the device, with operators and indexing.
%   gather                   - The elements of a gpuArray as an array of the host.
%   gpuDevice                - The device on which gpuArrays are computed.
%   gpurng                   - Where the random numbers of gpuArrays begin.
%   gputimeit                - Time that a function takes on the device.
%   pagefun                  - Call a function with each page of gpuArrays.
%
% The MATLAB example "Accessing Advanced CUDA Features Using MEX"
%   paralleldemo_gpumex      - Life on the GPU: arrays, shared memory, texture memory.
%   pctdemo_life_mex_shmem   - Game of Life with tiles in the GPU's shared memory.
%   pctdemo_life_mex_texture - Game of Life with the GPU's texture memory.
%
% Measuring
%   bench_life               - What a call of gpumex.life costs, by the clock on the wall.
%   bench_calls              - What calls on arrays of the host cost from M code, beside the same functions called from C.
%   bench_functions          - What the functions of gpumex cost on arrays of the host, beside the built-in ones.
%   bench_gpuarray           - What operations on gpuArrays cost, beside Octave's own arrays (Octave).
%   bench_raytrace           - How long each variant of gpumex.raytrace takes, as a table and a plot.
%
% Building
%   build_gpumex             - Build the MEX file of gpumex, in MATLAB and in GNU Octave.
%   build_gpumex_mpi         - Build the libraries by which gpumex.comm reaches MPI.
%   link_gpuarray            - Make the files by which Octave finds the functions of gpuArray.oct.
%   load_gpumex              - Load the C functions of gpumex for calllib, in MATLAB.
%   gpumex_call              - Call the MEX gateway of an operation; the gpumex functions use it.
%   gpumex_set_call          - Operations on sets with the words and classes of MATLAB's; the gpumex functions use it.
%   gpumex_read_options      - The values of options; gpumex_call uses it.
%   gpumex_order_options     - The options of a sort; gpumex.sort_keys and gpumex.sortrows use it.
%   gpumex_narrow_call       - Reductions, also of logicals and of integers of 1 and 2 bytes; the gpumex functions use it.
%   gpumex_array_call        - Call the gateway of an operation for a method of gpumex.array.
%   gpumex_array_error       - Raise an error of a method of gpumex.array.
%   gpumex_index             - Elements of a gpumex.array.
%   gpumex_assign            - Assign to elements of a gpumex.array.
%   gpumex_elementwise       - The element-wise operators and functions of gpumex.array.
%   gpumex_along             - What gpumex.array computes along a dimension.
%   gpumex_refused           - Functions that gpumex.array has not, by their names.
%   gpumex_shapes            - Sizes, shapes, joining and products of gpumex.array.
%   gpumex_gateway           - Handles of the MEX gateway, for functions that call it the shortest way.
