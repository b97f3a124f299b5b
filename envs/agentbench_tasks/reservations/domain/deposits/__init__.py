"""What a booking costs if nobody comes: the terms of a venue, the one block that governs, and what it comes to."""
