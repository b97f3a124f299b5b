"""Reports: what runs came to, as statistics and as pages that need no network."""
