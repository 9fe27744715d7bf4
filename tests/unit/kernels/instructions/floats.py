"""Binary floating point of any shape, exact until it is rounded once.

A number is a sign (0 or 1) and a magnitude: a Fraction, INF or NAN.
"""

from fractions import Fraction
from math import isqrt

INF, NAN = "inf", "nan"


class Format:
    def __init__(self, exponent, mantissa, infinity=True):
        self.exponent, self.mantissa, self.infinity = exponent, mantissa, infinity
        self.bits = 1 + exponent + mantissa
        self.sign = 1 << (self.bits - 1)
        self.bias = (1 << (exponent - 1)) - 1
        self.inf = ((1 << exponent) - 1) << mantissa
        self.least_normal = Fraction(2) ** (1 - self.bias)
        self.max = self.inf - 1 if infinity else self.sign - 2  # e4m3: all ones is the only NaN

    def decode(self, bits):
        sign, size = bits >> (self.bits - 1) & 1, bits & (self.sign - 1)
        if self.infinity and size >= self.inf:
            return sign, INF if size == self.inf else NAN
        if not self.infinity and size == self.sign - 1:
            return sign, NAN
        exponent, mantissa = size >> self.mantissa, size & ((1 << self.mantissa) - 1)
        if exponent:
            mantissa |= 1 << self.mantissa
        return sign, mantissa * Fraction(2) ** (max(exponent, 1) - self.bias - self.mantissa)

    def encode(self, number, mode="rn", finite=False):
        """The bits, or "nan". `finite`: too large is the largest number."""
        sign, size = number
        top = self.sign if sign else 0
        if size == NAN:
            return "nan"
        if size == INF:
            return top | (self.max if finite or not self.infinity else self.inf)
        if size == 0:
            return top
        exponent = max(power_of(size), 1 - self.bias)
        steps = rounded(size / Fraction(2) ** (exponent - self.mantissa), mode, sign)
        code = steps + ((exponent + self.bias - 1) << self.mantissa)
        if code <= self.max:
            return top | code
        inward = mode == "rz" or mode == "rm" and not sign or mode == "rp" and sign
        return top | (self.max if finite or inward or not self.infinity else self.inf)

    def encode_flushed(self, number, mode):
        """As devices flush a result: where it is too small with all its bits, rounded."""
        sign, size = number
        if size not in (INF, NAN, 0):
            step = Fraction(2) ** (power_of(size) - self.mantissa)
            if rounded(size / step, mode, sign) * step < self.least_normal:
                size = Fraction(0)
        return self.encode((sign, size), mode)

    def flush(self, number):
        small = number[1] not in (INF, NAN) and number[1] < self.least_normal
        return (number[0], Fraction(0)) if small else number


F16, BF16, F32, F64 = Format(5, 10), Format(8, 7), Format(8, 23), Format(11, 52)
TF32, E4M3, E5M2 = Format(8, 10), Format(4, 3, False), Format(5, 2)
FORMATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}


def power_of(size):
    """The exponent of the highest bit."""
    power = size.numerator.bit_length() - size.denominator.bit_length()
    return power if Fraction(2) ** power <= size else power - 1


def rounded(steps, mode, sign):
    """A magnitude to a whole number. `rna`: ties away from zero."""
    whole = steps.numerator // steps.denominator
    rest = steps - whole
    up = {"rn": rest > Fraction(1, 2) or rest == Fraction(1, 2) and whole & 1,
          "rna": rest >= Fraction(1, 2), "rz": False, "rm": rest > 0 and sign,
          "rp": rest > 0 and not sign}[mode]
    return whole + (1 if up else 0)


def negated(x):
    return 1 - x[0], x[1]


def value(x):
    return -x[1] if x[0] else x[1]


def add(x, y, mode):
    if NAN in (x[1], y[1]):
        return 0, NAN
    if INF in (x[1], y[1]):
        if x[1] == y[1] and x[0] != y[0]:
            return 0, NAN
        return x if x[1] == INF else y
    total = value(x) + value(y)
    if total == 0:
        return (x[0] if x[0] == y[0] else int(mode == "rm")), Fraction(0)
    return int(total < 0), abs(total)


def mul(x, y):
    sign = x[0] ^ y[0]
    if NAN in (x[1], y[1]) or INF in (x[1], y[1]) and 0 in (x[1], y[1]):
        return 0, NAN
    return sign, INF if INF in (x[1], y[1]) else x[1] * y[1]


def div(x, y):
    sign = x[0] ^ y[0]
    if NAN in (x[1], y[1]) or x[1] == y[1] and x[1] in (INF, 0):
        return 0, NAN
    if x[1] == INF or y[1] == 0:
        return sign, INF
    return sign, Fraction(0) if y[1] == INF else x[1] / y[1]


def sqrt(x):
    """To 200 bits; the last says whether there are more."""
    if x[1] in (NAN, INF, 0):
        return (0, NAN) if x[1] == INF and x[0] else x
    if x[0]:
        return 0, NAN
    scale = 200 + max(0, -power_of(x[1]))
    whole = x[1] * 4 ** scale
    root = isqrt(whole.numerator // whole.denominator)
    exact = root * root == whole
    return 0, (Fraction(root) + (0 if exact else Fraction(1, 2))) / 2 ** scale
