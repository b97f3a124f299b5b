"""The register of a Japanese message: keigo, desumasu (です・ます without much keigo), plain or mixed."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from agentbench_env.text.registers.sentences import Sentence, sentences

_WIDE: Final = 20
_NEEDED: Final = 3

_FAMILIES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"いただ|頂",
        r"申し(?!込)|申しあげ",
        r"いたし|致し|いたす|致す",
        r"ござい|御座い",
        r"存じ",
        r"伺[いうえっ]|うかが[いうえ]",
        r"お世話になって",
        r"恐れ入|おそれ入|恐縮",
        r"お手数|ご迷惑|御迷惑|お手間",
        r"お詫び|おわび",
        r"拝[見受読借啓復聴察]",
        r"[ご御](?!飯|馳走|近所|褒美|祝儀|縁|主人|機嫌|両親|家族|兄弟|本人|自分|当地|破算|無沙汰|座)[一-龠]",
        r"貴社|御社|貴店|貴院|貴校|貴行|貴殿",
        r"何卒|なにとぞ",
        r"幸いです|幸いに|幸甚|さいわいです",
        r"くださいませ|下さいませ|賜",
        r"承[りっ知]",
    )
)

_REPORTED: Final = re.compile(r"「[^」\n]*」(?=\s*(?:って|と|という|とのこと|は|が|を|に|の|で|も|から|まで|へ))")
_TAIL: Final = re.compile(r"(?:\([^()]*\)|[^ぁ-んァ-ヶー一-龠々a-zA-Z0-9]|(?<=[^a-zA-Z])[wW]+$|笑$)+$")
_DRAWN: Final = re.compile(r"[ーぁぃぅぇぉっ]+$")
_POLITE: Final = re.compile(
    r"(?:です|でーす|ます|まーす|ました|ません|でした|でしょう|ましょう|ませ|ください|下さい|まして|ましたら|ますれば|ますよう)"
    r"(?:でしょう|でした|です)?(?:か|かね|かな|ね|よ|よね|が|けど|けれど|けれども|ので|から|し|と|わ|な|の|のに|ように|こと|もの|たら|って|っけ)*$"
)
_MASU_ROOT: Final = re.compile(r"(?:なさい)$")
_SET: Final = re.compile(
    r"(?:よろしく|宜しく|ありがとう|おめでとう|おはよう|さようなら|ごめん|すまん|お疲れ|おつかれ|了解|りょうかい|お願い|おねがい)$"
)
_NOUN: Final = re.compile(
    r"(?:払い|扱い|違い|願い|合い|舞い|祝い|伝い|誘い|使い|問い|習い|争い|狙い|占い|遣い|手洗い|思い|迷い|幸い|位|くらい|ぐらい|以外|あたり"
    r"|ついて|つきまして|関して|おいて|対して|として|よって|にて|かけて|まで|より|のみ|など|ほか|こと|もの|ため|とおり|どおり|ところ|うち|まま"
    r"|お?知らせ|お?届け|まとめ|合わせ|はず|まだ|ただ|また|あなた|かた|かつ|まず|とりあえず|ひとまず|必ず|いつ|どうぞ|いっぱい|せい|だいたい|ていねい|ふつう|ほう|どう|そう|こう|もう"
    r"|のよう|いくつ|ひとつ|ふたつ|みっつ|よっつ|明日|ぶり|つもり|まる|はる|かおる|みのる|さとる|わたる|すぐる|まさる|しげる|とおる|ひかる|いさむ|すすむ"
    r"|ひろむ|あゆむ|いたる|たける|みちる|めぐる|ある人|ことし|あさ|ひる|よる|さる)$"
)
_SPOKEN: Final = re.compile(
    r"(?:だ|だよ|だね|だな|だわ|だぞ|だけど|だから|だし|だって|だろ|だろう|だった|である|であった|じゃん|じゃない|っけ|かも|かな|もん|わ|(?<!どう)ぞ|ぜ|なよ|んな"
    r"|って|っす|のか|んだ|んで|けど|けどさ|くれ|しろ|せよ|よろ|とけ|とこ|といて|ちゃう|じゃう|ちゃった|てる|でる|とる|てた|でた|なきゃ|なくちゃ"
    r"|ないで|(?<=[るたい])し|(?<=[るたいだ])から|(?<=[るたいん])の|(?<=[るたいうく])が|(?<=[るたいだなんうくすつむぶぐねよわ])さ)$"
)
_NAME: Final = re.compile(r"(?:\S+ )?[一-龠々]{1,4} [ぁ-んァ-ヶ一-龠々]{1,5}")
_REFUSAL: Final = re.compile(r"(?:無理|だめ|ダメ|駄目|嫌|ひま|暇|好き|嫌い|最高|最悪)$")
_STRONG_END: Final = re.compile(r"[よねな]$")
_VOLITION: Final = re.compile(r"(?:よう|[こおそともろぼのごー]う)(?:か|よ|ぜ|な|ね)?$")
_ADJECTIVE: Final = re.compile(
    r"(?:[一-龠々]い|[しきくすつたちなにぬのはひばぶまみむめらりるれろわんゅょでどがざだぱうかさ]い|いい)$"
)
_VERB: Final = re.compile(
    r"(?:[一-龠々ぁ-ん]る|[一-龠々わらまあかやもちじっい]う|[着行聞書届働続動置付開空驚泣歩引弾焼抜向描響除敷叩吹咲]く|[といてお]く|[一-龠々なこま]す"
    r"|[一-龠々もた]つ|[一-龠々のこらた]む|[一-龠々あえら]ぶ|[急泳脱稼繋防騒注継]ぐ|死ぬ|(?<!ご)らん|わかん|(?<!ま)せん)$"
)
_PAST: Final = re.compile(r"(?:[っいしきけせてねべめれえげぜでみりびぎじちに一-龠々]た|[んい]だ)$")
_TE: Final = re.compile(r"(?:[一-龠々っいしきけせてねべめれえげみりじちび]て|[んい]で|ないで)$")


def register(text: str) -> str:
    """Return the cell of the writer's own text: keigo, desumasu, plain, mixed, or none where nothing tells."""
    words = unicodedata.normalize("NFKC", text)
    polite = plain = weak = 0
    found = sentences(_REPORTED.sub("", words), wide=_WIDE)
    stopped = any("。" in line for line in words.split("\n"))
    for sentence in found:
        match _ending(sentence, stopped=stopped):
            case "polite":
                polite += 1
            case "plain":
                plain += 1
            case "weak":
                weak += 1
            case _:
                pass
    families = sum(bool(family.search(words)) for family in _FAMILIES)
    if plain:
        return "mixed" if polite or families >= _NEEDED else "plain"
    if families >= _NEEDED:
        return "keigo"
    if polite:
        return "desumasu"
    return "plain" if weak else "none"


