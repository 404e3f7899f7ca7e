function price = gpuarray_barrier_option(paths, days)
%GPUARRAY_BARRIER_OPTION  Monte-Carlo prices of an up-and-out call and of a European one.
%   PRICE = gpuarray_barrier_option(PATHS, DAYS) simulates PATHS stock prices over
%   DAYS days with normal random numbers that are drawn on the GPU, and returns the
%   price of a call that expires worthless once the stock has reached the barrier.
%   It checks that price against the same program on the gathered numbers, and the
%   price of the European call against the formula of Black and Scholes.
%
%   After "Using GPU arrayfun for Monte-Carlo Simulations", MathWorks, Parallel
%   Computing Toolbox; a column of prices at a time instead of a path.
%
%   Example:
%      gpuarray_barrier_option(1e6, 500)

if nargin < 1
    paths = 20000;
end
if nargin < 2
    days = 100;
end
market = struct('stock', 100, 'strike', 95, 'barrier', 130, 'rate', 0.02, 'dividend', 0.01, 'volatility', 0.2, ...
    'years', days / 250);

noise = gpuArray.randn(paths, days);
[price, vanilla, deviation] = simulate(noise, market);
price = gather(price);
vanilla = gather(vanilla);

[expected, expectedVanilla] = simulate(gather(noise), market);
assert(abs(price - expected) < 1e-9 * expected && abs(vanilla - expectedVanilla) < 1e-9 * expectedVanilla);
[formula, spread] = deal(black_scholes(market), 5 * gather(deviation) / sqrt(paths));
assert(abs(vanilla - formula) < spread, 'the European call costs %g, by the formula %g', vanilla, formula);
end

function [price, vanilla, deviation] = simulate(noise, market)
dt = market.years / size(noise, 2);
drift = (market.rate - market.dividend - market.volatility^2 / 2) * dt;
logs = cumsum(drift + market.volatility * sqrt(dt) * noise, 2);
prices = market.stock * exp(logs);
last = prices(:, end);
payoff = max(last - market.strike, 0);
discount = exp(-market.rate * market.years);
deviation = discount * std(payoff);
vanilla = discount * mean(payoff);
payoff(any(prices > market.barrier, 2)) = 0;
price = discount * mean(payoff);
end

function price = black_scholes(market)
spread = market.volatility * sqrt(market.years);
d = (log(market.stock / market.strike) + (market.rate - market.dividend) * market.years) / spread + [0.5 -0.5] * spread;
below = erfc(-d / sqrt(2)) / 2;
price = market.stock * exp(-market.dividend * market.years) * below(1) ...
    - market.strike * exp(-market.rate * market.years) * below(2);
end
