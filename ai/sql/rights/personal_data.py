"""Columns of personal data, told by names and sampled values. Used by `masks: auto`.

A value counts when a datum stands in it: an e-mail address, a phone number, a card number (Luhn), an IBAN (ISO 13616),
a US social security number, an IP address. A column counts by its name, or when enough of its values do.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from ipaddress import ip_address

ENOUGH = 0.3  # share of the values in which a datum must stand
FEWEST = 3  # values below which a sample says nothing
MOST = 50  # values that are looked at
PLACES = 2**10  # characters of a value that are looked at

NETWORK_KIND = "IP address"
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
NAMES = {
    "e-mail address": "email|e mail|mail address|emailaddress",
    "phone number": "phone|tel|telephone|homephone|workphone|mobile|cell phone|cellphone|fax|msisdn|phonenumber",
    "card number": "card number|card no|credit card|creditcard|cc number|ccnum|cardnumber",
    "bank account": "iban|bank account|account iban|bic account",
    "identity number": "ssn|social security|tax id|national id|passport|identity number|drivers license"
    "|driver license|nino",
    NETWORK_KIND: "ip|ip address|ip addr|ipaddress|client ip|remote addr|remote ip",
    "birth date": "birth date|birthdate|birthday|date of birth|dob|born on|born at",
    "person's name": "first name|last name|surname|family name|given name|maiden name|full name|firstname"
    "|lastname|fullname",
    "postal address": "street|street address|home address|postal address|address line|billing address"
    "|shipping address|ship address|mailing address",
    "secret": "password|passwd|pwd|password hash|secret|api key|apikey|access token|auth token|private key",
}
BY_NAME = {tuple(words.split()): kind for kind, several in NAMES.items() for words in several.split("|")}
# What may stand after such a name; any other word makes it the name of something else, as in email_template.
STILL = frozenset(
    "number no nr num address addresses hash text value raw home work private primary line full encrypted".split()
)
NOT_OF = frozenset("is has n count num".split())  # what before it makes it the name of something else
VERSIONED = frozenset("version build release firmware os".split())  # these look like IP addresses

EMAIL = re.compile(r"(?<![\w.+-])(?!git@)[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}(?![\w-])", re.IGNORECASE)
PHONE = re.compile(
    r"(?<![\w.+-])(?<!\d )(?:\+\d[\d ().-]{6,18}\d|00[1-9]\d(?:[ ]?\d){7,12}|\(\d{2,5}\) ?\d[\d -]{4,10}\d"
    r"|(?:1[-. ])?[2-9]\d\d[-. ][2-9]\d\d[-. ]\d{4}|0[1-9]\d{1,3}[ /-]\d{3,4}[ -]?\d{3,5})(?![\w-])"
)
CARD = re.compile(r"(?<![\w.-])(?:[2-6](?:[ -]?\d){15,18}|3[47](?:[ -]?\d){13}|3[068](?:[ -]?\d){12})(?![\w-])")
IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
SOCIAL = re.compile(r"(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
NETWORK = re.compile(
    r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?=:\d+\b|(?![\w.:]))|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w.:]))",
    re.IGNORECASE,
)


def personal(name: str, values: Sequence[str]) -> str:
    """Return the kind of personal data in a column, or ""."""
    words = tuple(word.lower() for word in WORDS.findall(name))
    kind = _by_values(values)
    return _by_name(words) or ("" if kind == NETWORK_KIND and VERSIONED.intersection(words) else kind)


def datum(value: str) -> str:
    """Return the kind of the first datum in a text, or ""."""
    text = value[:PLACES]
    return next((kind for kind, find, is_one in FINDERS if any(is_one(m.group()) for m in find.finditer(text))), "")


def _by_name(words: tuple[str, ...]) -> str:
    ends = [end for end in range(1, len(words) + 1) if STILL.issuperset(word for word in words[end:] if word.isalpha())]
    runs = ((words[start:end], words[:start]) for end in reversed(ends) for start in range(end))
    return next((BY_NAME[run] for run, before in runs if run in BY_NAME and NOT_OF.isdisjoint(before)), "")


def _by_values(values: Sequence[str]) -> str:
    said = [value for value in values[:: len(values) // MOST + 1] if value.strip()]
    found = Counter(kind for value in said if (kind := datum(value)))
    enough = len(said) >= FEWEST and found.total() >= ENOUGH * len(said)
    return found.most_common(1)[0][0] if enough else ""


def _passes_luhn(number: str) -> bool:
    digits = [int(digit) for digit in reversed(number) if digit.isdigit()]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0 and len(set(digits)) > 1


def _is_iban(text: str) -> bool:
    plain = text.replace(" ", "")
    return len(plain) >= 15 and int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1


def _is_phone(text: str) -> bool:
    return 8 <= sum(character.isdigit() for character in text) <= 15


def _is_address(text: str) -> bool:
    try:
        return not ip_address(text).is_unspecified
    except ValueError:
        return False


FINDERS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    ("e-mail address", EMAIL, bool),
    ("bank account", IBAN, _is_iban),
    ("card number", CARD, _passes_luhn),
    ("identity number", SOCIAL, bool),
    (NETWORK_KIND, NETWORK, _is_address),
    ("phone number", PHONE, _is_phone),
)
