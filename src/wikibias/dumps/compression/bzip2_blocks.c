/* The text of blocks of bz2 files.

   bzip2 sorts all rotations of a block and keeps the last column of the sorted rows (Burrows and
   Wheeler 1994), packed by move-to-front and Huffman codes. To unpack the column is quick. To walk
   from row to row through it, which gives the text back, is not: each step misses the cache. So
   many walks are made at once, from rows that begin with a line break. These rows are neighbours,
   and in a history their lines are mostly the same, so that the walks pass through neighbours all
   the way and share what one of them has loaded. Each ends where another one began.

   The text that the rows give is still coded: bzip2 first replaces each run of 4 to 255 equal bytes
   by 4 of them and a byte with how many more there were.

   Every number read from a file is checked before it is used as a place: archives come from
   strangers. All functions work on memory of the caller and keep nothing. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LARGEST 900000 /* bytes of coded text in a block */
#define GROUP 50     /* codes between changes of the table */
#define TABLES 6
#define SELECTORS 18002 /* of more, as some programs write, none is used */
#define LONGEST_CODE 20
#define QUICK 10 /* bits of a code that one look-up decodes */

#if defined(_WIN32)
#define PUBLIC __declspec(dllexport)
#else
#define PUBLIC __attribute__((visibility("default")))
#endif

enum { DONE = 0, DAMAGED = 1, TOO_LARGE = 2 };

typedef struct {
  uint32_t size;       /* bytes in the column */
  uint32_t origin;     /* row of the text itself */
  uint32_t checksum;   /* of the text, as stored */
  uint32_t begins[257]; /* first row that begins with a byte, and the end of the last one's */
  uint8_t column[LARGEST];
} Block;

#ifndef SOURCE
#define SOURCE ""
#endif

/* Return what tells this source from others. */
PUBLIC const char *source(void) { return SOURCE; }

typedef struct {
  const uint8_t *at, *end;
  uint64_t bits; /* those read, at the top */
  int count, overrun; /* how many; how many bytes were taken behind the end */
} Bits;

static inline void fill(Bits *b) {
  if (b->end - b->at >= 8) { /* as many whole bytes as there is room for, of eight */
    uint64_t next = 0;
    for (int i = 0; i < 8; i++) next = next << 8 | b->at[i];
    b->bits |= next >> b->count;
    b->at += (63 - b->count) >> 3;
    b->count |= 56;
    return;
  }
  while (b->count <= 56) {
    uint64_t byte = 0;
    if (b->at < b->end) byte = *b->at++;
    else b->overrun++;
    b->bits |= byte << (56 - b->count);
    b->count += 8;
  }
}

static inline uint32_t take(Bits *b, int wanted) { /* 1 to 32 */
  if (b->count < wanted) fill(b);
  uint32_t value = (uint32_t)(b->bits >> (64 - wanted));
  b->bits <<= wanted;
  b->count -= wanted;
  return value;
}

typedef struct {
  uint16_t quick[1 << QUICK]; /* symbol << 5 | length; 0 for a longer code */
  uint32_t limit[LONGEST_CODE + 2]; /* the first code too high for a length, aligned to 20 bits */
  int32_t offset[LONGEST_CODE + 1]; /* from a code of this length to its place in `symbols` */
  uint16_t symbols[258];
} Codes;

static int make_codes(Codes *codes, const uint8_t *lengths, int count) {
  int number[LONGEST_CODE + 1] = {0}, next[LONGEST_CODE + 1];
  for (int i = 0; i < count; i++) number[lengths[i]]++;
  uint32_t code = 0;
  int place = 0;
  memset(codes->quick, 0, sizeof codes->quick);
  for (int length = 1; length <= LONGEST_CODE; length++) {
    codes->offset[length] = place - (int32_t)code;
    next[length] = place;
    place += number[length];
    code += (uint32_t)number[length];
    if (code > 1u << length) return DAMAGED;
    codes->limit[length] = code << (LONGEST_CODE - length);
    code <<= 1;
  }
  for (int i = 0; i < count; i++) {
    int length = lengths[i];
    int32_t value = next[length] - codes->offset[length];
    codes->symbols[next[length]++] = (uint16_t)i;
    if (length <= QUICK)
      for (int k = 0; k < 1 << (QUICK - length); k++)
        codes->quick[((uint32_t)value << (QUICK - length)) + (uint32_t)k] =
            (uint16_t)(i << 5 | length);
  }
  return DONE;
}

