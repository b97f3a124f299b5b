"""Which mentions a Chinese text itself takes back: denied, moved, declined, corrected, discounted or discarded."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.standing.cjk import SKIP, Grammar, Setting

_JOINT = re.compile(
    r"\s*(?:[(（][^()（）\n]{0,6}[)）])?\s*(?:和|跟|與|或|或是|或者|及|以及|還是|、|/|,|,)\s*(?:或是?)?\s*"
)
_VERB = (
    r"(?:變更|更改|更正|更換|修正|修改|調整|調漲|調降|調升|調高|調低|改訂|改期|改約|改排|改掛|改搭|改報|改為|改到|改至|改成|改在|改從|改以|改由|改定|改付|改收|改寄|改"
    r"|延後|延期|延至|延到|延長|展延|順延|提前|提早|移到|移至|移|挪到|挪至|挪|換到|換成|換至|換為|換|降到|降至|降為|漲到|漲至|漲為|漲成|升至|升為|降|漲|減為|減至|減到|增至|增為"
    r"|折為|折後|轉到|轉至|异动|異動|晚到|拖到|推遲到|推到|往後|往前|变更|调整|延后|移动|换到)"
)
_CHANGE_TO = re.compile(
    rf"{_VERB}(?:為|到|至|成|在|於|從|了|价|價|约|約|為了|时间|時間|日期|訂|定)?(?:隔天|當天|下週|本週|每人|每月|只要|大約|約|民國|新台幣|台幣|NT\$?|\$|同日)*\s*$"
)
_LOOSE_TO = re.compile(rf"{_VERB}[^。,,;;!?!?\n]{{0,8}}$")
_NO_CHANGE = re.compile(
    r"(?:不|無法|未|沒|沒有|無須|不用|不必|不會|不能|不便)(?:再|有|能|會)?\s?(?:更動|變更|改|調整|延|提前|換|移)[^,。]{0,6}$"
)
_HOLDS = re.compile(r"不變|維持|照舊|照原|一樣|同樣|相同|沒變|沒有變|沒改|仍為|仍是|還是|依舊|如期|照常")
_KEEP = re.compile(rf"^{SKIP}(?:\s*以?[前起後]|\s*之[前後]|\s*為止|\s*截止|\s*內|\s*開始|\s*起)(?!的)")
_NOW = re.compile(r"今天|今日|本日|昨天|剛剛|刚刚|昨日")
_CONDITION = re.compile(r"若|如果|如需|如有|要是|假如|萬一|的話|倘若|除非")
_NEGATION = re.compile(
    r"(?<!是)(?:(?:並|可|也|根本|其實|應該|绝|絕)?(?:不是|不會是)|並非|而非|不再是|絕非|非|并非|毋須|不要|(?<![分特個各])別|勿)\s*(?:(?:在|為|為了|約|是|等|到|選|訂|抓|用|以|按|照)\s?)?"
    r"(?P<mod>[^。,,;;!?!?\n我你您他她]{0,14}?的|[^。,,;;!?!?\n我你您他她]{0,6}?(?:時間|那天|原訂|原定|先前|之前|上午|下午|晚上|早上)|原本|原訂|原定|原先)?\s*(?:「|『|“)?\s*$"
)
_EXCEPT = re.compile(r"(?:不含|不包[含括]|未含|排除|扣除|扣掉|避開|除去|跳過)\s*$")
_OLD = re.compile(
    r"(?:原訂|原定|原本|原先|原來|原預定|原排|原約|原掛|原為|原於|原價|原报价|原報價|原報|原|本來|一開始|起初|最初|之前|先前|先|前次|上次|早先|舊|定價|牌價|市價|建議售價|訂價|標價|更正前|變更前|調整前|修改前|更改前|以前|誤)"
    r"(?!因)[^。,,;;!?!?\n]{0,16}$"
)
_STRONG_OLD = re.compile(
    r"^(?:原|舊|更正前|變更前|調整前|修改前|更改前|定價|牌價|市價|建議售價|本來|一開始|起初|最初|訂價|標價)"
)
_PERIOD = re.compile(r"去年|上個?月|上期|前年|上一期|上週|上周|\d+\s?月份")
_CURRENT = re.compile(r"(?:目前|現在|現)(?:的)?(?:預約|約|訂|掛|排|登記|預訂|安排)[^。,,;;!?!?\n]{0,8}$")
_NEW = re.compile(
    r"現在|現|目前|今|後來|結果|但|可是|不過|想|希望|可以|可否|能否|問過|確認|發現|得知|查了|需|擬|將|特價|優惠|折|只要|實收|實際|正確|更正|才|其實|新|會員價|促銷|最後|決定"
)
_WRONG = re.compile(
    rf"^{SKIP}\s*(?:的)?[^。,,;;!?!?\n]{{0,8}}?(?:是|為|係|乃)?(?:我|敝人|本人|敝公司|業務|系統|同事|之前|先前)?(?:們)?(?:的)?\s?"
    r"(?:誤植|打錯|寫錯|誤載|筆誤|口誤|有誤|錯誤|弄錯|搞錯|記錯|看錯|說錯|不對(?!外)|錯的|錯了|不正確|不算數?|作廢|無效|誤會|誤傳|講錯|标错|標錯|誤寫|誤發)"
)
_WRONG_HEAD = re.compile(
    r"(?:誤植|誤載|誤寫|誤打|誤算|誤報|誤記|誤看|誤以為|誤|寫|打|記|看|說|聽|講|算|標|key|登記|印|填)(?:錯)?(?:成|為|作|了成|成了)[^。,,;;!?!?\n]{0,8}$|(?:以為|誤認)(?:是|為|在|要|會)?[^。,,;;!?!?\n]{0,8}$"
    r"|(?:誤植|誤載|錯寫|誤將|誤把)[^。,,;;!?!?\n]{0,12}$"
)
_TOLD = re.compile(r"(?:說|聽說|通知|告知|寫|寫著|公告|標示|報|提到|記得|講|告訴|答應|回覆|提供)[^。;;!?!?\n]{0,14}$")
_TRUE = re.compile(
    r"其實|實際|正確|才對|才是|應該是|應為|更正|確認後|查證|確認過|結果是|最後|事實上|正解|是[^,。]{0,3}$"
)
_REPLACE = re.compile(
    rf"^{SKIP}\s*(?:的|那)?[^。,,;;!?!?\n]{{0,8}}?(?:取消|沒了|作罷|泡湯|不辦|停辦|停駛|停開|停飛|刪掉|撤掉|退掉|額滿|客滿|滿了|廢止)"
)
_DECLINE = re.compile(
    rf"^{SKIP}\s*(?:的|那)?(?P<mid>(?![^,,]{{0,24}}(?:可以(?!嗎)|沒問題|方便嗎))[^。;;!?!?\n]{{0,22}}?)"
    r"(?:沒空|没空|不行|不方便|不便|沒辦法|有事|不能|卡到|撞期|撞到|衝突|衝到|額滿|客滿|滿了|滿席|訂滿|約滿|太趕|太晚|太早|太貴|來不及|趕不及|不考慮|先不用|不用了|用不到|不需要|不要(?!緊)|婉拒|不適合|不合適"
    r"|算了|超出預算|超過預算|無法(?!如期)|恕|抽不出|走不開|排不開|排滿|已有(?:約|安排|行程|其他)|另有(?:安排|行程|要事|會議)|有別的|有約|要上班|要加班|要值班|要開會|要出差|出差|pass|PASS|不太行|不可|不成|沒位|沒有位|不接受|難以|回不去|回不來|去不了|到不了|來不了|走不了|趕不回|抽不了|暫不|先不|不採用|不選|不買|不租|放棄|別理|不用理|不必理|別聽|不克|撤回|收回|別管|刪除|丟掉|銷毀|忽略|不理|刪掉)"
)
_STRONG = re.compile(r"接受|同意|配合|安排|額滿|客滿|訂滿|約滿")
_SOFTER = re.compile(
    r"要上班|要加班|要值班|要開會|要出差|出差|有事|不能|無法|不便|沒辦法|不可|恕|難以|不了|回不[去來]|趕不回|不克"
)
_MISSED = re.compile(r"趕不[上及到]|來不及|[去來到看]不了|沒空|沒辦法|不能|無法|錯過|不行|不克")
_ABSENT = re.compile(
    r"出席|參加|到校|到班|上班|到場|與會|上課|辦理|回覆|回信|接聽|聯絡|聯繫|使用|進出|服務|營業|請假|收信|登入|處理|轉帳|通行|停車|到公司|參與|改期|退|取消|更改|變更|延後|提供"
)
_OFFER = re.compile(
    r"可以|可否|方便|如何|好嗎|行嗎|OK|ok|改|是否|有空|沒問題|怎麼樣|怎樣|都行|比較|較|吧|嗎|才|再|恰當|可行|為宜|再約"
)
_THAT = re.compile(
    r"^\s*(?:但|可是|不過|只是|抱歉|不好意思|可惜)?[,,]?\s*(?:我|我們|敝公司|本人)?(?:這邊)?(?:那天|當天|那時|該日|該時段|這個時間|那個時間|這個價格|這個價錢|這金額)"
)
_PICK = re.compile(r"(?:之中|當中|中|兩(?:個|天|場|種|案|者)|之間|的話|二擇一|擇一|選一|,|,|\s)")
_CHOSEN = re.compile(
    r"(?:選|選擇|決定|就|挑|採用|我要|我們要|想要|訂|選定|報名)(?:選|訂|用|約|在|要|是|搭|以)?[^。,,;;!?!?\n]{0,8}$"
)
_REQUEST = re.compile(r"申請|請求|請款|要求|希望|爭取|求償|索賠|申報|請領")
_GRANT = re.compile(
    r"(?:只|僅|最多)(?:能|肯|願意|同意)?(?:核准|核給|核發|核定|核付|給付|批准|同意|准|給|補助|賠|通過|核銷|退)[^。,,;;!?!?\n]{0,6}$"
)
_HAGGLED = re.compile(r"(?:殺|砍|殺價|砍價|議價|議|講價|還價|凹)(?:到|成|至)(?:剩|只要|大約|約)?[^。,,\d]{0,4}$")
_SELF = re.compile(
    r"^[\s,,.…、]*(?:啊|喔|欸|呃)?[,,]?(?:不對|不是|更正|說錯|打錯|錯了|不)(?:了|啦)?[,,、:]\s*(?:是|應該是)?"
)
_PLAN = re.compile(
    r"預約|約|訂位|會議|開會|拜訪|面試|面談|看診|回診|門診|檢查|健檢|交期|出貨|送貨|配送|聚餐|出發|施工|安裝|維修|課|講座|說明會|餐敘|拍攝|勘查|行程|安排|班機|車票|訂單|場勘|活動|排定|參訪|簽約|驗收|入住|那場|的事|一事|掛號"
)


def _into(place: Setting, peer: Mention, start: int) -> bool:
    """Whether a verb of change between `start` and the peer leads to the peer."""
    slot = peer.start
    for other in sorted(place.others, key=lambda o: -o.end):
        if (
            start <= other.start
            and other.end <= slot
            and other.kind != "money"
            and re.fullmatch(r"[\s((週周星期禮拜一二三四五六日天))]*(?:的)?", place.text[other.end : slot])
        ):
            slot = other.start
    gap = place.text[start:slot]
    if _NO_CHANGE.search(gap) or not (_CHANGE_TO.search(gap) or _LOOSE_TO.search(gap)):
        return False
    return not re.search(r"(?:不變|照舊)[^,。]{0,4}$", gap)


def _begin(place: Setting, peer: Mention) -> int:
    """Where the clause chain of a peer begins: its sentence."""
    cut = max(place.text.rfind(mark, 0, peer.start) for mark in "。!?!?\n;")
    return cut + 1


def _denied(place: Setting) -> bool:
    if place.later and _SELF.match(place.tail) and len(place.between(place.later[0])) < 16:
        return True
    if re.match(rf"^{SKIP}(?:以外|除外)", place.tail) and re.search(r"除了?[^。,,]{0,4}$", place.head):
        return not re.search(r"^.{0,6}(?:也|還)", place.tail[4:])
    alone = not re.match(rf"^{SKIP}\s*的(?!話)", place.tail)
    if (
        place.mention.kind == "date"
        and alone
        and (_EXCEPT.search(place.head) or re.match(rf"^{SKIP}\s*除外", place.tail))
    ):
        return True
    if place.mention.kind == "date" and re.search(r"(?<!排)(?<!扣)(?<!解)除了?\s*$", place.head):
        rest = re.search(r"其他|其它|其餘|都|皆|任何|均|隨時|也|還|亦|另|又", place.tail)
        return rest is None or rest.group() not in "也還亦另又"
    found = _NEGATION.search(place.lead)
    if found is None or re.search(r"(?:是不是|不是不|莫非|除非|無非|非常|不是說|是非)[^。,,]{0,14}$", place.head):
        return False
    if re.match(rf"^{SKIP}[^。,,;;!!\n]{{0,10}}?(?:嗎|吗|不可|莫屬|[?？])", place.tail):
        return False
    if re.match(r"(?:不要|別|勿|毋須)", found.group()):
        return bool(place.peers) and not _KEEP.match(place.tail)
    return bool(place.peers) or not found.group().startswith("非")


def _moved(place: Setting) -> bool:
    """Whether a change leads away from the value, in this sentence."""
    if _KEEP.match(place.tail):
        return bool(
            place.later
            and re.match(rf"^{SKIP}(?:截止|前|為止)", place.tail)
            and re.search(r"(?:延|展)[^,。]{0,5}$", place.between(place.later[0]))
        )
    source = re.search(r"(?:由|從|自)[^。,,;;!?!?\n]{0,12}$", place.head)
    for peer in place.later:
        gap = place.between(peer)
        if _CONDITION.search(gap) and not re.search(r"的話", gap):
            continue
        if re.search(rf"^{SKIP}[^,,]{{0,6}}(?:維持|不變|照舊)", gap):
            continue
        if _NOW.search(place.said()) and not re.match(r"^\s*的|^[^。,,]{0,6}(?:原|要|那|會|課|約)", gap) and not source:
            continue
        if _into(place, peer, place.run[1]):
            return True
        if source and re.match(r"^[^。,,]{0,10}(?:到|至|成|為)", gap) and re.search(_VERB, gap):
            return True
    return bool(source and re.match(rf"^{SKIP}\s*(?:起)?\s*(?:改|調|移|延|提前|順延|變更|漲|降)", place.tail))


def _moved_later(place: Setting) -> bool:
    """Whether the planned slot of this sentence is moved in one of the next two."""
    planned = _PLAN.search(place.near[:22] + place.head[-16:]) or _MISSED.search(place.near[:22])
    if _KEEP.match(place.tail) or place.later or not planned:
        return False
    if _CONDITION.search(place.head[-12:]):
        return False
    soon = place.soon()
    if not soon:
        return False
    start = _begin(place, soon[0])
    lead = place.text[start : soon[0].start]
    return not _CONDITION.search(lead) and _into(place, soon[0], start) and not re.search(r"(?:由|從)", lead)


def _former(place: Setting) -> bool:
    """Whether the value is called the one of before, and another takes its place."""
    if _CURRENT.search(place.lead) and any(_into(place, p, _begin(place, p)) for p in place.peers):
        return True
    found = _OLD.search(place.lead)
    if found is None or not place.peers or _PERIOD.search(found.group()):
        return False
    if _HOLDS.search(found.group() + place.close[:6]):
        return False
    if re.match(r"原(?:則|因|告|料|廠|始|子|文|創|住)|先生|先進|誤餐|舊金山", found.group()):
        return False
    for peer in place.peers:
        if peer in place.later or peer in place.earlier or peer in place.soon():
            start = place.run[1] if peer.start > place.run[1] else _begin(place, peer)
            if _into(place, peer, start):
                return True
            gap = place.text[start : peer.start]
            if _STRONG_OLD.match(found.group()) and _NEW.search(gap) and not re.search(r"取消|停辦", gap):
                return True
    if re.match(r"(?:舊|更正前|變更前|調整前|修改前|更改前|誤)", found.group()):
        return bool(re.search(r"[::]", found.group()) or place.later)
    turned = re.search(r"不用|不要|不考慮|取消", place.near)
    return bool(_STRONG_OLD.match(found.group()) and turned and not re.search(r"取消", place.near))


def _overridden(place: Setting) -> bool:
    """Whether a value told, believed or charged by mistake gives way to the right one."""
    wrong = _WRONG.match(place.close)
    if (
        wrong
        and place.peers
        and not re.search(
            r"(?:沒|沒有|無|未)(?:打|寫|弄|搞)?[錯誤]|有沒有[錯誤]|(?:嗎|[?？])", place.close[: wrong.end() + 4]
        )
    ):
        return True
    if _WRONG_HEAD.search(place.lead) and re.search(r"錯|誤|以為|成[^成]{0,8}$", place.head[-16:]):
        strong = re.search(r"錯|誤|以為", place.head[-16:])
        return bool(place.peers) if not strong else True
    if _TOLD.search(place.head):
        for peer in place.later:
            gap = place.between(peer)
            if re.search(r"但|可是|不過|結果|其實|實際|才|應", gap) and re.search(
                r"其實|實際|正確|應該是|應為|事實上|才是|確認", gap
            ):
                return True
        if not place.later:
            return any(
                re.search(r"(?:正確|其實|實際|更正|應為|應該)[^。,,]{0,10}$", place.text[: p.start])
                for p in place.soon()[:1]
            )
    return False


def _declined(place: Setting) -> bool:
    span = place.near
    if _KEEP.match(place.tail) and not re.search(r"來不及|趕不|無法", span):
        return False
    if re.fullmatch(rf"{SKIP}\s*(?:至|到|~|〜|~|-|–)\s*", span) or (
        place.earlier and re.fullmatch(rf"{SKIP}\s*(?:至|到|~|〜|~|-|–)\s*", place.between(place.earlier[-1]))
    ):
        return False
    clause = re.split(r"[,,]", place.head)[-1]
    found = _DECLINE.match(span)
    if found and not _CONDITION.search(found["mid"] or "") and not _CONDITION.search(clause):
        rest = span[found.end() : found.end() + 8]
        if re.match(r"^.{0,5}(?:嗎|吗|[?？]|的話|時)", rest) or re.search(
            r"(?:會不會|能不能|可不可|方不)$", span[: found.start() + 0]
        ):
            return False
        offered = any(
            _OFFER.search(place.after(p)[:16] + place.between(p)[-8:] if p in place.later else place.after(p)[:16])
            for p in (*place.later, *place.soon())
        )
        loose = re.search(r"(?:不要|不用|不需要|先不|不考慮|暫不|刪.|忽略|算了)$", found.group())
        if len(re.findall(r"[,,]", found["mid"] or "")) > (0 if loose else 1):
            return False
        if not _STRONG.search(found.group() + rest[:4]) and (
            _ABSENT.search(found.group() + rest[:4]) or _SOFTER.search(found.group())
        ):
            return offered
        return True
    if place.following and not place.later:
        that = _THAT.match(place.following[0])
        if that:
            rest = place.following[0][that.end() :]
            refused = _DECLINE.match(rest)
            return refused is not None and not _ABSENT.search(rest[:20]) and not re.search(r"嗎|[?？]", rest)
    return False


def _dropped(place: Setting) -> bool:
    """Whether the value is called off for another, or loses against the one chosen or granted."""
    if _REPLACE.match(place.close):
        for peer in place.peers:
            if peer in place.earlier or peer in place.later or peer in place.soon():
                start = place.run[1] if peer.start > place.run[1] else _begin(place, peer)
                gap = place.text[start : peer.start]
                if _into(place, peer, start) or re.search(
                    r"(?:重新|另|重|再)(?:約|訂|排|預約|擇|掛)|換成|代替|補(?:辦|到|在)", gap
                ):
                    return True
    if re.match(rf"^{SKIP}\s*(?:之中|當中|中|這?兩(?:個|天|場|種|案)|的話|選一|擇一|二選一)", place.tail) or (
        re.search(r"還是|或", place.text[place.mention.start : place.run[1]])
        or re.search(r"(?:兩|二)(?:天|個)", place.head)
    ):
        return any(_CHOSEN.search(place.text[: o.start][-14:]) for o in (*place.later, *place.soon()[:1]))
    if place.mention.kind == "money" and any(
        _HAGGLED.search(place.between(p)) and not re.match(r"[^。]{0,6}[嗎吗??]", place.after(p))
        for p in place.later[:1]
    ):
        return True
    if place.mention.kind == "money" and _REQUEST.search(place.head[-12:]):
        return any(_GRANT.search(place.text[: p.start]) for p in (*place.later, *place.soon()[:1]))
    return False


_GRAMMAR = Grammar(_JOINT, _overridden, _denied, _declined, _moved, _moved_later, _former, _dropped)


def voided(text: str, mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether a Chinese text denies, replaces, declines or withdraws this mention, or only repeats a rejected word."""
    return _GRAMMAR.voids(text, mention, others)
