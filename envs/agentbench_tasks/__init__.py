"""The tasks of the suite: one package a domain, one module a contract, and the providers that all of them share."""
