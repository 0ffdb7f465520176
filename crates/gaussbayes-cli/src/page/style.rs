//! Holds the style sheet of a page: light and dark, wide and narrow, screen and paper.

/// Everything but figures, which bring their own.
pub(super) const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --soft: #595959; --line: #c8c8c8; \
--box: #f4f4f2; --link: #0b57a4 }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #161616; --soft: #b0b0b0; \
--line: #4a4a4a; --box: #232323; --link: #8ab8f0 } }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 66rem; margin: 0 auto; \
padding: 1.5rem 1rem 4rem; color: var(--ink); background: var(--paper); overflow-wrap: anywhere }
p, dl, figcaption, h1, nav { max-width: 46rem }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .5rem 0 1rem }
h2 { font-size: 1.4rem; line-height: 1.25; margin: 3rem 0 .75rem; padding-top: .75rem; \
border-top: 1px solid var(--line) }
h3 { font-size: 1.1rem; margin: 1.75rem 0 .5rem }
a { color: var(--link) }
nav ol { columns: 18rem auto; padding-left: 1.5rem; margin: .5rem 0 }
.box { overflow-x: auto; margin: 1rem 0; max-width: 100% }
.box:focus-visible, a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
table { border-collapse: collapse; overflow-wrap: normal; font-variant-numeric: tabular-nums }
caption { text-align: left; color: var(--soft); padding: 0 0 .4rem; caption-side: top }
th, td { padding: .25rem .9rem .25rem 0; text-align: right; vertical-align: top; \
border-bottom: 1px solid var(--line); white-space: nowrap }
th { font-weight: 600 }
th:first-child, td:first-child { text-align: left }
th.words, td.words { text-align: left }
td.words { white-space: normal; min-width: 14rem }
table { min-width: min(100%, 22rem) }
dt { font-weight: 600 }
dd { margin: 0 0 .5rem 1.25rem }
.figures { display: flex; flex-wrap: wrap; gap: 0 1.5rem }
.figures figure { flex: 0 1 auto; max-width: 100%; min-width: 0 }
.figures figcaption { width: 0; min-width: 100% }
figure { margin: 1.25rem 0 }
figure svg { display: block; max-width: 100%; height: auto }
figure .wide svg { max-width: none }
figcaption { color: var(--soft); font-size: .95rem; margin-top: .35rem }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 4px; padding: .6rem .8rem; \
margin: .75rem 0; overflow-x: auto; overflow-wrap: normal; font: .875rem/1.5 ui-monospace, monospace }
code { font-family: inherit }
math { font-size: 1.1rem }
mtd { text-align: left; padding: .15rem 0 }
.formula p { margin: .75rem 0 0 }
.formula .box { margin: .25rem 0 .75rem }
.formula math { width: max-content; margin: 0 0 0 1.25rem }
.missing { border-left: 3px solid var(--line); padding-left: .75rem; color: var(--soft) }
@media (max-width: 480px) { body { padding: 1rem .75rem 3rem } h1 { font-size: 1.55rem } \
h2 { font-size: 1.25rem } }
@media print { :root { --ink: #000; --paper: #fff; --soft: #333; --line: #999; --box: #fff; \
--link: #000 } body { max-width: none; padding: 0; font-size: 10.5pt } nav { display: none } \
h2, h3, caption { break-after: avoid } figure, pre, .formula { break-inside: avoid } \
.box, pre { overflow: visible } pre { white-space: pre-wrap } figure .wide svg { max-width: 100% } }
";
