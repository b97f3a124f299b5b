"""Forms of address and salutations for everybody; what a note lists and whom it names."""

from __future__ import annotations

import pytest

from agentbench_env.text.address import address_form_ok, addresses_everybody
from agentbench_env.text.items import items, listed, lists, names_in

LEE, CHOI = ["이 이사님", "이준호 이사님"], ["최이 이사님"]
YAMAMOTO, OYAMAMOTO = ["山本様", "山本 恵子様"], ["大山本様"]
TAN, TANAKA = ["Mr Tan", "Mr Tan Wei Ming"], ["Mr Tanaka"]
SOMCHAI, SOM = ["คุณสมชาย"], ["คุณสมศักดิ์"]


@pytest.mark.parametrize(
    ("text", "forms", "others", "right"),
    [
        ("이 이사님, 안녕하십니까. 일정을 알려 드립니다.", LEE, [CHOI], True),
        ("이이사님께, 일정을 알려 드립니다.", LEE, [CHOI], True),
        ("이준호\n이사님, 안녕하십니까.", LEE, [CHOI], True),
        ("최이 이사님, 안녕하십니까.", LEE, [], False),
        ("최이 이사님, 안녕하십니까.", LEE, [CHOI], False),
        ("최이 이사님, 안녕하십니까.", CHOI, [LEE], True),
        ("이 이사님, 최이 이사님, 안녕하십니까.", LEE, [CHOI], False),
        ("이준호 씨, 안녕하십니까.", LEE, [], False),
        ("이준호님, 안녕하십니까.", LEE, [], False),
        ("안녕하십니까. 일정을 알려 드립니다.", LEE, [], False),
        ("안녕하십니까.\n> 이 이사님, 확인 바랍니다.", LEE, [], False),
        ("山本様 いつもお世話になっております。", YAMAMOTO, [OYAMAMOTO], True),
        ("山本　様\nお世話になっております。", YAMAMOTO, [OYAMAMOTO], True),
        ("山本恵子 様\nお世話になっております。", YAMAMOTO, [OYAMAMOTO], True),
        ("北関物産株式会社 営業部\n山本様", YAMAMOTO, [OYAMAMOTO], True),
        ("山本さん お疲れさまです。", YAMAMOTO, [], False),
        ("大山本様 お世話になっております。", YAMAMOTO, [OYAMAMOTO], False),
        ("林經理您好:感謝您的來信。", ["林經理"], [["王經理"]], True),
        ("林 經理 您好", ["林經理"], [["王經理"]], True),
        ("林先生您好", ["林經理"], [], False),
        ("林經理、王經理您好:", ["林經理"], [["王經理"]], False),
        ("เรียน คุณสมชาย ขอเรียนแจ้ง", SOMCHAI, [SOM], True),
        ("เรียน คุณ สมชาย", SOMCHAI, [SOM], True),
        ("เรียน คุณสมชายครับ", SOMCHAI, [SOM], True),
        ("เรียน คุณสมศักดิ์", SOMCHAI, [SOM], False),
        ("เรียน ท่านสมชาย", SOMCHAI, [], False),
        ("الأستاذة مريم المحترمة، تحية طيبة", ["الأستاذة مريم"], [["الأستاذ فيصل"]], True),
        ("الأستاذ مريم المحترم، تحية طيبة", ["الأستاذة مريم"], [], False),
        ("الأستاذة/ مريم المحترمة،", ["الأستاذة مريم"], [], True),
        ("Dear Mr Tan,", TAN, [TANAKA], True),
        ("Dear Mr. Tan,", TAN, [TANAKA], True),
        ("Ｄｅａｒ Ｍｒ Ｔａｎ，", TAN, [TANAKA], True),
        ("Dear Mr Tanaka,", TAN, [TANAKA], False),
        ("Dear Mr Tan and Mr Tanaka,", TAN, [TANAKA], False),
        ("Dear Mr\nTan,", TAN, [TANAKA], True),
        ("Dear Ms Tan,", TAN, [], False),
        # A form inside a longer one is not said; a form of both is nobody else's.
        ("Dear Mr Tan Wei Ming,", ["Mr Tan Wei Ming"], [["Mr Tan"]], True),
        ("Dear Mr Tan Wei Ming,", ["Mr Tan"], [["Mr Tan Wei Ming"]], False),
        ("김 과장님, 안녕하십니까.", ["김 과장님", "김서윤 과장님"], [["김 과장님", "김민수 과장님"]], True),
    ],
)
def test_the_reader_alone_is_addressed(text, forms, others, right):
    assert address_form_ok(text, forms, others) is right


