import { type MarkerVerb, markerVerbs } from '../core/marker/markerSyntax.ts';

/** The line by which we know our own hook. */
const MARK = '# Story Tracker: names the story of the branch in commit messages.';

/** Beside our hook: the one that was there before. */
export const BEFORE_SUFFIX = '.before-story-tracker';

export function isOurHook(text: string): boolean {
  return text.includes(MARK);
}

/**
 * The `prepare-commit-msg` hook in POSIX sh. It leaves merges, squashes, amended and picked messages, those by whose subject
 * `git rebase --autosquash` finds another commit, and those with a marker alone, works by Git's own configuration, and never keeps a commit from being made; the hook that was there before may. People
 * wait for it at each commit: for a plain message it starts one program, which is Git.
 */
export function hookScript(verb: MarkerVerb): string {
  const known = markerVerbs.find((one) => one === verb) ?? '';
  const head = known === '' ? '' : `${known} `;
  return SCRIPT.replaceAll('<mark>', MARK).replaceAll('<before>', BEFORE_SUFFIX).replaceAll('<verb>', head);
}

const SCRIPT = String.raw`#!/bin/sh
<mark>
# "Story Tracker: Remove Commit Hook" takes it away.
if [ -f "$0<before>" ] && [ -x "$0<before>" ]; then
  "$0<before>" "$@" || exit $?
fi
case "$2" in merge | squash | commit) exit 0 ;; esac
if [ -e "${'$'}{1%/*}/CHERRY_PICK_HEAD" ]; then exit 0; fi
head=
IFS= read -r head 2>/dev/null <"${'$'}{1%/*}/HEAD"
case "$head" in
  "ref: refs/heads/"[!.]*) ;;
  *) head="ref: $(git symbolic-ref --quiet HEAD)" || exit 0 ;;
esac
branch=${'$'}{head#ref: refs/heads/}
story=$(git config --get "branch.$branch.storyTrackerStory") || exit 0
story=${'$'}{story#"#"}
case "$story" in '' | 0* | *[!0-9]*) exit 0 ;; esac
comment='#'
LC_ALL=C
if [ "$2" = message ]; then
  comment=
  # A plain subject takes the marker here, without another program.
  subject= rest= count=0
  while IFS= read -r line || [ -n "$line" ]; do
    count=$((count + 1))
    case "$line" in *"#"[0-9]*) count=200 ;; esac
    if [ $count -ge 200 ]; then break; fi
    if [ $count -eq 1 ]; then
      subject=$line
    else
      rest="$rest$line
"
    fi
  done <"$1"
  case "$subject" in "fixup! "* | "squash! "* | "amend! "*) exit 0 ;; esac
  case "$count $subject" in
    200* | *-by:*) ;;
    *" "[#-~!]*[#-~!]) printf '%s\n%s' "$subject [<verb>#$story]" "$rest" >"$1" && exit 0 ;;
  esac
else
  set=$(git config --get-regexp '^core\.comment(char|string)$')
  set=${'$'}{set##*core.comment}
  set=${'$'}{set#* }
  case "$set" in '' | auto) ;; *) comment=$set ;; esac
fi
made="$1.story-tracker"
LC_ALL=C awk -v marker="[<verb>#$story]" -v comment="$comment" '
  function dropped(line) { return comment != "" && index(line, comment) == 1 }
  {
    lines[NR] = $0
    if (index($0, comment " ------------------------ >8 ------------------------") == 1) below = 1
    if (below || dropped($0)) next
    if ($0 ~ /\[[^]\[]*#[0-9][^]\[]*\]/) has = 1
    if (!subject && $0 ~ /^(fixup|squash|amend)! ./) has = 1
    if (!subject && $0 ~ /[^ \t\r]/ && $0 !~ /^[A-Z][A-Za-z-]*-by: /) subject = NR
  }
  END {
    if (has) exit 1
    if (!subject && (NR == 0 || lines[1] ~ /[^ \t\r]/)) print " " marker "\n"
    for (i = 1; i <= NR; i++) {
      line = lines[i]
      if (i == subject || (!subject && i == 1 && line !~ /[^ \t\r]/)) {
        cr = line ~ /\r$/ ? "\r" : ""
        sub(/[ \t\r]+$/, "", line)
        line = line " " marker cr
      }
      print line
    }
  }
' "$1" >"$made" 2>/dev/null && mv -f "$made" "$1" || rm -f "$made"
exit 0
`;
