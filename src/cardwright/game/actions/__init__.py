"""What learners exchange with a game: actions as numbers, and observations as arrays.

`numbering` gives every option of a game one number, or a sequence of numbers, that means the same
in every state; `columns` finds before the game which values each `any` can pick. `observation` lays
out what a seat may see as columns of one array, the same for all seats, which are relative to the
observer, and for both engines; `observe_world` there is the definition of every number in it.
`fast_view` reads what one seat sees of a board, and `kernel_tables` writes all of this as words of
64 bits, by which kernels find masks and observations of batches.

Numbers and columns are a promise: trained models and recorded data depend on them, and
`OBSERVATION_VERSION` changes whenever the columns of any game do.
"""
