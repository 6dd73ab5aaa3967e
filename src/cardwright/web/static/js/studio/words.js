// The words of RECYCLE,
// made by editors/make_grammars.py from the table of forms: edit the table, not this file.

/** Who sees what is stored or lies there. */
export const KINDS = new Set(["hloc", "iloc", "mem", "oloc", "points", "sto", "str", "vloc"]);

/** The frame of a game, stages and blocks. */
export const FRAME = new Set(["all", "any", "choice", "create", "deck", "declare", "define", "do", "else", "end", "isto", "istr", "label", "let", "players", "scoring", "secret", "setup", "stage", "teams"]);

/** What steps do. */
export const ACTIONS = new Set(["cycle", "dec", "forget", "inc", "move", "pass", "put", "remember", "repeat", "set", "shuffle", "swap", "turn"]);

/** Who owns it. */
export const OWNERS = new Set(["current", "game", "next", "other", "owner", "player", "previous", "team"]);

/** Forms that have a value. */
export const VALUES = new Set(["actual", "and", "bottom", "cardatt", "disjunction", "fib", "filter", "first", "from", "indexed", "intersect", "largest", "max", "min", "mod", "not", "or", "partition", "pid", "random", "range", "run", "runs", "score", "scoremax", "scoremin", "size", "sort", "subsets", "sum", "tid", "top", "tri", "tuples", "union", "using"]);

/** Operators, longest first. */
export const OPERATORS = new Set(["!=", "//", "<=", "==", ">=", "%", "*", "+", "-", "<", ">", "^"]);
