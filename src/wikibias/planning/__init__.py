"""What a run would cost: time, memory and disk, before anything is downloaded."""
