"""The definitions of the measures once more, game by game in plain Python, to compare with.

They take lists: lead vectors by decision, own estimates by seat, ranks.
"""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from statistics import fmean


def threshold(players):
    return (1 + (players - 2) / (players - 1)) / 2


def convergence(counts):
    middle, mean = (len(counts) - 1) / 2, fmean(counts)
    width = sum((at - middle) ** 2 for at in range(len(counts)))
    rise = sum((at - middle) * (count - mean) for at, count in enumerate(counts))
    return 1 - ((rise / width if width else 0.0) / 2 + 0.5)


def last_leader(leads):
    return leads[-1].index(max(leads[-1]))


def gaps(leads, winner):
    behind = threshold(len(leads[0]))
    return [sqrt(behind - lead[winner]) for lead in leads if lead[winner] < behind]


def drama(games, winners):
    rows = [gaps(*one) for one in zip(games, winners, strict=True)]
    return fmean(fmean(row) if row else 0.0 for row in rows)


def behind(games, winners):
    every = [
        gap**2 for leads, winner in zip(games, winners, strict=True) for gap in gaps(leads, winner)
    ]
    return fmean(every) if every else float("nan")


def security(games, winners):
    return fmean(
        1 - len(gaps(leads, winner)) / len(leads)
        for leads, winner in zip(games, winners, strict=True)
    )


def engine_drama(owns, winners):
    below = [
        sqrt(0.5 - one)
        for own, winner in zip(owns, winners, strict=True)
        for one in own[winner]
        if one < 0.5
    ]
    return fmean(below) if below else 0.0


def engine_decisiveness(owns, winners):
    left = []
    for own, winner in zip(owns, winners, strict=True):
        mine = own[winner]
        if mine:
            first = next((at for at, one in enumerate(mine) if one > 0.8), len(mine) - 1)
            left.append((len(mine) - first) / len(mine))
    return 1 - fmean(left) if left else 0.0


def engine_coolness(owns):
    falls = [a > b for own in owns for mine in own for a, b in pairwise(mine)]
    return 1 - fmean(falls) if falls else 0.0


def lead_change(leads):
    leaders = [{seat for seat, one in enumerate(lead) if one == max(lead)} for lead in leads]
    return fmean(not one & other for one, other in pairwise(leaders))


def sure_left(leads, winner, ahead=0.8):
    unsure = [at + 1 for at, lead in enumerate(leads) if lead[winner] < ahead]
    return 1 - max(unsure, default=0) / len(leads)
