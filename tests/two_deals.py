"""A game of two deals that is over after four choices, for tests of what is between deals."""

TWO_DEALS = """
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, B, C, D, E, F)))))
  (stage player
    (end (== (game sto DEALS) 2))
    (do (
      (shuffle (game iloc STOCK))
      (all player 'P
        (do (
          (set ('P sto BID) 0)
          (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))))
    (stage player
      (end (all player 'P (> ('P sto BID) 0)))
      (choice (
        (set ((current player) sto BID) 1)
        (set ((current player) sto BID) 2))))
    (do (
      (inc (game sto DEALS))
      (all player 'P
        (do (
          (inc ('P sto SCORE) ('P sto BID))
          (repeat all (move (top ('P iloc HAND)) (top (game iloc STOCK))))))))))
  (scoring max ((current player) sto SCORE)))
"""
"""Two deals of two cards and a bid each, without tricks."""
