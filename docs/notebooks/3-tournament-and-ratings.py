# %% [markdown]
# # A tournament, and what a rating hides
#
# Four players meet in Leduc poker, a small game of betting with six cards. The tournament gives each a rating. Then we look at what the rating
# says, and ask two questions that it cannot answer: *who wins the most chips*, and *who can be beaten by somebody who knows him*.
#
# Leduc is small enough to be solved, so the truth is known: one of the players is (nearly) an equilibrium.

# %%
import matplotlib.pyplot as plt
import numpy as np

from cardwright import Game, solve_game, tournament
from cardwright.solve import ExploitPlan, exploit_player

game = Game.load("leduc")
solution = solve_game(game, iterations=100, file="leduc.json")
print(f"exploitability of the solution: {solution.exploitability:.4f} chips a game")

# %% [markdown]
# ## The tournament
#
# `pimc` and `ismcts` are players that search, here with little time. Every pair plays the same 120 deals from both
# seats; the interval of every number counts a deal as one value, because the games of a deal are not independent.

# %%
PLAYERS = ["random", "pimc:rollouts=10", "ismcts:iterations=100", "solved:leduc.json"]
SHORT = ["random", "pimc", "ismcts", "solved"]
result = tournament(game, PLAYERS, deals=120, seed=1)
result

# %% [markdown]
# ## Rating or chips?
#
# A rating counts *who* wins a game, not by how much. In poker a careful player folds often and loses many small pots: that looks bad in a rating
# and is good in chips. Both orders side by side:

# %%
ratings = result.ratings.entrants
chips = [result.standing(player).score for player in PLAYERS]

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 2.8), sharey=True)
for axes, values, label in ((left, ratings, "rating (Elo scale)"), (right, chips, "chips a game")):
    axes.errorbar(
        [one.mean for one in values],
        range(len(PLAYERS)),
        xerr=[one.margin for one in values],
        fmt="o",
        capsize=4,
        color="#4477aa",
    )
    axes.axvline(0, color="#bbbbbb")
    axes.set_xlabel(label)
left.set_yticks(range(len(PLAYERS)), SHORT)
left.invert_yaxis()
figure.suptitle("The order by wins is not the order by chips (120 deals, seed 1, 95 % intervals)")
by_rating = [SHORT[at] for at in np.argsort([-one.mean for one in ratings])]
by_chips = [SHORT[at] for at in np.argsort([-one.mean for one in chips])]
by_rating, by_chips

# %% [markdown]
# So the first decision of a study is not statistical: **what is a game worth?** For ratings, a win. For a poker player, chips. Where scores
# matter, report differences of scores with their intervals, and keep ratings for games in which only winning counts.
#
# ## The matrix behind the number
#
# A rating is one number for each player, so it cannot say that A beats B, B beats C and C beats A. The pay-off matrix can: chips of
# the row against the column.

# %%
payoffs = np.array(result.matrix.means())
figure, axes = plt.subplots(figsize=(4.6, 3.8))
bound = np.abs(payoffs).max()
image = axes.imshow(payoffs, cmap="PuOr", vmin=-bound, vmax=bound)
axes.set_xticks(range(4), SHORT)
axes.set_yticks(range(4), SHORT)
for row in range(4):
    for column in range(4):
        value = payoffs[row, column]
        colour = "white" if abs(value) > 0.7 * bound else "black"
        axes.text(column, row, f"{value:+.2f}", ha="center", va="center", color=colour)
axes.set_title("Chips a game of the row against the column")
figure.colorbar(image, label="chips")
worst = payoffs.min(axis=1)

# %% [markdown]
# The solved player takes the least from the weakest, yet its row has no cell clearly below zero. That is what an equilibrium promises: it does not win the
# most, but nobody can make it lose. The searching players take far more from the random one, and pay for it elsewhere.
#
# ## Who can be exploited?
#
# A tournament only knows the opponents that came. *Exploitability* asks for the worst possible one: a best response
# that knows the player's strategy. It is computed exactly from the game tree, by asking the player in every situation; what chance in the
# answers leaves open is the interval.

# %%
plan = ExploitPlan(asks=3, seed=1)
exploited = {
    name: exploit_player(spec, game, plan).found
    for name, spec in zip(SHORT[1:3], PLAYERS[1:3], strict=True)
}
for name, one in exploited.items():
    print(
        f"{name:7} loses {one.least:.2f} to {one.most:.2f} chips a game (95 %: {one.low:.2f} to {one.high:.2f})"
    )
print(f"solved  loses {solution.exploitability:.2f}")

# %%
figure, axes = plt.subplots(figsize=(6.4, 3.4))
for at, name in enumerate(SHORT):
    if name == "random":
        continue
    middle, low, high = (solution.exploitability,) * 3
    if name in exploited:
        found = exploited[name]
        middle, low, high = (found.least + found.most) / 2, found.low, found.high
    axes.errorbar(
        ratings[at].mean,
        middle,
        xerr=ratings[at].margin,
        yerr=[[middle - low], [high - middle]],
        fmt="o",
        capsize=3,
        label=name,
    )
axes.set_xlabel("rating in the tournament")
axes.set_ylabel("exploitability (chips a game)")
axes.set_title("Highly rated, and easily exploited")
axes.legend()

# %% [markdown]
# The best rated player of this tournament is the most exploitable of the three.
#
# **To take with you.** Say what a game is worth before you rank. Print the matrix beside the rating. And remember whom a rating is
# about: these players, in this field. Where a game is too large for its tree, `exploit_player` bounds exploitability
# from below by a [local best response](../solving.md).
