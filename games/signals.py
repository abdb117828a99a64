"""What upper apps may listen to. Sent after commit, at least never before it; may be lost."""

from django.dispatch import Signal

match_ended = Signal()
"""Sent with `match_id` once a match is over."""