static inline int next_symbol(Bits *b, const Codes *codes) {
  if (b->count < LONGEST_CODE) fill(b);
  uint16_t quick = codes->quick[b->bits >> (64 - QUICK)];
  if (quick) {
    int length = quick & 31;
    b->bits <<= length;
    b->count -= length;
    return quick >> 5;
  }
  uint32_t code = (uint32_t)(b->bits >> (64 - LONGEST_CODE));
  for (int length = QUICK + 1; length <= LONGEST_CODE; length++)
    if (code < codes->limit[length]) {
      b->bits <<= length;
      b->count -= length;
      return codes->symbols[(int32_t)(code >> (LONGEST_CODE - length)) + codes->offset[length]];
    }
  return -1;
}

/* Read which bytes occur; return how many. */
static int read_alphabet(Bits *b, uint8_t *alphabet) {
  int count = 0;
  uint32_t rows = take(b, 16);
  for (int row = 0; row < 16; row++)
    if (rows >> (15 - row) & 1) {
      uint32_t used = take(b, 16);
      for (int i = 0; i < 16; i++)
        if (used >> (15 - i) & 1) alphabet[count++] = (uint8_t)(row * 16 + i);
    }
  return count;
}

static int read_selectors(Bits *b, uint8_t *selectors, int tables, int *count) {
  int total = (int)take(b, 15);
  uint8_t order[TABLES] = {0, 1, 2, 3, 4, 5};
  if (!total) return DAMAGED;
  for (int i = 0; i < total; i++) {
    int place = 0;
    while (take(b, 1))
      if (++place >= tables) return DAMAGED;
    uint8_t table = order[place];
    memmove(order + 1, order, (size_t)place);
    order[0] = table;
    if (i < SELECTORS) selectors[i] = table;
    if (b->overrun > 8) return DAMAGED;
  }
  *count = total < SELECTORS ? total : SELECTORS;
  return DONE;
}

static int read_codes(Bits *b, Codes *codes, int tables, int symbols) {
  uint8_t lengths[258];
  for (int table = 0; table < tables; table++) {
    int length = (int)take(b, 5);
    for (int i = 0; i < symbols; i++) {
      for (;;) {
        if (length < 1 || length > LONGEST_CODE) return DAMAGED;
        if (!take(b, 1)) break;
        length += take(b, 1) ? -1 : 1;
      }
      lengths[i] = (uint8_t)length;
    }
    if (b->overrun > 8 || make_codes(codes + table, lengths, symbols)) return DAMAGED;
  }
  return DONE;
}

/* Move a byte of a list to its front. */
static inline uint8_t to_front(uint8_t *list, int place) {
  uint8_t byte = list[place];
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (place < 8) { /* without a branch for each place */
    uint64_t first, moved = ~0ull >> (56 - 8 * place);
    memcpy(&first, list, 8);
    first = (first & ~moved) | (first << 8 & moved) | byte;
    memcpy(list, &first, 8);
    return byte;
  }
#endif
  memmove(list + 1, list, (size_t)place);
  list[0] = byte;
  return byte;
}

