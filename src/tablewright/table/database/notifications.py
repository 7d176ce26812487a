"""Change notifications: callbacks in this process. ``postgres`` adds messages from other processes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TypeAlias

Hear: TypeAlias = Callable[[str, int], None]
"""Callback with the campaign id and its last line; runs in the thread that wrote the line or received the message."""

EVERYTHING = ""

_log = logging.getLogger(__name__)


class Subscription:
    """Subscription of one callback to a campaign, until ``close``."""

    def __init__(self, news: Notifier, campaign: str, hear: Hear) -> None:
        self._news = news
        self.campaign = campaign
        self.hear = hear

    def close(self) -> None:
        """End the subscription."""
        self._news.drop(self)


class Notifier:
    """All subscriptions of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: dict[str, list[Subscription]] = {}

    def subscribe(self, campaign: str, hear: Hear) -> Subscription:
        """Call a function on every change of a campaign; an empty name subscribes to all campaigns."""
        subscription = Subscription(self, campaign, hear)
        with self._lock:
            self._all.setdefault(campaign, []).append(subscription)
        return subscription

    def drop(self, subscription: Subscription) -> None:
        """Remove a subscription."""
        with self._lock:
            left = [one for one in self._all.get(subscription.campaign, ()) if one is not subscription]
            if left:
                self._all[subscription.campaign] = left
            else:
                self._all.pop(subscription.campaign, None)

    def tell(self, campaign: str, last: int) -> None:
        """Notify all subscribers of a campaign; log the exception of a failing subscriber and continue."""
        with self._lock:
            some = [*self._all.get(EVERYTHING, ()), *self._all.get(campaign, ())]
        for one in some:
            try:
                one.hear(campaign, last)
            except Exception:
                _log.exception("a subscriber failed")

    def tell_all(self) -> None:
        """Notify all subscribers after a lost connection."""
        with self._lock:
            known = [name for name in self._all if name != EVERYTHING]
        for name in known:
            self.tell(name, 0)
