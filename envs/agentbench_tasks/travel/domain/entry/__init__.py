"""What a passport needs at every border of a route, by the authorities' own pages."""
