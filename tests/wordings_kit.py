"""What tests of texts share: reading a file of wordings, and what must hold of it in every language."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

TEXTS = Path(__file__).parent.parent / "fixtures" / "agentbench_markets" / "shared" / "text"
LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
SLOT = re.compile(r"\{([a-z_]+)\}")
SIMPLIFIED = set(
    "们这说时个国对发过还进车从开关间问题应该让给见长门东专业产亲众优会传伤价单卖卫厂历压厅变启员团围图场声处备复头夺奖妇学实宽导层"
    "岁师带币广庆库张归录总战户执扩护报择换损数断无旧显术机权条来杨极样档桥检楼欢气汉沟济测浅渐湾满潜热爱牵状独环现电疗盘码确离种积"
    "称稳竞笔类红约级纪纯纳组细织终绍经结绕统继续维绿编缘缩网罗职联脑节药获蓝虽补观规视览计订认议许设访证评识词译试话详语误请读课调"
    "谁负责败货质购费资输达运远连迟选邮释银错键锁闭队际陆险随难静顶项须预领频额风飞馆验"
)
SCRIPTS = {
    "ko": ("HANGUL",),
    "ja": ("HIRAGANA", "KATAKANA", "CJK", "IDEOGRAPHIC"),
    "zh-Hant": ("CJK",),
    "th": ("THAI",),
    "ar": ("ARABIC",),
    "en": ("LATIN",),
}


def load(language: str, file: str) -> dict[str, Any]:
    return tomllib.loads((TEXTS / language / f"{file}.toml").read_text(encoding="utf-8"))


def kinds(table: dict[str, Any], path: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Every text of a table as (path, wordings); a plain string has one wording, units and forms are no texts."""
    for key, value in table.items():
        name = f"{path}.{key}" if path else key
        if isinstance(value, str):
            yield name, [value]
        elif set(value) == {"variants"}:
            yield name, value["variants"]
        elif name not in ("units", "form"):
            yield from kinds(value, name)


def parts(wording: Any) -> dict[str, str]:
    return {"text": wording} if isinstance(wording, str) else dict(wording)


def slots(wording: Any) -> list[str]:
    return SLOT.findall(" ".join(parts(wording).values()))


def assert_says_the_same(
    own: Mapping[str, Sequence[Any]], english: Mapping[str, Sequence[Any]], spoken: Iterable[str] = ("particle",)
) -> None:
    """Require the kinds of the English texts, as many wordings, all different, with the slots of the English ones.

    Args:
        own: the wordings by kind.
        english: those of the English file.
        spoken: slots that only some languages have.
    """
    assert list(own) == list(english)
    for kind, wordings in own.items():
        assert len(wordings) == len(english[kind]), kind
        assert len({str(wording) for wording in wordings}) == len(wordings), kind
        for wording, other in zip(wordings, english[kind], strict=True):
            assert set(slots(wording)) - set(spoken) == set(slots(other)), (kind, wording)
            assert parts(wording).keys() == parts(other).keys(), kind
            for text in parts(wording).values():
                assert text == text.strip(), (kind, text)
                assert unicodedata.normalize("NFC", text) == text, (kind, text)


def assert_own_script(own: Mapping[str, Sequence[Any]], language: str) -> None:
    """Require nearly all letters to be of the language's script, and Chinese to be traditional."""
    for kind, wordings in own.items():
        for wording in wordings:
            text = SLOT.sub("", " ".join(parts(wording).values()))
            letters = [sign for sign in text if sign.isalpha()]
            of_script = [sign for sign in letters if unicodedata.name(sign).startswith(SCRIPTS[language])]
            assert len(of_script) >= 0.95 * len(letters), (kind, text)
            assert language != "zh-Hant" or not SIMPLIFIED & set(text), (kind, text)
