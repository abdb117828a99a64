"""Prepared answers: what of a turn everybody could see, and the turn that answers it.

Pure, like the engine: no rows, no clock. A condition is asked of public events alone.
"""
