# SPDX-License-Identifier: Apache-2.0
"""Writes the golden cases of this directory by brute force. See README.md."""

import math
import random

rng = random.Random(20050510)
INF = float("inf")


def views(r):
    return 0.0 if r == INF else r**-1.5


def curve_score(n, knots, r):
    """Score at a real rank between 1 and n: straight lines in (ln rank, ln score)."""
    if n <= 1 or r <= 1:
        return knots[0]
    if r >= n:
        return knots[3]
    x = 3 * math.log(r) / math.log(n)
    k = min(int(x), 2)
    return knots[k] ** (1 - (x - k)) * knots[k + 1] ** (x - k)


def curve_rank(n, knots, s):
    if s == 0:
        return INF
    if n <= 1 or s > knots[0]:
        return 1.0
    if s < knots[3]:
        return float(n)

    def boundary(beyond):
        """Where, in ln rank, the curve first goes beyond; by bisection."""
        low, high = 0.0, math.log(n)
        for _ in range(200):
            mid = (low + high) / 2
            if beyond(curve_score(n, knots, math.exp(mid))):
                high = mid
            else:
                low = mid
        return (low + high) / 2

    tied = [k for k in range(4) if knots[k] == s]
    if tied:
        return math.exp(math.log(n) * (tied[0] + tied[-1]) / 6)
    return math.exp(boundary(lambda at: at < s))


def area(n, knots, a, b):
    """Integral of 1.5 r^-2.5 times the score from a to b; the score beyond n is that at n."""
    cuts = sorted({a, b} | {c for c in (n ** (1 / 3), n ** (2 / 3), float(n)) if a < c < b})
    total = 0.0
    for low, high in zip(cuts, cuts[1:]):
        u0, u1, m = math.log(low), math.log(high), 2000
        h = (u1 - u0) / m
        for i in range(m + 1):
            r = math.exp(u0 + h * i)
            weight = 1 if i in (0, m) else 4 if i % 2 else 2
            total += weight * h / 3 * 1.5 * r**-1.5 * curve_score(n, knots, r)
    return total


def change_case(n, knots, s1, s2):
    r1, r2 = curve_rank(n, knots, s1), curve_rank(n, knots, s2)
    own = (views(r2) - views(r1)) * s2
    if r1 < r2:
        integral = own + (area(n, knots, r1, min(r2, n)) if r1 < min(r2, n) else 0)
    elif r1 == INF:
        integral = own - area(n, knots, r2, n + 1.0) if n else own
    else:
        integral = own - (area(n, knots, r2, r1) if r2 < r1 else 0)
    i1 = r1 if r1 == INF else math.floor(r1 + 0.5)
    i2 = r2 if r2 == INF else math.floor(r2 + 0.5)
    total = (views(i2) - views(i1)) * s2
    if i1 < i2:
        for r in range(int(i1) + 1, int(min(i2, n)) + 1):
            total += (views(r - 1) - views(r)) * curve_score(n, knots, r)
    elif i1 > i2:
        for r in range(int(i2), int(min(i1 - 1, n)) + 1):
            total += (views(r + 1) - views(r)) * curve_score(n, knots, r)
    return r1, r2, total, integral


def random_knots():
    knots = [rng.uniform(0.5, 25)]
    for _ in range(3):
        knots.append(knots[-1] if rng.random() < 0.3 else round(knots[-1] * rng.uniform(0.3, 1), 5))
    knots[0] = round(knots[0], 5)
    return [min(k, knots[0]) for k in knots]


def random_score(knots):
    kind = rng.random()
    if kind < 0.12:
        return 0.0
    if kind < 0.3:
        return rng.choice(knots)
    if kind < 0.36:
        return round(knots[0] * rng.uniform(1, 1.5), 5)
    if kind < 0.42:
        return round(knots[3] * rng.uniform(0.9, 1), 5)
    return round(rng.uniform(knots[3], knots[0]), 5)


def write_changes():
    with open("quality-change.tsv", "w") as out:
        print("n", "score_1", "score_n13", "score_n23", "score_n", "s1", "s2", "r1", "r2",
              "delta_sum", "delta_integral", sep="\t", file=out)
        sizes = [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 27, 64, 1000]
        for case in range(320):
            n = sizes[case] if case < len(sizes) else int(math.exp(rng.uniform(0, 10.5)))
            knots = random_knots() if n > 1 else [9.75 * n] * 4
            s1, s2 = random_score(knots), random_score(knots)
            if n == 0:
                s1, s2 = [(0.0, 4.5), (2.5, 1.5)][case]
            if s1 == 0 and n and s2 < knots[3]:
                s2 = knots[3]
            row = change_case(n, knots, s1, s2)
            print(n, *knots, s1, s2, *("%.12g" % v for v in row), sep="\t", file=out)


def ranking(scores):
    found = [p for p in range(len(scores)) if scores[p] > 0]
    found.sort(key=lambda p: (-scores[p], p))
    return {p: i + 1 for i, p in enumerate(found)}


def gained(frequency, ranked_by, worth):
    return frequency * sum(views(r) * worth[p] for p, r in ranking(ranked_by).items())


def write_worlds():
    with open("quality-worlds.tsv", "w") as worlds, open("quality-expected.tsv", "w") as expected:
        print("case", "query", "frequency", "page", "repository", "live", "refreshed",
              sep="\t", file=worlds)
        print("case", "refreshed_page", "quality_before", "quality_after", "delta_q",
              "delta_q_numerator", sep="\t", file=expected)
        for case in range(1, 31):
            pages, chosen = rng.randint(1, 14), None
            chosen = rng.randrange(pages)
            before = after = ideal = 0.0
            for query in range(1, rng.randint(1, 4) + 1):
                frequency = rng.choice([1, 2, 17, 0.25, 400])
                score = lambda: rng.choice([0.0, 2.5, round(rng.uniform(0.1, 12), 3)])
                stored = [score() for _ in range(pages)]
                live = [s if rng.random() < 0.5 else score() for s in stored]
                fresh = [live[p] if p == chosen else stored[p] for p in range(pages)]
                before += gained(frequency, stored, live)
                after += gained(frequency, fresh, live)
                ideal += gained(frequency, live, live)
                for p in range(pages):
                    print(case, "q%d" % query, frequency, "p%02d" % (p + 1), stored[p], live[p],
                          fresh[p], sep="\t", file=worlds)
            b, a = (before / ideal, after / ideal) if ideal else (1.0, 1.0)
            print(case, "p%02d" % (chosen + 1), *("%.12g" % v for v in (b, a, a - b, after - before)),
                  sep="\t", file=expected)


write_changes()
write_worlds()
