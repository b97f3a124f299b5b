"""Where a party can just walk in when everything it wanted is full: queues, walks, last orders, prices and diets."""
