"""Places to stay, the ground, changes and cancellations, claims and portals."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from travel_kit import Desk
from travel_worlds import DATES, bookings, lodging, sgd, terrain

import agentbench_tasks.travel.domain as domain
from agentbench_env.approval import binding_digest
from agentbench_env.claims import sources_fault
from agentbench_env.market import shared_table
from agentbench_env.text.template import slot_names
from agentbench_tasks.commons.outbound import Outbound
from agentbench_tasks.commons.texts import body_of, span_of
from agentbench_tasks.travel.domain.booking import BookingGet, BookingHold, BookingPurchase, BookingQuote
from agentbench_tasks.travel.domain.change_prices import cancel_lines
from agentbench_tasks.travel.domain.changes import BookingCommitAction, BookingPriceCancel, BookingPriceChange
from agentbench_tasks.travel.domain.claims import ClaimDraft, ClaimFile, ClaimSaveDraft, HeadWish
from agentbench_tasks.travel.domain.ground import GroundBook, GroundGetPlace, GroundGetRoute, GroundSearchPlaces
from agentbench_tasks.travel.domain.portal import PortalStartApplication, PortalUploadDocument
from agentbench_tasks.travel.domain.records import Booking
from agentbench_tasks.travel.domain.records_changes import Application, BookingRules, CancelStep, ItemRules, PricedAction, Upload
from agentbench_tasks.travel.domain.records_ground import PlaceDay, Ticket
from agentbench_tasks.travel.domain.records_stays import ListingSection, Rate
from agentbench_tasks.travel.domain.stays import StayGetListing, StayListRates, StaySearchProperties

NIGHTS = {"checkin_on": DATES[0], "checkout_on": DATES[1]}
