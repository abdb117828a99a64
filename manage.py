#!/usr/bin/env python
"""Django's command line for Marchstone."""

import os
import sys


def main() -> None:
    """Run one command; settings that are wrong end in one sentence, not in a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as fault:
        sys.exit(f"Marchstone cannot start: {fault}")
    except KeyboardInterrupt:
        # Ctrl-C while something is still being made ready: the next start goes on from there.
        sys.exit(130)


if __name__ == "__main__":
    main()
