#!/bin/sh
# Generates the sample dumps in samples/ and tests/fixtures/dumps/ from the plans in samples/plans/.
#
#   sh scripts/make_sample_dumps.sh OUT
#
# OUT is a folder that does not exist yet. The script writes OUT/samples and OUT/fixtures; check and
# copy them. It needs Debian 12 (or a later one with the package mediawiki) and these packages:
#   mediawiki php-cli php-sqlite3 php-xml php-mbstring php-intl bzip2 gzip xz-utils p7zip-full python3
# and the Python package zstandard (PYTHON=.venv/bin/python uses that of the checkout).
# It starts no web server and changes nothing outside OUT. Revision ids, times and checksums are the
# same each time; compressed files may differ in a few bytes between versions of xz and 7z.
set -eu

[ $# -eq 1 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}
mediawiki=${MW_INSTALL_PATH:-/usr/share/mediawiki}
for tool in php 7z bzip2 gzip xz "$python"; do
  command -v "$tool" > /dev/null || { echo "missing: $tool" >&2; exit 1; }
done
"$python" -c 'import zstandard' || { echo "missing: the Python package zstandard" >&2; exit 1; }
python=$("$python" -c 'import sys; print(sys.executable)')
mkdir "$1"
out=$(cd "$1" && pwd)
mkdir "$out/wiki" "$out/samples" "$out/fixtures"

new_wiki() {  # new_wiki demo|quality LANG: an empty wiki in that language
  wiki=$1-$2
  mkdir -p "$out/wiki/$wiki/db"
  php "$mediawiki/maintenance/install.php" --dbtype sqlite --dbpath "$out/wiki/$wiki/db" \
    --dbname "$1$2wiki" --confpath "$out/wiki/$wiki" --server "https://$2.$1.example" \
    --scriptpath /w --lang "$2" --pass "$(head -c 24 /dev/urandom | base64)" "Demo" Admin > "$out/wiki/$wiki/install.log"
  cat >> "$out/wiki/$wiki/LocalSettings.php" <<'SETTINGS'
$wgArticlePath = '/wiki/$1';
$wgMainCacheType = $wgMessageCacheType = $wgParserCacheType = CACHE_NONE;
$wgJobRunRate = 0;
$wgGroupPermissions['sysop']['suppressrevision'] = true;
SETTINGS
}

export_wiki() {  # export_wiki WIKI FILE FIRST-PAGE-ID [more options]; page 1 is the installer's Main Page
  wiki=$1; file=$2; first=$3; shift 3
  php "$mediawiki/maintenance/dumpBackup.php" --conf "$out/wiki/$wiki/LocalSettings.php" \
    --full --start="$first" --output="file:$file" --quiet "$@"
}

make_wiki() {  # make_wiki demo|quality LANG PLAN: replays the plan and exports the wiki
  new_wiki "$1" "$2"
  php "$here/scripts/replay_plan.php" --conf "$out/wiki/$1-$2/LocalSettings.php" \
    --gold "$out/samples/$1$2wiki.gold.jsonl" "$here/samples/plans/$3.plan.jsonl"
  export_wiki "$1-$2" "$out/samples/$1$2wiki-20260101-pages-meta-history.xml" 2
}

for lang in fr en; do
  make_wiki demo $lang $lang
  make_wiki quality $lang quality-$lang
done
cd "$out/samples"
touch -d 2026-01-01T00:00:00Z ./*.xml
bzip2 -9 ./*frwiki-20260101-pages-meta-history.xml
for xml in ./*enwiki-20260101-pages-meta-history.xml; do
  7z a -mx=9 "$xml.7z" "$xml" > /dev/null
  rm "$xml"
done

# The first three French pages (two articles and a talk page) in every container and in two schemas,
# an empty wiki, and damaged files.
cd "$out/fixtures"
export_wiki demo-fr three-pages-0.10.xml 2 --end=5 --schema-version 0.10
export_wiki demo-fr three-pages.xml 2 --end=5
export_wiki demo-fr empty-wiki.xml 999999
gzip -9 -n three-pages-0.10.xml
xz -9 -k three-pages.xml
xz -9 -k --format=lzma three-pages.xml
"$python" - <<'PYTHON'
import bz2
import re
from pathlib import Path

import zstandard

xml = Path("three-pages.xml").read_bytes()
Path("three-pages.xml.zst").write_bytes(zstandard.ZstdCompressor(level=19).compress(xml))
# As in Wikimedia's multistream files, the header, the pages and the footer are separate streams.
pages = re.split(rb"(?=  <page>\n)|(?=</mediawiki>)", xml)
multistream = b"".join(bz2.compress(piece) for piece in pages)
Path("three-pages-multistream.xml.bz2").write_bytes(multistream)
# Blocks of 100 kB, so that the first pages of a truncated file can be read.
whole = bz2.compress(bz2.open("../samples/demofrwiki-20260101-pages-meta-history.xml.bz2").read(), 1)
Path("truncated.xml.bz2").write_bytes(whole[: len(whole) * 2 // 3])
PYTHON
touch -d 2026-01-01T00:00:00Z three-pages.xml
7z a -mx=9 truncated.xml.7z three-pages.xml > /dev/null
truncate -s -200 truncated.xml.7z
rm three-pages.xml
rm -r "$out/wiki"
ls -l "$out/samples" "$out/fixtures"
