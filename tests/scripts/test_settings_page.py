"""The pages made from the settings are up to date."""

import settings_page


def test_the_files_are_what_the_script_makes() -> None:
    """After a change of a setting run scripts/settings_page.py."""
    assert settings_page.PAGE.read_text(encoding="utf-8") == settings_page.page()
    assert settings_page.THRESHOLDS.read_text(encoding="utf-8") == settings_page.thresholds()
