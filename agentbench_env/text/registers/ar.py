"""The register of an Arabic text: formal, friendly, or mixed where a formal letter slips into dialect."""

from __future__ import annotations

import re

from agentbench_env.text.fold import fold
from agentbench_env.text.registers.utterances import without_codes, without_speech

_SAYING = re.compile(
    r"(?:قال|قالت|قالوا|يقول|تقول|كتب|كتبت|كتبوا|رد|ردت|سأل|سألت|سال|أجاب|اجاب|نصها|عبارة|عبارات|بكلمة)"
    r"(?:\s+\w+){0,3}\s*[:،]?\s*$"
)
# All patterns from here on are in folded spelling: no vowel marks, one alef, ya for alef maqsura, ha for ta marbuta.
_HEADER = re.compile(r"(?:الموضوع|بشان|المرجع|التاريخ|رقم الخطاب|الرقم|من|الي|نسخه)\s*:|بسم الله")

_GREETING = (
    r"(?:يا )?(?:مرحبا(?: ب(?:ك|كم))?|مراحب|اهلا(?: و ?سهلا)?(?: ب(?:ك|كم)| في(?:ك|كي|كم))?|اهلين|هلا(?: والله| فيك)?|"
    r"هلو|هالو|هاي|(?:ال)?سلام(?: عليكم)?(?: ورحمه الله)?(?: تعالي)?(?: وبركاته)?|"
    r"صباح(?:ك)? (?:ال)?\w+|مساء?(?:ك)? (?:ال)?(?:خير|نور|ورد|ياسمين)|"
    r"(?:يسعد|يعطيك|الله|حياك|كل عام|رمضان|عيدك) [\w ]*?(?=[،,.!\n]|$)|"
    r"(?:ال)?(?:عزيز|اعزا)(?:ي|تي|نا|تنا|ايي|اينا)?|حبيب(?:ي|تي)|غالي|الغالي(?:ه)?)"
)
_GREETED = re.compile(rf"{_GREETING}(?!\w)")
_POLITE_OPENING = re.compile(r"(?:و?(?:بعد )?(?:ال)?تحيه(?: طيبه)?(?: و ?بعد)?|و ?بعد|اما بعد|يا|الي)(?!\w)")
_TITLE = re.compile(
    r"(?:و|ل|ل?ل)?(?:حضره|حضرات|سعاده|معالي|فضيله|سياده|جناب|سمو|"
    r"ال(?:ساده|سيد(?:ه|ات|ان)?|انسه|انسات|استاذ(?:ه|ات|ان)?|اساتذه|مهندس(?:ه|ون|ين|ات)?|دكتور(?:ه|ان)?|دكاتره|فاضل(?:ه|ات)?|"
    r"افاضل|شيخ(?:ه)?|بروفيسور(?:ه)?|مستشار(?:ه)?|قبطان|محامي(?:ه)?|نقيب|رائد|عقيد|عميد|لواء|كابتن)|"
    r"من يهمه ال[ا]?مر|د\.|م\.|ا\.د\.|ا\.)(?!\w)"
)
_OFFICE = re.compile(r"(?:الي )?(?:اداره|مدير(?:ه)?|قسم|شركه|مكتب|بلديه|رييس(?:ه)?|لجنه|مجلس|من يهمه ال[ا]?مر)(?!\w)")
_HONOURED = re.compile(r"(?:ال)?(?:محترم(?:ه|ين|ون|ات)?|موقر(?:ه|ين|ون)?|مكرم(?:ه|ين|ون)?|افاضل|فاضل(?:ه)?|كرام)(?!\w)")
_YOUR_HONOUR = re.compile(r"(?<!\w)[ولبف]?(?:سعادت|سياد[ت]|معالي|فضيلت|جناب|حضرت)(?:كم|كن)(?!\w)")
_CEREMONIAL_OPENING = re.compile(r"(?<!\w)(?:سعاده|حضره|معالي|فضيله|تحيه طيبه|(?:ال)?(?:محترم|موقر)\w*)(?!\w)")

