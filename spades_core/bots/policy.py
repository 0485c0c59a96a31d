"""A quick and decent card for any seat: what rollouts play, and what `hard` plays when nothing better is known.

It sees its own hand and the public position only. Everything is spelled out on
bits: a search asks for some million cards a second, so each line counts.
`held[suit] * 2 > out[suit]` says that a hand has the highest card of a suit
that is still out.
"""

from spades_core.bots.position import F, COVER, DUCK, NIL, TAKE, TOP, Position, legal


def choice(position: Position, held: list[int], seat: int) -> tuple[int, int]:
    """Suit and bit of the card to play."""
    if position.left == 13 and (position.clubs_first or position.spared_first):
        held = legal(position, held)
    if position.begun:
        suit = held[position.led]
        if not suit:
            return _off_suit(position, held, seat)
        if suit & (suit - 1):
            return position.led, _follow(position, suit, seat)
        return position.led, suit
    if held[3] and position.barred and (held[0] or held[1] or held[2]):
        held = [held[0], held[1], held[2], 0]
    return _LEADS[position.mode[seat]](position, held, seat)


def _follow(position: Position, suit: int, seat: int) -> int:
    """Of two or more cards of the suit led."""
    best, mode = position.best, position.mode[seat]
    over = 0 if position.ruffed else suit & -(best + best)
    if mode == TAKE or (mode == COVER and position.winner != seat ^ 2 and position.begun != 1):
        return _take(position, suit, over, seat)
    if mode==COVER and position.begun==1 and F.get('cv',0):
        led=position.led
        if position.void[seat^2]>>led&1: return _take(position,suit,over,seat)
        if F['cv']>1 and (position.out[led]&position.best-1).bit_count()>F.get('cvn',6): return suit&-suit if F['cv']==2 else _take(position,suit,over,seat)
    if mode == COVER:  # the partner's nil is winning now, or plays after this card
        if not over:
            return suit & -suit
        return over & -over if position.begun == 3 else TOP[over]
    if suit != over:
        return TOP[suit ^ over]
    return TOP[suit] if position.begun == 3 else suit & -suit


def _take(position: Position, suit: int, over: int, seat: int) -> int:
    """To win the trick if that makes sense: second hand low, third high, fourth the cheapest."""
    low = suit & -suit
    if not over:
        return low
    begun, winner = position.begun, position.winner
    prey = position.prey[seat & 1]
    if prey:
        if prey >> winner & 1 and suit != over:
            return TOP[suit ^ over]
        if begun != 3 and prey >> (seat + 1 & 3) & 1 and F.get('lowb',1):
            return low
        if F.get('dumphigh',0) and begun==3 : return TOP[suit]
    if winner == seat ^ 2:
        if begun == 3:
            return low
        top = TOP[over]
        return top if position.out[position.led] & ~suit & top - 1 & -position.best else low
    if begun == 3:
        return over & -over
    if begun == 2 or (suit + suit > position.out[position.led] and position.led != 3):
        return TOP[over]
    return low


def _off_suit(position: Position, held: list[int], seat: int) -> tuple[int, int]:
    mode, spades, best = position.mode[seat], held[3], position.best
    if not spades or position.led == 3:
        return _discard(position, held, mode, position.prey[seat & 1])
    over = spades & -(best + best) if position.ruffed else spades
    partner_ahead = position.winner == seat ^ 2
    if mode == TAKE or mode == COVER:
        if partner_ahead:
            wanted = mode == COVER or (
                position.begun == 2 and not position.ruffed and position.out[position.led] > position.best
            )
        else:
            wanted = mode == TAKE or position.need[seat & 1] > 0
        if over and wanted and not position.prey[seat & 1] >> position.winner & 1:
            return 3, over & -over
    elif spades != over:
        return 3, TOP[spades ^ over]
    return _discard(position, held, mode, position.prey[seat & 1])


def _discard(position: Position, held: list[int], mode: int, prey:int) -> tuple[int, int]:
    """Nothing that could win: low when tricks are wanted, high when not; a spade only if there is nothing else."""
    clubs, diamonds, hearts = held[0], held[1], held[2]
    if mode == NIL and F.get('ndisc',1) and (clubs or diamonds or hearts):
        return _nil_discard(position, held)
    if (mode == TAKE or mode == COVER) and not (prey and F.get('pdisc',1)):
        if not (clubs or diamonds or hearts):
            return 3, held[3] & -held[3]
        suit, low = 0, (clubs & -clubs) or 1 << 20
        other = diamonds & -diamonds
        if 0 < other < low:
            suit, low = 1, other
        other = hearts & -hearts
        return (2, other) if 0 < other < low else (suit, low)
    if not (clubs or diamonds or hearts):
        return 3, held[3] & -held[3]
    if clubs >= diamonds:
        return (0, TOP[clubs]) if clubs >= hearts else (2, TOP[hearts])
    return (1, TOP[diamonds]) if diamonds >= hearts else (2, TOP[hearts])


