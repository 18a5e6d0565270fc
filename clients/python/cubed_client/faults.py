"""Faults of functions that users give."""

import logging
from collections.abc import Callable

LOG = logging.getLogger("cubed_client")


def log_fault(listener: Callable[..., object]) -> None:
    """Logs the present error of a user's function; nothing else stops because of it."""
    LOG.exception("A function that was called with news failed: %r", listener)