_ACCEPT = re.compile(r"(?<!\w)و?(?:هذا و)?تفضل(?:وا|ي|ن|و)? (?:معالي\w* |سعادت\w* )?بقبول(?!\w)")
_CLOSING = re.compile(
    r"(?<!\w)(?:و?تقبل(?:وا|ي|ن|و) \w+"
    r"|و?مع (?:\w+ ){0,3}?(?:ال)?(?:تحي\w+|شكر\w*|تقدير\w*|احترام\w*|امنيات\w*|اماني\w*|تمنيات\w*|ود|مودت\w*|موده|"
    r"امتنان\w*|عرفان\w*)"
    r"|و?شاكر(?:ين|ا|ه|ات)?|و?تحيات(?:ي|نا)|و?ممتن(?:ين|ا|ه)? ل\w+|و?دمتم|باحترام"
    r"|و?ل(?:كم|ك|كن|سعادتكم) (?:مني |منا )?(?:كل |جزيل |خالص |وافر |فايق |عظيم |بالغ |اطيب )?"
    r"(?:ال)?(?:شكر|تحي\w+|تقدير|احترام)"
    r"|و?ال?مخلص(?:ه|تكم|كم)?)(?!\w)"
)
_THANKS = re.compile(r"شكر|نقدر ل|نثمن|انتظار|نتطلع|والله (?:الموفق|ولي)")
# Writing of offices that asks or informs: with a closing it is a formal letter even to nobody by name.
_OFFICE_VERB = re.compile(
    r"(?<!\w)و?(?:نود|نفيد\w+|نحيط\w+|يرجي|نرجو|ناسف|نعتذر|نعلم\w+|يسرنا|يسعدنا|نشكر\w*|نذكر\w*|ندعو\w*|مرفق|اود|ارجو|افيد\w+|اتقدم)(?!\w)"
)

_NAMES = r"هلا|لين"
# Forms that written Arabic has not, as whole words ("and" or "then" may be joined to them).
_DIALECT = re.compile(
    r"(?<![\w·])[وف]?(?:"
    r"ا?شلون\w*|شخبار\w*|كيف(?:ك|كم|كن|ج)|ليش|ليه|بد(?:ي|ك|كم|كن|نا|ه|ها|هم)|ع?ل?عشان\w*|من?شان\w*|هل[اق]|شو|شنو|ايش|وش|"
    r"وايد|الحين|هالحين|دحين|ذحين|باجر|مو|مب|موب|مهب|مش|موش|راح|رح|لين|ب?بلاش|اللي|يلا|يللا|وين(?:ك|كم)?|فين|منو|"
    r"ازاي|ازيك|دلوقتي?|النهارده|امبارح|مبارح|بكره|كد[ها]|هيك|هيدا|هيدي|هاد|هاذا|هذول|هدول|هديك|جذي|"
    r"عا[يو]ز(?:ه|ين)?|ابغ[يا]\w{0,2}|تبغ[يا]|يبغي|نبغ[يا]|تبي|يبي|مابي|منيح(?:ه)?|كتير|كمان|لسه|لسا|لساته|شويه|اوكي|اوك|خلاص|"
    r"مفيش|مافيش|مافي|ماكو|اكو|محد|ماحد|هسه|هسع|شكد|قديش|اديش|شي|بس|انتي|انتو|احنا|نحنا|"
    r"في(?:كي|ني)|عليكي|منكي|معكي|ياكي|ياها|ياهم|بعدين|خربان(?:ه)?|جايين|صارل(?:نا|ي|ه|ك)|ناطرين\w*|"
    r"يسلمو|بلكي|خوش|صج|زي ما|"
    r"بجيب|بشوف(?:ك|كم)?|بخبر(?:ك|كم)|بكلم(?:ك|كم)|برجع(?:لك)?|بستناك?|بحكي|بي(?:جي|وصل|صير)|بنشوف(?:ك|كم)?|بتقدر(?:ي|وا)?|بتعرف|"
    r"بعتلك|ابعتل\w+|شفت(?:ي|وا|ه|ها|هم|ك)?|شوف(?:ي|وا|ها|ه)?|[انتي]شوف\w*|شايف(?:ه|ين)?|خلين[يا]|خليها|خليك|تخليني|يخليك|"
    r"تخلينا(?! عن)|[هح]ا?(?:يكون|نكون|تكون|بعت|نبعت|شوف|نروح)|يمدي(?:ك|ني)|بتاع\w*|"
    r"[بلعو]?هال(?:مره|شي|يوم|اسبوع|شهر|موضوع|كلام|وقت|حكي|فتره|سنه|مشكله|طلب|ايام)|ه{3,}\w*"
    r")(?![\w·])"
)
_LADY = (
    r"ال(?:سيده|انسه|استاذه|مهندسه|دكتوره|فاضله)|حضره|سعاده|(?:ال)?عزيزتي|يا|ام|ابنت\w+|بنت\w*|"
    r"الطفله|الطالبه|زميلت\w+|اسمها"
)
# Written Arabic that looks like those forms: names after a title, a reel, a violin, "since then".
_RIVALS = re.compile(
    r"(?:ذلك|هذا|ذاك|بين) الحين|الحين والا?خر|راح ضحي\w+|"
    r"(?:عدد|\d+|عشر\w*|ثلاث\w*|اربع\w*|خمس\w*|كل) بكره|بكره (?:كابل\w*|سلك|اسلاك|خيط|ورق|فيلم)|اله كمان|"
    rf"(?:{_LADY}) (?:{_NAMES})(?!\w)|(?<!\w)(?:{_NAMES})(?: \w+)? المحترمه|(?<!\w)هلا \w+تم(?!\w)"
)
_WOULD = re.compile(r"هلّا|هلاّ")
_WHAT = re.compile(r"(?<!\w)[وف]?إيه(?!\w)")
_SIGNATURE = re.compile(rf"(?:^|\n)(?:{_NAMES})(?: \w+){{0,3}}\s*(?:[-–—،,][^\n]*)?$")