def test_others_may_be_spoken_of_where_that_is_asked():
    text = "Dear Mr Tan,\n\nMr Tanaka will join us.\n\nKind regards"
    assert not address_form_ok(text, TAN, [TANAKA])
    assert address_form_ok(text, TAN, [TANAKA], third_person=True)
    assert not address_form_ok("Dear Mr. Tan, dear Mr. Tanaka,\n\nThank you.", TAN, [TANAKA], third_person=True)
    assert not address_form_ok("Dear Mr Tanaka,\n\nMr Tan, too, will join.", TAN, [TANAKA], third_person=True)


@pytest.mark.parametrize(
    ("language", "text", "right"),
    [
        ("ko", "안녕하십니까. 9월 23일까지 부재중입니다.", True),
        ("ja", "お世話になっております。不在にしております。", True),
        ("zh-Hant", "您好:本人請假中。", True),
        ("th", "เรียน ผู้ติดต่อ ขอเรียนแจ้งว่าดิฉันลา", True),
        ("ar", "السادة الكرام المحترمين، أنا خارج المكتب.", True),
        ("en", "Dear Sir or Madam, I am away from the office.", True),
        ("en", "I am away from the office.", False),
        ("ja", "不在にしております。", False),
    ],
)
def test_salutations_for_everybody(language, text, right):
    assert addresses_everybody(text, language) is right


THREADS = {
    "truck": ("PO-26-0418", "지게차 구매 승인 요청의 건"),
    "quote": ("Q-1107", "견적 할인율 결정 요청드립니다"),
    "contract": ("K-220", "保守契約の更新可否についてのご判断"),
}
PEOPLE = {
    "oh": ["오세준 전무님", "오 전무님"],
    "park": ["박지훈 대리", "박 대리님", "박지훈 대리님"],
    "jun": ["Jun Lim"],
}

NOTES = [
    (
        "박지훈 대리님, 안녕하세요.\n제가 부재중인 동안 결정이 필요한 건입니다.\n\n"
        "- [PO-26-0418] 지게차 구매 승인 – 담당: 오세준 전무님(한도 초과)\n"
        "- 견적 Q-1107 할인율 → 박지훈 대리\n\n감사합니다.",
        {"truck": {"oh"}, "quote": {"park"}},
    ),
    (
        "1. [PO-26-0418] 지게차 구매 승인\n   - 담당: 오세준 전무님\n   - 사유: 한도 초과\n"
        "2. Q-1107 견적\n   담당: 박지훈 대리\n\n3. 契約 K-220\n담당: 박 대리님",
        {"truck": {"oh"}, "quote": {"park"}, "contract": {"park"}},
    ),
    (
        "| 건 | 담당 |\n|---|---|\n| PO-26-0418 | 오 전무님 |\n| Q-1107 | 박지훈 대리 |",
        {"truck": {"oh"}, "quote": {"park"}},
    ),
    (
        "■ 박지훈 대리 담당\n - Q-1107\n - K-220\n■ 오세준 전무님 담당\n - PO-26-0418",
        {"truck": {"oh"}, "quote": {"park"}, "contract": {"park"}},
    ),
    (
        "오세준 전무님:\n- 지게차 구매 승인 요청의 건\n박지훈 대리님:\n- 견적 할인율 결정 요청드립니다",
        {"truck": {"oh"}, "quote": {"park"}},
    ),
    (
        "[PO-26-0418] 지게차 구매 승인\n담당: 오세준 전무님\n\n[Q-1107] 할인율 결정\n담당: 박지훈 대리",
        {"truck": {"oh"}, "quote": {"park"}},
    ),
    ("박지훈 대리님, 부탁드립니다.\n\n- Q-1107\n- PO-26-04180 건은 무관", {"quote": set()}),
    ("- Ｑ－１１０７: 박지훈 대리 / 오 전무님", {"quote": {"park", "oh"}}),
    ("[PO-26-0418] forklift purchase, approval – owner: Jun Lim", {"truck": {"jun"}}),
    ("Nothing waits for me.", {}),
    ("참고용\n- 지게차 구매 승인", {}),
    ("참고용\n- 지게차 구매 승인 요청", {"truck": set()}),
    ("> - Q-1107 박지훈 대리", {}),
]


@pytest.mark.parametrize(("body", "wanted"), NOTES)
def test_what_a_note_lists_and_whom_it_names(body, wanted):
    assert listed(body, THREADS, PEOPLE) == wanted


def test_entries_of_a_note():
    assert [item.text for item in items("a:\n\n1. b\n   c\n2) d\n\n• e")] == ["a:", "b\nc", "d", "e"]
    assert lists("契約 K-220 の件", "K-220", "")
    assert not lists("契約 K-2201 の件", "K-220", "")
    assert lists("about THE LEASE RENEWAL  2026", "", "The lease renewal 2026")
    assert names_in("Jun Lim and Jun Limpo", PEOPLE) == {"jun"}
