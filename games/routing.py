"""Addresses of sockets."""

from django.urls import path

from games.consumers import CounterConsumer, GameConsumer, LobbyConsumer, PlayerConsumer

websocket_urlpatterns = [
    path("ws/games/<int:game_id>/", GameConsumer.as_asgi()),
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/counter/", CounterConsumer.as_asgi()),
    path("ws/player/", PlayerConsumer.as_asgi()),
]
