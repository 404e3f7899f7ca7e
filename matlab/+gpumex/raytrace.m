function varargout = raytrace(spheres, width, height, varargin)
%RAYTRACE  Picture of spheres, seen along the z axis.
%   IMAGE = gpumex.raytrace(SPHERES, WIDTH, HEIGHT) casts one ray a pixel and
%   returns a HEIGHT-by-WIDTH-by-3 uint8 image for IMAGE and IMWRITE. Each row
%   of SPHERES is a sphere [red green blue radius x y z]: colours from 0 to 1,
%   lengths in pixels, the origin in the centre of the image, x to the right,
%   y downwards, the eye at large z. SPHERES is N-by-7, single or double, and
%   is used in single precision; zeros(0, 7) gives a black image.
%
%   Of the spheres behind a pixel the nearest one is shown, darker towards its
%   rim; the first row wins a tie. A sphere without a positive radius and one
%   with NaN in its place are not seen.
%
%   IMAGE = gpumex.raytrace(..., 'Variant', VARIANT) chooses how it is computed;
%   the pixels are the same:
%      'auto'        the best one (default)
%      'sequential'  a plain loop on one core, CPU backend only
%      'global'      spheres in the GPU's global memory
%      'readonly'    spheres through the read-only data cache
%      'constant'    spheres in constant memory
%      'binned'      spheres by the tiles of the picture that they may be seen in
%   On the CPU backend the last four are computed as 'auto' is.
%
%   IMAGE = gpumex.raytrace(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there
%   is one, else the CPU), 'cpu', or 'cuda'.
%
%   A gpumex.array as SPHERES is as the library reads it, single and 7-by-N: a
%   column a sphere. IMAGE then is a gpumex.array, of the same size and class:
%      image(gather(gpumex.raytrace(gpumex.array(single(spheres).'), 400, 300)))
%
%   [IMAGE, MS] = gpumex.raytrace(...) also returns how many milliseconds the
%   computation itself took, without the transfers to and from the GPU.
%
%   The library writes the image in MATLAB's order; no copy of it is made.
%
%   Example:
%      spheres = [1 0.2 0.2 90 -60 0 0;  0.2 0.2 1 90 60 0 50];
%      imwrite(gpumex.raytrace(spheres, 400, 300), 'spheres.png');
%
%   Errors: gpumex:raytrace:argumentCount, invalidSpheres, invalidSize,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy, internal.
%
%   See also image, imwrite, gpumex.info.

if nargin < 3
    error('gpumex:raytrace:argumentCount', 'gpumex.raytrace: needs spheres, a width and a height');
end
% MS is fetched when it is asked for: it waits for the device.
persistent gateway raise
if isempty(gateway)
    [gateway, raise] = gpumex_gateway('raytrace');
end
scene = as_scene(spheres);
try
    if nargout < 2
        varargout = {gateway('.raytrace', scene, width, height, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.raytrace', scene, width, height, varargin{:});
    end
    return
catch problem                                   % a gpumex.array, or what the way below serves, or refuses
    raise('raytrace', problem);
end
[varargout{1:max(nargout, 1)}] = gpumex_call('.raytrace', {scene, width, height}, {}, varargin); % {'Variant', 'Backend'}
end

function scene = as_scene(spheres)
% One sphere a column, in single precision: the order in which the library reads them. A scene on the device is so already.
if isa(spheres, 'gpumex.array')
    scene = spheres;
    return
end
if ~isfloat(spheres) || ~isreal(spheres) || issparse(spheres) || ndims(spheres) ~= 2 || size(spheres, 2) ~= 7
    dims = sprintf('x%d', size(spheres));
    error('gpumex:raytrace:invalidSpheres', ...
        'gpumex.raytrace: spheres is a %s %s; it is a full real Nx7 matrix, single or double', ...
        dims(2:end), class(spheres));
end
scene = single(spheres).';
end
