"""All settings, from the environment; docs/operations.md lists the variables.

Without DATABASE_URL and REDIS_URL this is the embedded site: SQLite, and tasks, beat and
sockets in the one process of `manage.py serve`. With them it is the distributed one.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config.environment import (
    read_bool,
    read_choice,
    read_database_url,
    read_folder,
    read_hosts,
    read_int,
    read_redis_url,
    read_secret_key,
    read_site_url,
    read_text,
    read_url,
    read_vapid_key,
)

BASE_DIR = Path(__file__).resolve().parent.parent
_OUTSIDE = ("SECRET_KEY", "DATABASE_URL", "REDIS_URL")
DATA_DIR = read_folder(
    "DATA_DIR", BASE_DIR / "var", is_written_to=not all(map(read_text, _OUTSIDE))
)

DEBUG = read_bool("DEBUG", False)
SECRET_KEY = read_secret_key(DATA_DIR)
SITE_URL = read_site_url("SITE_URL", "http://127.0.0.1:8000")
_DATABASE_URL = read_database_url("DATABASE_URL")
REDIS_URL = read_redis_url("REDIS_URL")
IS_EMBEDDED = not REDIS_URL
IS_HTTPS = SITE_URL.startswith("https://")
# Web push is signed with it; without one the site offers none. `manage.py prepare` makes it.
VAPID_PRIVATE_KEY = read_vapid_key("VAPID_PRIVATE_KEY", DATA_DIR if IS_EMBEDDED else None)

ALLOWED_HOSTS = read_hosts("ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = [SITE_URL] if IS_HTTPS else []

INSTALLED_APPS = [
    "config.apps.ConfigConfig",
    "ladder.apps.LadderConfig",
    "games.apps.GamesConfig",
    "accounts.apps.AccountsConfig",
    "channels",
    "django_countries",
    "django_htmx",
    "allauth",
    "allauth.account",
    "csp",
    "whitenoise.runserver_nostatic",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "config.static.SiteStaticFilesConfig",
    "django.contrib.humanize",
    "django.forms",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.PreferencesMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.middleware.HtmxRedirectMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
CSRF_FAILURE_VIEW = "config.views.csrf_failure"
APPEND_SLASH = True
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.site",
            ],
        },
    },
]


def _postgres(url: str) -> dict[str, Any]:
    """Read DATABASE_URL. The pool is why CONN_MAX_AGE stays 0: under ASGI it would leak."""
    return {
        **environ.Env.db_url_config(url),
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            "pool": {
                "min_size": 1,
                "max_size": read_int("DATABASE_POOL", 10, 1, 200),
                "timeout": 10,
            }
        },
    }


def _sqlite() -> dict[str, Any]:
    """Give the embedded database. Deferred transactions would end in "database is locked"."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA_DIR / "marchstone.sqlite3",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;",
        },
    }


DATABASES = {"default": _postgres(_DATABASE_URL) if _DATABASE_URL else _sqlite()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

if IS_EMBEDDED:
    # Two of them: who is where must crowd no rate limit out.
    CACHES: dict[str, Any] = {
        name: {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": name,
            "OPTIONS": {"MAX_ENTRIES": 20_000},
        }
        for name in ("default", "presence")
    }
    CHANNEL_LAYERS: dict[str, Any] = {"default": {"BACKEND": "config.layers.LocalChannelLayer"}}
    CELERY_BROKER_URL = "memory://localhost/"
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"polling_interval": 0.02}
else:
    CACHES = {
        name: {
            "BACKEND": "config.cache.SoftRedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "" if name == "default" else name,
        }
        for name in ("default", "presence")
    }
    CHANNEL_LAYERS = {
        "default": {
            # Not the core layer, which loses frames when sockets drop. redis-py 8 would end an
            # idle subscription after five seconds: no socket time-out.
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {
                "hosts": [{"address": REDIS_URL, "socket_timeout": None}],
                # Redis publishes to subscribers of all its databases: another site may have one.
                "prefix": f"marchstone-{urlsplit(REDIS_URL).path.strip('/') or 0}",
            },
        }
    }
    CELERY_BROKER_URL = REDIS_URL
    # A turn answers success with Redis away: publishing a task tries once and gives up soon.
    # The time-out is more than the second for which a worker waits for a task.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0.1,
        "interval_max": 0.1,
        "socket_connect_timeout": 2,
        "socket_timeout": 5,
        "visibility_timeout": 3600,
    }
