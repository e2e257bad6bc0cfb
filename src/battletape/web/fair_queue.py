"""The fair queue: whose job is done next. This is the one place that decides it.

It is start-time fair queuing (Goyal, Vin and Cheng, 1996). Every sender has a queue of its own, and a line of virtual
time along which the work done for it is written down: a job starts where the sender's last one finished, or at the
present of the whole queue if the sender has fallen behind that. The job that starts earliest is done next, and the
present moves on to its start. So senders that always have jobs waiting get equal work (or work by their weights),
one that asks seldom is next, and none is charged for work done while no other wanted any. What a job costs is
guessed when it begins and put right when it is done.

Two things are added:

- **Ageing.** Pure fairness lets a sender that owes work wait for as long as new senders come, which owe none. So
  a second of waiting at the head of one's own queue counts as `AGEING` seconds of work not done, and none can owe
  more than `DEBT` seconds. A job is overtaken only by those that came to the head of their queues at
  most `DEBT / AGEING` seconds after it: none starves.
- **Two levels.** Senders served before and senders that were not share the workers as two parties, by the same
  rule; within each party its senders do. However many new addresses a client asks from, they have half of the work at
  most while a sender waits that came before; without such others they have all of it.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from ipaddress import AddressValueError, IPv6Address
from typing import Generic, TypeVar

AGEING = 0.25
"""How many seconds of work a second of waiting makes up for; senders of long jobs gain that share by it at most."""
DEBT = 2.0
"""How many seconds of work a sender can be behind its fair share at most."""
USUAL = 0.05
"""What a job costs, in seconds, if nothing is known about it."""
OWING = 1_000
"""For about how many senders of each party it is remembered what they owe."""
KNOWN = 4_096
"""How many senders are remembered as having been served before: the last ones."""

T = TypeVar("T")
K = TypeVar("K")


class Line:
    """A line of virtual time: where the next job starts, where the work so far finishes, and since when it waits."""

    __slots__ = ("finish", "number", "since", "start", "waits", "weight")

    def __init__(self) -> None:
        self.start = self.finish = self.since = 0.0
        self.number, self.waits, self.weight = 0, False, 1.0


class Level(Generic[K]):
    """Start-time fair queuing among some, with ageing; each has at most one job at the head of its queue."""

    def __init__(self, ageing: float = AGEING, debt: float = DEBT) -> None:
        self.ageing, self.debt = ageing, debt
        self.present = 0.0
        self.lines: dict[K, Line] = {}
        self.number = 0

    def owed(self, key: K) -> float:
        """Return how far a client is ahead of the present."""
        return max(self.lines[key].finish - self.present, 0.0) if key in self.lines else 0.0

    def wait(self, key: K, now: float, weight: float = 1.0, owed: float = 0.0) -> None:
        """Make a job wait at the head of this queue; a new one may bring what it owes elsewhere."""
        if key not in self.lines:
            self._forget()
            self.lines[key] = Line()
            self.lines[key].finish = self.present + min(owed, self.debt)
        line = self.lines[key]
        line.start = line.finish = max(self.present, line.finish)
        line.since, line.weight, line.waits = now, weight, True
        self.number += 1
        line.number = self.number

    def leave(self, key: K) -> None:
        """Note that no job waits in this queue any more."""
        if key in self.lines:
            self.lines[key].waits = False

    def first(self, keys: Iterable[K]) -> K:
        """Return the next client among those that wait: the earliest start, less a bonus for waiting."""

        def turn(key: K) -> tuple[float, int]:
            line = self.lines[key]
            return line.start + self.ageing * line.since, line.number

        return min(keys, key=turn)

    def begin(self, key: K, cost: float) -> None:
        """Begin the job at the head of this queue, which probably costs this much."""
        line = self.lines[key]
        self.present = max(self.present, line.start)
        line.waits = False
        self.charge(key, cost)

    def charge(self, key: K, cost: float) -> None:
        """Write down work; a negative cost takes some back."""
        line = self.lines.get(key)
        if line is not None:
            line.finish = min(line.finish + cost / line.weight, self.present + self.debt)

    def rest(self) -> None:
        """Forget all debts once no job waits or runs."""
        self.lines.clear()

    def _forget(self) -> None:
        """Forget those that owe least, if there are too many."""
        if len(self.lines) >= OWING:
            finished = [key for key, line in self.lines.items() if not line.waits]
            for key in sorted(finished, key=self.owed)[: max(len(self.lines) - OWING // 2, 0)]:
                del self.lines[key]


class Place(Generic[T]):
    """A job in the queue: whose it is, what it probably costs, and to which party its sender belonged."""

    __slots__ = ("cost", "is_known", "job", "sender", "weight")

    def __init__(self, sender: str, job: T, cost: float, weight: float, is_known: bool) -> None:
        self.sender, self.job, self.cost, self.weight, self.is_known = sender, job, cost, weight, is_known


class FairQueue(Generic[T]):
    """Jobs that wait, in a queue for each sender; all times are given by the caller."""

    def __init__(self, ageing: float = AGEING, debt: float = DEBT) -> None:
        self.parties: Level[bool] = Level(0.0, debt)  # of two that always go on neither can starve
        self.senders: dict[bool, Level[str]] = {is_known: Level(ageing, debt) for is_known in (False, True)}
        self.waiting: dict[str, deque[Place[T]]] = {}
        self.known: OrderedDict[str, None] = OrderedDict()
        self.running = 0

    def __len__(self) -> int:
        return sum(map(len, self.waiting.values()))

    def __iter__(self) -> Iterator[Place[T]]:
        return (place for queue in self.waiting.values() for place in queue)

    def count(self, sender: str) -> int:
        """Return how many jobs of a sender wait."""
        return len(self.waiting.get(sender, ()))

    def put(self, sender: str, job: T, now: float, cost: float = USUAL, weight: float = 1.0) -> Place[T]:
        """Return a job comes; it waits behind what its sender asked before."""
        queue = self.waiting.get(sender)
        is_known = queue[0].is_known if queue else sender in self.known
        place = Place(sender, job, cost, weight, is_known)
        if queue:
            queue.append(place)
            return place
        self.waiting[sender] = deque([place])
        self._come(place, now)
        return place

    def take(self, now: float, may: Callable[[str], bool] = lambda sender: True) -> Place[T] | None:
        """Return the job to be done next, of those whose senders may have one done now."""
        ready: dict[bool, list[str]] = {}
        for sender, queue in self.waiting.items():
            if may(sender):
                ready.setdefault(queue[0].is_known, []).append(sender)
        if not ready:
            return None
        is_known = self.parties.first(ready)
        sender = self.senders[is_known].first(ready[is_known])
        place = self.waiting[sender].popleft()
        self.parties.begin(is_known, place.cost)
        self.senders[is_known].begin(sender, place.cost)
        self.running += 1
        self._next(place, now)
        return place

    def drop(self, place: Place[T], now: float) -> None:
        """Take out a job that is not wanted any more; nothing happens if it does not wait."""
        queue = self.waiting.get(place.sender)
        if queue is None or place not in queue:
            return
        is_head = queue[0] is place
        queue.remove(place)
        if is_head:
            self._next(place, now)
            if not any(other.is_known == place.is_known for other in self):
                self.parties.leave(place.is_known)
        self._rest()

    def done(self, place: Place[T], seconds: float) -> None:
        """End a job that was taken, and note its cost; nothing if it never began."""
        self.running -= 1
        more = seconds - place.cost
        self.parties.charge(place.is_known, more)
        self.senders[place.is_known].charge(place.sender, more)
        if seconds:
            self.known[place.sender] = None
            self.known.move_to_end(place.sender)
        if len(self.known) > KNOWN:
            self.known.popitem(last=False)
        self._rest()

    def _next(self, gone: Place[T], now: float) -> None:
        """Let the next job of a sender come to the head of its queue, and its party go on."""
        queue = self.waiting[gone.sender]
        level = self.senders[gone.is_known]
        if queue:
            level.wait(gone.sender, now, queue[0].weight)
        else:
            del self.waiting[gone.sender]
            level.leave(gone.sender)
        party = self.parties.lines[gone.is_known]
        if not party.waits and any(others[0].is_known == gone.is_known for others in self.waiting.values()):
            self.parties.wait(gone.is_known, now)

    def _come(self, place: Place[T], now: float) -> None:
        """Let a job come to the head of an empty queue."""
        owed = self.senders[not place.is_known].owed(place.sender)  # a sender that comes again brings what it owes
        self.senders[place.is_known].wait(place.sender, now, place.weight, owed)
        party = self.parties.lines.get(place.is_known)
        if party is None or not party.waits:
            self.parties.wait(place.is_known, now)

    def _rest(self) -> None:
        if not self.running and not self.waiting:
            self.parties.rest()
            for level in self.senders.values():
                level.rest()


def sender_of(address: str) -> str:
    """Return the household of an address; in IPv6 a household has a whole network of addresses, of which 64 bits count.

    >>> sender_of("2001:db8:1:2:3:4:5:6") == sender_of("2001:db8:1:2::99")
    True
    >>> sender_of("::ffff:192.0.2.1"), sender_of("192.0.2.1")
    ('192.0.2.1', '192.0.2.1')
    """
    try:
        found = IPv6Address(address)
    except AddressValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"
