/** First words that a top-level function may have: verbs that tell the effect. A new verb is added here, in its place. */
export const verbs: ReadonlySet<string> = new Set(
  `
abandon abort accept acknowledge activate adapt add admit adopt advance alert align allocate allow analyse announce
answer append apply approve as ask assert assign attach audit authenticate authorize await backtrack begin bind book
bootstrap build bundle buy call can cancel canonicalise cap capitalise capture cast challenge change charge check
choose claim clamp classify clean clear clip close collect colour combine commit compact compare compile complain
complete compress compute concatenate configure confirm connect consider consume continue convert copy count cover
crash crawl create cut debit decide decode decorate decrypt deduplicate define delay delete deliver demand deny
deploy dequeue derive describe destroy detect diff digest disable discard discover dismiss dispatch distribute
divide download draft drain draw drop edit elect embed emit enable encode encrypt end enforce enqueue ensure enter
enumerate escape estimate evaluate evict exchange exclude execute expand expect expire explain export extract fail
fan fence fetch fill filter find fingerprint finish fix flag flatten flush focus fold follow forget format forward
freeze from fuse gather generate get grant group guard handle has hash hide hmac hold hydrate identify ignore import
include increase index infer inflate initialize insert inspect install instantiate interleave interpolate intersect
invalidate invoke is issue iterate join judge keep label lay lease leave lift limit link lint list listen load
locate lock log look lower make map mark mask match measure merge meter migrate minimise mint mount move negotiate
normalise normalize number observe omit on open operate pack pad paginate pair parse partition patch pause pay
perform permit persist pick pin plan plot poll pop post postpone prefer prepare present preserve print probe process
promise promote propose protect prove prune publish purge push put quantise queue quote raise rank rate reach read
reap rebuild recall receive recognise recompute reconcile record recover redact redirect reduce refill refresh
refuse register reindex reject relate release reload remember remove rename render renew repair repeat replace
replay reply report request require resample reschedule reserve reset resolve respell respond restore resume resync
retain retry return reuse revive revoke rewrite rotate round run sample sanitise sanitize save scale scan schedule
score scrub seal search seed select sell send serialize serve set settle shape share shift shorten show shuffle sign
signal simulate skip sleep sort space spell spend splice split spread stage stamp start stem stop store stream strip
submit subscribe subtract suggest sum summarise summarize supersede supply survey suspend swap sweep switch sync tag
tail take tally throw tie tighten to tokenise tokenize touch trace track train transfer translate treat trigger trim
truncate try tune unassign undelete undo unescape unfold unite unlock unpack unpublish unquote unregister unseal
unwind unwrap unzip update upgrade upload use validate verify visit vote wait wake walk warm warn watch weave weigh
widen with withdraw without wrap write yield zip
`
    .trim()
    .split(/\s+/),
);