_ABBREVIATED = re.compile(r"^((?:\w+ )?(?:عليكم )?)([دما])\s?\.\s?(?=\w)", re.MULTILINE)
_PART = re.compile(r"([^،,.\n!؟?:؛;–—]+)([،,.\n!؟?:؛;–—]|$)")


def register(text: str) -> str:
    """Return formal, friendly or mixed for a writer's own Arabic text; none where a letter lacks its closing."""
    text = without_speech(without_codes(text.replace("*", "")), _SAYING)
    dialect = _WHAT.search(text) is not None
    text = "\n".join(line for line in map(fold, _WOULD.sub("·", text).splitlines()) if line and not _HEADER.match(line))
    dialect = dialect or _dialect(text)
    greeting, title = _opening(text)
    title = title or _YOUR_HONOUR.search(text) is not None
    accept = _ACCEPT.search(text) is not None
    closing = accept or _CLOSING.search(text) is not None
    if dialect:
        formal = accept or (title and (closing or (not greeting and _CEREMONIAL_OPENING.search(text) is not None)))
        return "mixed" if formal else "friendly"
    if title:
        if closing or (not greeting and _thanks_last(text)):
            return "formal"
        return "friendly" if greeting else "none"
    if accept:
        return "mixed" if greeting else "formal"
    if closing and not greeting and _OFFICE_VERB.search(text):
        return "formal"
    return "friendly"


def in_dialect(text: str) -> bool:
    """Whether a text has a word or form of the spoken language."""
    text = without_speech(without_codes(text.replace("*", "")), _SAYING)
    return _WHAT.search(text) is not None or _dialect("\n".join(map(fold, _WOULD.sub("·", text).splitlines())))


def _opening(text: str) -> tuple[bool, bool]:
    """Whether the first words greet like a friend, and whether they address the reader by a title."""
    greeting = False
    named = False
    for number, (part, mark) in enumerate(_parts(text)[:6]):
        rest, greeted = _without_greeting(part)
        greeting = greeting or (greeted and not named)
        if not rest:
            continue
        words = rest.split()
        if _HONOURED.search(" ".join(words[:12])) and (number == 0 or len(words) <= 10):
            return greeting, True
        if not named and _addresses(rest, mark, greeting):
            return greeting, True
        # A subject line before the address names nobody.
        if greeted or len(words) <= 3 or number > 1:
            named = True
    return greeting, False


def _addresses(rest: str, mark: str, greeting: bool) -> bool:
    """Whether words that begin with a title speak to the reader, and not about somebody."""
    if _OFFICE.match(rest):
        return not greeting and mark not in ".؟?"
    if _TITLE.match(rest) is None:
        return False
    if _CEREMONIAL_OPENING.search(" ".join(rest.split()[:8])) or rest.startswith(("الساده", "للساده")):
        return True
    return mark not in ".؟?" and len(rest.split()) <= 7


def _parts(text: str) -> list[tuple[str, str]]:
    """Split into phrases, each with the mark that ends it; the point of an abbreviated title ends nothing."""
    text = _ABBREVIATED.sub(r"\1\2· ", text)
    parts = [(match[1].strip(), match[2] or "\n") for match in _PART.finditer(text)]
    return [(part.replace("·", "."), mark) for part, mark in parts if part]


def _without_greeting(part: str) -> tuple[str, bool]:
    greeted = False
    while True:
        match = _GREETED.match(part)
        if match is None:
            polite = _POLITE_OPENING.match(part)
            if polite is None or not polite[0]:
                return part, greeted
            part = part[polite.end() :].strip()
            continue
        greeted = True
        part = part[match.end() :].strip()


def _dialect(text: str) -> bool:
    text = _SIGNATURE.sub("", _RIVALS.sub("·", text))
    return _DIALECT.search(text) is not None


def _thanks_last(text: str) -> bool:
    sentences = [part for part in re.split(r"[.!؟?\n]", text) if part.strip()]
    return any(_THANKS.search(sentence) for sentence in sentences[-2:])
