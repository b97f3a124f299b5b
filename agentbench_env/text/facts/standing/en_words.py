"""The words of English by which values are changed, denied, declined and reported, as parts of patterns."""

from __future__ import annotations

WEEKDAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?"
# What may stand between a word and the value it rules, and between the parts of one slot.
F = (
    r"(?:[\s,*_(\[\"'“”:-]|\b(?:on|at|for|the|by|a|about|around|approximately|roughly|this|next|coming|of|just"
    r"|it|was|is|be"
    rf"|{WEEKDAY}|our|your|my|his|her|their|its|in|as|due|say|dated|only|still|now|per|rate|price|fee|amount|"
    r"sum|total"
    r"|slot|old|new|original|usual|regular|normal|planned|previous|earlier|agreed|scheduled|expected|current|"
    r"proposed|first|second|tomorrow|today|morning|afternoon|evening|noon)\b)*"
)
GAP = (
    rf"(?:[\s,*_()/\[\]–—~-]|\b(?:at|on|the|for|of|or|to|and|{WEEKDAY}|[a-z]+ time|sgt|gmt|am|pm|hrs|sharp|morning"
    r"|afternoon|evening)\b)*"
)
X = r"[DTMI]"
SEP = rf"(?:[\s,*_(@]|\b(?:at|on|the|{WEEKDAY}|in)\b)*"
RNG = r"\s?[-–—/]\s?"
ONE = rf"(?:D(?:{RNG}D)?(?:{SEP}T(?:{RNG}T)?)?|T(?:{RNG}T)?(?:{SEP}D)?|M(?:{RNG}M)?|I)"
OLD = rf"(?P<old>{ONE}(?:,? (?:or|nor|and) {F}{ONE})*)"
OLD1 = rf"(?P<old>{ONE})"
NEW = rf"(?P<new>{ONE})"
OLD_M = r"(?P<old>M)"
NEW_M = r"(?P<new>M)"
N = "[^SQ]"
P = "[^SQDTMI]"
B = "[^SQDTMI0-9]"
NOT = r"(?:\bnot\b|n't\b|\bcannot\b|\bnever\b)"
CHANGE = (
    r"\b(?:mov(?:e|ed|es|ing)|shift(?:s|ed|ing)?|reschedul\w+|postpon\w+|push(?:ed|es|ing)?|put(?:ting)? (?:\w"
    r"+ )?(?:back|off|forward)"
    r"|br(?:ing|ought)\w* (?:\S+ ){0,5}?forward|chang(?:e|es|ed|ing)|revis(?:e|es|ed|ing|ion)|amend\w*|adjust"
    r"\w*|rais(?:e|es|ed|ing)"
    r"|increas\w+|reduc\w+|cut(?:s|ting)?|dropp?(?:s|ed|ing)?|lower(?:s|ed|ing)?|slash\w*|(?:go|goes|going|"
    r"went|gone|com(?:e|es|ing)|came"
    r"|mark(?:s|ed)?|knocked|bump\w*) (?:up|down)|ris(?:e|es|en|ing)|rose|climb\w*|fell|fall(?:s|en|ing)?|"
    r"exten[ds]\w*|delay\w*"
    r"|defer\w*|correct(?:ed|s|ing)?|updat(?:e|ed|es|ing)|switch\w*|swap\w*|renegotiat\w*|discount\w*|bump\w*|"
    r"advanc(?:ed|es|ing)"
    r"|upgrad\w+|downgrad\w+|slip(?:s|ped)?|slid\w*|hiked?|(?:talk|beat|knock|haggl)\w* (?:\w+ )?down|rebook\w"
    r"*|jump(?:s|ed)?|brought|haggled)\b"
)
RANGE = r"\b(?:open|opens|opening|available|free|between|runs?|valid|leave|away|closed|works?|hours|lasts?)\b"
TO = r"\b(?:to|until|till|into)\b"
ALT = (
    r"(?:instead|how about|what about|(?:could|can|may|shall|would) (?:we|you|i)|would|works|suits?|(?:am|is|"
    r"are|'m|'re|'s) free"
    r"|available|(?:can|could) (?:do|make|manage|offer|come|meet)|prefer|propose[sd]?|suggest(?:s|ed)?|offer(?"
    r":s|ed)?|make-?up|let's|happy (?:to|with)|re-?schedul\w+|re-?book\w*|"
    r"move|moved|alternative\w*|new (?:date|time|slot)|hold it|again|replacement|will now|run it|held on)"
)
NOUN = (
    r"(?:price|date|time|day|slot|figure|amount|rate|fee|rent|total|sum|quote|quotation|estimate|deadline|"
    r"appointment|plan|budget|offer|timing|booking|cost|salary|deposit|limit|start|deal|number|no\.?|ref\w*|"
    r"version|draft|invoice|ticket)"
)
ONES = (
    r"(?:one|plan|option|offer|quote|quotation|package|model|version|room|slot|bid|tier|set|bundle|seats?|"
    r"tickets?|fare|menu|deal|date|day|time|proposal|course|car|flat|unit|class|session|flight|train)"
)
CHOOSE = (
    r"\b(?:go(?:ing)? (?:with|for)|went (?:with|for)|take|taking|took|taken|cho?ose|chose|chosen|pick(?:ed)?|"
    r"opt(?:ed|ing)? for"
    r"|prefer|settled? on|decided? (?:on|for)|fine with|happy with|accept(?:ed|ing)?|stick(?:ing)? with|let's "
    r"do|signed up for"
    r"|booked|ordered|bought|confirm(?:ed)?|works? (?:best|better)|suits? (?:me|us)? ?(?:best|better)|ok(?:ay)"
    r"? with|good with)\b"
)
NO_GOOD = (
    r"(?:(?:does|do|did|will|would|is|are|was)(?: not|n't) (?:going to |really |quite |actually )?(?:\w+ )?(?:"
    r"work|suit|do|fit|possible|convenient|good"
    r"|available|happening|an option|feasible|doable|free|acceptable|on offer|workable|right|correct|true|"
    r"apply|stand|valid)"
    r"|wo(?:n't) (?:really |quite )?(?:work|suit|do|fit|be possible|happen)|can(?:no|')t be (?:done|met|held|"
    r"kept|accommodated|offered)"
    r"|no (?:longer|good|go)|(?:is|was|were|has been|have been|'s) (?:now |already |unfortunately |therefore )"
    r"?(?:withdrawn|superseded|void|obsolete|"
    r"wrong|incorrect|a mistake|an error|a typo|a misprint|out of date|outdated|off the table|hopeless|"
    r"useless|a no-go|a non-starter|rejected|turned "
    r"down|declined|refused|scrapped"
    r"|ruled out|replaced|gone|taken|fully booked|booked out|full|not possible|sold out|impossible|no use|out "
    r"of the question)"
    r"|has (?:been taken|gone|lapsed|sold out)|clash(?:es)? with|is out\b|falls through|fell through|was (?:my"
    r"|our|a) (?:mistake|error|typo))"
)
TOO = (
    r"(?:(?:far |way |a bit |a little |much |just )?too (?:late|early|expensive|much|steep|tight|high|far|dear"
    r"|soon|pricey|low|big)|(?:a bit|a little|rather|way) (?:late|early|steep|much|pricey|high|tight)|(?:tight"
    r"|steep)|(?:beyond|over|above|outside) (?:our|my|the) budget|(?:way |far )?more \w+ than (?:we|i) need|"
    r"more than (?:we|i) (?:need|can))"
)
SAID = (
    r"\b(?:said|says|thought|told|wrote|written|had (?:it|you|us|me|that) (?:down )?|heard|shows?|shown|"
    r"printed|lists?|listed|states?|stated"
    r"|mentioned|quoted|assumed|remember(?:ed)?|reads?|(?<=i )put|(?<=you )put|gave|given|announced|typed|down as|"
    r"down for|expected|misread|believed)\b"
)
DISCARD = (
    r"\b(?:scrap|forget|ignore|disregard|discard|scratch|strike|cross out|never mind|bin|tear up|throw away|"
    r"delete|destroy)\b"
)
ASKED = r"\b(?:asked|request\w*|claim(?:ed|ing)?|applied|sought|wanted|hoped|bid|proposed)\b"
SADLY = (
    r"(?:sorry|unfortunately|regrettably|sadly|however|but|and|(?:i'm|we're|i am|we are) (?:afraid|sorry)(?: to say)?|"
    r"i fear|that said|to be honest|honestly)"
)
MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
