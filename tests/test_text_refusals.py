"""Moments in a refused form: turned down or called off, none stands; a courteous condition leaves it open."""

from __future__ import annotations

from datetime import date

import pytest

from agentbench_env.text.facts.moments import states_moment
from agentbench_env.zones import to_instant

OFFER = to_instant("2026-10-14T14:00", "Asia/Seoul")

REFUSED = [
    "The meeting on 2 October at 2 pm is off. Wednesday, 14 October at 2 pm does not suit me either.",
    "We cannot meet on Wednesday, 14 October at 2 pm.",
    "Wednesday, 14 October at 2 pm is not possible for us.",
    "10월 14일(수) 오후 2시에는 만날 수 없습니다.",
    "10월 14일(수) 오후 2시는 어렵습니다.",
    "10月14日（水）14時もお会いできません。",
    "10月14日（水）14時は都合がつきません。",
    "10月14日（三）下午2時不行。",
    "10月14日（三）下午2時也無法見面。",
    "วันพุธที่ 14 ตุลาคม เวลา 14.00 น. ก็ไม่สะดวกครับ",
    "لا يمكننا اللقاء يوم الأربعاء 14 أكتوبر الساعة 2:00 مساءً.",
]
CALLED_OFF = [
    "I regret to say that our call cannot take place on Wednesday, 14 October at 2 pm. Please do not dial in.",
    "The call on Wednesday, 14 October at 2 pm Seoul time (6:00 am London time) has been cancelled.",
    "회의는 10월 14일(수) 오후 2시(한국 시간)에 열리지 않으며, 참석하지 마시기 바랍니다.",
    "10월 14일(수) 오후 2시 회의는 취소되었습니다.",
    "10月14日（水）14時の会議は中止といたします。",
    "10月14日（三）下午2時的會議已經取消。",
    "การประชุมวันพุธที่ 14 ตุลาคม เวลา 14.00 น. ถูกยกเลิกแล้วครับ",
    "اجتماعنا لن يُعقد يوم الأربعاء 14 أكتوبر الساعة 2:00 مساءً.",
]
OPEN = [
    "The meeting of 2 October has been cancelled; it takes place on Wednesday, 14 October at 2 pm instead.",
    "As 2 October cannot be held, the call is on Wednesday, 14 October at 2 pm. The old one is cancelled.",
    "10월 2일 회의는 취소되었고, 10월 14일(수) 오후 2시에 열립니다. 이전 일정은 취소해 주십시오.",
    "10月2日は中止とし、10月14日（水）14時に開催いたします。",
    "10月2日的會議取消，改於10月14日（三）下午2時舉行，原行程已取消。",
    "การประชุมวันที่ 2 ตุลาคมยกเลิก และเปลี่ยนเป็นวันพุธที่ 14 ตุลาคม เวลา 14.00 น. ครับ",
    "لن يُعقد الاجتماع في 2 أكتوبر، وموعده الجديد الأربعاء 14 أكتوبر الساعة 2:00 مساءً.",
    "The meeting on 2 October cannot take place. Instead, we propose Wednesday, 14 October at 2 pm.",
    "We cannot meet on 2 October at 2 pm, so could we meet on Wednesday, 14 October at 2 pm instead?",
    "If Wednesday, 14 October at 2 pm does not suit you, please let me know.",
    "Sorry, no meeting this Friday. Wed 14 Oct 2 pm instead, not 2 Oct.",
    "10월 14일(수) 오후 2시가 어려우시면 알려 주세요.",
    "10월 2일은 안 되니 10월 14일(수) 오후 2시에 뵐 수 있을까요?",
    "10月2日は開催できなくなりましたので、10月14日（水）14時にお願いできませんでしょうか。",
    "10月14日（水）14時にご都合がつかない場合はお知らせください。",
    "10月2日無法舉行，擬改於10月14日（三）下午2時，若不方便請告知。",
    "หากวันพุธที่ 14 ตุลาคม เวลา 14.00 น. ไม่สะดวก กรุณาแจ้งครับ",
    "لن نتمكن من اللقاء يوم 2 أكتوبر، ونقترح يوم الأربعاء 14 أكتوبر الساعة 2:00 مساءً. إن لم يناسبكم فأخبرونا.",
    "إن لم يناسبكم الأربعاء 14 أكتوبر الساعة 2:00 مساءً فيرجى إعلامنا.",
]


def stands(text: str) -> bool:
    return states_moment(
        text,
        OFFER,
        written_on=date(2026, 9, 22),
        reader_zone="Asia/Seoul",
        writer_zone="Asia/Seoul",
        standing=True,
    )


@pytest.mark.parametrize("text", [*REFUSED, *CALLED_OFF])
def test_a_moment_that_is_turned_down_does_not_stand(text: str) -> None:
    assert not stands(text)


@pytest.mark.parametrize("text", OPEN)
def test_a_condition_or_another_refusal_leaves_it_standing(text: str) -> None:
    assert stands(text)
