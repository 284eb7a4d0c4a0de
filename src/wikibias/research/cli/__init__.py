"""Commands of research; `wikibias.cli` names them, and imports each when it is called."""
