"""What comes in: people's messages, and the spool for events that cannot be stored yet."""

from bot.inbound.messages import (
    Inbound,
    NewTurn,
    clean,
    is_retraction,
    is_stop,
    question_of,
    read_message,
    read_press,
    read_submission,
    retraction,
    revised,
    said_at,
    said_in,
)
from bot.inbound.shapes import is_for, is_sound, moment
from bot.inbound.spool import Spool, key_of, spool_for

__all__ = [
    "Inbound",
    "NewTurn",
    "Spool",
    "clean",
    "is_for",
    "is_retraction",
    "is_sound",
    "is_stop",
    "key_of",
    "moment",
    "question_of",
    "read_message",
    "read_press",
    "read_submission",
    "retraction",
    "revised",
    "said_at",
    "said_in",
    "spool_for",
]
