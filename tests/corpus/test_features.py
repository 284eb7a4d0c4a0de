"""The columns of a corpus as `datasets` types them."""

from wikibias.corpus.card import CLASSES, TABLES, columns, features


def test_every_column_has_a_type() -> None:
    for config in TABLES:
        names = [column.name for column in columns(config, with_editors=True)]
        assert [each["name"] for each in features(config, with_editors=True)] == names
        assert "editor" not in {each["name"] for each in features(config, with_editors=False)}


def test_classes_lists_and_times() -> None:
    found = {each["name"]: each for each in features("sentences", with_editors=False)}
    assert found["label"]["dtype"] == {"class_label": {"names": {"0": "neutral", "1": "biased"}}}
    assert found["tags"] == {"name": "tags", "list": "string"}
    assert found["after_timestamp"]["dtype"] == "timestamp[ms, tz=UTC]"
    assert found["page_id"]["dtype"] == "int64"
    assert set(CLASSES) <= set(found)
