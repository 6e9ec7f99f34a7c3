"""What people taught: accepted answers, rules from corrections, and preferences."""

from ai.memory.learned.preferences import Preference, PreferenceKind, Preferences
from ai.memory.learned.rulebook import LearnedRule, Rulebook
from ai.memory.learned.verified import Verified, VerifiedAnswers

__all__ = ["LearnedRule", "Preference", "PreferenceKind", "Preferences", "Rulebook", "Verified", "VerifiedAnswers"]