/* Decode what follows the tables: runs, and places in the list of bytes moved to front. */
static int read_column(Bits *b, Block *block, const Codes *codes, const uint8_t *selectors,
                       int selected, uint8_t *list, int used) {
  uint32_t counts[256] = {0}, size = 0, run = 0, weight = 1;
  const Codes *table = codes;
  int left = 0, group = 0, last = used + 1;
  uint8_t *column = block->column;
  for (;;) {
    if (!left--) {
      if (group >= selected || b->overrun > 8) return DAMAGED;
      table = codes + selectors[group++];
      left = GROUP - 1;
    }
    int symbol = next_symbol(b, table);
    if (symbol < 0) return DAMAGED;
    if (symbol < 2) { /* a digit of the length of a run, the lowest first: 1 or 2 */
      if (weight > LARGEST) return DAMAGED;
      run += weight << symbol;
      weight <<= 1;
      continue;
    }
    if (run) {
      if (run > LARGEST - size) return DAMAGED;
      memset(column + size, list[0], run);
      size += run;
      counts[list[0]] += run;
      run = 0;
      weight = 1;
    }
    if (symbol == last) break;
    if (size == LARGEST) return DAMAGED;
    uint8_t byte = to_front(list, symbol - 1);
    column[size++] = byte;
    counts[byte]++;
  }
  block->size = size;
  block->begins[0] = 0;
  for (int i = 0; i < 256; i++) block->begins[i + 1] = block->begins[i] + counts[i];
  return block->origin < size ? DONE : DAMAGED;
}

/* Decode a block, which is `length` bits of `packed` from one of its first eight on, to its column. */
static int block_column(const uint8_t *packed, size_t size, int bit, size_t length, Block *block) {
  Bits b = {packed, packed + size, 0, 0, 0};
  Codes codes[TABLES];
  uint8_t selectors[SELECTORS], alphabet[256];
  if (bit) take(&b, bit);
  if (take(&b, 24) != 0x314159 || take(&b, 24) != 0x265359) return DAMAGED;
  block->checksum = take(&b, 32);
  if (take(&b, 1)) return DAMAGED;
  block->origin = take(&b, 24);
  int used = read_alphabet(&b, alphabet);
  int tables = (int)take(&b, 3), selected = 0;
  if (!used || tables < 2 || tables > TABLES) return DAMAGED;
  if (read_selectors(&b, selectors, tables, &selected)) return DAMAGED;
  if (read_codes(&b, codes, tables, used + 2)) return DAMAGED;
  if (read_column(&b, block, codes, selectors, selected, alphabet, used)) return DAMAGED;
  size_t taken = 8 * (size_t)(b.at - packed + b.overrun) - (size_t)b.count - (size_t)bit;
  return taken == length ? DONE : DAMAGED;
}

static uint32_t crc_table[8][256];

/* To be called once, before `block_text`. */
PUBLIC void prepare(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t value = i << 24;
    for (int bit = 0; bit < 8; bit++) value = value << 1 ^ (value >> 31 ? 0x04c11db7u : 0);
    crc_table[0][i] = value;
  }
  for (int k = 1; k < 8; k++)
    for (int i = 0; i < 256; i++) {
      uint32_t value = crc_table[k - 1][i];
      crc_table[k][i] = value << 8 ^ crc_table[0][value >> 24];
    }
}

static uint32_t crc_of(const uint8_t *text, size_t size) {
  uint32_t crc = 0xffffffffu;
  for (; size >= 8; size -= 8, text += 8) {
    crc ^= (uint32_t)text[0] << 24 | (uint32_t)text[1] << 16 | (uint32_t)text[2] << 8 | text[3];
    crc = crc_table[7][crc >> 24] ^ crc_table[6][crc >> 16 & 255] ^ crc_table[5][crc >> 8 & 255] ^
          crc_table[4][crc & 255] ^ crc_table[3][text[4]] ^ crc_table[2][text[5]] ^
          crc_table[1][text[6]] ^ crc_table[0][text[7]];
  }
  while (size--) crc = crc << 8 ^ crc_table[0][crc >> 24 ^ *text++];
  return ~crc;
}

#define SPAN 32 /* bytes to look at together */

/* Return how many whole spans from here on have no start of four equal bytes. */
static size_t plain_spans(const uint8_t *coded, const uint8_t *end) {
  const uint8_t *at = coded;
  for (; end - at >= SPAN + 3; at += SPAN) {
    uint8_t equal = 0;
    for (int i = 0; i < SPAN; i++)
      equal |= (uint8_t)(at[i] == at[i + 1]) & (at[i] == at[i + 2]) & (at[i] == at[i + 3]);
    if (equal) break;
  }
  return (size_t)(at - coded) / SPAN;
}