# Simulations alone: the clock is read from a row, so that all processes follow it.
SIMULATED_CLOCK = read_bool("SIMULATED_CLOCK", False)

# What waits for strangers' servers has a queue and workers of its own: it holds up nothing else.
# A worker without `--queues` takes from both. Each queue is bound under its own name.
CELERY_TASK_QUEUES = {
    name: {"exchange": name, "routing_key": name} for name in ("celery", "outbound")
}
CELERY_TASK_ROUTES = {
    name: {"queue": "outbound"}
    for name in ("games.pushes_sweep", "games.webhooks_sweep", "games.webhook_test")
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TIMEZONE = "UTC"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# The schedule is all here; the persistent scheduler would keep a file of it besides.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"


def _every(seconds: int, task: str) -> dict[str, Any]:
    """Run a task periodically; one that no worker took in its time is void, not piled up."""
    interval = timedelta(seconds=seconds)
    return {"task": task, "schedule": interval, "options": {"expires": 2 * seconds}}


CELERY_BEAT_SCHEDULE = {
    "deadlines": _every(10, "games.deadlines_sweep"),
    "notices": _every(30, "games.notices_sweep"),
    "pushes": _every(15, "games.pushes_sweep"),
    "webhooks": _every(15, "games.webhooks_sweep"),
    "old_notices": {"task": "games.notices_forget", "schedule": crontab(hour="4", minute="10")},
    "bots": _every(5, "games.bots_sweep"),
    "answers": _every(10, "games.answers_sweep"),
    "offers": _every(60, "games.offers_sweep"),
    "drawn": _every(3600, "games.drawn_sweep"),
    "ratings": _every(60, "ladder.ratings_sweep"),
    "pairings": _every(900, "ladder.pairing_sweep"),
    "seasons": _every(3600, "ladder.seasons_freeze"),
    "rebuild": {"task": "ladder.rebuild_check", "schedule": crontab(hour="3", minute="30")},
}

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    # It is a ModelBackend too; a second one would hash a wrong password twice.
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "accounts.passwords.SimilarityValidator"},
    {"NAME": "accounts.passwords.LengthValidator"},
    {"NAME": "accounts.passwords.CommonValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email", "username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = "name"
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# Behind a proxy the address that rate limits count is in X-Forwarded-For.
ALLAUTH_TRUSTED_PROXY_COUNT = read_int("TRUSTED_PROXIES", 0, 0, 9)
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignupForm",
    "login": "accounts.forms.LoginForm",
    "add_email": "accounts.forms.AddEmailForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
}
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
# As often as the page after registration promises (account/verification_sent.html).
ACCOUNT_RATE_LIMITS = {"confirm_email": "1/180s/key"}
ACCOUNT_REAUTHENTICATION_REQUIRED = True

# With https:// in SITE_URL, everything is https. A monitor beside the server may ask plainly.
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if IS_HTTPS else 0
# Other hosts of the domain, and lists built into browsers, are not this site's to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_SECURE = IS_HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

LANGUAGE_CODE = "en"
# A language stands here once its catalogue is complete.
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
FORMAT_MODULE_PATH = "config.formats"
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static.StaticFiles"},
}

# Without a mail server, mails are files: the page after registration says where.
_EMAIL_URL = read_url("EMAIL_URL", ("smtp", "smtp+tls", "smtp+ssl"))
MAIL_FOLDER = DATA_DIR / "mail"
if _EMAIL_URL:
    vars().update(environ.Env.email_url_config(_EMAIL_URL))
    EMAIL_TIMEOUT = 10
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = MAIL_FOLDER
DEFAULT_FROM_EMAIL = read_text("DEFAULT_FROM_EMAIL", "Marchstone <noreply@marchstone.example>")

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": read_choice("LOG_LEVEL", LOG_LEVELS, "WARNING")},
}
