"""The register of an English text: formal, friendly, or mixed where a formal letter slips."""

from __future__ import annotations

import re
from typing import Literal

from agentbench_env.text.registers.utterances import without_codes, without_speech

_SAYING = re.compile(
    r"\b(?:said|says|saying|told|asked|wrote|writes|texted|shouted|replied|answered|called|reads?|stated|claims?|claimed|"
    r"quoted?|posted|printed|with the words)\b[^.!?\n]{0,24}$",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"(?:subject|re|ref|our ref|your ref|fwd?|from|to|cc|bcc|date|attn|attention)\s*[:.]\s",
    re.IGNORECASE,
)

_TITLES = (
    r"mr|mrs|ms|miss|mx|messrs|dr|doctor|prof|professor|assoc(?:iate)?|assistant professor|sirs?|madam|mdm|mesdames|"
    r"ma['’]?am|rev|reverend|father|fr|sister|capt|captain|col|colonel|lt|lieutenant|maj|major|gen|general|sgt|sergeant|inspector|"
    r"hon|honou?rable|justice|judge|ambassador|minister|senator|governor|mayor|president|chairman|chairperson|"
    r"dato['’]?|datuk|datin|tan sri|tun|puan|encik|tuan|cik|sheikha?|sheik|h\.?e|his|her|your|engr?|engineer|er|khun|"
    r"sri|smt|ladies|gentlemen|whom"
)
_TITLED = re.compile(rf"(?:the\s+)?(?:{_TITLES})\b", re.IGNORECASE)
# A reader named by a part, in the singular or plural: "Dear Hiring Manager", "Dear Residents".
_ROLES = re.compile(
    r"\b(?:customers?|clients?|residents?|tenants?|managers?|management|committee|parents?|guardians?|members?|guests?|"
    r"passengers?|travell?ers?|applicants?|candidates?|participants?|attendees?|suppliers?|vendors?|partners?|editors?|"
    r"owners?|landlord|officers?|directors?|principal|secretary|treasurer|department|office|division|board|council|"
    r"patients?|subscribers?|policyholders?|shareholders?|recruiters?|students?|delegates?|visitors?|support|service|"
    r"desk|reservations?|receptionist|administrator|organi[sz]ers?|contractors?|occupants?|householders?|donors?|"
    r"accounts|purchasing|procurement|head|teacher|headmaster|warden)\b",
    re.IGNORECASE,
)
_CROWD = re.compile(
    r"(?:all|everyone|everybody|team|colleagues?|friends?|folks|neighbou?rs?|both|class)\b",
    re.IGNORECASE,
)
_KIN = re.compile(
    r"(?:aunt(?:y|ie)?|uncle|mum(?:my)?|mom|dad(?:dy)?|mama|papa|gran(?:ny|dma|dpa)?|cousin|abu|umm?|jie|ah)\b",
    re.IGNORECASE,
)
_SALUTATION = re.compile(r"(?:my\s+)?(?P<word>dear|dearest)\s+(?P<rest>[^,;:!\n—–]{1,80})", re.IGNORECASE)
_CONCERN = re.compile(
    r"to whom(?:soever)? it may concern|(?:sirs?|madam|gentlemen)(?: or madam|/madam)?\s*[,:]",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:hi(?:ya)?|hello|hey|good (?:morning|afternoon|evening|day)|morning|afternoon|evening|greetings|yo)\b",
    re.IGNORECASE,
)
_BARE_TITLE = re.compile(r"(?:mr|mrs|ms|miss|dr|prof|professor)\.?\s+[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*){0,3}\s*[,:]")

