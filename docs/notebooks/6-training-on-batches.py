# %% [markdown]
# # Training on batches
#
# A batch is thousands of games side by side, stepped with arrays. In this notebook a policy learns Leduc poker by policy gradient, in NumPy
# alone, and a trick that ought to help is put to the test: **taking the luck of the deal out of what it learns from.**
#
# The method is REINFORCE (Williams 1992): make actions that turned out well likelier. Whether a game "turned out well" depends mostly
# on the cards. A baseline that knows the deal removes that noise: play each deal
# several times, and compare a game with the *other games of its deal*.

# %%
import matplotlib.pyplot as plt
import numpy as np

from cardwright import Game

game = Game.load("leduc")
COLUMNS, ACTIONS = game.observation.size, len(game.actions)
game.batch(1_000, seeds=1)

# %% [markdown]
# ## Play a batch
#
# `observe` is what the seat that decides sees, `action_mask` what it may do, and `step_actions` plays. The learner has seat p1 and its policy is
# linear: a weight for each pair of a column and an action, and a softmax over the legal actions. The other seat plays at random.


# %%
def chances_of(weights, seen, legal):
    """Return the probabilities of the actions, games x actions."""
    logits = np.where(legal, seen @ weights, -np.inf)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    return chances / chances.sum(axis=1, keepdims=True)


def play(batch, weights, rng):
    """Play all games to their ends; return the learner's chips, and what it saw and did."""
    moves = []
    while not batch.finished.all():
        legal = batch.action_mask()
        seen = batch.observe()
        chances = chances_of(weights, seen, legal | ~legal.any(axis=1, keepdims=True))
        learner = batch.players == 0
        noise = rng.gumbel(size=legal.shape)
        wanted = np.where(learner[:, None], np.log(chances + 1e-12), 0.0)
        actions = np.where(legal, wanted + noise, -np.inf).argmax(axis=1)
        rows = np.flatnonzero(learner)
        moves.append((rows, seen[rows], chances[rows], actions[rows]))
        batch.step_actions(actions)
    return batch.scores[:, 0].astype(float), moves


# %% [markdown]
# Drawing from a softmax by adding Gumbel noise and taking the largest needs no loop over games; with equal weights it is a random
# legal action.
#
# ## Two baselines
#
# In every round 2,048 games are played: 128 deals, each 16 times. Both learners play the same number of games. `overall` compares each game with the mean of all,
# `by deal` with the mean of its own deal.

# %%
DEALS, COPIES, ROUNDS = 128, 16, 60


def train(baseline, seed, rate=0.4):
    """Return the learning curve, the variance of the advantages, and the weights."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((COLUMNS, ACTIONS), np.float32)
    curve, spread = [], []
    for _ in range(ROUNDS):
        seeds = rng.integers(0, 2**63, DEALS).repeat(COPIES)
        chips, moves = play(game.batch(len(seeds), seeds), weights, rng)
        curve.append(chips.mean())
        if baseline == "by deal":
            of_deal = chips.reshape(DEALS, COPIES).mean(axis=1).repeat(COPIES)
            advantage = (chips - of_deal) * COPIES / (COPIES - 1)
        else:
            advantage = chips - chips.mean()
        spread.append(advantage.var())
        slope = np.zeros_like(weights)
        for rows, seen, chances, actions in moves:
            direction = -chances
            direction[np.arange(len(rows)), actions] += 1
            slope += seen.T @ (direction * advantage[rows, None]).astype(np.float32)
        weights += rate * slope / (len(chips) * advantage.std())
    return np.array(curve), np.array(spread), weights


SEEDS = range(4)
curves, spreads, policies = {}, {}, {}
for baseline in ("overall", "by deal"):
    runs = [train(baseline, seed) for seed in SEEDS]
    curves[baseline] = np.array([curve for curve, _, _ in runs])
    spreads[baseline] = float(np.mean([spread for _, spread, _ in runs]))
    policies[baseline] = [weights for _, _, weights in runs]

# %%
figure, axes = plt.subplots(figsize=(8, 3.4))
for (baseline, runs), colour in zip(curves.items(), ("#aa3377", "#4477aa"), strict=True):
    middle, spread = runs.mean(axis=0), runs.std(axis=0, ddof=1)
    axes.plot(middle, color=colour, label=f"baseline {baseline}")
    axes.fill_between(range(ROUNDS), middle - spread, middle + spread, color=colour, alpha=0.2)
axes.axhline(0, color="#888888", linewidth=1)
axes.set_xlabel(f"round of {DEALS * COPIES:,} games")
axes.set_ylabel("chips a game against random")
axes.set_title("Learning curves: mean and standard deviation of four runs (seeds 0 to 3)")
axes.legend()
print({baseline: f"variance of the advantage {value:.1f}" for baseline, value in spreads.items()})

# %% [markdown]
# The baseline by deal takes about a quarter of the noise away, and yet the curves lie on each other: with 2,048 games in every round,
# noise is not what holds this learner back. In a game of more luck, or with fewer games a round, that may be different; here the trick is not
# worth its name, and with one run of each one might well have reported the opposite.
#
# One run of a learning program is an anecdote. The band shows how much runs differ by their seeds alone; two methods are
# told apart by several runs of each, not by their best ones.
#
# ## What was learned
#
# The curve is of games that were played to learn from. The measurement is made on new deals, with the weights fixed, and gets its
# interval over deals.

# %%
rng = np.random.default_rng(99)
tested = {}
for baseline, found in policies.items():
    results = [play(game.batch(10_000, seeds=7), weights, rng)[0] for weights in found]
    chips = np.mean(results, axis=0)
    tested[baseline] = (chips.mean(), 1.96 * chips.std(ddof=1) / np.sqrt(len(chips)))
    print(
        f"{baseline:8}: {tested[baseline][0]:.3f} ± {tested[baseline][1]:.3f} chips a game on 10,000 new deals"
    )

# %% [markdown]
# A linear policy has readable weights: what holding a card adds to each action, compared with the other cards. Calling and raising with a king and
# folding a jack are the first things that anybody learns at a poker table, and this learner found them in 60 rounds.

# %%
CARDS = [f"{rank} of {suit}" for rank in "JQK" for suit in ("HEARTS", "SPADES")]
rows = [game.observation.columns.index(f"me iloc HAND: {card}") for card in CARDS]
names = [game.actions.name(action).removeprefix("ACTION ").lower() for action in range(ACTIONS)]
shown = np.mean(policies["by deal"], axis=0)[rows]
shown = shown - shown.mean(axis=0)

figure, axes = plt.subplots(figsize=(5.2, 3.6))
bound = np.abs(shown).max()
image = axes.imshow(shown, cmap="PuOr", vmin=-bound, vmax=bound, aspect="auto")
axes.set_xticks(range(ACTIONS), names)
axes.set_yticks(
    range(6), [card.replace(" of HEARTS", " ♥").replace(" of SPADES", " ♠") for card in CARDS]
)
figure.colorbar(image, label="weight, minus the mean over cards")
axes.set_title("What the learner thinks of its own card (mean of four runs)")

# %% [markdown]
# **To take with you.** Measure the noise before you fight it. Report several runs of each method, and their spread. Test on deals
# that were not learned from. [Learning](../learning.md) and [training](../training.md) go on from here, with PyTorch and to players that
# can be entered in a tournament.
