"""Answers that are written while they are sent, so that their length costs no memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import islice
from typing import Final

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

LINES: Final = 100
"""So many lines are sent at once."""


def download(
    request: HttpRequest, lines: Iterator[str], content_type: str, name: str
) -> StreamingHttpResponse:
    """Answer with a file, line by line.

    A server of ASGI is given an asynchronous iterator: of any other Django would gather all
    before it sends the first line.
    """
    parts = _parts(lines)
    content = _awaited(parts) if isinstance(request, ASGIRequest) else parts
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(content, content_type=content_type, headers=headers)


def _parts(lines: Iterator[str]) -> Iterator[str]:
    while part := "".join(islice(lines, LINES)):
        yield part


async def _awaited(parts: Iterator[str]) -> AsyncIterator[str]:
    # The database is asked in the thread that the request has for it.
    read = sync_to_async(lambda: next(parts, ""))
    while part := await read():
        yield part
