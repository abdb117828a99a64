"""The rules: all titles on one page, each ruleset on its own, and how matches go."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.boards import BOARDS
from games.endings import ending_rows
from games.engine.registry import get_title


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    """List the titles with their rulesets."""
    titles = [{"meta": get_title(slug).meta, "text": board.text} for slug, board in BOARDS.items()]
    return render(request, "games/rules/index.html", {"titles": titles})


@require_safe
def rules(request: HttpRequest, slug: str, ruleset_slug: str = "") -> HttpResponse:
    """Show the rules of a ruleset; of a title's first where none is named."""
    board = BOARDS.get(slug)
    if board is None:
        raise Http404
    meta = get_title(slug).meta
    rulesets = {ruleset.slug: ruleset for ruleset in meta.rulesets}
    ruleset = rulesets.get(ruleset_slug or meta.rulesets[0].slug)
    if ruleset is None:
        raise Http404
    context = {"meta": meta, "board": board, "ruleset": ruleset, "page": board.rules(ruleset)}
    return render(request, board.rules_template, context)


@require_safe
def matches_help(request: HttpRequest) -> HttpResponse:
    """Say how matches begin and end, and what each ending means."""
    return render(request, "games/rules/matches.html", {"endings": ending_rows()})
