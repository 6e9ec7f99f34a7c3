"""The words that a name of a schema stands for: cut, written out, counted once. `hiredate` -> hire date, `FName` -> first name."""

from functools import lru_cache

from ai.language.thesaurus import is_word
from ai.language.words import name_parts as cut

SHORT = dict(
    pair.split(":")
    for pair in "fname:first_name lname:last_name mname:middle_name surname:last_name num:number nbr:number desc:description descr:description"
    " addr:address dept:department emp:employee mgr:manager cust:customer prod:product acct:account tel:telephone dob:birth_date"
    " loc:location org:organization orgs:organizations cat:category apt:apartment bldg:building lang:language std:student stu:student"
    " fac:faculty hq:headquarters ht:height wt:weight dest:destination doc:document docs:documents img:image msg:message ver:version"
    " seq:sequence src:source pct:percent amt:amount yr:year mth:month wk:week tot:total ctry:country nat:nationality asst:assistant"
    " attr:attribute cnt:count dt:date ts:time tm:time curr:currency lvl:level grp:group sal:salary temp:temperature vol:volume"
    " univ:university inst:institution crs:course sch:school pos:position avail:available mfr:manufacturer spec:specification"
    " txn:transaction trans:transaction inv:invoice nm:name ttl:title"
    " appt:appointment appts:appointments accts:accounts qty:quantity cd:code dur:duration txns:transactions trx:transaction"
    " snap:snapshot mins:minutes hrs:hours secs:seconds lbl:label nr:number cntry:country usr:user"
    " mpg:miles_per_gallon pic:picture pop:population exp:experience qual:qualification chg:charge".split()
)
HEADS = (
    "id name names date code type no num number count time year price desc status address level rate amount size first last title"
    " details key day month city state country room model city place phone email mail age score point points ranking rank"
).split()
WHOLE = frozenset({"datetime", "timestamp"})
SHORTEST = 5


__all__ = ["cut", "name_parts"]


@lru_cache(maxsize=20_000)
def name_parts(name: str) -> tuple[str, ...]:
    """Cut a name into lower-case words, short forms written out."""
    parts = tuple(word for part in cut(name) for word in _words(part))
    if len(parts) > 1 and parts[-1] == "no":
        return (*parts[:-1], "number")
    if len(parts) == 2 and parts[1] == "name" and parts[0] in ("f", "l"):
        return ("first" if parts[0] == "f" else "last", "name")
    return parts


def _words(part: str) -> tuple[str, ...]:
    if part in SHORT:
        return tuple(SHORT[part].split("_"))
    if len(part) < SHORTEST or part in WHOLE or is_word(part) or not part.isalpha():
        return (part,)
    return _cut_at_head(part) or (part,)


def _cut_at_head(part: str) -> tuple[str, ...]:
    """Cut off a common head word, where a known word or a short form is left."""
    for head in HEADS:
        rest = part.removesuffix(head)
        if rest != part and len(rest) > 2 and (is_word(rest) or rest in SHORT):
            return (*_words(rest), *_words(head))
    for head in ("first", "last", "birth", "home", "start", "end", "max", "min", "number", "phone", "street"):
        rest = part.removeprefix(head)
        if rest != part and len(rest) > 2 and (is_word(rest) or rest in SHORT):
            return (*_words(head), *_words(rest))
    return ()
