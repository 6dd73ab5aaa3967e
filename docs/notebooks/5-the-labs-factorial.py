# %% [markdown]
# # What decides a deal of Hearts? A factorial experiment
#
# A player of Hearts passes three cards, leads, plays second, third or fourth to a trick. Which of these skills is worth most? One could play each badly
# in turn, and count the points. But skills may overlap: perhaps good passing makes good leading unnecessary. That is seen
# only if *combinations* are played: a factorial experiment.
#
# [The lab](../lab.md) plays every combination with **the same deals in the same seats**, and each decision draws from a stream of
# its own. So two cells differ only in what was changed.

# %%
import matplotlib.pyplot as plt

from cardwright import run_experiment
from cardwright.lab import LabPlan

plan = LabPlan.from_text("""
name = "what decides a deal"
design = "factorial"
deals = 200
seed = 1
game = { name = "hearts", preset = "standard", set = { ROUNDS = 1 } }

[[factors]]
name = "pass"
levels = { rule = "rule", random = "random" }

[[factors]]
name = "first"
levels = { rule = "rule", random = "random" }

[[factors]]
name = "fourth"
levels = { rule = "rule", random = "random" }
""")
experiment = run_experiment(plan)
experiment

# %% [markdown]
# Three factors with two levels each are eight cells. `rule` is the [rule player](../hearts-players.md)'s way to do it, `random` is chance. Every cell is
# played against two classes of opponents: three random players, and three rule players.
#
# ## Main effects
#
# A *main effect* is what a change costs on average over all settings of the other factors. Every game of the experiment speaks
# about every factor: that is why a factorial needs fewer games than one experiment for each factor.

# %%
FACTORS = ["pass", "first", "fourth"]
OPPONENTS = ["random", "rule"]
figure, axes = plt.subplots(figsize=(7.5, 2.8))
for shift, (opponents, colour) in enumerate(zip(OPPONENTS, ("#aa3377", "#4477aa"), strict=True)):
    found = [experiment.effect(name, "points", opponents) for name in FACTORS]
    axes.errorbar(
        [one.value for one in found],
        [at + 0.2 * shift for at in range(len(FACTORS))],
        xerr=[one.margin for one in found],
        fmt="o",
        capsize=4,
        color=colour,
        label=f"against {opponents}",
    )
axes.axvline(0, color="#bbbbbb")
axes.set_yticks([at + 0.1 for at in range(3)], ["passing", "leading", "playing fourth"])
axes.invert_yaxis()
axes.set_xlabel("points a deal that chance costs (95 % intervals)")
axes.set_title("What is worth most depends on who sits there (200 deals, seed 1)")
axes.legend()

# %% [markdown]
# Against random players leading hardly matters; against players who know what they do it is worth points. So
# "which skill matters most?" has no answer without "against whom?". A study with one kind of opponents would have reported half of this with full
# confidence.
#
# ## Do skills overlap?
#
# An *interaction* is half of how much the effect of one factor changes with the level of another. If it is zero, effects add up.

# %%
PAIRS = ["pass x first", "pass x fourth", "first x fourth"]
effects = experiment.to_polars()
interactions = effects.filter(reading="interaction", response="points")
interactions.select("name", "opponents", "value", "low", "high", "adjusted")

# %% [markdown]
# `adjusted` is the p value after Holm's adjustment for all interactions of the family: with several of them, one below 0.05 by
# chance alone is no surprise. What is seen in the cells themselves:

# %%
cells = experiment.cells().filter(response="points", opponents="rule")
figure, axes = plt.subplots(figsize=(6, 3.2))
for passing, style in (("rule", "-o"), ("random", "--s")):
    chosen = cells.filter(fourth="rule", **{"pass": passing}).sort("first", descending=True)
    axes.errorbar(
        chosen["first"],
        chosen["mean"],
        yerr=(chosen["high"] - chosen["low"]) / 2,
        fmt=style,
        capsize=4,
        label=f"passing: {passing}",
    )
axes.set_xlabel("leading")
axes.set_ylabel("points a deal")
axes.set_title("Parallel lines: effects add up (against rule players, fourth by rule)")
axes.legend()

# %% [markdown]
# The intervals of the cells are wide, since deals differ so much. The intervals of *effects* above are narrower, because in a difference
# the deal cancels, as far as both cells play it alike. That is what common deals are for, and the lab says how much they save:

# %%
gains = effects.filter(reading="main", response="points").select(
    "name", "opponents", "common_deals_gain"
)
gains

# %% [markdown]
# `common_deals_gain` is how many times as many deals would be needed if each cell had its own. Whoever plays fourth differs in a few
# tricks: the deal cancels, and common deals save most. Passing changes the whole deal: little cancels, and four pairs of cells tell of the same
# deals. There the number is below 1, and deals of its own for each cell would have told more.
#
# ## In words
#
# The report says what was found, how certain it is, and what it does not show. These sentences are made from the numbers.

# %%
for sentence in experiment.sentences()[2:8]:
    print("•", sentence)

# %% [markdown]
# **To take with you.** Vary several things at once and keep the deals. Read interactions before you add up effects. Adjust for
# the number of questions. And name the opponents in the first sentence.
