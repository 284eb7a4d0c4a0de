from wikibias.kits.document import number, p_value, with_interval


def test_three_decimals_and_a_dash_for_what_is_not_defined() -> None:
    assert (number(0.12345), number(None)) == ("0.123", "–")
    assert number(-0.0001) == "0.000"
    assert with_interval({"value": -0.5, "low": -1.0, "high": 0.0}) == "-0.500 [-1.000, 0.000]"
    assert with_interval({"value": None, "low": None, "high": None}) == "–"
    assert with_interval({"value": 0.5, "low": None, "high": None}) == "0.500 [–, –]"


def test_a_small_p_value_is_not_zero() -> None:
    assert (p_value(0.25), p_value(0.00001)) == ("0.2500", "< 0.0001")
