"""The price of a European call."""
import math


def normal(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def price(spot, strike, rate, volatility, time):
    spread = volatility * math.sqrt(time)
    d1 = (math.log(spot / strike) + (rate + volatility ** 2 / 2) * time) / spread
    d2 = d1 - spread
    return spot * normal(d1) - strike * math.exp(-rate * time) * normal(d2)


ARGS = 100.0, 95.0, 0.03, 0.2, 0.5
WRT = 'spot', 'volatility'


# --- normal
def price(spot, strike, rate, volatility, time):
    t = math.sqrt(time)
    spread = volatility * t
    t2 = spot / strike
    t3 = math.log(t2)
    t4 = volatility**2
    t5 = t4 / 2
    t6 = rate + t5
    t7 = t6 * time
    t8 = t3 + t7
    d1 = t8 / spread
    d2 = d1 - spread
    t9 = normal(d1)
    t10 = spot * t9
    t11 = strike * math.exp(-rate * time)
    t12 = normal(d2)
    t13 = t11 * t12
    t14 = t10 - t13
    return t14


# --- normal
def normal(x):
    t = math.sqrt(2)
    t2 = x / t
    t3 = math.erf(t2)
    t4 = 1 + t3
    t5 = 0.5 * t4
    return t5


# --- reverse
def normal_primal(x, bnormal=1.0):
    t = math.sqrt(2)
    t2 = x / t
    t3 = math.erf(t2)
    t4 = 1 + t3
    t5 = 0.5 * t4

    split_here(t5)
    # Grad of: return 0.5 * (1 + math.erf(x / math.sqrt(2)))
    bt4 = bnormal * 0.5
    bt2 = bt4 * (2 / math.sqrt(math.pi) * math.exp(-t2 * t2))
    bx = unbroadcast(bt2 / t, x)
    return bx


# --- reverse
def dpricedspotdvolatility(spot, strike, rate, volatility, time, bprice=1.0):
    t = math.sqrt(time)
    spread = volatility * t
    t2 = spot / strike
    t3 = math.log(t2)
    t4 = volatility**2
    t5 = t4 / 2
    t6 = rate + t5
    t7 = t6 * time
    t8 = t3 + t7
    d1 = t8 / spread
    d2 = d1 - spread
    t9, normal_saved2 = normal_primal(d1)
    t10 = spot * t9
    t11 = strike * math.exp(-rate * time)
    t12, normal_saved = normal_primal(d2)
    t13 = t11 * t12
    t14 = t10 - t13

    bprice = check_dims(t14, bprice, spot, t12, t9)
    # Grad of: return spot * normal(d1) - strike * math.exp(-rate * time) * normal(d2)
    bt13 = -bprice
    bt12 = bt13 * t11
    bd2 = normal_adjoint(bt12, normal_saved)
    bt9 = bprice * spot
    bd1 = normal_adjoint(bt9, normal_saved2)
    # Grad of: d2 = d1 - spread
    bd1_2 = bd1 + bd2
    # Grad of: d1 = (math.log(spot / strike) + (rate + volatility ** 2 / 2) * time) ...
    bt8 = unbroadcast(bd1_2 / spread, t8)
    bt7 = unbroadcast(bt8, t7)
    bt6 = unbroadcast(bt7 * time, t6)
    bt5 = unbroadcast(bt6, t5)
    bt4 = bt5 / 2
    bt3 = unbroadcast(bt8, t3)
    bt2 = bt3 / t2
    bspread = unbroadcast(-bd2, spread) + unbroadcast(-bd1_2 * d1 / spread, spread)
    bspot = bprice * t9 + unbroadcast(bt2 / strike, spot)
    # Grad of: spread = volatility * math.sqrt(time)
    bvolatility = 2 * bt4 * volatility + unbroadcast(bspread * t, volatility)
    return bspot, bvolatility


# --- optimized
def normal_primal(x):
    t = math.sqrt(2)
    t2 = x / t
    return 0.5 * (1 + math.erf(t2)), (x, t, t2)


def normal_adjoint(bnormal, saved):
    x, t, t2 = saved
    # Grad of: return 0.5 * (1 + math.erf(x / math.sqrt(2)))
    bt2 = 0.5 * bnormal * (2 / math.sqrt(math.pi) * math.exp(-t2 * t2))
    return unbroadcast(bt2 / t, x)


def dpricedspotdvolatility(spot, strike, rate, volatility, time, bprice=1.0):
    t = math.sqrt(time)
    spread = volatility * t
    t2 = spot / strike
    t3 = math.log(t2)
    t4 = volatility**2 / 2
    t5 = rate + t4
    t6 = t5 * time
    t7 = t3 + t6
    d1 = t7 / spread
    d2 = d1 - spread
    t8, normal_saved = normal_primal(d1)
    t9 = strike * math.exp(-rate * time)
    t10, normal_saved2 = normal_primal(d2)

    bprice = check_dims(spot * t8 - t9 * t10, bprice, spot, t10, t8)
    # Grad of: return spot * normal(d1) - strike * math.exp(-rate * time) * normal(d2)
    bd2 = normal_adjoint(-bprice * t9, normal_saved2)
    bd1 = normal_adjoint(bprice * spot, normal_saved)
    # Grad of: d2 = d1 - spread
    bd1 = bd1 + bd2
    # Grad of: d1 = (math.log(spot / strike) + (rate + volatility ** 2 / 2) * time) ...
    bt7 = unbroadcast(bd1 / spread, t7)
    bt = unbroadcast(unbroadcast(unbroadcast(bt7, t6) * time, t5), t4) / 2
    bt2 = unbroadcast(bt7, t3) / t2
    bspread = unbroadcast(-bd2, spread) + unbroadcast(-bd1 * d1 / spread, spread)
    bspot = bprice * t8 + unbroadcast(bt2 / strike, spot)
    # Grad of: spread = volatility * math.sqrt(time)
    bvolatility = 2 * bt * volatility + unbroadcast(bspread * t, volatility)
    return bspot, bvolatility
