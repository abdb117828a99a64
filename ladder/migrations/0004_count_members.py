"""Count the members of each ladder for the first time, as `ladder/counters.py` has it."""

from datetime import timedelta

from django.db import migrations
from django.utils import timezone

BUCKET = 5_000
BATCH = 2_000


def count(apps, schema_editor):
    """Fill the counters, and in each standing what they hold of it."""
    ladder_model = apps.get_model("ladder", "Ladder")
    standing_model = apps.get_model("ladder", "Standing")
    since = timezone.now() - timedelta(days=45)
    for ladder in ladder_model.objects.order_by("pk"):
        counts, rows = {}, []
        members = standing_model.objects.filter(ladder=ladder, left_at__isnull=True)
        for row in members.order_by("pk"):
            row.counted, row.is_active = row.rating // BUCKET, row.active_at > since
            pair = counts.setdefault(str(row.counted), [0, 0])
            pair[0] += 1
            pair[1] += row.is_active
            rows.append(row)
        standing_model.objects.bulk_update(rows, ["counted", "is_active"], batch_size=BATCH)
        ladder.counts = counts
        ladder.save(update_fields=["counts"])


class Migration(migrations.Migration):
    """A fill of its own, after the columns."""

    dependencies = [
        ("ladder", "0003_ladder_counters"),
    ]

    operations = [
        migrations.RunPython(count, migrations.RunPython.noop, elidable=True),
    ]
