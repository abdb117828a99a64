"""What every ASGI server runs: pages over HTTP, news over WebSocket."""

from __future__ import annotations

import os

from django.conf import settings
from django.core.asgi import get_asgi_application

from config.folder import hold_data_folder

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
if settings.IS_EMBEDDED:
    hold_data_folder()
_pages = get_asgi_application()

# Below are imports that need Django's apps, which the line above has loaded.
from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import (  # noqa: E402
    AllowedHostsOriginValidator,
    WebsocketDenier,
)
from django.urls import re_path  # noqa: E402

from config.pulse import start_pulse  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402

if not settings.IS_EMBEDDED:
    # Whatever server runs this; `serve` starts the pulse of the embedded site itself.
    start_pulse()

# An address that is no socket of ours is denied; without the last route it would be an error.
_sockets = URLRouter([*websocket_urlpatterns, re_path("", WebsocketDenier.as_asgi())])

application = ProtocolTypeRouter(
    {
        "http": _pages,
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(_sockets)),
    }
)
