"""What learners exchange with a game: actions as numbers, and observations as arrays.

`numbering` gives every option of a game one number, or a sequence of numbers, that means the same
in every state: a deed, which is what a branch of a choice does with cards, and the values that it
picks. `columns` finds before the game which values each `any` can pick. In goes a program, out
comes `Actions` (`Game.actions`); `DecisionActions` then says which actions are legal at a decision
and which option they make.

`observation` lays out what a seat may see as columns of one array of floats, the same for all
seats, which are relative to the observer, and for both engines. In goes a compiled program and how
many of the latest choices are recalled, out comes an `ObservationLayout`; `observe_world` there is
the definition of every number in it. `fast_view` reads what one seat sees of a board: whole
observations by machine code where that plays, or a few places and values.

`kernel_tables` writes the same numbering, the options' picks and the layout of observations as
words of 64 bits that kernels read, so that batches find masks and observations natively. The tests
hold both ways equal.

Read `numbering` first. Numbers and columns are a promise: trained models and recorded data depend
on them, and `OBSERVATION_VERSION` changes whenever the columns of any game do.
"""
