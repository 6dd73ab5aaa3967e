"""Games in words: names, what options do, and texts that mean options.

Two kinds of readers are served. Programmers and authors read the names of the rules: `Namer` in
`naming` names cards, places and owners (`5 of CLUBS`, `p2 iloc HAND`), and `describe` says what
each option of a decision does in these names (`play 5 of CLUBS`). That is `Option.description`, in
traces, records and searches. People at a table read words: `PeopleNamer` in `people` names the same
things (`the 5 of clubs`, `Ann's hand`) with the words that an author gave in `[words]` of the TOML
file beside the game, and `clauses` makes sentences of them (`play the 5 of clubs`, `Pass 3 cards`),
for the one who chooses and for those who watch.

In goes a decision: the world at it, its options with their effects (`BuiltOption`), the seat that
decides, and a namer. Out come texts, or a `DescribedOption`, which has the cards and players that
an option names beside its text. No text tells more than its reader may know: what a chooser sees is
`sees` of the interpreter's world, and what a reader of clauses knows is an `OptionSight`.

- `phrases`: verbs, plurals and lists in English; an author's phrases and their tables.
- `naming`: the names of the rules, and the places and attributes of a program.
- `people`: names at the table, and stored values as facts.
- `mentions`: which of the values that an option stores are worth mentioning beside its cards.
- `describe`: options in the names of the rules.
- `clauses`: options, labels and prompts in the words of people.
- `option_text`: the way back, from a text that somebody wrote to the option or the cards it means.

Read `phrases` and `naming` first, then `describe`. An option has the same words in every list: only
options that would read the same say more, and are numbered where that does not help.
"""
