"""Contract 04.07: everybody's dishes at one table, priced and ordered ahead on a sheet that the user sends."""
