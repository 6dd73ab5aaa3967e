"""Games in words: names, what options do, and texts that mean options.

Programmers and authors read the names of the rules: `Namer` (`naming`) names cards and places, and
`describe` says what each option does in these names (`play 5 of CLUBS`), as `Option.description`.
People at a table read words: `PeopleNamer` names the same things with the words that an
author gave in `[words]` of the TOML file beside the game (`phrases`), and `clauses` makes sentences
of them, for the one who chooses and for those who watch. No text tells more than its reader may
know. `option_text` goes the way back, from a text that somebody wrote to the option or the cards
that it means.

An option has the same words in every list: only options that would read the same say more, and are
numbered where that does not help.
"""
