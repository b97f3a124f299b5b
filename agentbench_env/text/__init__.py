"""Text in the languages of the suite: folding, templates, dates and money as a native writes them, people's names."""

from agentbench_env.text.fold import fold
from agentbench_env.text.names import PersonName, draw_name
from agentbench_env.text.template import SlotError, fill, slot_names

__all__ = ["PersonName", "SlotError", "draw_name", "fill", "fold", "slot_names"]
