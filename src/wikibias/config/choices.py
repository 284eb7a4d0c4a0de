"""What settings may be: the words that stages and the command line share."""

from typing import Literal

Reader = Literal["fast", "mwxml"]
Per = Literal["tag", "any", "place"]
SpanPolicy = Literal["skip reverted", "all"]
Scope = Literal["page", "tagged"]
RevertPolicy = Literal["drop", "keep"]
SummaryRule = Literal["own", "wnc"]
# Of an intent: as the paper prints its rules, as its authors' code has them, and mended.
RuleSet = Literal["printed", "released", "robust"]
SplitBy = Literal["page", "sentence"]
# What the labels of a corpus with several are.
LabelsBy = Literal["intents", "tags"]
Negatives = Literal["edited", "featured", "unchanged", "mixed"]
# What an intent takes for a positive sentence: one whose words changed, so that neither a change of
# markup alone nor a new sentence counts; or one to which a reference was added.
Positive = Literal["changed", "referenced"]
# In a list of filters: all of wikibias itself, and those of the 2019 paper.
DEFAULT = "default"
PAPER = "paper"
SPLITS = ("train", "dev", "test")