/* Undo the coding of runs and compare the checksum. */
static int finish(const Block *block, const uint8_t *coded, uint8_t *text, size_t room,
                  size_t *size) {
  const uint8_t *end = coded + block->size;
  uint8_t *out = text, *stop = text + room;
  while (coded < end) {
    size_t plain = SPAN * plain_spans(coded, end);
    if (plain > (size_t)(stop - out)) return TOO_LARGE;
    memcpy(out, coded, plain);
    out += plain;
    coded += plain;
    for (int equal = 0, before = -1; coded < end && equal < 4; before = *coded++) {
      equal = *coded == before ? equal + 1 : 1;
      if (out == stop) return TOO_LARGE;
      *out++ = *coded;
      if (equal < 4) continue;
      if (++coded == end) return DAMAGED;
      if (*coded > stop - out) return TOO_LARGE;
      memset(out, coded[-1], *coded);
      out += *coded;
    }
  }
  *size = (size_t)(out - text);
  return crc_of(text, *size) == block->checksum ? DONE : DAMAGED;
}

#define MARKS 1023 /* walks at once, but for that from the beginning */
#define STRIP 64   /* bytes that a walk goes on before it is the turn of others */
#define LANES 8    /* walks that take turns byte by byte */
#define STRIPS (2 * LARGEST / STRIP + MARKS + 2 + LANES)
#define MARK (1u << 31)
#define ROW(link) ((link) >> 8 & 0x7fffff)
#define NONE UINT32_MAX

typedef struct {
  uint32_t at, length, first, last; /* row, bytes so far, first and last strip */
  uint32_t then;                    /* the walk that goes on from its end */
} Walk;

typedef struct {
  Block block;
  uint32_t links[LARGEST]; /* of each row: that of the text from the next byte on, the last byte */
  uint8_t strips[STRIPS][STRIP], coded[LARGEST];
  uint32_t next[STRIPS]; /* strip of the same walk */
  Walk walks[MARKS + 1];
  uint16_t active[MARKS + 1];
} Work;

PUBLIC size_t work_bytes(void) { return sizeof(Work); }

/* Link the rows; return how many walks begin, at rows with one first byte, and the first of them. */
static uint32_t link_rows(Work *work, uint32_t *begin) {
  const Block *block = &work->block;
  const uint8_t *column = block->column;
  const uint32_t *begins = block->begins;
  uint32_t next[256], *links = work->links, marks;
  int byte = '\n';
  if (begins[byte + 1] - begins[byte] < MARKS)
    for (int i = 0; i < 256; i++)
      if (begins[i + 1] - begins[i] > begins[byte + 1] - begins[byte]) byte = i;
  *begin = begins[byte];
  marks = begins[byte + 1] - *begin;
  if (marks > MARKS) marks = MARKS;
  memcpy(next, begins, sizeof next);
  for (uint32_t i = 0, run; i < block->size; i += run) {
    uint32_t row = next[column[i]];
    for (run = 1; i + run < block->size && column[i + run] == column[i];) run++;
    for (uint32_t k = 0; k < run; k++) links[row + k] = (i + k) << 8 | column[row + k];
    next[column[i]] += run;
  }
  /* The rows that lead to the marked ones: those of a byte are in the same order. */
  memset(next, 0, sizeof next);
  for (uint32_t i = 0; i < *begin; i++) next[column[i]]++;
  for (uint32_t i = *begin; i < *begin + marks; i++)
    links[begins[column[i]] + next[column[i]]++] |= MARK;
  return marks;
}

