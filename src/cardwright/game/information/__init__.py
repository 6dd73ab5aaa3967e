"""What each seat can know of a game.

`knowledge` says where each card may lie by what a seat knows (`Knowledge`), and how that changes
with every effect of the rules (`Whereabouts`). `tracker` follows a game through the interpreter and
lets each seat draw its conclusions, also from what others chose. `worlds` deals complete worlds
that a seat cannot tell from the true one, by what it sees or by what it knows. `sightings` defines
the words for what seats see happen, which are chained into the key of everything that a seat has
seen. `past` keeps what a state needs of its game so far for that, and for taking steps back.

What comes in is a world of the interpreter, the rules and the choices made; what goes out are
`Knowledge`, worlds, the record of what a seat saw, and keys. The native engine computes the same
worlds and keys in machine code, which the tests compare with these.
"""
