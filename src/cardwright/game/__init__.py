"""Games in play: rules become a `Game`, seeds and choices become states.

`game` has the two classes that everything is built on. A `Game` is checked rules with values for
their constants; it comes from a library name, a file or a text (`find`), and starts games from
seeds (`seeds`). A `State` is a game in play: who decides, which options there are (`option`), what
a seat sees and knows, what happened, how it ends.

Behind a state is a `Board` of some engine (`board`). `reference` plays by the interpreter and
defines what is right; `native` plays by machine code and does the same, faster; `engines` makes
engines by name. `chance` plays games whose random draws are taken one by one instead of from a
seed. `pickles` turns boards and states into plain values for other processes.

`search` has the tasks and results of random play and search: rollouts, flat Monte Carlo, tree
search. `flow` counts the moves of cards between places. The rooms `information` (what seats know
and have seen) and `native` (all that runs machine code) have pages of their own.

What comes in is a `Program` of `cardwright.program`, with seeds and choices; what goes out are
views, options, scores and keys: plain values that are the same by every engine.
"""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
