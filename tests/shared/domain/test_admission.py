"""Who is admitted: whoever is in a list, and nobody by accident."""

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.admission import Admission

names = st.text("abcXYZ.-", min_size=1, max_size=6)
lists = st.lists(names, max_size=3)
emails = st.builds(lambda name, domain: f"{name}@{domain}", names, names)


@given(names, st.lists(emails), lists, st.sampled_from(["", ",", " , ,"]))
def test_where_nothing_is_listed_nobody_is_admitted(login, addresses, organisations, nothing):
    empty = Admission.of(nothing, nothing, nothing)

    assert not empty.admits(login, addresses, organisations)


@given(st.tuples(lists, lists, lists), st.tuples(names, st.lists(emails, max_size=3), lists))
def test_one_of_the_lists_admits_or_nothing_does(chosen, person):
    (users, domains, orgs), (login, addresses, member) = chosen, person
    admission = Admission.of(",".join(users), ", ".join(domains), " ,".join(orgs))

    def listed(value: str, among: list[str]) -> bool:
        return value.lower() in {name.lower() for name in among}

    expected = (
        listed(login, users)
        or any(listed(address.split("@")[1], domains) for address in addresses)
        or any(listed(name, orgs) for name in member)
    )

    assert admission.admits(login, addresses, member) == expected
