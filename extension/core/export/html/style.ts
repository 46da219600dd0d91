/** For light, dark and paper. Every pair of colors has a contrast of at least 4.5. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c1f23;--soft:#59636e;--line:#d1d7dd;--box:#f4f6f8;--user:#e9f1fb;--accent:#0a58b0;--bad:#a31621;--add:#e2f5e6;--addfg:#0b4d1c;--del:#fde8e8;--delfg:#7a1119}
@media(prefers-color-scheme:dark){:root{--bg:#16181b;--fg:#e4e7ea;--soft:#a3adb8;--line:#3a4149;--box:#1f2327;--user:#1d2a3a;--accent:#7fb4f0;--bad:#ff9a9a;--add:#12301b;--addfg:#a9e5b8;--del:#3b1719;--delfg:#ffbcbc}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:52rem;padding:2rem 1.25rem 4rem;background:var(--bg);color:var(--fg);font:16px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem}
h2{font-size:1.05rem;margin:2.5rem 0 .75rem}
h3{font-size:.8rem;font-weight:600;color:var(--soft);margin:1.5rem 0 .4rem}
h4,h5,h6{font-size:1rem;margin:1.1rem 0 .4rem}h5{font-size:.92rem}h6{font-size:.85rem}
p{margin:.6rem 0;white-space:pre-wrap}
ul,ol{margin:.6rem 0;padding-left:1.6rem}li{margin:.2rem 0}li>ul,li>ol{margin:0}
blockquote{margin:.6rem 0;padding-left:.85rem;border-left:3px solid var(--line)}
table{border-collapse:collapse;margin:.6rem 0;font-size:.92rem}th,td{border:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top}
hr{border:0;border-top:1px solid var(--line);margin:1.1rem 0}
a{color:var(--accent)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:1rem 0;font-size:.9rem}
dt{color:var(--soft)}dd{margin:0}
pre{margin:.6rem 0;padding:.7rem .85rem;background:var(--box);border:1px solid var(--line);border-radius:6px;overflow:auto;max-height:30rem;font:.82rem/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap}
code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em}
pre code{font-size:1em}
:not(pre)>code{background:var(--box);border-radius:3px;padding:.1em .3em}
.prompt{background:var(--user);border-radius:8px;padding:.3rem 1rem}
details{border:1px solid var(--line);border-radius:6px;margin:.5rem 0;padding:0 .85rem}
summary{cursor:pointer;padding:.45rem 0}
summary .about{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.82rem}
.fact,time{color:var(--soft);font-size:.82rem}
.failed>summary .about+.fact,.error{color:var(--bad)}
.error,.notice{border-left:3px solid currentColor;padding-left:.85rem}
.notice{color:var(--soft)}
ins,del,.diff span{display:inline-block;min-width:100%;text-decoration:none}
ins{background:var(--add);color:var(--addfg)}del{background:var(--del);color:var(--delfg)}
.odd{border:1px solid var(--line);border-radius:3px;font-size:.75em;padding:0 .2em}
ul.files,ul.plan{padding-left:1.2rem;font-size:.9rem}ul.plan{list-style:none;padding-left:0}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
footer{margin-top:3rem;border-top:1px solid var(--line);color:var(--soft);font-size:.82rem}
@media print{body{max-width:none;padding:0;font-size:11pt}pre{max-height:none;overflow:visible}details::details-content{content-visibility:visible;block-size:auto}.prompt{border:1px solid var(--line)}}
`.trim();
