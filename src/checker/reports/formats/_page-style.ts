/** The style sheet of the HTML page: phone and desktop, dark and light, no external resources. */
export const pageStyle = `
:root{color-scheme:light dark;--page:#fff;--card:#f6f7f9;--text:#1b1d21;--muted:#565b64;--line:#d5d9e0;--link:#0b57a4;
--failed:#a3201a;--failed-back:#fdeceb;--warned:#6f4800;--warned-back:#fff2d9;--known:#1f4d94;--known-back:#e8f0fc;
--accepted:#5a3b8c;--accepted-back:#f1ebfa;--passed:#17602d;--passed-back:#e6f4ea}
@media (prefers-color-scheme:dark){:root{--page:#14161a;--card:#1d2026;--text:#e7e9ed;--muted:#a9b0bb;--line:#3a3f49;--link:#8ab8f5;
--failed:#ffaaa3;--failed-back:#46201d;--warned:#f2c66d;--warned-back:#3d2f10;--known:#a9c8fb;--known-back:#1d2f4d;
--accepted:#d0b8f5;--accepted-back:#352650;--passed:#93d8a7;--passed-back:#16371f}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
header,main{max-width:76rem;margin:0 auto;padding:1rem}main{padding-top:0}
h1{margin:0;font-size:1.5rem}h2{margin:1.75rem 0 .75rem;font-size:1.2rem}h3{margin:0 0 .5rem;font-size:1rem}h4{margin:1rem 0 .25rem;font-size:.875rem;color:var(--muted)}
p{margin:.5rem 0}a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:2px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.8125rem}
pre{margin:0;padding:.6rem .75rem;background:var(--page);border:1px solid var(--line);border-radius:6px;white-space:pre-wrap;unicode-bidi:isolate}
.muted{color:var(--muted);font-size:.9rem}
.result{margin:.75rem 0;padding:.65rem .9rem;border-radius:8px;font-weight:600}
.counts{display:grid;grid-template-columns:repeat(auto-fit,minmax(6.25rem,1fr));gap:.5rem;margin:1rem 0;padding:0;list-style:none}
.counts li{padding:.5rem .75rem;border:1px solid var(--line);border-radius:8px;background:var(--card);font-size:.85rem;color:var(--muted)}
.counts b{display:block;color:var(--text);font-size:1.3rem;line-height:1.25}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0;padding:0;list-style:none}nav a{display:inline-block;padding:.25rem 0}
.failed{color:var(--failed);background:var(--failed-back)}.warned{color:var(--warned);background:var(--warned-back)}
.known{color:var(--known);background:var(--known-back)}.accepted{color:var(--accepted);background:var(--accepted-back)}
.passed{color:var(--passed);background:var(--passed-back)}
.badge{display:inline-block;padding:0 .5rem;border-radius:1rem;font-size:.8rem;font-weight:600;white-space:nowrap}
details{margin:.5rem 0;border:1px solid var(--line);border-radius:8px;background:var(--card)}
summary{padding:.6rem .8rem;cursor:pointer}details[open]>summary{border-bottom:1px solid var(--line)}
.body{padding:.75rem .9rem 1rem;scroll-margin-top:4rem}
dl{display:grid;grid-template-columns:7rem minmax(0,1fr);gap:.3rem .75rem;margin:0}dt{color:var(--muted)}dd{margin:0;unicode-bidi:isolate}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,22rem),1fr));gap:.75rem;align-items:start}
.finding summary .muted{white-space:nowrap}
.card{margin:0;min-width:0}.card h3{display:inline;margin:0}.card .muted{display:block}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.875rem}
th,td{overflow-wrap:break-word;padding:.3rem .5rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{color:var(--muted);font-weight:600}tbody th{font-weight:400}
.matrix td,.matrix thead th+th{text-align:center;width:3rem;padding:.3rem .2rem;white-space:nowrap;overflow-wrap:normal}
.matrix tbody th{overflow-wrap:break-word}
.matrix td a{display:block;color:inherit;text-underline-offset:.2em}
.known-table td:first-child{white-space:nowrap}
.legend{display:flex;flex-wrap:wrap;gap:.4rem;margin:.5rem 0 1rem;padding:0;list-style:none}
.words{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (max-width:30rem){header,main{padding:.75rem}main{padding-top:0}dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:.5rem}}
@media print{details{break-inside:avoid}}
`;
