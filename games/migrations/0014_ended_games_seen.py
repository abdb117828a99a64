from django.db import migrations

BATCH = 1000


def fill(apps, schema_editor):
    """Count every game that is over as seen by its players: looks begin with this release."""
    Game, Desk = apps.get_model("games", "Game"), apps.get_model("games", "Desk")
    over = Game.objects.filter(finished_at__isnull=False).order_by("pk")
    rows = over.values_list(
        "pk", "version", "finished_at", "match__player_0_id", "match__player_1_id"
    )
    desks = []
    for game, version, at, *players in rows.iterator(BATCH):
        desks += [
            Desk(game_id=game, user_id=player, seen_version=version, seen_at=at, is_end_seen=True)
            for player in players
        ]
    Desk.objects.bulk_create(desks, batch_size=BATCH, ignore_conflicts=True)


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0013_desks"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
