;;; recycle-words.el --- The words of RECYCLE  -*- lexical-binding: t; -*-

;;; Commentary:
;; made by editors/make_grammars.py from the table of forms: edit the table, not this file.

;;; Code:

(defconst recycle-kinds '("hloc" "iloc" "mem" "oloc" "points" "sto" "str" "vloc")
  "Words for who sees what is stored or lies there.")

(defconst recycle-frame '("all" "any" "choice" "create" "deck" "declare" "define" "do" "else" "end" "isto" "istr" "label" "let" "players" "scoring" "secret" "setup" "stage" "teams")
  "Words for the frame of a game, stages and blocks.")

(defconst recycle-actions '("cycle" "dec" "forget" "inc" "move" "pass" "put" "remember" "repeat" "set" "shuffle" "swap" "turn")
  "Words for what steps do.")

(defconst recycle-owners '("current" "game" "next" "other" "owner" "player" "previous" "team")
  "Words for who owns it.")

(defconst recycle-values '("actual" "and" "bottom" "cardatt" "disjunction" "fib" "filter" "first" "from" "indexed" "intersect" "largest" "max" "min" "mod" "not" "or" "partition" "pid" "random" "range" "run" "runs" "score" "scoremax" "scoremin" "size" "sort" "subsets" "sum" "tid" "top" "tri" "tuples" "union" "using")
  "Words for forms that have a value.")

(provide 'recycle-words)
;;; recycle-words.el ends here