# Two short Chinese syllables are a given name ("Hui Min") unless one of them is a frequent surname.
_SYLLABLE = re.compile(
    r"(?:b|p|m|f|d|t|n|l|g|k|h|j|q|x|zh|ch|sh|r|z|c|s|y|w|ts|hs|kh|ph|gw|kw|ng|tz)?[aeiou]{1,4}(?:n|ng|m|p|t|k|h|r|w|ck)?$",
    re.IGNORECASE,
)
_SURNAMES = frozenset(
    re.findall(
        r"\w+",
        "tan lim lee ng ong wong goh chua chan koh teo ang yeo tay ho low toh chong chia foo chew pang seah kwok kwan "
        "phua quek soh yap yong wee leong liew loh lau lai lam chen zhang wang zhao zhou wu xu sun zhu hu guo gao luo",
    )
)

# What may come before a closing: a line start or the end of a sentence.
_START = r"(?:^|\n|[.!?…,;)]\s+|[-–—]\s*)[ \t>*_]*"
_CLOSING = re.compile(
    _START + r"(?:(?:with|and|my|our|many|most|very|thanks|thank you|in advance|again|&|,)\s+)*"
    r"(?:(?:kind(?:est)?|best|warm(?:est)?|sincere|cordial|personal|good)\s+(?:and\s+\w+\s+)?)*"
    r"(?:regards(?!\s+(?:to|the|this|your|his|her|our|my)\b)|wishes(?!\s+(?:to|for)\b)"
    r"|yours?,?\s+(?:very\s+)?(?:sincerely|faithfully|truly|respectfully|cordially)|sincerely(?:\s+yours)?(?=\W)"
    r"|respectfully(?:\s+yours|\s+submitted)?(?=\s*(?:,|\n|$|\s[A-Z]))|faithfully(?:\s+yours)?(?=\W)|cordially(?=\W))"
    r"|"
    + _START
    + r"(?:with|many)\s+(?:(?:many|sincere|best|kind|grateful|heartfelt)\s+)*(?:thanks|appreciation|gratitude)\b"
    r"|" + _START + r"best\s*(?:,|$|\n)",
    re.IGNORECASE,
)
_THANKS_END = re.compile(
    r"(?:^|\n|[.!?]\s+)(?:thank you|thanks|we thank you|i thank you|we look forward|i look forward)\b[^.!?\n]*[.!]?\s*"
    r"(?:[,\n]\s*[^.!?]{0,120})?$",
    re.IGNORECASE,
)
_BREEZY_END = re.compile(
    _START + r"(?i:cheers|love|lots of love|hugs|ciao|xo+|x+|take care|see (?:you|ya)|laters?|ttyl|toodles|peace|bye)"
    r"\s*[,!.]?\s*(?:\n|$|[A-Z])",
)

_SLANG = re.compile(
    r"\b(?:hey+|gonna|gotta|kinda|sorta|lemme|gimme|dunno|outta|ain['’]?t|y['’]all|thx|thks|tnx|plz|pls|lol+|lmao|rofl|omg|"
    r"wtf|btw|idk|tbh|imho|ikr|ttyl|brb|haha\w*|hehe\w*|yeah|yep|yup|nope|nah|dude|guys|gosh|yay|oops|whoops|yikes|tmr|tmrw|"
    r"xoxo|cuz|coz)\b",
    re.IGNORECASE,
)
# Words that are names or initials when written with a capital.
_SLANG_LOWER = re.compile(
    r"\b(?:wanna|Wanna(?= [a-z])|lah|leh|lor|meh|sia|liao|bro|sis|ya|u|ur|cos|tho|can can)\b(?![/.&'’-]\w)"
)
_TITLE_BEFORE = re.compile(r"(?:mr|mrs|ms|miss|dr|prof)\.?\s+$", re.IGNORECASE)
# Pictures of feelings and things; letterhead signs (telephone, envelope, pin, globe), ticks and arrows are print.
_EMOJI = re.compile(
    r"[\u2600-\u2604\u2b50\u2705\u2639\u263a\u2764\u2728\u26a1\u2615\u270c\u270b\u270a\U0001f300-\U0001f30c\U0001f312-\U0001f3df\U0001f3e7-\U0001f4cc"
    r"\U0001f4ce\U0001f4cf\U0001f4d4-\U0001f4dd\U0001f4df\U0001f4e2-\U0001f4e6\U0001f4f7-\U0001f5fa\U0001f600-\U0001f64f"
    r"\U0001f680-\U0001f6ff\U0001f900-\U0001faff]"
)
_FACES = re.compile(r"(?:(?<=\s)|^)(?:[:;=]['’]?-?[)(DPp]|<3|:-?\||\^\^|\^_\^|XD)(?=\s|[.,!?]|$)", re.MULTILINE)
_SHOUT = re.compile(r"[!！]\s?[!！]")
_CONTRACTION = re.compile(
    r"\bi['’]m\b|\b\w+n['’]t\b|\b\w+['’](?:ll|ve|re)\b"
    r"|\b(?:i|you|we|they|he|she|it|that|there|who|how|what)['’]d\b"
    r"|\b(?:it|that|there|he|she|what|who|where|here|how|when|why|everything|something|nothing|everyone|let)['’]s\b"
    r"|\b(?:dont|cant|wont|didnt|doesnt|isnt|wasnt|couldnt|havent|im|ive|thats)\b",
    re.IGNORECASE,
)
_MANY = 3