def _ending(sentence: Sentence, *, stopped: bool) -> str:
    """The cell that a sentence's end shows; weak where it shows it only for want of another; or nothing."""
    bare = _TAIL.sub("", sentence.text)
    if not bare:
        return ""
    short = _DRAWN.sub("", bare) if not bare.endswith(("だっ", "って")) else bare
    if _POLITE.search(bare) or _POLITE.search(short) or _MASU_ROOT.search(bare):
        return "polite"
    if sentence.listed or sentence.wrapped:
        return ""
    if _SET.search(bare):
        return "weak"
    open_line = stopped and not sentence.ended
    if open_line and _NAME.fullmatch(bare):
        return ""
    if open_line and len(bare) <= 8 and not _SPOKEN.search(bare):
        return ""
    return _plain(bare)


def _plain(bare: str) -> str:
    if _SPOKEN.search(bare):
        return "plain"
    if _REFUSAL.search(bare):
        return "plain"
    if _NOUN.search(bare):
        return ""
    if _STRONG_END.search(bare) and len(bare) > 2:
        return "plain"
    if any(end.search(bare) for end in (_VOLITION, _ADJECTIVE, _VERB, _PAST, _TE)):
        return "plain"
    return "weak" if re.search(r"[ぁ-ん]$", bare) else ""
