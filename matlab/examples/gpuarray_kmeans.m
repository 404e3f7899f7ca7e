function [label, centre] = gpuarray_kmeans(points, clusters)
%GPUARRAY_KMEANS  Clusters of points by Lloyd's algorithm.
%   [LABEL, CENTRE] = gpuarray_kmeans(POINTS, CLUSTERS) makes POINTS points in the
%   plane around CLUSTERS places, and finds the clusters again on gpuArrays. It
%   checks labels and centres against the same program on ordinary arrays.
%
%   The form with a matrix of zeros and ones whose product with the points is their
%   sums is that of kMeansTrainGPU.m (GitHub, ArtificialYi/MatlabLibrary).

if nargin < 1
    points = 5000;
end
if nargin < 2
    clusters = 6;
end
k = (1:points)';
place = 10 * [cos(mod(k, clusters)), sin(mod(k, clusters))];
X = place + [sin(k.^2), cos(1.7 * k.^2)];
start = X(1:clusters, :) + 0.5;

[label, centre] = lloyd(gpuArray(X), gpuArray(start), 100);
[expectedLabel, expectedCentre] = lloyd(X, start, 100);
label = gather(label);
centre = gather(centre);
assert(isequal(label, expectedLabel));
assert(max(abs(centre(:) - expectedCentre(:))) < 1e-9);
assert(isequal(unique(label)', 1:clusters));
end

function [label, centre] = lloyd(X, centre, most)
[points, dimensions] = size(X);
clusters = size(centre, 1);
label = zeros(points, 1, 'like', X);
for iteration = 1:most
    before = label;
    difference = bsxfun(@minus, reshape(X, points, 1, dimensions), reshape(centre, 1, clusters, dimensions));
    [~, label] = min(sum(difference.^2, 3), [], 2);
    if all(label == before)
        break
    end
    member = zeros(clusters, points, 'like', X);
    member((0:points-1)' * clusters + label) = 1;
    centre = (member * X) ./ sum(member, 2);
end
end