/* Let up to LANES walks go on for a strip; return how many of them have not ended. */
static uint32_t walk_on(Work *work, const uint16_t *turn, uint32_t lanes, uint32_t strip,
                        uint32_t begin, uint16_t *left) {
  uint32_t at[LANES], ended[LANES] = {0}, end[LANES], going = 0;
  const uint32_t *links = work->links;
  uint8_t *strips = work->strips[strip];
  for (uint32_t lane = 0; lane < LANES; lane++)
    at[lane] = work->walks[turn[lane < lanes ? lane : 0]].at;
  for (uint32_t i = 0; i < STRIP; i++)
    for (uint32_t lane = 0; lane < LANES; lane++) {
      uint32_t link = links[at[lane]];
      strips[lane * STRIP + i] = (uint8_t)link;
      at[lane] = ROW(link);
      if (link & MARK && !ended[lane]) {
        ended[lane] = i + 1;
        end[lane] = at[lane];
      }
    }
  for (uint32_t lane = 0; lane < lanes; lane++) {
    Walk *walk = work->walks + turn[lane];
    if (walk->first == NONE) walk->first = strip + lane;
    else work->next[walk->last] = strip + lane;
    walk->last = strip + lane;
    walk->length += ended[lane] ? ended[lane] : STRIP;
    walk->at = at[lane];
    if (ended[lane]) walk->then = end[lane] - begin;
    else if (walk->length < LARGEST) left[going++] = turn[lane];
  }
  return going;
}

/* Write the coded text of a block. */
static void walk_rows(Work *work) {
  const Block *block = &work->block;
  uint32_t begin, marks = link_rows(work, &begin), active = marks + 1, strip = 0, done = 0;
  for (uint32_t i = 0; i <= marks; i++) {
    uint32_t at = i < marks ? begin + i : ROW(work->links[block->origin]);
    work->walks[i] = (Walk){at, 0, NONE, NONE, marks};
    work->active[i] = (uint16_t)i;
  }
  while (active) {
    uint32_t left = 0;
    for (uint32_t turn = 0; turn < active; turn += LANES) {
      uint32_t lanes = active - turn < LANES ? active - turn : LANES;
      left += walk_on(work, work->active + turn, lanes, strip, begin, work->active + left);
      strip += lanes;
    }
    active = left;
  }
  const Walk *walk = work->walks + marks;
  for (; done < block->size; walk = work->walks + walk->then) {
    uint32_t wanted = block->size - done;
    if (walk->length < wanted) wanted = walk->length;
    for (uint32_t from = walk->first; wanted; from = work->next[from]) {
      uint32_t size = wanted < STRIP ? wanted : STRIP;
      memcpy(work->coded + done, work->strips[from], size);
      done += size;
      wanted -= size;
    }
  }
}

/* Write the text of a block, which is `length` bits of `packed` from one of its first eight on, and
   its size. Returns DAMAGED as well for what bzip2 has not written for 25 years, and TOO_LARGE if
   it takes more than `room`. */
PUBLIC int block_text(const uint8_t *packed, size_t size, int bit, size_t length, Work *work,
                      uint8_t *text, size_t room, size_t *written) {
  if (block_column(packed, size, bit, length, &work->block)) return DAMAGED;
  walk_rows(work);
  return finish(&work->block, work->coded, text, room, written);
}

#define MOST_NAMES 60000
#define ROOM (1u << 21)  /* bytes of all names */
#define LONGEST_NAME 512 /* a title has 255 bytes, some of them escaped */
#define SLOTS (1u << 17)
#define PAGE UINT32_MAX /* in place of a name: a page begins */
#define ODD 0           /* the name of all that is too long, or does not fit in any more */

typedef struct {
  uint64_t hash;
  uint32_t name, page; /* 0 where there is none; the last page that it was found in */
} Slot;

/* The names of templates in a text, each once; all zero at the beginning. */
typedef struct {
  uint32_t count, page, odd_page; /* names, ODD aside; the page that is read, the first being 1 */
  uint32_t ends[MOST_NAMES + 1];
  Slot slots[SLOTS];
  uint8_t bytes[ROOM];
} Names;

PUBLIC size_t names_bytes(void) { return sizeof(Names); }

