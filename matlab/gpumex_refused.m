classdef gpumex_refused
%GPUMEX_REFUSED  Functions that gpumex.array has not, by their names.
%   Without these MATLAB and Octave say of some of them something else, or compute
%   something from the object itself. A function that is neither here nor in
%   gpumex.array is refused by MATLAB or Octave.
%
%   See also gpumex.array.

methods
    function varargout = accumarray(varargin), varargout = refuse('accumarray'); end
    function varargout = angle(varargin), varargout = refuse('angle'); end
    function varargout = arg(varargin), varargout = refuse('arg'); end
    function varargout = balance(varargin), varargout = refuse('balance'); end
    function varargout = betainc(varargin), varargout = refuse('betainc'); end
    function varargout = bincoeff(varargin), varargout = refuse('bincoeff'); end
    function varargout = bitcmp(varargin), varargout = refuse('bitcmp'); end
    function varargout = bitset(varargin), varargout = refuse('bitset'); end
    function varargout = center(varargin), varargout = refuse('center'); end
    function varargout = char(varargin), varargout = refuse('char'); end
    function varargout = chol(varargin), varargout = refuse('chol'); end
    function varargout = cholinv(varargin), varargout = refuse('cholinv'); end
    function varargout = common_size(varargin), varargout = refuse('common_size'); end
    function varargout = complex(varargin), varargout = refuse('complex'); end
    function varargout = cond(varargin), varargout = refuse('cond'); end
    function varargout = conv(varargin), varargout = refuse('conv'); end
    function varargout = conv2(varargin), varargout = refuse('conv2'); end
    function varargout = convn(varargin), varargout = refuse('convn'); end
    function varargout = corr(varargin), varargout = refuse('corr'); end
    function varargout = corrcoef(varargin), varargout = refuse('corrcoef'); end
    function varargout = cosint(varargin), varargout = refuse('cosint'); end
    function varargout = cov(varargin), varargout = refuse('cov'); end
    function varargout = cplxpair(varargin), varargout = refuse('cplxpair'); end
    function varargout = cross(varargin), varargout = refuse('cross'); end
    function varargout = cummode(varargin), varargout = refuse('cummode'); end
    function varargout = deconv(varargin), varargout = refuse('deconv'); end
    function varargout = del2(varargin), varargout = refuse('del2'); end
    function varargout = det(varargin), varargout = refuse('det'); end
    function varargout = detrend(varargin), varargout = refuse('detrend'); end
    function varargout = diag(varargin), varargout = refuse('diag'); end
    function varargout = diff(varargin), varargout = refuse('diff'); end
    function varargout = eig(varargin), varargout = refuse('eig'); end
    function varargout = eigs(varargin), varargout = refuse('eigs'); end
    function varargout = ellipke(varargin), varargout = refuse('ellipke'); end
    function varargout = expint(varargin), varargout = refuse('expint'); end
    function varargout = expm(varargin), varargout = refuse('expm'); end
    function varargout = fft(varargin), varargout = refuse('fft'); end
    function varargout = fft2(varargin), varargout = refuse('fft2'); end
    function varargout = fftconv(varargin), varargout = refuse('fftconv'); end
    function varargout = fftfilt(varargin), varargout = refuse('fftfilt'); end
    function varargout = fftn(varargin), varargout = refuse('fftn'); end
    function varargout = fftshift(varargin), varargout = refuse('fftshift'); end
    function varargout = filter(varargin), varargout = refuse('filter'); end
    function varargout = filter2(varargin), varargout = refuse('filter2'); end
    function varargout = gammainc(varargin), varargout = refuse('gammainc'); end
    function varargout = gradient(varargin), varargout = refuse('gradient'); end
    function varargout = hess(varargin), varargout = refuse('hess'); end
    function varargout = hist(varargin), varargout = refuse('hist'); end
    function varargout = histc(varargin), varargout = refuse('histc'); end
    function varargout = histcounts(varargin), varargout = refuse('histcounts'); end
    function varargout = ifft(varargin), varargout = refuse('ifft'); end
    function varargout = ifft2(varargin), varargout = refuse('ifft2'); end
    function varargout = ifftn(varargin), varargout = refuse('ifftn'); end
    function varargout = imag(varargin), varargout = refuse('imag'); end
    function varargout = interp1(varargin), varargout = refuse('interp1'); end
    function varargout = interp2(varargin), varargout = refuse('interp2'); end
    function varargout = interp3(varargin), varargout = refuse('interp3'); end
    function varargout = interpft(varargin), varargout = refuse('interpft'); end
    function varargout = intersect(varargin), varargout = refuse('intersect'); end
    function varargout = inv(varargin), varargout = refuse('inv'); end
    function varargout = isindex(varargin), varargout = refuse('isindex'); end
    function varargout = ismember(varargin), varargout = refuse('ismember'); end
    function varargout = kron(varargin), varargout = refuse('kron'); end
    function varargout = linsolve(varargin), varargout = refuse('linsolve'); end
    function varargout = logm(varargin), varargout = refuse('logm'); end
    function varargout = lookup(varargin), varargout = refuse('lookup'); end
    function varargout = lu(varargin), varargout = refuse('lu'); end
    function varargout = median(varargin), varargout = refuse('median'); end
    function varargout = merge(varargin), varargout = refuse('merge'); end
    function varargout = meshgrid(varargin), varargout = refuse('meshgrid'); end
    function varargout = mode(varargin), varargout = refuse('mode'); end
    function varargout = ndgrid(varargin), varargout = refuse('ndgrid'); end
    function varargout = nextpow2(varargin), varargout = refuse('nextpow2'); end
    function varargout = norm(varargin), varargout = refuse('norm'); end
    function varargout = nthroot(varargin), varargout = refuse('nthroot'); end
    function varargout = null(varargin), varargout = refuse('null'); end
    function varargout = num2cell(varargin), varargout = refuse('num2cell'); end
    function varargout = nzmax(varargin), varargout = refuse('nzmax'); end
    function varargout = orth(varargin), varargout = refuse('orth'); end
    function varargout = perms(varargin), varargout = refuse('perms'); end
    function varargout = pinv(varargin), varargout = refuse('pinv'); end
    function varargout = polyfit(varargin), varargout = refuse('polyfit'); end
    function varargout = polyval(varargin), varargout = refuse('polyval'); end
    function varargout = powerset(varargin), varargout = refuse('powerset'); end
    function varargout = prctile(varargin), varargout = refuse('prctile'); end
    function varargout = qr(varargin), varargout = refuse('qr'); end
    function varargout = quantile(varargin), varargout = refuse('quantile'); end
    function varargout = randi(varargin), varargout = refuse('randi'); end
    function varargout = randperm(varargin), varargout = refuse('randperm'); end
    function varargout = rank(varargin), varargout = refuse('rank'); end
    function varargout = rcond(varargin), varargout = refuse('rcond'); end
    function varargout = rescale(varargin), varargout = refuse('rescale'); end
    function varargout = rot90(varargin), varargout = refuse('rot90'); end
    function varargout = rref(varargin), varargout = refuse('rref'); end
    function varargout = schur(varargin), varargout = refuse('schur'); end
    function varargout = setdiff(varargin), varargout = refuse('setdiff'); end
    function varargout = setxor(varargin), varargout = refuse('setxor'); end
    function varargout = sizeof(varargin), varargout = refuse('sizeof'); end
    function varargout = sortrows(varargin), varargout = refuse('sortrows'); end
    function varargout = spdiags(varargin), varargout = refuse('spdiags'); end
    function varargout = sqrtm(varargin), varargout = refuse('sqrtm'); end
    function varargout = std(varargin), varargout = refuse('std'); end
    function varargout = svd(varargin), varargout = refuse('svd'); end
    function varargout = tabulate(varargin), varargout = refuse('tabulate'); end
    function varargout = trace(varargin), varargout = refuse('trace'); end
    function varargout = trapz(varargin), varargout = refuse('trapz'); end
    function varargout = tril(varargin), varargout = refuse('tril'); end
    function varargout = triu(varargin), varargout = refuse('triu'); end
    function varargout = typecast(varargin), varargout = refuse('typecast'); end
    function varargout = union(varargin), varargout = refuse('union'); end
    function varargout = unwrap(varargin), varargout = refuse('unwrap'); end
    function varargout = vander(varargin), varargout = refuse('vander'); end
    function varargout = var(varargin), varargout = refuse('var'); end
end
end

function results = refuse(method) %#ok<STOUT>
gpumex_array_error(method, 'notServed', 'it is not served; gather(A) is an array of the host');
end