def _nil_discard(position,held):
    out=position.out
    best=-99; suit=card=0
    for each in (0,1,2):
        mine=held[each]
        if mine:
            top=TOP[mine]
            others=out[each]^mine
            danger=(others & top-1).bit_count()*F.get('nda',1)-F.get('ndb',.8)*(mine.bit_count()-1) + F.get('ndc',0)*(others>0)
            if danger>best: best,suit,card=danger,each,top
    return suit,card


def _lead_to_take(position: Position, held: list[int], seat: int) -> tuple[int, int]:
    out, void = position.out, position.void
    prey=position.prey[seat & 1]
    if prey and F.get('prey',1):
        return _lead_at_nil(position, held, seat, prey)
    foes = void[seat + 1 & 3] | void[seat + 3 & 3]
    friend = void[seat ^ 2]
    best, suit, card = -99.0, 3, 0
    spades = held[3]
    theirs = out[3] ^ spades
    for each in (0, 1, 2):
        mine = held[each]
        if mine:
            others = out[each] ^ mine
            unseen = others.bit_count()
            length = mine.bit_count()
            ruffed = foes >> each & 1 and theirs
            top = TOP[mine]
            if mine > others and not ruffed:
                worth = F.get('cash',30) + unseen - (F.get('thin',0) if unseen < F.get('thinn',4) and theirs else 0)
                pick = top
            else:
                pick = mine & -mine
                worth = - length*F.get('len',1) if spades else length*F.get('len2',0)
                above = (others & -top).bit_count()
                if above == 1 and length > 1 and not ruffed:
                    worth -= F.get('king',0)
                elif above == 2 and length > 1:
                    worth -= F.get('queen',0)
                if friend >> each & 1 and theirs:
                    worth += F.get('friend',10)
                if ruffed: worth -= F.get('ruffed',0)
            if worth > best: best,suit,card=worth,each,pick
    if spades:
        n=spades.bit_count()
        if spades > theirs and theirs:
            worth = F.get('spb',-1.5) + F.get('spn',0)*(n-3)
            if n<=2 and best>-99: worth-=F.get('spshort',10)
            if worth>best: best,suit,card=worth,3,TOP[spades]
        elif theirs:
            worth=F.get('spl',-9) + F.get('spln',0)*(n-4)
            if worth>best: best,suit,card=worth,3,spades&-spades
        elif best < -50: suit,card=3,TOP[spades]
    return suit, card


def _lead_at_nil(position,held,seat,prey):
    out,void = position.out,position.void
    target = seat+1&3 if prey>>(seat+1&3)&1 else seat+3&3
    cover = target^2
    least, suit, card = 99.0, 3, 0
    for each in (0, 1, 2, 3):
        mine = held[each]
        if mine:
            low = mine & -mine
            others = out[each] ^ mine
            below = (others & low - 1).bit_count()*F.get('pa',1) + (F.get('psp',2) if each == 3 else 0)
            if void[target]>>each&1 or not others: below+=F.get('pv',20)
            if void[cover]>>each&1: below+=F.get('pc',0)
            below -= F.get('pn',0)*others.bit_count()
            if below < least:
                least, suit, card = below, each, low
    return suit, card


def _lead_low(position: Position, held: list[int], seat: int) -> tuple[int, int]:
    """The card least likely to win: the fewest lower ones out, if there are higher ones."""
    out = position.out
    least, suit, card = 99, 3, 0
    for each in (0, 1, 2, 3):
        mine = held[each]
        if mine:
            low = mine & -mine
            others = out[each] ^ mine
            below = (others & low - 1).bit_count() + (2 if each == 3 else 0)
            if others < low:
                below += 20
            if below < least:
                least, suit, card = below, each, low
    return suit, card


def _lead_over_nil(position: Position, held: list[int], seat: int) -> tuple[int, int]:
    """The partner's nil is alive: the card with the fewest higher ones out."""
    out = position.out
    least, suit, card = 99, 3, 0
    for each in (0, 1, 2, 3):
        mine = held[each]
        if mine:
            top = TOP[mine]
            above = ((out[each] ^ mine) & -top).bit_count() * 2 + F.get('cl3',1)*(each == 3)+F.get('cln',0)*mine.bit_count()
            if position.void[seat^2]>>each&1: above+=F.get('clv',0)
            if above < least:
                least, suit, card = above, each, top
    return suit, card


_LEADS = {TAKE: _lead_to_take, DUCK: _lead_low, NIL: _lead_low, COVER: _lead_over_nil}
