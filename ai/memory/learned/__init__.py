"""What people taught: accepted answers, and rules from corrections."""

from ai.memory.learned.rulebook import LearnedRule, Rulebook
from ai.memory.learned.verified import Verified, VerifiedAnswers

__all__ = ["LearnedRule", "Rulebook", "Verified", "VerifiedAnswers"]
