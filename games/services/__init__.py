"""The only writers: plain synchronous functions, each one transaction, told to the world after it.

Locks are taken in one order: a game, its match, an offer.
"""
