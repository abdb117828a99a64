"""Environment variables: what is wrong stops the start with one sentence."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from py_vapid import Vapid02

from accounts import push
from config import environment
from config.management.commands import prepare
from tests.config.served import ROOT, manage, site_environment

REFUSALS = [
    (
        "DATABASE_URL",
        "mysql://localhost/x",
        "DATABASE_URL must be a URL that starts with postgres:// or postgresql://.",
    ),
    (
        "DATABASE_URL",
        "postgres",
        "DATABASE_URL must be a URL that starts with postgres:// or postgresql://.",
    ),
    (
        "DATABASE_URL",
        "postgres://me:secret@host:port/x",
        "DATABASE_URL must be a URL that starts with postgres:// or postgresql://.",
    ),
    (
        "REDIS_URL",
        "http://localhost",
        "REDIS_URL must be a URL that starts with redis:// or rediss://.",
    ),
    ("REDIS_URL", "redis://", "REDIS_URL must be a URL that starts with redis:// or rediss://."),
    (
        "EMAIL_URL",
        "mail.example.org",
        "EMAIL_URL must be a URL that starts with smtp:// or smtp+tls:// or smtp+ssl://.",
    ),
    (
        "SITE_URL",
        "marchstone.example",
        "SITE_URL must be a URL that starts with http:// or https://.",
    ),
    ("DEBUG", "maybe", "DEBUG must be true or false, not 'maybe'."),
    (
        "ALLOWED_HOSTS",
        "https://marchstone.example",
        "ALLOWED_HOSTS must be host names separated "
        "by commas, without scheme or port; 'https://marchstone.example' is none.",
    ),
    (
        "ALLOWED_HOSTS",
        "good.example, bad host",
        "ALLOWED_HOSTS must be host names separated by "
        "commas, without scheme or port; 'bad host' is none.",
    ),
    ("SECRET_KEY", "short", "SECRET_KEY must have at least 32 characters."),
    *(
        (
            "VAPID_PRIVATE_KEY",
            wrong,
            "VAPID_PRIVATE_KEY must be a private key of the curve P-256: 32 bytes in base64url, "
            "43 characters, as `manage.py vapid` prints one.",
        )
        for wrong in ("short", "A" * 43, "_" * 43, "é" * 43, "A" * 42 + "+", "QQ" * 44)
    ),
    (
        "LOG_LEVEL",
        "loud",
        "LOG_LEVEL must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL, not 'loud'.",
    ),
    ("TRUSTED_PROXIES", "-1", "TRUSTED_PROXIES must be a whole number from 0 to 9, not '-1'."),
    ("DATA_DIR", "/", "DATA_DIR must be a folder of its own."),
    (
        "DATA_DIR",
        "/proc/marchstone",
        "DATA_DIR must be a folder that can be written to, and /proc/marchstone is not: "
        "No such file or directory.",
    ),
    (
        "DATA_DIR",
        "/dev/null",
        "DATA_DIR must be a folder that can be written to, and /dev/null is not: File exists.",
    ),
    (
        "DATABASE_URL",
        "postgres://me:secret@host:5432/",
        "DATABASE_URL must name a database, for example postgres://user:password@host:5432/name.",
    ),
    (
        "REDIS_URL",
        "redis://h:6379/abc",
        "REDIS_URL must end in the number of a database, for example redis://host:6379/0.",
    ),
    *(
        (
            "SITE_URL",
            value,
            "SITE_URL must be scheme, host and perhaps port alone, "
            "for example https://marchstone.example.",
        )
        for value in (
            "http://x/ y",
            "https://x.example/cards",
            "https://x.example?a",
            "https://a@x.example",
            "https://*",
        )
    ),
]


@pytest.mark.parametrize(("name", "value", "sentence"), REFUSALS)
def test_wrong_variable_is_refused_with_one_sentence(
    tmp_path: Path, name: str, value: str, sentence: str
) -> None:
    refused = manage(tmp_path, "check", **{name: value})
    assert refused.returncode == 1
    assert refused.stderr == f"Marchstone cannot start: {sentence}\n"


def test_passwords_are_not_repeated(tmp_path: Path) -> None:
    for name in ("DATABASE_URL", "REDIS_URL", "EMAIL_URL"):
        refused = manage(tmp_path, "check", **{name: "ftp://me:hunter2@host/"})
        assert refused.returncode == 1
        assert "hunter2" not in refused.stdout + refused.stderr


@pytest.mark.parametrize("value", ["0", "201", "1.5", "ten", "9" * 20, "１０"])
def test_pool_size_must_be_a_whole_number(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DATABASE_POOL", value)
    with pytest.raises(ImproperlyConfigured, match="DATABASE_POOL must be a whole number"):
        environment.read_int("DATABASE_POOL", 10, 1, 200)


@pytest.mark.parametrize(
    ("text", "value"), [("", True), ("no", False), ("FALSE", False), (" 1 ", True), ("yes", True)]
)
def test_yes_and_no(monkeypatch: pytest.MonkeyPatch, text: str, value: bool) -> None:
    monkeypatch.setenv("SWITCH", text)
    assert environment.read_bool("SWITCH", default=True) is value


@pytest.mark.parametrize("host", ["marchstone.example", ".example.org", "[::1]", "127.0.0.1", "*"])
def test_hosts_that_are_fine(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", f" {host}, localhost,")
    assert environment.read_hosts("ALLOWED_HOSTS", ["x"]) == [host, "localhost"]


def test_secret_key_is_made_once_and_is_private(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    key = environment.read_secret_key(tmp_path / "var")
    assert len(key) >= 50
    assert environment.read_secret_key(tmp_path / "var") == key
    (file,) = (tmp_path / "var").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.django_db
def test_the_key_for_web_push_is_there_from_the_first_start_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any
) -> None:
    """`serve --prepare` read the settings before the file was made."""
    monkeypatch.delenv("VAPID_PRIVATE_KEY", raising=False)
    for name in ("hold_data_folder", "collect_static"):
        monkeypatch.setattr(prepare, name, lambda: None)
    settings.DATA_DIR, settings.IS_EMBEDDED, settings.VAPID_PRIVATE_KEY = tmp_path, True, ""
    assert not push.is_on()
    call_command("prepare")
    assert push.is_on()
    kept = environment.read_vapid_key("VAPID_PRIVATE_KEY", tmp_path)
    assert kept == settings.VAPID_PRIVATE_KEY


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff" * 64])
def test_a_broken_secret_key_is_refused_with_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "secret_key"
    path.write_bytes(content)
    refused = manage(tmp_path, "check", SECRET_KEY="")
    assert refused.returncode == 1
    assert refused.stderr == (
        f"Marchstone cannot start: {path} must be a readable file with at least 32 characters. "
        "Without that file a new key is made, and everybody is logged out.\n"
    )


def test_the_key_for_web_push_is_made_by_prepare_and_is_private(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("VAPID_PRIVATE_KEY", raising=False)
    read = environment.read_vapid_key
    assert read("VAPID_PRIVATE_KEY", tmp_path) == ""
    environment.vapid_key_keep(tmp_path)
    key = read("VAPID_PRIVATE_KEY", tmp_path)
    assert len(key) == 43
    environment.vapid_key_keep(tmp_path)
    assert read("VAPID_PRIVATE_KEY", tmp_path) == key
    assert stat.S_IMODE((tmp_path / "vapid_key").stat().st_mode) == 0o600
    assert read("VAPID_PRIVATE_KEY", None) == "", "the distributed site takes it from outside"
    monkeypatch.setenv("VAPID_PRIVATE_KEY", other := environment.vapid_key_new())
    assert read("VAPID_PRIVATE_KEY", tmp_path) == other


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff" * 64])
def test_a_broken_key_for_web_push_is_refused_with_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes
) -> None:
    monkeypatch.delenv("VAPID_PRIVATE_KEY", raising=False)
    (tmp_path / "vapid_key").write_bytes(content)
    with pytest.raises(ImproperlyConfigured, match="must be a readable file with a private key"):
        environment.read_vapid_key("VAPID_PRIVATE_KEY", tmp_path)


def test_a_key_that_is_printed_can_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("vapid")
    key = capsys.readouterr().out.strip()
    assert Vapid02.from_raw(key.encode()).public_key


@pytest.mark.parametrize("fault", [errno.EROFS, errno.ENOSPC, errno.EACCES])
def test_a_folder_that_takes_nothing_is_refused_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: int
) -> None:
    def refuse(**_: object) -> None:
        raise OSError(fault, os.strerror(fault))

    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.setattr(environment.tempfile, "TemporaryFile", refuse)
    with pytest.raises(ImproperlyConfigured, match=f"{tmp_path} is not: {os.strerror(fault)}"):
        environment.read_folder("DATA_DIR", tmp_path, is_written_to=True)


def test_processes_that_start_together_agree_on_the_key(tmp_path: Path) -> None:
    surroundings = site_environment(tmp_path)
    del surroundings["SECRET_KEY"]
    command = "from config.settings import SECRET_KEY; print(SECRET_KEY)"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", command], cwd=ROOT, env=surroundings, stdout=subprocess.PIPE
        )
        for _ in range(4)
    ]
    assert len({process.communicate()[0] for process in processes}) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]
