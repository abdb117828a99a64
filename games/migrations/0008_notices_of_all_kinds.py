"""One kind of row for all that somebody is to be told of; what is still due is taken over."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def take_over(apps, schema_editor):
    """Copy what no mail went out for yet; what was told stays told, since it is not copied."""
    Notice = apps.get_model("games", "Notice")
    due = {"sent_at__isnull": True, "is_dropped": False}
    for old in apps.get_model("games", "TurnNotice").objects.filter(**due):
        Notice.objects.create(
            user_id=old.user_id,
            kind="turn",
            key=f"turn:{old.game_id}:{old.version}",
            game_id=old.game_id,
            version=old.version,
            created_at=old.due_at,
            due_at=old.due_at,
        )
    challenges = apps.get_model("games", "ChallengeNotice").objects.filter(**due)
    for old in challenges.select_related("offer"):
        Notice.objects.create(
            user_id=old.offer.addressee_id,
            kind="challenge",
            key=f"challenge:{old.offer_id}",
            offer_id=old.offer_id,
            created_at=old.due_at,
            due_at=old.due_at,
        )
    if schema_editor.connection.vendor == "postgresql":
        # Its tables cannot be changed while references to be checked are put off.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_notice_channels'),
        ('games', '0007_forced_actions'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('key', models.CharField(max_length=60)),
                ('version', models.PositiveIntegerField(blank=True, null=True)),
                ('hours', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('created_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('settled_at', models.DateTimeField(blank=True, null=True)),
                ('is_dropped', models.BooleanField(default=False)),
                ('game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='games.game')),
                ('offer', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='games.offer')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channel', models.CharField(choices=[('mail', 'mail'), ('push', 'push'), ('webhook', 'webhook')], max_length=8)),
                ('due_at', models.DateTimeField()),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('n_tries', models.PositiveSmallIntegerField(default=0)),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('result', models.CharField(blank=True, choices=[('sent', 'sent'), ('void', 'no longer true'), ('failed', 'given up')], max_length=6)),
                ('device', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.pushdevice')),
                ('notice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='games.notice')),
            ],
            options={
                'verbose_name_plural': 'deliveries',
            },
        ),
        migrations.RunPython(take_over, migrations.RunPython.noop),
        migrations.DeleteModel(
            name='ChallengeNotice',
        ),
        migrations.DeleteModel(
            name='TurnNotice',
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('settled_at__isnull', True)), fields=['due_at'], name='notice_due'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('user', 'key'), name='notice_once'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('done_at__isnull', True)), fields=['channel', 'due_at'], name='delivery_due'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(condition=models.Q(('device__isnull', True)), fields=('notice', 'channel'), name='delivery_once'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(fields=('notice', 'device'), name='delivery_once_a_device'),
        ),
    ]
