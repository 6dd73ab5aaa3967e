# %% [markdown]
# # A league, analysed with polars
#
# A [season](../league.md) of Hearts bots leaves tables behind: who sat where, what every round and every trick brought. Here a season of the four
# example bots is played and taken apart with [polars](https://pola.rs): standings with intervals, who beats whom, what a
# seat is worth, and *where* the points are lost.

# %%
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import polars as pl

from cardwright import play_season
from cardwright.league import new_season

folder = Path(tempfile.mkdtemp()) / "season"
new_season(folder)
sorted(path.name for path in (folder / "Bots").iterdir())

# %% [markdown]
# A schedule is a line per game with the bots' rows in the roster, by seat. With four bots there is one table; what varies are the
# seats. Each of the 24 orders occurs equally often, so that no bot profits from its place.

# %%
from itertools import permutations

orders = list(permutations(range(4))) * 7
lines = "".join(",".join(map(str, order)) + "\n" for order in orders)
(folder / "Schedules" / "Main.csv").write_text(lines)
season = play_season(folder, trusted=True, seed=1)  # these bots come with the package
season

# %% [markdown]
# ## Tidy data
#
# The season's files are made for spreadsheets: no header, a column for each seat. For analysis a long table is better, with **one row
# per game and bot**. The columns are those in the [documentation](../league.md).

# %%
SEATS = ["P1", "P2", "P3", "P4"]
COLUMNS = ["season", "game", *SEATS, *(f"{seat} score" for seat in SEATS)]
wide = pl.read_csv(folder / "Outputs" / "GameHistory.csv", has_header=False)
wide = wide.rename(dict(zip(wide.columns, COLUMNS, strict=False)))
games = pl.concat(
    [
        wide.select(
            "game",
            pl.col(seat).alias("bot"),
            pl.col(f"{seat} score").alias("points"),
            pl.lit(seat).alias("seat"),
        )
        for seat in SEATS
    ]
).sort("game", "seat")
games.head()

# %% [markdown]
# ## Standings, with intervals
#
# A league table without intervals invites stories about noise. Games are independent of one another, so the game is the unit.

# %%
best = pl.col("points").min().over("game")
standings = (
    games.with_columns(ahead=pl.col("points") == best)
    .group_by("bot")
    .agg(
        games=pl.len(),
        points=pl.col("points").mean(),
        margin=1.97 * pl.col("points").std() / pl.len().sqrt(),
        first_or_tied=pl.col("ahead").mean(),
    )
    .sort("points")
)
standings

# %% [markdown]
# ## Who beats whom
#
# Points of one game are dependent: what one bot does not take, another does. So the comparison of two bots is made **within each
# game**: the difference of their points, its mean and its interval.

# %%
pairs = games.join(games, on="game", suffix="_other").filter(pl.col("bot") != pl.col("bot_other"))
duels = (
    pairs.with_columns(ahead=pl.col("points_other") - pl.col("points"))
    .group_by("bot", "bot_other")
    .agg(mean=pl.col("ahead").mean(), margin=1.97 * pl.col("ahead").std() / pl.len().sqrt())
)
BOTS = standings["bot"].to_list()
table = {(bot, other): (mean, margin) for bot, other, mean, margin in duels.rows()}
figure, axes = plt.subplots(figsize=(6, 4.2))
grid = np.array([[table.get((bot, other), (0, 0))[0] for other in BOTS] for bot in BOTS])
bound = np.abs(grid).max()
axes.imshow(grid, cmap="PuOr", vmin=-bound, vmax=bound)
for row, bot in enumerate(BOTS):
    for column, other in enumerate(BOTS):
        if bot != other:
            mean, margin = table[bot, other]
            colour = "white" if abs(mean) > 0.7 * bound else "black"
            axes.text(
                column,
                row,
                f"{mean:+.0f}\n± {margin:.0f}",
                ha="center",
                va="center",
                color=colour,
                fontsize=9,
            )
axes.set_xticks(range(4), BOTS)
axes.set_yticks(range(4), BOTS)
axes.set_title(
    f"Points that the row is ahead of the column\n(n = {len(orders)} games, seed 1, 95 % intervals)"
)

# %% [markdown]
# ## What is a seat worth?
#
# The mean by bot and seat mixes two things; the balanced schedule allows to separate them: what a bot got in a seat,
# minus what it gets on average.

# %%
by_seat = (
    games.with_columns(effect=pl.col("points") - pl.col("points").mean().over("bot"))
    .group_by("seat")
    .agg(effect=pl.col("effect").mean(), margin=1.97 * pl.col("effect").std() / pl.len().sqrt())
    .sort("seat")
)
by_seat

# %% [markdown]
# If these intervals contain zero, the season cannot tell the seats apart: in matches of many rounds, with cards passed in
# changing directions, the seat matters little. Without the balanced schedule we could not have said so.
#
# ## Where the points come from
#
# Tables of single tricks show *how* a bot plays. For every trick: who won it, and how many points were in it. A bot that gets its
# points late is being given them; one that gets them early is leading into them.

# %%
TRICKS = ["season", "game", "round", "trick", *(f"{seat} card" for seat in SEATS), "lead", "winner"]
tricks = pl.read_csv(folder / "Outputs" / "TrickHistory.csv", has_header=False)
tricks = tricks.rename(dict(zip(tricks.columns, TRICKS, strict=True)))
tricks = tricks.filter(pl.col("trick") >= 0)  # -3 to -1 are the cards passed
tricks.head(3)

# %% [markdown]
# Cards are numbers, 13 for each suit: 39 and above are hearts, 36 is the queen of spades.

# %%
cards = [pl.col(f"{seat} card") for seat in SEATS]
points = pl.sum_horizontal(
    [(card >= 39).cast(pl.Int64) + 13 * (card == 36).cast(pl.Int64) for card in cards]
)
names = wide.select("game", pl.concat_list(SEATS).alias("bots"))
taken = (
    tricks.with_columns(points=points)
    .join(names, on="game")
    .with_columns(bot=pl.col("bots").list.get(pl.col("winner")))
)
rounds = tricks.select("game", "round").unique().height
profile = (
    taken.group_by("bot", "trick").agg(points=pl.col("points").sum() / rounds).sort("bot", "trick")
)

figure, axes = plt.subplots(figsize=(8, 3.4))
for bot, style in zip(BOTS, ("-", "--", "-.", ":"), strict=True):
    mine = profile.filter(pl.col("bot") == bot)
    axes.plot(mine["trick"] + 1, mine["points"], style, label=bot, linewidth=2)
axes.set_xlabel("trick")
axes.set_ylabel("points taken a round")
axes.set_title(f"When bots take their points (n = {rounds:,} rounds)")
axes.legend()

# %% [markdown]
# The two good bots differ little from each other, and from the others all along the round: the lines show at which tricks a bot is worth
# watching, before one reads a single game. From here it is one `filter` to those games, and `cardwright replay` shows them.
#
# **To take with you.** One row per game and player; differences within games; a balanced schedule; intervals beside
# every mean. Everything above works on a season of any size.
