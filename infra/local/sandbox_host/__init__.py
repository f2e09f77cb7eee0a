"""A sandbox provider on one machine that speaks the E2B API, so what is above needs no other."""
