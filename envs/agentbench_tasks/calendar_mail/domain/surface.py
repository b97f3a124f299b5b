"""What the tasks of mail and calendar have alike on their surface: tools in groups."""

from __future__ import annotations

from agentbench_env.tool import Tool
from agentbench_tasks.calendar_mail.domain.cal_read import CalGetEvent, CalQueryFreeBusy
from agentbench_tasks.calendar_mail.domain.cal_write import (
    CalCreateEvent,
    CalDeleteEvent,
    CalRespondInvite,
    CalUpdateEvent,
)
from agentbench_tasks.calendar_mail.domain.invites import CalReadInvite
from agentbench_tasks.calendar_mail.domain.mail_read import MailGetThread
from agentbench_tasks.calendar_mail.domain.mail_write import MailForwardMessage, MailMoveMessage
from agentbench_tasks.commons.contacts import ContactsSearch
from agentbench_tasks.commons.days import HolidaysListDays
from agentbench_tasks.commons.drafts import MailCreateDraft, MailDiscardDraft, MailSendDraft, MailUpdateDraft
from agentbench_tasks.commons.event_list import CalListEvents
from agentbench_tasks.commons.messages import FilesReadAttachment, MailGetMessage, MailSearchMessages
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.zones import ClockZoneInfo

READ_MAIL: tuple[type[Tool], ...] = (MailSearchMessages, MailGetMessage, MailGetThread, FilesReadAttachment)
WRITE_MAIL: tuple[type[Tool], ...] = (MailCreateDraft, MailUpdateDraft, MailDiscardDraft, MailSendDraft)
MOVE_MAIL: tuple[type[Tool], ...] = (MailForwardMessage, MailMoveMessage)
READ_CALENDAR: tuple[type[Tool], ...] = (CalListEvents, CalGetEvent, CalQueryFreeBusy, CalReadInvite)
WRITE_CALENDAR: tuple[type[Tool], ...] = (CalCreateEvent, CalUpdateEvent, CalDeleteEvent, CalRespondInvite)
LOOK_UP: tuple[type[Tool], ...] = (ContactsSearch, PagesSearch, PagesGet, HolidaysListDays, ClockZoneInfo)
