"""Files: atomic writes, locks, Parquet and schemas."""
