/** First words that a top-level function may have: verbs that tell the effect. A new verb is added here, in its place. */
export const verbs: ReadonlySet<string> = new Set(
  `
abandon accept activate adapt add admit adopt advance alert align allow analyse announce answer append apply approve
as ask assign audit authorize await backtrack begin book bootstrap build bundle buy call can cancel canonicalise cap
capitalise capture cast challenge change charge check choose claim clamp classify clean clear clip close collect
colour commit compact compare compile complain complete compress compute connect consume continue convert copy count
cover crash crawl create cut decide decode deduplicate define delete deliver deploy derive describe detect diff
digest disable discard discover download draft drain draw drop edit embed encode end enforce enqueue ensure enter
escape estimate evict exchange execute expand explain extract fail fence fetch fill filter find fingerprint finish
fix flush focus fold follow forget format forward from fuse gather generate get group guard handle has hash identify
ignore import include index inflate initialize insert inspect install intersect invalidate is issue join judge keep
label lay leave lift limit link lint list listen load locate log look lower make map mark mask match measure merge
migrate mount move normalise normalize observe on open operate pack pad paginate pair parse patch pause pay perform
pick plan post postpone prepare present print probe process promise propose prove prune publish purge push put
quantise queue quote raise rank rate reach read receive recognise reconcile record recover redirect refresh refuse
register reindex reject release remember remove rename render renew repair repeat replace replay reply report request
require resample reschedule reserve reset resolve respell respond restore resume resync retry return revive revoke
rewrite round run sample sanitise save scan schedule score scrub seal search seed select sell send serialize serve
set settle shape share shorten show shuffle sign signal skip sleep sort space spell spend splice split spread stage
stamp start stem stop store stream suggest sum summarise supersede survey suspend sweep switch sync tail take tally
throw to tokenise trace track transfer translate trim truncate try unassign undelete undo unescape unfold unite
unpack unpublish unquote unregister unwrap unzip update upgrade upload use validate verify wait wake walk warm warn
watch weigh with withdraw without wrap write yield zip
`
    .trim()
    .split(/\s+/),
);
