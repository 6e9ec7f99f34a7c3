"""Backups: everything the bot keeps, in one folder, written whole or not at all."""

from bot.cli.backup.making import Made, back_up
from bot.cli.backup.places import BackupPlaces
from bot.cli.backup.restoring import restore

__all__ = ["BackupPlaces", "Made", "back_up", "restore"]
