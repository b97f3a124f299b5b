"""The register of a Korean message: formal (합니다체), polite (해요체), plain (반말, 해라체) or mixed."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from agentbench_env.text.registers.sentences import Sentence, sentences

_WIDE: Final = 26
_FINALS: Final = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")

_TAIL: Final = re.compile(r"[^가-힣A-Za-z0-9]+$")
_LAUGH: Final = re.compile(r"[ㄱ-ㅎㅏ-ㅣ]+")
_ASIDE: Final = re.compile(r"\([^()]*\)\s*$")
_REPORTED: Final = re.compile(
    r"[“\"‘'「『][^”\"’'」』\n]*[”\"’'」』](?=\s*(?:이?라고|라는|라며|라고도|고\s|하고|라고만|란\s|는\s))"
)
_RUN_ON: Final = re.compile(
    r"(?<=[가-힣](?:니다|니까|세요|어요|아요|해요|에요|예요|려요|게요|네요|데요))(?=[\s~^]+[가-힣A-Za-z0-9])"
)
_GREETING: Final = re.compile(r"^(?:[^\s,]+(?:\s[^\s,]+)?,?\s)?(?:안녕하(?:십니까|세요|신가요|셨어요)|안뇽|안녕)$")

_FORMAL: Final = re.compile(r"(?:시오|소서)$")
_BOWED: Final = re.compile(r"(.)(?:니다만?|니까|시다)$")
_POLITE: Final = re.compile(
    r"(?:요|죠|[해어아려여네게까래줘봐돼세에예구지죠데]용|[해어아세네데까래지구고봐줘돼]여|세욥|해욥)$"
)
_YO_NOUN: Final = re.compile(r"(?:필요|소요|수요|개요|중요|강요)$|(?:^|\s)(?:주요|동요|민요)$")

_DA_NOUN: Final = re.compile(
    r"(?:마다|보다|바다|캐나다|사이다|판다|소다|람다|혼다|이다음|다다|우간다|르완다|프라다|아닌가다)$"
)
_EO_NOUN: Final = re.compile(r"[영언단용국일본색장연등방상문인농북악복붕전청숭홍송잉광민은성행령칙약랍남골틴]어$")
_HAE_NOUN: Final = re.compile(
    r"(?:^(?:대해|위해|통해|관해|인해|의해|비해|향해|상해|한해|그해|서해|동해|남해|유해|공해|김해|진해|자해|화해|황해|다음해)"
    r"|올해|오해|이해|피해|손해|방해|새해|재해|침해|저해|양해|항해|견해|지난해)$"
)
_WO_NOUN: Final = re.compile(r"(?:샤워|타워|파워|팔로워|플라워|아워|사워)$")
_RYEO_NOUN: Final = re.compile(r"(?:배려|염려|고려|격려|독려|수려|심려)$")
_DAE_NOUN: Final = re.compile(r"(?:군대|시간대|공간대|야간대|반대|연대|전대|안전대|본대|신대|선대|건대|산대)$")
_RAE_NOUN: Final = re.compile(
    r"(?:노래|거래|아래|미래|고래|모래|유래|나래|빨래|원래|본래|(?:^|[립업사국교설생전후])이래|장래|전래|왕래|외래|재래|도래|초래|종래|갈래|수래|다래)$"
)
_JA_NOUN: Final = re.compile(r"(?:후보자|담당자|소비자)$")

_STRONG: Final = re.compile(
    r"(?:해|돼|봐|줘|둬|놔|춰|꿔|펴|꺼|져|쳐|켜|겨|쪄|껴|려|워|냐|구나|거든|잖아|다며|라며|더라고?|다니까|라니까|단다|란다|렴)$"
    r"|(?:^|안|못|잘|또|더|꼭|이리|빨리|먼저|일찍|지금|같이|들어|나|올라|내려|돌아|걸어|다녀|찾아|따라|데려|가져|넘어)[가와]$"
    r"|(?:사|갔다|들고|도)와$"
    r"|(?:[보붙줄들높모먹쌓섞숙녹속꼬덮놓끓울]|움직|기울)여$"
    r"|(?:보|끝|꺼|지|빼|혼|알아|해|풀어)내$"
    r"|(?:끝|만|일어|생겨|떠|나타|드러|신|겁|화|짜증)나$"
    r"|(?:되|쉬|비|피|뛰|띄|지|부|이|그|저)어$|(?:나|좋|괜찮)아$"
    r"|(?:맞|알|좋|찮|많|싫|그렇|하|되|받|먹|않|렇|떻|거|아니|쉽|크|겠)지$"
    r"|(?<![분시평])야지$"
    r"|(?:이|뭐|거|진짜|어디|누구|언제|얼마|그거|이거|때|아니|차|개|주|자|사)야$"
    r"|(?:좋|많|같|맞|하|되|오|크|싸|쁘|겠|프|르|찮|늦|럽|겁)네$"
    r"|(?:하|가|되|있|없|좋|맞|오|쓰|크)니$"
    r"|(?:했|었|았|겠|는|이|좋|렇|하)군$"
    r"|(?:좋|찮|많|싫|맞|같|않|높|낮|늦|짧|쉽|렵|깝|겁|크|싸)대$"
    r"|(?:해|와|봐|가|줘|어|아|더|돼|둬|놔|려|켜|내|여|겨|쳐|져|써|지\s?마)라$|지\s?마$|^마$"
    r"|(?:하|가|보|먹|만나|떠나|일어나|나누|놀|쉬|들어오|나오|정하|만들|두|놓|쓰|타|기다리|버리|올리|돌리|내리|달리|빌리|지키|시키|보내|끝내"
    r"|고치|마치|합치|마시|앉|읽|듣|걷|찍|넣|말|잡|찾|받|갖|걸|바꾸|미루|옮기|넘기|해주|나가)자$|^(?:자|사|치|내)자$"
    r"|^(?:가|와|써|커|나|서|자|사|내)$|(?<!벌)(?<!로)써$|^(?:타|사|자|꺼|파)$"
)
_STEMS: Final = re.compile(
    r"(?:하|되|가|오|보|주|이|아니|없|있|같|좋|많|크|작|싫|괜찮|않|맞|쉽|어렵|바쁘|아프|예쁘|비싸|싸|느리|빠르|다르|고프|힘들|길|멀|높|낮|늦|밝|춥|덥|귀엽|무섭|고맙|반갑|아쉽|필요하|그렇|낫|달|쓰|답)다$"
)
_A_STEM: Final = re.compile(r"[않같알받찾좋많찮잡놀살팔높작앉막닦볶돌참담짧밟몰맞]아$")
_WEAK: Final = re.compile(
    r"(?:는데|은데|인데|던데|한데|라서|어서|아서|해서|니까|려고|다고|냐고|자고|라고|면서|거나|든지|고|면|며|듯|셈|삼|임|음|함|응|그래|ㅇㅇ|ㄱㄱ|ㅇㅋ|고마워|미안|굿|오케이|오키|콜)$"
)


def register(text: str) -> str:
    """Return the cell of the writer's own text: formal, polite, plain, mixed, or none where no sentence has a verb."""
    formal = polite = plain = weak = 0
    found = sentences(_REPORTED.sub("", unicodedata.normalize("NFKC", text)), wide=_WIDE)
    stops = sum(sentence.ended for sentence in found)
    for sentence in found:
        for part in _RUN_ON.split(sentence.text):
            match _ending(part.strip(), sentence, few_open=stops >= 2):
                case "formal":
                    formal += 1
                case "polite":
                    polite += 1
                case "plain":
                    plain += 1
                case "weak":
                    weak += 1
                case _:
                    pass
    if plain:
        return "mixed" if formal or polite else "plain"
    if formal or polite:
        return "polite" if 4 * polite > formal + polite else "formal"
    return "plain" if weak or _LAUGH.search(text) else "none"


