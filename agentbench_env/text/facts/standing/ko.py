"""Which mentions a Korean text itself takes back: denied, moved, declined, corrected, discounted or discarded."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.standing.cjk import SKIP, Grammar, Setting, setting

_JOINT = re.compile(
    r"\s*(?:[(（][^()（）\n]{0,6}[)）])?\s*(?:이나|나|와|과|도|이랑|랑|하고|또는|혹은|이든|든|및|,|·|/)\s*(?:또는"
    r"|혹은)?\s*"
)
_CHANGE = (
    r"(?:변경|바꾸|바꿔|바꿀|바꾼|바꿨|바뀌|바뀐|바뀔|바뀜|옮기|옮겨|옮겼|옮긴|옮길|옮김|연기|미루|미뤄|미룬|미뤘"
    r"|미룰|밀려|밀렸|밀린"
    r"|밀리|당겨|당기|당긴|당겼|당길|늦추|늦춰|늦췄|늦어|늦출|조정|수정|정정|인상|인하|올리|올려|올랐|올라|올린"
    r"|오르|오른|오릅|내리|내려"
    r"|내렸|내린|낮추|낮춰|낮췄|깎|할인|대체|개정|교체|연장|이동|전환|순연|재예약|단축|고치|고쳐|고쳤|잡히|잡혔|다시)"
)
_HOLDS = re.compile(
    r"그대로|기존과|기존대로|원래대로|동일|같(?:은|이|습|아|고)|변동 ?없|변경 ?없|변함 ?없|변경되지|바뀌지|유지"
)
_TARGET = re.compile(
    rf"^{SKIP}(?:으로|로|까지로?|에|부터로?|이나|나)?[^.?!\n]{{0,24}}?(?P<verb>{_CHANGE})(?P<rest>[^.!\n]{{0,18}})"
)
_TO = re.compile(
    rf"^{SKIP}(?:(?:까지|부터|차|편|건|자리|회차|타임|표|거|것|걸|수업|시간|쪽| 차| 편| 표| 자리| 수업)?(?:으로"
    rf"|로)(?!는)|까지\s?{_CHANGE}|에 (?:다시|하|보|만나|뵙)|(?:이|가) (?:됐|되|된)"
    rf"|{_CHANGE})"
)
_SOFT = re.compile(
    rf"^{SKIP}(?: ?(?:차|편|자리|회차|표|거|것|걸|수업|쪽|안))?(?:(?:으로|로) ?(?:하|해|할|했|부탁|잡|가능|될|되|됐"
    rf"|돼|확정|예약|결정|정해|진행|괜찮|바|옮|신청|맞|다시|안내)"
    rf"|에 (?:하|보|만나|뵙|봬|봐|볼|진행|열|모이)|(?:이|가) (?:됐|되|된)|(?:이)?(?:래|랍니다|라네|더라|에요|예요"
    rf"|입니다|라고|야|이야)"
    rf"|(?:으로|로)[ .,!~]*$|(?:이|가) (?:맞|정확|옳|새)|(?:은|는) (?:어떠|어때|어떨|괜찮|가능)|만 (?:내|받|주|청구))"
)
_REFUSED = re.compile(
    r"(?:하기|시기|기|되기|은|는|이|가|도|것은|건|하는 건|하는 것은)*\s?(?:어렵|어려|힘들|불가|안 ?(?:돼|되|됩)|못"
    r"|곤란|없)"
)
_OPEN = re.compile(
    r"^[가-힣]{0,5}?(?:으면|시면|다면|라면|면[ ,]|을까|까요|까\?|나요|가요|경우|려나|는지|은지|지요\?|죠\?)"
)
_KEEP_TAIL = re.compile(
    rf"^{SKIP}(?:까지(?!였|이던|로|인데|라고)|부터(?!였)|부로|자로|이후|전(?:에|까지)|이내|안에|내로|마다)"
)
_NOW = re.compile(r"오늘|금일|방금|지금|어제|아까")
_NOUN_NEXT = re.compile(r"^(?:의)?\s?(?!저|제|우리|저희)[가-힣]{1,8}(?:\s[가-힣]{1,6})?(?:을|를|이|가|은|는|도)\s")
_CONDITION = re.compile(r"[가-힣](?:으면|시면|다면|하면|되면|오면|주면|라면|면),?\s")

_DENY = re.compile(
    rf"^{SKIP}(?P<np>\s?[가-힣A-Za-z]{{1,8}}(?: [가-힣]{{1,6}})?)??(?:이|가|은|는|로|으로|에|에가|까지|까지가|부터"
    rf"|부터가)?\s?"
    r"(?:아니라(?!면)|아니고|아니며|아닌(?!가|지)|아니었|아닙니다|아니에요|아녜요|아니야(?!\?)|아냐(?!\?)|아니니"
    r"|아님|아니랍|아니래|아니예요"
    r"|말고(?!도)|대신(?!\s?(?:받|가|해|전|참|출|연락|내 ))|빼고|만 아니면|말곤|말고는)"
)
_EXCEPT = re.compile(
    rf"^{SKIP}(?: ?하루)?(?:은|는|을|를|만|이|가|도)?\s?"
    r"(?:제외(?!하지|되지| ?없)|빼(?:고|곤|면|놓)|말고(?!도)|말곤|열외)"
)
_ONLY = re.compile(r"뿐|만이? ?아니라|만 아니라")
_ASKED = re.compile(r"(?:아닙니까|아니에요|아닌가요|아니야|아니죠)\?")
_FROM = re.compile(rf"^{SKIP}(?:\s?[가-힣]{{1,6}})?에서(?!도|는 )")
_RANGE = re.compile(rf"^{SKIP}(?:까지|사이|정도 사이)")
_FORMER = re.compile(
    r"(?:원래|당초|기존|애초|본래|종전|변경 ?전|정정 ?전|수정 ?전|인상 ?전|할인 ?전|정상가|(?<![확한조책])정가"
    r"|(?<!회)원가|소비자가|출고가"
    r"|처음(?:엔|에는|에|은|의|안내|말씀|공지|계획|예정|정한|나온)?|예전|이전|앞서|아까|지난번|(?<![오이일월])전에"
    r"|먼저|최초"
    r"|(?<![가-힣])구(?=\s?[):]))[^.,!?\n]{0,24}$"
)
_PERIOD = re.compile(r"작년|지난(?!번)|전월|전년|저번|올 초|\d월분|지난달|재작년")
_PAST = re.compile(r"(?:이었|였|이던|던|었|았|했|렸|셨|졌|됐)")
_TURN = re.compile(r"(?:는데|은데|인데|지만|으나|다가|더니|데요|던|만,|거|걸|게 |것을|것이|건데|줄)")
_ACTION = re.compile(rf"^{SKIP}에\s?(?:신청|주문|접수|결제|구매|발송|받|보냈|보낸|보내|샀|산 |입금|도착|시작)")
_TOLD = re.compile(
    rf"^{SKIP}(?:으로|로|이라고|라고|에|까지라고|부터라고|이라|라|까지|인 걸로|인 것으로|은|는|이|가)?\s?(?:잘못\s?)?"
    r"(?:예정|예약|안내|약속|계획|잡|공지|신청|말씀|하기로|보기로|만나기로|되어|돼|알|생각|통보|전달|적|기재|쓰|써"
    r"|표기|들었|나와|나왔"
    r"|얘기|견적|나갔|나간|올라|찍|되었|됐|하셨|하신|했|그랬|썼|보냈|듣|떠|뜨|기억|청구|고지|제안)"
)
_TRUE = re.compile(r"맞|사실|실제|정확|알고 ?보니|확인해 ?보니|정정|바로|올바|옳|결국|결과|확정|더라|이래|래요|정해")
_WRONG = re.compile(
    rf"^{SKIP}(?:[가-힣]{{1,6}}\s?)?(?:이라고|라고|으로|로|이라|은|는|이|가)?\s?(?:[가-힣]{{1,8}}\s){{0,3}}?"
    r"(?:잘못|오기|오타|착오|틀렸|틀린|틀려|오류|실수|오산|무효|오인|착각)"
)
_WRONG_HEAD = re.compile(r"(?:잘못|실수로|착오로)\s?[가-힣]{1,8}\s?[가-힣 ]{0,8}$")
_BELIEF = re.compile(rf"^{SKIP}인\s?줄|^{SKIP}(?:으로|로) (?:착각|오해|잘못|오인)")
_DROP = re.compile(
    rf"^{SKIP}(?:\s?[가-힣]{{1,8}}){{0,3}}?(?:은|는|을|를|이|도|건|로)?\s?(?:그냥 |모두 |이제 |더 이상 )?"
    r"(?:버리|버려|무시|폐기|삭제|빼(?!고)|지워|지우|잊|철회|거절|사양|포기|접기로|접었|안 하기|하지 않기|없던 일"
    r"|반려|거부|보류|탈락)"
)
_GONE = re.compile(
    rf"^{SKIP}(?:\s?[가-힣]{{1,8}}){{0,3}}?(?:은|는|을|를|이|가|도|건)?\s?(?:[가-힣]{{1,6}}(?:로|으로|어|아|서)? )?"
    r"(?:없어|폐지|사라|운휴|취소|무산|못 하게|빠지|빠졌|파투|중단|결항|접)"
)
_DECLINE = re.compile(
    rf"^{SKIP}(?P<np>\s?[가-힣]{{1,8}})?(?:은|는|이|가|도|엔|에는|에도|에|로는|으로는|까지는|까지도|부터는|로|으로"
    rf"|까지|요)"
    r"(?P<mid>(?!.{0,30}(?:가능하|괜찮|좋[아은을습]|됩니다))[^.!?\n]{0,30}?)"
    r"(?:안 ?(?:돼|되(?!시)|됩|될|맞)|어렵|어려|힘들|힘드|불가|무리|곤란|못 |선약|겹치|겹쳐|겹쳤|겹칩|(?:다|꽉) ?찼"
    r"|만석|만실|매진|마감(?:되|됐)"
    r"|피해|피하|사양|자리가 ?없|빈 ?자리가|촉박|빠듯|비싸|부담(?:스|돼|되|이 )|예산(?:을|이)? ?(?:초과|넘)|너무 )"
)
_UNACCEPTED = re.compile(
    rf"^{SKIP}(?:(?:의|이라는|에 대한)?\s?[가-힣]{{1,6}}(?: [가-힣]{{1,6}})?)?(?:은|는|을|를|에|에는|으로는)\s"
    r"[^.!?\n]{0,24}?(?:받아들일|수용할|수락할|승낙할|응할|승인할|맞춰 ?드릴) 수(?:는|가)? ?없"
)
_WEAK = re.compile(
    rf"^{SKIP}(?:은|는|이|에|엔|에는)\s?[^.!?\n]{{0,24}}?(?:출장|휴가|외근|연차"
    rf"|(?:다른|선|별도) ?(?:일정|약속|회의)|일정이 (?:있|잡)"
    rf"|약속이 있|공휴일|휴무|휴일|쉬는|알바|일이 있|[가-힣]{{1,8}}이?라서? |때문에|관계로)"
)
_OFFER = re.compile(
    r"어떠|어때|어떨|괜찮|가능|될까|었으면|았으면|뵈|뵙|되나|되세|좋을|부탁|대신|(?:으로|로) (?:잡|하|해|할"
    r"|변경|옮|바꾸)|[은는] (?:돼|됩|비)"
)
_ABSENT = re.compile(
    r"참석|참여|출석|출근|연락|통화|전화|답변|회신|응답|접속|근무|이용|등교|등원|영업|운영|회의에|모임에|자리를"
    r"|못 가|못 봐"
)
_THAT = re.compile(
    r"^\s*(?:그런데 |근데 |하지만 |다만 |아쉽게도 |죄송하지만 )?(?:그날|그 날|그 시간|그때|그 금액|그 가격)(?:은|는"
    r"|엔|에는|이|도)\s?"
)
_PICK = re.compile(r"(?:중에서?|가운데|중)\s")
_CHOSEN = re.compile(
    rf"^{SKIP}(?:\s?[가-힣A-Z]{{1,6}}){{0,2}}?(?:으로|로|을|를)\s?(?:하|할|했|해|부탁|선택|고르|골|결정|정하|정했"
    rf"|진행|예약|신청|갈|가|확정|잡|주문|계약)"
)
_REQUEST = re.compile(r"요청|신청|청구|희망|제안|요구|부탁")
_GRANTED = re.compile(
    rf"^{SKIP}(?:만|까지만|밖에|으로|로)?[^.\n]{{0,12}}?(?:승인|인정|지급|허가|가능하|결재|반영|환불|보상)"
)
_SELF = re.compile(rf"^{SKIP}[,.…~ ]*\s?(?:아니|앗|아차|아 참|정정)(?!라|고|며|면|에|야|었|지)[,.…~! ]*")
_PLAN = re.compile(
    r"예약|예정|회의|미팅|약속|방문|일정|면접|상담|수업|진료|납기|배송|건[으이은,]|건 |모임|출발|체크인|계약|점검"
    r"|설치|강의|세미나|공연|식사"
    r"|잡|만나|보기로|신청|촬영|레슨|견적|검진|인터뷰|점심|저녁"
)

_MISSED = re.compile(r"(?<![가-힣])못 ?[가-힣]|놓[쳐쳤치친칠]|늦[을었겠]|안 ?(?:돼|될|되|맞)|무리|힘들|어려")

_CURRENT = re.compile(r"(?:현재|지금) (?:예약|일정|약속|신청|등록|날짜|시간|잡|되어|금액)[^.,!?\n]{0,14}$")
_INTENDED = re.compile(rf"^{SKIP}(?:까지)?(?:으로|로|에) [가-힣]{{1,4}}려(?:다|고 ?했|던|했)")
_PLANNED = re.compile(
    rf"^{SKIP}(?:까지)?(?:으로|로|에)? ?(?:[가-힣]{{1,6}}기로|예정|예약|약속|계획|잡|신청|안내"
    rf"|공지)[가-힣 ]{{0,6}}?(?:된|되었던|됐던|이던|던|한|했던|인|하신|힌) "
    r"[^.,]{1,16}?(?:은|는|이|가|을|를),? "
)
_INSTEAD = (
    re.compile(
        rf"^{SKIP}(?:에|에나|으로|로) ?(?:[가-힣]{{1,6}}(?:을|를)? )?(?:진행|하고자|하려|실시|열|뵙|보|드리|방문"
        rf"|찾아|하겠|할|해|안내|가능|될|발송|출고|도착|개최|시작)"
        rf"|^{SKIP}(?:은|는) (?:어떠|어때|어떨|괜찮)"
    ),
    re.compile(rf"^{SKIP}까지"),
)


def _target(place: Setting, peer: Mention) -> bool:
    """Whether a change in this sentence leads to the peer."""
    after = place.after(peer)
    found = _TARGET.match(after)
    if found is None or not _TO.match(after):
        return False
    return not _REFUSED.match(found["rest"]) or bool(_OPEN.match(re.sub(_REFUSED, "", found["rest"], count=1)))


def _turned(place: Setting, peer: Mention) -> bool:
    return _target(place, peer) or _SOFT.match(place.after(peer)) is not None


def _denied(place: Setting) -> bool:
    if place.mention.kind == "date" and _EXCEPT.match(place.tail):
        return True
    found = _DENY.match(place.tail)
    if found is None or _ASKED.search(place.close[:14]) or _ONLY.search(found.group()):
        return bool(place.later and _SELF.match(place.close) and len(place.between(place.later[0])) < 14)
    return not found["np"] or bool(place.later or place.earlier)


def _moved(place: Setting) -> bool:
    """Whether a change leads away from the value, in this sentence or the next two."""
    if _INTENDED.match(place.tail):
        return True
    if _FROM.match(place.tail):
        if place.mention.kind == "money" and re.search(r"할인|깎|인하|세일|DC", place.near):
            return True
        if place.later:
            after = place.after(place.later[0])
            return not _RANGE.match(after) and bool(
                re.match(rf"^{SKIP}(?:으로|로)", after) or _turned(place, place.later[0])
            )
        return re.search(_CHANGE, place.near[:24]) is not None
    if place.later and re.match(
        rf"^{SKIP}[^,.]{{0,12}}?(?:예정|계획)(?:이었|였|했)(?:으나|는데|지만|다가)", place.near
    ):
        return True
    planned = _PLANNED.match(place.near)
    if planned and place.later and not _CONDITION.search(place.near):
        due = re.match(rf"^{SKIP}까지", place.tail) is not None
        if any(_INSTEAD[due].match(place.after(p)) for p in place.later):
            return True
    if re.match(rf"^{SKIP}부터 ", place.tail) and len(place.later) > 1:
        last = place.later[0]
        if re.match(rf"^{SKIP}까지", place.after(last)):
            return _moved(setting(place.text, last, place.others, _JOINT))
    if _KEEP_TAIL.match(place.tail):
        return bool(
            place.later
            and re.match(rf"^{SKIP}까지", place.tail)
            and re.match(
                rf"^{SKIP}까지로?\s?[^.]{{0,10}}(?:연장|늦추|늦춰|미루|미뤄|변경)", place.after(place.later[0])
            )
            and not _CONDITION.search(place.between(place.later[0]))
        )
    for peer in place.later:
        gap = place.between(peer)
        if _CONDITION.search(gap) or _HOLDS.search(gap):
            continue
        if _NOW.search(place.said()) and not (
            _NOUN_NEXT.match(gap) or re.match(rf"^\s?(?:[가-힣]{{1,3}}\s)?(?:{_PLAN.pattern})", gap)
        ):
            continue
        if _target(place, peer):
            return True
        if _SOFT.match(place.after(peer)) and not _ACTION.match(place.tail):
            used = re.match(rf"^{SKIP}[^,.]{{0,10}}던\s?(?:거|것|걸|게|데)?", gap)
            was = re.match(rf"^{SKIP}(?:이었|였|이던|인)[^,.]{{0,4}}", gap) and _TURN.search(gap)
            if used or (was and not _PERIOD.search(place.head)):
                return True
    return False


def _moved_later(place: Setting) -> bool:
    """Whether the planned slot of this sentence is moved in one of the next two."""
    planned = _PLAN.search(place.near[:26] + place.head[-14:]) or _MISSED.search(place.near[:26])
    if _KEEP_TAIL.match(place.tail) or not planned or place.later:
        return False
    reach = place.sentence[1] + sum(map(len, place.following)) + 4
    for peer in place.peers:
        if not place.sentence[1] <= peer.start < reach:
            continue
        return _target(place, peer) and not _HOLDS.search(place.after(peer)[:12])
    return False


def _former(place: Setting) -> bool:
    """Whether the value is called the one of before, and another takes its place."""
    if _CURRENT.search(place.lead) and any(_target(place, p) for p in place.peers):
        return True
    found = _FORMER.search(place.lead)
    if found is None or _HOLDS.search(found.group() + place.close[:12]):
        return False
    if not place.peers:
        return re.match(rf"^{SKIP}(?:[가-힣]{{1,3}} )?(?:이었|였)", place.close) is not None
    if _PERIOD.search(found.group()):
        return False
    if re.search(r"취소|중단|무산", place.tail) and not any(_turned(place, p) for p in place.peers):
        return False
    gap = found.group()
    return any(
        _turned(place, p) or p in place.later or p in place.earlier or _PAST.search(place.close) or ":" in gap
        for p in place.peers
    )


def _overridden(place: Setting) -> bool:
    """Whether a value told, believed or charged by mistake gives way to the right one."""
    if _BELIEF.match(place.tail):
        return True
    wrong = _WRONG.match(place.close) or _WRONG_HEAD.search(place.lead)
    if wrong and place.peers and not re.search(r"(?:잘못|오류|착오|실수)(?:이|은|는|가)? ?(?:없|아니)", place.close):
        return True
    if not _TOLD.match(place.tail) or _ACTION.match(place.tail):
        return False
    for peer in place.later:
        gap = place.between(peer)
        if _TURN.search(gap) and not _CONDITION.search(gap):
            own = re.search(r"안내|말씀드|적었|썼|보냈|공지|드렸|알고|생각|기억", gap)
            plainly = re.match(rf"^{SKIP}(?:이에요|예요|입니다|이야|야)(?!\?)", place.after(peer))
            if (
                own
                or (plainly and not _PERIOD.search(place.lead))
                or _TRUE.search(gap[4:])
                or _TRUE.search(place.after(peer)[:14])
            ):
                return True
    if place.later:
        return False
    return any(
        re.match(rf"^{SKIP}(?:이|가) (?:맞|정확|옳)", place.after(p))
        or re.search(r"(?:정정|실제|사실|정확)[^.]{0,10}$", place.text[: p.start])
        for p in place.soon()
    )


def _declined(place: Setting) -> bool:
    span = place.near
    if re.match(rf"^{SKIP}부터", span) or re.search(r"부터\s*$", place.head):
        return False
    found = _DECLINE.match(span)
    if found and not _OPEN.match(span[found.end() :]) and not _CONDITION.search(found["mid"] or ""):
        if not _ABSENT.search(found.group() + span[found.end() : found.end() + 14]):
            return True
        return any(_OFFER.search(place.after(p)) for p in (*place.later, *place.soon()))
    if re.match(
        rf"^{SKIP}(?: ?[가-힣]{{1,6}}){{1,2}}?(?:은|는|이|가)? ?(?:매진|만석|만실|다 찼|꽉 찼)(?!이면|일|되면|인가)",
        span,
    ):
        return True
    if place.mention.kind == "money" and _UNACCEPTED.match(span) and not _CONDITION.search(span):
        return True
    if _WEAK.match(span):
        return any(_OFFER.search(place.after(p)[:24]) for p in (*place.later, *place.soon()[:1]))
    if place.following and not place.later:
        that = _THAT.match(place.following[0])
        if that:
            rest = "은 " + place.following[0][that.end() :]
            refused = _DECLINE.match(rest)
            return refused is not None and not _ABSENT.search(rest) and not _OPEN.match(rest[refused.end() :])
    return False


def _dropped(place: Setting) -> bool:
    """Whether the value is thrown away, called off for another, or loses against the one chosen or granted."""
    if _DROP.match(place.close) and not re.search(
        r"(?:말|않|마세|면 (?!되|돼|됩))", place.close[:24].partition("하지 않기")[0]
    ):
        return True
    if _GONE.match(place.close) and not _CONDITION.search(place.close[:20]):
        again = (*place.later, *place.soon())
        fresh = re.compile(r"대신|다시|새로|이후|첫|변경|옮")
        if any(
            (_turned(place, p) and (fresh.search(place.text[place.run[1] : p.start]) or p in place.later))
            or re.search(r"대신[^.]{0,12}$", place.text[place.run[1] : p.start])
            or (p in place.later and re.search(r"첫", place.after(p)[:8]))
            for p in again
        ):
            return True
    if place.text[place.run[1] :][:24] and _PICK.match(re.sub(rf"^{SKIP}", "", place.tail).lstrip()[:4]):
        mine = [o for o in (*place.later, *place.soon()) if _CHOSEN.match(place.after(o))]
        return bool(mine)
    if place.mention.kind == "money" and _REQUEST.search(place.head[-16:] + place.close[:10]):
        return any(
            re.match(rf"^{SKIP}(?:만|까지만)", place.after(p)) and _GRANTED.match(place.after(p))
            for p in (*place.later, *place.soon()[:1])
        )
    return False


_GRAMMAR = Grammar(_JOINT, _overridden, _denied, _declined, _moved, _moved_later, _former, _dropped)


def voided(text: str, mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether a Korean text denies, replaces, declines or withdraws this mention, or only repeats a rejected word."""
    return _GRAMMAR.voids(text, mention, others)
