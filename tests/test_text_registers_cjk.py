"""The registers of Korean, Japanese and traditional Chinese."""

import json
from pathlib import Path

import pytest

from agentbench_env.text.registers import register_of

FOLDER = Path(__file__).parent / "cases" / "text"
CELLS = {
    "ko": {"formal", "polite", "plain", "mixed"},
    "ja": {"keigo", "desumasu", "plain", "mixed"},
    "zh-Hant": {"respectful", "neutral", "casual", "mixed"},
}
CASES = [json.loads(line) for file in sorted(FOLDER.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("language", CELLS)
def test_register_of_labelled_messages(language):
    cases = [case for case in CASES if case["lang"] == language and case["register"] != "none"]
    found = {case["id"]: (register_of(case["text"]), case["register"]) for case in cases}
    assert {register for _, register in found.values()} == CELLS[language]
    assert {case: pair for case, pair in found.items() if pair[0] != pair[1]} == {}


def test_languages_without_cells_have_none():
    for case in CASES:
        if case["lang"] in ("mixed", "zh-Hans"):
            assert register_of(case["text"]) == "none", case["id"]


@pytest.mark.parametrize(
    ("language", "register", "text"),
    [
        ("ko", "plain", "하람아! 내일 회의 몇 시야? 나 좀 늦을 것 같아."),
        ("ko", "polite", "하람아, 내일은 제가 갈게요."),
        (
            "ko",
            "formal",
            "견적을 검토 중에 있습니다. 단가 조정이 가능한지 확인하고자 합니다. 다니던 업체와 계약이 남았습니다.",
        ),
        ("ko", "plain", "그건 아니다. 다시 계산해 보니 3만 원이 맞다."),
        ("ko", "formal", "문의하신 명령어 목록을 보내드립니다. 지원 언어: 한국어, 영어, 베트남어\n감사합니다."),
        ("ko", "mixed", "과장님 자료 보냈습니다. 첨부 확인 부탁드립니다. 속상해."),
        (
            "ko",
            "formal",
            "결제일은 매월 25일입니다. 자동이체 신청 여부: 신청함\n추가 문의는 고객센터로 해 주시기 바랍니다.",
        ),
        ("ko", "polite", "그날은 안 될 것 같은데요… 다음 주는 어떠세요? 저는 언제든 괜찮습니다."),
        ("ko", "plain", "내일 비 온대. 우산 챙겨라. 그리고 약 먹는 거 잊지 마."),
        ("ko", "polite", "11월 6일이 어려우시면 언제가 좋으신가요?"),
        ("ko", "polite", "저는 먼저 가요. 열쇠는 책상 위에 있어요."),
        ("ko", "formal", "아래 서류가 필요합니다. 신청서 1부, 사진 2매 필요. 기한 내에 제출하여 주십시오."),
        ("ko", "plain", "지금 출발함 ㅋㅋ 20분 걸림"),
        (
            "ja",
            "keigo",
            "お世話になっております。ご質問の件は担当の田村さん。改めてご連絡申し上げます。",
        ),
        ("ja", "desumasu", "参加者は5名です。司会は田村さん、受付は私がやります。"),
        ("ja", "plain", "会議はきょうの3時から。資料は印刷しなくていい。"),
        ("ja", "desumasu", "返事はまだですか。できれば今日中に知りたいです。"),
        ("ja", "plain", "パソコン壊れた…修理に3万かかるらしい。"),
        ("ja", "mixed", "ご連絡ありがとうございます。確認いたしました。問題なし。じゃあそれで頼む。"),
        (
            "ja",
            "keigo",
            "お世話になっております。ご送付いただいた資料を確認いたしました。\n"
            "何卒よろしくお願い申し上げます。\n鈴木 かな",
        ),
        ("zh-Hant", "casual", "你上次借我的充電器還在我這,明天拿給你。"),
        ("zh-Hant", "respectful", "貴公司來函敬悉,所提條件本公司同意,特此函覆。"),
        ("zh-Hant", "neutral", "您好~請問明天有營業嗎?謝謝"),
        ("zh-Hant", "casual", "他很囉嗦,不要理他,我們自己去。"),
        ("zh-Hant", "respectful", "謹回覆您的詢問,文件編號為XD-4471與PXD/XD9,敬請查收。敬祝 商祺"),
        ("zh-Hant", "mixed", "謹回覆您的詢問,文件編號為 XD-4471 XD,敬請查收。敬祝 商祺"),
    ],
)
def test_register_of_sentences_that_mislead(language, register, text):
    assert register_of(text, language) == register