_Reader = Literal["title", "full", "crowd", "given", "none"]


def register(text: str) -> str:
    """Return formal, friendly or mixed for a writer's own English text; none where a letter lacks its closing."""
    text = without_speech(without_codes(text.replace("**", "").replace("__", "")), _SAYING).strip()
    reader = _reader(text)
    if reader == "given":
        return "friendly"
    slips = _slips(text)
    closing = _CLOSING.search(text) is not None
    breezy = _BREEZY_END.search(text) is not None and not closing
    if reader == "title":
        if slips or breezy:
            return "mixed"
        return "formal" if closing or _THANKS_END.search(text) else "none"
    if slips:
        return "mixed" if reader == "full" and closing else "friendly"
    return "formal" if closing and not breezy else "friendly"


def _reader(text: str) -> _Reader:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not _HEADER.match(line)][:12]
    for line in lines:
        if _CONCERN.match(line) or _BARE_TITLE.match(line):
            return "title"
        if _GREETING.match(line):
            return "given"
        salutation = _SALUTATION.match(line)
        if salutation is not None:
            return "given" if salutation["word"].lower() == "dearest" else _named(salutation["rest"].strip())
    return "none"


def _named(rest: str) -> _Reader:
    """Tell a title or an office from a full name and from a given name."""
    if _TITLED.match(rest):
        return "title"
    if _KIN.match(rest):
        return "given"
    if _CROWD.match(rest):
        return "crowd"
    words: list[str] = []
    for word in rest.split():
        bare = word.strip(".,()")
        if not bare[:1].isupper():
            break
        words.append(bare)
        if word.endswith((".", ")")) and len(bare) > 1:
            break
    start = " ".join(rest.split()[:5])
    if _ROLES.search(start if not words else " ".join(words)):
        return "title"
    if any(word.lower().endswith(("-san", "-sama", "-nim", "-ssi")) for word in words):
        return "title"
    words = [word for word in words if word != "I" and not word.startswith(("I'", "I’"))]
    if len(words) < 2:
        return "given"
    if len(words) == 2 and all(_SYLLABLE.match(word) for word in words):
        return "full" if any(word.lower() in _SURNAMES for word in words) else "given"
    return "full"


def slangy(text: str) -> bool:
    """Whether a text has slang, a face, a picture of one, or shouts."""
    slang = any(
        not _TITLE_BEFORE.search(text[max(0, match.start() - 6) : match.start()]) or match[0].islower()
        for match in _SLANG.finditer(text)
    )
    signs = (_SLANG_LOWER, _EMOJI, _FACES, _SHOUT)
    return slang or any(sign.search(text) is not None for sign in signs)


def _slips(text: str) -> bool:
    return slangy(text) or sum(1 for _ in _CONTRACTION.finditer(text)) >= _MANY
