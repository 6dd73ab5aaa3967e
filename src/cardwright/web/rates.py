"""Rates: how often somebody may ask, by a bucket of tokens for each address."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_REMEMBERED = 20_000


@dataclass
class _Bucket:
    level: float
    at: float


class RateLimit:
    """Allows `burst` of something at once to each address, and `each_second` from then on.

    Addresses that have been quiet for longest are forgotten first, when there are very many.
    """

    def __init__(
        self, each_second: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = each_second
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> float:
        """Take from an address's bucket; return 0, or in how many seconds it has enough again."""
        now, key = self._clock(), network_of(address)
        bucket = self._buckets.setdefault(key, _Bucket(self._burst, now))
        self._buckets.move_to_end(key)
        if len(self._buckets) > _REMEMBERED:
            self._buckets.popitem(last=False)
        bucket.level = min(self._burst, bucket.level + (now - bucket.at) * self._rate)
        bucket.at = now
        if bucket.level < cost:
            return (cost - bucket.level) / self._rate
        bucket.level -= cost
        return 0.0


def network_of(address: str) -> str:
    """Return whom an address belongs to: of IPv6 one household or server has a whole /64."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
