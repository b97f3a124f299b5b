"""The tools of the domain in the groups of which its boundaries speak; every task mounts all of them."""

from __future__ import annotations

from agentbench_env.tool import Tool
from agentbench_tasks.commons.calc import CalcEvaluate
from agentbench_tasks.commons.days import HolidaysListDays
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.papers import PapersGet, PapersList
from agentbench_tasks.commons.zones import ClockZoneInfo
from agentbench_tasks.reservations.domain.amendments import (
    BookingCancelReservation,
    BookingChangeReservation,
    BookingQuoteChange,
    BookingStageCancellation,
)
from agentbench_tasks.reservations.domain.credentials import (
    BookingAuthoriseCard,
    BookingPayDeposit,
    BookingSignIn,
    BookingVerifyPhone,
)
from agentbench_tasks.reservations.domain.directory import (
    DirectoryGetListing,
    DirectoryListReviews,
    DirectoryPostRequest,
    DirectorySearchPlaces,
)
from agentbench_tasks.reservations.domain.geo import GeoGetWalk
from agentbench_tasks.reservations.domain.guest_book import BookingFindReservations
from agentbench_tasks.reservations.domain.holds import (
    BookingConfirmHold,
    BookingHoldSlot,
    BookingListHolds,
    BookingReleaseHold,
)
from agentbench_tasks.reservations.domain.messages import MsgGetThread, MsgListThreads, MsgSaveDraft, MsgSendDraft
from agentbench_tasks.reservations.domain.phone import PhonePlaceCall
from agentbench_tasks.reservations.domain.preorder import PreorderGetMenu, PreorderSaveSheet, PreorderSubmitSheet
from agentbench_tasks.reservations.domain.profile import ProfileGetCard
from agentbench_tasks.reservations.domain.queue import QueueGetBoard, QueueJoinWaitlist
from agentbench_tasks.reservations.domain.registry import RegistryCheckCertificate
from agentbench_tasks.reservations.domain.slots import BookingSearchSlots
from agentbench_tasks.reservations.domain.surface import BookingGetSurface
from agentbench_tasks.reservations.domain.venue import VenueGetPage

Tools = tuple[type[Tool], ...]

READ: Tools = (
    DirectorySearchPlaces,
    DirectoryGetListing,
    DirectoryListReviews,
    VenueGetPage,
    RegistryCheckCertificate,
    BookingGetSurface,
    BookingSearchSlots,
    BookingFindReservations,
    BookingQuoteChange,
    QueueGetBoard,
    PreorderGetMenu,
    MsgListThreads,
    MsgGetThread,
    ProfileGetCard,
    GeoGetWalk,
    PapersList,
    PapersGet,
    PagesSearch,
    PagesGet,
    HolidaysListDays,
    ClockZoneInfo,
    CalcEvaluate,
)
DRAFT: Tools = (MsgSaveDraft, PreorderSaveSheet, BookingStageCancellation)
HOLD: Tools = (BookingHoldSlot, BookingListHolds, BookingReleaseHold)
CONFIRM: Tools = (BookingConfirmHold,)
CHANGE: Tools = (BookingChangeReservation,)
CANCEL: Tools = (BookingCancelReservation,)
PAY: Tools = (BookingAuthoriseCard, BookingPayDeposit)
VERIFY: Tools = (BookingVerifyPhone, BookingSignIn)
SEND: Tools = (MsgSendDraft, DirectoryPostRequest, PhonePlaceCall)
QUEUE: Tools = (QueueJoinWaitlist,)
ORDER: Tools = (PreorderSubmitSheet,)
ALL: Tools = READ + DRAFT + HOLD + CONFIRM + CHANGE + CANCEL + PAY + VERIFY + SEND + QUEUE + ORDER
