"""How much the way a corpus was gathered shows in it (Ousidhoum, Song and Yeung, 2020)."""
