"""Calibration of options: volatility, and jumps, out of what options cost.

In Merton's model the price of a share moves by a volatility, and jumps now and then. The price of an option is a sum over the
number of jumps, of prices by the formula of Black and Scholes. Four numbers are fitted to the quotes of three maturities. The
picture shows implied volatilities, which Newton's method finds: the derivative in its step comes from tangent as well.

    python examples/gallery/options.py
"""
import math

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize
from scipy.special import ndtr

import tangent

SPOT, RATE = 100.0, 0.02


def black_scholes(volatility, strike, maturity, rate=RATE):
    deviation = volatility * np.sqrt(maturity)
    d = (np.log(SPOT / strike) + rate * maturity) / deviation + 0.5 * deviation
    return SPOT * ndtr(d) - strike * np.exp(-rate * maturity) * ndtr(d - deviation)


def merton(parameters, strike, maturity):
    """Parameters: logarithms of volatility and of jumps in a year, mean of a jump, logarithm of its deviation."""
    volatility, often, mean, spread = np.exp(parameters[0]), np.exp(parameters[1]), parameters[2], np.exp(parameters[3])
    drift = np.exp(mean + 0.5 * spread ** 2) - 1.0
    expected = often * (1.0 + drift) * maturity
    price = 0.0
    for n in range(12):
        weight = np.exp(-expected) * expected ** n / math.factorial(n)
        rate = RATE - often * drift + n * np.log1p(drift) / maturity
        price = price + weight * black_scholes(np.sqrt(volatility ** 2 + n * spread ** 2 / maturity), strike, maturity, rate)
    return price


def cost(parameters, quotes):
    total = 0.0
    for maturity, (strikes, prices) in quotes.items():
        total += np.mean((merton(parameters, strikes, maturity) - prices) ** 2)
    return total


slope = tangent.value_and_grad(cost)
vega = tangent.elementwise_grad(black_scholes)


def implied(prices, strikes, maturity):
    volatility = np.full(len(strikes), 0.3)
    for _ in range(20):
        error = black_scholes(volatility, strikes, maturity) - prices
        volatility = np.clip(volatility - error / vega(volatility, strikes, maturity), 0.05, 1.0)
    return volatility


def main(size=15):
    rng = np.random.default_rng(5)
    truth = np.array([np.log(0.15), np.log(0.8), -0.12, np.log(0.1)])
    strikes = np.linspace(75, 120, size)
    quotes = {}
    for maturity in (0.1, 0.5, 2.0):
        quotes[maturity] = strikes, merton(truth, strikes, maturity) + 0.001 * rng.normal(size=size)
    start = np.array([np.log(0.2), np.log(0.3), -0.05, np.log(0.15)])
    found = minimize(slope, start, args=(quotes,), jac=True, method='BFGS', options={'gtol': 1e-7})
    print('true  volatility, jumps in a year, mean and deviation of a jump', np.round(plain(truth), 3))
    print('found volatility, jumps in a year, mean and deviation of a jump', np.round(plain(found.x), 3))
    return found.x, truth, quotes


def plain(parameters):
    return np.array([np.exp(parameters[0]), np.exp(parameters[1]), parameters[2], np.exp(parameters[3])])


def picture(parameters, truth, quotes):
    figure, axes = plt.subplots(figsize=(7, 3.5), layout='constrained')
    for maturity, (strikes, prices) in quotes.items():
        dots, = axes.plot(strikes, implied(prices, strikes, maturity), 'o', label=f'quotes, {maturity} years')
        axes.plot(strikes, implied(merton(parameters, strikes, maturity), strikes, maturity), color=dots.get_color())
    axes.set(xlabel='strike', ylabel='implied volatility')
    axes.legend()
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