def _ending(text: str, sentence: Sentence, *, few_open: bool) -> str:
    """The cell that the last word of a sentence shows, weak where it shows it only for want of another; or nothing."""
    spoken = _LAUGH.search(text[-6:])
    bare = _TAIL.sub("", _ASIDE.sub("", _LAUGH.sub("", text))).strip()
    bare = _TAIL.sub("", bare)
    if not bare or _GREETING.search(bare):
        return ""
    if _FORMAL.search(bare) or ((bowed := _BOWED.search(bare)) and _final(bowed[1]) == "ㅂ"):
        return "formal"
    if _POLITE.search(bare):
        return "" if _YO_NOUN.search(bare) else "polite"
    if sentence.listed or sentence.wrapped:
        return ""
    words = bare.split()
    if not sentence.ended and few_open and sentence.last and len(words) <= 3 and not spoken and _signed(words):
        return ""
    if _plain(bare, words[-1], asking="?" in text or sentence.ended):
        return "plain" if len(re.findall(r"[가-힣]", bare)) >= 3 else "weak"
    return "weak" if spoken or _WEAK.search(bare) else ""


def _signed(words: list[str]) -> bool:
    """Whether the last line may be a name: one word, or a firm and a name, with no word that only sentences have."""
    return len(words[-1]) in (2, 3, 4) and not re.search(r"(?:[줘봐돼]|었어|았어|했어|있어|없어|을게|할게)$", words[-1])


def _final(syllable: str) -> str:
    """The final consonant of a syllable; nothing where it has none."""
    code = ord(syllable) - ord("가")
    return _FINALS[code % 28] if 0 <= code < 11172 else ""


def _vowel(syllable: str) -> str:
    code = ord(syllable) - ord("가")
    return "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"[code % 588 // 28] if 0 <= code < 11172 else ""


def _plain(bare: str, word: str, *, asking: bool) -> bool:
    """Whether a sentence ends in a verb without 요 or 니다, judged by its last syllables."""
    last, before = word[-1], word[-2:-1] or bare[-3:-2]
    final = _final(before) if before.strip() else ""
    if any(noun.search(word) for noun in (_EO_NOUN, _HAE_NOUN, _WO_NOUN, _RYEO_NOUN, _JA_NOUN)):
        return False
    if final in ("ㅆ", "ㅄ") and last in "어다지네나니냐대군든":
        return True
    match last:
        case "다":
            return not _DA_NOUN.search(word) and (
                (final == "ㄴ" and len(word) >= 2) or final in ("ㄶ", "ㅀ") or bool(_STEMS.search(word))
            )
        case "어":
            return bool(final) or bool(_STRONG.search(bare))
        case "아":
            # A name that is called takes 아 after any vowel, a verb only after ㅏ and ㅗ.
            verb = bool(final) and _vowel(before) in "ㅏㅗㅑ" and (" " in bare or bool(_A_STEM.search(word)))
            return verb or bool(_STRONG.search(bare))
        case "게" | "께" | "걸" | "까":
            return final == "ㄹ"
        case "대":
            return not _DAE_NOUN.search(word) and (
                (final == "ㄴ" and len(word) >= 2 and asking) or bool(_STRONG.search(bare))
            )
        case "래":
            return final == "ㄹ" or (len(word) >= 2 and not _RAE_NOUN.search(word))
        case "야":
            return len(bare.split()) > 1 and not re.search(r"(?:분야|시야|평야|[해어아]야)$", word)
        case "니":
            return asking and bool(_STRONG.search(bare))
        case _:
            return bool(_STRONG.search(word) or _STRONG.search(bare))