/* Return the bytes of a name and how many they are. */
PUBLIC const uint8_t *name_bytes(const Names *names, uint32_t name, size_t *size) {
  *size = names->ends[name] - names->ends[name - 1];
  return names->bytes + names->ends[name - 1];
}

PUBLIC uint32_t names_count(const Names *names) { return names->count; }

static inline int is_blank(uint8_t byte) {
  return byte == ' ' || byte == '_' || byte == ':' || (byte >= 9 && byte <= 13) ||
         (byte >= 28 && byte <= 31);
}

static inline int ends_name(uint8_t byte) {
  return byte == '|' || byte == '}' || byte == '{' || byte == '\n' || byte == '[' || byte == ']';
}

/* Return the slot of a name, a new one if need be; NULL if it is full. */
static Slot *slot_of(Names *names, const uint8_t *bytes, uint32_t size) {
  uint64_t hash = 14695981039346656037u;
  for (uint32_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
  for (uint32_t at = (uint32_t)(hash ^ hash >> 32) % SLOTS;; at = (at + 1) % SLOTS) {
    Slot *slot = names->slots + at;
    uint32_t name = slot->name, end = names->ends[names->count];
    if (!name) {
      if (names->count == MOST_NAMES || ROOM - end < size) return NULL;
      memcpy(names->bytes + end, bytes, size);
      names->ends[++names->count] = end + size;
      *slot = (Slot){hash, names->count, 0};
      return slot;
    }
    uint32_t begin = names->ends[name - 1];
    if (slot->hash == hash && names->ends[name] - begin == size &&
        !memcmp(names->bytes + begin, bytes, size))
      return slot;
  }
}

/* Find where pages begin, and the templates called in each, from `*at` to `until`; a name may go on
   up to `size`. Writes pairs of a position and PAGE, or of 0 and a name, once for each page, and
   returns how many; `*at` is then where to go on, if there was room for no more than `most`. */
PUBLIC size_t find_names(Names *names, const uint8_t *text, size_t size, size_t *at, size_t until,
                         uint32_t *found, size_t most) {
  static const char begin[] = "<page>";
  size_t count = 0, page = *at, here = *at;
  while (here < until) {
    if (page <= here) /* where the next page begins */
      for (page = here; page < until; page++) {
        const uint8_t *next = memchr(text + page, '<', until - page);
        page = next ? (size_t)(next - text) : until;
        if (next && size - page >= 6 && !memcmp(next, begin, 6)) break;
      }
    size_t stop = page < until ? page : until;
    for (; here < stop; here++) {
      const uint8_t *brace = memchr(text + here, '{', stop - here);
      here = brace ? (size_t)(brace - text) : stop;
      if (!brace) break;
      if (count == most) return *at = here, count;
      size_t from = here + 2;
      int is_odd = size - here > 8 && !memcmp(brace + 1, "&lt;!--", 7);
      if (!is_odd) {
        if (from >= size || text[here + 1] != '{') continue;
        while (from < size && is_blank(text[from])) from++;
        size_t end = from;
        while (end < size && end - from < LONGEST_NAME && !ends_name(text[end])) end++;
        if (end == size || end - from == LONGEST_NAME) {
          is_odd = 1;
        } else if (end == from) {
          continue;
        } else {
          while (text[end - 1] == ' ') end--;
          Slot *slot = slot_of(names, text + from, (uint32_t)(end - from));
          if (slot && slot->page == names->page + 1) continue;
          if (slot) {
            slot->page = names->page + 1;
            found[2 * count] = 0;
            found[2 * count++ + 1] = slot->name;
          } else {
            is_odd = 1;
          }
        }
      }
      if (is_odd && names->odd_page != names->page + 1) {
        names->odd_page = names->page + 1;
        found[2 * count] = 0;
        found[2 * count++ + 1] = ODD;
      }
    }
    if (stop == until) break;
    if (count == most) return *at = here, count;
    found[2 * count] = (uint32_t)page;
    found[2 * count++ + 1] = PAGE;
    names->page++;
    here = page + 1;
  }
  return *at = until, count;
}
