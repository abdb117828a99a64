"""Banks of time; running games get what their pace gave to every turn so far."""

import datetime

from django.db import migrations, models


def fill(apps, schema_editor):
    games = apps.get_model("games", "Game").objects.filter(status=20)
    for days in (1, 2, 3, 5, 7, 14):
        matches = apps.get_model("games", "Match").objects.filter(pace_slug=f"per-turn-{days}")
        bank = datetime.timedelta(days=days)
        games.filter(match__in=matches.values("pk")).update(bank_0=bank, bank_1=bank)


class Migration(migrations.Migration):
    dependencies = [("games", "0005_challenge_notices")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="bank_0",
            field=models.DurationField(default=datetime.timedelta(0)),
        ),
        migrations.AddField(
            model_name="game",
            name="bank_1",
            field=models.DurationField(default=datetime.timedelta(0)),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
