# %% [markdown]
# # Simulate a game, and plot it
#
# Does it matter where you sit? In this notebook very many random games answer that for Hearts, then
# for ten other games. On the way: how scores are distributed, how many games a claim needs, and how to
# see that an interval is honest.
#
# Random play is not good play. What it shows is what the *rules* do before anybody thinks: that is where the
# analysis of a game begins.

# %%
import matplotlib.pyplot as plt
import numpy as np

from cardwright import Game, play_random, simulate
from cardwright.game import game_seeds

hearts = Game.load("hearts")
hearts

# %% [markdown]
# A state shows all cards, a view only what its seat may know. Both are displayed as tables here; the
# options are what the seat that decides can do.

# %%
hearts.start(seed=7).view(0)

# %% [markdown]
# ## Many games
#
# `simulate` plays games with the same players in the same seats. Every number has its interval beside it.

# %%
simulate(hearts, "random", games=2_000, seed=1)

# %% [markdown]
# The seats' intervals overlap: from 2,000 games nobody can say whether the first seat is worse. `play_random`
# gives the scores themselves, as an array with a row for each game, and machine code plays a hundred
# thousand games in less than a second.

# %%
games = play_random(hearts, game_seeds(1, count=100_000))
scores = games.scores
scores.shape, scores.sum(axis=1).min(), scores.sum(axis=1).max()

# %% [markdown]
# ## How the points are distributed
#
# A deal of Hearts has 26 points. The mean of a seat is near 6.5, but that number describes hardly any game: most
# seats get a few hearts, and about a quarter get the queen of spades with her 13. A bar below zero is the moon: whoever takes
# everything has 26 points taken off.

# %%
values, counts = np.unique(scores[:, 0], return_counts=True)
figure, axes = plt.subplots(figsize=(8, 3.2))
axes.bar(values, 100 * counts / len(scores), color="#4477aa")
axes.axvline(scores[:, 0].mean(), color="#aa3377", linestyle="--", label="mean")
axes.set_xlabel("points of p1 in a random game")
axes.set_ylabel("games (%)")
axes.set_title(
    f"Points are bimodal: with and without the queen of spades\n(n = {len(scores):,}, seed 1)"
)
axes.legend()
queen_share = float((scores >= 13).mean())
moons = int((scores < 0).sum())
print(f"13 points or more: {queen_share:.1%} of seats; moons: {moons} in {len(games):,} games")

# %% [markdown]
# ## Where you sit
#
# The four scores of a game depend on one another: they add up to 26, or to -26 after a moon. So we do not compare four
# separate means, but look in each game at a *difference*: the seat's points minus the mean of the table. What happens to the whole
# table cancels, and intervals get narrower at no cost.


# %%
def mean_and_margin(values):
    """Return the mean and half of its 95 % interval: for large samples, Student's t is normal."""
    return values.mean(axis=0), 1.96 * values.std(axis=0, ddof=1) / np.sqrt(len(values))


effects = scores - scores.mean(axis=1, keepdims=True)
seat_effect, seat_margin = mean_and_margin(effects)

figure, axes = plt.subplots(figsize=(6, 2.6))
axes.errorbar(seat_effect, range(4), xerr=seat_margin, fmt="o", capsize=4, color="#4477aa")
axes.axvline(0, color="#bbbbbb")
axes.set_yticks(range(4), ["p1 (leads first)", "p2", "p3", "p4"])
axes.invert_yaxis()
axes.set_xlabel("points more than the table's mean (95 % intervals)")
axes.set_title(
    f"Leading first costs a little in Hearts\n(random play, n = {len(scores):,}, seed 1)"
)

# %% [markdown]
# The effect is real, and it is small: a tenth of a point. Whoever compares players
# should know it nevertheless, since a strong player in a bad seat may look like a weak one.
# [Duplicate deals](../arena.md) remove it: every player sits everywhere.
#
# ## How many games does that take?
#
# An interval shrinks with the square root of the number of games. The plot follows the effect of the first seat as
# games come in. From where the band leaves zero for good, the data speak.

# %%
numbers = np.unique(np.logspace(2, 5, 60).astype(int))
first = effects[:, 0]
means = np.array([first[:n].mean() for n in numbers])
margins = np.array([1.96 * first[:n].std(ddof=1) / np.sqrt(n) for n in numbers])
clear_from = int(numbers[np.flatnonzero(means - margins <= 0).max() + 1])

figure, axes = plt.subplots(figsize=(8, 3.2))
axes.fill_between(numbers, means - margins, means + margins, color="#4477aa", alpha=0.25)
axes.plot(numbers, means, color="#4477aa")
axes.axhline(0, color="#888888", linewidth=1)
axes.set_xscale("log")
axes.set_xlabel("games")
axes.set_ylabel("points more than the mean")
axes.set_title(f"The first seat's effect is clear from about {clear_from:,} games on")

# %% [markdown]
# It is tempting to stop as soon as the band leaves zero. But whoever looks after every game, and stops at the first good moment,
# finds effects that are not there far more often than in 5 % of cases. Decide the number of games first, or use
# a [sequential test](../arena.md), which is made for looking.
#
# ## Is the interval honest?
#
# A 95 % interval is a promise about the procedure: of many intervals, 95 % contain the truth. That can be tried. We cut the
# games into 1,000 experiments of 100, and count how many intervals contain the mean of all.

# %%
experiments = first.reshape(1_000, 100)
centres = experiments.mean(axis=1)
halves = 1.96 * experiments.std(axis=1, ddof=1) / np.sqrt(100)
covered = float((np.abs(centres - first.mean()) <= halves).mean())
print(f"{covered:.1%} of the intervals contain the mean of all games")

# %% [markdown]
# ## Other games
#
# The same question for ten games of the library: how much more, or less, than its fair share does the first seat
# win? A shared win counts in parts.

# %%
NAMES = [
    "agram",
    "bigtwo",
    "crazyeights",
    "goofspiel",
    "kuhn",
    "leduc",
    "nothanks",
    "ohhell",
    "president",
    "whist",
]
found = []
for name in NAMES:
    game = Game.load(name)
    played = play_random(game, game_seeds(2, count=5_000)).ended()
    best = played.best()
    share = best[:, 0] / best.sum(axis=1) - 1 / game.players
    found.append((name, game.players, *map(float, mean_and_margin(share))))
found.sort(key=lambda row: row[2])

figure, axes = plt.subplots(figsize=(7, 3.8))
axes.errorbar(
    [100 * row[2] for row in found],
    range(len(found)),
    xerr=[100 * row[3] for row in found],
    fmt="o",
    capsize=3,
    color="#4477aa",
)
axes.axvline(0, color="#bbbbbb")
axes.set_yticks(range(len(found)), [f"{name} ({players} players)" for name, players, *_ in found])
axes.set_xlabel("share of wins of the first seat, minus its fair share (percentage points)")
axes.set_title("What the first seat is worth in random play\n(n = 5,000 a game, seed 2)")

# %% [markdown]
# Ten intervals of 95 % each: even if no seat of any game mattered, about one time in two at least one of them would miss
# zero. Effects that are many margins away from zero are not in doubt; those that just miss it deserve games of their own.
#
# **To take with you.** Look at the distribution before the mean; pair what belongs together; decide the number of games
# before you look; and count how many intervals you have drawn.
