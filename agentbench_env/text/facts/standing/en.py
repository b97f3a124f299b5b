"""Which days, times and amounts an English text takes back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.standing.en_offers import OFFERS
from agentbench_env.text.facts.standing.en_words import (
    ALT,
    CHANGE,
    CHOOSE,
    DISCARD,
    GAP,
    MONTH,
    NEW,
    NO_GOOD,
    NOT,
    NOUN,
    OLD,
    OLD1,
    ONE,
    ONES,
    RANGE,
    SAID,
    TO,
    TOO,
    WEEKDAY,
    B,
    F,
    N,
    P,
    X,
)
from agentbench_env.text.facts.standing.frames import Grammar, is_void, rule


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_RULES = (
    *OFFERS,
    # from A to B after a word of change; never the hours from A to B.
    rule(
        rf"(?<!not ){CHANGE}(?:(?!\bto\b[^SQ]{{0,25}}?{X})(?!{RANGE}){N}){{0,90}}?\bfrom\b(?: [a-z]+){{0,2}}?{F}{OLD1}"
        rf"(?:(?!and){P}){{0,50}}?{TO}(?:{F}{NEW})?"
    ),
    rule(rf"\bfrom\b{F}{OLD1}{P}{{0,50}}?{CHANGE}{P}{{0,30}}?{TO}{F}{NEW}"),
    rule(rf"{CHANGE}{N}{{0,90}}?{TO}{F}{NEW}{P}{{0,30}}?\bfrom\b{F}{OLD1}(?!{F}(?:to|until|till|–|-)\b)"),
    rule(rf"\b(?:up|down|{CHANGE[4:-3]}) from{F}{OLD1}(?!\s*(?:[–-]|to|until|till)\b)", rival=True),
    rule(rf"(?P<new>{ONE}){P}{{0,15}}\binstead of{F}{OLD}"),
    # A is moved to B, we move A to B
    rule(
        rf"{OLD1}(?!{F},? ?(?:we|i|they|he|she) (?:have |had |'ve )?\w+ed\b)(?:(?!\b(?:whether|that|because|if|"
        rf"not|n't)\b){N}){{0,90}}?(?<!to be ){CHANGE}{P}{{0,50}}?(?:{TO}|\bfor\b){F}{NEW}"
    ),
    rule(
        rf"(?<!not ){CHANGE}(?:(?!\b(?:to|by|from)\b){P}){{0,60}}?(?<!\bby )(?<!\bto ){OLD1}{P}{{0,70}}?(?:"
        rf"{TO}){F}{NEW}"
    ),
    rule(rf"\b(?:swap|switch|exchang|trad)\w*{P}{{0,50}}?{OLD1}{P}{{0,20}}?\b(?:for|with|against)\b{F}{NEW}"),
    rule(rf"{OLD1}[\s*()]*(?:→|⇒|➡️?|-+>|=>)\s*{F}{NEW}"),
    rule(rf"~~{P}*{OLD}{P}*~~"),
    # not A
    rule(
        r"(?<!why )(?<!if )(?<!whether or )(?:\bnot\b|n't\b|\bnor\b|\bneither\b)(?:\s(?:from|to|as|actually|in "
        rf"fact|on|till|until))?(?<!until){F}{OLD}"
    ),
    rule(rf"\bno,? not{F}{OLD}"),
    rule(
        r"\b(?:instead of|rather than|in place of|in lieu of|as opposed to|in preference to|replac(?:es|ing)|"
        rf"supersed(?:es|ing))\b{F}{OLD}"
    ),
    rule(rf"\b(?:except|excluding|apart from|other than|bar|but not){F}(?P<old>[DT](?:{GAP}[DT])*)"),
    rule(rf"{OLD1}{P}{{0,40}}\b(?:is|are|was|were|been|be) (?:replaced|superseded) (?:by|with){F}{NEW}"),
    # no longer A, not A any more
    rule(rf"\bno longer\b(?:(?!\b(?:but|and|so|works?|suits?)\b|[,;]){P}){{0,40}}?{OLD}"),
    rule(rf"{NOT}{P}{{0,40}}?{OLD}{P}{{0,15}}\b(?:any ?more|any longer|after all)\b"),
    rule(rf"{NOT} (?:been |be )?{CHANGE}{P}{{0,30}}?{TO}{F}{OLD}", rival=True),
    # the former value
    rule(
        r"\b(?:originally|initially|previously|formerly|at first|used to (?:be|cost|pay|start|open|close))\b(?!"
        rf"{P}{{0,20}}\b(?:wrote|emailed|sent|reported|paid|visited|called|met|bought|applied|purchased|submitted|"
        rf"spoke)\b){P}{{0,60}}?{OLD1}",
        rival=True,
    ),
    rule(
        r"\b(?:old|previous|former|original|initial|earlier|first|usual|regular|normal|list|full|outdated) (?:\w+ "
        rf")?{NOUN}\b(?:{F}|{P}{{0,25}}?\b(?:of|was|is|at|on|for|to be)\b){F}{OLD1}",
        rival=True,
    ),
    rule(
        rf"\b(?:normally|usually|regularly){F}{OLD1}{N}{{0,40}}\b(?:but|now|today|this time|reduced){P}{{0,30}}"
        rf"{NEW}"
    ),
    rule(
        rf"{NEW}{P}{{0,30}}?[,(;–—-]+ ?(?:it |which |that )?(?:was|were|used to be|formerly|previously|originally"
        rf"){F}{OLD1}"
    ),
    rule(
        rf"\b(?:was|were){F}{OLD1}(?:[^SQ]|S but){{0,50}}?\b(?:now|but|has become|became|and is)\b{P}{{0,30}}?(?"
        rf":is|are|at|on|for|it's|stands|be|down|up|only)\b{F}{NEW}"
    ),
    rule(
        rf"{OLD1}(?:(?!until now){P}){{0,50}}?\b(?:but|and|,|;) ?(?:\w+ )?(?:it's |it is |is |are )?now\b{P}"
        rf"{{0,30}}?{NEW}"
    ),
    # forget A
    rule(
        rf"(?<!n't )(?<!not )(?<!never ){DISCARD}(?:(?!\b(?:if|because|when|since|until|unless|sent|wrote|dated)\b"
        rf")(?!\b(?:e-?mail|message|letter|mail|note) (?:of|from)){P}){{0,60}}?{OLD}"
    ),
    rule(
        rf"{OLD}{P}{{0,40}}\b(?:should|can|may|to) be (?:ignored|disregarded|discarded|deleted|forgotten|scrapped"
        r"|thrown away|destroyed)"
    ),
    rule(
        rf"{OLD1}[^DTMIQ]{{0,90}}?S (?:so |but |and |please |kindly |just )*(?:{DISCARD} (?:that|it|this|him|her|"
        r"them|what)\b|do(?:n't| not) (?:believe|listen|trust)|that(?:'s| is| was) (?:wrong|off|out|no longer|not "
        r"right|not correct|nonsense|my mistake|an? (?:old|error|mistake|typo))|(?:that|it) no longer)"
    ),
    rule(
        rf"{OLD1}{P}{{0,60}}?[,–—-] ?(?:but )?(?:do(?:n't| not) (?:believe|listen|trust)|that's (?:wrong|off|out|"
        r"not right)|which is (?:wrong|incorrect|not right|outdated)|ignore)"
    ),
    # A does not work; I cannot do A
    rule(rf"{OLD}(?:(?!\b(?:if|but|because|as|so|and)\b){B}){{0,45}}?\b{NO_GOOD}", soft=True),
    rule(
        rf"{OLD}(?:(?!\b(?:if|but|because|as|so|and)\b){B}){{0,40}}?\b(?:is|are|was|'s|seems|looks|would be|has|"
        rf"sounds|feels)?{P}{{0,8}}{TOO}(?![^SQ]*Q)",
        soft=True,
    ),
    rule(
        r"(?:can(?:no|')t|can not|could(?:n't| not)|wo(?:n't)|unable to|not able to|(?:will|would) not|(?:am|are|'"
        r"m|'re) not)(?: be able to| really| quite| going to| willing to| prepared to)? ?(?:do|take|taking|be "
        r"taking|be accepting|be going|be using|accept|offer|go|meet|pay|afford|stretch|commit|hold|agree|book|"
        rf"keep|honou?r|match|free|available|manage|confirm){F}(?:(?:to|with|as low as|as high as|your|any|higher "
        rf"than|the) )?(?:[a-z-]+ ){{0,2}}?{F}{OLD}",
        soft=True,
    ),
    rule(
        r"(?:can(?:no|')t|can not|could(?:n't| not)|wo(?:n't)|unable to|not able to|no longer able to)(?: be able "
        rf"to)? (?:make|attend|come|join|be there|get there|meet|do|manage){P}{{0,60}}?{OLD}(?:{N}*[SQ])?{N}"
        rf"{{0,80}}?\b{ALT}\b(?:(?!until|back|return){P}){{0,40}}?{NEW}",
        soft=True,
    ),
    rule(
        r"\b(?:decline[sd]?|declining|reject(?:ed|s|ing)?|turn(?:ed|ing)? down|refus(?:e|ed|ing)|ruled? out|pass(?"
        rf":ed|ing)? on|skip(?:ping|ped)?|say no to|said no to|withdr[ae]wn?|decided against){P}{{0,40}}?{OLD}",
        soft=True,
    ),
    rule(
        rf"{OLD}(?:(?!\b(?:if|because)\b){P}){{0,50}}?\b(?:(?:we|i)(?:'ll| will| shall|'d| would)? (?:have to |"
        r"must |rather )?(?:declined?|pass|skip|reject(?:ed)?|turned? (?:it |that )?down|passed)|we said no)",
        soft=True,
    ),
    rule(
        r"\b(?:fully booked|booked out|booked up|sold out|no (?:more )?(?:slots?|seats?|tables?|rooms?|tickets|"
        rf"availability))\b{P}{{0,15}}?\b(?:on|for|at)\b{F}{OLD}",
        soft=True,
    ),
    # A is cancelled and B takes its place
    rule(
        rf"{OLD1}(?:(?!\bif\b){P}){{0,70}}?\b(?:cancell?ed|called off|is off|scrapped){N}*?[SQ]?{N}{{0,90}}?\b"
        rf"{ALT}\b(?:(?!until|back|refund|next class){P}){{0,50}}?{NEW}",
        soft=True,
    ),
    rule(
        rf"\b(?:cancel(?:led|ling)?|call(?:ed)? off){P}{{0,60}}?{OLD1}{N}*?[SQ]?{N}{{0,90}}?\b{ALT}\b(?:(?!"
        rf"until|back|refund){P}){{0,50}}?{NEW}",
        soft=True,
    ),
    rule(rf"{OLD1}{P}{{0,8}}Q (?:no way|too (?:much|late|early)|nah|nope|no thanks|forget it|never)\b"),
    rule(
        rf"(?:can(?:no|')t|can not|wo(?:n't)|unable to) (?:make|do|manage|get there by){P}{{0,20}}?{OLD}{N}"
        rf"{{0,60}}?[SQ,]{P}{{0,20}}?{NEW}{P}{{0,15}}?\b(?:ok|okay|alright|works|suits|better|fine|good|possible"
        r")\b",
        soft=True,
    ),
    # it was to be A, but it will be B
    rule(
        rf"\b(?:was|were) (?:to|due|meant|supposed|going|planned|scheduled|set|booked)\b{P}{{0,40}}?{OLD1}{N}"
        rf"{{0,80}}?\b(?:but|so|now|however)\b{N}{{0,60}}?{NEW}"
    ),
    rule(
        r"\bhad (?:been )?(?:quoted|planned|booked|expected|estimated|budgeted|hoped|reserved|scheduled|arranged|"
        rf"pencilled|agreed)\b{P}{{0,40}}?{OLD1}",
        rival=True,
    ),
    # somebody said A, but it is B
    rule(
        rf"{SAID}{P}{{0,50}}?{OLD1}(?:{P}{{0,40}}?(?:\bbut\b|\bhowever\b|\byet\b|\bwhereas\b|\bwhile\b|\b"
        rf"actually\b|\bin fact\b|;)|{P}{{0,20}}?S (?:but|however|actually|in fact|no,))(?:(?!\b(?:charged|billed|"
        rf"invoiced|arrived|came|received|paid|took|got|turned up|closed|still|have not|hasn't)\b){P}){{0,60}}?\b("
        r"?:it'?s|is|are|was|should|shows?|says?|lists?|listed|confirm\w*|correct|actual|right|agreed|will|has|"
        rf"have|meant|need|make)\b{P}{{0,25}}?{NEW}"
    ),
    rule(rf"\bnow (?:\w+ ){{1,4}}?(?:from|at|on) {F}(?P<new>[DT](?:{GAP}[DT])*)", back=2),
    rule(
        rf"(?:{SAID}|\b(?:entered|recorded|noted|invited|booked)\b){P}{{0,50}}?{OLD1}{P}{{0,30}}?\b(?:by "
        r"mistake|in error|wrongly|mistakenly)\b"
    ),
    rule(
        r"\b(?:wrongly|mistakenly|erroneously|incorrectly) (?:wrote|said|stated|put|listed|printed|shown|given|"
        rf"quoted|typed|gave|announced|entered|showed|says|shows){P}{{0,40}}?{OLD1}"
    ),
    rule(rf"\bwrong (?:{NOUN}){P}{{0,20}}?{OLD1}"),
    rule(
        rf"{SAID}{P}{{0,20}}?{OLD1}{P}{{0,25}}?\b(?P<who>[a-z]{{3,}})\b{P}{{0,12}}?{SAID}{P}{{0,15}}?{NEW}"
        rf"{N}{{0,10}}?[S,]?{P}{{0,30}}?\b(?:go(?:ing)? (?:by|with)|trust|follow|stick (?:to|with)|believe|rely "
        r"on) the (?P=who)\b"
    ),
    rule(
        rf"\b(?:it's|is|should be|be){F}{NEW}{P}{{0,10}}?[,;] ?(?:and |but )?(?:i|we) (?:wrote|said|put|typed|"
        rf"told){P}{{0,15}}?{OLD1}"
    ),
    # asked A, granted B only
    rule(
        r"\b(?:asked|request\w*|claim\w*|applied|application|wanted|hoped|sought|quoted us|proposed|suggest\w*|"
        rf"wish){P}{{0,60}}?{OLD1}{N}{{0,80}}?(?:[SQ]{N}{{0,60}}?)?\b(?:only|up to|at most|no more than|maximum"
        r"|partial\w*|part of|limited to|capped|the (?:most|best|closest|earliest|latest) (?:we|i|that)|can (?:"
        rf"only )?offer|granted|approved|can agree to|counter\w*){P}{{0,50}}?{NEW}"
    ),
    rule(
        rf"\b(?:approved|granted|offered|agreed|settled|paid|gave|allowed|awarded)\b{P}{{0,40}}?{NEW}[^Q]{{0,60}}?"
        rf"\bhad (?:\w+ )?(?:asked|applied|requested|claimed|wanted|hoped|bid|proposed){P}{{0,30}}?{OLD1}"
    ),
    rule(rf"\basked{P}{{0,15}}?{OLD1}{P}{{0,15}}?\b(?:settled|sold|went|got|accepted|took|closed){P}{{0,12}}?{NEW}"),
    rule(
        r"\b(?:thought|sure|convinced|assumed|believed|under the impression)(?: that)? (?:it|they|that|we|this)"
        rf"(?: (?:was|were|would be|is)|'s|'d be){F}{OLD1}",
        rival=True,
    ),
    rule(rf"\bshould have (?!been|read|said)\w+{P}{{0,15}}?{OLD1}", rival=True),
    # of two offers one is chosen
    rule(
        rf"{CHOOSE}{P}{{0,50}}?{NEW}(?![^SQ]*Q){N}*[SQ]?{N}{{0,40}}?\b(?:the|that|your|their) (?:(?:other|"
        rf"second|first|cheaper|dearer|bigger|smaller|pricier|larger|one at|{WEEKDAY}) )*{F}{OLD1}(?: a month| "
        rf"each)? {ONES}\b(?![^SQ]*\b(?:still|backup|fallback|reserve|too|also|as well|keep|in case)\b)"
    ),
    rule(
        rf"{OLD1} {ONES}\b{P}{{0,40}}[,;SQ] ?(?:so |and |but )?(?:we|i)(?:'ll| will|'d| have| would|'ve)?{P}"
        rf"{{0,15}}?{CHOOSE}{P}{{0,30}}?{NEW}"
    ),
    rule(
        rf"{OLD1}{P}{{0,20}}\bor\b{P}{{0,20}}?{X}{N}{{0,40}}[SQ,:–—-]{P}{{0,40}}?\b(?:the )?(?:second|latter|"
        r"later)\b"
    ),
    rule(
        rf"{X}{P}{{0,20}}\bor\b{P}{{0,20}}?{OLD1}{N}{{0,40}}[SQ,:–—-]{P}{{0,40}}?\b(?:the )?(?:first|former|"
        r"earlier)\b(?! thing)"
    ),
    rule(rf"(?:{CHOOSE}|\b(?:works|suits|is fine|fine|good|great|see you|perfect|on)\b){P}{{0,25}}?{NEW}", choice=True),
    rule(
        rf"{NEW}{P}{{0,20}}?\b(?:works|suits|is (?:fine|good|great|perfect|better|best)|it is|please|would be (?:"
        r"fine|good|great|perfect|better|best))\b",
        choice=True,
    ),
    # B instead; make that B; it should be B
    rule(rf"{NEW}{P}{{0,25}}?\binstead\b(?! of)", back=2),
    rule(rf"\binstead,{P}{{0,40}}?{NEW}", back=2),
    rule(
        r"(?:\bcan|could|may|shall|let's|want|like|need|have|had|ve|please|would|will|must|'ll|possible) (?:\w+ )"
        rf"{{0,4}}?{CHANGE}(?: (?!to\b)[a-z']+){{0,4}} {TO}{F}{NEW}",
        back=2,
    ),
    rule(rf"{CHANGE} (?:it|this|that|you|us|them|things|everything)(?: \w+)? {TO}{F}{NEW}", back=2),
    rule(
        rf"\b(?:it|this|that|which)(?:'s| is| has| was| have|'ll| will)? (?:\w+ ){{0,3}}?(?<!not ){CHANGE}(?: \w+)"
        rf"? {TO}{F}{NEW}",
        back=2,
    ),
    rule(
        r"\b(?:sorry|oops|wait|no wait|hang on|i mean|i meant|make (?:that|it)|or rather|scratch that|correction|"
        r"my mistake|typo|edit|actually|nope?)\b[\s,:–—S-]*(?:\b(?:i mean|i meant|make (?:that|it)|that's|that is|"
        rf"it's|it is|no|not|to)\b[\s,:]*)*{F}{NEW}",
        back=1,
    ),
    rule(rf"\bshould (?:be|read|say|have (?:been|read|said)){F}{NEW}", back=1),
    rule(
        rf"\b(?:correct|right|actual|real|new|revised|corrected|updated|amended) (?:\w+ ){{0,2}}?(?:{NOUN}|one)"
        rf"{P}{{0,25}}?(?:\b(?:is|are|of|at|on|was)\b|:){F}{NEW}",
        back=2,
    ),
    rule(rf"(?:\bbe|'s|is|are)(?: on| at)?{F}{NEW} now\b", back=2),
    rule(
        r"(?:\bwill|'s|\bis|\bare|'ll) now (?:be |cost |start |take place |begin |expected |scheduled |due |set |"
        rf"held )*{F}{NEW}",
        back=2,
    ),
)
_KEPT = (
    # A refusal ends at the semicolon.
    _re(rf";{P}{{0,40}}?(?P<kept>M){P}{{0,12}}?\b(?:applies|apply|stands|remains|holds|is payable|is due)\b"),
    _re(
        r"\b(?:(?:up|down) (?:from|on)|compared (?:with|to)|against|versus|vs\.?|lower than|higher than|more than|less "
        rf"than){F}(?P<kept>M) (?:(?:in|for|during) (?:{MONTH}|the (?:previous|last|first|second)|q\d|\d{{4}})|last (?:"
        rf"month|year|week|quarter|term|season)|(?:the|a) (?:month|year|quarter|week) (?:before|ago|earlier))"
    ),
    _re(rf"\bdated[\s,]*(?:{WEEKDAY}[\s,]*)?(?P<kept>D)"),
    _re(
        r"\b(?:by|knock(?:ed|s)?|sav(?:e|ed|es|ing)|discount of|increase of|reduction of|rebate of|surcharge of)(?"
        r": another| an extra)? (?P<kept>M)"
    ),
    _re(r"(?P<kept>M) (?:off|more|less|extra|cheaper|dearer)\b"),
    _re(
        r"(?<!no longer )\b(?:still (?:at|on|for|be|costs?)|(?:remains?|stays?|stayed|remained|keep(?:ing)?|kept|"
        r"stick(?:ing)?|leave it)(?: it| them| with| to| at| on| as| the same| unchanged)*|unchanged at|as (?:"
        rf"planned|scheduled|agreed)){F}(?P<kept>{ONE})"
    ),
    _re(
        rf"(?P<kept>{ONE})[^SQDTMI,]{{0,20}}?\b(?:stays|remains|stands|still (?:works|stands|holds|applies|on)|is "
        r"unchanged|goes ahead)\b"
    ),
    _re(rf"{NOT} (?:been |be |to be |going to )?{CHANGE}{P}{{0,30}}?\bfrom{F}(?P<kept>{ONE})"),
    _re(
        rf"\b(?:charged|billed|invoiced)(?: \w+){{0,2}}?{F}{X}{P}{{0,20}}?(?:instead of|rather than){F}(?P<kept"
        rf">{ONE})"
    ),
    _re(
        r"\b(?:not|n't)\s+(?:only|just|more than|less than|before|after|until|till|later than|earlier than|exceed"
        rf"\w*|above|over|under|beyond){F}(?P<kept>{ONE})"
    ),
)
_RECORD = _re(
    r"\b(?:was|were|has been|have been|had) (?![a-z ]{0,12}(?:plan|schedul|set|expect|suppos|book|arrang|fix|"
    r"agre|promis|due|meant|reserv))"
    r"\w+(?:ed|en)\b[^SQDTMI]{0,40}$|"
    r"(?:\b(?:dated|since|as of)|\b(?:e-?mail|mail|letter|message|note|invoice|order|text|conversation|request"
    r"|receipt|statement|memo)(?: \w+)? "
    r"(?:of|from|dated|on)|\b(?:received|sent|paid|ordered|bought|told|informed|notified|wrote|emailed|called|"
    r"arrived|signed|submitted|lodged"
    rf"|spoke|announced|issued|owe|reply|respond|confirm|let \w+ know|rsvp|back|return)[^SQDTMI]{{0,25}}?\b(?:"
    rf"on|at|by|before|you)?)[\s,]+(?:the |{WEEKDAY}[ ,]+)?$"
)
_ABBREVIATED = (
    r"(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\bdr)(?<!\bprof)(?<!\bno)(?<!\bst)(?<!\bref)(?<!\be\.g)(?<!\bi\.e)(?<!\b"
    r"approx)(?<!\ba\.m)(?<!\bp\.m)"
)


def _fold(text: str) -> str:
    return text.lower().replace("’", "'").replace("‘", "'")


_GRAMMAR = Grammar(
    fold=_fold,
    ends=_re(rf"[!?？]+|{_ABBREVIATED}\.+(?=\s|[\"”')*]|$)|…|\n+|\|"),
    rules=_RULES,
    kept=_KEPT,
    record=_RECORD,
    condition=_re(r"\b(?:if|unless|should|in case|whether)\b[^SQ,;]{0,60}$"),
    pair=_re(r"[DTMI](?:\s?[-–—/]\s?|[^SQDTMI]{0,6}\b(?:or|to)\b[^SQDTMI]{0,6})[DTMI]"),
    chance=_re(
        r"(?:\b(?:if|unless|in case|in the event)\b|(?:^|[;,:–—-] ?|\b(?:and|but) )should)(?! (?:not|so|be|read)\b)(?!"
        r"[^SQ,;]{0,30}\b(?:possible|agree|ok|okay|mind|suits?|convenient|(?:you|we|i) (?:can|could)(?!'|n)|like|"
        r"prefer|free|available|"
        r"works?|fine|happy|alright|right|may|want|need|easier|better|helps|mistaken|remember|recall|correct)\b)"
    ),
)


def voided(text: str, mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether the text denies, replaces, declines, withdraws or overrules the mention."""
    return is_void(_GRAMMAR, text, mention, others)
