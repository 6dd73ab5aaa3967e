"""The rest of a trick game with open hands, solved for two sides.

Cards are bits: those of a class (a suit, or the trumps) lie side by side, the weakest lowest. Hands
play in turn, the winner of a trick leads to the next, a class that is led is followed if possible,
and a trick goes to the highest trump, or else to the highest card of the class led. The worth of a
trick is the same for all, and that of the cards in it.

The search is alpha-beta with null windows: does the first side win at least so much? What is found
where a trick begins is kept in a table. If only tricks count, an entry holds for all positions that
have as many cards of each class in each hand, and the same owners of the cards that matter: of
those that won a trick by rank, and of all that are higher. That is partition search (M. Ginsberg,
"GIB: imperfect information in a computationally challenging game", 2001). If cards count, an entry
holds for the same cards only.

Memory is a block of words: those named here, rooms for sorting moves, the heads of the lists of
entries, and the entries.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import Inline, kernel
from cardwright.compiler.kernels.engine import Pointer

HANDS_MOST = 8
CLASSES_MOST = 16
CARDS_MOST = 60

SEATS, TRUMP, CLASSES, TRICK_WORTH, LAST_WORTH, BY_CARDS, BARRED, SHOTS = range(8)
"""How many hands, the trumps as a set, how many classes, the worth of a trick, what the last one is
worth besides, whether cards have worths, the cards that are not led before one of them was played,
unless a hand has no others, and whether it matters that one hand takes all that has a worth."""

REL, NODES, HEADS, ENTRIES, ROOM, KEY, KEY2, FRAMES_AT, HEADS_AT, ENTRIES_AT, STOP = range(8, 19)
"""Which cards mattered to the last result; how many nodes were searched; the number of heads less
one; how many entries there are, and room for; two hashes of the position; where the rooms for
moves, the heads and the entries begin; the number of nodes at which to give up."""

LED, BEST, WINNER, PLAYED, BEGAN, LYING, HINT, GOOD = range(19, 27)
"""The trick at the root: the class led as a set, the card that wins so far and its hand, how many
cards there are; all cards as it began; what those that lie there are worth. HINT is a lead to try
first, and GOOD the last one that was good enough, both as sets."""

HAND = 32
SIDE = HAND + HANDS_MOST
CLASS_MASK = SIDE + HANDS_MOST
CLASS_OF = CLASS_MASK + CLASSES_MOST
WORTH = CLASS_OF + 64
SHAPE = WORTH + 64
PLACE = SHAPE + CLASSES_MOST * HANDS_MOST
LEADER = PLACE + 64 * HANDS_MOST
TAKER = LEADER + HANDS_MOST
SHOT = TAKER + HANDS_MOST + 2
FOUND = SHOT + (HANDS_MOST + 2) * HANDS_MOST
HEAD_WORDS = FOUND + HANDS_MOST
"""The hands, the side of each, the cards of each class; the class of each card, its worth; random
words for a card of a class in a hand, for a card in a hand, for the leader, and for who has taken
what has a worth; what all hands get besides if one takes it all; and a result for each hand."""

FRAME = 192
"""Words for one turn: three for each move, its cards as a set, its score and its highest card; or
the best result so far."""

ENTRY_KEY, ENTRY_LOW, ENTRY_HIGH, ENTRY_MATTERS, ENTRY_LEAST, ENTRY_MOST, ENTRY_NEXT = range(7)
ENTRY_LEAD = 7
FOUND_WORDS = 8
"""A hash; two bits of the owner of each card, or a second hash; the cards that matter; bounds; the
next entry of its list plus 1; the lead that was good enough, as a set, or 0."""


@kernel(inline=Inline.ALWAYS)
def is_barred(s: Pointer, everything: int) -> bool:
    """Return whether some cards may not be led yet."""
    barred = s[BARRED]
    return barred != 0 and everything & barred == barred


@kernel(inline=Inline.ALWAYS)
def legal_cards(s: Pointer, own: int, played: int, led: int, everything: int) -> int:
    """Return the cards that a hand may play."""
    wanted = own
    if played != 0:
        wanted = own & led
    elif is_barred(s, everything):
        wanted = own & ~s[BARRED]
    return wanted if wanted != 0 else own


@kernel(inline=Inline.ALWAYS)
def owners_low(s: Pointer) -> int:
    """The cards of hands with an odd number."""
    return s[HAND + 1] | s[HAND + 3]


@kernel(inline=Inline.ALWAYS)
def owners_high(s: Pointer) -> int:
    """The cards of the hands 2 and 3."""
    return s[HAND + 2] | s[HAND + 3]


@kernel
def closed(s: Pointer, cards: int, within: int) -> int:
    """Return all cards that are of the class of one of some cards, and not lower."""
    found = 0
    left = cards
    while left != 0:
        card = op.lowest_one(left)
        same = s[CLASS_MASK + s[CLASS_OF + card]]
        found |= same & within & op.wrap(-(1 << card))
        left &= ~same
    return found


@kernel(inline=Inline.ALWAYS)
def squeezed(cards: int, within: int) -> int:
    """Return which of the cards of a set are in another, by their places in the former."""
    found = 0
    bit = 1
    left = within
    while left != 0:
        low = left & op.wrap(-left)
        if cards & low != 0:
            found |= bit
        bit = op.wrap(bit << 1)
        left ^= low
    return found


@kernel
def sure_of(s: Pointer, hand: int, everything: int, wanted: int) -> int:
    """Return how many tricks a hand on lead can take at once, at least; REL has why."""
    side = s[SIDE + hand]
    trump = s[TRUMP]
    own = s[HAND + hand]
    total = 0
    foes_trump = 0
    for other in range(s[SEATS]):
        if s[SIDE + other] != side:
            foes_trump |= s[HAND + other] & trump
    for c in range(s[CLASSES]):
        same = s[CLASS_MASK + c]
        mine = own & same
        if mine == 0:
            continue
        others = everything & same & ~own
        most = 0
        least = 64
        for other in range(s[SEATS]):
            if other != hand:
                count = op.count_ones(s[HAND + other] & same)
                most = max(most, count)
                if s[SIDE + other] != side and s[HAND + other] & trump != 0:
                    least = min(least, count)
        if same == trump:
            least = 64
        # Its cards above all others of the class.
        top = mine
        if others != 0:
            top = mine & op.wrap(-(1 << op.highest_one(others)))
        winners = op.count_ones(top)
        if winners >= most:
            rounds = op.count_ones(mine)
            need_rank = most
        else:
            rounds = winners
            need_rank = winners
        if rounds > least:
            rounds = least
            need_rank = min(need_rank, rounds)
        if rounds == 0:
            continue
        total += rounds
        # The winners that are needed by rank.
        left = top
        for _ in range(need_rank):
            high = 1 << op.highest_one(left)
            s[REL] = s[REL] | high
            left ^= high
        if total >= wanted:
            return total
    return total


@kernel
def quick(s: Pointer, leader: int, everything: int, wanted: int) -> int:
    """Return how many tricks the side on lead can take at once, at least; REL has why."""
    s[REL] = 0
    total = sure_of(s, leader, everything, wanted)
    if total >= wanted:
        return total
    side = s[SIDE + leader]
    trump = s[TRUMP]
    own = s[HAND + leader]
    kept = s[REL]
    for partner in range(s[SEATS]):
        if partner == leader or s[SIDE + partner] != side:
            continue
        for c in range(s[CLASSES]):
            same = s[CLASS_MASK + c]
            if own & same == 0:
                continue
            whole = everything & same
            top = 1 << op.highest_one(whole)
            if s[HAND + partner] & top == 0:
                continue
            ruffed = False
            if same != trump:
                for other in range(s[SEATS]):
                    if s[SIDE + other] != side and s[HAND + other] & same == 0:
                        if s[HAND + other] & trump != 0:
                            ruffed = True
            if ruffed:
                continue
            s[REL] = kept | top
            more = sure_of(s, partner, everything, wanted - total)
            if total + more >= wanted:
                return total + more
            break
    s[REL] = kept
    return total


@kernel
def sure_trumps(s: Pointer, side: int, everything: int, wanted: int) -> int:
    """Return how many tricks a side wins by the highest trumps of one hand; REL has them."""
    trumps = everything & s[TRUMP]
    best = 0
    if trumps == 0:
        return 0
    top = op.highest_one(trumps)
    for hand in range(s[SEATS]):
        mine = s[HAND + hand] & trumps
        if s[SIDE + hand] == side and op.shift_right(mine, top) & 1 != 0:
            others = trumps & ~mine
            winners = mine
            if others != 0:
                winners = mine & op.wrap(-(1 << op.highest_one(others)))
            best = op.count_ones(winners)
            if best > wanted:
                best = wanted
            rest = winners
            kept = 0
            for _ in range(best):
                high = 1 << op.highest_one(rest)
                kept |= high
                rest ^= high
            s[REL] = kept
    return best


@kernel
def wins_at_least(s: Pointer, leader: int, left: int, need: int, depth: int) -> bool:
    """Return whether the first side still wins so much where a trick begins; REL has why.

    `left` is what all tricks to come are worth.
    """
    s[REL] = 0
    if need <= 0:
        return True
    if need > left:
        return False
    everything = 0
    for hand in range(s[SEATS]):
        everything |= s[HAND + hand]
    ours = s[SIDE + leader] == 1
    by_cards = s[BY_CARDS]
    if by_cards == 0 and not is_barred(s, everything):
        tricks = op.count_ones(s[HAND + leader])
        if ours:
            if quick(s, leader, everything, need) >= need:
                return True
            if tricks - sure_trumps(s, 0, everything, tricks - need + 1) < need:
                return False
        else:
            if tricks - quick(s, leader, everything, tricks - need + 1) < need:
                return False
            if sure_trumps(s, 1, everything, need) >= need:
                return True
    s[NODES] = s[NODES] + 1
    if s[NODES] > s[STOP]:
        return False
    key = s[KEY] ^ s[LEADER + leader]
    if by_cards == 0:
        low = squeezed(owners_low(s), everything)
        high = squeezed(owners_high(s), everything)
    else:
        low = s[KEY2]
        high = 0
    head = s[HEADS_AT] + (op.shift_right(op.wrap(key * 0x2545F4914F6CDD1D), 20) & s[HEADS])
    at: int = s[head]
    same = 0
    hint = 0
    while at != 0:
        entry = s + (s[ENTRIES_AT] + FOUND_WORDS * (at - 1))
        if entry[ENTRY_KEY] == key:
            matters = entry[ENTRY_MATTERS]
            if ((entry[ENTRY_LOW] ^ low) | (entry[ENTRY_HIGH] ^ high)) & matters == 0:
                if entry[ENTRY_LEAST] >= need:
                    s[REL] = op.deposit(matters, everything)
                    return True
                if entry[ENTRY_MOST] < need:
                    s[REL] = op.deposit(matters, everything)
                    return False
                if by_cards != 0:
                    same = at
            if hint == 0:
                hint = entry[ENTRY_LEAD]
        at = entry[ENTRY_NEXT]
    s[HINT] = hint
    s[GOOD] = 0
    won = play(s, leader, 0, 0, 0, leader, everything, 0, left, need, depth)
    if s[NODES] > s[STOP]:
        return False
    if same != 0 and same <= s[ENTRIES]:
        entry = s + (s[ENTRIES_AT] + FOUND_WORDS * (same - 1))
        if entry[ENTRY_KEY] == key and entry[ENTRY_LOW] == low:
            if won:
                entry[ENTRY_LEAST] = need
            else:
                entry[ENTRY_MOST] = need - 1
            return won
    entry = new_entry(s, head)
    entry[ENTRY_KEY] = key
    entry[ENTRY_LOW] = low
    entry[ENTRY_HIGH] = high
    if by_cards == 0:
        reasons = closed(s, s[REL], everything)
        s[REL] = reasons
        entry[ENTRY_MATTERS] = squeezed(reasons, everything)
    else:
        entry[ENTRY_MATTERS] = -1
    entry[ENTRY_LEAD] = s[GOOD]
    entry[ENTRY_LEAST] = need if won else 0
    entry[ENTRY_MOST] = left if won else need - 1
    return won


@kernel
def new_entry(s: Pointer, head: int) -> Pointer:
    """Return a new entry at the beginning of a list; without room, all others are dropped."""
    if s[ENTRIES] == s[ROOM]:
        op.clear(op.offset(s, 8 * s[HEADS_AT]), 8 * (s[HEADS] + 1))
        s[ENTRIES] = 0
    count: int = s[ENTRIES]
    entry = s + (s[ENTRIES_AT] + FOUND_WORDS * count)
    entry[ENTRY_NEXT] = s[head]
    s[head] = count + 1
    s[ENTRIES] = count + 1
    return entry


@kernel
def stands(s: Pointer, hand: int, played: int, card: int, led: int, side: int) -> bool:
    """Return whether no foe that plays later to the trick can beat a card."""
    seats = s[SEATS]
    trump = s[TRUMP]
    ruffs = op.shift_right(trump, card) & 1
    other = hand
    for _ in range(seats - played - 1):
        other += 1
        if other == seats:
            other = 0
        if s[SIDE + other] == side:
            continue
        held = s[HAND + other]
        follows = held & led
        if follows != 0:
            if (ruffs == 0 or led == trump) and op.shift_right(follows, card) > 1:
                return False
        elif ruffs != 0:
            if op.shift_right(held & trump, card) > 1:
                return False
        elif held & trump != 0:
            return False
    return True


@kernel(inline=Inline.ALWAYS)
def ended_worth(s: Pointer, hand: int) -> int:
    """Return what a trick is worth besides its cards, which a hand has just completed."""
    return s[TRICK_WORTH] + s[LAST_WORTH] if s[HAND + hand] == 0 else s[TRICK_WORTH]


@kernel(inline=Inline.ALWAYS)
def beats(trump: int, same: int, led: int, played: int, card: int, best: int) -> bool:
    """Return whether a card of a class wins a trick so far: it is the first, or beats the best."""
    if played == 0:
        return True
    if op.shift_right(trump, best) & 1 != 0:
        return same == trump and card > best
    return same == trump or (same == led and card > best)


@kernel
def lead_score(s: Pointer, hand: int, card: int, everything: int) -> int:
    """Return how good a lead looks."""
    same = s[CLASS_MASK + s[CLASS_OF + card]]
    trump = s[TRUMP]
    whole = everything & same
    side = s[SIDE + hand]
    seats = s[SEATS]
    rank = op.count_ones(whole & ((1 << card) - 1))
    top = op.highest_one(whole)
    mine = s[HAND + hand] & same
    score = -rank
    foe_void = 0
    friend_void = 0
    friend_top = 0
    foe_top = 0
    for other in range(seats):
        if other != hand:
            held = s[HAND + other]
            if s[SIDE + other] == side:
                if held & same == 0 and held & trump != 0 and same != trump:
                    friend_void = 1
                if op.shift_right(held, top) & 1 != 0:
                    friend_top = 1
            else:
                if held & same == 0 and held & trump != 0 and same != trump:
                    foe_void = 1
                if op.shift_right(held, top) & 1 != 0:
                    foe_top = 1
    if card == top:
        score += 60 if foe_void == 0 else -20
    elif friend_top != 0:
        score += 50 if foe_void == 0 else -20
    elif friend_void != 0:
        score += 55 if foe_void == 0 else 10
    elif foe_top != 0:
        # A card of a sequence drives the top card out.
        second = op.highest_one(whole & ~(1 << top))
        if card == second:
            score += 30
        elif op.count_ones(mine) > 2:
            score += 10
    if foe_void != 0:
        score -= 10
    score += op.count_ones(mine)
    return score


@kernel
def play(
    s: Pointer, hand: int, played: int, led: int, best: int, winner: int, everything: int,
    gained: int, left: int, need: int, depth: int,
) -> bool:  # fmt: skip
    """Return whether the first side still wins so much where a hand is to play to a trick.

    `played` cards lie there, `led` is the class of the first as a set, `best` the card that wins so
    far, with bit 63 clear, `winner` its hand, and `gained` what the cards there are worth.
    `everything` are the cards at the beginning of the trick.
    """
    seats = s[SEATS]
    trump = s[TRUMP]
    own = s[HAND + hand]
    side = s[SIDE + hand]
    ours = side == 1
    by_cards = s[BY_CARDS]
    legal = legal_cards(s, own, played, led, everything)
    # One card stands for those beside it in the same hand.
    frame = s + (s[FRAMES_AT] + FRAME * depth)
    count = 0
    rest = legal
    beaten = False
    if played != 0:
        beaten = stands(s, hand, played - 1, best, led, s[SIDE + winner])
    friendly = s[SIDE + winner] == side
    hint = s[HINT]
    while rest != 0:
        top = op.highest_one(rest)
        bit = 1 << top
        rest ^= bit
        group = bit
        same = s[CLASS_MASK + s[CLASS_OF + top]]
        lower = everything & same & (bit - 1)
        while lower != 0:
            beside = op.highest_one(lower)
            if op.shift_right(own, beside) & 1 == 0:
                break
            if by_cards != 0 and s[WORTH + beside] != s[WORTH + top]:
                break
            group |= 1 << beside
            rest &= ~(1 << beside)
            lower ^= 1 << beside
        score = 0
        if played == 0:
            score = lead_score(s, hand, top, everything)
            if group & hint != 0:
                score += 1000
        else:
            rank = op.count_ones(everything & same & (bit - 1))
            mine = own & same
            higher = beats(trump, same, led, played, top, best)
            if same == trump and led != trump:
                rank += 13
            if friendly and beaten:
                score = 500 - 4 * rank
                if by_cards != 0:
                    score += 8 * s[WORTH + top]
            elif higher and stands(s, hand, played, top, led, side):
                score = 1000 - rank
            elif higher:
                score = 400 - 4 * rank
            else:
                score = 500 - 4 * rank
                if by_cards != 0:
                    score -= 8 * s[WORTH + top]
            if same != led:
                score += op.count_ones(mine)
        frame[3 * count] = group
        frame[3 * count + 1] = score
        frame[3 * count + 2] = top
        count += 1
    reasons = 0
    base_key: int = s[KEY]
    base_key2: int = s[KEY2]
    following = hand + 1
    if following == seats:
        following = 0
    for done in range(count):
        # The best of the rest comes first.
        chosen = done
        for i in range(done + 1, count):
            if frame[3 * i + 1] > frame[3 * chosen + 1]:
                chosen = i
        group = frame[3 * chosen]
        card = frame[3 * chosen + 2]
        if chosen != done:
            frame[3 * chosen] = frame[3 * done]
            frame[3 * chosen + 1] = frame[3 * done + 1]
            frame[3 * chosen + 2] = frame[3 * done + 2]
        c: int = s[CLASS_OF + card]
        same = s[CLASS_MASK + c]
        in_led = same if played == 0 else led
        now_best = best
        now_winner = winner
        if beats(trump, same, led, played, card, best):
            now_best = card
            now_winner = hand
        s[HAND + hand] = own ^ 1 << card
        s[KEY] = op.wrap(base_key - s[SHAPE + HANDS_MOST * c + hand])
        if by_cards != 0:
            s[KEY] = base_key ^ s[PLACE + 64 * hand + card]
            s[KEY2] = base_key2 ^ op.rotate_left(s[PLACE + 64 * hand + card], 29)
        worth = gained + s[WORTH + card]
        if played + 1 == seats:
            worth += ended_worth(s, hand)
            taken = worth if s[SIDE + now_winner] == 1 else 0
            won = wins_at_least(s, now_winner, left - worth, need - taken, depth + 1)
            if by_cards == 0:
                winning = s[CLASS_MASK + s[CLASS_OF + now_best]]
                # Did it win by rank? The cards of its class that lie here are no more in hand.
                here = everything & winning & ~(1 << now_best)
                for other in range(seats):
                    here &= ~s[HAND + other]
                if here != 0:
                    s[REL] = s[REL] | 1 << now_best
        else:
            won = play(
                s, following, played + 1, in_led, now_best, now_winner, everything, worth, left,
                need, depth + 1,
            )  # fmt: skip
        s[HAND + hand] = own
        if s[NODES] > s[STOP]:
            break
        if won == ours:
            s[KEY] = base_key
            s[KEY2] = base_key2
            s[GOOD] = 1 << card if played == 0 else 0
            return won
        why: int = s[REL]
        if why & group != 0:
            why |= group
        reasons |= why
    s[KEY] = base_key
    s[KEY2] = base_key2
    s[REL] = reasons
    s[GOOD] = 0
    return not ours


@kernel
def root_at_least(s: Pointer, hand: int, left: int, need: int) -> bool:
    """Return whether the first side still wins so much where a hand is to play."""
    if s[PLAYED] == 0:
        return wins_at_least(s, hand, left, need, 0)
    return play(
        s, hand, s[PLAYED], s[LED], s[BEST], s[WINNER], s[BEGAN], s[LYING], left, need, 0
    )  # fmt: skip


@kernel(exported=True)
def cw_tricks(s: Pointer, hand: int, left: int, low: int, high: int, guess: int) -> int:
    """Return what the first side wins, known to be from `low` to `high`; -1 if it gave up."""
    while low < high:
        need = guess
        if need <= low:
            need = low + 1
        if need > high:
            need = high
        if root_at_least(s, hand, left, need):
            low = need
        else:
            high = need - 1
        if s[NODES] > s[STOP]:
            return -1
        guess = low + 1
        if s[BY_CARDS] != 0:
            guess = (low + high + 1) // 2
    return low


# Every hand for itself ----------------------------------------------------------------------------

PACKED_MOST = (1 << 15) - 1


@kernel
def better(s: Pointer, hand: int, best: Pointer) -> bool:
    """Return whether what is in FOUND is better for a hand than another result.

    That is more for itself, or else less for the next hand, and so on.
    """
    seats = s[SEATS]
    own = s[FOUND + hand]
    if own != best[hand]:
        return own > best[hand]
    other = hand
    for _ in range(seats - 1):
        other += 1
        if other == seats:
            other = 0
        theirs = s[FOUND + other]
        if theirs != best[other]:
            return theirs < best[other]
    return False


@kernel
def share(s: Pointer, leader: int, left: int, taker: int, depth: int) -> None:
    """Leave in FOUND what all hands still get where a trick begins.

    `left` is what all tricks to come are worth, without a sign; `taker` who has taken what has a
    worth so far: 0 for nobody, 1 more than the number of the only hand, or SEATS + 1 for several.
    """
    seats = s[SEATS]
    if left == 0 or s[HAND + leader] == 0:
        for hand in range(seats):
            s[FOUND + hand] = s[SHOT + HANDS_MOST * taker + hand]
        return
    s[NODES] = s[NODES] + 1
    if s[NODES] > s[STOP]:
        return
    key = s[KEY] ^ s[LEADER + leader] ^ s[TAKER + taker]
    low = s[KEY2]
    head = s[HEADS_AT] + (op.shift_right(op.wrap(key * 0x2545F4914F6CDD1D), 20) & s[HEADS])
    at: int = s[head]
    while at != 0:
        entry = s + (s[ENTRIES_AT] + FOUND_WORDS * (at - 1))
        if entry[ENTRY_KEY] == key and entry[ENTRY_LOW] == low:
            for hand in range(seats):
                s[FOUND + hand] = op.load_signed(op.offset(entry + ENTRY_HIGH, 2 * hand), 2)
            return
        at = entry[ENTRY_NEXT]
    everything = 0
    for hand in range(seats):
        everything |= s[HAND + hand]
    turn(s, leader, 0, 0, 0, leader, everything, 0, left, taker, depth)
    if s[NODES] <= s[STOP]:
        entry = new_entry(s, head)
        entry[ENTRY_KEY] = key
        entry[ENTRY_LOW] = low
        for hand in range(seats):
            op.store(op.offset(entry + ENTRY_HIGH, 2 * hand), s[FOUND + hand], 2)


@kernel
def turn(
    s: Pointer, hand: int, played: int, led: int, best: int, winner: int, everything: int,
    gained: int, left: int, taker: int, depth: int,
) -> None:  # fmt: skip
    """Leave in FOUND what all hands still get where a hand is to play to a trick; see `play`."""
    seats = s[SEATS]
    trump = s[TRUMP]
    own = s[HAND + hand]
    frame = s + (s[FRAMES_AT] + FRAME * depth)
    base_key: int = s[KEY]
    base_key2: int = s[KEY2]
    following = hand + 1
    if following == seats:
        following = 0
    first = True
    rest = legal_cards(s, own, played, led, everything)
    while rest != 0:
        card = op.highest_one(rest)
        bit = 1 << card
        rest ^= bit
        c: int = s[CLASS_OF + card]
        same = s[CLASS_MASK + c]
        lower = everything & same & (bit - 1)
        while lower != 0:
            beside = op.highest_one(lower)
            if op.shift_right(own, beside) & 1 == 0 or s[WORTH + beside] != s[WORTH + card]:
                break
            rest &= ~(1 << beside)
            lower ^= 1 << beside
        now_best = best
        now_winner = winner
        if beats(trump, same, led, played, card, best):
            now_best = card
            now_winner = hand
        s[HAND + hand] = own ^ bit
        s[KEY] = base_key ^ s[PLACE + 64 * hand + card]
        s[KEY2] = base_key2 ^ op.rotate_left(s[PLACE + 64 * hand + card], 29)
        worth = gained + s[WORTH + card]
        if played + 1 == seats:
            worth += ended_worth(s, hand)
            now_taker = taker
            if s[SHOTS] != 0 and worth != 0 and taker != now_winner + 1:
                now_taker = now_winner + 1 if taker == 0 else seats + 1
            share(s, now_winner, left - worth, now_taker, depth + 1)
            s[FOUND + now_winner] = s[FOUND + now_winner] + worth
        else:
            turn(
                s, following, played + 1, same if played == 0 else led, now_best, now_winner,
                everything, worth, left, taker, depth + 1,
            )  # fmt: skip
        s[HAND + hand] = own
        if s[NODES] > s[STOP]:
            return
        if first or better(s, hand, frame):
            first = False
            for other in range(seats):
                frame[other] = s[FOUND + other]
    for other in range(seats):
        s[FOUND + other] = frame[other]
    s[KEY] = base_key
    s[KEY2] = base_key2


@kernel(exported=True)
def cw_shares(s: Pointer, hand: int, left: int, taker: int) -> int:
    """Leave in FOUND what all hands get where a hand is to play; return -1 if it gave up.

    Each hand wants the most for itself, and of results that are as good the worse one for the next
    hand, and so on. All results are worth no more than PACKED_MOST.
    """
    if s[PLAYED] == 0:
        share(s, hand, left, taker, 0)
    else:
        turn(
            s, hand, s[PLAYED], s[LED], s[BEST], s[WINNER], s[BEGAN], s[LYING], left, taker, 0
        )  # fmt: skip
    return -1 if s[NODES] > s[STOP] else 0
