"""The native engine: everything that runs compiled code.

`engine` has the boards that machine code plays, with their sampled worlds and random trials;
`decode` reads a board's bytes as a world of the interpreter. `batch` steps many games side by side
by arrays, `random_games` plays whole games at random in bulk, and `search` grows trees (the tasks
and results of searches are in `cardwright.game.search`). `threads` spreads calls over threads and
turns Ctrl-C into a request to stop.

What comes in is a `Program`, limits and seeds; what goes out are the same boards, rollouts and
tables as those of the interpreter, by the same random draws. Only this package calls into
`cardwright.compiler` for code; what a function's arguments mean is said by its kernel in
`cardwright.compiler.kernels`.
"""
