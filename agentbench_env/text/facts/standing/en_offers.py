"""What an English text grants in part, turns down in the next clause, calls an error or leaves out of a choice."""

from __future__ import annotations

from agentbench_env.text.facts.standing.en_words import (
    ASKED,
    CHOOSE,
    NEW_M,
    NO_GOOD,
    NOUN,
    OLD,
    OLD1,
    OLD_M,
    ONES,
    SADLY,
    F,
    N,
    P,
    X,
)
from agentbench_env.text.facts.standing.frames import rule

OFFERS = (
    # asked A, granted B of it
    rule(rf"{NEW_M}{P}{{0,20}}?\b(?:of|from|against)\b(?:(?!\band\b){P}){{0,30}}?{OLD_M}{P}{{0,20}}?{ASKED}"),
    rule(rf"{NEW_M}{P}{{0,20}}?\b(?:of|from|against)\b(?:(?!\band\b){P}){{0,20}}?{ASKED}{P}{{0,15}}?{OLD_M}"),
    rule(rf"\b(?:of|from|against)\b{F}{OLD_M}{P}{{0,25}}?{ASKED}{P}{{0,40}}?{NEW_M}(?![^SQ]*Q)"),
    rule(
        rf"{ASKED}{P}{{0,12}}?{OLD_M}{P}{{0,15}}?(?:\b(?:and|but)\b|[,;]) ?(?:in the end )?(?:they|he|she|it|we|i|"
        r"the [a-z]+) (?:only |just |finally |actually )*(?:gave|granted|awarded|approved|allowed|got|received|(?:was|"
        rf"were) (?:given|granted))(?: us| me)?{F}{NEW_M}(?! (?:off|discount|voucher|deposit|extra|more))"
    ),
    # A was billed, B is the correct amount
    rule(
        rf"\b(?:billed|charged|invoiced){P}{{0,12}}?{OLD_M}(?:{P}{{0,40}}?[,;–—-]|{P}{{0,40}}?S) ?(?:but |and )?(?:the|"
        r"your) (?:correct|right|proper|agreed) (?:amount|charge|figure|price|fee|total|sum|rate) "
        rf"(?:is|was|should be|should have been){F}{NEW_M}"
    ),
    # A was asked for; that cannot be
    rule(
        rf"{OLD1}(?:{P}{{0,60}}?S |{P}{{0,30}}?[,;–—-] ?)(?:{SADLY}[ ,]*)*(?:that|this|which)(?: {NOUN})?{P}{{0,12}}?"
        rf"{NO_GOOD}",
        soft=True,
    ),
    rule(
        rf"{OLD1}{P}{{0,60}}?S (?:{SADLY}[ ,]*)*(?:we|i)(?:'re|'m| are| am)? (?:can(?:no|')t|can not|unable to|not "
        r"able to|won't be able to|will not be able to|not in a position to|(?:have|had) to|must) (?:accept|agree to|"
        r"do|offer|meet|match|manage|grant|approve|commit to|promise|decline|refuse) (?:that|this|it)\b",
        soft=True,
    ),
    rule(
        r"(?:can(?:no|')t|can not|could(?:n't| not)|wo(?:n't)|unable to|not able to|will not)(?: be able to| really)? "
        rf"(?:go|come|drop|get|stretch|lower|reduce|raise|bring|push)(?: (?:it|the \w+|that|as))? ?(?:down|lower|up|"
        rf"low|high|far|below)? ?(?:to|as|than)?{F}{OLD_M}",
        soft=True,
    ),
    rule(
        rf"\b(?:nobody|no one|none of (?:us|them)|hardly anyone)\b{P}{{0,25}}?(?<!until ){OLD}", rival=True, soft=True
    ),
    rule(
        rf"{OLD}{P}{{0,15}}?\b(?:suit|work|did|was good)(?:ed|s)? (?:for )?(?:nobody|no one)\b", rival=True, soft=True
    ),
    # A was issued in error
    rule(
        r"\b(?:issued|made out|raised|sent|published|posted|printed|prepared|drawn up)\b"
        rf"{P}{{0,30}}?{OLD1}{P}{{0,30}}?\b(?:in error|by mistake|by accident|mistakenly|wrongly)\b",
        rival=True,
    ),
    rule(
        rf"{OLD1}{P}{{0,30}}?, which (?:was|is|were) (?:an? |my |our |simply |of course )*(?:mistake|error|typo|slip|"
        r"wrong|incorrect|not (?:right|correct|true))\b",
        rival=True,
    ),
    # A is void, B is to be used
    rule(
        rf"(?P<old>I){P}{{0,60}}?\b(?:returned|closed|cancell?ed|lapsed|expired|void(?:ed)?|lost|retired|withdrawn|"
        r"deleted|deactivated|invalid|bounced|damaged|scrapped|dropped|rejected|inactive|archived|came back)\b"
        rf"{N}{{0,70}}?(?:[SQ]{N}{{0,40}}?)?\b(?:as|under|use|quote|is now|by|new|replacement|with|instead|follow|"
        r"track)\b(?: [a-z]+){0,3}? \W?(?P<new>I)"
    ),
    # A or B: the second is taken
    rule(
        rf"{OLD1}{P}{{0,20}}[DT]?{P}{{0,12}}\bor\b{P}{{0,20}}?{X}{N}{{0,40}}[SQ,:–—-]?{P}{{0,40}}?{CHOOSE} the (?:"
        rf"second|latter|later|last|evening|other) {ONES}\b"
    ),
    rule(
        rf"{X}{P}{{0,20}}[DT]?{P}{{0,12}}\bor\b{P}{{0,20}}?{OLD1}{N}{{0,40}}[SQ,:–—-]?{P}{{0,40}}?{CHOOSE} the (?:"
        rf"first|former|earlier|morning) {ONES}\b"
    ),
)
