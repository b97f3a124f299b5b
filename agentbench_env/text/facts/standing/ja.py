"""Which mentions a Japanese text itself takes back: denied, moved, declined, corrected, discounted or discarded."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.standing.cjk import SKIP, Grammar, Setting, setting

_JOINT = re.compile(
    r"\s*(?:[(（][^()（）\n]{0,6}[)）])?\s*(?:も|と|や|か|または|もしくは|あるいは|および|及び|・|、|,|/)\s*(?:または|もしくは|あるいは)?\s*"
)
_VERB = (
    r"(?:変更|改め|改定|移動|移し|移す|移った|移り|移ら|振り?替え|繰り?上げ|繰り?下げ|繰り?越|延期|延ばし|延び|ずら|ずれ|変わ|変え|訂正|修正|値上げ|値下げ"
    r"|引き上げ|引き下げ|差し替え|切り替|早め|前倒し|後ろ倒し|順延|上が|下が|割引|減額|増額|延長|短縮|再調整|再設定|リスケ|調整|取り直|遅れ|遅く|早ま)"
)
_TO = re.compile(
    rf"^{SKIP}(?:から|まで|開始|開催|発|着|の(?:便|回|やつ|席|枠|電車|バス)?)?\s?(?:へ|に|と)(?!は)(?:の|て)?[^。！!？?\n]{{0,26}}?(?P<verb>{_VERB})(?P<rest>[^。！!\n]{{0,16}})"
    rf"|^{SKIP}(?:以降|まで|から)?(?:の[^。、]{{1,6}})?(?:で|へ|に)[^。、！!？?\n]{{0,10}}?(?P<verb2>変更|再調整|再設定|リスケ|振り?替え|取り直|改め)(?P<rest2>[^。！!\n]{{0,16}})"
    rf"|^{SKIP}(?:へ|への|に)(?P<verb3>変更|延期|訂正|改定|値上げ|値下げ)(?P<rest3>.{{0,16}})"
)
_SOFT = re.compile(
    rf"^{SKIP}(?:(?:から|まで|開始|の(?:便|回|やつ|席|電車|バス|の)?|発の(?:便)?)?(?:に|と)(?:なり|なった|なる|なって|し|させ|お願い|決ま|決定|なん)|(?:から|開始)?で(?:お願い|どう|いかが|進め|確定|決ま|予約|すっ?$|す[。が])"
    rf"|だ(?:った|って|よ|ね|から|と|そう)?|です|でした|が正し|が正解|ちょうど|のみ|だけ|の(?:まちがい|間違い)|なら(?:大丈夫|空|OK|可能|行け)|は(?:いかが|どう|空|大丈夫|可能)|らしい|みたい|スタート|[。!！]?$)"
)
_REFUSED = re.compile(
    r"[^。、]{0,8}?(?:は|が|も|ことは|のは)?(?:難し|できません|できない|できかね|いたしかね|致しかね|無理|不可|かねます)"
)
_OPEN = re.compile(
    r"^[いくなでりるれせたましうょ]{0,5}?(?:でしょうか|ですか|ければ|場合|ようでしたら|なら|でしたら|たら|かな|\?|？|か[。？?])"
)
_HOLDS = re.compile(
    r"そのまま|のまま|変わらず|変わりません|変わりなく|変更なし|変更は(?:ございません|ありません)|変更せず|同じ|どおり|通り|据え置"
)
_KEEP = re.compile(
    rf"^{SKIP}(?:まで(?:に|は)?(?!でし|だ)|までの|より(?!(?:も)?[^。]{{0,6}}へ)|以降|前|付(?:け)?(?:で|の)|中に|以内)"
)
_NOW = re.compile(r"今日|本日|昨日|先ほど|きのう|きょう")
_CONDITION = re.compile(
    r"(?<!確認し)(?<!調べ)(?<!聞い)(?<!見)(?<!わせ)(?:場合|ければ|でしたら|ましたら|たら|なら)(?:は|、|,|$|[^。]{0,2}、)"
)
_DENY = re.compile(
    rf"^{SKIP}(?P<np>の?[^\s。、!！?？「」]{{1,8}}?)??(?:から|まで|に|へ|分)?(?:では|じゃ|で)(?:な(?:く|い|かった)|あり(?:ません|ませんで)|ござい(?:ません|ませんで)|ねえ|ねー)"
)
_INSTEAD = re.compile(
    rf"^{SKIP}(?:の[^。、]{{1,8}})?(?:の代わり|の替わり|に代え|に替え|に代わ|以外|(?:を|は|だけ|のみ)(?:除[いくき外]|省い)|を避|はやめ|をやめ|もやめ|よりは?(?:やめ))"
)
_NOT_DENIED = re.compile(
    r"^.{0,3}(?:でしょうか|か[。？?]|\?|？|かと|かな|ても|でも)|^くても|^いと(?:困|い(?:け|か)|だめ|ダメ|間に合)|^ければ|^いか|^いでしょう|^くてもよ|^い\?"
)
_ONLY = re.compile(r"だけ|のみ|ばかり|に限")
# What starts then is what it was changed to: 15時より(日本時間)に変更, 15時から1時間に変更.
_BEGINS = re.compile(
    rf"^{SKIP}(?:から|より)(?:[(（][^)）。]{{1,12}}[)）])?(?:\s?\d+(?:時間(?:半|\d+分)?|分間?))?(?:の?(?:開始|開催|実施))?(?:に|へと?)(?:ずら|延期|変更)"
)
_FROM = re.compile(rf"^{SKIP}(?:の[^。、から]{{1,8}})?(?:から|より)(?!でも|の(?!変更|延期|値)|お願い)")
_FORMER = re.compile(
    r"(?:当初|元々|もともと|元は|元の|最初(?:は|の|に)|従来|これまで|以前|前は|前の|先日|先に|先ほど|さきほど|前回ご案内|旧|定価|通常(?:価格|料金|は)?"
    r"|変更前|訂正前|修正前|改定前|値上げ前|値下げ前|誤|希望小売価格|本来(?:は|の|なら)?|予定では|初め(?:は|の))(?!より)[^。、！!？?\n]{0,18}$"
)
_PAST = re.compile(
    r"でした|だった|でしたが|だったが|だったけど|のところ|予定|(?:て|で)い(?:た|ました)|(?:まし|っ|い)た"
)
_PERIOD = re.compile(r"先月|昨年|去年|前年|前月|昨年度|先週|\d月分")
_TOLD = re.compile(
    rf"^{SKIP}(?:の(?:予約|予定|約束|件|会議|打ち合わせ|便|席)?)?(?:と|って|に|で|から|まで|だと|との|スタートと|開始と|集合と|集合)?(?:[^。、]{{0,6}})?[」』]?(?:と|って)?"
    r"(?:誤|お?伝え|申し上げ|ご?案内|ご?連絡|言|聞|伺|書|記載|表示|思|認識|覚え|申し込|予約|お?約束|予定|ご?通知|回答|ご?提示|見積|勘違|発表|お知らせ|いただいて|請求|なって|なり|打ち合わせ|取っ|入れ|指定)"
)
_TURN = re.compile(
    r"が、|が,|けど|けれど|のに|ところ|ものの|でも、|ですが|ましたが|たが|だが|、実|、正|のを|のが|た(?:予約|会議|打ち合わせ|件|面談|現地|約束|訪問)"
)
_TRUE = re.compile(
    r"正し|本当|実際|実は|正解|訂正|お詫び|確認し(?:たところ|たら|ますと)|確認すると|調べ(?:たら|ると)|聞いてみ|問い合わせ|間違|誤|結局|やっぱ|やはり|結果|確定|らしい|改め|だった|だよ"
)
_WRONG = re.compile(
    rf"^{SKIP}(?:[^\s。、]{{1,10}})?(?:は|が|というのは|とあるのは|とありますのは|とお?伝え[^。、]{{0,6}}のは|って(?:いう)?のは|と(?:いう|の)[^。、]{{1,8}}は|と書いた[^。、]{{0,4}}は)?(?:私の|当方の|弊社の|こちらの)?[^。、]{{0,8}}?"
    r"(?:誤り|間違|まちが|誤記|誤植|ミス|手違い|入力違い|誤って|無効|記載ミス|勘違い|嘘|うそ|違い?ます|違う|ちが)"
)
_WRONG_HEAD = re.compile(r"(?:誤って|間違えて|間違って|勘違いして)、?[^。、]{0,10}$")
_BELIEF = re.compile(
    rf"^{SKIP}(?:だ|から|まで)?(?:と|って|かと)(?:ばかり)?(?:思(?:って(?:た|い|まし)|い込)|勘違い|誤解|誤)"
)
_DROP = re.compile(
    rf"^{SKIP}(?:[^\s。、]{{0,10}}?)(?:は|を|も|の(?:分|方|案|件|話)は?)?、?(?:いったん|一旦|すべて|もう)?"
    r"(?:撤回|白紙|なかったこと|忘れて|破棄|廃棄|無視|削除|捨て|やめ|取りやめ|見送|却下|辞退|お断り|断っ|断り|断る|除外|不採用|ボツ|没|なしで|ナシ|消して|必要な|要らな|いらな|結構です|無しで|なくなっ|なくなり|不要|(?<!席を)外し)"
)
_CANCEL = re.compile(
    rf"^{SKIP}(?:[^\s。、]{{0,12}}?)(?:は|を|が|も)?[^。、]{{0,10}}?、?(?:キャンセル|取り?消|中止|流れ|廃止|運休|欠航|なくな|満席|満室|閉店|休講|解約)"
)
_DECLINE = re.compile(
    rf"^{SKIP}(?P<np>の?[^\s。、はがもにでを]{{1,8}})?(?:からは?|までは?|に|で|だ|だと|とも)?(?:は|が|も|って|と|だと|、|には|にも|では|[にへ](?:変更|早め|繰り?[上下]げ|前倒|移|ずら|延)[^。、]{{0,10}}?(?:は|が|も))"
    r"(?P<mid>(?!.{0,30}(?:大丈夫|可能です|空いて(?:い|る|ま|ます)|問題な|助か))[^。！!？?\n]{0,30}?)"
    r"(?:無理|難し|むずかし|厳し|きびし|都合が(?:悪|つ|合)|都合つか|都合悪|埋ま|満席|満室|行けな|行けま|空いて(?:な|い?ません|おら)|先約|だめ|ダメ|NG|×|避け|不可"
    r"|見送|重な|塞が|合わな|ふさが|出張(?:で|の|が|中|に)|伺えま|伺えな|伺うことが|予定が入|用事が|予約が(?:いっぱい|取れ)|いっぱい|間に合(?:い?ま(?:せん|せ)|わな)|かねます|対応でき|できません|できない|お受けでき|高(?:い|すぎ)|予算オーバー|予算を超|バイト|仕事が入|用がある)"
)
_WEAK = re.compile(
    rf"^{SKIP}(?:の[^\s。、]{{1,8}}?)?(?:は|が|だと|ですが|でございますが|(?:につきまして|に関しまして|について)(?:は|も)?)[^。！!？?\n]{{0,24}}?(?:先約|所用|私用|(?:別|他|ほか)の予定|予定がござい|ご容赦|叶[いわ]|難しい|あいにく|祝日|記念日|休館|定休|休業|休み|休診|会議|別件|外出|不在)"
)
_OFFER = re.compile(
    r"できれば|存じ|いかが|どう|大丈夫|可能|空いて|お願い|変更|ご都合|なら|でしたら|幸い|にし|助か|希望|いただけ|であれば|伺え|叶い"
)
_MISSED = re.compile(r"無理|間に合[いわ]|[行見出来]?[けれらせ]な[いく]|だめ|ダメ|厳し|きつ|逃し|遅れ|行けま")
_ABSENT = re.compile(r"参加|出席|出社|返信|返事|回答|連絡|電話|対応|受付|登校|営業|通学|出勤|メール|利用|欠席|顔を出")
_THAT = re.compile(
    r"^\s*(?:ただ、?|でも、?|ですが、?|申し訳(?:ありません|ございません|ない)が、?|あいにく、?|すみませんが、?|せっかくですが、?)?(?:その|当)(?:日|時間|金額|日程|時間帯)(?:は|が|だと|では|も)"
)
_PICK = re.compile(
    rf"^{SKIP}(?:の(?:うち|中|どちら|2つ|二つ|いずれ)|(?:なら|でしたら|だったら|では|で(?:したら)?)(?:、|,))"
)
_CHOSEN = re.compile(
    rf"^{SKIP}(?:の[^。、]{{1,6}}|から)?(?:(?:で|に|を)(?:お願い|し|決|伺|予約|希望|選|させ|進|確定|申し込|いき|行き|頼|注文|契約)|が(?:いい|良い|よい|都合|ありがた|助か))"
)
_REQUEST = re.compile(r"申請|請求|要求|希望|依頼|お願い|要望|求め")
_SELF = re.compile(
    rf"^{SKIP}(?:に|で|から)?[、,.…]*\s?(?:いや|じゃなくて|違った|ちがった|あ、|訂正|もとい|失礼|じゃない)[、,.… ]?"
)
_PLAN = re.compile(
    r"予約|予定|会議|打ち合わせ|打合せ|約束|訪問|面談|面接|診察|検査|検診|納期|納品|配達|配送|お届け|件|集合|出発|点検|工事|設置|講座|セミナー|食事|ランチ|飲み会?|撮影|レッスン|見積|商談|来社|内覧|見学|発表|締め?切り|期限|の会"
)


_CURRENT = re.compile(r"(?:現在の?|今の|いまの)(?:ご?予約|予定|お?約束|日程|日時|時間|申し込み)[^。、!?\n]{0,10}$")
_INTENDED = re.compile(rf"^{SKIP}(?:から)?に(?:する(?:つもり|予定|はず)|しようと|しようか)(?!です|でいます)")
_PLANNED = re.compile(
    rf"^{SKIP}(?:に|で|まで(?:に)?|から)?(?:お|ご)?(?:[^。、\s]{{0,6}}?)(?:予定|約束|案内|予約|決ま|入って|申し込|設定|伝え)[^。、]{{0,14}}?[^。、]{{0,12}}?(?:ですが|につきまして|について|の件|は|を)、?"
    rf"|^{SKIP}(?:から)?の[^。、\s]{{1,10}}?(?:ですが|につきまして|の件|は|、|が)"
)
_SHIFTED = (
    re.compile(
        rf"^{SKIP}(?:から|まで)?(?:に|で|へ)(?:て)?[^。、]{{0,6}}?(?:実施|お願い|させていただ|伺|開催|行わ|参り|なり|なった|なる|なって|変)"
        rf"|^{SKIP}の[^。、]{{1,8}}(?:に|と)(?:なる|なり|なっ)|^{SKIP}(?:はいかが|でいかが|ではいかが)"
    ),
    re.compile(rf"^{SKIP}まで(?!の間)"),
)


def _target(place: Setting, peer: Mention) -> bool:
    """Whether a change in this sentence leads to the peer."""
    found = _TO.match(place.after(peer))
    if found is None:
        return False
    rest = found["rest"] or found["rest2"] or found["rest3"] or ""
    refused = _REFUSED.match(rest)
    return refused is None or bool(_OPEN.match(rest[refused.end() :]))


def _turned(place: Setting, peer: Mention) -> bool:
    return _target(place, peer) or _SOFT.match(place.after(peer)) is not None


def _denied(place: Setting) -> bool:
    if place.later and _SELF.match(place.tail) and len(place.between(place.later[0])) < 14:
        return True
    if _INSTEAD.match(place.tail):
        return not re.match(rf"^{SKIP}(?:の[^。、]{{1,8}})?以外(?:に|の(?:日|時間)?で?も|にも)", place.tail)
    found = _DENY.match(place.tail)
    if found is None or _ONLY.search(found.group()):
        return False
    rest = place.tail[found.end() - 1 :]
    if _NOT_DENIED.match(rest) or re.match(
        r"^[んく]?(?:ても|でしょうか|か[。？?]|[？?]|よね)", place.tail[found.end() :]
    ):
        return False
    return not found["np"] or bool(place.later or place.earlier or place.soon())


def _moved(place: Setting) -> bool:
    """Whether a change leads away from the value, in this sentence."""
    if _INTENDED.match(place.tail):
        return True
    if place.mention.kind == "money" and re.match(
        rf"^{SKIP}(?:から|の)[^。、]{{0,6}}?(?:\d割|割引|[%%]引|値引|円引|オフ|OFF|値下)", place.tail
    ):
        return True
    planned = _PLANNED.match(place.near)
    if planned and place.later and not _CONDITION.search(place.near):
        due = re.match(rf"^{SKIP}まで", place.tail) is not None
        if any(_SHIFTED[due].match(place.after(p)) for p in place.later):
            return True
    if _FROM.match(place.tail) and place.later:
        after = place.after(place.later[0])
        gap = place.between(place.later[0])
        if len(gap) < 16 and not re.match(rf"^{SKIP}(?:まで|の間|にかけて|くらいの間|頃まで)", after):
            return bool(
                re.match(rf"^{SKIP}(?:へ|に|と)", after) and (_turned(place, place.later[0]) or re.search(_VERB, after))
            ) or _target(place, place.later[0])
    if (
        _FROM.match(place.tail)
        and not place.later
        and re.match(rf"^{SKIP}(?:から|より)[^。、]{{0,8}}?(?:ずら|延期|変更|値下げ|値上げ|変わ)", place.tail)
        and not _BEGINS.match(place.tail)
    ):
        return True
    if re.match(rf"^{SKIP}から", place.tail) and len(place.later) > 1:
        last = place.later[0]
        if re.match(rf"^{SKIP}まで", place.after(last)):
            return _moved(setting(place.text, last, place.others, _JOINT))
    if _KEEP.match(place.tail):
        return bool(
            place.later
            and re.match(rf"^{SKIP}まで", place.tail)
            and re.match(rf"^{SKIP}まで[^。、]{{0,8}}(?:延長|延期|延ば|変更)", place.after(place.later[0]))
        )
    for peer in place.later:
        gap = place.between(peer)
        if _CONDITION.search(gap) or _HOLDS.search(gap):
            continue
        if _NOW.search(place.said()) and not re.match(r"^の|^[はが、]?[^。、]{0,8}(?:予定|約束)", gap):
            continue
        if _target(place, peer):
            return True
        if re.search(
            r"(?:予定|予約|約束|入れて|取って|組んで|つもり)[^。、]{0,8}?(?:けど|たが|ですが)、", gap
        ) and re.match(rf"^{SKIP}(?:から)?に(?:し|な|変)", place.after(peer)):
            return True
        if re.match(
            rf"^{SKIP}(?:のところ|だったのが|だったものが|だったのに|だったんですが|だったけど|でしたが|が(?=[^、。]{{0,4}}$)|を(?=[^、。]{{0,4}}$))",
            gap,
        ) and (_SOFT.match(place.after(peer)) or gap.lstrip().startswith("のところ")):
            return not (_PERIOD.search(place.head) and re.search("だった|でした", gap))
    return False


def _moved_later(place: Setting) -> bool:
    """Whether the planned slot of this sentence is moved in one of the next two."""
    planned = _PLAN.search(place.near[:26] + place.head[-14:]) or _MISSED.search(place.near[:26])
    if _KEEP.match(place.tail) or place.later or not planned:
        return False
    soon = place.soon()
    return (bool(soon) and _target(place, soon[0]) and not re.match(r"^[^。]{0,6}から", place.after(soon[0]))) or bool(
        soon and _target(place, soon[0]) and place.mention.kind == "time"
    )


def _former(place: Setting) -> bool:
    """Whether the value is called the one of before, and another takes its place."""
    if _CURRENT.search(place.lead) and any(_target(place, p) for p in place.peers):
        return True
    found = _FORMER.search(place.lead)
    if (
        found is None
        or not place.peers
        or _HOLDS.search(found.group() + place.close[:10])
        or _PERIOD.search(found.group())
    ):
        return False
    word = found.group()
    if word.startswith("本来") and not _PAST.search(place.close[:12]):
        return False
    if re.search(r"中止|取り?消|キャンセル", place.tail) and not any(_turned(place, p) for p in place.peers):
        return False
    if re.match(r"定価|通常|希望小売", word):
        return bool(place.later) or any(
            re.search(r"割|特価|セール|値下|キャンペーン|会員|今だけ", place.text[place.run[1] : p.end + 20])
            for p in place.soon()
        )
    if re.match(r"先日|先に|先ほど|さきほど|以前|前の|前は", word):
        return any(p in place.later or _turned(place, p) for p in place.peers) and bool(
            re.match(rf"^{SKIP}[^。、]{{0,6}}(?:は(?:間違|誤)|の)", place.tail)
            or _TURN.search(place.near)
            or any(_target(place, p) for p in place.peers)
        )
    return any(_turned(place, p) or p in place.later or p in place.earlier for p in place.peers) or bool(
        re.search(r"旧|変更前|訂正前|誤", word)
    )


def _overridden(place: Setting) -> bool:
    """Whether a value told, believed or charged by mistake gives way to the right one."""
    if _BELIEF.match(place.tail) and (place.peers or "勘違" in place.close):
        return bool(
            re.match(rf"^{SKIP}.{{0,16}}?(?:けど|が|のに|ところ|ら|勘違|誤|込|てた|ていた|けれど)", place.tail)
        ) and bool(place.later or place.soon())
    if any(re.match(rf"^{SKIP}の(?:誤|間違|まちが)", place.after(p)) for p in place.later):
        return True
    if re.match(rf"^{SKIP}の(?:誤|間違|まちが)", place.tail):
        return False
    wrong = _WRONG.match(place.close)
    if (
        wrong
        and place.peers
        and not re.search(
            r"間違いな|違いな|間違え?な|間違いありま|間違いござい|間違いない|(?:間違い|誤り)(?:は|が)?(?:な|ありません|ござい)|違わ",
            place.close,
        )
    ):
        return not re.match(r".{0,6}(?:でしょうか|ですか|[？?])", place.close[wrong.end() :])
    if _WRONG_HEAD.search(place.lead):
        return True
    if not _TOLD.match(place.tail):
        return False
    for peer in place.later:
        gap = place.between(peer)
        if _TURN.search(gap) and not _CONDITION.search(gap):
            own = re.search(
                r"お伝え|申し上げ|ご案内し|ご連絡(?:し|いた)|書い|思|認識|予約し|予約して|お知らせし|ご提示|取って|お約束",
                gap,
            )
            plainly = re.match(rf"^{SKIP}(?:です|でございます|だ(?=[。!！]))(?!か)", place.after(peer))
            if (
                plainly
                or (own and _turned(place, peer))
                or _TRUE.search(gap[4:])
                or _TRUE.search(place.after(peer)[:10])
            ):
                return True
    if place.later:
        return False
    return any(
        re.match(rf"^{SKIP}が(?:正し|正解|本当)", place.after(p))
        or re.search(r"(?:正しくは|本当は|実際は|実際には|訂正)[^。]{0,10}$", place.text[: p.start])
        for p in place.soon()
    )


def _declined(place: Setting) -> bool:
    span = place.near
    if re.match(rf"^{SKIP}から[^はで]", span) or re.search(r"から\s*$", place.head):
        return False
    found = _DECLINE.match(span)
    if found and not _OPEN.match(span[found.end() :]) and not _CONDITION.search(found["mid"] or ""):
        leaves = found["np"] and re.search(r"行けな|行けま|伺え", found.group())
        if not leaves and not _ABSENT.search(found.group() + span[found.end() : found.end() + 12]):
            return True
        return any(_OFFER.search(place.after(p)[:24]) for p in (*place.later, *place.soon()))
    if _WEAK.match(span):
        return any(_OFFER.search(place.after(p)[:20]) for p in (*place.later, *place.soon()[:1]))
    if place.following and not place.later:
        that = _THAT.match(place.following[0])
        if that:
            rest = "は" + place.following[0][that.end() :]
            refused = _DECLINE.match(rest)
            return refused is not None and not _ABSENT.search(rest) and not _OPEN.match(rest[refused.end() :])
    return False


def _dropped(place: Setting) -> bool:
    """Whether the value is thrown away, called off for another, or loses against the one chosen or granted."""
    drop = _DROP.match(place.close)
    if drop and not re.match(r"^.{0,4}(?:ないで|ません|なければ|ずに|場合|たら|れば)", place.close[drop.end() :]):
        return True
    if _CANCEL.match(place.close) and not _CONDITION.search(place.close[:24]):
        for peer in (*place.later, *place.soon()):
            if _target(place, peer) or re.search(
                r"代わり|かわり|改めて|あらためて|新たに|取り直", place.text[place.run[1] : peer.start]
            ):
                return True
            if peer in place.later and _SOFT.match(place.after(peer)):
                return True
    if _TOLD.match(place.tail) and re.search(r"気にしな|無視し|信じな|忘れて", place.near):
        return True
    if (
        _TOLD.match(place.tail)
        and re.search(r"満席|満室|売り切れ|閉店|なくな|ダメ|だめ|終わ", place.near)
        and place.peers
    ):
        return not _CONDITION.search(place.near)
    if _PICK.match(place.tail):
        return any(_CHOSEN.match(place.after(o)) for o in (*place.later, *place.soon()[:1]))
    if re.match(rf"^{SKIP}より(?:も|は)?、?", place.tail) and place.later:
        return re.match(rf"^{SKIP}(?:から)?(?:に(?:し|決)|でお願い)", place.after(place.later[0])) is not None
    if place.mention.kind == "money" and _REQUEST.search(place.head[-14:] + place.close[:10]):
        return any(
            re.match(
                rf"^{SKIP}(?:のみ|だけ|まで|しか)[^。]{{0,14}}(?:承認|認め|支給|了承|許可|返金|補償|決裁|支払|給付)",
                place.after(p),
            )
            and not re.search(r"うち|先に|残[りる額]|分割|前払", place.text[place.run[1] : p.start])
            for p in (*place.later, *place.soon()[:1])
        )
    return False


_GRAMMAR = Grammar(_JOINT, _overridden, _denied, _declined, _moved, _moved_later, _former, _dropped)


def voided(text: str, mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether a Japanese text denies, replaces, declines or withdraws this mention, or only repeats a rejected word."""
    return _GRAMMAR.voids(text, mention, others)
